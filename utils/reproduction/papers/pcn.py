# SPDX-License-Identifier: GPL-2.0-only
"""PCN: the burst scenario at 40 Gb/s."""

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME, Scheme, select

TITLE = "PCN: burst at 40 Gb/s"
SOURCE = ("Cheng et al., Re-architecting Congestion Management in Lossless Ethernet, NSDI 2020, "
          "sections 2 and 6; the claims are qualitative")
SCHEMES = ("dcqcn", "timely", "pcn", "none")
BURST = 1.0  # ms


def runs(options):
    short = ("--longBytes=20MB",) if options.quick else ()
    return [Run(scheme.name, "pcn-paper", (*short, *scheme.arguments()))
            for scheme in select(SCHEMES, options.schemes)]


class Measured:
    """What is measured of one run."""

    def __init__(self, result):
        self.f0 = result.throughput("R0", "rx_bps")
        self.h1 = result.throughput("H1", "tx_bps")
        self.f0_rate = metrics.average(self.f0, BURST, BURST + 5)
        self.f0_fct, self.f1_fct = result.fct(0), result.fct(1)
        self.xoffs = result.summary["pfc_xoff_frames"]
        bursts = [flow["fct"] for number, flow in result.flows.items() if number > 1]
        self.burst_mean = metrics.mean(bursts)
        self.p0 = len(result.pauses("S0->S1"))
        self.cut = next((time - BURST for time, rate in zip(*self.h1)
                         if time > BURST and rate < 8), None)
        self.drops = result.summary["lossless_drops"]


def evaluate(results, options):
    chosen = select(SCHEMES, options.schemes)
    measured = {scheme.name: Measured(results[scheme.name]) for scheme in chosen}
    evaluation = Evaluation(notes=[
        "F0 (H0 to R0) and F1 (H1 to R1) share the port P0 of S0; 15 hosts at S1 send 16 flows of "
        "64 KB each to R1 at 1 ms: 15.7 MB, 3.1 ms of its link. F0 is a victim: it loses what the "
        "pauses of P0 take, but should not be throttled. Links of 5 us, 5 MB of buffer."])
    if "pcn" in measured:
        evaluation.claims = check(measured)
    evaluation.checks = [claims.no_drops(BY_NAME[name].label, m.drops)
                         for name, m in measured.items()]
    rows = [[BY_NAME[name].label] + [claims.number(v) for v in (
        m.f0_rate, m.f0_fct, m.f1_fct, m.burst_mean, m.xoffs, m.p0, m.cut, m.drops)]
            for name, m in measured.items()]
    evaluation.tables.append(Table("Measured", [
        "scheme", "F0 in 5 ms from the burst (Gb/s)", "F0 FCT (ms)", "F1 FCT (ms)",
        "burst FCT mean (ms)", "XOFF frames", "pauses of P0", "H1 below 8 Gb/s after (ms)",
        "drops"], rows))
    for name, attribute, title in (("f0", "f0", "F0, received by R0"), ("f1", "h1",
                                                                       "F1, sent by H1")):
        figure = Figure(f"throughput-{name}", title, "time (ms)", "Gb/s",
                        "Throughput over time, means over 0.1 ms; the burst begins at 1 ms.")
        for scheme in chosen:
            figure.line(Scheme(scheme.name, scheme.label, scheme.colour, ""),
                        *metrics.smoothed(getattr(measured[scheme.name], attribute), 0.1))
        figure.axes.set_xlim(0, 12)
        figure.axes.set_ylim(0, 42)
        evaluation.figures.append(figure)
    return evaluation


def check(measured):
    mine = measured["pcn"]
    found = [claims.at_least("pauses of P0 in the burst, PCN", "section 2: P0 is paused repeatedly",
                             2, mine.p0, "pauses"),
             claims.at_most("H1 is cut below 8 Gb/s, PCN", "section 4: in about one round trip", 0.2,
                            mine.cut, "ms",
                            reason="CNPs come every 50 us, and pauses hold them and the data back")]
    for name in ("dcqcn", "timely"):
        if name not in measured:
            continue
        other, label = measured[name], BY_NAME[name].label
        found.append(claims.best(f"FCT of F0 against {label}", "section 6: the victim is faster",
                                 mine.f0_fct, [other.f0_fct], "ms"))
        found.append(claims.best(f"PFC frames against {label}", "section 6: fewer pauses",
                                 mine.xoffs, [other.xoffs], "frames",
                                 "the other has cut F0 and F1 before the burst and does not bring them "
                                 "back, so that less meets the burst at S1"))
        found.append(claims.best(f"mean FCT of the burst against {label}", "section 6: shorter",
                                 mine.burst_mean, [other.burst_mean], "ms",
                                 "the burst is limited by R1's link in all schemes"))
    return found
