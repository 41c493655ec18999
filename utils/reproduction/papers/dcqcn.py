# SPDX-License-Identifier: GPL-2.0-only
"""DCQCN: unfairness of PFC, victim flow, parameters, incast."""

from .. import claims, results as metrics
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME, DCQCN_MARKING, select

TITLE = "DCQCN: unfairness, victim flow, parameters, incast"
SOURCE = ("Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015; numbers of "
          "the testbed")
SCHEMES = ("none", "dcqcn")
SENDERS = (2, 4, 8, 16, 20)
DRAWS = 20
LINE = 40.0
ROUND_TRIP = 12.0  # us, across the spines
STRAWMAN = ("--congestion=ns3::RdmaDcqcn", "--ns3::RdmaDcqcn::Dialect=Paper",
            "--ns3::RdmaDcqcn::IncreaseTimer=1500us", "--ns3::RdmaDcqcn::ByteCounter=150000",
            "--ns3::RdmaDcqcn::Gain=0.0625", "--ns3::WredEcnMarker::Kmin=40000",
            "--ns3::WredEcnMarker::Kmax=40000", "--ns3::WredEcnMarker::Pmax=1",
            DCQCN_MARKING[3].option)
PARAMETERS = {"strawman": STRAWMAN, "paper": BY_NAME["dcqcn"].arguments()}
LABELS = {"strawman": "strawman (QCN)", "paper": "DCQCN"}
FAIR = 0.95  # Jain's index, ours
WINDOW = 10.0  # ms, over which two flows are fair or not: several swings
HOSTS = ("H1", "H2", "H3", "H4")
SPLITS = {3: "3 + 0", 2: "2 + 1"}
UNFAIR = {3: (6.67, 6.67, 6.67, 20.0), 2: (6.67, 6.67, 13.33, 13.33)}
FAIR_RATE = 10.0
VICTIM = {"none": {0: 10.0, 2: 4.5}, "dcqcn": {0: 20.0, 1: 20.0, 2: 20.0}}
EXTRAS = (0, 1, 2)


def samples(options):
    return 3 if options.quick else 10


def times(options):
    """(all others, victim, pair): length of the runs, ms; from line rate it takes 30 ms to converge."""
    return (10, 5, 60) if options.quick else (60, 60, 200)


def draws(options, sample):
    """Hashes of ECMP whose median a sample of the victim has."""
    count = 5 if options.quick else DRAWS
    return range(1 + sample.number * count, 1 + (sample.number + 1) * count)


def vary(sample):
    """Senders begin at other phases of a round trip, and switches that mark draw anew."""
    if not sample.number:
        return ()
    return (f"--phase={1e3 * sample.phase(ROUND_TRIP):.0f}ns", *sample.option("run"))


def runs(options, sample):
    unfair, victim, pair = times(options)
    listed = []
    for scheme in select(SCHEMES, options.schemes):
        for first in SPLITS:
            listed.append(Run(f"unfairness-{first}-{scheme.name}", "dcqcn-paper",
                              ("--scenario=unfairness", f"--first={first}", f"--stop={unfair}ms",
                               *scheme.arguments(), *vary(sample))))
        for extra in EXTRAS if sample.number < 3 else ():
            for place, draw in enumerate(draws(options, sample), 1):
                listed.append(Run(f"victim-{extra}-{scheme.name}-{place}", "dcqcn-paper",
                                  ("--scenario=victim", f"--extra={extra}", f"--draw={draw}",
                                   f"--stop={victim}ms", *scheme.arguments(), *vary(sample))))
    if not options.schemes or "dcqcn" in options.schemes:
        for name, arguments in PARAMETERS.items():
            listed.append(Run(f"pair-{name}", "dcqcn-paper",
                              ("--scenario=pair", f"--stop={pair}ms", *arguments, *vary(sample))))
        for senders in SENDERS:
            listed.append(Run(f"incast-{senders}", "dcqcn-paper",
                              ("--scenario=incast", f"--senders={senders}", f"--stop={unfair}ms",
                               *BY_NAME["dcqcn"].arguments(), *vary(sample))))
    return listed


def rate(result, host, column="tx_bps"):
    """Gb/s of a host in the second half of a run."""
    series = result.throughput(host, column)
    end = max(series[0], default=0)
    return metrics.average(series, end / 2, end)


class Pair:
    """Two flows."""

    def __init__(self, result):
        self.series = {host: metrics.smoothed(result.throughput(host, "tx_bps"), 1.0)
                       for host in ("H1", "H2")}
        long = [metrics.smoothed(result.throughput(host, "tx_bps"), WINDOW) for host in ("H1", "H2")]
        one, two = self.series.values()
        half = max(one[0], default=0) / 2
        self.apart = metrics.mean(abs(a - b) for time, a, b in zip(one[0], one[1], two[1])
                                  if time > half)
        self.jain = min((metrics.jain((a, b)) for time, a, b in zip(long[0][0], long[0][1], long[1][1])
                         if time > half and a + b > 0), default=None)


