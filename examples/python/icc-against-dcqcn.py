#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The burst scenario of ICC (Wang et al., CMC 2023) under DCQCN and under ICC: a long flow F1 shares
a port with a burst to another host. utils/reproduce icc-burst has all of the paper's figures.

  icc-against-dcqcn.py [plot.png]
"""

import sys

import lossless as ll

BURST = "1ms"


def topology():
    """S0 with H0..H16, S1 with R0..R2 and Hb. Returns the graph and the hosts by name."""
    graph, hosts = ll.Topology(), {}

    def join(a, b):
        graph.add_link(a, b, rate="100Gbps", delay="5us")

    s0, s1 = graph.add_switch(), graph.add_switch()
    for name in [f"H{i}" for i in range(17)] + ["R0", "R1", "R2", "Hb"]:
        node = graph.add_host()
        hosts[name] = graph.hosts.index(node)
        join(node, s0 if name[0] == "H" and name != "Hb" else s1)
    join(s0, s1)
    return graph, hosts


def run(control):
    """Returns when F1 ended, and the PFC frames that were sent."""
    ll.Simulator.destroy()
    graph, hosts = topology()
    fabric = ll.Fabric.from_topology(graph, congestion_control=control,
                                     mmu={"buffer_size": "5MB", "cell_bytes": 1})
    f1 = fabric.flow(hosts["H1"], hosts["R0"], "100MB")
    for i in range(60):
        fabric.flow(hosts[f"H{2 + i % 15}"], hosts["R1"], "64KiB", BURST)
        fabric.flow(hosts["Hb"], hosts["R1"], "64KiB", BURST)
    results = fabric.run()
    fct = dict(zip(results.flows["index"], results.flows["fct_s"]))
    return fct[f1], results.totals["pfc_xoff_frames"], results


runs = {"DCQCN": run(ll.Dcqcn(dialect="paper")), "ICC": run(ll.Icc())}
for label, (seconds, pauses, _) in runs.items():
    print(f"{label:6} F1 took {seconds * 1e3:7.3f} ms, {pauses:5} PFC frames")
gain = runs["DCQCN"][0] / runs["ICC"][0]
print(f"F1 is {gain:.2f} times faster under ICC (the paper says 2.3)")

if len(sys.argv) > 1:
    import matplotlib
    matplotlib.use("Agg")
    axes = ll.plot.compare({label: results for label, (_, _, results) in runs.items()})
    axes.figure.savefig(sys.argv[1])
