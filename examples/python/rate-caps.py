#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Hosts 1 to 3 send to host 0: RDMA in classes 3 and 4, and a host that has gone mad in class 6, which is
that of CNPs and has strict priority. Who gets what of the link to host 0, under which scheduler?"""

import lossless as ll

SENDERS = {3: 1, 4: 2, 6: 3}  # host of each class
STRICT = 1 << 6
STOP = ll.ms(2)


def run(label, scheduler):
    """Print the rate of each class at the port of host 0."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(4, rate="100Gbps", scheduler=scheduler, lossless_classes=list(SENDERS),
                            congestion_control=None)  # PFC alone
    for traffic_class, host in SENDERS.items():
        fabric.flow(host, 0, "50MB", traffic_class=traffic_class)
    fabric.run(stop=STOP)
    sent = fabric.switches[0].ports[0].counters["tx_class_bytes"]
    print(f"{label:51}", ", ".join(f"class {c}: {8e-9 * sent[c] / STOP.seconds:5.1f} Gb/s"
                                   for c in SENDERS))


run("strict priority: class 6 takes all", ll.Part("StrictPriorityScheduler"))
run("turns: class 6 takes its weight", ll.Part("DwrrScheduler"))
run("class 6 at most 5 %, class 4 at most 20 %",
    ll.Part("ShapedScheduler", strict_classes=STRICT, max_rates="4:20%"))
run("and class 3 at least 30 %, the port at most 40 Gb/s",
    ll.Part("ShapedScheduler", strict_classes=STRICT, max_rates="4:20%", min_rates="3:30%",
            port_rate="40Gbps"))
