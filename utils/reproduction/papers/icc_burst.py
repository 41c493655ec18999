# SPDX-License-Identifier: GPL-2.0-only
"""ICC, figures 4, 5, 9, 10 and 11: a long flow under a burst."""

from .. import claims, results as metrics
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import median
from ..schemes import BY_NAME, ICC_VARIANTS, SETS_OF_ICC, by_set, select
from . import icc_readings

TITLE = "ICC: concurrent burst (figures 4, 5, 9, 10, 11)"
SOURCE = ("Wang et al., Congestion Control Using In-Network Telemetry for Lossless Datacenters, "
          "Computers, Materials & Continua 75(1), 2023, doi 10.32604/cmc.2023.035932")
# Those that ICC is compared with: the sets that SETS_OF_ICC takes, and the others as sensitivity.
BASELINES = tuple(choice.taken for choice in SETS_OF_ICC.values())
ALTERNATIVES = tuple(name for choice in SETS_OF_ICC.values() for name in choice.others)
SCHEMES = (*by_set(**dict.fromkeys(SETS_OF_ICC)), "hpcc", *ICC_VARIANTS)
TOPOLOGIES = ("2sw", "3sw")
TAKEN = "2sw"  # icc_readings says why; the other one is sensitivity
LENGTHS = {"long": icc_readings.LONG_BYTES, "short": icc_readings.SHORT_BYTES}  # of F1, bytes
BASE_RTT = {"2sw": "31us", "3sw": "41us"}
ROUND_TRIP = {"2sw": 30, "3sw": 40}  # us, of F1
BURST = float(icc_readings.BURST_AT)  # us, the earliest
REMOTE = range(1, 61)  # flows from H2..H16, the bursts of figure 10
BURSTS = range(1, 121)  # with those from Hb, which go to the same receiver
BLIND = 0.045  # ms: from S1 to a source and back to S1, by 3sw later
LINE = icc_readings.RATE / 1e9  # Gb/s
WINDOW = 5.0  # ms after the burst in which throughput is compared
RECOVERED = 0.95
BIN = 0.1  # ms

# Published numbers.
RECOVERY = {**by_set(**{name: each.published for name, each in SETS_OF_ICC.items()}), "icc": 0.4}
ALONE = claims.number(icc_readings.alone(icc_readings.SHORT_BYTES))  # ms of F1 of 12.5 MB
NO_QUEUE = 10.0  # KB: "almost zero"
NO_RATE = 1.0  # Gb/s: "zero"
GAIN = by_set(dcqcn=51, timely=55, pcn=38)
PAUSES = by_set(dcqcn=56, timely=63, pcn=38)
VICTIM = by_set(dcqcn=2.3, timely=2.2, pcn=1.7)
BURST_P99 = by_set(dcqcn=3.5, timely=3.4, pcn=2.7)
LAST_XOFF = icc_readings.LAST_XOFF  # ms of simulated time


def samples(options):
    return 6 if options.quick else 10


def runs(options, sample):
    topologies = TOPOLOGIES[:1] if options.quick else TOPOLOGIES
    return [Run(f"{topology}-{length}-{scheme.name}", "icc-burst",
                (f"--topology={topology}", f"--longBytes={size}",
                 *scheme.arguments(BASE_RTT[topology]), *vary(topology, sample)))
            for topology in topologies for length, size in LENGTHS.items()
            for scheme in select(SCHEMES, options.schemes)]


def vary(topology, sample):
    """The burst begins at a random time of a round trip of F1; switches that mark draw anew."""
    return (f"--burst={BURST + sample.phase(ROUND_TRIP[topology]):g}us", *sample.option("run"))


