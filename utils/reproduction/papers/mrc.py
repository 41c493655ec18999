# SPDX-License-Identifier: GPL-2.0-only
"""MRC: a ring over four planes, against RoCE with PFC, DCQCN and go-back-N; a lost uplink, the
neighbour of a receiver of an incast, a permutation."""

from dataclasses import dataclass

from .. import claims
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "MRC: one queue pair over all planes"
SOURCE = "MRC, arXiv 2605.04333, through readers' notes"
FIGURE_16 = f"{SOURCE}: figure 16"
FIGURE_18 = f"{SOURCE}: figure 18"
UET_HTSIM = "uet-htsim, stored outputs"
TENTH = 0.1
HEALTHY, LITTLE_LOSS, MUCH_LOSS = "none", "loss:0.001", "loss:0.01"
FAULTS = {HEALTHY: "healthy", LITTLE_LOSS: "0.1 % lost", MUCH_LOSS: "1 % lost"}
SCHEMES = {"pfc:1": "RoCE, 1 queue pair", "pfc:4": "RoCE, 4 queue pairs", "pfc:8": "RoCE, 8 queue pairs",
           "pfc:16": "RoCE, 16 queue pairs", "mrc": "MRC, 1 queue pair"}


def ring(size, schemes=SCHEMES, faults=FAULTS):
    """Arguments of pfc-or-not."""
    return ("pfc-or-not", "--ranks=64", "--planes=4", f"--collectives=all-reduce:{size}",
            f"--schemes={','.join(schemes)}", f"--faults={','.join(faults)}")


# By name: program, arguments. Long runs are in the first sample alone, and not in quick ones.
RUNS = {"ring-4mb": ring("4MB"),
        "paper": ("mrc-paper", "--lines=uplink-32,victim,victim-roce-1,victim-roce-8")}
LONG_RUNS = {"ring-64mb": ring("64MB"),
             "paper-large": ("mrc-paper", "--lines=uplink-256,permutation-1024,permutation-1024-path")}
RINGS = {"ring-4mb": "4 MB", "ring-64mb": "64 MB"}


def samples(options):
    return 3 if options.quick else 5


def runs(options, sample):
    """Draws of ECMP, which for MRC are draws of the ways of its entropy values."""
    chosen = RUNS if sample.number or options.quick else {**RUNS, **LONG_RUNS}
    return [Run(name, program, (*arguments, f"--ecmpDraw={sample.number + 1}", *sample.option("run")))
            for name, (program, *arguments) in chosen.items()]


class Measured:
    """What the programs have written, by run."""

    def __init__(self, results):
        self.rows = {name: result.rows(f"{result.run.program}.csv") for name, result in results.items()}

    def time(self, run, scheme, fault):
        """Of a ring, us; None without its run."""
        for row in self.rows.get(run, ()):
            if (row["scheme"], row["fault"]) == (scheme, fault):
                return float(row["time_us"])
        return None

    def line(self, name):
        """Number of a line of mrc-paper; None without its run."""
        for rows in self.rows.values():
            for row in rows:
                if row.get("line") == name:
                    return float(row["measured"])
        return None

    def speed(self, run, one, other):
        """How many times as fast a scheme under a fault is as another, 0 if it does not end; None
        without their run."""
        times = [self.time(run, *each) for each in (other, one)]
        return None if None in times else times[0] / times[1]


def speed(run, one, other):
    """What takes such a number. one, other: (scheme, fault)."""
    return lambda measured: measured.speed(run, one, other)


def share(run, scheme, fault):
    """What takes the share of its speed that a scheme keeps under a fault."""
    return speed(run, (scheme, fault), (scheme, HEALTHY))


@dataclass(frozen=True)
class Line:
    """A claim. statement: claims.at_least and such, with claim, source, published, measured and unit;
    take: what takes our number from Measured, or None where a sample has none. counts: else under
    other parameters than the published ones."""

    claim: str
    source: str
    statement: object
    published: float
    unit: str
    take: object
    reason: str = ""
    counts: bool = True

    def state(self, measured):
        ours = self.take(measured)
        return None if ours is None else self.statement(self.claim, self.source, self.published, ours,
                                                        self.unit, reason=self.reason)


def within_a_tenth(*arguments, **more):
    return claims.value(*arguments, **more, tolerance=TENTH)


