#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A workload of one's own: a ring all-reduce. Each host sends a chunk to the next one as soon as it
has the chunk before, twice around; how long does it take, beside other traffic?"""

import lossless as ll

HOSTS, CHUNK = 16, 1 << 20


class RingAllReduce:
    """Queue pairs around the ring, and the step that each host has reached."""

    def __init__(self, fabric):
        self.steps = [0] * HOSTS
        self.finished = {}
        self.pairs = []
        for host in range(HOSTS):
            pair, peer = fabric.connect(host, (host + 1) % HOSTS)
            peer.on_receive(lambda done, receiver=(host + 1) % HOSTS: self.arrived(receiver))
            self.pairs.append(pair)

    def begin(self):
        for pair in self.pairs:
            pair.post("write", CHUNK)

    def arrived(self, host):
        """The previous host's chunk is here: pass it on, 2 (n - 1) steps in all."""
        self.steps[host] += 1
        if self.steps[host] < 2 * (HOSTS - 1):
            self.pairs[host].post("write", CHUNK)
        else:
            self.finished[host] = ll.Simulator.now()


for load in (None, 0.3):
    fabric = ll.Fabric.leaf_spine(2, 2, HOSTS // 2, rate="100Gbps", delay="1us",
                                  congestion_control=ll.Hpcc())
    ring = RingAllReduce(fabric)
    ll.Simulator.schedule("1us", ring.begin)
    if load is not None:
        fabric.poisson("fb-hadoop", load, "3ms")
    fabric.run(stop="20ms", stop_when_done=False)
    last = max(ring.finished.values())
    rate = 2 * (HOSTS - 1) * CHUNK * 8 / last.seconds / 1e9
    print(f"background load {load or 0:.0%}: all-reduce of {HOSTS} MiB in {last.ms:.3f} ms, "
          f"{rate:.1f} Gb/s at each host, {len(ring.finished)} hosts done")
    ll.Simulator.destroy()