class Burst:
    """What is measured of one run."""

    def __init__(self, results):
        self.begin = results.option("burst", BURST) / 1e3
        self.rate = results.throughput("R0", "rx_bps")
        self.end = results.fct(0)
        self.fct = self.end
        self.short_fct = None  # of F1 of 12.5 MB, ms
        steady = metrics.average(self.rate, self.begin / 2, self.begin) or 0
        bins = [(time, rate) for time, rate in zip(*metrics.smoothed(self.rate, BIN))
                if time > self.begin + BIN / 2 and time <= (self.end or 0)]
        self.lowest = min((rate for _, rate in bins), default=None)
        self.recovery = self.find_recovery(bins, steady)
        self.window_rate = metrics.average(self.rate, self.begin, self.begin + WINDOW)
        self.xoffs = results.summary["pfc_xoff_frames"]
        self.early_xoffs = sum(  # before feedback on the burst can act
            row["type"] == "xoff" and 0 <= int(row["time_ns"]) / 1e6 - self.begin < BLIND
            for row in results.rows("pfc.csv"))
        self.drops = results.summary["lossless_drops"]
        self.burst_mean, self.burst_p99 = completion(results, REMOTE)
        self.all_mean, self.all_p99 = completion(results, BURSTS)
        self.to_victim = results.xoffs("S0->H1")
        self.victim_pauses = results.pauses("H1->S0")
        self.last_xoff = max((time - self.begin for time in self.to_victim if time >= self.begin),
                             default=0.0)
        self.queue = results.queue_of("S0")
        self.steady_queue = metrics.average(self.queue, self.begin + 3, self.end or 0)
        backlog = [time - self.begin for time, size in zip(*self.queue)
                   if time > self.begin and size > 10000]
        self.drained = find_drained(backlog)

    def find_recovery(self, bins, steady):
        """ms from the burst until a bin of 0.1 ms has 95 % again, after the lowest; F1's end if
        none has."""
        if not bins or not steady:
            return None
        lowest = min(range(len(bins)), key=lambda i: bins[i][1])
        for time, rate in bins[lowest:]:
            if rate >= RECOVERED * steady:
                return time - self.begin
        return self.end - self.begin


def completion(results, flows):
    """Mean and p99 of the completion times of flows, ms."""
    times = [results.fct(flow) for flow in flows if results.fct(flow) is not None]
    return metrics.mean(times), metrics.percentile(times, 99)


def find_drained(backlog):
    """ms from the burst until the queues of S0 first hold less than 10 KB for 0.1 ms."""
    last = 0.0
    for time in backlog:
        if time - last > 0.1 and last > 0:
            break
        last = time
    return last


def measure(results, _):
    """By topology and scheme."""
    measured = {}
    for name, result in results.items():
        topology, length, scheme = name.split("-", 2)
        if length == "long":
            measured.setdefault(topology, {})[scheme] = Burst(result)
    for name, result in results.items():
        topology, length, scheme = name.split("-", 2)
        if length == "short":
            measured[topology][scheme].short_fct = result.fct(0)
    return measured


def evaluate(measured, _):
    evaluation = Evaluation(notes=notes())
    for topology, schemes in measured.items():
        taken = evaluation.claims if topology == TAKEN else evaluation.others
        evaluation.tables.append(summarise(topology, schemes))
        taken += check_baselines(topology, schemes, BASELINES)
        evaluation.others += check_baselines(topology, schemes, ALTERNATIVES)
        for variant in ICC_VARIANTS:
            if variant in schemes:
                of_paper = taken if variant == "icc" else evaluation.others
                of_paper += check(topology, variant, schemes, BASELINES)
                evaluation.others += compare(topology, variant, schemes, ALTERNATIVES)
        evaluation.checks += [claims.no_drops(f"{BY_NAME[name].label}, {topology}", m.drops)
                              for name, m in schemes.items()]
    return evaluation


def check_baselines(topology, measured, names):
    """How F1 fares under the algorithms that ICC is compared with."""
    found = []
    for name in names:
        if name not in measured:
            continue
        where = f"{BY_NAME[name].label}, {topology}"
        found += [
            claims.value(f"F1 recovers, {where}", "figure 5", RECOVERY[name], measured[name].recovery,
                         "ms", reason="the additive increase of the published parameters, linear in "
                         "the speed, needs another time from the rate that the burst leaves; the "
                         "parameters behind figure 5 are not published"),
            claims.at_most(f"lowest throughput of F1 in 0.1 ms, {where}",
                           "figure 5: zero for a while; 1 Gb/s is ours", NO_RATE,
                           measured[name].lowest, "Gb/s",
                           reason="H1 is paused for less than the 0.1 ms of a step")]
    return found


