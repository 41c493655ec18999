# SPDX-License-Identifier: GPL-2.0-only
"""Guo et al.: the pause storm of a NIC, and what watchdogs make of it."""

from dataclasses import dataclass

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "RDMA at scale: pause storm of a NIC (figures 5 and 9)"
SOURCE = ("Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, sections 4.3 and 6.2; the "
          "claims are qualitative")
STORM = 1.0  # ms
STOP = 12.0  # ms
STORMER = "0"  # node of the host
STORMED_PORT = ("16", "0")  # of its ToR
RECOVERED = 0.95
REFRESH = 420  # us, from one PAUSE of the storm to the next
BIN = 0.1  # ms
SAMPLE = 0.01  # ms
LATE = 3.0  # ms: the window at the end of the run, longer than a cycle of H3c


@dataclass(frozen=True)
class Case:
    """Which watchdogs there are."""

    name: str
    label: str
    arguments: tuple
    contains: bool = True  # whether it is meant to keep the storm to its host
    quick: bool = True


def tor(name, label, dialect, *arguments, **options):
    return Case(name, label, ("--watchdog=tor", f"--dialect=ns3::{dialect}", *arguments), **options)


CASES = (
    Case("none", "none", ("--watchdog=none",), contains=False),
    Case("nic", "NIC", ("--watchdog=nic",)),
    tor("guo16", "ToR, Guo16", "Guo16Storm"),
    tor("sonic-brcm", "ToR, SonicBrcm", "SonicBrcmStorm"),
    tor("sonic-mlnx-old", "ToR, SonicMlnxOld", "SonicMlnxOldStorm", quick=False),
    tor("sonic-mlnx-new", "ToR, SonicMlnxNew", "SonicMlnxNewStorm", quick=False),
    tor("h3c", "ToR, H3c", "H3cStorm"),
    tor("forward", "ToR, Guo16, forward", "Guo16Storm", "--action=Forward", quick=False),
    tor("alert", "ToR, Guo16, alert", "Guo16Storm", "--action=Alert", quick=False,
        contains=False),
    tor("all-ports", "all ports, SonicBrcm", "SonicBrcmStorm", "--allPorts=true",
        quick=False),
)


def select(options):
    return [case for case in CASES if case.quick or not options.quick]


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    """The storm begins at other phases of its pauses, and ECMP draws anew."""
    if options.schemes:
        return []
    storm = (f"--storm={1e3 * STORM + sample.phase(REFRESH):.1f}us",) if sample.number else ()
    return [Run(case.name, "guo16-storm", (*case.arguments, *storm, *sample.option("ecmpDraw", 0)))
            for case in select(options)]


