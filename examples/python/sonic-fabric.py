#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Two leaves and two spines with the configurations of switches that run SONiC."""

import json
from pathlib import Path

import lossless as ll

files = Path(__file__).resolve().parent.parent / "sonic"
dscp = json.loads((files / "leaf.json").read_text())["DSCP_TO_TC_MAP"]["AZURE"]

fabric = ll.Fabric.leaf_spine(
    2, 2, 4, oversubscription=2, rate="100Gbps", delay="25ns", lossless_classes=[3, 4],
    at={"leaf to spine": {"QbbChannel.delay": "200ns"},  # 40 m, as the files say
        # NICs are no part of the files: the same map of DSCPs.
        "hosts": {"class_map": ll.Part("TrafficClassMap", dscp=",".join(
            f"{value}:{traffic_class}" for value, traffic_class in dscp.items()))},
        "leaf": {"sonic": files / "leaf.json"},
        "spine": {"sonic": files / "spine.json"}})
for finding in fabric.check_buffers():
    print(finding)

fabric.incast(senders=7, receiver=0, size="1MB", start="10us")
print(fabric.run().summary())
print(fabric.switches[0].sonic_show())
pools = fabric.switches[0].sonic_config()["BUFFER_POOL"]
print("In force:", pools["ingress_lossless_pool"]["size"], "bytes of pool,",
      pools["ingress_lossless_pool"]["xoff"], "bytes of headroom")