class Incast:
    """N senders to one."""

    def __init__(self, result):
        self.received = rate(result, "R", "rx_bps")
        times_, sizes = result.queue_of("T1->R")
        self.end = max(times_)
        late = sorted(size / 1e3 for time, size in zip(times_, sizes) if time > self.end / 2)
        self.mean, self.most = metrics.mean(late), late[-1]
        self.p90 = metrics.percentile(late, 90)
        self.xoffs = sum(row["type"] == "xoff" and int(row["time_ns"]) / 1e6 > self.end / 2
                         for row in result.rows("pfc.csv"))
        self.queue = metrics.smoothed((times_, [size / 1e3 for size in sizes]), 0.5)


class Measured:
    """What is measured of a sample."""

    def __init__(self, results):
        self.rates, self.victims, self.pairs, self.incasts = {}, {}, {}, {}
        for name, result in results.items():
            kind, *rest = name.split("-")
            if kind == "unfairness":
                self.rates[int(rest[0]), rest[1]] = [rate(result, host) for host in HOSTS]
            elif kind == "victim":
                self.victims.setdefault((int(rest[0]), rest[1]), []).append(rate(result, "VS"))
            elif kind == "pair":
                self.pairs[rest[0]] = Pair(result)
            else:
                self.incasts[int(rest[0])] = Incast(result)
        self.drops = sum(result.summary["lossless_drops"] for result in results.values())
        self.schemes = list(dict.fromkeys(scheme for _, scheme in self.rates))


def measure(results, _):
    return Measured(results)


def evaluate(measured, _):
    evaluation = Evaluation(notes=notes())
    for part in (unfairness, victim, parameters, incast):
        part(measured, evaluation)
    evaluation.checks.append(claims.no_drops("all runs", measured.drops))
    return evaluation


def unfairness(measured, evaluation):
    for (first, name), rates in measured.rates.items():
        for host, expected, got in zip(HOSTS, UNFAIR[first], rates):
            claim = f"rate of {host}, {SPLITS[first]} at the uplinks of T4, {BY_NAME[name].label}"
            if name == "none":
                sign = 1 if expected > FAIR_RATE else -1
                evaluation.claims.append(claims.value(
                    claim, "figure 3, round robin of pauses", expected, got, "Gb/s",
                    sign * (got - FAIR_RATE), True))
            else:
                evaluation.claims.append(claims.value(
                    claim, "figure 8", FAIR_RATE, got, "Gb/s",
                    reason="flows converge slower than the run lasts"))


def victim(measured, evaluation):
    rows, medians = [], {}
    for (extra, name), rates in measured.victims.items():
        medians[extra, name] = metrics.percentile(rates, 50)
        rows.append([BY_NAME[name].label, str(extra), str(len(rates)),
                     *(metrics.percentile(rates, p) for p in (10, 50, 90))])
    for (extra, name), got in medians.items():
        claim = f"median of VS, {extra} senders at T3, {BY_NAME[name].label}"
        if name == "none" and extra == 1:
            evaluation.claims.append(claims.best(
                claim + ", against no sender", "figure 4, plotted without a number in the text", got,
                [medians[0, name]], "Gb/s"))
        elif name == "none":
            evaluation.claims.append(claims.value(
                claim, "figure 4", VICTIM[name][extra], got, "Gb/s",
                20 - got if extra == 0 else medians[0, name] - got, True,
                "depends on buffers and thresholds of the testbed's switches"))
        else:
            evaluation.claims.append(claims.value(
                claim, "figure 9", VICTIM[name][extra], got, "Gb/s",
                reason="VS has a path of its own in many of ECMP's draws"))
    if rows:
        evaluation.tables.append(Table("VS (Gb/s) over draws of ECMP", [
            "scheme", "senders at T3", "draws", "p10", "p50", "p90"], rows))


def parameters(measured, evaluation):
    if not measured.pairs:
        return
    paper, strawman = measured.pairs["paper"], measured.pairs["strawman"]
    evaluation.claims += [
        claims.at_least("fairness of two flows, DCQCN parameters, least of 10 ms",
                        "figure 12: converges; 0.95 is ours", FAIR, paper.jain, "Jain's index"),
        claims.at_most("fairness of two flows, strawman parameters, least of 10 ms",
                       "figure 11: does not converge; 0.95 is ours", FAIR, strawman.jain,
                       "Jain's index", reason="the strawman swings about the fair rate and is fair over "
                       "several swings"),
        claims.best("difference of two flows' rates in 1 ms, DCQCN against strawman parameters",
                    "figures 11 and 12", paper.apart, [strawman.apart], "Gb/s")]


