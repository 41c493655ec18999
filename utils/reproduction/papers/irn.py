# SPDX-License-Identifier: GPL-2.0-only
"""Revisiting Network Support for RDMA: IRN without PFC against RoCE with PFC."""

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import Scheme

TITLE = "IRN without PFC against RoCE with PFC"
SOURCE = "Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 4"
VARIANTS = (Scheme("irn", "IRN without PFC", "#1b7837", ""),
            Scheme("irn-pfc", "IRN with PFC", "#5aae61", "", style="--"),
            Scheme("irn-sacked", "IRN without PFC, SACKed not in flight", "#c2a5cf", "", style=":"),
            Scheme("roce-pfc", "RoCE with PFC", "#2166ac", ""),
            Scheme("roce", "RoCE without PFC", "#b2182b", "", style="--"))
MTU = 1024
# The BDP cap of the paper, 120 KB, in packets of 1024 bytes; SACKed packets count as in flight.
PAPER = "ns3::RdmaIrn[BdpCap=118|CountSacked=true]"
# RoCE without PFC needs the short timeout, and must not give up.
QUICK_TIMER = ("--ns3::RdmaQueuePair::RetransmitTimeout=320us",
               "--ns3::RdmaQueuePair::NackInterval=24us", "--ns3::RdmaQueuePair::RetryLimit=254")
ARGUMENTS = {
    "irn": (f"--recovery={PAPER}", "--pfc=false"),
    "irn-pfc": (f"--recovery={PAPER}", "--pfc=true"),
    "irn-sacked": ("--recovery=ns3::RdmaIrn[BdpCap=118]", "--pfc=false"),
    "roce-pfc": ("--recovery=ns3::RdmaGoBackN", "--pfc=true"),
    "roce": ("--recovery=ns3::RdmaGoBackN", "--pfc=false", *QUICK_TIMER),
}


def runs(options):
    if options.schemes:
        return []
    scale = ("--k=4", "--duration=500us") if options.quick else ("--k=6", "--duration=4ms")
    return [Run(scheme.name, "irn-paper", (*ARGUMENTS[scheme.name], *scale)) for scheme in VARIANTS]


def measure(result):
    """Mean and p99 of the completion time (ms), mean slowdown, failed flows, drops, PFC frames,
    packets beyond those needed (%)."""
    flows = list(result.flows.values())
    needed = sum(max(1, -(-flow["bytes"] // MTU)) for flow in flows)
    summary = result.summary
    times = [flow["fct"] for flow in flows]
    return {"mean": metrics.mean(times), "p99": metrics.percentile(times, 99),
            "slowdown": metrics.mean(flow["slowdown"] for flow in flows),
            "failed": summary["flows_total"] - summary["flows_completed"],
            "lossless": summary["lossless_drops"], "lossy": summary["lossy_drops"],
            "xoff": summary["pfc_xoff_frames"],
            "again": 100 * (summary["data_packets"] / needed - 1)}


def add_claims(evaluation, measured):
    irn, roce = measured["irn"], measured["roce-pfc"]
    better = claims.relative_reduction(irn["mean"], roce["mean"])
    evaluation.claims.append(claims.at_least(
        "average FCT, IRN without PFC against RoCE with PFC: less by", "abstract: 6 to 83 %", 6,
        better, "%"))
    evaluation.claims.append(claims.at_most(
        "the same, upper end", "abstract: 6 to 83 %", 83, better, "%", ordering=True))
    for key, label, unit in (("slowdown", "average slowdown", "times"), ("p99", "p99 FCT", "ms")):
        evaluation.claims.append(claims.at_most(
            f"{label}, IRN without PFC (bound: RoCE with PFC)", "section 4.2: IRN is better",
            roce[key], irn[key], unit))
    apart = 100 * (irn["mean"] / measured["irn-pfc"]["mean"] - 1)
    evaluation.claims.append(claims.at_most(
        "average FCT, IRN without PFC (bound: IRN with PFC)", "section 4.2: IRN needs no PFC",
        measured["irn-pfc"]["mean"], irn["mean"], "ms",
        reason=f"{claims.number(apart)} % apart: without PFC flows above 200 KB take longer, all others "
               "less"))
    evaluation.claims.append(claims.at_least(
        "average FCT, RoCE without PFC (bound: with PFC)", "section 4.2: RoCE needs PFC",
        roce["mean"], measured["roce"]["mean"], "ms"))


def evaluate(results, options):
    measured = {scheme.name: measure(results[scheme.name]) for scheme in VARIANTS}
    evaluation = Evaluation(notes=[
        "Fat-tree of k = 6 (54 hosts), 40 Gb/s, links of 2 us, no congestion control. Each input port "
        "has 240 KB; with PFC it sends XOFF at 220 KB and has headroom behind that. Messages: half of "
        "them 32 B to 1 KB, 15 % 200 KB to 3 MB, the rest between, uniform within each; Poisson, 70 "
        "% of the hosts' links, for 4 ms. BDP cap 118 packets, RTO_low 100 us, RTO_high 320 us, N = 3. "
        "RoCE is go-back-N without a cap; without PFC its timeout is 320 us and NAKs are repeated "
        "every 24 us."])
    add_claims(evaluation, measured)
    for scheme in VARIANTS:
        evaluation.checks.append(claims.no_drops(scheme.label, measured[scheme.name]["lossless"]))
        failed = measured[scheme.name]["failed"]
        evaluation.checks.append(claims.Check(f"flows not completed, {scheme.label}", "0",
                                              claims.number(failed), failed == 0))
    columns = ("mean", "p99", "slowdown", "again", "lossy", "xoff")
    evaluation.tables.append(Table(
        "Measured", ["", "mean FCT (ms)", "p99 FCT (ms)", "mean slowdown", "sent again (%)", "drops",
                     "XOFF frames"],
        [[scheme.label] + [claims.number(measured[scheme.name][column]) for column in columns]
         for scheme in VARIANTS]))
    # RoCE without PFC would make the others invisible.
    shown = [scheme for scheme in VARIANTS if scheme.name != "roce"]
    figure = Figure("fct", "Flow completion time", "", "ms", "Mean and p99; RoCE without PFC is in "
                    "the table.")
    figure.bars(["mean", "p99"], shown, {key: {scheme.name: measured[scheme.name][key]
                                               for scheme in shown} for key in ("mean", "p99")})
    evaluation.figures.append(figure)
    evaluation.figures.append(distribution(results))
    return evaluation


def distribution(results):
    figure = Figure("cdf", "Slowdown of all flows", "slowdown", "share of the flows",
                    "Completion time by that of the flow alone in the fabric; logarithmic.")
    for scheme in VARIANTS:
        values = sorted(flow["slowdown"] for flow in results[scheme.name].flows.values())
        figure.line(scheme, values, [(i + 1) / len(values) for i in range(len(values))])
    figure.axes.set_xscale("log")
    figure.plain_ticks("x", (1, 3, 10, 30, 100, 300))
    return figure
