# SPDX-License-Identifier: GPL-2.0-only
"""ICC, figures 4, 5, 9, 10 and 11: a long flow under a burst."""

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME, ICC_VARIANTS, select

TITLE = "ICC: concurrent burst (figures 4, 5, 9, 10, 11)"
SOURCE = ("Wang et al., Congestion Control Using In-Network Telemetry for Lossless Datacenters, "
          "Computers, Materials & Continua 75(1), 2023, doi 10.32604/cmc.2023.035932")
SCHEMES = ("dcqcn", "dcqcn-nic", "timely", "pcn", "hpcc", *ICC_VARIANTS)
TOPOLOGIES = ("2sw", "3sw")
BASE_RTT = {"2sw": "31us", "3sw": "41us"}
BURST = 1.0  # ms
REMOTE = range(1, 61)  # flows from H2..Hn
WINDOW = 5.0  # ms after the burst in which throughput is compared
RECOVERED = 0.95
BIN = 0.1  # ms

# Published numbers. Whether those of DCQCN are from the parameters of its paper or from those of the
# simulator that the authors took is not said: both are compared.
BASELINES = ("dcqcn", "dcqcn-nic", "timely", "pcn")
RECOVERY = {"dcqcn": 2.5, "dcqcn-nic": 2.5, "timely": 1.8, "pcn": 1.4, "icc": 0.4}
NO_QUEUE = 10.0  # KB: "almost zero"
GAIN = {"dcqcn": 51, "dcqcn-nic": 51, "timely": 55, "pcn": 38}
PAUSES = {"dcqcn": 56, "dcqcn-nic": 56, "timely": 63, "pcn": 38}
VICTIM = {"dcqcn": 2.3, "dcqcn-nic": 2.3, "timely": 2.2, "pcn": 1.7}
BURST_P99 = {"dcqcn": 3.5, "dcqcn-nic": 3.5, "timely": 3.4, "pcn": 2.7}


def runs(options):
    topologies = TOPOLOGIES[:1] if options.quick else TOPOLOGIES
    return [Run(f"{topology}-{scheme.name}", "icc-burst",
                (f"--topology={topology}", *scheme.arguments(BASE_RTT[topology])))
            for topology in topologies for scheme in select(SCHEMES, options.schemes)]


class Burst:
    """What is measured of one run."""

    def __init__(self, results):
        self.results = results
        self.rate = results.throughput("R0", "rx_bps")
        self.end = results.fct(0)
        self.fct = self.end
        steady = metrics.average(self.rate, 0.5, BURST) or 0
        self.recovery = self.find_recovery(steady)
        self.window_rate = metrics.average(self.rate, BURST, BURST + WINDOW)
        self.xoffs = results.summary["pfc_xoff_frames"]
        self.drops = results.summary["lossless_drops"]
        bursts = [results.fct(flow) for flow in REMOTE if results.fct(flow) is not None]
        self.burst_mean = metrics.mean(bursts)
        self.burst_p99 = metrics.percentile(bursts, 99)
        victim = [time - BURST for time in results.xoffs("S0->H1") if time >= BURST]
        self.last_xoff = max(victim, default=0.0)
        self.queue = results.queue_of("S0")
        self.steady_queue = metrics.average(self.queue, BURST + 3, self.end or 0)
        backlog = [time - BURST for time, size in zip(*self.queue) if time > BURST and size > 10000]
        self.drained = self.find_drained(backlog)

    def find_recovery(self, steady):
        """ms from the burst until a bin of 0.1 ms has 95 % again, after the lowest; F1's end if
        none has."""
        bins = [(time, rate) for time, rate in zip(*metrics.smoothed(self.rate, BIN))
                if time > BURST + BIN / 2 and time <= (self.end or 0)]
        if not bins:
            return None
        lowest = min(range(len(bins)), key=lambda i: bins[i][1])
        for time, rate in bins[lowest:]:
            if rate >= RECOVERED * steady:
                return time - BURST
        return self.end - BURST

    @staticmethod
    def find_drained(backlog):
        """ms from the burst until the queues of S0 first hold less than 10 KB for 0.1 ms."""
        last = 0.0
        for time in backlog:
            if time - last > 0.1 and last > 0:
                break
            last = time
        return last


def evaluate(results, options):
    evaluation, variants = Evaluation(), {}
    for topology in TOPOLOGIES:
        chosen = [scheme for scheme in select(SCHEMES, options.schemes)
                  if f"{topology}-{scheme.name}" in results]
        if chosen:
            measured = {scheme.name: Burst(results[f"{topology}-{scheme.name}"])
                        for scheme in chosen}
            evaluation.figures += plot(topology, chosen, measured)
            evaluation.tables.append(summarise(topology, chosen, measured))
            evaluation.claims += check_baselines(topology, measured)
            for variant in ICC_VARIANTS:
                if variant in measured:
                    evaluation.claims += check(topology, variant, measured)
                    variants.setdefault(variant, {})[topology] = measured[variant]
    evaluation.tables.insert(0, compare_variants(evaluation.claims))
    evaluation.notes = notes() + argue(variants)
    return evaluation


