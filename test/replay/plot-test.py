#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# What ./utils/quickstart does after the build: run, plot. Then the plots of a run without pauses, and
# the error for a folder without results.
#
#   plot-test.py <leaf-spine-incast> <plot.py> <operations>
import os
import subprocess
import sys
import tempfile

PLOTS = ("fct-slowdown.png", "fct-cdf.png", "queue-length.png", "queue-map.png", "pause.png",
         "throughput.png", "rate-map.png")
failures = []


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)


def check(name, condition, detail):
    if not condition:
        failures.append(name)
        print(f"FAILED: {name}: {detail}")


if run(sys.executable, "-c", "import matplotlib").returncode:
    print("skipped: no matplotlib")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    for name, *options in (("incast", "--duration=300us"), ("idle", "--duration=0us", "--senders=1")):
        results = os.path.join(folder, name)
        result = run(sys.argv[1], f"--outDir={results}", *options)
        check(name, result.returncode == 0 and not result.stderr, result.stderr)
        result = run(sys.executable, sys.argv[2], results)
        check(name, result.returncode == 0, result.stderr)
        for plot in PLOTS:
            path = os.path.join(results, plot)
            check(name, os.path.exists(path) and os.path.getsize(path) > 5000, plot)

    results = os.path.join(folder, "operations")
    result = run(sys.argv[3], f"--outDir={results}", "--stop=4ms")
    check("operations", result.returncode == 0 and
          "retransmission timeouts of queue pairs" in result.stderr and
          len(result.stderr.splitlines()) == 1, result.stderr)  # for the NIC that pauses
    result = run(sys.executable, sys.argv[2], results)
    check("operations", result.returncode == 0, result.stderr)
    for plot in ("ping.png", "pause-monitor.png"):
        path = os.path.join(results, plot)
        check("operations", os.path.exists(path) and os.path.getsize(path) > 5000, plot)

    folders = [os.path.join(folder, name) for name in ("incast", "idle")]
    result = run(sys.executable, sys.argv[2], f"busy={folders[0]}", folders[1],
                 f"--outDir={os.path.join(folder, 'both')}")
    check("several", result.returncode == 0 and sorted(os.listdir(os.path.join(folder, "both"))) == [
        "fct-cdf.png", "fct-slowdown.png", "fct.png", "pause.png", "queue-length.png",
        "throughput.png"], result.stderr)

    def refused(name, *arguments):
        result = run(sys.executable, sys.argv[2], *arguments)
        check(name, result.returncode == 2 and len(result.stderr.splitlines()) == 1,
              f"{result.returncode}: {result.stderr}")

    refused("no arguments")
    refused("no results", os.path.join(folder, "nothing"))
    refused("two of a label", *(f"a={each}" for each in folders))
    file = os.path.join(folder, "incast", "fct.csv")
    refused("output in a file", os.path.join(folder, "incast"), "--outDir=" + os.path.join(file, "plots"))
    os.truncate(file, os.path.getsize(file) - 3)
    refused("cut off", os.path.join(folder, "incast"))
    os.truncate(file, 0)
    refused("empty", os.path.join(folder, "incast"))
print(f"plot-test: {'failed' if failures else 'passed'}")
sys.exit(1 if failures else 0)
