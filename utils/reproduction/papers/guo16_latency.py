# SPDX-License-Identifier: GPL-2.0-only
"""RDMA over commodity Ethernet at scale: latencies of TCP and of RDMA."""

from .. import claims, results as metrics
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME

TITLE = "RDMA at scale: latencies of TCP and of RDMA"
SOURCE = ("Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 5.4, figure 6; "
          "a service in production, measured by Pingmesh")
KERNEL = "50us"  # ours: mean time of a message in the kernel of one end
WINDOW = 10.0  # ms, of a percentile over time
RDMA_P99, RDMA_P999, TCP_P99 = 90, 200, 700  # us
SPIKES = 2000  # us, "several ms"
# By name: senders of a burst, and bytes of an answer. The paper has neither. It names drops in incasts
# as a cause: what counts are the shortest bursts here in which TCP loses frames in all samples.
BURSTS = {f"48 x {size} KB": (48, size * 1024) for size in (16, 32, 64)}
COUNTED = "48 x 32 KB"
KINDS = ("RDMA", "TCP", "TCP with kernels")


def samples(options):
    return 3 if options.quick else 10


def bursts(options):
    return (COUNTED,) if options.quick else tuple(BURSTS)


def name_of(burst):
    return burst.replace(" ", "").lower()


def runs(options, sample):
    stop = "60ms" if options.quick else "200ms"
    return [Run(name_of(name), "guo16-latency",
                (f"--senders={BURSTS[name][0]}", f"--bytes={BURSTS[name][1]}", f"--kernel={KERNEL}",
                 f"--stop={stop}", *BY_NAME["dcqcn"].arguments(), *sample.option("run")))
            for name in bursts(options) if name == COUNTED or sample.number < 3]


class Measured:
    """What is measured of one run. times: by kind, us; windows: by kind, the 99th percentile over
    time."""

    def __init__(self, result):
        rows = result.rows("latency.csv")
        self.drops = result.summary["lossless_drops"]
        self.lost = result.summary["lossy_drops"]
        self.xoffs = result.summary["pfc_xoff_frames"]
        self.percentiles, self.windows, self.count = {}, {}, {}
        for kind in KINDS:
            probes = [(int(row["sent_ns"]) / 1e6, (int(row["network_ns"]) + (
                int(row["kernel_ns"]) if kind == KINDS[2] else 0)) / 1e3)
                      for row in rows if row["kind"] == kind.split()[0]]
            times = sorted(time for _, time in probes)
            self.count[kind] = len(times)
            self.percentiles[kind] = {each: permille(times, 10 * each)
                                      for each in (50, 99, 99.9)}
            bins = {}
            for sent, time in probes:
                bins.setdefault(int(sent / WINDOW), []).append(time)
            self.windows[kind] = [((index + 0.5) * WINDOW, metrics.percentile(bins[index], 99))
                                  for index in sorted(bins)]


def permille(ordered, share):
    """The nearest rank; None without values."""
    return ordered[max(0, -(-len(ordered) * int(share) // 1000) - 1)] if ordered else None


def measure(results, options):
    return {name: Measured(results[name_of(name)]) for name in bursts(options)
            if name_of(name) in results}


def check(one, kind, where):
    """Claims about TCP of a kind. where: for the text."""
    rdma, tcp = one.percentiles["RDMA"], one.percentiles[kind]
    return [
        claims.best(f"99th percentile of RDMA against TCP, {where}", "figure 6", rdma[99],
                    [tcp[99]], "us"),
        claims.best(f"99.9th percentile of RDMA against the 99th of TCP, {where}", "figure 6",
                    rdma[99.9], [tcp[99]], "us"),
        claims.value(f"99th percentile of TCP, {where}", "figure 6", TCP_P99, tcp[99], "us"),
        claims.at_least(f"longest 99th percentile of TCP over {WINDOW:.0f} ms, {where}",
                        "figure 6, spikes of several ms", SPIKES,
                        max((p99 for _, p99 in one.windows[kind]), default=None), "us")]


def evaluate(measured, _):
    evaluation = Evaluation(notes=[
        "Four ToRs with 16 servers each, four spines, 40 Gb/s. Servers answer one of them at the same "
        "time, at random times; each server sends 175 Mb/s by TCP and as much by RDMA on average, less "
        "than 1 % of its link. TCP (ns-3's, a least timeout of 10 ms) has a lossy class, RDMA (DCQCN) a "
        "lossless one, with equal weights; 12 MiB of buffer, alpha 1/16 for pauses and for drops. Each "
        "server probes four others by both kinds, 512 B each way. The paper gives the load and that "
        "answers come many to one; alpha of lossy classes and timeouts are ours, and so are the sizes of "
        "bursts: it names drops of TCP as a cause, so that the shortest bursts of the table in which TCP "
        f"loses frames in all samples are counted, {COUNTED}, and the others are not.",
        f"Kernels: the model has no hosts. The program can let a message wait {KERNEL} on average, "
        "exponentially, in the kernel of an end, four times in a round trip of TCP. The mean is an "
        "assumption: the paper names kernels as a cause and has no number. So claims about the network "
        "alone are counted, and those with kernels are not. Samples: other bursts and servers."])
    one = measured[COUNTED]
    rdma = one.percentiles["RDMA"]
    missing = "hosts are not modelled: a NIC, its driver and PCIe take no time"
    evaluation.claims = [
        claims.value("99th percentile of RDMA", "figure 6", RDMA_P99, rdma[99], "us",
                     reason=missing),
        claims.value("99.9th percentile of RDMA", "figure 6", RDMA_P999, rdma[99.9], "us",
                     reason=missing),
        *check(one, "TCP", "network alone")]
    evaluation.others = check(one, KINDS[2], f"kernels of {KERNEL} on average")
    for name, other in measured.items():
        if name != COUNTED:
            evaluation.others += check(other, "TCP", f"network alone, bursts of {name}")
    rows = [[name, kind, *each.percentiles[kind].values(),
             max((p99 for _, p99 in each.windows[kind]), default=None),
             each.lost if kind != "RDMA" else each.drops, each.xoffs if kind == "RDMA" else 0]
            for name, each in measured.items() for kind in KINDS]
    evaluation.tables.append(Table("Round trips of probes", [
        "bursts", "probes", "median (us)", "99 % (us)", "99.9 % (us)",
        "longest 99 % of 10 ms (us)", "frames dropped", "XOFF frames"], rows))
    evaluation.checks = [claims.Check("frames that TCP loses, counted bursts", "above 0", str(one.lost),
                                      one.lost > 0)]
    evaluation.checks += [claims.no_drops(name, each.drops) for name, each in measured.items()]
    evaluation.checks += [claims.Check(f"probes, {kind}", ">= 1000", str(one.count[kind]),
                                       one.count[kind] >= 1000) for kind in KINDS[:2]]
    return evaluation


def draw(measured, _):
    figure = Figure("figure-6", "99th percentile of round trips over time",
                    f"Windows of {WINDOW:.0f} ms, the first sample. Figure 6 of the paper: 90 us for "
                    "RDMA, 700 us for TCP (dotted), with spikes of several ms. The time in kernels is "
                    "an assumption.")
    figure.labels("time (ms)", "us")
    for index, kind in enumerate(KINDS):
        figure.line(*zip(*measured[0][COUNTED].windows[kind]), "", index, kind)
    for published in (RDMA_P99, TCP_P99):
        figure.axes.axhline(published, color="#555555", linewidth=0.8, linestyle=":")
    figure.axes.set_yscale("log")
    figure.plain_ticks("y", (10, 30, 100, 300, 1000, 3000, 10000))
    return [figure]
