#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A disk fails. How long is the service of a server interrupted if iNOF tells it of failures and of the
disks of its zone, and if it knows two disks and has to wait until its queue pair has exhausted its retries?"""

import lossless as ll

FAILURE, END = "10ms", "60ms"


def told(peer, reason):
    """iNOF says that a host has gone; at first those that are not in the zone."""
    if reason != "removed":
        print(f"  {ll.Simulator.now().ms:.3f} ms: iNOF says that host {peer.id} has gone: {reason}")


def run(use_inof):
    """A zone with two disks, the link of the first of which is cut."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.leaf_spine(2, 2, 4, rate="100Gbps", delay="1us", congestion_control=None)
    server, disk, spare = 0, 4, 5
    inof = fabric.inof({"storage": [server, disk, spare]}, disks=[disk, spare],
                       reflectors=[2, 3])  # the spines
    inof.host_agent(server).connect("PeerDown", told)
    storage = fabric.storage_server(server, [] if use_inof else [disk, spare], "5ms", END,
                                    io_size="8KiB", depth=4, inof=inof if use_inof else None)
    fabric.faults.cut_link((f"host {disk}", "leaf 1"), FAILURE)
    fabric.run(stop=END, stop_when_done=False)
    return storage


print(f"The link of the first disk is cut at {FAILURE}.")
for use_inof in (True, False):
    print("\nWith iNOF, told of no disk:" if use_inof else "\nOn its own, told of two disks:")
    storage = run(use_inof)
    for move in storage.failovers[1:]:
        print(f"  {move.when.ms:.3f} ms: from host {storage.target(move.from_path)} to host "
              f"{storage.target(move.to_path)}, because of {move.why}")
    print(f"  {storage.completed} I/Os, {storage.reissued} issued again; interrupted for "
          f"{storage.longest_gap.us:.1f} us")
