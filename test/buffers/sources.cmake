# SPDX-License-Identifier: GPL-2.0-only

set(units
    effective-pmax-unit.cc
    headroom-table-unit.cc
    switch-budget-unit.cc
)

set(suites
    lossless-buffer-check-test-suite.cc
    lossless-losslessness-test-suite.cc
    lossless-findings-test-suite.cc
)
