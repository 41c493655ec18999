#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""RDMA under DCQCN through VXLAN tunnels: each leaf is a tunnel end point, and a mark that a tunnel gets
on its way reaches the sender all the same (RFC 6040). The same traffic runs without tunnels, and with
congestion where the tunnels begin, between their ends, and behind them."""

import lossless as ll

SIZE = 4_000_000
# Leaves, hosts of each, how much slower the uplinks are than the hosts, who sends to whom.
PLACES = {
    "begin": (2, 4, 4, [(0, 4), (1, 5), (2, 6), (3, 7)]),
    "between": (4, 3, 1.5, [(0, 9), (3, 10), (6, 11)]),
    "behind": (2, 3, 0.5, [(0, 3), (1, 3), (2, 3)]),
}


def run(place, tunnels):
    """Run the traffic of a place. tunnels: whether leaves are end points."""
    ll.Simulator.destroy()
    leaves, hosts, oversubscription, pairs = PLACES[place]
    endpoint = {"leaf": {"extensions": ll.Part("VxlanEndpoint", vni=4096)}}
    fabric = ll.Fabric.leaf_spine(
        leaves, 1, hosts, oversubscription=oversubscription, at=endpoint if tunnels else {})
    for source, destination in pairs:
        fabric.flow(source, destination, SIZE)
    totals = fabric.run().totals
    found = [switch.extensions[0].counters for switch in fabric.switches if switch.extensions]
    counted = {name: sum(counters[name] for counters in found)
               for name in ("vxlan_encapsulated", "vxlan_inner_marks", "vxlan_copied_marks")}
    print(f"{place}, {'tunnels' if tunnels else 'none'}: {counted}; CNPs "
          f"{totals['cnps_received']}, lost {totals['lossless_drops']}")


for name in PLACES:
    run(name, False)
    run(name, True)
