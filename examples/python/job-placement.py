#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Where ranks run: tensor parallel groups of 4 GPUs, data parallel rings across them, on 16 hosts
with 4 GPUs each below an over-subscribed leaf-spine. Packed, in turn, and drawn.

  job-placement.py [plot.png]
"""

import random
import sys
from typing import Dict, List, Tuple

import lossless as ll

HOSTS, GPUS, LEAVES = 16, 4, 4
RANKS = HOSTS * GPUS
PACKED = [(rank // GPUS, rank % GPUS) for rank in range(RANKS)]
PLACEMENTS: Dict[str, List[Tuple[int, int]]] = {
    "packed": PACKED,
    "round-robin": [(rank % HOSTS, rank // HOSTS) for rank in range(RANKS)],
    **{f"random {draw}": random.Random(draw).sample(PACKED, RANKS) for draw in (1, 2, 3)}}


def training() -> ll.JobGraph:
    """Four layers that compute and reduce within tensor parallel groups, then gradients."""
    graph = ll.JobGraph(RANKS)
    for first in range(0, RANKS, GPUS):
        graph.add_group(f"tp{first // GPUS}", range(first, first + GPUS))
    for first in range(GPUS):
        graph.add_group(f"dp{first}", range(first, RANKS, GPUS))
    for rank in range(RANKS):
        before: List[int] = []
        for _ in range(4):
            calc = graph.calc(rank, "20us", after=before)
            before = [graph.collective(rank, "all-reduce", "256KiB", group=f"tp{rank // GPUS}",
                                       after=[calc])]
        graph.collective(rank, "all-reduce", "512KiB", group=f"dp{rank % GPUS}", after=before)
    return graph


def run(places: List[Tuple[int, int]]) -> Tuple[float, float, float]:
    """Iteration time in us, and MB that hosts send and that leaves send to spines."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.leaf_spine(LEAVES, 2, HOSTS // LEAVES, 2, rate="100Gbps", delay="1us")
    spines = HOSTS + LEAVES  # numbers of nodes: hosts, leaves, spines
    execution = ll.Run(fabric)
    job = execution.job(training(), places, intra_rate="2400Gbps", intra_latency="1us", ack_interval=64)
    links = execution.execute().links
    if job.error:
        raise SystemExit(job.error)
    return (job.iterations[0].time_ns / 1e3, sum(rank.bytes for rank in job.carried) / 1e6,
            sum(int(link["a_sent_bytes"]) for link in links if int(link["b_node"]) >= spines) / 1e6)


def main() -> None:
    """The program."""
    outcomes = {name: run(places) for name, places in PLACEMENTS.items()}
    for name, (time, sent, spines) in outcomes.items():
        print(f"{name:>11}: {time:8.1f} us, hosts send {sent:6.1f} MB, {spines:6.1f} MB cross spines")
    if len(sys.argv) > 1:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.5), sharey=True, constrained_layout=True)
        for axes, column, label in zip(panels, (0, 2), ("iteration (us)", "from leaves to spines (MB)")):
            bars = axes.barh(list(outcomes), [outcome[column] for outcome in outcomes.values()])
            axes.bar_label(bars, fmt="%.0f", padding=2)
            axes.set_xlabel(label)
            axes.margins(x=0.15)
        panels[0].invert_yaxis()
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
