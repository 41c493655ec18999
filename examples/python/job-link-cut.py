#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A link between a leaf and a spine is cut while a job trains, and comes back: iterations before,
then and after, with switches that learn of it at once or late, and with three ways to send again.

  job-link-cut.py [plot.png]
"""

import sys
from typing import Any, Dict, List, Tuple

import lossless as ll

RANKS, CUT_MS, BACK_MS = 8, 2, 6
# When the other switches have new routes, and how queue pairs send again what was lost.
CASES: Dict[str, Tuple[str, Dict[str, Any]]] = {
    "routes at once": ("0s", {}),
    "routes after 500 us": ("500us", {}),
    "the same, timeout of 200 us": ("500us", {"retransmit_timeout": "200us"}),
    "the same, IRN": ("500us", {"loss_recovery": ll.Part("RdmaIrn")}),
    "the same, 200 us, 2 retries": ("500us", {"retransmit_timeout": "200us", "retry_limit": 2})}


def train(routes: str, queue_pair: Dict[str, Any]) -> Tuple[ll.Job, int]:
    """The job, and how many packets were sent again."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.leaf_spine(2, 2, RANKS // 2, 2, rate="100Gbps", delay="1us",
                                  congestion_control=None)
    graph = ll.JobGraph(RANKS)
    for rank in range(RANKS):
        calc = graph.calc(rank, "50us")
        graph.collective(rank, "all-reduce", "1MiB", algorithm="ring", after=[calc])
    # Neighbours of the ring are on two leaves: each message crosses a spine.
    places = [rank // 2 + rank % 2 * RANKS // 2 for rank in range(RANKS)]
    run = ll.Run(fabric)
    job = run.job(graph, places, name="training", iterations=16, ack_interval=16, **queue_pair)
    run.faults.converge_uniformly(routes)
    run.faults.cut_link(("leaf 0", "spine 1"), f"{CUT_MS}ms", f"{BACK_MS - CUT_MS}ms")
    return job, run.execute().totals["retransmitted"]


def main() -> None:
    """The program."""
    curves: Dict[str, List[Tuple[float, float]]] = {}
    for name, case in CASES.items():
        job, again = train(*case)
        curves[name] = [(each.end_ns / 1e6, each.time_ns / 1e6) for each in job.iterations]
        before = [took for end, took in curves[name] if end <= CUT_MS]
        rest = sorted(took for end, took in curves[name] if end > CUT_MS)
        print(f"{name}: before the cut {sum(before) / len(before):.3f} ms an iteration, "
              f"{again} packets sent again")
        if job.error:
            parts = job.error.split("; ")
            print(f"  {parts[0]}; ...; {next(part for part in parts if 'EXCEEDED' in part)}; ...")
        else:
            print(f"  then up to {rest[-1]:.3f} ms, at last {curves[name][-1][1]:.3f} ms; "
                  f"all done at {curves[name][-1][0]:.3f} ms")
    if len(sys.argv) > 1:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
        axes.axvspan(CUT_MS, BACK_MS, color="0.9", label="the link is cut")
        for (name, points), marker in zip(curves.items(), "os^Dx"):
            axes.plot(*zip(*points), marker=marker, label=name)
        axes.set(xlabel="end of the iteration (ms)", ylabel="time of the iteration (ms)", ylim=(0, 6))
        axes.legend(loc="upper right")
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