def check_baselines(topology, measured):
    """How fast F1 recovers under the algorithms that ICC is compared with."""
    return [claims.value(
        f"F1 recovers, {BY_NAME[name].label}, {topology}", "figure 5", RECOVERY[name],
        measured[name].recovery, "ms", ordering=False,
        reason="the additive increase of the published parameters, linear in the speed, needs "
        "longer from the rate that the burst leaves; the parameters behind figure 5 are not "
        "published") for name in BASELINES if name in measured]


def argue(variants):
    """Which variant of ICC to take, from all three; not by closeness to the published numbers."""
    lines, candidates = [], []
    for variant, by_topology in variants.items():
        queue = max((m.steady_queue or 0) / 1e3 for m in by_topology.values())
        p99 = metrics.mean(m.burst_p99 for m in by_topology.values())
        lines.append(
            f"{BY_NAME[variant].label}: queue of S0 later {claims.number(queue)} KB at most, p99 of "
            f"the bursts {claims.number(p99)} ms, F1 "
            f"{claims.number(metrics.mean(m.fct for m in by_topology.values()))} ms, XOFF frames "
            f"{claims.number(metrics.mean(m.xoffs for m in by_topology.values()))} (means over the "
            "topologies)")
        if queue < NO_QUEUE:
            candidates.append((p99, BY_NAME[variant].label))
    if not lines:
        return []
    chosen = (f"By these criteria the choice is {min(candidates)[1]}." if candidates else
              "None leaves no standing queue, so that the runs argue for none of them.")
    return ["Choice of the variant. What the paper wants is no standing queue at S0 (figure 11), "
            "and then the shortest completion of the bursts (figure 10). " + "; ".join(lines) + ". "
            + chosen]


def check(topology, variant, measured):
    """The claims about one variant of ICC."""
    mine = measured[variant]
    where = f"{BY_NAME[variant].label}, {topology}"
    found = []
    if any(name in measured for name in BASELINES):
        others = [measured[name].last_xoff for name in BASELINES if name in measured]
        found.append(claims.value(
            f"last XOFF of S0 to H1 after the burst, {where}", "figure 4", 1.1, mine.last_xoff,
            "ms", ordering=mine.last_xoff <= min(others),
            reason="H1 is paused while more than its threshold waits at S0, which the burst at line "
            "rate decides before any feedback comes back"))
    found.append(claims.value(
        f"F1 recovers, {where}", "figure 5", RECOVERY["icc"], mine.recovery, "ms",
        ordering=all(mine.recovery <= measured[name].recovery for name in BASELINES
                     if name in measured),
        reason="the burst of 120 flows of 64 KB needs 0.63 ms of R1's link alone, and its part from "
        "S0 0.31 ms of the port that F1 shares"))
    for name in BASELINES:
        if name not in measured:
            continue
        other, label = measured[name], BY_NAME[name].label
        against = f"{label} over {where}"
        gain = claims.quotient(mine.window_rate, other.window_rate)
        found += [
            claims.reduction(f"F1 throughput gain against {label}, {where}", "figure 5", GAIN[name],
                             None if gain is None else 100 * (gain - 1),
                             "the interval of the published mean is unknown; here 5 ms from the "
                             "burst"),
            claims.at_least(f"PFC pauses avoided against {label}, {where}", "figure 9", PAUSES[name],
                            claims.relative_reduction(mine.xoffs, other.xoffs), "%",
                            ordering=mine.xoffs < other.xoffs,
                            reason="most pauses are caused in the first round trip, when no scheme "
                            "can have reacted"),
            claims.ratio(f"FCT of F1, {against}", "figure 10", VICTIM[name],
                         claims.quotient(other.fct, mine.fct),
                         f"F1 of {label} {claims.number(other.fct)} ms, of ICC "
                         f"{claims.number(mine.fct)} ms; 8.67 ms alone"),
            claims.ratio(f"p99 FCT of H2..Hn, {against}", "figure 10", BURST_P99[name],
                         claims.quotient(other.burst_p99, mine.burst_p99),
                         f"bursts of {label} {claims.number(other.burst_p99)} ms, of ICC "
                         f"{claims.number(mine.burst_p99)} ms; the volume of the burst alone takes "
                         "0.63 ms")]
    others = [measured[name] for name in BASELINES if name in measured]
    if others:
        found += [
            claims.at_most(f"S0 queue from 3 ms after the burst, {where}", "figure 11: almost 0",
                           NO_QUEUE, mine.steady_queue / 1e3 if mine.steady_queue is not None else None,
                           "KB", ordering=mine.steady_queue is not None
                           and all(mine.steady_queue <= (o.steady_queue or 0) for o in others)),
            claims.best(f"S0 drains the burst, {where}", "figure 11: ICC first", mine.drained,
                        [other.drained for other in others], "ms",
                        "S0 drains at the rate of P0, whatever the senders do, as long as P0 is not "
                        "paused")]
    found.append(claims.at_most(f"lossless drops, {where}", "lossless", 0, mine.drops, "frames"))
    return found


