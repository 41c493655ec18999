# SPDX-License-Identifier: GPL-2.0-only
"""Against machines: what was measured on hardware, and the same measurement on a fabric."""

import argparse
import math
from dataclasses import dataclass

from .. import claims, results as metrics
from ..figures import Figure, style
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import FIRST, interval
from ..schemes import BY_NAME
from . import dcqcn

TITLE = "Against machines: measurements of hardware"
SOURCE = "Each row has its source: logs of users in public threads, and papers"
NCCL, TESTS = "NVIDIA/nccl issue", "NVIDIA/nccl-tests issue"
PRESET = "the preset: two latencies, two unknowns"
GAP = "10.37ns"  # of a message of a queue pair: what 380.0 Gb/s leave of 16 KiB
HPCC = "HPCC, SIGCOMM 2019"
MRC = "MRC, arXiv 2605.04333"
DEEPSEEK = "Insights into DeepSeek-V3, arXiv 2505.09343"
DCQCN = "DCQCN, SIGCOMM 2015"
GUO16 = "Guo et al., SIGCOMM 2016"
ALL_OF_ONE_ACK = "--ackInterval=65535"
HEADER = ("row", "setup", "measured", "unit", "ours", "error", "tolerance", "in tolerance", "fitted",
          "source")


@dataclass(frozen=True)
class Row:
    """A row of the table. published: the number that was measured; None: nobody has. tolerance: a
    share; fitted: what was fitted on this row or, of a prediction, on another one. ours: what takes
    our number from Measured; digits: of it behind the point."""

    number: str
    setup: str
    published: float
    unit: str
    tolerance: float
    source: str
    ours: object
    digits: int = 2
    fitted: str = ""
    reason: str = ""

    @property
    def claim(self):
        return f"row {self.number}: {self.setup}"

    @property
    def is_judge(self):
        """Whether the row can say something: it was measured, and nothing was fitted on it."""
        return self.published is not None and not self.fitted


def of(run, name, factor=1.0):
    """What takes a value of a run."""
    return lambda measured: metrics.scaled(measured.values.get(run, {}).get(name), factor)


def bandwidth(size, queue_pairs, *more):
    return "--test=bandwidth", f"--bytes={size}", f"--queuePairs={queue_pairs}", *more


def latency(machine, size, switches, rate):
    return ("--test=latency", f"--machine={machine}", f"--bytes={size}", f"--switches={switches}",
            f"--rate={rate}", "--stop=1ms")


PLANES = ("--test=all-to-all", "--hosts=16", "--gpus=8", "--nics=8", "--segment=8", "--spines=8",
          "--bytes=16MiB", "--intraRate=1600Gbps", ALL_OF_ONE_ACK, "--congestion=ns3::RdmaDcqcn")
# Runs of the program machines, by name.
RUNS = {
    "write-128k": bandwidth(128 * 1024, 1),
    "write-16k-8": bandwidth(16 * 1024, 8),
    "write-1m-8": bandwidth(1024 * 1024, 8),
    "mrc": bandwidth(32 * 1024, 8, "--ports=8", "--rate=100Gbps"),
    "reduce-a100": ("--test=all-reduce", "--hosts=3", "--gpus=8", "--nics=4", "--rate=200Gbps",
                    "--bytes=131000000", ALL_OF_ONE_ACK),
    "reduce-100g": ("--test=all-reduce", "--hosts=2", "--rate=100Gbps", "--bytes=256MiB",
                    ALL_OF_ONE_ACK),
    **{f"gap-{size}k": bandwidth(size * 1024, 1, f"--messageGap={GAP}") for size in (8, 16, 32, 64)},
    **{f"{machine}-{switches}": latency(machine, size, switches, rate)
       for machine, size, rate in (("mrc-b", 2, "100Gbps"), ("deepseek-roce", 64, "400Gbps"),
                                   ("deepseek-ib", 64, "400Gbps"), ("hpcc-testbed", 64, "25Gbps"))
       for switches in (1, 3)},
    "rails": PLANES, "planes": (*PLANES, "--planes"),
}


def ecmp(draw):
    return ("--test=ecmp", "--rate=40Gbps", "--delay=1us", "--mtu=1024", "--stop=6ms",
            f"--ecmpDraw={draw}", *BY_NAME["dcqcn"].arguments())


def farthest(first, scheme, hosts, published):
    """The rate of hosts of dcqcn's unfairness that is farthest from a published one, Gb/s."""
    def take(measured):
        rates = measured.dcqcn.rates.get((first, scheme))
        return max((rates[dcqcn.HOSTS.index(host)] for host in hosts) if rates else (),
                   key=lambda rate: abs(rate - published), default=None)
    return take


def victim(extra, scheme):
    return lambda measured: metrics.percentile(measured.dcqcn.victims.get((extra, scheme), []), 50)


