#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A tenth of the flows are elephants and carry 85 % of the bytes. Do mice gain when the switches give
elephants a class of their own, and do elephants lose? The same flows run in one class, in two classes
with moves at gaps, and in two with moves at once, which reorder. With the argument "lossy" they run without
ECN in one lossy class, where elephants are dropped as mice are, or first."""

import sys

import lossless as ll

MOUSE, ELEPHANT = 60_000, 3_060_000  # bytes
SIZES = ll.FlowSizes([(MOUSE, 0), (MOUSE, 90), (ELEPHANT, 90), (ELEPHANT, 100)])


LOSSY = {"traffic_class": 1, "allow_lossy": True, "buffer": "2MB", "ecn": "ColouredWredMarker",
         "queue_pair": {"ecn_capable": False, "loss_recovery": "RdmaIrn"}}


def run(label, *extensions, traffic_class=3, **options):
    """Print the FCT of mice, the rate of elephants, and what was moved."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.leaf_spine(2, 2, 4, lossless_classes=[3, 4], scheduler="DwrrScheduler",
                                  extensions=extensions, **options)
    fabric.poisson(SIZES, load=0.6, duration="4ms", traffic_class=traffic_class)
    results = fabric.run()
    flows = list(zip(results.flows["bytes"], results.flows["fct_s"]))
    mice = sorted(1e6 * fct for size, fct in flows if size < ELEPHANT)
    rates = [8e-9 * size / fct for size, fct in flows if size >= ELEPHANT]
    totals = results.totals
    moves, reorderings = (totals.get(f"elephants_{name}", 0) for name in ("moves", "reorderings"))
    print(f"{label:16} mice {sum(mice) / len(mice):6.1f} us, p99 {mice[len(mice) * 99 // 100]:7.1f} us;",
          f"elephants {sum(rates) / len(rates):5.1f} Gb/s;",
          f"{moves} moves, {reorderings} reorderings, {totals['naks_received']} NAKs")


if sys.argv[1:] == ["lossy"]:
    run("one colour", **LOSSY)
    run("yellow elephants", ll.Part("ElephantSeparator", elephant_bytes="100kB", mouse_class=1, elephant_class=1,
                                    elephant_colour="Yellow"), **LOSSY)
else:
    run("one class")
    run("AtFlowletGap", ll.Part("ElephantSeparator", elephant_bytes="100kB"))
    run("Immediate", ll.Part("ElephantSeparator", elephant_bytes="100kB", move="Immediate"))
