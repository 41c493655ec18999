#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Who chooses Kmin: nobody, a rule, or a table of known traffic models?

Every 85 us, eight hosts send a short message each to one; after 5 ms, two of them send a long one as well.
"""

import argparse

import lossless as ll

SENDERS, SHORT, EVERY_US, HALF_US = 8, 20_000, 85.0, 5000.0
ADVISORS = {"fixed": None, "rule": "ns3::RuleEcnThresholdAdvisor", "table": "ns3::TableEcnAdvisor"}


def run(advisor):
    """Gb/s of the link and 99th percentile of the FCT of short messages in us, of each half."""
    ll.Simulator.destroy()
    extensions = [ll.Part("EcnTuner", advisor_type=advisor)] if advisor else []
    fabric = ll.Fabric.star(SENDERS + 1, rate="25Gbps", extensions=extensions,
                            congestion_control=ll.Dcqcn(dialect="Paper"))
    for i in range(int(2 * HALF_US / EVERY_US) + 1):
        fabric.incast(SENDERS, 0, SHORT, ll.us(i * EVERY_US))
    for host in (1, 2):
        fabric.flow(host, 0, "1GB", ll.us(HALF_US))
    port = fabric.switches[0].ports[0]
    sent = []
    for half in (1, 2):
        ll.Simulator.schedule(ll.us(half * HALF_US - 0.001),
                              lambda: sent.append(port.counters["tx_class_bytes"][3]))
    flows = fabric.run(stop=ll.us(2 * HALF_US), progress=False).flows
    halves = []
    for half in (0, 1):
        fcts = sorted(1e6 * fct for fct, size, start, status in
                      zip(flows["fct_s"], flows["bytes"], flows["start_s"], flows["status"])
                      if size == SHORT and status == 0 and int(1e6 * start >= HALF_US) == half)
        carried = sent[half] - (sent[0] if half else 0)
        halves.append((8e-3 * carried / HALF_US, fcts[len(fcts) * 99 // 100]))
    return halves


def main():
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    for name, advisor in ADVISORS.items():
        for half, (gbps, p99) in zip(("short alone", "short and long"), run(advisor)):
            print(f"{name:5} {half:14}: link carries {gbps:.2f} Gb/s, 99 % of short messages within {p99:.1f} us")


if __name__ == "__main__":
    main()
