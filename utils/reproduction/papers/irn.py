# SPDX-License-Identifier: GPL-2.0-only
"""Revisiting Network Support for RDMA: IRN without PFC against RoCE with PFC."""

from .. import claims, results as metrics
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "IRN without PFC against RoCE with PFC"
SOURCE = "Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 4"
LABELS = {"irn": "IRN without PFC", "irn-pfc": "IRN with PFC",
          "irn-sacked": "IRN without PFC, SACKed not in flight", "roce-pfc": "RoCE with PFC",
          "roce": "RoCE without PFC"}
MTU = 1024
# The BDP cap of the paper, 120 KB, in packets of 1024 bytes; SACKed packets count as in flight.
PAPER = "ns3::RdmaIrn[BdpCap=118|CountSacked=true]"
# RoCE without PFC needs the short timeout, and must not give up.
QUICK_TIMER = ("--ns3::RdmaQueuePair::RetransmitTimeout=320us",
               "--ns3::RdmaQueuePair::NackInterval=24us", "--ns3::RdmaQueuePair::RetryLimit=254")
ARGUMENTS = {
    "irn": (f"--recovery={PAPER}", "--pfc=false"),
    "irn-pfc": (f"--recovery={PAPER}", "--pfc=true"),
    "irn-sacked": ("--recovery=ns3::RdmaIrn[BdpCap=118|CountSacked=false]", "--pfc=false"),
    "roce-pfc": ("--recovery=ns3::RdmaGoBackN", "--pfc=true"),
    "roce": ("--recovery=ns3::RdmaGoBackN", "--pfc=false", *QUICK_TIMER),
}
SLOW = "roce"  # it collapses, and takes most of the time; in the first samples only
SLOW_SAMPLES = 3
METRICS = {"mean": ("average FCT", "ms"), "slowdown": ("average slowdown", "times"),
           "p99": ("p99 FCT", "ms")}


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    if options.schemes:
        return []
    scale = ("--k=4", "--duration=500us") if options.quick else ("--k=6", "--duration=4ms")
    return [Run(name, "irn-paper", (*arguments, *scale, *sample.option("run")))
            for name, arguments in ARGUMENTS.items()
            if name != SLOW or sample.number < SLOW_SAMPLES]


class Measured:
    """What is measured of one run."""

    def __init__(self, result):
        flows = list(result.flows.values())
        needed = sum(max(1, -(-flow["bytes"] // MTU)) for flow in flows)
        times = [flow["fct"] for flow in flows]
        self.mean, self.p99 = metrics.mean(times), metrics.percentile(times, 99)
        self.slowdowns = sorted(flow["slowdown"] for flow in flows)
        self.slowdown = metrics.mean(self.slowdowns)
        summary = result.summary
        self.failed = summary["flows_total"] - summary["flows_completed"]
        self.lossless, self.lossy = summary["lossless_drops"], summary["lossy_drops"]
        self.xoffs = summary["pfc_xoff_frames"]
        self.again = 100 * (summary["data_packets"] / needed - 1)  # % beyond those needed
        result.forget()


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def add_claims(evaluation, measured):
    irn, roce = measured["irn"], measured["roce-pfc"]
    better = claims.relative_reduction(irn.mean, roce.mean)
    evaluation.claims.append(claims.at_least(
        "average FCT, IRN without PFC against RoCE with PFC: less by", "abstract: 6 to 83 %", 6,
        better, "%", better, True))
    evaluation.claims.append(claims.at_most(
        "the same, upper end", "abstract: 6 to 83 %", 83, better, "%"))
    for key, (title, unit) in METRICS.items():
        mine = getattr(irn, key)
        if key != "mean":
            evaluation.claims.append(claims.best(
                f"{title}, IRN without PFC against RoCE with PFC", "section 4.2: IRN is better", mine,
                [getattr(roce, key)], unit))
        with_pfc = getattr(measured["irn-pfc"], key)
        apart = None if None in (mine, with_pfc) else 100 * (mine / with_pfc - 1)
        evaluation.claims.append(claims.at_most(
            f"{title}, IRN without PFC against IRN with PFC: more by", "section 4.2: IRN needs no PFC, "
            "no more than with it", 0, apart, "%",
            reason="without PFC flows above 200 KB take longer, all others less"))
        if SLOW in measured:
            evaluation.claims.append(claims.best(
                f"{title}, RoCE with PFC against RoCE without", "section 4.2: RoCE needs PFC",
                getattr(roce, key), [getattr(measured[SLOW], key)], unit))


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "Fat-tree of k = 6 (54 hosts), 40 Gb/s, links of 2 us, no congestion control. Each input port "
        "has 240 KB; with PFC it sends XOFF at 220 KB and has headroom behind that. Messages: half of "
        "them 32 B to 1 KB, 15 % 200 KB to 3 MB, the rest between, uniform within each; Poisson, 70 "
        "% of the hosts' links, for 4 ms. BDP cap 118 packets, RTO_low 100 us, RTO_high 320 us, N = 3. "
        "RoCE is go-back-N without a cap; without PFC its timeout is 320 us and NAKs are repeated "
        "every 24 us. Samples have other arrivals; RoCE without PFC, which takes most of the time, has "
        f"{SLOW_SAMPLES}."])
    add_claims(evaluation, measured)
    for name, m in measured.items():
        evaluation.checks += [claims.no_drops(LABELS[name], m.lossless),
                              claims.Check(f"flows not completed, {LABELS[name]}", "0",
                                           claims.number(m.failed), m.failed == 0)]
    evaluation.tables.append(Table(
        "Measured", ["variant", "mean FCT (ms)", "p99 FCT (ms)", "mean slowdown", "sent again (%)",
                     "drops", "XOFF frames"],
        [[LABELS[name], m.mean, m.p99, m.slowdown, m.again, m.lossy, m.xoffs]
         for name, m in measured.items()]))
    return evaluation


def draw(measured, _):
    # RoCE without PFC would make the others invisible.
    shown = {name: label for name, label in LABELS.items() if name != SLOW}
    dots = Dots("fct", "Flow completion times", "Medians and intervals of the samples; RoCE without PFC "
                "is in the table. The paper gives no numbers for these but \"6 to 83 %\" (in the figure "
                "of the claims).", {
                    f"{title} ({unit})": ({label: [getattr(sample[name], key) for sample in measured]
                                           for name, label in shown.items()}, None)
                    for key, (title, unit) in METRICS.items()}, columns=3)
    figure = Figure("cdf", "Slowdown of all flows", "Completion time by that of the flow alone in the "
                    "fabric; logarithmic; the first sample.")
    figure.labels("slowdown (times)", "share of the flows")
    for index, (name, label) in enumerate(LABELS.items()):
        values = measured[0][name].slowdowns
        figure.line(values, [(i + 1) / len(values) for i in range(len(values))], "", index, label)
    figure.axes.set_xscale("log")
    figure.plain_ticks("x", (1, 3, 10, 30, 100, 300))
    return [dots, figure]
