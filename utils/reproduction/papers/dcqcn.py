# SPDX-License-Identifier: GPL-2.0-only
"""DCQCN: unfairness of PFC, victim flow, parameters, incast."""

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME, DCQCN_MARKING, Scheme, select

TITLE = "DCQCN: unfairness, victim flow, parameters, incast"
SOURCE = ("Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015; numbers of "
          "the testbed")
SCHEMES = ("none", "dcqcn")
SENDERS = (2, 4, 8, 16, 20)
DRAWS = 20
LINE = 40.0
STRAWMAN = ("--congestion=ns3::RdmaDcqcn", "--ns3::RdmaDcqcn::Dialect=Paper",
            "--ns3::RdmaDcqcn::IncreaseTimer=1500us", "--ns3::RdmaDcqcn::ByteCounter=150000",
            "--ns3::RdmaDcqcn::Gain=0.0625", "--ns3::WredEcnMarker::Kmin=40000",
            "--ns3::WredEcnMarker::Kmax=40000", "--ns3::WredEcnMarker::Pmax=1",
            DCQCN_MARKING[3].option)
PARAMETERS = {"strawman": STRAWMAN, "paper": BY_NAME["dcqcn"].arguments()}
STYLES = {"strawman": Scheme("strawman", "strawman (QCN)", "#b2182b", ""),
          "paper": Scheme("paper", "DCQCN", "#2166ac", "")}


def times(options):
    """(all others, victim, pair): length of the runs, ms; from line rate it takes 30 ms to converge."""
    return (10, 5, 60) if options.quick else (60, 60, 200)


def runs(options):
    unfair, victim, pair = times(options)
    chosen = select(SCHEMES, options.schemes)
    listed = []
    for scheme in chosen:
        for first in (3, 2):
            listed.append(Run(f"unfairness-{first}-{scheme.name}", "dcqcn-paper",
                              ("--scenario=unfairness", f"--first={first}", f"--stop={unfair}ms",
                               *scheme.arguments())))
        for extra in (0, 1, 2):
            for draw in range(1, (5 if options.quick else DRAWS) + 1):
                listed.append(Run(f"victim-{extra}-{scheme.name}-{draw}", "dcqcn-paper",
                                  ("--scenario=victim", f"--extra={extra}", f"--draw={draw}",
                                   f"--stop={victim}ms", *scheme.arguments())))
    if not options.schemes or "dcqcn" in options.schemes:
        for name, arguments in PARAMETERS.items():
            listed.append(Run(f"pair-{name}", "dcqcn-paper",
                              ("--scenario=pair", f"--stop={pair}ms", *arguments)))
        for senders in SENDERS:
            listed.append(Run(f"incast-{senders}", "dcqcn-paper",
                              ("--scenario=incast", f"--senders={senders}", f"--stop={unfair}ms",
                               *BY_NAME["dcqcn"].arguments())))
    return listed


def rate(result, host, column="tx_bps"):
    """Gb/s of a host in the second half of a run."""
    series = result.throughput(host, column)
    end = max(series[0], default=0)
    return metrics.average(series, end / 2, end)


def evaluate(results, options):
    evaluation = Evaluation(notes=notes())
    chosen = select(SCHEMES, options.schemes)
    for part in (unfairness, victim, parameters, incast):
        part(results, chosen, evaluation)
    drops = sum(result.summary["lossless_drops"] for result in results.values())
    evaluation.checks.append(claims.no_drops("all runs", drops))
    return evaluation


def unfairness(results, chosen, evaluation):
    hosts = ("H1", "H2", "H3", "H4")
    expected = {3: (6.67, 6.67, 6.67, 20.0), 2: (6.67, 6.67, 13.33, 13.33)}
    groups = {}
    for scheme in chosen:
        for first, split in ((3, "3 + 0"), (2, "2 + 1")):
            result = results[f"unfairness-{first}-{scheme.name}"]
            for index, host in enumerate(hosts):
                measured = rate(result, host)
                groups.setdefault(f"{host}\n{split}", {})[scheme.name] = measured
                claim = f"rate of {host}, {split} at the uplinks of T4, {scheme.label}"
                if scheme.name == "none":
                    fair = 10.0
                    evaluation.claims.append(claims.value(
                        claim, "figure 3, round robin of pauses", expected[first][index], measured,
                        "Gb/s", ordering=(measured > fair) == (expected[first][index] > fair)))
                else:
                    evaluation.claims.append(claims.value(
                        claim, "figure 8", 10.0, measured, "Gb/s",
                        reason="flows converge slower than the run lasts"))
    figure = Figure("figure-3-8", "Rates of four senders to R", "", "Gb/s",
                    "Figures 3 and 8: PFC alone is unfair by ingress port, DCQCN is not.")
    figure.bars(list(groups), chosen, groups)
    evaluation.figures.append(figure)


