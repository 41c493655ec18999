# SPDX-License-Identifier: GPL-2.0-only
"""HPCC: completion times and queues under workloads with incast, scaled to 32 hosts."""

from .. import claims, results as metrics
from ..drawing import size_name
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME, select

TITLE = "HPCC: workloads with incast, 32 hosts"
SOURCE = "Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019, section 5.3"
SCHEMES = ("dcqcn", "dcqcn-nic", "timely", "dctcp", "swift", "hpcc")
CASES = {f"{workload}-{load}": (workload, load)
         for workload in ("fb-hadoop", "websearch") for load in (0.3, 0.5)}
BASE_RTT = "9us"
SHORT = {"fb-hadoop": 7000, "websearch": 30000}  # bytes
LONG = 1000000  # bytes, and above
PARTS = 10
TICKS = (1, 3, 10, 30, 100, 300)  # of a slowdown
NONE_PAUSED = 0.1  # %
PLOTTED = "figure 11 plots all sizes; that HPCC is lower there, too, is our reading"


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    length = "1ms" if options.quick else "5ms"
    cases = {"fb-hadoop-0.5": CASES["fb-hadoop-0.5"]} if options.quick else CASES
    return [Run(f"{case}-{scheme.name}", "hpcc-paper",
                (f"--workload={workload}", f"--load={load}", f"--duration={length}",
                 *scheme.arguments(BASE_RTT), *sample.option("run")))
            for case, (workload, load) in cases.items()
            for scheme in select(SCHEMES, options.schemes)]


class Measured:
    """What is measured of one run."""

    def __init__(self, result, workload):
        flows = sorted((flow["bytes"], flow["slowdown"]) for flow in result.flows.values())
        short = [slowdown for size, slowdown in flows if size <= SHORT[workload]]
        self.count = len(flows)
        self.parts = tenths(flows)
        self.short_p50 = metrics.percentile(short, 50)
        self.short_p99 = metrics.percentile(short, 99)
        self.long_p95 = metrics.percentile([s for size, s in flows if size >= LONG], 95)
        self.all_p99 = metrics.percentile([s for _, s in flows], 99)
        self.longest = sorted(size / 1e3 for size in result.longest_queue()[1])
        self.queue_p50 = metrics.percentile(self.longest, 50)
        self.queue_p99 = metrics.percentile(self.longest, 99)
        self.paused = 100 * result.pause_fraction()
        self.drops = result.summary["lossless_drops"]


