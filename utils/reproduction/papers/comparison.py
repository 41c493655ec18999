# SPDX-License-Identifier: GPL-2.0-only
"""All congestion controls under incast and permutation on a fat-tree."""

from .. import claims, results as metrics
from ..figures import Dots
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import ALL, BY_NAME, select

TITLE = "All congestion controls: incast and permutation on a fat-tree"
SOURCE = "No paper: a table for doc/reproductions.rst."
SCHEMES = tuple(scheme.name for scheme in ALL)
LINE = 100.0
BASE_RTT = "13us"
HEADER = ("pattern", "congestion control", "utilisation (%)", "Jain index", "peak queue (KB)",
          "mean queue (KB)", "PFC frames", "p99 FCT (ms)", "drops")


def samples(_):
    return 3


def patterns(options):
    """By name: arguments of the program."""
    k = 4 if options.quick else 8
    incasts = (2, 8) if options.quick else (2, 16, 64)
    total, each = ("4MB", "400KB") if options.quick else ("40MB", "4MB")
    listed = {f"incast {n}:1": (f"--k={k}", "--pattern=incast", f"--senders={n}",
                                f"--bytes={total}") for n in incasts}
    listed["permutation"] = (f"--k={k}", "--pattern=permutation", f"--bytes={each}")
    return listed


def name_of(pattern, scheme):
    return f"{pattern.replace(' ', '-').replace(':', '-')}-{scheme.name}"


def runs(options, sample):
    return [Run(name_of(pattern, scheme), "congestion-comparison",
                (*arguments, *scheme.arguments(BASE_RTT), *sample.option("run"),
                 *sample.option("ecmpDraw", 0)))
            for pattern, arguments in patterns(options).items()
            for scheme in select(SCHEMES, options.schemes)]


def utilisation(flows):
    """Mean over the receiving ports: share of the line until its last flow has ended, percent."""
    ports = {}
    for flow in flows:
        size, end = ports.get(flow["dst"], (0, 0))
        ports[flow["dst"]] = (size + flow["bytes"], max(end, flow["start"] + flow["fct"]))
    # Wire bits: of 1106 bytes, preamble and gap included, 1024 are payload.
    return metrics.mean(100 * size * 8 * (1106 / 1024) / (end * 1e-3 * LINE * 1e9)
                        for size, end in ports.values())


def row_of(result):
    """The numbers of a row."""
    flows = list(result.flows.values())
    last = max((flow["start"] + flow["fct"] for flow in flows), default=0)
    queue = result.longest_queue()
    return [utilisation(flows), metrics.jain(flow["bytes"] / flow["fct"] for flow in flows),
            result.summary["queue_peak_bytes"] / 1e3, metrics.scaled(metrics.average(queue, 0, last), 1e-3),
            result.summary["pfc_xoff_frames"],
            metrics.percentile([flow["fct"] for flow in flows], 99),
            result.summary["lossless_drops"]]


def measure(results, options):
    """By pattern and scheme: the numbers of a row."""
    return {(pattern, scheme.name): row_of(results[name_of(pattern, scheme)])
            for pattern in patterns(options) for scheme in select(SCHEMES, options.schemes)}


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "Fat-tree of k = 8 (128 hosts), 100 Gb/s, 1 us. Incast: 40 MB in all from N hosts to one, at "
        "the same time. Permutation: each host sends 4 MB to one other; ECMP decides which links "
        "carry several flows, so that no scheme reaches 100 %. Utilisation: wire bits of each "
        "receiving port until its last flow ends, mean over the ports. Queues: the longest of the "
        "fabric; its mean is over samples of 10 us. Samples: other draws of ECMP, of the permutation "
        "and of marks."])
    rows = [[pattern, BY_NAME[name].label, *numbers] for (pattern, name), numbers in measured.items()]
    evaluation.tables.append(Table("Measured", list(HEADER), rows))
    evaluation.checks = [claims.no_drops(f"{row[0]}, {row[1]}", row[-1]) for row in rows]
    return evaluation


def draw(measured, options):
    figures = []
    for name, place, title, unit in (("utilisation", 0, "Utilisation", "%"),
                                     ("queue", 3, "Mean of the longest queue", "KB")):
        quantities = {f"{pattern} ({unit})": ({
            BY_NAME[scheme].label: [sample[pattern, scheme][place] for sample in measured]
            for other, scheme in measured[0] if other == pattern}, None)
                      for pattern in patterns(options)}
        figures.append(Dots(name, title, f"{title}: medians and intervals of the samples.",
                            quantities, columns=2))
    return figures
