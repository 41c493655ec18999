# SPDX-License-Identifier: GPL-2.0-only
"""NSCC and packets on many paths: the regression scenarios of the Ultra Ethernet Consortium's simulator."""

from .. import claims
from ..figures import Figure, style
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import interval

TITLE = "NSCC on many paths against uet-htsim"
SOURCE = "uet-htsim of the Ultra Ethernet Consortium, stored outputs (validate_outputs)"
TOLERANCE = 0.05
# Lines of the program uet-paths, and what they are.
SMALL = {
    "one": "one message, 16 hosts",
    "permutation-16": "permutation of 16 hosts",
    "permutation-16-slow": "permutation of 16 hosts, a slow link",
    "permutation-16-path": "permutation of 16 hosts, one path",
    "incast-15": "incast 15:1",
}
LARGE = {
    "incast-127": "incast 127:1",
    "permutation-1024": "permutation of 1024 hosts",
    "permutation-1024-slow": "permutation of 1024 hosts, a slow link",
    "permutation-1024-path": "permutation of 1024 hosts, one path",
    "oblivious": "oblivious",
    "bitmap": "bitmap",
    "reps": "REPS",
    "reps-16k": "REPS, an ACK for 16 KiB",
    "mixed": "mixed",
    "slow-oblivious": "8 slow links, oblivious",
    "slow-bitmap": "8 slow links, bitmap",
    "slow-reps": "8 slow links, REPS",
    "slow-reps-16k": "8 slow links, REPS, an ACK for 16 KiB",
    "slow-mixed": "8 slow links, mixed",
    "slow-mixed-16k": "8 slow links, mixed, an ACK for 16 KiB",
    "leaf-spine-4-1": "leaf-spine 4:1, permutation of 1024 hosts",
    "leaf-spine-8-1": "leaf-spine 8:1, permutation of 1024 hosts",
}
LABELS = {**SMALL, **LARGE}
JUDGE, TEXT = "Htsim", "Ue"  # dialects: of the code that has made the numbers, and of the text
POLICIES = ("oblivious", "bitmap", "reps", "mixed")


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    """Large fabrics are in the first sample alone, and not in quick runs."""
    lines = {**SMALL, **LARGE} if not sample.number and not options.quick else SMALL
    draws = (f"--ecmpDraw={sample.number + 1}", *sample.option("run"))
    return [Run(f"{line}-{dialect.lower()}", "uet-paths",
                (f"--lines={line}", f"--dialect={dialect}", *draws))
            for line in lines for dialect in (JUDGE, TEXT)]


class Measured:
    """Rows of the program by line and dialect."""

    def __init__(self, results):
        self.rows = {(row["line"], row["dialect"]): row for result in results.values()
                     for row in result.rows("uet-paths.csv")}

    def has(self, line):
        return (line, JUDGE) in self.rows

    def number(self, line, name, dialect=JUDGE):
        """A number of a line; None without its run."""
        row = self.rows.get((line, dialect))
        return float(row[name]) if row else None

    def tail(self, line, dialect=JUDGE):
        return self.number(line, "ours_us", dialect)


def measure(results, _):
    return Measured(results)


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "Messages of 2 MB at 100 Gb/s, links of 1 us, no PFC, queues of a bandwidth-delay product, marks at 0.2 "
        "to 0.8 of it, 4096 B of payload in a packet; fat-trees of three tiers unless said. A slow link has a quarter of "
        "its rate. Claims are judged with the rules of uet-htsim's code (Dialect Htsim); the table has "
        "those of the text, too. uet-htsim's packets have 4150 bytes on the wire, those of RoCE more: that "
        "alone is 1 %. The permutation of 1024 hosts is another one. Samples: draws of ECMP and of entropy values."])
    for line, label in LABELS.items():
        if measured.has(line):
            evaluation.claims.append(claims.value(
                f"last message, {label}", SOURCE, measured.number(line, "published_us"),
                measured.tail(line), "us", tolerance=TOLERANCE))
    if measured.has("permutation-1024"):
        evaluation.claims += order(measured)
    return evaluation


def order(measured):
    """What the numbers of uet-htsim say of each other."""
    published = [measured.number(line, "published_us")
                 for line in ("permutation-1024-path", "permutation-1024")]
    best, best_slow = "mixed", "slow-reps"
    return [
        claims.ratio("permutation of 1024 hosts: one path by 128 entropy values", SOURCE,
                     claims.quotient(*published),
                     claims.quotient(measured.tail("permutation-1024-path"),
                                     measured.tail("permutation-1024"))),
        claims.best("last message by policy: mixed", SOURCE, measured.tail(best),
                    [measured.tail(policy) for policy in POLICIES if policy != best], "us"),
        claims.best("last message by policy, 8 slow links: REPS", SOURCE, measured.tail(best_slow),
                    [measured.tail(f"slow-{policy}") for policy in POLICIES
                     if f"slow-{policy}" != best_slow], "us")]


def conclude(evaluation, samples_, _):
    """The table, of all samples."""
    rows = []
    for line, label in LABELS.items():
        known = [measured for measured in samples_ if measured.has(line)]
        if not known:
            continue
        published = known[0].number(line, "published_us")
        cells = []
        for dialect in (JUDGE, TEXT):
            ours = interval(measured.tail(line, dialect) for measured in known)
            cells += [f"{ours.median:.1f}", f"{ours.median / published:.3f}"]
        again = interval(measured.number(line, "again") for measured in known)
        rows.append([label, f"{published:.1f}", *cells,
                     f"{known[0].number(line, 'published_again'):.0f}", f"{again.median:.0f}"])
    evaluation.tables.insert(0, Table("Against uet-htsim", [
        "scenario", "uet-htsim (us)", "ours (us)", "ratio", "rules of the text (us)", "ratio",
        "sent again there", "sent again here"], rows))


def draw(samples_, _):
    shown = {line: interval(measured.tail(line) / measured.number(line, "published_us")
                            for measured in samples_ if measured.has(line))
             for line in LABELS if any(measured.has(line) for measured in samples_)}
    figure = Figure("ratios", "Ours by uet-htsim: completion of the last message",
                    "Medians and intervals of the samples; grey: 5 %.")
    figure.figure.set_size_inches(8.4, 1.1 + 0.25 * len(shown))
    axes = figure.axes
    axes.axvspan(1 - TOLERANCE, 1 + TOLERANCE, color=style.GRID)
    for place, ours in enumerate(reversed(shown.values())):
        axes.plot([ours.low, ours.high], [place, place], color=style.BLUE, linewidth=1.2)
        axes.plot([ours.median], [place], color=style.BLUE, marker="o", markersize=4)
    figure.empty = not shown
    axes.set_xscale("log")
    figure.plain_ticks("x", (0.5, 1, 2, 5, 10))
    axes.set_yticks(range(len(shown)), [LABELS[line] for line in reversed(shown)], fontsize=6.5)
    axes.set_xlabel("ours / uet-htsim")
    return [figure]
