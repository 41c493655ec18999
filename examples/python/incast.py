#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Fifteen hosts write to one at the same time: does PFC fire, and why?"""

import lossless as ll

fabric = ll.Fabric.star(16, rate="100Gbps", delay="1us", buffer="4MiB", alpha=1 / 8,
                        congestion_control=ll.Dcqcn(dialect="nic"))
fabric.incast(senders=15, receiver=0, size="1MB", start="10us")


def paused(port, traffic_class, state):
    """Told by every port of a host whenever its peer pauses or resumes it."""
    if state:
        first_pauses.setdefault(port.node.id, ll.Simulator.now())


first_pauses: dict[int, ll.Time] = {}
for host in range(16):
    fabric.device(host).connect("PauseState", paused)

results = fabric.run()
print(results.summary())
print("First pauses:", ", ".join(f"host {host} at {when.us:.2f} us"
                                 for host, when in sorted(first_pauses.items())))
print(fabric.switches[0].mmu.explain(1, 3))
