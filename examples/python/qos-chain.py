#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Which number does a frame have where? Hosts mark RDMA as PCP 3 and DSCP 24; the hop over the spine is
routed, and the 802.1Q tag ends there. Ports that trust the tag lose the class, ports that trust the
DSCP keep it. Then class, queue, priority group and PFC priority get numbers of their own, and one
wrong map makes the pauses of a link stop another queue."""

import lossless as ll

SIZE = 3_000_000
# Class 3 waits in queue 5 and is booked in priority group 1, whose pauses name PFC priority 4.
CHAIN = {"queue": "3:5,5:3", "priority_group": "1:3,3:1", "pfc_priority": "1:4,4:1",
         "pfc_queue": "4:5,5:4"}


def run(name, pfc_priority, class_map, wrong=None):
    """Hosts 1 to 3 send to host 0 of leaf 0. wrong: PfcQueue of the spine's port to leaf 0."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.leaf_spine(
        2, 1, 2, buffer="1500kB", congestion_control=None, lossless_classes=[pfc_priority],
        allow_lossy=True, switch={"ecn_enabled": False},
        at={"all": {"class_map": ll.Part("TrafficClassMap", **class_map)},
            "leaf": {"extensions": ll.Part("BorderPolicy", rules="any untag", ports="2")}})
    if wrong:
        fabric.at("spine 0 port 0").set(**{"TrafficClassMap.pfc_queue": wrong})
    print(name)
    for finding in fabric.check_buffers():
        print("  check:", finding)
    fabric.incast(3, 0, SIZE)
    totals = fabric.run(stop="5ms").totals
    sent = fabric.switches[0].ports[0].counters["tx_class_bytes"]
    queues = [queue for queue, count in enumerate(sent) if count > SIZE]
    lost = totals["lossless_drops"] + totals["lossy_drops"]
    untagged = fabric.switches[0].extensions[0].matches[0]
    print(f"  queues of leaf 0 to host 0: {queues}; XOFF frames: {totals['pfc_xoff_frames']}; "
          f"frames lost: {lost}; frames over the routed hop: {untagged}\n")


run("Trust in PCP", 3, {"trust": "Dot1p"})
run("Trust in DSCP", 3, {"trust": "Dscp"})
run("Numbers of their own", 4, CHAIN)
run("A PFC priority that stops another queue", 4, CHAIN, wrong="4:4")
