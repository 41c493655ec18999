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
REMOTE = range(1, 61)  # flows from H2..H16, the bursts of figure 10
BURSTS = range(1, 121)  # with those from Hb, which go to the same receiver
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
        self.burst_mean, self.burst_p99 = self.completion(REMOTE)
        self.all_mean, self.all_p99 = self.completion(BURSTS)
        victim = [time - BURST for time in results.xoffs("S0->H1") if time >= BURST]
        self.last_xoff = max(victim, default=0.0)
        self.queue = results.queue_of("S0")
        self.steady_queue = metrics.average(self.queue, BURST + 3, self.end or 0)
        backlog = [time - BURST for time, size in zip(*self.queue) if time > BURST and size > 10000]
        self.drained = self.find_drained(backlog)

    def completion(self, flows):
        """Mean and p99 of the completion times of flows, ms."""
        times = [self.results.fct(flow) for flow in flows if self.results.fct(flow) is not None]
        return metrics.mean(times), metrics.percentile(times, 99)

    def find_recovery(self, steady):
        """ms from the burst until a bin of 0.1 ms has 95 % again, after the lowest; F1's end if
        none has."""
        bins = [(time, rate) for time, rate in zip(*metrics.smoothed(self.rate, BIN))
                if time > BURST + BIN / 2 and time <= (self.end or 0)]
        if not bins or not steady:
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
            evaluation.checks += [claims.no_drops(f"{BY_NAME[name].label}, {topology}", m.drops)
                                  for name, m in measured.items()]
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


def over(measures, attribute, factor=1.0):
    """Mean of what several topologies have, as text; "none" if one of them has not."""
    return claims.number(metrics.scaled(
        metrics.mean(getattr(each, attribute) for each in measures), factor))


def argue(variants):
    """What all numbers say about the variants of ICC; not by closeness to the published ones."""
    lines, candidates = [], {}
    for variant, by_topology in variants.items():
        measures, label = list(by_topology.values()), BY_NAME[variant].label
        queues = [each.steady_queue for each in measures]
        known = None not in queues
        lines.append(
            f"{label}: queue of S0 later {claims.number(max(queues) / 1e3 if known else None)} KB at "
            f"most; H2..H16 mean {over(measures, 'burst_mean')} and p99 "
            f"{over(measures, 'burst_p99')} ms; all bursts mean {over(measures, 'all_mean')} and p99 "
            f"{over(measures, 'all_p99')} ms; F1 {over(measures, 'fct')} ms; XOFF frames "
            f"{over(measures, 'xoffs')}")
        if known and max(queues) < NO_QUEUE * 1e3:
            candidates[label] = measures
    if not lines:
        return []
    return ["Choice of the variant; means over the topologies. " + ". ".join(lines) + ". The paper "
            "wants no standing queue at S0 (figure 11). " + choose(candidates)]


MEASURES = (("burst_mean", "mean of H2..H16"), ("burst_p99", "p99 of H2..H16"),
            ("all_mean", "mean of all bursts"), ("all_p99", "p99 of all bursts"),
            ("fct", "completion of F1"), ("xoffs", "XOFF frames"))