def rows():
    """The table."""
    write = "two hosts of 400G, MTU 4096, WRITE of"
    listed = [
        Row("1", f"{write} 128 KiB, 1 queue pair", 392.1, "Gb/s", 0.0005, f"{NCCL} 2409",
            of("write-128k", "goodput"), 3),
        Row("2", f"{write} 16 KiB, 8 queue pairs", 391.8, "Gb/s", 0.0005, f"{NCCL} 2409",
            of("write-16k-8", "goodput"), 3),
        *(Row("3", f"{write} {size} KiB, 1 queue pair", published, "Gb/s", 0, f"{NCCL} 2409",
              of(f"gap-{size}k", "goodput"), 1, f"a gap of {GAP} for each message")
          for size, published in ((16, 380.0), (8, None), (32, None), (64, None))),
        Row("4", f"{write} 1 MiB, 8 queue pairs", 391.5, "Gb/s", 0.003, f"{NCCL} 2409",
            of("write-1m-8", "goodput"), 3),
        *(Row(number, f"cluster B of MRC, 2 B, {where}", published, "us", 0, f"{MRC}, section 5.2",
              of(f"mrc-b-{switches}", "one way"), 2, PRESET)
          for number, where, switches, published in (("5", "below one switch", 1, 5.09),
                                                     ("6", "across three", 3, 6.54))),
        Row("7", "8 ports of 100G a host, WRITE of 32 KB; MRC there, RoCE over IPv4 here", 770, "Gb/s", 0.01,
            f"{MRC}, section 5.2", of("mrc", "goodput"), 1,
            reason="the packets of MRC have longer headers, and IPv6"),
    ]
    for number, machine, fabric, measured in (("8", "deepseek-roce", "RoCE", (3.6, 5.6)),
                                              ("9", "deepseek-ib", "InfiniBand", (2.8, 3.7))):
        listed += [Row(number, f"{fabric} of 400G, 64 B, {where}", published, "us", 0,
                       f"{DEEPSEEK}, table 5", of(f"{machine}-{switches}", "one way"), 2, PRESET)
                   for where, switches, published in (("same leaf", 1, measured[0]),
                                                      ("across leaves", 3, measured[1]))]
    listed += [Row("10", f"testbed of HPCC, 25G, round trip {where}", published, "us", 0, HPCC,
                   of(f"hpcc-testbed-{switches}", "one way", 2), 2, PRESET)
               for where, switches, published in (("in a rack", 1, 5.4), ("across racks", 3, 8.5))]
    for first, number, hosts in ((3, "11", (("H4",), ("H1", "H2", "H3"))),
                                 (2, "12", (("H3", "H4"), ("H1", "H2")))):
        for chosen in hosts:
            published = dcqcn.UNFAIR[first][dcqcn.HOSTS.index(chosen[0])]
            listed.append(Row(
                number, f"40G Clos, PFC alone, {dcqcn.SPLITS[first]} at the uplinks, "
                f"{' and '.join(chosen)}", published, "Gb/s", 0.03, f"{DCQCN}, figure 3",
                farthest(first, "none", chosen, published)))
    uplink = "ECMP gives the victim an uplink of its own in many draws"
    for scheme, number, figure in (("none", "12", 4), ("dcqcn", "13", 9)):
        for extra, published in dcqcn.VICTIM[scheme].items():
            listed.append(Row(
                number, f"40G Clos, {'PFC alone' if scheme == 'none' else 'DCQCN'}, victim with "
                f"{extra} senders at T3", published, "Gb/s", 0.15, f"{DCQCN}, figure {figure}",
                victim(extra, scheme), reason=uplink))
    for first in (3, 2):
        listed.append(Row("13", f"40G Clos, DCQCN, {dcqcn.SPLITS[first]} at the uplinks, the host "
                          "farthest from 10 Gb/s", dcqcn.FAIR_RATE, "Gb/s", 0.15, f"{DCQCN}, figure 8",
                          farthest(first, "dcqcn", dcqcn.HOSTS, dcqcn.FAIR_RATE)))
    listed += [
        Row("14", "Clos of 48 ToRs and 64 spines, 40G, 3072 connections, ECMP, of all 128 links "
            "between leaves and spines", 60, "%", 5 / 60, f"{GUO16}, section 5.4",
            lambda measured: measured.values.get("ecmp", {}).get("utilisation"), 1,
            reason="the hashes of the paper's switches are not known; here each switch draws its own"),
        Row("16", "3 x 8 A100, 4 x 200G a host (InfiniBand), all-reduce of 131 MB, ring: busbw", 96.1,
            "GB/s", 0.05, f"{TESTS} 119", of("reduce-a100", "busbw"), 1),
        Row("17", "100G a host (InfiniBand), large all-reduce: busbw", 12.2, "GB/s", 0.01,
            f"{TESTS} 29", of("reduce-100g", "busbw"), 3),
        Row("30", "training of V3 on 2048 GPUs: step over planes by step over rails; ours: all-to-all "
            "of 128 GPUs", 19.926 / 19.946, "times", 0.01, f"{DEEPSEEK}, table 4",
            lambda measured: claims.quotient(of("planes", "time")(measured),
                                             of("rails", "time")(measured)), 3),
    ]
    return listed


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    """Only draws of ECMP differ: all else is deterministic, or has many draws in one sample."""
    listed = [Run("ecmp", "machines", ecmp(sample.number + 1))]
    if sample.number:
        return listed
    listed += [Run(name, "machines", arguments) for name, arguments in RUNS.items()]
    whole = argparse.Namespace(**{**vars(options), "quick": False})  # short runs have not converged
    return listed + [run for run in dcqcn.runs(whole, FIRST)
                     if run.name.startswith(("unfairness-", "victim-"))]


