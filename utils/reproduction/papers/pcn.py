# SPDX-License-Identifier: GPL-2.0-only
"""PCN: the burst scenario at 40 Gb/s."""

from .. import claims, results as metrics
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME, select

TITLE = "PCN: burst at 40 Gb/s"
SOURCE = ("Cheng et al., Re-architecting Congestion Management in Lossless Ethernet, NSDI 2020, "
          "sections 2 and 6; the claims are qualitative")
SCHEMES = ("dcqcn", "timely", "pcn", "none")
BURST = 20000.0  # us; by then DCQCN has given F0 and F1 their 20 Gb/s
ROUND_TRIP = 30  # us
WINDOW = 5  # ms after the burst
CUT = 8.0  # Gb/s
COLUMNS = {"f0_rate": "F0 in 5 ms from the burst (Gb/s)", "f0_fct": "F0 FCT (ms)",
           "f1_fct": "F1 FCT (ms)", "burst_mean": "burst FCT mean (ms)", "xoffs": "XOFF frames",
           "p0": "pauses of P0", "cut": "H1 below 8 Gb/s after (ms)",
           "before": "F0 in 5 ms before the burst (Gb/s)", "drops": "drops"}


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    burst = BURST + sample.phase(ROUND_TRIP)
    return [Run(scheme.name, "pcn-paper", (f"--longBytes={80 if options.quick else 100}MB",
                                           f"--burst={burst:g}us", *scheme.arguments(),
                                           *sample.option("run")))
            for scheme in select(SCHEMES, options.schemes)]


class Measured:
    """What is measured of one run; pauses and frames count from the burst on."""

    def __init__(self, result):
        self.begin = result.option("burst", BURST) / 1e3
        self.f0 = result.throughput("R0", "rx_bps")
        self.h1 = result.throughput("H1", "tx_bps")
        self.before = metrics.average(self.f0, self.begin - WINDOW, self.begin)
        self.f0_rate = metrics.average(self.f0, self.begin, self.begin + WINDOW)
        self.f0_fct, self.f1_fct = result.fct(0), result.fct(1)
        self.xoffs = sum(row["type"] == "xoff" and int(row["time_ns"]) / 1e6 >= self.begin
                         for row in result.rows("pfc.csv"))
        self.burst_mean = metrics.mean(flow["fct"] for number, flow in result.flows.items()
                                       if number > 1)
        self.p0 = sum(begin >= self.begin for begin, _ in result.pauses("S0->S1"))
        self.cut = next((time - self.begin for time, rate in zip(*self.h1)
                         if time > self.begin and rate < CUT), None)
        self.drops = result.summary["lossless_drops"]
        result.forget()


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "F0 (H0 to R0) and F1 (H1 to R1) share the port P0 of S0; 15 hosts at S1 send 16 flows of "
        "64 KB each to R1 at 20 ms, when the flows have their shares of P0 again after their start at "
        "line rate: 15.7 MB, 3.1 ms of its link. F0 is a victim: it loses what the pauses of P0 take, "
        "but should not be throttled. Links of 5 us, 5 MB of buffer. Samples: the burst is shifted "
        "over a round trip, and switches that mark at random draw anew."])
    if "pcn" in measured:
        evaluation.claims = check(measured)
    evaluation.checks = [claims.no_drops(BY_NAME[name].label, m.drops)
                         for name, m in measured.items()]
    evaluation.tables.append(Table("Measured", ["scheme", *COLUMNS.values()],
                                   [[BY_NAME[name].label, *(getattr(m, each) for each in COLUMNS)]
                                    for name, m in measured.items()]))
    return evaluation


def check(measured):
    mine = measured["pcn"]
    found = [claims.at_least("pauses of P0 in the burst, PCN", "section 2: P0 is paused repeatedly",
                             2, mine.p0, "pauses"),
             claims.at_most("H1 is cut below 8 Gb/s, PCN", "section 4: in about one round trip; 0.2 ms "
                            "is ours", 0.2, mine.cut, "ms",
                            reason="CNPs come every 50 us, and pauses hold them and the data back")]
    for name in ("dcqcn", "timely"):
        if name not in measured:
            continue
        other, label = measured[name], BY_NAME[name].label
        found += [
            claims.greatest(f"rate of F0 in 5 ms from the burst against {label}",
                            "section 6, throughput of F0: the victim is not throttled", mine.f0_rate,
                            [other.f0_rate], "Gb/s"),
            claims.best(f"FCT of F0 against {label}", "section 6: the victim is faster", mine.f0_fct,
                        [other.f0_fct], "ms"),
            claims.best(f"FCT of F1 against {label}", "section 6, throughput of F1, plotted", mine.f1_fct,
                        [other.f1_fct], "ms"),
            claims.best(f"PFC frames from the burst on against {label}", "section 6: fewer pauses",
                        mine.xoffs, [other.xoffs], "frames",
                        "most frames are caused by the first round trip of the burst, before any "
                        "scheme can act"),
            claims.best(f"mean FCT of the burst against {label}", "section 6: shorter",
                        mine.burst_mean, [other.burst_mean], "ms",
                        "the burst is limited by R1's link in all schemes")]
    return found


def draw(measured, _):
    labels = {name: BY_NAME[name].label for name in measured[0]}
    figures = []
    for name, attribute, title in (("f0", "f0", "F0, received by R0"), ("f1", "h1",
                                                                       "F1, sent by H1")):
        figure = Figure(f"throughput-{name}", title, "Throughput over time, means over 0.1 ms, the first "
                        "sample; the burst begins at 20 ms.", list(labels.values()), 2)
        figure.labels("time (ms)", "Gb/s")
        for scheme, label in labels.items():
            figure.line(*metrics.smoothed(getattr(measured[0][scheme], attribute), 0.1), label)
        figure.axes.set_xlim(15, 35)
        figure.axes.set_ylim(0, 42)
        figures.append(figure)
    shown = ("f0_rate", "f0_fct", "f1_fct", "xoffs")
    figures.append(Dots("summary", "The burst", "Medians and intervals of the samples. The paper gives "
                        "no numbers for this scenario.", {COLUMNS[each]: (
                            {label: [getattr(sample[name], each) for sample in measured]
                             for name, label in labels.items()}, None) for each in shown}, columns=2))
    return figures
