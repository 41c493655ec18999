#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Closed forms of rows of "Against machines" (doc/reproductions.rst), with the program that measures
# them: payload over the time that its packets take on the line.
#
#   machines-test.py <machines>
import csv
import os
import subprocess
import sys
import tempfile

MACHINES = sys.argv[1]
# Row, options, name of the value, closed form, tolerance: that of the measured number is in the
# table; here a packet more or less in the window of time, and the latency of a long collective.
ROWS = [
    ("1", "--test=bandwidth --bytes=128KiB --queuePairs=1", "goodput", 392.102, 2e-5),
    ("2", "--test=bandwidth --bytes=16KiB --queuePairs=8", "goodput", 391.774, 2e-5),
    ("4", "--test=bandwidth --bytes=1MiB --queuePairs=8", "goodput", 392.143, 2e-5),
    ("17", "--test=all-reduce --hosts=2 --rate=100Gbps --bytes=64MiB --ackInterval=65535", "busbw",
     12.255, 5e-4),
]

failed = 0
for row, options, name, expected, tolerance in ROWS:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([MACHINES, *options.split(), f"--outDir={folder}"], check=True,
                       stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "machines.csv"), newline="", encoding="ascii") as file:
            values = {line["name"]: float(line["value"]) for line in csv.DictReader(file)}
    if abs(values[name] / expected - 1) > tolerance:
        print(f"FAILED: row {row}: {name} is {values[name]}, expected {expected}")
        failed += 1
print(f"machines-test: {len(ROWS)} rows, {failed} failed")
sys.exit(1 if failed else 0)
