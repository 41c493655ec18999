# SPDX-License-Identifier: GPL-2.0-only
"""ICC, figures 12 and 13: FB_Hadoop and WebSearch at loads of 20 to 70 %."""

import os
import re

from .. import claims, results as metrics
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import median
from ..schemes import BY_NAME, ICC_VARIANTS, by_set, select
from .icc_burst import ALTERNATIVES, BASELINES, SOURCE  # noqa: F401, SOURCE is part of the module

TITLE = "ICC: workloads (figures 12, 13)"
SCHEMES = (*BASELINES, *ALTERNATIVES, *ICC_VARIANTS)
OF_PAPER = "fb-hadoop-of-icc"  # the distribution with the shares of flows that the paper gives
WORKLOADS = {"fb-hadoop": "FB_Hadoop", OF_PAPER: "FB_Hadoop with 10 % of flows above 1 MB",
             "websearch": "WebSearch"}
FLOWS = {"fb-hadoop": 50000, OF_PAPER: 16500, "websearch": 3500}  # of about as many bytes
BASE_RTT = "33us"
LOADS = (20, 30, 40, 50, 60, 70)
CLAIMED = 50  # the load of figure 13
UNCLAIMED = ALTERNATIVES  # of no claim at other loads, where they do not run
FCT = by_set(dcqcn=2.45, timely=2.83, pcn=1.84)
PAUSES = by_set(dcqcn=47, timely=56, pcn=34)


def samples(options):
    return 3 if options.quick else 5


def loads(options, sample):
    """The load of figure 13 in all samples, the others of figure 12 in the first three."""
    return (CLAIMED,) if options.quick or sample.number >= 3 else LOADS


def flows(workload, options):
    return FLOWS[workload] // (20 if options.quick else 1)


def sizes(workload):
    """The option: a name, or a file beside this one."""
    path = os.path.join(os.path.dirname(__file__), workload + ".csv")
    return path if workload == OF_PAPER else workload


def name_of(workload, load, scheme):
    return f"{workload}-{load}-{scheme.name}"


def runs(options, sample):
    return [Run(name_of(workload, load, scheme), "icc-workload",
                (f"--workload={sizes(workload)}", f"--load={load / 100}",
                 f"--flows={flows(workload, options)}", *scheme.arguments(BASE_RTT),
                 *sample.option("run")))
            for workload in WORKLOADS for load in loads(options, sample)
            for scheme in select(SCHEMES, options.schemes)
            if load == CLAIMED or scheme.name not in UNCLAIMED]


class Measured:
    """What is measured of one run."""

    def __init__(self, results):
        flows_ = results.flows.values()
        times = [flow["fct"] for flow in flows_]
        self.mean, self.p99 = metrics.mean(times), metrics.percentile(times, 99)
        self.slowdown = metrics.mean(flow["slowdown"] for flow in flows_)
        self.most = claims.quotient(self.mean, metrics.mean(
            flow["fct"] / flow["slowdown"] for flow in flows_))
        remote = results.names["Hb"][0]
        self.hb_mean = metrics.mean(flow["fct"] for flow in flows_ if flow["src"] == remote)
        self.h_mean = metrics.mean(flow["fct"] for flow in flows_ if flow["src"] != remote)
        self.xoffs = results.summary["pfc_xoff_frames"]
        self.drops = results.summary["lossless_drops"]
        self.count = len(times)
        results.forget()


def measure(results, _):
    """By workload, load and scheme."""
    measured = {}
    for name, result in results.items():
        workload = next(w for w in WORKLOADS if re.match(rf"{w}-\d", name))
        load, _, scheme = name.removeprefix(workload + "-").partition("-")
        measured.setdefault(workload, {}).setdefault(int(load), {})[scheme] = Measured(result)
    return measured