class Measured:
    """What is measured of one run."""

    def __init__(self, results):
        self.pauses = [(int(row["start_ns"]) / 1e6,
                        (int(row["start_ns"]) + int(row["duration_ns"])) / 1e6,
                        row["node"], row["node_type"]) for row in results.rows("pause.csv")]
        self.storm = results.option("storm", 1e3 * STORM) / 1e3
        self.early = sum(begin < self.storm for begin, _, _, _ in self.pauses)
        self.times = [BIN / 2 * i for i in range(round(STOP / BIN * 2))]
        self.paused = [self.count(time) for time in self.times]
        self.rates = self.read_rates(results)
        self.victims = self.find_victims()
        total = self.total()
        before = metrics.average(total, self.storm / 2, self.storm)
        self.share = total[0], [rate / before for rate in total[1]]
        bins = [(time, rate) for time, rate in zip(*metrics.smoothed(self.share, BIN))
                if time > self.storm + BIN / 2]
        self.lowest = min(rate for _, rate in bins)
        self.late = metrics.average(self.share, STOP - LATE, STOP)
        self.late_lowest = min(rate for time, rate in bins if time > STOP - LATE + BIN / 2)
        below = [time for time, rate in bins if rate < RECOVERED]
        self.recovery = (0.0 if not below else None if below[-1] > STOP - BIN / 2
                         else below[-1] - self.storm)
        self.summary = results.summary
        events = results.rows("watchdog.csv") if "watchdog_storms" in self.summary else []
        begun = [(int(row["time_ns"]) / 1e6, (row["node"], row["port"])) for row in events
                 if row["from"] == "operational"]
        self.detected = min((time - self.storm for time, _ in begun), default=None)
        self.elsewhere = len({place for _, place in begun} - {STORMED_PORT, (STORMER, "0")})

    def count(self, time):
        """(port, class) pairs paused at a time."""
        return sum(begin <= time < end for begin, end, _, _ in self.pauses)

    def hosts_paused(self, time):
        """Hosts paused at a time."""
        return len({node for begin, end, node, kind in self.pauses
                    if kind == "host" and begin <= time < end})

    @staticmethod
    def read_rates(results):
        """By host but the stormer: by time, the Gb/s that it received."""
        rates = {}
        for row in results.rows("throughput.csv"):
            if row["node"] != STORMER:
                host = rates.setdefault(row["node"], {})
                host[int(row["time_ns"]) / 1e6] = float(row["rx_bps"]) / 1e9
        return rates

    def total(self):
        """(times, Gb/s) of all hosts but the stormer."""
        times = [round(SAMPLE * i, 2) for i in range(1, round(STOP / SAMPLE) + 1)]
        return times, [sum(host.get(time, 0.0) for host in self.rates.values()) for time in times]

    def find_victims(self):
        """Hosts that receive less than half of what they did, in the mean over the end of the run."""
        found = 0
        for host in self.rates.values():
            before = sum(rate for time, rate in host.items() if self.storm / 2 < time <= self.storm)
            after = sum(rate for time, rate in host.items() if STOP - LATE < time <= STOP)
            found += after / LATE < before / (self.storm / 2) / 2
        return found


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def evaluate(measured, options):
    chosen = select(options)
    evaluation = Evaluation(notes=notes(measured))
    evaluation.claims = check(chosen, measured)
    for case in chosen:
        one = measured[case.name]
        evaluation.checks.append(claims.Check(f"pauses before the storm, {case.label}", "0",
                                              claims.number(one.early), one.early == 0))
        booked = one.summary.get("watchdog_queue_drops", 0) + one.summary.get(
            "watchdog_ingress_drops", 0)
        evaluation.checks.append(claims.Check(
            f"lossless drops are those of watchdogs, {case.label}", claims.number(booked),
            claims.number(one.summary["lossless_drops"]), booked == one.summary["lossless_drops"]))
    evaluation.tables.append(summarise(chosen, measured))
    return evaluation


def check(chosen, measured):
    hosts = len(measured["none"].rates)
    none = measured["none"]
    found = [
        claims.at_least("hosts paused in the end, no watchdog",
                        "figure 5: a single NIC may block the entire network", hosts,
                        none.hosts_paused(STOP - BIN), "hosts"),
        claims.at_most("throughput of the victims in the end, no watchdog",
                       "figure 9: servers are not available; 1 % is ours", 1, 100 * none.late,
                       "% of that before")]
    for case in chosen:
        if not case.contains:
            continue
        one = measured[case.name]
        source = ("section 4.3: the NIC watchdog stops it" if case.name == "nic" else
                  "section 4.3: the switch watchdog keeps it out of the network")
        reason = ""
        if case.name == "h3c":
            reason = ("the paper has no such watchdog; PFC is on again after automatic clearing, and "
                      "the storm spreads until it is detected once more")
        elif one.elsewhere:
            reason = ("ports that the storm has reached alarm together with its first port, and drop "
                      "frames of victims; the paper watches ports to servers only")
        found += [claims.at_most(f"victims in the end, {case.label}", source, 0, one.victims, "hosts",
                                 reason=reason),
                  claims.at_least(
                      f"throughput of the victims, lowest 0.1 ms of the last {LATE:.0f} ms, "
                      f"{case.label}", source + "; 95 % is ours", 100 * RECOVERED, 100 * one.late_lowest,
                      "% of that before", reason=reason)]
    return found


