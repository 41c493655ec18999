#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tokens of a mixture-of-experts layer go to the ranks of their experts, some of which are asked for
more often (Zipf): the time of the all-to-all, against the port of the rank that receives most.

  job-moe-incast.py [plot.png]
"""

import sys
from typing import Any, Dict, List, Optional, Tuple

import lossless as ll

RANKS, SENT = 16, 2**20  # bytes of the tokens of a rank, its own experts included
SKEWS = [1.0, 2.0, 4.0, 6.0, 8.0]  # what the busiest rank receives, in means
MARKS = {"ecn": ll.Part("WredEcnMarker", kmin="25KB", kmax="100KB", pmax=0.2)}
CONTROLS: Dict[str, Any] = {"none": (None, {}), "DCQCN": (ll.Dcqcn(), MARKS),
                            "ICC (derived)": (ll.Icc(variant="Derived"), {})}


def message_sizes(skew: float) -> List[int]:
    """Bytes that each rank sends to each one: Zipf, with an exponent that gives the skew."""
    low, high = 0.0, 8.0
    for _ in range(50):
        middle = (low + high) / 2
        total = sum((rank + 1)**-middle for rank in range(RANKS))
        low, high = (middle, high) if RANKS / total < skew else (low, middle)
    return [round(SENT * (rank + 1)**-high / total) for rank in range(RANKS)]


def bound_us(sizes: List[int]) -> float:
    """The busiest port at work all the time: 82 bytes more for a frame, 16 for a WRITE, 84 for an ACK."""
    packets = [-(-size // 1024) for size in sizes]
    wire = (RANKS - 1) * (sizes[0] + 82 * packets[0] + 16) + 84 * sum(packets[1:])
    return 2 + (wire + 1122) * 8 / 100e3  # two links of 1 us, and the first frame on two of them


def step(sizes: List[int], control: Optional[ll.Part], marks: Dict[str, Any]) -> Tuple[float, float, float]:
    """Time in us, longest queue in KB, sum of the pauses of all ports in us."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(RANKS, rate="100Gbps", delay="1us", buffer="4MiB", congestion_control=control, **marks)
    graph = ll.JobGraph(RANKS)
    for rank in range(RANKS):
        for to in (*range(rank + 1, RANKS), *range(rank)):
            graph.send(rank, to, sizes[to])
            graph.recv(to, rank, sizes[to])
    run = ll.Run(fabric)
    job = run.job(graph)  # an ACK for each packet: ICC reads what ACKs bring
    totals = run.execute().totals
    if job.error:
        raise SystemExit(job.error)
    return job.iterations[0].time_ns / 1e3, totals["queue_peak_bytes"] / 1e3, totals["pause_ns_total"] / 1e3


def main() -> None:
    """The program."""
    bounds = [bound_us(message_sizes(skew)) for skew in SKEWS]
    outcomes = {name: [step(message_sizes(skew), *control) for skew in SKEWS]
                for name, control in CONTROLS.items()}
    for name, line in outcomes.items():
        for skew, bound, (time, queue, paused) in zip(SKEWS, bounds, line):
            print(f"{name:>13}, skew {skew:.0f}: {time:7.1f} us, bound {bound:6.1f} us, longest queue "
                  f"{queue:6.1f} KB, ports paused for {paused:8.1f} us")
    if len(sys.argv) > 1:
        from matplotlib import pyplot
        pyplot.switch_backend("Agg")
        figure, panels = pyplot.subplots(1, 3, figsize=(11, 3.5), constrained_layout=True)
        panels[0].plot(SKEWS, bounds, "k:", linewidth=3, zorder=3, label="bound of the port")
        for axes, i, label in zip(panels, range(3), ("all-to-all (us)", "longest queue (KB)",
                                                    "pauses, sum of all ports (us)")):
            for (name, line), marker in zip(outcomes.items(), "os^"):
                axes.plot(SKEWS, [point[i] for point in line], marker=marker, label=name)
            axes.set(xlabel="bytes of the busiest rank / mean", ylabel=label, ylim=(0, None))
        panels[1].legend(*panels[0].get_legend_handles_labels(), loc="center right")
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