class Measured:
    """Values by run and name, of the program machines; and those of DCQCN's testbed."""

    def __init__(self, results):
        self.values, testbed = {}, {}
        for name, result in results.items():
            if result.run.program == "machines":
                self.values[name] = {row["name"]: float(row["value"])
                                     for row in result.rows("machines.csv")}
            else:
                testbed[name] = result
        self.dcqcn = dcqcn.Measured(testbed)


def measure(results, _):
    return Measured(results)


def state(measured):
    """Claims of the rows that can say something."""
    return [claims.value(row.claim, row.source, row.published, row.ours(measured), row.unit,
                         reason=row.reason, tolerance=row.tolerance)
            for row in rows() if row.is_judge and row.ours(measured) is not None]


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "What was fitted proves nothing on the row on which it was fitted: such a row is in the table, "
        "and is not counted as a claim. Predictions that nobody has measured are in the table, too.",
        "Samples: draws of ECMP of row 14. The victim of rows 12 and 13 is the median over 20 draws of "
        "ECMP in one sample. All else is deterministic."])
    evaluation.claims = state(measured)
    drops = measured.values.get("ecmp", {}).get("lossless drops", 0) + measured.dcqcn.drops
    evaluation.checks = [claims.no_drops("all runs", drops)]
    return evaluation


WORDS = {claims.REPRODUCED: "yes", claims.UNDECIDED: "in part", claims.NOT_REPRODUCED: "no"}


def conclude(evaluation, samples_, _):
    """The table, of all samples."""
    verdicts = {claim.claim: WORDS[claim.verdict] for claim in evaluation.claims}
    found = []
    for row in rows():
        ours = interval(value for value in map(row.ours, samples_) if value is not None)
        if ours is None:
            continue
        judged = verdicts.get(row.claim, "fitted" if row.published is not None else "prediction")
        error = "" if row.published is None else f"{100 * (ours.median / row.published - 1):+.2f} %"
        found.append([row.number, row.setup, "" if row.published is None else f"{row.published:.4g}",
                      row.unit, f"{ours.median:.{row.digits}f}", error,
                      f"{100 * row.tolerance:.3g} %" if row.is_judge else "", judged, row.fitted,
                      row.source])
    evaluation.tables.insert(0, Table("Against machines", list(HEADER), found))


def draw(samples_, _):
    shown = [(row, interval(value for value in map(row.ours, samples_) if value is not None))
             for row in rows() if row.published is not None]
    shown = [(row, ours) for row, ours in shown if ours is not None]
    figure = Figure("machines", "Ours by measured: error", "Error of our number, percent of the "
                    "measured one; grey: the tolerance of the row. Hollow: a row on which something was "
                    "fitted, and which thus proves nothing. Linear within 0.1 %.")
    figure.figure.set_size_inches(8.4, 1.1 + 0.22 * len(shown))
    axes = figure.axes
    for place, (row, ours) in enumerate(reversed(shown)):
        if row.is_judge:
            axes.barh([place], [200 * row.tolerance], left=-100 * row.tolerance, height=0.75,
                      color=style.GRID)
        errors = [100 * (end / row.published - 1) for end in (ours.low, ours.median, ours.high)]
        axes.plot(errors[::2], [place, place], color=style.BLUE, linewidth=1.2)
        axes.plot([errors[1]], [place], color=style.BLUE, marker="o", markersize=4,
                  markerfacecolor=style.BLUE if row.is_judge else "none")
        figure.empty = not math.isfinite(errors[1])
    axes.axvline(0, color=style.BLACK, linewidth=0.8)
    axes.set_xscale("symlog", linthresh=0.1)
    figure.plain_ticks("x", (-100, -10, -1, -0.1, 0, 0.1, 1, 10, 100))
    axes.set_yticks(range(len(shown)), [f"{row.number}: {row.setup}"[:64] for row, _ in reversed(shown)],
                    fontsize=6.5)
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.grid(False, axis="y")
    axes.set_xlabel("error (%)")
    return [figure]
