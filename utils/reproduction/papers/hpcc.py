# SPDX-License-Identifier: GPL-2.0-only
"""HPCC: completion times and queues under workloads with incast, scaled to 32 hosts."""

from .. import claims, results as metrics
from ..drawing import size_name
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME, select

TITLE = "HPCC: workloads with incast, 32 hosts"
SOURCE = "Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019, section 5.3"
SCHEMES = ("dcqcn", "dcqcn-nic", "timely", "dctcp", "swift", "hpcc")
CASES = (("fb-hadoop", 0.3), ("fb-hadoop", 0.5), ("websearch", 0.3), ("websearch", 0.5))
BASE_RTT = "9us"
SHORT = {"fb-hadoop": 7000, "websearch": 30000}  # bytes


def runs(options):
    length = "1ms" if options.quick else "5ms"
    cases = CASES[1:2] if options.quick else CASES
    return [Run(f"{workload}-{load}-{scheme.name}", "hpcc-paper",
                (f"--workload={workload}", f"--load={load}", f"--duration={length}",
                 *scheme.arguments(BASE_RTT)))
            for workload, load in cases for scheme in select(SCHEMES, options.schemes)]


class Measured:
    """What is measured of one run."""

    def __init__(self, result, workload):
        flows = result.flows.values()
        short = [flow["slowdown"] for flow in flows if flow["bytes"] <= SHORT[workload]]
        self.flows = sorted((flow["bytes"], flow["slowdown"]) for flow in flows)
        self.short_p50 = metrics.percentile(short, 50)
        self.short_p99 = metrics.percentile(short, 99)
        self.all_p99 = metrics.percentile([s for _, s in self.flows], 99)
        self.longest = sorted(result.longest_queue()[1])
        self.queue_p50 = metrics.percentile(self.longest, 50)
        self.queue_p99 = metrics.percentile(self.longest, 99)
        self.paused = 100 * result.pause_fraction()
        self.drops = result.summary["lossless_drops"]


def evaluate(results, options):
    evaluation = Evaluation(notes=notes())
    chosen = select(SCHEMES, options.schemes)
    rows = []
    for workload, load in CASES:
        measured = {scheme.name: Measured(results[f"{workload}-{load}-{scheme.name}"], workload)
                    for scheme in chosen if f"{workload}-{load}-{scheme.name}" in results}
        if not measured:
            continue
        where = f"{workload}, load {load}"
        for name, m in measured.items():
            rows.append([where, BY_NAME[name].label, len(m.flows)] + [claims.number(v) for v in (
                m.short_p50, m.short_p99, m.all_p99, metrics.scaled(m.queue_p50, 1e-3),
                metrics.scaled(m.queue_p99, 1e-3), m.paused, m.drops)])
        evaluation.checks += [claims.no_drops(f"{where}, {BY_NAME[name].label}", m.drops)
                              for name, m in measured.items()]
        if "hpcc" in measured:
            evaluation.claims += check(where, measured)
        evaluation.figures += plot(where, f"{workload}-{load}", chosen, measured)
    evaluation.tables.append(Table("Measured", ["case", "scheme", "flows", "short flows p50",
                                                "short flows p99", "all p99",
                                                "longest queue p50 (KB)", "p99 (KB)",
                                                "hosts paused (%)", "drops"], rows))
    return evaluation


def check(where, measured):
    mine = measured["hpcc"]
    found = []
    for name in ("dcqcn", "timely"):
        if name in measured:
            other, label = measured[name], BY_NAME[name].label
            reason = (f"p99 slowdown of {label} {claims.number(other.short_p99)}, of HPCC "
                      f"{claims.number(mine.short_p99)}; 32 hosts and two tiers queue less than 320 "
                      "and three")
            found.append(claims.reduction(
                f"p99 FCT of short flows against {label}, {where}", "section 5.3: up to 95 %", 95,
                claims.relative_reduction(mine.short_p99, other.short_p99), reason))
            found.append(claims.best(
                f"p99 of the longest queue against {label}, {where}",
                "figure 11: near-zero queues", metrics.scaled(mine.queue_p99, 1e-3),
                [metrics.scaled(other.queue_p99, 1e-3)], "KB",
                "not near zero: nobody controls the first round trip of an incast",
                verdict=claims.ORDERING))
    found.append(claims.at_most(f"hosts paused, {where}", "figure 11: almost none", 0.1,
                                mine.paused, "%",
                                reason="an incast from line rate pauses before the first feedback"))
    return found


def plot(where, name, chosen, measured):
    fct = Figure(f"fct-{name}", f"p95 FCT slowdown by flow size, {where}",
                 "largest flow of each tenth of all flows", "FCT / ideal FCT",
                 "Slowdown by size, p95, as in figure 11 of the paper.")
    queue = Figure(f"queue-{name}", f"Longest queue, {where}", "KB", "CDF",
                   "Distribution of the longest queue of the fabric, samples every 10 us.")
    for scheme in chosen:
        m = measured.get(scheme.name)
        if not m or not m.flows:
            continue
        groups = min(10, len(m.flows))
        borders = [len(m.flows) * i // groups for i in range(groups + 1)]
        parts = [m.flows[borders[i]:borders[i + 1]] for i in range(groups)]
        fct.line(scheme, range(groups),
                 [metrics.percentile([s for _, s in part], 95) for part in parts], marker="o",
                 markersize=3)
        fct.axes.set_xticks(range(groups))
        fct.axes.set_xticklabels([size_name(part[-1][0]) for part in parts], rotation=30)
        queue.line(scheme, [size / 1e3 for size in m.longest],
                   [(i + 1) / len(m.longest) for i in range(len(m.longest))])
    fct.axes.set_yscale("log")
    return [fct, queue]


def notes():
    return ["Scaled from 320 to 32 hosts: two ToRs with 16 hosts at 100 Gb/s, two spines, no "
            "oversubscription, flows for 5 ms, 16:1 incasts of 500 KB with 2 % of the capacity; 32 "
            "MB of buffer. Short flows are up to 7 KB (FB_Hadoop) or 30 KB (WebSearch)."]
