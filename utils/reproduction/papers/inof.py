# SPDX-License-Identifier: GPL-2.0-only
"""iNOF: failover of storage, and how long notification takes."""

from dataclasses import replace

from .. import claims
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import median

TITLE = "iNOF: storage that is told of failures"
SOURCE = ("H3C, intelligent lossless network technology white paper, iNOF; it publishes no numbers: "
          "its claims are qualitative, and the times of processors and keep-alives are ours")
FAULTS = {"link": "the cable of the disk is cut", "leaf": "the uplinks of its leaf are cut",
          "crash": "the disk falls silent", "reflector": "one of two reflectors dies"}
TIMEOUTS = (1, 4, 16.8, 67.1)  # ms; 67.1 ms is code 14 of InfiniBand's local ACK timeout
STARS = (4, 16, 64, 256)
LEAVES = (2, 4, 8, 16)  # of 16 hosts
RATES = {"link-inof": "iNOF", "link-retries": "retries, 8 x 4 ms",
         "timeout-67.1-false": "retries, 8 x 67.1 ms"}
INSTANT = tuple(f"--ns3::{name}=0s" for name in (
    "InofSwitchAgent::HostMessageDelay", "InofSwitchAgent::SessionMessageDelay",
    "InofHostAgent::MessageDelay"))
ALERT = tuple(f"--ns3::{name}::HelloInterval=2ms" for name in ("InofHostAgent", "InofSwitchAgent"))
FAULT, PERIOD = 50000.0, 10000.0  # us: of the fault, between two keep-alives of switches


def timeout(milliseconds):
    return f"--ns3::RdmaQueuePair::RetransmitTimeout={milliseconds}ms"


def end(options, milliseconds):
    """End of a run; the fault is at 50 to 60 ms, and eight timeouts later the retries give up."""
    return f"--stop={(70 if options.quick else 110) + 9 * milliseconds:.0f}ms"


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    """The fault comes at other phases of I/O and keep-alives; notification is deterministic."""
    stop = end(options, 4)
    wanted = [Run(f"{fault}-inof", "inof-failover", (f"--fault={fault}", stop)) for fault in FAULTS]
    wanted += [Run(f"{fault}-retries", "inof-failover",
                   (f"--fault={fault}", "--useInof=false", stop)) for fault in FAULTS]
    wanted.append(Run("crash-alert", "inof-failover", ("--fault=crash", stop, *ALERT)))
    for each in TIMEOUTS if sample.number < 3 else ():
        for mode in ("true", "false"):
            wanted.append(Run(f"timeout-{each}-{mode}", "inof-failover",
                              (f"--useInof={mode}", end(options, each), timeout(each))))
    if sample.number:
        at = f"--at={FAULT + sample.phase(PERIOD):g}us"
        return [replace(run, arguments=(*run.arguments, at)) for run in wanted]
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


class Measured:
    """What is measured of a sample: (ms of interruption, failovers, why) by run; of the first, hosts
    and times of notification, and I/Os by time."""

    def __init__(self, results):
        self.interruption = {name: failover(result) for name, result in results.items()
                             if result.run.program == "inof-failover"}
        told_ = {name: result for name, result in results.items()
                 if result.run.program == "inof-latency"}
        self.told = {name: told(result) for name, result in told_.items()}
        self.latency = {(name, column): latency(result, column) for name, result in told_.items()
                        for column in ("down_ns", "up_ns")}
        self.heard = sum(int(row["up_ns"]) > 0 for row in results["star-4"].rows(
            "notification.csv")) if "star-4" in results else None
        self.rates = {name: [(int(row["time_ns"]) / 1e6, int(row["ios"]))
                             for row in results[name].rows("io.csv")] for name in RATES if name in results}


def measure(results, _):
    return Measured(results)


def evaluate(measured, options):
    evaluation = Evaluation(notes=[
        "A server at one leaf writes 4 KB I/Os, two at a time, to disk A at another; disk B at a "
        "third is redundant. Without iNOF the server moves when its queue pair has exhausted its "
        "retries, which is RetryLimit + 1 timeouts. Messages take 10 us of processor between host "
        "and switch and 1 ms between switches; keep-alives are due every second (three may be "
        "missing) and every 10 ms (three). Samples: the fault comes at other phases of these 10 ms; how "
        "long notification takes is deterministic. Timeouts in the figure have three samples."])
    interruption = measured.interruption
    evaluation.claims = check(interruption, measured)
    evaluation.checks = [claims.Check(f"all hosts are told, {name}", "all", "all" if all_ else "not all",
                                      all_) for name, all_ in measured.told.items()]
    evaluation.tables.append(Table("Interruption of I/O (ms)", [
        "fault", "iNOF", "reason", "retries, 8 x 4 ms", "reason"],
        [[text, interruption[f"{fault}-inof"][0], interruption[f"{fault}-inof"][2],
          interruption[f"{fault}-retries"][0],
          interruption[f"{fault}-retries"][2]] for fault, text in FAULTS.items()]
        + [["the disk falls silent, keep-alives of 2 ms", interruption["crash-alert"][0],
            interruption["crash-alert"][2], "", ""]]))
    evaluation.tables.append(Table("Time until all hosts are told (us)", [
        "fabric", "hosts", "gone", "back", "gone, processors taking no time"],
        [[name, *measured.latency[name, "down_ns"], measured.latency[name, "up_ns"][1],
          measured.latency[name + "-instant", "down_ns"][1]]
         for name in measured.told if not name.endswith("instant")]))
    return evaluation


