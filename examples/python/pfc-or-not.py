#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What does a job lose or win when PFC is turned off? One collective over a leaf-spine fabric with
four transports, and with what goes wrong in fabrics: a slow link, a cut link, lost packets.

  pfc-or-not.py [--ranks=64] [--collective=all-reduce] [--size=4MiB] [--table=FILE.csv] [plot.png]
"""

import argparse
from typing import Any, Dict, List, Optional

import lossless as ll

# Round trip of the empty fabric: eight links of 1 us, packets of 4 KiB and ACKs, stored at each hop.
RTT, PRODUCT = "9.4us", 117_500  # bytes at 100 Gb/s
# Data and trimmed packets have queues of their own: trimmed packets get a quarter of a port.
TRIMMING = {"extensions": [ll.Part("TrimSwitch", base_rtt=RTT)],
            "scheduler": ll.Part("DwrrScheduler", weights="1,1,1,3,1,1,1,1", strict_classes=1 << 6)}
ECN = {"ecn": ll.Part("WredEcnMarker", kmin=int(0.2 * PRODUCT), kmax=int(0.8 * PRODUCT), pmax=1)}
REORDERED = ll.Part("RdmaIrn", reorder_threshold=-1)
WINDOWED = ll.Part("RdmaIrn", reorder_threshold=-1, bdp_cap=1024)  # the window of NSCC is the limit
SCHEMES: Dict[str, Dict[str, Any]] = {
    "RoCE: PFC, DCQCN": {"fabric": {"congestion_control": ll.Dcqcn()}},
    "the same, 16 queue pairs": {"fabric": {"congestion_control": ll.Dcqcn()},
                                 "job": {"queue_pairs_per_connection": 16, "split_data": True}},
    "spray, IRN, DCQCN": {"fabric": {"congestion_control": ll.Dcqcn(), "lossless_classes": [],
                                     "load_balancer": "SprayLoadBalancer",
                                     "queue_pair": {"loss_recovery": REORDERED}}},
    "trimming, NSCC": {"fabric": {"congestion_control": ll.Nscc(base_rtt=RTT, trimming=True),
                                  "lossless_classes": [],
                                  **ECN, **TRIMMING,
                                  "queue_pair": {"loss_recovery": WINDOWED,
                                                 "entropy": "RdmaEntropyMixed"}}}}
FAULTS = ("healthy", "slow link", "cut link", "0.1 % lost", "1 % lost")


def fail(fabric: ll.Fabric, run: ll.Run, fault: str, leaves: int) -> None:
    """What goes wrong between leaf 0 and spine 0, or at all spines."""
    if fault == "slow link":
        fabric.at("leaf 0 to spine 0").set(port={"data_rate": "25Gbps"})
        fabric.at("spine 0 to leaf 0").set(port={"data_rate": "25Gbps"})
    elif fault == "cut link":
        run.faults.cut_link(("leaf 0", "spine 0"), "20us")
    elif fault.endswith("lost"):
        rate = float(fault.split()[0]) / 100
        for spine in range(leaves):
            for port in range(leaves):
                run.faults.lose_randomly(f"spine {spine}", port, rate, "0s")


def collective_time(scheme: Dict[str, Any], fault: str, ranks: int, kind: str, size: str) -> Optional[float]:
    """Time of the collective in us; None: it did not end."""
    ll.Simulator.destroy()
    leaves = max(2, int(ranks ** 0.5))
    hosts = ranks // leaves
    fabric = ll.Fabric.leaf_spine(leaves, leaves, hosts, hosts / leaves, rate="100Gbps", delay="1us",
                                  mtu=4096 + 84, **scheme["fabric"])
    graph = ll.JobGraph(ranks)
    for rank in range(ranks):
        graph.collective(rank, kind, size)
    # Neighbours of a ring are on different leaves.
    places = [rank % leaves * hosts + rank // leaves for rank in range(ranks)]
    run = ll.Run(fabric, "200ms")
    job = run.job(graph, places, mtu=4096, **scheme.get("job", {}))
    fail(fabric, run, fault, leaves)
    run.execute()
    return job.iterations[0].time_ns / 1e3 if job.iterations else None


def plot(times: Dict[str, List[Optional[float]]], title: str, path: str) -> None:
    """A group of bars for each fault."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(10, 4.5), constrained_layout=True)
    width = 0.8 / len(times)
    for number, (name, heights) in enumerate(times.items()):
        places = [x + (number - (len(times) - 1) / 2) * width for x in range(len(FAULTS))]
        bars = axes.bar(places, [height or 0 for height in heights], width, label=name)
        axes.bar_label(bars, [f"{height:.0f}" if height else "never" for height in heights],
                       fontsize="x-small", rotation=90, padding=2)
    axes.set_xticks(range(len(FAULTS)), FAULTS)
    axes.set(ylabel=f"{title} (us)", yscale="log")
    axes.margins(y=0.2)
    axes.legend(fontsize="small")
    figure.savefig(path)


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--collective", default="all-reduce", choices=["all-reduce", "all-to-all"])
    parser.add_argument("--size", default="4MiB")
    parser.add_argument("--table", help="the times, as CSV")
    parser.add_argument("plot", nargs="?", help="a picture of the times")
    options = parser.parse_args()
    times: Dict[str, List[Optional[float]]] = {}
    print(f"{'us':>26}" + "".join(f"{fault:>12}" for fault in FAULTS))
    for name, scheme in SCHEMES.items():
        times[name] = [collective_time(scheme, fault, options.ranks, options.collective, options.size)
                       for fault in FAULTS]
        print(f"{name:>26}" + "".join(f"{time:12.1f}" if time else f"{'never':>12}"
                                      for time in times[name]))
    if options.table:
        with open(options.table, "w", encoding="utf-8") as file:
            file.write("transport,fault,time_us\n")
            for name, row in times.items():
                file.writelines(f"\"{name}\",{fault},{time or ''}\n" for fault, time in zip(FAULTS, row))
    if options.plot:
        plot(times, f"{options.collective} of {options.size}, {options.ranks} ranks", options.plot)


if __name__ == "__main__":
    main()