def victim(results, chosen, evaluation):
    groups, rows = {}, []
    for scheme in chosen:
        medians = []
        for extra in (0, 1, 2):
            rates = [rate(result, "VS") for name, result in results.items()
                     if name.startswith(f"victim-{extra}-{scheme.name}-")]
            medians.append(metrics.percentile(rates, 50))
            groups.setdefault(f"{extra} senders at T3", {})[scheme.name] = medians[-1]
            rows.append([scheme.label, extra, len(rates)] +
                        [claims.number(metrics.percentile(rates, p)) for p in (10, 50, 90)])
        if scheme.name == "none":
            for extra, published in ((0, 10.0), (2, 4.5)):
                evaluation.claims.append(claims.value(
                    f"median of VS, {extra} senders at T3, {scheme.label}", "figure 4", published,
                    medians[extra], "Gb/s", ordering=medians[extra] < 20 if extra == 0
                    else medians[2] < medians[0],
                    reason="depends on buffers and thresholds of the testbed's switches"))
        else:
            for extra in (0, 1, 2):
                evaluation.claims.append(claims.value(
                    f"median of VS, {extra} senders at T3, {scheme.label}", "figure 9", 20.0,
                    medians[extra], "Gb/s", ordering=medians[extra] > 20,
                    reason="VS has a path of its own in many of ECMP's draws"))
    figure = Figure("figure-4-9", "Victim flow VS, median over draws of ECMP", "", "Gb/s",
                    "Figures 4 and 9: senders at T3 hurt VS, whose path has nothing of theirs.")
    figure.bars(list(groups), chosen, groups)
    evaluation.figures.append(figure)
    evaluation.tables.append(Table("VS (Gb/s) over draws of ECMP", ["scheme", "senders at T3",
                                                                    "draws", "p10", "p50", "p90"],
                                   rows))


def difference(result):
    """Mean difference of the rates of H1 and H2 over steps of 1 ms, in the second half, Gb/s."""
    one, two = (metrics.smoothed(result.throughput(host, "tx_bps"), 1.0) for host in ("H1", "H2"))
    half = max(one[0], default=0) / 2
    return metrics.mean(abs(a - b) for time, a, b in zip(one[0], one[1], two[1]) if time > half)


def parameters(results, _, evaluation):
    if "pair-paper" not in results:
        return
    apart = {name: difference(results[f"pair-{name}"]) for name in PARAMETERS}
    one, two = rate(results["pair-paper"], "H1"), rate(results["pair-paper"], "H2")
    evaluation.claims += [
        claims.at_least("fairness of two flows, DCQCN parameters", "figure 12: converges", 0.95,
                        metrics.jain((one, two)), "Jain's index"),
        claims.best("difference of two flows' rates, DCQCN against strawman parameters",
                    "figures 11 and 12", apart["paper"], [apart["strawman"]], "Gb/s")]
    for name in PARAMETERS:
        result = results[f"pair-{name}"]
        figure = Figure(f"pair-{name}", f"Two flows, {STYLES[name].label} parameters", "time (ms)",
                        "Gb/s", "Figures 11 and 12: the second flow begins at 10 ms.")
        for host, style in (("H1", "-"), ("H2", "--")):
            line = Scheme(host, host, STYLES[name].colour, "", style=style)
            figure.line(line, *metrics.smoothed(result.throughput(host, "tx_bps"), 1.0))
        figure.axes.set_ylim(0, LINE * 1.05)
        evaluation.figures.append(figure)


def incast(results, _, evaluation):
    if f"incast-{SENDERS[0]}" not in results:
        return
    rows = []
    figure = Figure("figure-13-queue", "Queue at the port to R", "time (ms)", "KB",
                    "Incast: queue under DCQCN, means over 0.5 ms.")
    for index, senders in enumerate(SENDERS):
        result = results[f"incast-{senders}"]
        received = rate(result, "R", "rx_bps")
        times_, sizes = result.queue_of("T1->R")
        end = max(times_)
        queue = [size for time, size in zip(times_, sizes) if time > end / 2]
        bound = 95.0
        evaluation.claims.append(claims.at_least(
            f"utilisation, {senders}:1 incast", "section 6", bound, 100 * received / LINE, "%",
            reason="cuts of many flows at once leave the queue empty for a while"))
        rows.append([senders, claims.number(received), claims.number(metrics.mean(queue) / 1e3),
                     claims.number(max(queue) / 1e3), result.summary["pfc_xoff_frames"]])
        line = Scheme(str(senders), f"{senders}:1", f"C{index}", "")
        smooth = metrics.smoothed((times_, sizes), 0.5)
        figure.line(line, smooth[0], [size / 1e3 for size in smooth[1]])
    evaluation.figures.append(figure)
    evaluation.tables.append(Table("Incast under DCQCN, second half of the run",
                                   ["senders", "received (Gb/s)", "queue mean (KB)",
                                    "queue max (KB)", "XOFF frames (whole run)"], rows))


def notes():
    return [
        "Rates are those of the wire, means over the second half of each run. Without control, "
        "pauses go round the ingress ports of T4: ports share the line equally, not flows. The "
        "splits 3 + 0 and 2 + 1 are those of H1..H3 over the two uplinks of T4.",
        "Victim: VS (at T1) sends to VR (at T2), H11..H14 (at T1) and up to two hosts at T3 send to "
        "R (at T4). The testbed changed ECMP's choices between repetitions; here each draw is "
        "another hash.",
        "Parameters: the strawman is QCN's: increase timer 1.5 ms, byte counter 150 KB, marking at "
        "40 KB sharply, g 1/16."]
