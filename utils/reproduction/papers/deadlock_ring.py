# SPDX-License-Identifier: GPL-2.0-only
"""The ring deadlock of H3C's white paper: detection, what switches do about it, prevention."""

import os

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import Scheme

TITLE = "Deadlock: a ring of buffers, detected, broken, prevented"
SOURCE = "H3C, Intelligent Lossless Network white paper, figure 7"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FLOWS = 16
HOSTS = 4
WATCHDOG = "ns3::PfcWatchdog[Dialect=ns3::H3cStorm|TimeScale=0.02]"  # 2 ms detection, 2 ms clear


def has_watchdog():
    """Whether this build has the watchdog."""
    return os.path.exists(os.path.join(ROOT, "model", "safety", "pfc-watchdog.h"))


def schemes():
    """What is done, by name of the run."""
    some = {
        "none": (Scheme("none", "nothing", "#777777", ""), ()),
        "drain": (Scheme("drain", "detector drains", "#e08214", ""), ("--action=Drain",)),
        "dcqcn": (Scheme("dcqcn", "DCQCN", "#92c5de", ""), ("--congestion=ns3::RdmaDcqcn",)),
        "drain-dcqcn": (Scheme("drain-dcqcn", "detector drains, DCQCN", "#762a83", ""),
                        ("--congestion=ns3::RdmaDcqcn", "--action=Drain")),
        "watchdog": (Scheme("watchdog", "H3C auto-clear", "#2166ac", ""),
                     (f"--extension={WATCHDOG}",)),
        "groups": (Scheme("groups", "port groups", "#1b7837", ""), ("--prevention=groups",)),
        "tagger": (Scheme("tagger", "Tagger", "#b2182b", "", style="--"), ("--prevention=tagger",)),
    }
    if not has_watchdog():
        del some["watchdog"]
    return some


def runs(options):
    if options.schemes:
        return []
    short = ("--stop=15ms",) if options.quick else ()
    return [Run(name, "ring-deadlock", (*short, *arguments))
            for name, (_, arguments) in schemes().items()]


def goodput(result):
    """(ms, Gb/s) that all hosts receive."""
    names = [f"H{leaf}.{i}" for leaf in range(4) for i in range(HOSTS)]
    series = [result.throughput(name, "rx_bps") for name in names]
    return series[0][0], [sum(values) for values in zip(*(s[1] for s in series))]


def paused(result):
    """(ms, ports of switches and hosts that are paused), every 0.1 ms."""
    begins, ends = [], []
    for row in result.rows("pause.csv"):
        begin = int(row["start_ns"]) / 1e6
        begins.append(begin)
        ends.append(begin + int(row["duration_ns"]) / 1e6)
    return result.samples, [sum(b <= t < e for b, e in zip(begins, ends)) for t in result.samples]


class Measured:
    """What is measured of one run."""

    def __init__(self, result):
        self.summary = result.summary
        self.deadlocks = self.summary["deadlocks"]
        self.first = self.summary["deadlock_first_ns"]
        self.completed = self.summary["flows_completed"]
        self.goodput = goodput(result)
        self.paused = paused(result)
        ends = [flow["start"] + flow["fct"] for flow in result.flows.values()]
        self.last_fct = max(ends) if len(ends) == FLOWS else None


def evaluate(results, _):
    measured = {name: Measured(result) for name, result in results.items()}
    evaluation = Evaluation(notes=[
        "Leaves L0 to L3, spines S0 and S1, 100 Gb/s, 4 hosts at each leaf; the links L2-S1 and L3-S0 "
        "have failed. L0 and L1 send to each other, and so do L2 and L3, whose traffic comes down to "
        "L0 or L1 and goes up again. 20 MB each, no congestion control, 4 MB of buffer. The detector "
        "looks every 100 us. What hosts receive after the deadlock is sent again and again, as the "
        "answers are stuck in the ring: no flow completes.",
        "The auto-clear of the white paper has a detection time of 100 ms; it runs here with all times "
        "scaled by 0.02." if has_watchdog() else
        "This build has no watchdog: the run with the auto-clear of the white paper is left out."])
    evaluation.claims = check(measured)
    evaluation.checks.append(claims.headroom([m.summary for m in measured.values()]))
    rows = [[schemes()[name][0].label] + [claims.number(v) for v in (
        m.deadlocks, m.first / 1e6 if m.first >= 0 else None, m.completed, m.last_fct,
        m.summary["lossless_drops"], m.summary["pfc_xoff_frames"])] for name, m in measured.items()]
    evaluation.tables.append(Table("Measured", [
        "what is done", "deadlocks", "first found (ms)", f"flows completed of {FLOWS}",
        "last flow completes (ms)", "lossless frames dropped", "XOFF frames"], rows))
    for key, title, ylabel in (("goodput", "Received by all hosts", "Gb/s"),
                               ("paused", "Paused ports", "ports")):
        figure = Figure(key, title, "time (ms)", ylabel, "Means over 1 ms.")
        for name, m in measured.items():
            figure.line(schemes()[name][0], *metrics.smoothed(getattr(m, key), 1.0))
        figure.axes.set_ylim(bottom=0)
        evaluation.figures.append(figure)
    return evaluation


def check(measured):
    """The claims of the white paper; all are qualitative."""
    mine = measured["none"]
    found = [claims.at_least("deadlocks, nothing done", "figure 7: the ring deadlocks", 1,
                             mine.deadlocks, "deadlocks"),
             claims.at_most("flows completed, nothing done", "figure 7: the ring stops", 0,
                            mine.completed, "flows")]
    for name in ("watchdog", "drain", "drain-dcqcn"):
        if name in measured:
            found.append(claims.at_least(
                f"flows completed, {schemes()[name][0].label}",
                "deadlock detection: the deadlock is cleared", FLOWS, measured[name].completed, "flows",
                ordering=measured[name].completed > mine.completed,
                reason="the same traffic closes the ring again and again, and each time frames are "
                       "thrown away that go-back-N sends again"))
    for name in ("groups", "tagger"):
        m = measured[name]
        label = schemes()[name][0].label
        found.append(claims.at_most(f"deadlocks, {label}", "deadlock prevention: none", 0, m.deadlocks,
                                    "deadlocks"))
        found.append(claims.at_least(f"flows completed, {label}", "deadlock prevention: all", FLOWS,
                                     m.completed, "flows"))
        found.append(claims.at_most(f"lossless frames dropped, {label}", "deadlock prevention: none", 0,
                                    m.summary["lossless_drops"], "frames"))
    return found
