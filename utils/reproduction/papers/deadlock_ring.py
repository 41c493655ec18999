# SPDX-License-Identifier: GPL-2.0-only
"""The ring deadlock of H3C's white paper: detection, what switches do about it, prevention."""

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "Deadlock: a ring of buffers, detected, broken, prevented"
SOURCE = "H3C, Intelligent Lossless Network white paper, figure 7"
FLOWS = 16
HOSTS = 4
DETECTION, CLEARING = 2.0, 2.0  # ms: 100 ms each, scaled by 0.02
CLEARED = ("discard", "forward")  # runs with the auto-clear; it does that with frames meanwhile


def watchdog(attributes):
    """Arguments of the auto-clear."""
    return (f"--extension=ns3::PfcWatchdog[Dialect=ns3::H3cStorm|TimeScale=0.02|{attributes}]",)


SCHEMES = {
    "none": ("nothing", ()),
    "drain": ("detector drains", ("--action=Drain",)),
    "dcqcn": ("DCQCN", ("--congestion=ns3::RdmaDcqcn",)),
    "drain-dcqcn": ("detector drains, DCQCN", ("--congestion=ns3::RdmaDcqcn", "--action=Drain")),
    "discard": ("H3C auto-clear, discard", watchdog("Action=Drop")),
    "forward": ("H3C auto-clear, forward", watchdog("Action=Forward")),
    "limit": ("discard, limit of 3", watchdog("Action=Drop|Limit=3")),
    "groups": ("port groups", ("--prevention=groups",)),
    "tagger": ("Tagger", ("--prevention=tagger",)),
}


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    """ECMP draws anew: which spine flows between L0 and L1 take."""
    if options.schemes:
        return []
    short = ("--stop=15ms",) if options.quick else ()
    return [Run(name, "ring-deadlock", (*short, *arguments, *sample.option("ecmpDraw", 0)))
            for name, (_, arguments) in SCHEMES.items()]


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


def longest(result):
    """ms that the longest deadlock lasted after it was found; at the end of the run it is cut off."""
    end = max(result.samples)
    return max(((int(row["end_ns"]) / 1e6 if row["end_ns"] else end) - int(row["time_ns"]) / 1e6
                for row in result.rows("deadlock.csv")), default=None)


def timers(result):
    """(ms that queues were paused when a storm was found, ms that storms lasted), sorted."""
    paused, detection, clearing, begun = {}, [], [], {}
    for row in result.rows("pause.csv"):
        paused.setdefault((row["node"], row["port"], row["class"]), []).append(int(row["start_ns"]))
    for row in result.rows("watchdog.csv"):
        queue, time = (row["node"], row["port"], row["class"]), int(row["time_ns"])
        if row["to"] == "stormed":
            begun[queue] = time
            since = max((start for start in paused.get(queue, []) if start < time), default=0)
            detection.append((time - since) / 1e6)
        elif queue in begun:
            clearing.append((time - begun.pop(queue)) / 1e6)
    return sorted(detection), sorted(clearing)


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
        self.longest = longest(result) if self.deadlocks else None
        self.timers = timers(result) if "watchdog_storms" in self.summary else ([], [])


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "Leaves L0 to L3, spines S0 and S1, 100 Gb/s, 4 hosts at each leaf; the links L2-S1 and L3-S0 "
        "have failed. L0 and L1 send to each other, and so do L2 and L3, whose traffic comes down to "
        "L0 or L1 and goes up again. 20 MB each, no congestion control, 4 MB of buffer. The detector "
        "looks every 100 us. What hosts receive after the deadlock is sent again and again, as the "
        "answers are stuck in the ring: no flow completes.",
        "The auto-clear of the white paper has timers, for which our defaults are 100 ms; all run here "
        "scaled by 0.02: a queue that is paused for 2 ms is cleared for 2 ms, in which its port obeys "
        "no PAUSE and drops what is queued (discard) or sends it (forward), although its peer may "
        "have no room for it. Then PFC and detection are on again. With a limit of 3, the third "
        "time disables PFC of the queue until an administrator restores it. Samples: other draws of "
        "ECMP."])
    evaluation.claims = check(measured)
    # Who ignores PAUSE runs over the headroom of its peer: those drops are in the table.
    ignoring = ("forward", "limit")
    evaluation.checks.append(claims.headroom([m.summary for name, m in measured.items()
                                              if name not in ignoring]))
    evaluation.checks += [check for name in CLEARED
                          for check in check_timers(SCHEMES[name][0], measured[name].timers)]
    evaluation.checks += [claims.Check(
        f"longest deadlock, {SCHEMES[name][0]}",
        f"<= {claims.number(DETECTION + CLEARING)} ms, its two timers",
        f"{claims.number(measured[name].longest)} ms",
        measured[name].longest is not None and measured[name].longest <= DETECTION + CLEARING)
                          for name in CLEARED]
    rows = [[SCHEMES[name][0], *(
        m.deadlocks, m.first / 1e6 if m.first >= 0 else None, m.completed, m.last_fct,
        m.summary["lossless_drops"], m.summary["headroom_drops"], m.summary["pfc_xoff_frames"],
        m.summary.get("watchdog_storms", 0), m.longest)] for name, m in measured.items()]
    evaluation.tables.append(Table("Measured", [
        "what is done", "deadlocks", "first found (ms)", f"flows completed of {FLOWS}",
        "last flow completes (ms)", "lossless frames dropped", "of these for lack of headroom",
        "XOFF frames", "times that the auto-clear began", "longest deadlock (ms)"], rows))
    return evaluation


