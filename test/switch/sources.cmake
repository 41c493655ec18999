# SPDX-License-Identifier: GPL-2.0-only

set(units
    buffer-watermarks-unit.cc
    ecmp-load-balancer-unit.cc
    ecn-threshold-advisor-unit.cc
    elephant-table-unit.cc
    forwarding-table-unit.cc
    headroom-rules-unit.cc
    headroom-unit.cc
    hpcc-load-balancer-unit.cc
    icc-flow-table-unit.cc
    icc-port-monitor-unit.cc
    int-stamper-unit.cc
    log-unit.cc
    mmu-port-limits-unit.cc
    pcn-marker-unit.cc
    polled-average-unit.cc
    service-pools-unit.cc
    switch-cnp-rule-unit.cc
    switch-mmu-random-unit.cc
    switch-mmu-unit.cc
    table-ecn-advisor-unit.cc
    wred-ecn-marker-unit.cc
)

set(suites
    lossless-buffer-test-suite.cc
    lossless-class-chain-test-suite.cc
    lossless-ecn-test-suite.cc
    lossless-elephants-test-suite.cc
    lossless-headroom-test-suite.cc
    lossless-icc-paths-test-suite.cc
    lossless-switch-test-suite.cc
    lossless-vxlan-stack-test-suite.cc
    lossless-vxlan-test-suite.cc
    lossless-watermarks-test-suite.cc
)
