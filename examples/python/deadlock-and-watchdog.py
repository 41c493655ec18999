#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Two failed links make traffic of a leaf-spine fabric bounce: it comes down to a leaf and goes up
again, and buffers wait for each other in a ring. What is lost if nobody cares, if a watchdog drops
the stuck queues, and if a tagger moves frames that bounce to a class of their own?"""

import lossless as ll

HOSTS, SIZE, STOP = 8, "10MB", "50ms"


def build():
    """4 leaves, 2 spines; leaf 2 has lost spine 1, and leaf 3 spine 0."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.leaf_spine(4, 2, HOSTS, rate="100Gbps", delay="1us", buffer="4MiB",
                                  lossless_classes=[3, 4], congestion_control=None,
                                  load_balancer=ll.Part("EcmpLoadBalancer", seed=7))
    graph = fabric.topology
    leaves, spines = graph.switches[:4], graph.switches[4:]
    fabric.set_link_up(graph.find_link(leaves[2], spines[1]), False)
    fabric.set_link_up(graph.find_link(leaves[3], spines[0]), False)
    for host in range(HOSTS):
        for source, destination in ((0, 1), (1, 0), (2, 3), (3, 2)):
            fabric.flow(source * HOSTS + host, destination * HOSTS + host, SIZE)
    return fabric


def run(label, prepare):
    """Runs once and prints a line."""
    fabric = build()
    fabric.detect_deadlocks(action="Report", period="100us")
    prepare(fabric)
    results = fabric.run(stop=STOP)
    totals = results.totals
    last = max((flow["fct_s"] for flow in results.flows if flow["status"] == 0), default=0)
    print(f"{label:13} {len(results.deadlocks)} deadlocks, {totals['flows_completed']:2} of "
          f"{totals['flows_total']} flows completed" +
          (f", the last after {last * 1e3:.3f} ms" if last else "") +
          f"; watchdogs dropped {totals['drops_watchdog']} frames")
    return fabric.topology.switches, results


graph = build().dependency_graph()
print(f"Before the run, by the routes: buffers {'can' if graph.has_cycle else 'cannot'} wait in a "
      "circle. One of its edges:")
print(" ", graph.describe()[0].split(", ")[0], "and others\n")

switches, stuck = run("nobody cares", lambda fabric: None)
run("a watchdog",
    lambda fabric: fabric.watch_switches(dialect="ns3::H3cStorm", time_scale=0.01, limit=1000))
run("a tagger", lambda fabric: fabric.prevent_deadlocks("tagger", [3, 4]))

first = next(iter(stuck.deadlocks))
print(f"\nThe first deadlock, after {first['time_s'] * 1e3:.3f} ms: {first['frames']} frames wait at "
      f"{first['switches']} switches:")
for switch, port, traffic_class in first["cycle"]:
    print(f"  switch {switches[switch]} port {port} class {traffic_class}")
print("\nWhy the first flow of those that did not complete does not:", stuck.unfinished[0].reason)