def evaluate(measured, options):
    evaluation = Evaluation(notes=notes(options))
    for workload, by_load in measured.items():
        evaluation.checks += [
            claims.no_drops(f"{WORKLOADS[workload]} at {load} % load, {BY_NAME[name].label}", m.drops)
            for load, at in by_load.items() for name, m in at.items()]
        for variant in ICC_VARIANTS:
            if variant in by_load[CLAIMED]:
                where = f"{BY_NAME[variant].label}, {WORKLOADS[workload]}"
                of_paper = evaluation.claims if variant == "icc" else evaluation.others
                of_paper += check(variant, where, by_load)
                of_paper += compare(variant, where, by_load[CLAIMED], BASELINES)
                evaluation.others += compare(variant, where, by_load[CLAIMED], ALTERNATIVES)
        evaluation.tables.append(summarise(workload, by_load))
    return evaluation


def check(variant, where, by_load):
    """Claims about orders."""
    found = []
    for load, measured in by_load.items():
        others = [measured[name] for name in BASELINES if name in measured]
        if others:
            found.append(claims.best(
                f"mean FCT at {load} % load, {where}", "figure 12: ICC lowest",
                measured[variant].mean, [each.mean for each in others], "ms",
                "without standing queues most flows end within one round trip, which no scheme can "
                "shorten"))
    measured = by_load[CLAIMED]
    others = [measured[name] for name in BASELINES if name in measured]
    for attribute, title in (("p99", "p99 FCT"), ("h_mean", "mean FCT of flows from H1..H16"),
                             ("hb_mean", "mean FCT of flows from Hb")) if others else ():
        found.append(claims.best(
            f"{title} at 50 % load, {where}", "figure 13: ICC lowest, regardless of host type",
            getattr(measured[variant], attribute), [getattr(each, attribute) for each in others],
            "ms", "long flows decide it, and ICC holds them back longer than the others do"))
    return found


def compare(variant, where, measured, names):
    """The claims with a number for each of the others."""
    found = []
    for name in names:
        if name not in measured:
            continue
        mine, other, label = measured[variant], measured[name], BY_NAME[name].label
        reason = (f"{label} {claims.number(other.mean)} ms and {other.xoffs} XOFF frames, ICC "
                  f"{claims.number(mine.mean)} ms and {mine.xoffs}; no scheme can be more than "
                  f"{claims.number(other.most)} times as fast as {label}: flows alone")
        found += [claims.ratio(f"mean FCT at 50 % load, {label} over {where}", "figure 13",
                               FCT[name], claims.quotient(other.mean, mine.mean), reason),
                  claims.reduction(f"PFC pauses at 50 % load against {label}, {where}",
                                   "section 5.2", PAUSES[name],
                                   claims.relative_reduction(mine.xoffs, other.xoffs), reason)]
    return found


def summarise(workload, by_load):
    rows = [[f"{load} %", BY_NAME[name].label, m.count, m.mean, m.most, m.p99, m.slowdown, m.h_mean,
             m.hb_mean, m.xoffs, m.drops]
            for load, measured in by_load.items() for name, m in measured.items()]
    return Table(f"Measured, {WORKLOADS[workload]}", [
        "load", "scheme", "flows", "FCT mean (ms)", "times as fast at most", "p99 (ms)", "slowdown mean",
        "mean of H1..H16 (ms)", "mean of Hb (ms)", "XOFF frames", "drops"], rows)


def column(measured, workload, load, name, attribute):
    """The values of all samples that have the load and the scheme."""
    return [getattr(sample[workload][load][name], attribute) for sample in measured
            if name in sample[workload].get(load, {})]