def ring_lines(run, size):
    """What is claimed of a ring; those of RoCE have no number where it has no run."""
    where = f"ring of {size}"
    mrc, one, eight, sixteen = ((scheme, HEALTHY) for scheme in ("mrc", "pfc:1", "pfc:8", "pfc:16"))
    return [
        Line(f"{where}: speed of MRC by RoCE, 16 queue pairs", FIGURE_16, claims.at_least, 1, "times",
             speed(run, mrc, sixteen)),
        Line(f"{where}: speed of RoCE, 1 queue pair, by MRC", f"{FIGURE_16}: about half", claims.value,
             0.5, "times", speed(run, one, mrc), "a queue pair of RoCE has one port of four"),
        Line(f"{where}: speed of RoCE, 16 queue pairs by 8", f"{FIGURE_16}: little more; 10 % is ours",
             within_a_tenth, 1, "times", speed(run, sixteen, eight)),
        Line(f"{where}: speed that MRC keeps with 0.1 % lost", f"{SOURCE}: from 1 GB on",
             claims.at_least, 0.95, "times", share(run, "mrc", LITTLE_LOSS),
             "the last packets of the steps wait for timers", counts=False),
        Line(f"{where}: speed that MRC keeps with 1 % lost", f"{SOURCE}: a third, read from a graph",
             claims.value, 1 / 3, "times", share(run, "mrc", MUCH_LOSS)),
        Line(f"{where}: speed that RoCE, 16 queue pairs, keeps with 1 % lost", f"{SOURCE}: go-back-N",
             claims.at_most, 0.1, "times", share(run, "pfc:16", MUCH_LOSS))]


def within_a_twentieth(*arguments, **more):
    return claims.value(*arguments, **more, tolerance=TENTH / 2)


def number(name):
    """What takes the number of a line of mrc-paper."""
    return lambda measured: measured.line(name)


def by(name, other):
    """What takes the quotient of two of them."""
    def take(measured):
        numbers = [measured.line(name), measured.line(other)]
        return None if None in numbers else claims.quotient(*numbers)
    return take


def victim_alone(measured):
    """What takes the share of its rate alone that the neighbour keeps beside MRC: 4096 of 4222 bytes."""
    rate = measured.line("victim")
    return None if rate is None else rate / (400 * 4096 / 4222)


PAPER_LINES = [
    Line("a full rack loses one of 32 uplinks: goodput lost", SOURCE, claims.value, 3, "%", number("uplink-32")),
    Line("a full rack loses one of 256 uplinks: goodput lost", SOURCE, claims.value, 0.4, "%", number("uplink-256"),
         "one draw"),
    Line("neighbour of an incast 7:1: share of its rate alone, MRC", FIGURE_18, claims.at_least, 0.99, "times",
         victim_alone),
    Line("neighbour of an incast 7:1: RoCE, 1 queue pair, by MRC", FIGURE_18, claims.value, 0.75, "times",
         by("victim-roce-1", "victim")),
    Line("neighbour of an incast 7:1: RoCE, 8 queue pairs", f"{FIGURE_18}: for some seconds", claims.value, 100,
         "Gb/s", number("victim-roce-8"), "a mean of 2 ms", counts=False),
    Line("permutation of 1024 hosts, last message", UET_HTSIM, within_a_twentieth, 200.507, "us",
         number("permutation-1024")),
    Line("permutation of 1024 hosts: one entropy value by 128", UET_HTSIM, claims.at_least, 3, "times",
         by("permutation-1024-path", "permutation-1024"))]
LINES = [*(line for run, size in RINGS.items() for line in ring_lines(run, size)), *PAPER_LINES]


def measure(results, _):
    return Measured(results)


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "Rings: an all-reduce of 64 ranks, a host each, over four planes of eight leaves and eight "
        "spines, 100 Gb/s, links of 1 us; neighbours are on different leaves. RoCE has PFC, DCQCN and "
        "go-back-N; each of its queue pairs has one port of its host, and messages are split over them. "
        "Losses are random, on all links between leaves and spines towards the spines, in all planes. Samples: draws "
        "of ECMP. Uplinks: hosts of 100 Gb/s, as many as uplinks; routing is off. Incast: 400 Gb/s, nine hosts and "
        "spines; the neighbour has a sender of its own. Permutation: 2 MB each over a fat-tree of 100 Gb/s, links of 1 us, one plane."])
    for line in LINES:
        stated = line.state(measured)
        if stated:
            (evaluation.claims if line.counts else evaluation.others).append(stated)
    evaluation.tables += [table(measured, run, size) for run, size in RINGS.items() if run in measured.rows]
    return evaluation


def table(measured, run, size):
    """Times of the schemes and faults that the run has."""
    schemes = [scheme for scheme in SCHEMES if measured.time(run, scheme, HEALTHY) is not None]
    faults = [fault for fault in FAULTS if measured.time(run, schemes[0], fault) is not None]
    return Table(f"Ring of {size}", ["us", *(FAULTS[fault] for fault in faults)],
                 [[SCHEMES[scheme], *(measured.time(run, scheme, fault) for fault in faults)]
                  for scheme in schemes])


def draw(_samples, _options):
    return []
