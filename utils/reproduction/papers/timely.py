# SPDX-License-Identifier: GPL-2.0-only
"""TIMELY and its patch: two flows that begin at 7 and 3 Gb/s."""

from .. import claims, results as metrics
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "TIMELY: two flows, original and patched"
SOURCE = ("Zhu et al., ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016, "
          "sections 4 and 5")
TYPES = {"timely": "ns3::RdmaTimely", "patched-timely": "ns3::RdmaPatchedTimely"}
LABELS = {"timely": "TIMELY", "patched-timely": "patched TIMELY"}
ROUND_TRIP = 16  # us
FAIR, QUEUE = 5.0, 78.125  # Gb/s, KB


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    stop = 50 if options.quick else 300
    phase = (f"--phase={1e3 * sample.phase(ROUND_TRIP):.0f}ns",) if sample.number else ()
    return [Run(name, "timely-paper", (f"--congestion={kind}", f"--stop={stop}ms",
                                       "--ns3::RdmaQueuePair::AckClass=6", *phase))
            for name, kind in TYPES.items() if not options.schemes or name in options.schemes]


class Measured:
    """What is measured of one run; means over its second half."""

    def __init__(self, result):
        self.rates = {host: result.throughput(host, "tx_bps") for host in ("H1", "H2")}
        queue = result.queue_of("S0->R")
        end = max(queue[0], default=0)
        self.one, self.two = (metrics.average(series, end / 2, end)
                              for series in self.rates.values())
        self.queue = metrics.scaled(metrics.average(queue, end / 2, end), 1e-3)
        self.jain = None if None in (self.one, self.two) else metrics.jain((self.one, self.two))


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "Ports of 10 Gb/s, links of 4 us, flows that begin at 7 and 3 Gb/s. TIMELY has infinitely "
        "many fixed points: what it converges to depends on where it begins. The patch has one: "
        "equal rates, and a queue of N delta q' / (b C) + q' = 78 KB for two flows. Samples: the "
        "second flow begins later, by up to a round trip."])
    for name, m in measured.items():
        if name == "timely":
            evaluation.claims.append(claims.at_most(
                "fairness of two flows, TIMELY", "section 4: need not converge; 0.98 is ours", 0.98,
                m.jain, "Jain's index", reason="no fixed point of its own; packets, not a fluid, drift"))
        else:
            evaluation.claims += [claims.value(
                f"rate of the {host} flow, patched TIMELY", "section 5: fair", FAIR, rate, "Gb/s",
                tolerance=0.1) for host, rate in (("first", m.one), ("second", m.two))]
            evaluation.claims.append(claims.value(
                "queue, patched TIMELY", "section 5: fixed point", QUEUE, m.queue, "KB",
                reason="the sample contains more than the queue: base round trip, serialisation"))
    evaluation.tables.append(Table("Second half of the runs", [
        "scheme", "first flow (Gb/s)", "second flow (Gb/s)", "queue (KB)"],
                                   [[LABELS[name], m.one, m.two, m.queue]
                                    for name, m in measured.items()]))
    return evaluation


def draw(measured, _):
    labels = {name: LABELS[name] for name in measured[0]}
    figure = Figure("rates", "Rates of two flows", "Means over 1 ms, the first sample. Diamonds: "
                    "published for patched TIMELY, equal rates.", list(labels.values()), 2, 2.2)
    figure.labels("time (ms)", "Gb/s")
    for name, label in labels.items():
        rates = measured[0][name].rates
        for index, (series, flow) in enumerate(zip(rates.values(), ("first flow", "second flow"))):
            figure.line(*metrics.smoothed(series, 1.0), label, index, flow)
        if name == "patched-timely":
            figure.published([max(rates["H1"][0])], [FAIR], label)
    figure.axes.set_ylim(0, 10.5)

    def column(attribute):
        return {label: [getattr(sample[name], attribute) for sample in measured]
                for name, label in labels.items()}

    fair = {LABELS["patched-timely"]: FAIR}
    return [figure, Dots("summary", "Second half of the runs", "Medians and intervals of the samples. "
                         "Diamonds: published, the fixed point of the patch.",
                         {"first flow (Gb/s)": (column("one"), fair),
                          "second flow (Gb/s)": (column("two"), fair),
                          "queue (KB)": (column("queue"), {LABELS["patched-timely"]: QUEUE})})]
