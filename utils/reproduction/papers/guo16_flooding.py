# SPDX-License-Identifier: GPL-2.0-only
"""The flooding deadlock of RDMA over Commodity Ethernet at Scale, figure 4."""

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "Flooding deadlock (Guo et al., figure 4)"
SOURCE = ("Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.2 and figure 4: "
          "flooding of lossless frames deadlocks; dropping them when the ARP entry is incomplete "
          "does not")
DIE, REVIVE, END = 2.0, 12.0, 20.0  # ms
FLOWS = ("S1->S3", "S1->S5", "S4->S2", "X0->S5")
PERIOD = 10  # us: phases of the death, of a round trip
VARIANTS = {
    "flood": ("flooding", ()),
    "drop": ("lossless frames dropped", ("--unknownMac=DropLossless",)),
    "mac": ("MAC timeout above ARP timeout", ("--macTimeout=5h",)),
    "alive": ("nobody dies", ("--die=0s",)),
    "revive": ("flooding, hosts back at 12 ms", (f"--revive={REVIVE:.0f}ms",)),
    "uncontrolled": ("flooding, no congestion control", ("--congestion=none",)),
}



def samples(options):
    return 3 if options.quick else 10


def runs(_, sample):
    """The hosts die at other phases, and marks are drawn anew."""
    death = (f"--die={1e3 * DIE + sample.phase(PERIOD):g}us",) if sample.number else ()
    return [Run(name, "guo16-flooding", (*(death if name != "alive" else ()), *arguments,
                                         *sample.option("run")))
            for name, (_, arguments) in VARIANTS.items()
            if sample.number == 0 or name != "uncontrolled"]


class Measured:
    """What is measured of one run."""

    def __init__(self, result):
        self.rates = {flow: ([], []) for flow in FLOWS}
        for row in result.rows("rates.csv"):
            times, rates = self.rates[row["flow"]]
            times.append(int(row["time_ns"]) / 1e6)
            rates.append(float(row["bps"]) / 1e9)
        # The last 5 ms: three of the four flows are zero for good when there is a deadlock.
        self.late = {flow: metrics.average(series, END - 5, END)
                     for flow, series in self.rates.items()}
        self.reasons = {int(row["flow"]): row["reason"] for row in result.rows("unfinished.csv")}
        self.deadlock = any("deadlock" in reason for reason in self.reasons.values())
        sent = [time for flow in FLOWS[:3] for time, rate in zip(*self.rates[flow]) if rate > 0]
        self.stopped = max(sent, default=0.0)
        self.drops = result.summary["lossless_drops"]


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def evaluate(measured, _):
    evaluation = Evaluation(claims=check(measured), notes=[
        "T0 has S1 and S2, T1 has S3, S4 and S5, and a host X0 that makes S5 the receiver of an incast; "
        "T0 sends by La, T1 by Lb. S1 sends to S3 and S5, S4 to S2, X0 to S5; 40 Gb/s, DCQCN, 12 MB "
        "of buffer, alpha 1/16. S2 and S3 die at 2 ms; their ARP entries live, their MAC entries "
        "do not. A flow to a dead host is sent again after 4 ms without an answer.",
        "Copies of a flooded frame are booked one by one, so that a flood takes more of the buffer "
        "than a switch with reference counts would need. Drops are frames of lossless classes: under "
        "flooding the copies that another switch refuses because they carry the MAC address of a "
        "host, with the fix those that are not flooded. Samples: S2 and S3 die at other phases of 10 us, "
        "and marks are drawn anew; the run without congestion control has no random marks and one "
        "sample."])
    rows = [[VARIANTS[name][0], *(m.late[flow] for flow in FLOWS), int(m.deadlock), m.drops]
            for name, m in measured.items()]
    evaluation.tables.append(Table("Rates in the last 5 ms (Gb/s)",
                                   ["run", *FLOWS, "circles of pauses at the end", "drops"], rows))
    reasons = [[VARIANTS[name][0], str(flow), reason] for name, m in measured.items()
               for flow, reason in sorted(m.reasons.items())]
    evaluation.tables.append(Table("Why flows have not completed, first sample", ["run", "flow", "reason"], reasons))
    return evaluation


def check(measured):
    source = "section 4.2"
    flood, fixed, alive = measured["flood"], measured["drop"], measured["alive"]
    found = [claims.at_most(f"{flow} after the deadlock", source + ": deadlock", 0.0,
                            flood.late[flow], "Gb/s") for flow in FLOWS[:3]]
    found.append(claims.at_most("S1->S5 after S2 and S3 are back",
                                source + ": restarting servers does not help", 0.0,
                                measured["revive"].late["S1->S5"], "Gb/s"))
    for name, label in (("drop", "dropped lossless frames"), ("mac", "MAC timeout above ARP timeout")):
        mine = measured[name]
        found.append(claims.at_least(f"S1->S5 with {label}, of its rate when nobody dies",
                                     source + ": no deadlock with the fix; 0.9 is ours", 0.9,
                                     claims.quotient(mine.late["S1->S5"], alive.late["S1->S5"]), ""))
    found.append(claims.at_most("circles of pauses with dropped lossless frames", source, 0,
                                int(fixed.deadlock), "circles"))
    return found


def draw(measured, _):
    figure = Figure("rates", "Payload that each flow sends", "Figure 4: means over 0.2 ms, the first "
                    "sample; S2 and S3 die at 2 ms. Published for the deadlock: no rate. A line that "
                    "cannot be seen lies below another of the same rate.",
                    [label for label, _ in VARIANTS.values()], 2)
    figure.labels("time (ms)", "Gb/s")
    for name, (label, _) in VARIANTS.items():
        for index, flow in enumerate(FLOWS):
            figure.line(*metrics.smoothed(measured[0][name].rates[flow], 0.2), label, index, flow)
    figure.published([END - 2.5], [0], VARIANTS["flood"][0])
    figure.axes.set_ylim(0, 42)
    figure.axes.set_xlim(0, END)
    return [figure]