def check(topology, variant, measured, names):
    """The claims about one variant of ICC against the others."""
    mine, where = measured[variant], f"{BY_NAME[variant].label}, {topology}"
    others = [measured[name] for name in names if name in measured]
    if not others:
        return []

    def margin(attribute):
        return claims.less_by(getattr(mine, attribute), [getattr(each, attribute) for each in others])

    def least(title, source, attribute, unit, reason=""):
        return claims.best(f"{title}, {where}", source, getattr(mine, attribute),
                           [getattr(each, attribute) for each in others], unit, reason)

    return [
        claims.value(f"last XOFF of S0 to H1, simulated time, {where}", "figure 4", LAST_XOFF,
                     mine.begin + mine.last_xoff, "ms", margin("last_xoff"), True,
                     "H1 is paused while more than its threshold waits at S0, which the burst at "
                     f"line rate decides before any feedback comes back; the burst begins at "
                     f"{claims.number(mine.begin)} ms"),
        claims.value(f"F1 recovers, {where}", "figure 5", RECOVERY["icc"], mine.recovery, "ms",
                     margin("recovery"), True,
                     f"the part of the burst from S0 takes {claims.number(icc_readings.OF_S0)} ms of the "
                     "port that F1 shares even if PFC never pauses it, and F1 has to find its rate after "
                     "that"),
        *compare(topology, variant, measured, names),
        least("mean FCT of the bursts from H2..H16", "figure 10, plotted without numbers",
              "burst_mean", "ms"),
        least("mean FCT of all bursts", "figure 10, plotted without numbers", "all_mean", "ms"),
        least("p99 FCT of all bursts", "figure 10, plotted without numbers", "all_p99", "ms",
              "the flows of H2..H16 end first and those of Hb last: the link of R1 is the same"),
        claims.at_most(f"S0 queue from 3 ms after the burst, {where}", "figure 11: almost 0; 10 KB is "
                       "ours", NO_QUEUE, metrics.scaled(mine.steady_queue, 1e-3), "KB"),
        least("S0 drains the burst", "figure 11: ICC first", "drained", "ms",
              "S0 drains at the rate of P0, whatever the senders do, as long as P0 is not paused")]


def compare(topology, variant, measured, names):
    """The claims with a number for each of the others."""
    mine, where, found = measured[variant], f"{BY_NAME[variant].label}, {topology}", []
    for name in names:
        if name not in measured:
            continue
        other, label = measured[name], BY_NAME[name].label
        against = f"{label} over {where}"
        if mine.short_fct is not None:
            found.append(claims.ratio(
                f"FCT of F1 of 12.5 MB, {against}", "figure 10", VICTIM[name],
                claims.quotient(other.short_fct, mine.short_fct),
                f"F1 of {label} {claims.number(other.short_fct)} ms, of ICC "
                f"{claims.number(mine.short_fct)} ms; {ALONE} ms alone"))
        gain = claims.quotient(mine.window_rate, other.window_rate)
        avoided = claims.relative_reduction(mine.xoffs, other.xoffs)
        found += [
            claims.reduction(f"F1 throughput gain against {label}, {where}", "figure 5", GAIN[name],
                             None if gain is None else 100 * (gain - 1),
                             "the interval of the published mean is unknown; here 5 ms from the "
                             "burst"),
            claims.at_least(f"PFC pauses avoided against {label}, {where}", "figure 9", PAUSES[name],
                            avoided, "%", avoided, True,
                            f"ICC {mine.xoffs} XOFF frames, {label} {other.xoffs}; {mine.early_xoffs} of "
                            "them come before feedback on the burst can act"),
            claims.ratio(f"p99 FCT of the bursts from H2..H16 alone, {against}", "figure 10",
                         BURST_P99[name], claims.quotient(other.burst_p99, mine.burst_p99),
                         f"{label} {claims.number(other.burst_p99)} ms, ICC "
                         f"{claims.number(mine.burst_p99)} ms; with Hb's flows "
                         f"{claims.number(other.all_p99)} and {claims.number(mine.all_p99)} ms; R1's "
                         f"link carries all 120 flows in {claims.number(2 * icc_readings.OF_S0)} ms, so "
                         "that a larger factor needs baselines that leave it idle or serve Hb first")]
    return found


def summarise(topology, measured):
    header = ["scheme", "F1 FCT (ms)", "F1 of 12.5 MB (ms)", "recovery (ms)", "F1 in 5 ms (Gb/s)",
              "H2..H16 FCT mean (ms)", "H2..H16 p99 (ms)", "all bursts FCT mean (ms)",
              "all bursts p99 (ms)", "XOFF frames", "last XOFF to H1 (ms)", "S0 drained (ms)",
              "S0 queue later (KB)", "drops"]
    rows = [[BY_NAME[name].label, m.fct, m.short_fct, m.recovery, m.window_rate, m.burst_mean, m.burst_p99,
             m.all_mean, m.all_p99, m.xoffs, m.last_xoff, m.drained,
             metrics.scaled(m.steady_queue, 1e-3), m.drops] for name, m in measured.items()]
    return Table(f"Measured, {topology}; times from the burst", header, rows)


