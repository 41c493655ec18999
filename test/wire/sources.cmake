# SPDX-License-Identifier: GPL-2.0-only

set(units
    frame-codec-unit.cc
    frame-parser-unit.cc
    frame-printer-unit.cc
    frame-record-unit.cc
    frame-trim-unit.cc
    icrc-unit.cc
    int-record-unit.cc
    ip-frame-unit.cc
    mrc-layout-unit.cc
    psn-unit.cc
    srv6-frame-unit.cc
    tunnel-ecn-unit.cc
    vxlan-frame-unit.cc
    wire-test-util.cc
)

set(suites)