def draw(measured, _):
    figures = []
    for key, title, unit, caption in (
            ("goodput", "Received by all hosts", "Gb/s",
             "Means over 1 ms; what is sent again and received again counts again."),
            ("paused", "Paused (port, class) pairs", "pairs", "Of switches and hosts; means over 1 ms.")):
        figure = Figure(key, title, caption + " The first sample; a line ends with its last flow. Figure "
                        "7 of the white paper has no numbers.", [SCHEMES[name][0] for name in measured[0]])
        figure.labels("time (ms)", unit)
        for name, m in measured[0].items():
            figure.line(*metrics.smoothed(getattr(m, key), 1.0), SCHEMES[name][0])
        figure.axes.set_ylim(bottom=0)
        figures.append(figure)
    return figures


def check_timers(label, found):
    """Whether the auto-clear keeps its timers."""
    return [claims.Check(f"{what}, {label}", f"{claims.number(timer)} ms, each time",
                         f"{claims.number(times[0])} to {claims.number(times[-1])} ms, {len(times)} times" if times
                         else "none",
                         bool(times) and all(abs(time - timer) < 1e-6 for time in times))
            for what, timer, times in zip(("paused before it is cleared", "cleared"),
                                          (DETECTION, CLEARING), found)]


def check(measured):
    """The claims of the white paper; all are qualitative."""
    mine = measured["none"]
    found = [claims.at_least("deadlocks, nothing done", "figure 7: the ring deadlocks", 1,
                             mine.deadlocks, "deadlocks"),
             claims.at_most("flows completed, nothing done", "figure 7: the ring stops", 0,
                            mine.completed, "flows")]
    for name in CLEARED:
        m, label = measured[name], SCHEMES[name][0]
        found += [
            claims.at_least(f"deadlocks ended, {label}",
                            "deadlock detection: automatic clearing ends a deadlock", 1,
                            m.deadlocks - m.summary["deadlocks_open"], "deadlocks"),
            claims.at_least(f"deadlocks after the first, {label}",
                            "deadlock detection: it is on again after the clearing, and finds a cause "
                            "that persists", 1, m.deadlocks - 1, "deadlocks")]
    found.append(claims.at_least(
        "queues disabled, limit of 3", "deadlock detection: at the limit PFC of the queue is disabled",
        1, measured["limit"].summary["watchdog_disabled"], "queues"))
    for name in (*CLEARED, "drain", "drain-dcqcn"):
        found.append(claims.at_least(
            f"flows completed, {SCHEMES[name][0]}",
            "deadlock detection: the deadlock is cleared; that all flows then complete is our reading",
            FLOWS, measured[name].completed, "flows",
            margin=measured[name].completed - mine.completed, ordered=True,
            reason="the same traffic closes the ring again and again, and each time frames are "
                   "thrown away that go-back-N sends again"))
    for name in ("groups", "tagger"):
        m = measured[name]
        label = SCHEMES[name][0]
        found.append(claims.at_most(f"deadlocks, {label}", "deadlock prevention: none", 0, m.deadlocks,
                                    "deadlocks"))
        found.append(claims.at_least(f"flows completed, {label}", "deadlock prevention: all", FLOWS,
                                     m.completed, "flows"))
        found.append(claims.at_most(f"lossless frames dropped, {label}", "deadlock prevention: none", 0,
                                    m.summary["lossless_drops"], "frames"))
    return found