def conclude(evaluation, measured, _):
    """Which sets of parameters."""
    evaluation.tables[:0] = [icc_readings.table(), bounds(measured)]
    for algorithm, choice in SETS_OF_ICC.items():
        sets = (choice.taken, *choice.others)
        recoveries = {name: values[0] for name in sets
                      if (values := over(measured, [TAKEN], name, "recovery"))}
        if len(recoveries) == len(sets):
            evaluation.checks.append(claims.Check(
                f"set of {BY_NAME[algorithm].label}, {TAKEN}: nearest in the {choice.what}",
                f"{choice.taken} nearest to {choice.published}",
                ", ".join(f"{name} {claims.number(value)}" for name, value in recoveries.items()),
                choice.nearest(recoveries) == choice.taken))


def bounds(measured):
    """What a scheme could reach at best against the baselines as they are measured."""
    def median_of(name, attribute):
        return next(iter(over(measured, [TAKEN], name, attribute)), None)

    rows = []
    for name in (*BASELINES, *ALTERNATIVES):
        short, p99, rate, xoffs, early = (median_of(name, each) for each in (
            "short_fct", "burst_p99", "window_rate", "xoffs", "early_xoffs"))
        rows += [[label, BY_NAME[name].label, published[name], unit, claims.number(bound)]
                 for label, published, unit, bound in (
                     ("FCT of F1 of 12.5 MB", VICTIM, "times", claims.quotient(
                         short, icc_readings.alone(icc_readings.SHORT_BYTES))),
                     ("p99 FCT of the bursts from H2..H16", BURST_P99, "times",
                      claims.quotient(p99, icc_readings.OF_S0)),
                     ("PFC pauses avoided", PAUSES, "%", claims.relative_reduction(early, xoffs)),
                     ("F1 throughput gain", GAIN, "%", 100 * (LINE / rate - 1) if rate else None))]
    return Table("Bounds: F1 alone, the bursts of S0 alone, no pause once feedback can act, F1 at line "
                 "rate all the time, against the medians of the baselines", ["what", "against", "published", "unit", "at most"], rows)


def over(measured, topologies, name, attribute):
    """[median over the samples] by topology; empty if a number is missing."""
    values = [[getattr(sample[topology][name], attribute) for sample in measured
               if name in sample.get(topology, {})] for topology in topologies]
    if not all(each and all(claims.usable(v) for v in each) for each in values):
        return []
    return [median(each) for each in values]


def headlines(evaluation):
    """The claims that a newcomer should see, with intervals."""
    icc, dcqcn = BY_NAME["icc"].label, BY_NAME[SETS_OF_ICC["dcqcn"].taken].label
    wanted = (f"F1 recovers, {icc}, {TAKEN}",
              f"PFC pauses avoided against {dcqcn}, {icc}, {TAKEN}",
              f"p99 FCT of the bursts from H2..H16 alone, {dcqcn} over {icc}, {TAKEN}")
    return [f"{claim.claim}: {claim.measured} {claim.unit} ({claim.low} to {claim.high}), "
            f"published {claim.published}: {claim.verdict}"
            for name in wanted for claim in evaluation.claims if claim.claim == name]


# ---- figures

def draw(measured, _):
    figures = []
    for topology, first in measured[0].items():
        labels = {name: BY_NAME[name].label for name in first}
        figures += [*draw_lines(topology, first, labels), *draw_dots(topology, measured, labels)]
    return figures


def draw_lines(topology, first, labels):
    """Over time; of the first sample."""
    panels = list(labels.values())
    sample = " Lines: the first sample."
    pauses = Figure(f"figure-4-{topology}", f"Pauses of H1 by S0 ({topology})",
                    "Figure 4: share of 0.1 ms that H1 is paused by S0. Diamond: the last pause frame "
                    "under ICC, published as 1.1 ms of simulated time." + sample, panels)
    pauses.labels("time (ms)", "paused (%)")
    throughput = Figure(f"figure-5-{topology}", f"Throughput of F1 ({topology})",
                        "Figure 5: throughput of F1 at R0, in steps of 50 us; the burst begins at "
                        f"{claims.number(next(iter(first.values())).begin)} ms. Diamonds: when F1 "
                        "has recovered as published, in the text about figure 5." + sample, panels)
    throughput.labels("time (ms)", "Gb/s")
    queue = Figure(f"figure-11-{topology}", f"Queue length of S0 ({topology})",
                   "Figure 11: all queues of S0, around the burst. Diamonds: published for the steady "
                   "state under ICC, almost zero." + sample, panels)
    queue.labels("time (ms)", "KB")
    edges = [i * BIN for i in range(60)]
    for name, label in labels.items():
        one = first[name]
        pauses.line(edges, [100 * sum(max(0, min(end, e + BIN) - max(begin, e))
                                      for begin, end in one.victim_pauses) / BIN for e in edges], label)
        throughput.line(*metrics.smoothed(one.rate, 0.05), label)
        queue.line(one.queue[0], [size / 1e3 for size in one.queue[1]], label)
        if name in RECOVERY:
            throughput.published([one.begin + RECOVERY[name]], [95], label)
        if name == "icc":
            pauses.published([LAST_XOFF], [0], label)
            queue.published([one.begin + 1.4], [0], label)
    for figure, end in ((pauses, 4), (throughput, 6), (queue, 2.5)):
        for axes in figure.each():
            axes.set_xlim(0.5, end)
            axes.set_ylim(bottom=0)
    return [throughput, pauses, queue]


