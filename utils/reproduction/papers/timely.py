# SPDX-License-Identifier: GPL-2.0-only
"""TIMELY and its patch: two flows that begin at 7 and 3 Gb/s."""

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import Scheme

TITLE = "TIMELY: two flows, original and patched"
SOURCE = ("Zhu et al., ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016, "
          "sections 4 and 5")
TYPES = {"timely": "ns3::RdmaTimely", "patched-timely": "ns3::RdmaPatchedTimely"}
LABELS = {"timely": "TIMELY", "patched-timely": "patched TIMELY"}


def runs(options):
    stop = 50 if options.quick else 300
    return [Run(name, "timely-paper", (f"--congestion={kind}", f"--stop={stop}ms",
                                       "--ns3::RdmaQueuePair::AckClass=6"))
            for name, kind in TYPES.items() if not options.schemes or name in options.schemes]


def evaluate(results, _):
    evaluation = Evaluation(notes=[
        "Ports of 10 Gb/s, links of 4 us, flows that begin at 7 and 3 Gb/s. TIMELY has infinitely "
        "many fixed points: what it converges to depends on where it begins. The patch has one: "
        "equal rates, and a queue of N delta q' / (b C) + q' = 78 KB for two flows."])
    rows = []
    for name, result in results.items():
        rates = {host: result.throughput(host, "tx_bps") for host in ("H1", "H2")}
        queue = result.queue_of("S0->R")
        end = max(queue[0], default=0)
        one, two = (metrics.average(rates[host], end / 2, end) for host in ("H1", "H2"))
        size = metrics.scaled(metrics.average(queue, end / 2, end), 1e-3)
        rows.append([LABELS[name]] + [claims.number(v) for v in (one, two, size)])
        fairness = None if None in (one, two) else metrics.jain((one, two))
        if name == "timely":
            evaluation.claims.append(claims.at_most(
                "fairness of two flows, TIMELY", "section 4: need not converge", 0.98, fairness,
                "Jain's index", reason="no fixed point of its own; packets, not a fluid, drift"))
        else:
            for host, rate in (("first", one), ("second", two)):
                evaluation.claims.append(claims.value(
                    f"rate of the {host} flow, patched TIMELY", "section 5: fair", 5.0, rate,
                    "Gb/s", tolerance=0.1))
            evaluation.claims.append(claims.value(
                "queue, patched TIMELY", "section 5: fixed point", 78.125, size, "KB",
                reason="the sample contains more than the queue: base round trip, serialisation"))
        figure = Figure(name, f"Rates of two flows, {LABELS[name]}", "time (ms)", "Gb/s",
                        "Rates over time, means over 1 ms.")
        for host, colour in (("H1", "#2166ac"), ("H2", "#b2182b")):
            figure.line(Scheme(host, host, colour, ""), *metrics.smoothed(rates[host], 1.0))
        figure.axes.set_ylim(0, 10.5)
        evaluation.figures.append(figure)
    evaluation.tables.append(Table("Second half of the runs", ["scheme", "first flow (Gb/s)",
                                                               "second flow (Gb/s)", "queue (KB)"],
                                   rows))
    return evaluation