def choose(candidates):
    """Which of the variants without a standing queue is ahead, by each measure."""
    if not candidates:
        return "None leaves no standing queue, so that the runs argue for none of them."
    if len(candidates) == 1:
        return f"Only {next(iter(candidates))} leaves none."
    ahead = {}
    for attribute, title in MEASURES:
        means = {label: metrics.mean(getattr(each, attribute) for each in measures)
                 for label, measures in candidates.items()}
        known = [value for value in means.values() if value is not None]
        least = [label for label, value in means.items() if known and value == min(known)]
        ahead.setdefault(" and ".join(least), []).append(title)
    text = "; ".join(f"least with {labels}: {', '.join(titles)}"
                     for labels, titles in ahead.items() if labels)
    return (f"{', '.join(candidates)} leave none; of these, {text}. The default, C, rests on its mass "
            "balance, not on these differences.")


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
        ordering=claims.no_more(mine.recovery, [measured[name].recovery for name in BASELINES
                                                if name in measured]),
        reason="the part of the burst from S0 takes 0.34 ms of the port that F1 shares even if PFC "
        "never pauses it, and F1 has to find its rate after that"))
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
            claims.ratio(f"p99 FCT of the bursts from H2..H16 alone, {against}", "figure 10", BURST_P99[name],
                         claims.quotient(other.burst_p99, mine.burst_p99),
                         f"{label} {claims.number(other.burst_p99)} ms, ICC "
                         f"{claims.number(mine.burst_p99)} ms; with Hb's flows "
                         f"{claims.number(other.all_p99)} and {claims.number(mine.all_p99)} ms; R1's "
                         "link carries all 120 flows in 0.68 ms, so that a larger factor needs "
                         "baselines that leave it idle or serve Hb first")]
    others = [measured[name] for name in BASELINES if name in measured]
    if others:
        found += [
            claims.at_most(f"S0 queue from 3 ms after the burst, {where}", "figure 11: almost 0",
                           NO_QUEUE, metrics.scaled(mine.steady_queue, 1e-3), "KB",
                           ordering=claims.no_more(mine.steady_queue,
                                                   [other.steady_queue for other in others])),
            claims.best(f"S0 drains the burst, {where}", "figure 11: ICC first", mine.drained,
                        [other.drained for other in others], "ms",
                        "S0 drains at the rate of P0, whatever the senders do, as long as P0 is not "
                        "paused")]
    return found


def summarise(topology, chosen, measured):
    header = ["scheme", "F1 FCT (ms)", "recovery (ms)", "F1 Gb/s in 5 ms",
              "H2..H16 FCT mean (ms)", "H2..H16 p99 (ms)", "all bursts FCT mean (ms)",
              "all bursts p99 (ms)", "XOFF frames", "last XOFF to H1 (ms)", "S0 drained (ms)",
              "S0 queue later (KB)", "drops"]
    rows = []
    for scheme in chosen:
        m = measured[scheme.name]
        numbers = [m.fct, m.recovery, m.window_rate, m.burst_mean, m.burst_p99, m.all_mean, m.all_p99,
                   m.xoffs, m.last_xoff, m.drained, metrics.scaled(m.steady_queue, 1e-3), m.drops]
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
                   "Figure 11: all queues of S0, around the burst.")
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
    queue.axes.set_xlim(BURST - 0.2, BURST + 1.5)  # later there is only what stays
    return [rate, paused, throughput, *plot_bars(topology, chosen, measured), queue]


def plot_bars(topology, chosen, measured):
    pauses = Figure(f"figure-9-{topology}", f"PFC pauses ({topology})", "", "XOFF frames",
                    "Figure 9: PFC pauses, all links.")
    pauses.bars(["all links"], chosen, {"all links": {s.name: measured[s.name].xoffs
                                                      for s in chosen}})
    fct = Figure(f"figure-10-{topology}", f"Completion times ({topology})", "", "ms",
                 "Figure 10: completion times of the victim flow and of the bursts. The paper has "
                 "those from H2..Hn; all are those with the 60 flows from Hb to the same receiver.")
    groups = {"F1": {s.name: measured[s.name].fct for s in chosen},
              "H2..H16, mean": {s.name: measured[s.name].burst_mean for s in chosen},
              "H2..H16, p99": {s.name: measured[s.name].burst_p99 for s in chosen},
              "all bursts, mean": {s.name: measured[s.name].all_mean for s in chosen},
              "all bursts, p99": {s.name: measured[s.name].all_p99 for s in chosen}}
    fct.bars(list(groups), chosen, groups)
    fct.axes.set_yscale("log")
    return [pauses, fct]


def notes():
    return [
        "Topology: figure 3 is not described in full. 2sw has the receivers at S1, 3sw behind it at "
        "S2; the bursts come from H2..H16, four flows each, and 60 from Hb, all to R1. Figure 10 of "
        "the paper is about those of H2..Hn, and so are the claims; columns with all bursts are "
        "about the 120. H0 is silent: with F0 "
        "on the same port F1 could not have the 100 Gb/s that figure 5 shows (--f0 turns it on).",
        "The 15 times faster completion of the abstract appears nowhere in the evaluation and is "
        "not a claim here.",
        "Variants of ICC: the printed formulas lost operators; P repairs their dimension and keeps "
        "the rest. Both of its bounds are at least C/n, so a queue that it has found cannot shrink "
        "by them. C balances the mass over one round trip; M is P without the credit for data in "
        "flight. The module's default, C, was argued from the formulas before any of these runs."]