def conclude(evaluation, measured, _):
    """Medians by load, and where ICC has more pauses than what it is compared with."""
    for workload, by_load in measured[0].items():
        for attribute, title, factor in (("mean", "Mean FCT (us)", 1e3), ("xoffs", "XOFF frames", 1)):
            evaluation.tables.append(Table(f"{title}, {WORKLOADS[workload]}", [
                "scheme", *(f"{load} %" for load in by_load)], [
                [BY_NAME[name].label, *(claims.number(factor * median(values)) if (values := column(
                    measured, workload, load, name, attribute)) else "" for load in by_load)]
                for name in by_load[CLAIMED]]))
        found = []
        for load, schemes in by_load.items():
            frames = {name: median(column(measured, workload, load, name, "xoffs"))
                      for name in schemes}
            found += [f"{BY_NAME[variant].label} {claims.number(frames[variant])} and "
                      f"{BY_NAME[name].label} {claims.number(frames[name])} at {load} %"
                      for variant in ICC_VARIANTS for name in BASELINES
                      if variant in frames and name in frames and frames[variant] >= frames[name]]
        if found:
            evaluation.notes.append(f"{WORKLOADS[workload]}, where ICC does not save PFC frames "
                                    f"(medians): {'; '.join(found)}.")


def draw(measured, _):
    figures = []
    for workload, by_load in measured[0].items():
        title = WORKLOADS[workload]
        labels = {name: BY_NAME[name].label for name in by_load[CLAIMED]}
        if len(by_load) > 1:
            figures.append(draw_loads(measured, workload, by_load, labels))

        def at(attribute):
            return {label: column(measured, workload, CLAIMED, name, attribute)
                    for name, label in labels.items()}  # pylint: disable=cell-var-from-loop

        quantities = {"mean FCT (ms)": (at("mean"), None), "p99 FCT (ms)": (at("p99"), None),
                      "XOFF frames": (at("xoffs"), None)}
        if "icc" in labels and any(name in labels for name in FCT):
            mine = at("mean")[labels["icc"]]
            quantities[f"mean FCT / that of {labels['icc']} (times)"] = (
                {labels[name]: [o / m for o, m in zip(at("mean")[labels[name]], mine)]
                 for name in FCT if name in labels},
                {labels[name]: FCT[name] for name in FCT if name in labels})
        figures.append(Dots(
            f"figure-13-{workload}", f"Load 50 %, {title}",
            "Figure 13 and section 5.2: medians and intervals of the samples. Diamonds: published, as "
            "ratios only.", quantities, columns=2))
    return figures


def draw_loads(measured, workload, by_load, labels):
    """Mean FCT against the load, a panel for each scheme."""
    figure = Figure(f"figure-12-{workload}", f"Mean FCT, {WORKLOADS[workload]}",
                    "Figure 12: mean completion time by load, medians of the samples. The paper gives "
                    "no numbers for this figure but ICC lowest; dashed: ICC, to compare with.",
                    list(labels.values()), 4)
    figure.labels("load (%)", "ms")

    def medians(name):
        """Loads that the scheme has, and its medians there."""
        return zip(*((load, median(values)) for load in by_load
                     if (values := column(measured, workload, load, name, "mean"))))

    for name, label in labels.items():
        figure.line(*medians(name), label, marks=True)
        if "icc" in labels and name != "icc":
            figure.line(*medians("icc"), label, index=1, marker=None)
    figure.axes.set_ylim(bottom=0)
    return figure


def notes(options):
    counts = ", ".join(f"{name} {flows(each, options)} flows" for each, name in WORKLOADS.items())
    return [
        f"{counts}: about as many bytes. Link delay 5.4 us, exponential gaps, senders H1..H16 and Hb, "
        "receivers R0..R2 at random. Samples have other arrivals; loads other than 50 % have three.",
        "FB_Hadoop is the public distribution, in which 2.5 % of the flows, with 69 % of the bytes, are "
        "above 1 MB. The paper says 10 % of the flows and almost all bytes. The second reading is the "
        "public distribution with 10 % of the flows above 1 MB, which have 90 % of the bytes; the others "
        "are 90 % of the flows with 10 % of the bytes, as the paper says (over 80 % and below 10 %).",
        f"Baselines: {', '.join(BY_NAME[name].label for name in BASELINES)}, as in the burst: one set "
        "each for all figures of the paper. Claims under the other sets are listed apart.",
        "Load: share of the port P0 that 16 of the 17 senders have in common. As a share of the "
        "receivers' links P0 would be overloaded from 35 % on, and completion times would be those "
        "of a queue that never ends (--loadOf=receivers does that)."]