def summarise(chosen, measured):
    header = ["watchdog", "detected after (ms)", "paused (port, class), most", "paused in the end",
              "hosts paused in the end", "victims in the end", "victims' throughput, lowest 0.1 ms (%)",
              f"in the last {LATE:.0f} ms (%)", "lowest 0.1 ms of these (%)",
              "recovered after (ms)", "storms", "restored", "other ports stormed",
              "dropped of queues", "dropped of ingress", "NICs stopped"]
    rows = []
    for case in chosen:
        one = measured[case.name]
        books = [one.summary.get(key) for key in ("watchdog_storms", "watchdog_restored")]
        drops = [one.summary.get(key) for key in ("watchdog_queue_drops", "watchdog_ingress_drops",
                                                  "nics_stopped")]
        numbers = [one.detected, max(one.paused), one.count(STOP - BIN),
                   one.hosts_paused(STOP - BIN), one.victims, 100 * one.lowest, 100 * one.late,
                   100 * one.late_lowest, one.recovery, *books, one.elsewhere, *drops]
        rows.append([case.label, *numbers])
    return Table("Measured; times from the begin of the storm", header, rows)


def draw(measured, options):
    chosen = select(options)
    panels = [case.label for case in chosen]
    paused = Figure("paused", "Pause storm from 1 ms on: paused egress ports", "Of switches and hosts, the "
                    "first sample; a panel for each watchdog. The times of watchdogs are a hundredth of "
                    "the real ones.", panels)
    paused.labels("time (ms)", "(port, class) pairs")
    rate = Figure("victims", "Throughput of all hosts but the stormer", "Received, means over 0.1 ms, by "
                  "that before the storm; the first sample. Figure 9 publishes no number but that "
                  "servers are not available without a watchdog.", panels)
    rate.labels("time (ms)", "share (%)")
    for case in chosen:
        one = measured[0][case.name]
        paused.line(one.times, one.paused, case.label)
        times, shares = metrics.smoothed(one.share, BIN)
        rate.line(times, [100 * share for share in shares], case.label)
    for figure in (paused, rate):
        figure.axes.set_xlim(0, STOP)
        figure.axes.set_ylim(bottom=0)
    return [paused, rate]


def notes(measured):
    return [
        "A Clos network of 20 switches with 4 ports each and 16 hosts, 40 Gb/s, 2 MB of buffer. Each "
        "host but host 0 sends to host 0, 75 % of its link in all, and 15 % of its own link to another "
        "host; from 1 ms on the NIC of host 0 sends PAUSE for ever, every 0.42 ms, half of the pause "
        "time. Samples: the storm begins at other phases of these 0.42 ms, and ECMP draws anew. Flows have fixed rates, so that before the storm nobody is paused "
        f"({measured['none'].early} pauses).",
        "All times of watchdogs are scaled by 0.01: 200 ms become 2 ms, 100 ms become 1 ms. Two rules "
        "bound the scale. The detection time must stay above 10 times the longest legitimate pause: "
        "here there is none before the storm. And the scaled poll interval must be longer than the "
        "refresh of a pause (0.42 ms), or there are polls without a PAUSE and the countdown begins "
        "anew: 0.5 ms is the shortest here, that of Guo16.",
        "Detection is counted in polls on a grid: the SONiC dialects poll every 2 ms and want two that "
        "agree, after one that saw the queue still sending or open. H3c turns PFC on again after "
        "1 ms, so the storm comes back; its duty cycle is what its two timers say.",
        f"With Drop the victims get {claims.number(100 - 100 * measured['guo16'].late)} % less than "
        "before: ACKs of host 0, which it does not send for what is dropped. Host 0 is reachable again with the NIC watchdog and with Forward, as its "
        "NIC pauses here but still receives; the paper's does not.",
    ]