def incast(measured, evaluation):
    rows = []
    for senders, one in measured.incasts.items():
        evaluation.claims += [
            claims.at_least(f"utilisation, {senders}:1 incast", "section 6", 95.0,
                            100 * one.received / LINE, "%",
                            reason="cuts of many flows at once leave the queue empty for a while"),
            claims.at_most(f"pauses in the second half, {senders}:1 incast",
                           "figure 13: the queue is stable below the threshold of PFC", 0, one.xoffs,
                           "XOFF frames")]
        rows.append([f"{senders}:1", one.received, one.mean, one.p90, one.most, one.xoffs])
    if rows:
        evaluation.tables.append(Table("Incast under DCQCN, second half of the run", [
            "incast", "received (Gb/s)", "queue mean (KB)", "queue p90 (KB)", "queue max (KB)",
            "XOFF frames"], rows))


def draw(measured, _):
    first, names = measured[0], [BY_NAME[name].label for name in measured[0].schemes]
    quantities = {}
    for split, text in SPLITS.items():
        for name, label in zip(first.schemes, names):
            quantities[f"{label}, {text} (Gb/s)"] = (
                {host: [sample.rates[split, name][i] for sample in measured]
                 for i, host in enumerate(HOSTS)},
                dict(zip(HOSTS, UNFAIR[split] if name == "none" else [FAIR_RATE] * 4)))
    figures = [Dots("figure-3-8", "Rates of four senders to R", "Figures 3 and 8: PFC alone is unfair "
                    "by ingress port, DCQCN is not. Diamonds: published.", quantities, columns=2)]
    figures.append(Dots("figure-4-9", "Victim flow VS, medians over draws of ECMP",
                        "Figures 4 and 9: senders at T3 hurt VS, whose path has nothing of theirs. "
                        "Diamonds: published.", {
                            f"{label} (Gb/s)": (
                                {f"{extra} senders at T3": [
                                    metrics.percentile(sample.victims[extra, name], 50)
                                    for sample in measured if (extra, name) in sample.victims]
                                 for extra in EXTRAS},
                                {f"{extra} senders at T3": value
                                 for extra, value in VICTIM[name].items()})
                            for name, label in zip(first.schemes, names)}, columns=2))
    if first.pairs:
        figures += [draw_pairs(first), draw_queues(first)]
    return figures


def draw_pairs(first):
    figure = Figure("figure-11-12", "Two flows, the second begins at 10 ms",
                    "Figures 11 and 12: means over 1 ms, the first sample. The paper's fair rate of 20 "
                    "Gb/s is dotted.", [f"{LABELS[name]} parameters" for name in PARAMETERS], 2, 2.2)
    figure.labels("time (ms)", "Gb/s")
    for name in PARAMETERS:
        panel = f"{LABELS[name]} parameters"
        for index, (host, series) in enumerate(first.pairs[name].series.items()):
            figure.line(*series, panel, index, host, marker=None)
        figure.panels[panel].axhline(LINE / 2, color="#555555", linewidth=0.8, linestyle=":")
    figure.axes.set_ylim(0, LINE * 1.05)
    return figure


def draw_queues(first):
    figure = Figure("figure-13", "Queue at the port to R", "Figure 13: queue of an incast under DCQCN, "
                    "means over 0.5 ms, the first sample; a panel for each number of senders.",
                    [f"{senders}:1" for senders in first.incasts])
    figure.labels("time (ms)", "KB")
    for senders, one in first.incasts.items():
        figure.line(*one.queue, f"{senders}:1")
    figure.axes.set_ylim(bottom=0)
    return figure


def notes():
    return [
        "Rates are those of the wire, means over the second half of each run. Without control, "
        "pauses go round the ingress ports of T4: ports share the line equally, not flows. The "
        "splits 3 + 0 and 2 + 1 are those of H1..H3 over the two uplinks of T4. Samples: senders "
        "begin at other phases of a round trip, switches that mark at random draw anew, and the "
        "victim has other draws of ECMP (three samples).",
        "Victim: VS (at T1) sends to VR (at T2), H11..H14 (at T1) and up to two hosts at T3 send to "
        "R (at T4). The testbed changed ECMP's choices between repetitions; here each draw is "
        "another hash.",
        "Parameters: the strawman is QCN's: increase timer 1.5 ms, byte counter 150 KB, marking at "
        "40 KB sharply, g 1/16. Whether two flows converge is judged by Jain's index of their rates "
        "over 10 ms, the least of the second half; swings within 1 ms are a claim of their own."]
