#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""An all-reduce under no congestion control, DCQCN, HPCC and ICC (derived): alone, and beside another job on
the same spines. Each message crosses a spine, and leaves have half the uplinks that they need.

  job-congestion.py [plot.png]
"""

import sys
from typing import Any, Dict, List, Tuple

import lossless as ll

RANKS = 8
CONTROLS: Dict[str, Dict[str, Any]] = {
    "none": {"congestion_control": None},
    "DCQCN": {"congestion_control": ll.Dcqcn(),
              "ecn": ll.Part("WredEcnMarker", kmin="25KB", kmax="100KB", pmax=0.2)},
    "HPCC": {"congestion_control": ll.Hpcc()},
    "ICC (derived)": {"congestion_control": ll.Icc(variant="Derived")}}
CASES = {"alone": 1, "two jobs": 2}


def all_reduce(control: Dict[str, Any], jobs: int) -> Tuple[List[float], float]:
    """Iteration time of each job in us, and how long ports were paused, in us."""
    ll.Simulator.destroy()
    # ICC needs a symmetric ECMP; all controls get it, so that all find the same collisions.
    fabric = ll.Fabric.leaf_spine(2, 2, RANKS, 2, rate="100Gbps", delay="1us", buffer="2MiB",
                                  load_balancer=ll.Part("EcmpLoadBalancer", symmetric=True, seed=1),
                                  **control)
    run = ll.Run(fabric)
    started = []
    for number in range(jobs):
        graph = ll.JobGraph(RANKS)
        for rank in range(RANKS):
            graph.collective(rank, "all-reduce", "4MiB", algorithm="ring")
        # Neighbours of a ring are on two leaves; each job has hosts of its own.
        places = [rank % 2 * RANKS + number * RANKS // 2 + rank // 2 for rank in range(RANKS)]
        started.append(run.job(graph, places, name=f"job {number}"))
    results = run.execute()
    for job in started:
        if job.error:
            raise SystemExit(job.error)
    return [job.iterations[0].time_ns / 1e3 for job in started], results.totals["pause_ns_total"] / 1e3


def main() -> None:
    """The program."""
    slowest: Dict[str, List[float]] = {case: [] for case in CASES}
    pauses: Dict[str, List[float]] = {case: [] for case in CASES}
    for name, control in CONTROLS.items():
        for case, jobs in CASES.items():
            times, paused = all_reduce(control, jobs)
            slowest[case].append(max(times))
            pauses[case].append(paused)
            print(f"{name:>5}, {case:>8}: " + " and ".join(f"{time:.1f} us" for time in times)
                  + f", ports paused for {paused:.1f} us")
    if len(sys.argv) > 1:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, panels = pyplot.subplots(1, 2, figsize=(9, 4), constrained_layout=True)
        for axes, values, label in zip(panels, (slowest, pauses), ("all-reduce of 4 MiB, slowest job (us)",
                                                                  "pauses, sum of all ports (us)")):
            for shift, (case, heights) in zip((-0.2, 0.2), values.items()):
                bars = axes.bar([x + shift for x in range(len(CONTROLS))], heights, 0.4, label=case)
                axes.bar_label(bars, fmt="%.0f", fontsize="small")
            axes.set_xticks(range(len(CONTROLS)), list(CONTROLS))
            axes.set_ylabel(label)
            axes.margins(y=0.1)
        panels[1].legend()
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