def tenths(flows):
    """[(largest size, p95 of the slowdown)] of each tenth of the flows, by size."""
    groups = min(PARTS, len(flows))
    borders = [len(flows) * i // groups for i in range(groups + 1)] if groups else []
    return [(flows[end - 1][0], metrics.percentile([s for _, s in flows[begin:end]], 95))
            for begin, end in zip(borders, borders[1:])]


def measure(results, _):
    """By case and scheme."""
    measured = {}
    for name, result in results.items():
        case = next(case for case in CASES if name.startswith(case))
        measured.setdefault(case, {})[name.removeprefix(case + "-")] = Measured(result,
                                                                                CASES[case][0])
    return measured


def where_of(case):
    return "{}, load {}".format(*CASES[case])


def evaluate(measured, _):
    evaluation = Evaluation(notes=notes())
    rows = []
    for case, schemes in measured.items():
        where = where_of(case)
        rows += [[where, BY_NAME[name].label, m.count, m.short_p50, m.short_p99, m.long_p95,
                  m.all_p99, m.queue_p50, m.queue_p99, m.paused, m.drops]
                 for name, m in schemes.items()]
        evaluation.checks += [claims.no_drops(f"{where}, {BY_NAME[name].label}", m.drops)
                              for name, m in schemes.items()]
        if "hpcc" in schemes:
            evaluation.claims += check(where, schemes)
    evaluation.tables.append(Table("Measured", [
        "case", "scheme", "flows", "short flows p50", "short flows p99", "1 MB and more, p95",
        "all p99", "longest queue p50 (KB)", "p99 (KB)", "hosts paused (%)", "drops"], rows))
    return evaluation


def check(where, measured):
    mine = measured["hpcc"]
    found = []
    for name in ("dcqcn", "timely"):
        if name in measured:
            other, label = measured[name], BY_NAME[name].label
            found += [
                claims.reduction(
                    f"p99 FCT of short flows against {label}, {where}", "section 5.3: up to 95 %", 95,
                    claims.relative_reduction(mine.short_p99, other.short_p99),
                    f"p99 slowdown of {label} {claims.number(other.short_p99)}, of HPCC "
                    f"{claims.number(mine.short_p99)}; 32 hosts and two tiers queue less than 320 "
                    "and three"),
                claims.best(
                    f"p99 of the longest queue against {label}, {where}",
                    "figure 11: near-zero queues", mine.queue_p99, [other.queue_p99], "KB",
                    "not near zero: nobody controls the first round trip of an incast", more=True),
                claims.best(
                    f"p95 slowdown of flows of 1 MB and more against {label}, {where}",
                    PLOTTED,
                    mine.long_p95, [other.long_p95], "times", "HPCC leaves 5 % of the links free, and long flows "
                    "give way to short ones")]
    if "dctcp" in measured:
        found.append(claims.best(
            f"p99 slowdown of all flows against {BY_NAME['dctcp'].label}, {where}", PLOTTED,
            mine.all_p99, [measured["dctcp"].all_p99], "times",
            "the short queue has a price for long flows"))
    found.append(claims.at_most(f"hosts paused, {where}", "figure 11: almost none; 0.1 % is ours",
                                NONE_PAUSED, mine.paused, "%",
                                reason="an incast from line rate pauses before the first feedback"))
    return found


def draw(measured, _):
    figures = []
    for case, first in measured[0].items():
        where, labels = where_of(case), {name: BY_NAME[name].label for name in first}
        fct = Figure(f"fct-{case}", f"p95 FCT slowdown by flow size, {where}",
                     "Slowdown by size, p95 of each tenth of the flows, as in figure 11 of the paper, "
                     "which gives no numbers; the first sample. Dashed: HPCC, to compare with.",
                     list(labels.values()))
        fct.labels("largest flow of each tenth", "slowdown (times)")
        queue = Figure(f"queue-{case}", f"Longest queue, {where}",
                       "Distribution of the longest queue of the fabric, samples every 10 us, of the "
                       "first sample. Dashed: HPCC.", list(labels.values()))
        queue.labels("KB", "share of samples")
        for name, label in labels.items():
            for index, m in enumerate([first[name]] + ([first["hpcc"]] if name != "hpcc" and "hpcc"
                                                       in first else [])):
                fct.line(range(len(m.parts)), [p95 for _, p95 in m.parts], label, index, marks=True,
                         markersize=2.5)
                queue.line(m.longest, [(i + 1) / len(m.longest) for i in range(len(m.longest))],
                           label, index, marker=None)
        parts = next(iter(first.values())).parts
        most = max((p95 for m in first.values() for _, p95 in m.parts), default=1)
        for axes in fct.each():
            axes.set_yscale("log")
            axes.set_ylim(1, 1.3 * most)
            axes.set_xticks(range(len(parts)), [size_name(size) for size, _ in parts], rotation=60,
                            fontsize=7)
        fct.plain_ticks("y", [tick for tick in TICKS if tick <= most])
        figures += [fct, queue]
    return [draw_dots(measured), *figures]


def draw_dots(measured):
    """What the claims are about."""
    quantities = {}
    for case, first in measured[0].items():
        for attribute, title in (("short_p99", "short flows, p99 slowdown"),
                                 ("queue_p99", "longest queue, p99 (KB)")):
            quantities[f"{title}\n{where_of(case)}"] = ({
                BY_NAME[name].label: [getattr(sample[case][name], attribute) for sample in measured]
                for name in first}, None)
    return Dots("summary", "Short flows and queues", "Medians and intervals of the samples. The paper "
                "gives no numbers but \"up to 95 % lower\" (in the figures of the claims).",
                quantities, columns=2)


def notes():
    return ["Scaled from 320 to 32 hosts: two ToRs with 16 hosts at 100 Gb/s, two spines, no "
            "oversubscription, flows for 5 ms, 16:1 incasts of 500 KB with 2 % of the capacity; 32 "
            "MB of buffer. Short flows are up to 7 KB (FB_Hadoop) or 30 KB (WebSearch). Samples have "
            "other arrivals."]
