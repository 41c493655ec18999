#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A congestion control written in Python, beside DCQCN: sixteen hosts write to one. What does a call
of Python cost?

  own-congestion-control.py [plot.pdf]     the plot compares both over ten seeds
"""

import sys
import time
from typing import Any

import lossless as ll


class Halve(ll.CongestionControl):
    """Halve the rate at each CNP, then add a step each round trip."""

    step = ll.Attribute(100e6, unit="bit/s", help="added each round trip")
    hooks = ("ack",)  # calls that come once a packet are made only if they are named

    def init(self, flow: ll.CongestionState, now_ps: int) -> None:
        self.next_ps = now_ps

    def on_marked_data(self, now_ps: int) -> bool:
        return True  # at the receiver: a CNP for each mark

    def on_cnp(self, flow: ll.CongestionState, now_ps: int) -> None:
        flow.rate = max(flow.rate / 2, 1e8)

    def on_ack(self, flow: ll.CongestionState, ack: ll.AckEvent) -> None:
        if ack.now_ps >= self.next_ps:
            flow.rate = min(flow.rate + self.step, flow.line_rate)
            self.next_ps = ack.now_ps + flow.base_rtt_ps


def incast(control: Any, seed: int) -> ll.Fabric:
    """A fabric that is ready to run; the seed moves the begin of the incast."""
    fabric = ll.Fabric.star(17, rate=ll.Gbps(100), delay=ll.us(1), buffer="4MiB",
                            congestion_control=control)
    fabric.incast(senders=16, receiver="host 0", size="1MB", start=ll.us(10 + seed))
    return fabric


if __name__ == "__main__":
    schemes = {"DCQCN": ll.Dcqcn(), "Halve": Halve(step=400e6)}
    for name, control in schemes.items():
        begin = time.perf_counter()
        totals = incast(control, 0).run().totals
        print(f"{name:6} {totals['flows_completed']} flows, {time.perf_counter() - begin:.2f} s")
        ll.Simulator.destroy()
    if len(sys.argv) > 1:
        compared = ll.compare(incast, schemes, seeds=range(10), of=["fct_p99", "pfc_xoff_frames"])
        print(compared)
        compared.plot(sys.argv[1], size="column")