def summarise(topology, chosen, measured):
    header = ["scheme", "F1 FCT (ms)", "recovery (ms)", "F1 Gb/s in 5 ms", "burst FCT mean (ms)",
              "burst p99 (ms)", "XOFF frames", "last XOFF to H1 (ms)", "S0 drained (ms)",
              "S0 queue later (KB)", "drops"]
    rows = []
    for scheme in chosen:
        m = measured[scheme.name]
        numbers = [m.fct, m.recovery, m.window_rate, m.burst_mean, m.burst_p99, m.xoffs,
                   m.last_xoff, m.drained,
                   None if m.steady_queue is None else m.steady_queue / 1e3, m.drops]
        rows.append([scheme.label] + [claims.number(n) for n in numbers])
    return Table(f"Measured, {topology}; times from the burst", header, rows)


def compare_variants(found):
    rows = []
    for topology in TOPOLOGIES:
        for variant in ICC_VARIANTS:
            where = f"{BY_NAME[variant].label}, {topology}"
            mine = [claim for claim in found if claim.claim.endswith(where)]
            if mine:
                rows.append([where] + list(claims.count(mine).values()))
    return Table("Verdicts by variant and topology", ["variant", claims.REPRODUCED, claims.ORDERING,
                                                      claims.NOT_REPRODUCED], rows)


def plot(topology, chosen, measured):
    rate = Figure(f"figure-4-{topology}", f"Pauses of H1 by S0 ({topology})", "time (ms)",
                  "XOFF frames in 0.1 ms", "Figure 4: pause rate on the link from S0 to H1.")
    paused = Figure(f"figure-4-fraction-{topology}", f"H1 paused ({topology})", "time (ms)",
                    "share of 0.1 ms", "Figure 4, other measure: share of time that H1 is paused.")
    throughput = Figure(f"figure-5-{topology}", f"Throughput of F1 ({topology})", "time (ms)",
                        "Gb/s", "Figure 5: throughput of F1 at R0, in steps of 50 us.")
    queue = Figure(f"figure-11-{topology}", f"Queue length of S0 ({topology})", "time (ms)", "KB",
                   "Figure 11: all queues of S0.")
    for scheme in chosen:
        results = measured[scheme.name].results
        edges = [i * BIN for i in range(60)]
        xoffs, pauses = results.xoffs("S0->H1"), results.pauses("H1->S0")
        rate.line(scheme, edges, [sum(e <= t < e + BIN for t in xoffs) for e in edges])
        paused.line(scheme, edges,
                    [sum(max(0, min(end, e + BIN) - max(begin, e)) for begin, end in pauses) / BIN
                     for e in edges])
        throughput.line(scheme, *metrics.smoothed(measured[scheme.name].rate, 0.05))
        queue.line(scheme, measured[scheme.name].queue[0],
                   [size / 1e3 for size in measured[scheme.name].queue[1]])
    for figure in (rate, paused, throughput, queue):
        figure.axes.set_xlim(0, 6)
        figure.axes.set_ylim(bottom=0)
    return [rate, paused, throughput, *plot_bars(topology, chosen, measured), queue]


def plot_bars(topology, chosen, measured):
    pauses = Figure(f"figure-9-{topology}", f"PFC pauses ({topology})", "", "XOFF frames",
                    "Figure 9: PFC pauses, all links.")
    pauses.bars(["all links"], chosen, {"all links": {s.name: measured[s.name].xoffs
                                                      for s in chosen}})
    fct = Figure(f"figure-10-{topology}", f"Completion times ({topology})", "", "ms",
                 "Figure 10: completion times of the victim flow and of the bursts.")
    groups = {"F1": {s.name: measured[s.name].fct for s in chosen},
              "H2..Hn, mean": {s.name: measured[s.name].burst_mean for s in chosen},
              "H2..Hn, p99": {s.name: measured[s.name].burst_p99 for s in chosen}}
    fct.bars(list(groups), chosen, groups)
    fct.axes.set_yscale("log")
    return [pauses, fct]


def notes():
    return [
        "Topology: figure 3 is not described in full. 2sw has the receivers at S1, 3sw behind it at "
        "S2; the bursts come from H2..H16, four flows each, and 60 from Hb. H0 is silent: with F0 "
        "on the same port F1 could not have the 100 Gb/s that figure 5 shows (--f0 turns it on).",
        "The 15 times faster completion of the abstract appears nowhere in the evaluation and is "
        "not a claim here.",
        "Variants of ICC: the printed formulas lost operators; P repairs their dimension and keeps "
        "the rest. Both of its bounds are at least C/n, so a queue that it has found cannot shrink "
        "by them. C balances the mass over one round trip; M is P without the credit for data in "
        "flight. The module's default, C, was argued from the formulas before any of these runs."]