def check(interruption, measured):
    quick = interruption["link-inof"][0]
    found = [
        claims.best("interruption of I/O when the link of a disk is cut", "iNOF: fast failover, no "
                    "wait for the timeout of the connection", quick,
                    [interruption["link-retries"][0]], "ms"),
        claims.best("interruption of I/O when a leaf is cut off", "iNOF: fast failover", interruption[
            "leaf-inof"][0], [interruption["leaf-retries"][0]], "ms"),
        claims.best("interruption of I/O when a disk falls silent", "iNOF: fast failover",
                    interruption["crash-inof"][0], [interruption["crash-retries"][0]], "ms",
                    "three keep-alives of a second, which is our choice, take longer than the retries, "
                    "which act first; with 2 ms it is "
                    f"{claims.number(interruption['crash-alert'][0])} ms"),
        claims.at_most("failovers when one of two reflectors dies",
                       "iNOF: reflectors of a cluster stand in for each other", 0,
                       interruption["reflector-inof"][1], "failovers")]
    if measured.heard is not None:
        hosts, _ = measured.latency["star-4", "up_ns"]
        found.append(claims.at_least("hosts that learn of one that is plugged in, of all others",
                                     "iNOF: plug and play", hosts - 1, measured.heard, "hosts"))
    return found


def draw(measured, _):
    first = measured[0]
    return [draw_rate(first), draw_timeouts(measured), draw_latency(first.latency)]


def draw_rate(first):
    figure = Figure("io-rate", "I/Os when the link of the disk is cut at 50 ms",
                    "Completed I/Os of the server, the first sample. With eight timeouts of 67.1 ms the "
                    f"gap lasts {claims.number(first.interruption['timeout-67.1-false'][0])} ms. The "
                    "white paper publishes no numbers.", list(RATES.values()))
    figure.labels("time (ms)", "I/Os in 0.5 ms")
    for name, label in RATES.items():
        figure.line(*zip(*first.rates[name]), label)
    figure.axes.set_xlim(40, 100)
    figure.axes.set_ylim(bottom=0)
    return figure


def draw_timeouts(measured):
    figure = Figure("interruption", "Interruption of I/O when the link of the disk is cut",
                    "Medians of the samples. Eight timeouts without iNOF; with it, two messages between "
                    "switches, or the retries where these are quicker.")
    figure.labels("RetransmitTimeout (ms)", "interruption (ms)")
    for index, (label, mode) in enumerate((("iNOF", "true"), ("retries", "false"))):
        figure.line(TIMEOUTS, [median(sample.interruption[f"timeout-{each}-{mode}"][0]
                                      for sample in measured[:3]) for each in TIMEOUTS], "", index, label,
                    marks=True)
    figure.axes.set_xscale("log")
    figure.axes.set_yscale("log")
    figure.plain_ticks("x", TIMEOUTS)
    figure.plain_ticks("y", (1, 3, 10, 30, 100, 300))
    return figure


def draw_latency(found):
    kinds = {"star": "one switch", "leaves": "leaf-spine, spines reflect",
             "tree": "fat tree, core reflects"}
    figure = Figure("notification", "Time until all hosts know that one has gone",
                    "Processors: 10 us a message between host and switch, 1 ms between switches. Without: "
                    "wire and cable remain. Deterministic.", list(kinds.values()))
    figure.labels("hosts", "time (us)")
    for kind, label in kinds.items():
        for index, (end_, text) in enumerate((("", "with processors"), ("-instant", "without"))):
            points = sorted(value for (name, column), value in found.items() if column == "down_ns"
                            and name.startswith(kind) and name.endswith("instant") == bool(end_))
            figure.line(*zip(*points), label, index, text, marks=True)
    figure.axes.set_xscale("log", base=2)
    figure.axes.set_yscale("log")
    figure.plain_ticks("x", (4, 16, 64, 256))
    figure.plain_ticks("y", (1, 10, 100, 1000))
    return figure
