#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# The examples that run as tests, in ns-3's tree by test.py and stand-alone by ctest.
# (program and its arguments, run it, run it under valgrind); one entry a line.
cpp_examples = [
    ("congestion-comparison --k=4 --senders=4 --bytes=1MB", "True", "False"),
    ("congestion-comparison --k=4 --pattern=permutation --bytes=100KB", "True", "False"),
    ("dcqcn-paper --scenario=unfairness --stop=200us", "True", "False"),
    ("dcqcn-paper --scenario=victim --extra=2 --stop=200us", "True", "False"),
    ("dcqcn-paper --scenario=pair --stop=11ms --bytes=1MB", "True", "False"),
    ("dcqcn-paper --scenario=incast --senders=4 --stop=200us --phase=1us", "True", "False"),
    ("deadlock-ring", "True", "True"),
    ("deadlock-ring --action=Drain --bytes=2MB", "True", "False"),
    ("deadlock-ring --tagger --bytes=2MB", "True", "False"),
    ("fat-tree-permutation --k=4 --bytes=100KB --ties=false", "True", "False"),
    ("first-fabric", "True", "True"),
    ("guo16-livelock --verb=READ --recovery=ns3::RdmaIrn --stop=1ms", "True", "False"),
    ("guo16-alpha --repeats=1 --ecmpDraw=3", "True", "False"),
    ("guo16-storm --scale=0.002 --storm=200us --stop=1ms --rate=100Gbps", "True", "False"),
    ("guo16-storm --watchdog=nic --scale=0.002 --storm=200us --stop=1ms", "True", "False"),
    ("guo16-storm --watchdog=tor --scale=0.01 --storm=100us --stop=3ms", "True", "False"),
    ("guo16-flooding --stop=4ms", "True", "False"),
    ("guo16-slow-receiver --stop=2ms", "True", "False"),
    ("hpcc-paper --duration=100us", "True", "False"),
    ("icc-burst --longBytes=1MB --burst=20us", "True", "False"),
    ("icc-burst --topology=3sw --f0=R2 --longBytes=1MB --burst=20us", "True", "False"),
    ("icc-workload --flows=100", "True", "False"),
    ("irn-paper --k=4 --duration=50us", "True", "False"),
    ("irn-paper --k=4 --duration=50us --recovery=ns3::RdmaGoBackN --pfc=true", "True", "False"),
    ("inof-failover --fault=leaf --stop=120ms", "True", "False"),
    ("inof-failover --useInof=false --stop=120ms", "True", "False"),
    ("inof-latency --k=4", "True", "False"),
    ("leaf-spine-incast --duration=100us", "True", "True"),
    ("loop-deadlock --stop=1ms", "True", "False"),
    ("link-failure", "True", "False"),
    ("lossless-buffers --rate=100Gbps --metres=100 --csv=/dev/null", "True", "False"),
    ("lossless-buffers --ports=32x100Gbps:100,8x400Gbps:300 --classes=2", "True", "False"),
    ("lossless-scheduler-example", "True", "True"),
    ("microloop-deadlock --stop=2ms", "True", "False"),
    ("operations --stop=2ms", "True", "False"),
    ("own-congestion-control", "True", "False"),
    ("pcn-paper --longBytes=1MB --burst=20us", "True", "False"),
    ("pfc-storm --watchdog=tor", "True", "False"),
    ("pfc-storm --watchdog=nic", "True", "False"),
    ("qos-chain", "True", "False"),
    ("ring-deadlock --stop=1ms", "True", "False"),
    ("ring-deadlock --stop=1ms --prevention=groups --ecmpDraw=2", "True", "False"),
    ("timely-paper --stop=2ms --phase=4us", "True", "False"),
]

# Python programs: (file in examples/, run it).
python_examples = []
