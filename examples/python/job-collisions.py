#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""ECMP puts several connections of a ring on one uplink. More queue pairs for each connection spread
them: an all-reduce of ranks in turn on two leaves, under two congestion controls.

  job-collisions.py [plot.png]
"""

import sys
from typing import Any, Dict, List, Tuple

import lossless as ll

HOSTS = 8
QUEUE_PAIRS = [1, 2, 4, 8]
CONTROLS: Dict[str, Dict[str, Any]] = {
    "none": {"congestion_control": None},
    "DCQCN": {"congestion_control": ll.Dcqcn(),
              "ecn": ll.Part("WredEcnMarker", kmin="20KB", kmax="80KB", pmax=0.5)}}


def all_reduce(pairs: int, control: Dict[str, Any]) -> Tuple[float, float]:
    """Time of an all-reduce of 1 MiB in us, and how long ports were paused."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.leaf_spine(2, 4, HOSTS // 2, rate="100Gbps", delay="1us", buffer="2MiB", **control)
    graph = ll.JobGraph(HOSTS)
    for rank in range(HOSTS):
        graph.collective(rank, "all-reduce", "1MiB", algorithm="ring")
    run = ll.Run(fabric)
    # Rank 0 on the first leaf, rank 1 on the second, and so on: each message crosses a spine.
    places = [rank // 2 + rank % 2 * HOSTS // 2 for rank in range(HOSTS)]
    job = run.job(graph, places, queue_pairs_per_connection=pairs, split_data=pairs > 1)
    results = run.execute()
    if job.error:
        raise SystemExit(job.error)
    return job.iterations[0].time_ns / 1e3, results.totals["pause_ns_total"] / 1e3


def main() -> None:
    """The program."""
    times: Dict[str, List[float]] = {name: [] for name in CONTROLS}
    for name, control in CONTROLS.items():
        for pairs in QUEUE_PAIRS:
            took, paused = all_reduce(pairs, control)
            times[name].append(took)
            print(f"{name:>5}, {pairs} queue pairs a connection: {took:8.1f} us, paused {paused:8.1f} us")
    if len(sys.argv) > 1:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
        for (name, line), marker in zip(times.items(), "os"):
            axes.plot(QUEUE_PAIRS, line, marker=marker, label=name)
        axes.set_xlabel("queue pairs of a connection")
        axes.set_ylabel("all-reduce of 1 MiB (us)")
        axes.set_ylim(bottom=0)
        axes.legend()
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
