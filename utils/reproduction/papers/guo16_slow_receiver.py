# SPDX-License-Identifier: GPL-2.0-only
"""The slow-receiver symptom of RDMA over Commodity Ethernet at Scale, section 6.4."""

from .. import claims
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import median

TITLE = "Slow receiver (Guo et al., section 6.4)"
SOURCE = ("Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6.4: 2 MB pages in "
          "place of 4 KB, and dynamic in place of static buffers, reduce the PAUSE frames")
MIB = 1 << 20
ENTRIES, MISS_US, LINE, PAYLOAD_BITS, PCIE = 2048, 1.0, 40.0, 8192, 64.0
ARRIVAL_US = 1106 * 8 / (LINE * 1e3)  # of a packet of 1024 bytes of payload
SMALL, LARGE = 4096, 2 * MIB
REGIONS = {SMALL: (4, 8, 9, 12, 16, 24, 32, 48, 64, 80, 128, 256, 1024),
           LARGE: (4, 16, 64, 256, 1024)}
BURSTS = ("--burstBytes=2000000", "--burstEvery=2ms")
BUFFERS = {"static": ("--staticBytes=300000",), "dynamic": ("--alpha=0.25",)}


def name_of(page, region):
    return f"{'4k' if page == SMALL else '2m'}-{region}mib"


def regions(options, page):
    return REGIONS[page][::4] if options.quick else REGIONS[page]


def samples(options):
    return 3 if options.quick else 10


def runs(options, sample):
    """Other pages are drawn."""
    steady = [Run(name_of(page, region), "guo16-slow-receiver",
                  (f"--page={page}", f"--region={region}MiB", *sample.option("run")))
              for page in REGIONS for region in regions(options, page) if sample.number < 3]
    bursts = [Run(f"burst-{page_name}-{buffers}", "guo16-slow-receiver",
                  (*BURSTS, *arguments, f"--page={page}", "--region=16MiB",
                   *sample.option("run")))
              for page_name, page in (("4k", SMALL), ("2m", LARGE))
              for buffers, arguments in BUFFERS.items()]
    return steady + bursts


def expected(page, region):
    """Goodput by the closed form, Gb/s: pages drawn uniformly, least recently used goes."""
    misses = 1 - min(1.0, ENTRIES * page / (region * MIB))
    processing = PAYLOAD_BITS / (PCIE * 1e3) + misses * MISS_US
    return PAYLOAD_BITS / (max(processing, ARRIVAL_US) * 1e3)


class Measured:
    """What is measured of one run."""

    def __init__(self, result):
        warm, end = [{key: int(value) for key, value in row.items()}
                     for row in result.rows("receiver.csv")]
        took = end["time_ns"] - warm["time_ns"]
        self.goodput = 8 * (end["delivered_bytes"] - warm["delivered_bytes"]) / took
        touched = end["touched"] - warm["touched"]
        self.misses = (end["misses"] - warm["misses"]) / touched if touched else 0.0
        self.nic_xoffs = end["xoffs"]
        self.dropped = end["dropped"]
        self.to_leaf = len(result.xoffs("T1->L"))
        self.to_tor = len(result.xoffs("L->T0"))
        self.to_sender = len(result.xoffs("T0->S")) + len(result.xoffs("T0->V"))
        victim = result.throughput("W", "rx_bps")
        self.victim = sum(victim[1]) / max(1, len(victim[1]))
        self.drops = result.summary["lossless_drops"]


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def evaluate(measured, options):
    evaluation = Evaluation(claims=check(measured), notes=[
        "S sends to R, V to W, across T0, a leaf and T1 (40 Gb/s hosts, 80 Gb/s uplinks, packets of "
        "1 KiB). R's NIC has translations of 2048 pages, writes at 64 Gb/s, and takes 1 us for each "
        "page that it must look up; its buffer is 1 MB, with XOFF at 0.75 and XON at 0.5.",
        "Bursts: 2 MB every 2 ms, which is 8 Gb/s in the mean, below what R takes with 4 KB pages "
        "and 16 MiB (13 Gb/s). Static thresholds are 300 KB, dynamic ones 1/4 of the free buffer of "
        "12 MB. Samples: other pages are drawn; of the runs with one flow all the time there are three."])
    evaluation.checks = [claims.no_drops(name, m.drops + m.dropped) for name, m in measured.items()]
    evaluation.checks += [closed_form(measured, page, region)
                          for page in REGIONS for region in regions(options, page)
                          if name_of(page, region) in measured]
    evaluation.tables += [throughput_table(measured, options), burst_table(measured)]
    return evaluation


