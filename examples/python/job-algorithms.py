#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Ring against trees: the bus bandwidth of an all-reduce over its size, as nccl-tests print it.

  job-algorithms.py [plot.png]
"""

import sys
from typing import Dict, List

import lossless as ll

RANKS = 8
ALGORITHMS = ["ring", "halving-doubling", "recursive-doubling", "double-tree"]
SIZES = [2**power for power in range(10, 23, 3)]


def time_ns(algorithm: str, size: int) -> float:
    """How long an all-reduce takes."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(RANKS, rate="100Gbps", delay="1us", congestion_control=None)
    graph = ll.JobGraph(RANKS)
    for rank in range(RANKS):
        graph.collective(rank, "all-reduce", size, algorithm=algorithm)
    run = ll.Run(fabric)
    job = run.job(graph, ack_interval=64)
    run.execute()
    if job.error:
        raise SystemExit(job.error)
    return job.iterations[0].time_ns


def main() -> None:
    """The program."""
    print(f"All-reduce of {RANKS} ranks, busbw in GB/s\n{'bytes':>9}  "
          + "".join(f"{name:>20}" for name in ALGORITHMS))
    curves: Dict[str, List[float]] = {name: [] for name in ALGORITHMS}
    for size in SIZES:
        for name in ALGORITHMS:
            curves[name].append(size / time_ns(name, size) * 2 * (RANKS - 1) / RANKS)
        print(f"{size:9}  " + "".join(f"{curves[name][-1]:20.3f}" for name in ALGORITHMS))
    if len(sys.argv) > 1:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
        for name, marker in zip(ALGORITHMS, "os^D"):
            axes.plot(SIZES, curves[name], marker=marker, label=name)
        axes.set_xscale("log", base=2)
        axes.set_xlabel("size of the all-reduce (bytes)")
        axes.set_ylabel("bus bandwidth (GB/s)")
        axes.axhline(100 / 8 * 1024 / 1106, color="grey", linestyle=":", label="payload rate of a link")
        axes.legend()
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
