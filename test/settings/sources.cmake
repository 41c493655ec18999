# SPDX-License-Identifier: GPL-2.0-only

set(suites
    lossless-effects-test-suite.cc
    lossless-places-test-suite.cc
    lossless-settings-random-test-suite.cc
    lossless-settings-test-suite.cc
    lossless-unused-test-suite.cc
)
