#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""RDMA (class 3, lossless) and UDP (class 0, lossy) meet in the buffer of one switch. What may a flood of
UDP take from RDMA, and who pauses or drops: with one pool, with a pool for each, with limits of ports?"""

import lossless as ll


def run(label, **mmu):
    """Hosts 1 and 2 write to host 0, hosts 3 and 4 flood it."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(5, buffer="4MiB", mmu=mmu, scheduler="DwrrScheduler",
                            congestion_control=None)  # PFC alone
    for host in (1, 2):
        fabric.flow(host, 0, "50MB")
    for host in (3, 4):
        fabric.udp(host, 0, rate="60Gbps", packet_size=1400)
    totals = fabric.run(stop="1ms").totals
    marks = fabric.switches[0].mmu.watermarks("user")
    shared = marks["SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"]
    most = {name: max((bytes for (port, cls), bytes in shared.items() if cls == number), default=0)
            for name, number in (("RDMA", 3), ("UDP", 0))}
    print(f"{label:30}", ", ".join(f"a port of {name} {most[name] / 1e3:6.1f} KB" for name in most),
          f"at most; {totals['pfc_xoff_frames']:3} XOFF, {totals['lossless_drops']} drops of RDMA,",
          f"{totals['lossy_drops']:4} of UDP")


run("one pool")
run("one pool, lossy share 10 %", lossy_share=0.1)
run("a pool for each", service_pools="roce lossless 80%; bulk lossy 20%")
run("ports hold 100 KB at most", port_limit="100KB")
