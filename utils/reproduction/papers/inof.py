# SPDX-License-Identifier: GPL-2.0-only
"""iNOF: failover of storage, and how long notification takes."""

from .. import claims
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import Scheme

TITLE = "iNOF: storage that is told of failures"
SOURCE = ("H3C, intelligent lossless network technology white paper, iNOF; it publishes no numbers: "
          "its claims are qualitative, and the times of processors and keep-alives are ours")
FAULTS = {"link": "the cable of the disk is cut", "leaf": "the uplinks of its leaf are cut",
          "crash": "the disk falls silent", "reflector": "one of two reflectors dies"}
TIMEOUTS = (1, 4, 16.8, 67.1)  # ms; 67.1 ms is code 14 of InfiniBand's local ACK timeout
STARS = (4, 16, 64, 256)
LEAVES = (2, 4, 8, 16)  # of 16 hosts
INSTANT = tuple(f"--ns3::{name}=0s" for name in (
    "InofSwitchAgent::HostMessageDelay", "InofSwitchAgent::SessionMessageDelay",
    "InofHostAgent::MessageDelay"))
ALERT = tuple(f"--ns3::{name}::HelloInterval=2ms" for name in ("InofHostAgent", "InofSwitchAgent"))
INOF = Scheme("inof", "iNOF", "#1f77b4", "")
RETRIES = Scheme("retries", "retries, 8 x 4 ms", "#d62728", "")
SLOW = Scheme("slow", "retries, 8 x 67.1 ms", "#ff7f0e", "")


def timeout(milliseconds):
    return f"--ns3::RdmaQueuePair::RetransmitTimeout={milliseconds}ms"


def end(options, milliseconds):
    """End of a run; the fault is at 50 ms, and eight timeouts later the retries give up."""
    return f"--stop={60 + 9 * milliseconds if options.quick else 700:.0f}ms"


def runs(options):
    stop = end(options, 4)
    wanted = [Run(f"{fault}-inof", "inof-failover", (f"--fault={fault}", stop)) for fault in FAULTS]
    wanted += [Run(f"{fault}-retries", "inof-failover",
                   (f"--fault={fault}", "--useInof=false", stop)) for fault in FAULTS]
    wanted.append(Run("crash-alert", "inof-failover", ("--fault=crash", stop, *ALERT)))
    for each in TIMEOUTS:
        for mode in ("true", "false"):
            wanted.append(Run(f"timeout-{each}-{mode}", "inof-failover",
                              (f"--useInof={mode}", end(options, each), timeout(each))))
    for name, extra in (("", ()), ("-instant", INSTANT)):
        stars, leaves = (STARS[:2], LEAVES[:2]) if options.quick else (STARS, LEAVES)
        wanted += [Run(f"star-{hosts}{name}", "inof-latency", (f"--hosts={hosts}", *extra))
                   for hosts in stars]
        wanted += [Run(f"leaves-{count}{name}", "inof-latency",
                       (f"--leaves={count}", "--hosts=16", *extra)) for count in leaves]
        wanted += [Run(f"tree-{k}{name}", "inof-latency", (f"--k={k}", *extra))
                   for k in ((4,) if options.quick else (4, 8))]
    return wanted


def failover(result):
    """(interruption in ms, failovers, why) of a run."""
    row = result.rows("failover.csv")[0]
    return int(row["interruption_ns"]) / 1e6, int(row["failovers"]), row["why"]


def latency(result, column):
    """(number of hosts, us until the last of them is told)."""
    rows = result.rows("notification.csv")
    return len(rows) + 1, max(int(row[column]) for row in rows) / 1e3


def told(result):
    """Whether every host was told of both events."""
    return all(int(row["down_ns"]) > 0 and int(row["up_ns"]) > 0
               for row in result.rows("notification.csv"))


def evaluate(results, options):
    evaluation = Evaluation(notes=[
        "A server at one leaf writes 4 KB I/Os, two at a time, to disk A at another; disk B at a "
        "third is redundant. Without iNOF the server moves when its queue pair has exhausted its "
        "retries, which is RetryLimit + 1 timeouts. Messages take 10 us of processor between host "
        "and switch and 1 ms between switches; keep-alives are due every second (three may be "
        "missing) and every 10 ms (three)."])
    interruption = {name: failover(result) for name, result in results.items()
                    if result.run.program == "inof-failover"}
    evaluation.claims = check(interruption, results)
    evaluation.checks = [claims.Check(f"all hosts are told, {name}", "all", "all" if told(result)
                                      else "not all", told(result))
                         for name, result in results.items()
                         if result.run.program == "inof-latency"]
    evaluation.tables.append(Table("Interruption of I/O (ms)", [
        "fault", "iNOF", "reason", "retries, 8 x 4 ms", "reason"],
        [[text, claims.number(interruption[f"{fault}-inof"][0]), interruption[f"{fault}-inof"][2],
          claims.number(interruption[f"{fault}-retries"][0]),
          interruption[f"{fault}-retries"][2]] for fault, text in FAULTS.items()]
        + [["the disk falls silent, keep-alives of 2 ms", claims.number(interruption["crash-alert"][0]),
            interruption["crash-alert"][2], "", ""]]))
    evaluation.tables.append(Table("Time until all hosts are told (us)", [
        "fabric", "hosts", "gone", "back", "gone, processors taking no time"],
        [[name, latency(results[name], "down_ns")[0]] + [claims.number(value) for value in (
            latency(results[name], "down_ns")[1], latency(results[name], "up_ns")[1],
            latency(results[name + "-instant"], "down_ns")[1])]
         for name in results if name.startswith(("star", "leaves", "tree"))
         and not name.endswith("instant")]))
    evaluation.figures = [draw_rate(results), draw_timeouts(interruption), draw_latency(results)]
    return evaluation


