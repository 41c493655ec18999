#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# The examples that run as tests, in ns-3's tree by test.py and stand-alone by ctest.
# (program and its arguments, run it, run it under valgrind); one entry a line.
cpp_examples = [
    ("first-fabric", "True", "True"),
    ("leaf-spine-incast --duration=100us", "True", "True"),
    ("lossless-scheduler-example", "True", "True"),
    ("own-congestion-control", "True", "False"),
]

# Python programs: (file in examples/, run it).
python_examples = []