def closed_form(measured, page, region):
    """Goodput against the closed form of the model."""
    name, wanted = name_of(page, region), expected(page, region)
    goodput = measured[name].goodput
    return claims.Check(f"goodput {name}", f"{claims.number(wanted)} Gb/s within 2 %",
                        claims.number(goodput), claims.near(wanted, goodput, 0.02))


def throughput_table(measured, options):
    rows = []
    for page in REGIONS:
        for region in regions(options, page):
            m = measured.get(name_of(page, region))
            if m:
                rows.append(["4 KB" if page == SMALL else "2 MB", str(region), m.misses, m.goodput,
                             expected(page, region), m.nic_xoffs])
    return Table("One flow all the time", ["page", "region (MiB)", "miss ratio", "goodput (Gb/s)",
                                           "closed form (Gb/s)", "times that the NIC paused"], rows)


def burst_table(measured):
    rows = []
    for page, text in (("4k", "4 KB"), ("2m", "2 MB")):
        for buffers in BUFFERS:
            m = measured[f"burst-{page}-{buffers}"]
            rows.append([text, buffers, m.nic_xoffs, m.to_leaf, m.to_tor, m.to_sender, m.victim])
    return Table("Bursts: XOFF frames", ["page", "thresholds", "times that the NIC paused",
                                         "ToR to leaf", "leaf to other ToR", "other ToR to hosts",
                                         "V to W (Gb/s)"], rows)


def draw(measured, options):
    return [throughput_figure(measured, options), pause_figure(measured)]


def throughput_figure(measured, options):
    pages = {SMALL: "4 KB pages", LARGE: "2 MB pages"}
    figure = Figure("throughput", "Goodput against the size of the region", "One flow all the time, "
                    "medians of the samples; dashed: the closed form of the model. The paper has no "
                    "numbers.", list(pages.values()), 2, 2.2)
    figure.labels("region (MiB)", "Gb/s")
    grid = [4 * 1.05 ** i for i in range(115)]
    for page, label in pages.items():
        figure.line(grid, [expected(page, region) for region in grid], label, 1, "closed form",
                    marker=None)
        chosen = regions(options, page)
        figure.line(chosen, [median(sample[name_of(page, region)].goodput for sample in measured
                                    if name_of(page, region) in sample) for region in chosen], label,
                    0, "measured", marks=True, linestyle="none")
    for axes in figure.each():
        axes.set_xscale("log", base=2)
    figure.plain_ticks("x", REGIONS[LARGE])
    figure.axes.set_ylim(0, 42)
    return figure


def pause_figure(measured):
    runs_ = {"burst-4k-static": "4 KB pages, static", "burst-4k-dynamic": "4 KB pages, dynamic",
             "burst-2m-static": "2 MB pages, static", "burst-2m-dynamic": "2 MB pages, dynamic"}
    counters = {"nic_xoffs": "pauses of the NIC", "to_leaf": "ToR to leaf (XOFF frames)",
                "to_tor": "leaf to other ToR (XOFF frames)",
                "to_sender": "other ToR to hosts (XOFF frames)"}
    return Dots("pauses", "Pauses by hop, bursts of 2 MB every 2 ms", "Medians and intervals of the "
                "samples. The paper has no numbers.", {
                    title: ({label: [getattr(sample[name], attribute) for sample in measured]
                             for name, label in runs_.items()}, None)
                    for attribute, title in counters.items()}, columns=2)


def check(measured):
    static, dynamic = measured["burst-4k-static"], measured["burst-4k-dynamic"]
    large = measured["burst-2m-static"]
    return [claims.best("pauses of the NIC, 2 MB against 4 KB pages", "section 6.4: fewer",
                        large.nic_xoffs, [static.nic_xoffs], "pauses"),
            claims.best("XOFF frames from ToR to leaf, dynamic against static",
                        "section 6.4: fewer are propagated", dynamic.to_leaf, [static.to_leaf],
                        "frames")]
