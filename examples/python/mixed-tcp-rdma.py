#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""TCP and RDMA share a fabric, in classes of their own: class 3 is lossless, class 0 is not. Who gets
what of the link to host 0, and who loses frames?"""

import lossless as ll

SIZE = 20_000_000  # bytes


def run(label, tcp_flows, rdma_flows, control="TcpCubic", scheduler="StrictPriorityScheduler"):
    """Flows of both kinds from different hosts to host 0."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(8, rate="100Gbps", delay="1us", buffer="4MiB", scheduler=scheduler,
                            congestion_control=ll.Dcqcn(dialect="nic"))
    tcp = [fabric.tcp(1 + i, 0, SIZE, congestion_control=control, min_rto="5ms")
           for i in range(tcp_flows)]
    for i in range(rdma_flows):
        fabric.flow(4 + i, 0, SIZE)
    results = fabric.run(stop="1s")
    totals = results.totals
    ends = [max((flow.completed.seconds for flow in tcp), default=0),
            max(results.flows["fct_s"], default=0)]
    rates = [count * SIZE * 8e-9 / end if end else 0
             for count, end in zip((tcp_flows, rdma_flows), ends)]
    print(f"{label:26} TCP {rates[0]:5.1f} Gb/s, RDMA {rates[1]:5.1f} Gb/s; dropped: "
          f"{totals['lossy_drops']:3} frames of TCP, {totals['lossless_drops']} of RDMA; "
          f"{totals['pfc_xoff_frames']:4} PFC frames, {totals['ecn_marks']:3} ECN marks")
    return tcp, results


print("What each kind gets from its start to its end:")
run("three TCP flows", 3, 0)
run("three RDMA flows", 0, 3)
run("both, strict priority", 3, 3)
tcp, results = run("both, DWRR", 3, 3, scheduler="DwrrScheduler")
run("both, DWRR, TCP is DCTCP", 3, 3, "TcpDctcp", scheduler="DwrrScheduler")

print("\nThe TCP flows under DWRR:")
for flow in tcp:
    print(f"  host {flow.source_host}: {flow.size / 1e6:.0f} MB in {flow.completed.ms:.3f} ms, "
          f"{flow.throughput / 1e9:.1f} Gb/s")
print("The slowest RDMA flow:", f"{max(results.flows['fct_s']) * 1e3:.3f} ms")