def draw_dots(topology, measured, labels):
    """Medians over the samples."""
    def column(attribute):
        return {label: [getattr(sample[topology][name], attribute) for sample in measured]
                for name, label in labels.items()}

    absolute = Dots(f"figure-10-{topology}", f"Completion times and pauses ({topology})",
                    "Figures 9 and 10: medians and intervals of the samples. The paper has the bursts "
                    "from H2..Hn; \"all\" are those with the 60 flows from Hb to the same receiver. It "
                    "gives ratios only, which are in the next figure.",
                    {"F1 of 12.5 MB (ms)": (column("short_fct"), None),
                     "H2..H16, mean (ms)": (column("burst_mean"), None),
                     "H2..H16, p99 (ms)": (column("burst_p99"), None),
                     "all bursts, mean (ms)": (column("all_mean"), None),
                     "all bursts, p99 (ms)": (column("all_p99"), None),
                     "XOFF frames": (column("xoffs"), None),
                     "F1 recovers (ms)": (column("recovery"), {
                         label: RECOVERY[name] for name, label in labels.items()
                         if name in RECOVERY})})
    if "icc" not in labels or not any(name in labels for name in VICTIM):
        return [absolute]
    return [absolute, draw_ratios(topology, measured, labels)]


def draw_ratios(topology, measured, labels):
    """What the paper gives as ratios, with its numbers."""
    def against(function):
        return {labels[name]: [function(sample[topology][name], sample[topology]["icc"])
                               for sample in measured] for name in VICTIM if name in labels}

    def published(numbers):
        return {labels[name]: numbers[name] for name in VICTIM if name in labels}

    mine = labels["icc"]
    return Dots(
        f"figure-9-{topology}", f"{mine} against others, as published ({topology})",
        f"Figures 5, 9 and 10: what {mine} gains, medians and intervals of the samples. Diamonds: "
        "published (for pauses: at least).",
        {"FCT of F1 of 12.5 MB (times)": (
            against(lambda o, m: claims.quotient(o.short_fct, m.short_fct)), published(VICTIM)),
         "p99 of H2..H16 (times)": (against(lambda o, m: claims.quotient(o.burst_p99, m.burst_p99)),
                                    published(BURST_P99)),
         "pauses avoided (%)": (against(lambda o, m: claims.relative_reduction(m.xoffs, o.xoffs)),
                                published(PAUSES))}, columns=3)


def notes():
    return [
        "Samples: the burst begins at a random time of a round trip of F1, and switches that mark at "
        "random draw anew.",
        "Topology: figure 3 is not described in full. 2sw has the receivers at S1, 3sw behind it at "
        "S2; the bursts come from H2..H16, four flows each, and 60 from Hb, all to R1. Figure 10 of "
        "the paper is about those of H2..Hn, and so are the claims with numbers; claims and columns "
        "with all bursts are about the 120. H0 is silent: with F0 on the same port F1 could not have "
        "the 100 Gb/s that figure 5 shows (--f0 turns it on).",
        "DCQCN, TIMELY and PCN: the paper does not say which parameters it took. One published set "
        "stands for each in all figures of the paper, the one whose time until F1 recovers is nearest to "
        "the published one (a check of every run): "
        f"{', '.join(BY_NAME[name].label for name in BASELINES)}. The same claims under the other sets "
        "are listed apart and not counted.",
        "The 15 times faster completion of the abstract appears nowhere in the evaluation and is "
        "not a claim here.",
        "ICC is the algorithm of the paper, by the readings above. ICC (derived) is an algorithm of this "
        "module: its claims are listed apart and not counted."]
