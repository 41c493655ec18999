#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What does a job lose or win when PFC is turned off? One collective of a leaf-spine fabric with five
transports, and with what goes wrong in fabrics: a slow link, a cut link, lost packets.

  pfc-or-not.py [RANKS] [COLLECTIVE] [SIZE] [plot.png]
"""

import sys
from typing import Any, Dict, List

import lossless as ll

# Round trip of the empty fabric: eight links of 1 us, packets of 4 KiB and ACKs, stored at each hop.
RTT = "9.4us"
SPRAYED = {"lossless_classes": [], "congestion_control": ll.Dcqcn(), "load_balancer": "SprayLoadBalancer",
           "queue_pair": {"loss_recovery": ll.Part("RdmaIrn", reorder_threshold=-1)}}
TRIMMED = {"lossless_classes": [], "congestion_control": ll.Nscc(base_rtt=RTT, trimming=True),
           # Bytes: 0.2 and 0.8 of what a port of 100 Gb/s sends in RTT.
           "ecn": ll.Part("WredEcnMarker", kmin=23500, kmax=94000, pmax=1, reference_rate="100Gbps"),
           "extensions": [ll.Part("TrimSwitch", base_rtt=RTT)],
           # Trimmed packets (class 5) get a quarter of a port beside the data (class 3).
           "scheduler": ll.Part("DwrrScheduler", weights="1 1 1 3 1 1 1 1", strict_classes=1 << 6),
           # The window of NSCC limits what is in flight, not the BdpCap of IRN.
           "queue_pair": {"loss_recovery": ll.Part("RdmaIrn", reorder_threshold=-1, bdp_cap=1024),
                          "entropy": "RdmaEntropyMixed"}}
# Attributes of the fabric, and queue pairs for each pair of ranks.
SCHEMES: Dict[str, Any] = {"PFC, DCQCN": ({"congestion_control": ll.Dcqcn()}, 1),
                           "PFC, DCQCN, 16 queue pairs": ({"congestion_control": ll.Dcqcn()}, 16),
                           "spray, IRN, DCQCN": (SPRAYED, 1),
                           "NSCC, trimming, mixed EVs": (TRIMMED, 1), "MRC": ({"mrc": RTT}, 1)}
FAULTS = {"healthy": 0, "slow link": 0, "cut link": 0, "0.1 % lost": 0.001, "1 % lost": 0.01}
WORDS = {"nan": "-", "inf": "never"}


def collective_time(scheme: str, fault: str, ranks: int, kind: str, size: str) -> float:
    """Time of the collective in us; infinite if it did not end, none (NaN) if it did before the cut."""
    ll.Simulator.destroy()
    options, queue_pairs = SCHEMES[scheme]
    leaves, hosts, link = int(ranks ** 0.5), ranks // int(ranks ** 0.5), {"mtu": 4096 + 126}
    fabric = ll.Fabric.leaf_spine(leaves, leaves, hosts, rate="100Gbps", delay="1us", link=link, **options)
    graph, run = ll.JobGraph(ranks), ll.Run(fabric, "1s")
    for rank in range(ranks):
        graph.collective(rank, kind, size)
    places = [rank % leaves * hosts + rank // leaves for rank in range(ranks)]  # neighbours: apart
    job = run.job(graph, places, mtu=4096, queue_pairs_per_connection=queue_pairs, split_data=queue_pairs > 1)
    if fault == "slow link":
        for place in ("leaf 0 to spine 0", "spine 0 to leaf 0"):
            fabric.at(place).set(port={"data_rate": "25Gbps"})
    elif fault == "cut link":
        run.faults.cut_link(("leaf 0", "spine 0"), "20us")
    for spine in range(leaves if FAULTS[fault] else 0):
        for leaf in range(leaves):
            run.faults.lose_randomly(f"spine {spine}", leaf, FAULTS[fault], "0s")
    run.execute()
    time = job.iterations[0].time_ns / 1e3 if job.iterations else float("inf")
    return float("nan") if fault == "cut link" and time <= 20 else time


def main(ranks: str = "16", kind: str = "all-to-all", size: str = "1MiB", picture: str = "") -> None:
    """The program."""
    times: Dict[str, List[float]] = {}
    print(f"{'us':>28}" + "".join(f"{fault:>12}" for fault in FAULTS))
    for scheme in SCHEMES:
        times[scheme] = [collective_time(scheme, fault, int(ranks), kind, size) for fault in FAULTS]
        texts = [f"{time:.1f}" for time in times[scheme]]
        print(f"{scheme:>28}" + "".join(f"{WORDS.get(text, text):>12}" for text in texts))
    if picture:
        from matplotlib import pyplot
        for place, (scheme, heights) in enumerate(times.items()):
            bars = pyplot.bar([x + place / 6 for x in range(len(FAULTS))], heights, 1 / 6, label=scheme)
            pyplot.bar_label(bars, fmt="%.0f", fontsize="xx-small")
        pyplot.gca().set(yscale="log", ylabel=f"{kind} of {size}, {ranks} ranks (us)")
        pyplot.xticks([x + 1 / 3 for x in range(len(FAULTS))], list(FAULTS))
        pyplot.legend(fontsize="small").figure.savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