def check(interruption, results):
    quick = interruption["link-inof"][0]
    found = [
        claims.best("interruption of I/O when the link of a disk is cut", "iNOF: fast failover, no "
                    "wait for the timeout of the connection", quick,
                    [interruption["link-retries"][0]], "ms"),
        claims.best("interruption of I/O when a leaf is cut off", "iNOF: fast failover", interruption[
            "leaf-inof"][0], [interruption["leaf-retries"][0]], "ms"),
        silent(interruption["crash-inof"][0], interruption["crash-retries"][0],
               interruption["crash-alert"][0]),
        claims.at_most("failovers when one of two reflectors dies",
                       "iNOF: reflectors of a cluster stand in for each other", 0,
                       interruption["reflector-inof"][1], "failovers")]
    hosts, _ = latency(results["star-4"], "up_ns")
    heard = sum(int(row["up_ns"]) > 0 for row in results["star-4"].rows("notification.csv"))
    found.append(claims.at_least("hosts that learn of one that is plugged in, of all others",
                                 "iNOF: plug and play", hosts - 1, heard, "hosts"))
    return found


def silent(mine, other, alert):
    """A disk that falls silent: as late as the retries is not faster."""
    verdict = claims.REPRODUCED if mine < other else claims.NOT_REPRODUCED
    return claims.make("interruption of I/O when a disk falls silent", "iNOF: fast failover",
                       f"less than {claims.number(other)}", mine, "ms", claims.ORDER, verdict,
                       "three keep-alives of a second, which is our choice, take longer than the "
                       f"retries, which act first; with 2 ms it is {claims.number(alert)} ms")


def draw_rate(results):
    figure = Figure("io-rate", "I/Os when the link of the disk is cut at 50 ms", "time (ms)",
                    "I/Os in 0.5 ms",
                    "Completed I/Os of the server. With eight timeouts of 67.1 ms the gap lasts "
                    f"{claims.number(failover(results['timeout-67.1-false'])[0])} ms.")
    for scheme, name in ((INOF, "link-inof"), (RETRIES, "link-retries"),
                         (SLOW, "timeout-67.1-false")):
        rows = results[name].rows("io.csv")
        figure.line(scheme, [int(row["time_ns"]) / 1e6 for row in rows],
                    [int(row["ios"]) for row in rows])
    figure.axes.set_xlim(40, 100)
    figure.axes.set_ylim(bottom=0)
    return figure


def draw_timeouts(interruption):
    figure = Figure("interruption", "Interruption of I/O when the link of the disk is cut",
                    "RetransmitTimeout (ms)", "interruption (ms)",
                    "Eight timeouts without iNOF; with it, two messages between switches, or the "
                    "retries where these are quicker.")
    for scheme, mode in ((INOF, "true"), (Scheme("retries", "retries", "#d62728", ""), "false")):
        figure.line(scheme, TIMEOUTS, [interruption[f"timeout-{each}-{mode}"][0]
                                       for each in TIMEOUTS], marker="o")
    figure.axes.set_xscale("log")
    figure.axes.set_yscale("log")
    figure.plain_ticks("x", TIMEOUTS)
    figure.plain_ticks("y", (1, 3, 10, 30, 100, 300))
    return figure


def draw_latency(results):
    figure = Figure("notification", "Time until all hosts know that one has gone", "hosts", "time (us)",
                    "Full lines: 10 us of processor a message between host and switch, 1 ms between "
                    "switches. Dashed: processors that take no time, so that wire and cable remain.")
    for kind, label, colour in (("star", "one switch", "#1f77b4"),
                                ("leaves", "leaf-spine, spines reflect", "#d62728"),
                                ("tree", "fat tree, core reflects", "#2ca02c")):
        for end, style in (("", "-"), ("-instant", "--")):
            points = sorted(latency(result, "down_ns") for name, result in results.items()
                            if name.startswith(kind) and name.endswith("instant") == bool(end))
            scheme = Scheme(kind, label + (", no processor time" if end else ""), colour, "")
            figure.axes.plot([p[0] for p in points], [p[1] for p in points], style, marker="o",
                             color=scheme.colour, label=scheme.label, linewidth=1.2)
    figure.axes.set_xscale("log", base=2)
    figure.axes.set_yscale("log")
    figure.plain_ticks("x", (4, 16, 64, 256))
    figure.plain_ticks("y", (1, 10, 100, 1000))
    figure.move_legend_out()
    return figure
