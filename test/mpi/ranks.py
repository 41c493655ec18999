# SPDX-License-Identifier: GPL-2.0-only
#
# Runs a program over ranks of MPI and reads what it has written.
import csv
import json
import os
import subprocess
import tempfile
import time


class Outcome:
    """What came of a run."""

    def __init__(self, completed, seconds, folder):
        self.status = completed.returncode
        self.output = completed.stdout
        self.errors = completed.stderr
        self.seconds = seconds  # on the wall, start of the processes included
        self.fct = {}  # by flow: its row of fct.csv
        self.totals = {}
        if self.status == 0 and os.path.exists(os.path.join(folder, "fct.csv")):
            with open(os.path.join(folder, "fct.csv"), encoding="ascii") as file:
                self.fct = {row["flow"]: row for row in csv.DictReader(file)}
            with open(os.path.join(folder, "summary.json"), encoding="ascii") as file:
                self.totals = json.load(file)


def run(program, ranks, options, files=True):
    """Run a program on so many ranks; 0: as it is, without MPI."""
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results")
        command = [program, *options]
        if ranks:
            command = ["mpirun", "-np", str(ranks), *command]
        if files:
            command += ["--outDir=" + results, "--files=fct"]
        begin = time.monotonic()
        completed = subprocess.run(command, capture_output=True, text=True, timeout=1500, check=False)
        return Outcome(completed, time.monotonic() - begin, results)


def share_that_differs(one, other):
    """The share of flows whose completion times two runs tell differently."""
    if set(one.fct) != set(other.fct) or not one.fct:
        return 1.0
    differ = sum(one.fct[flow] != other.fct[flow] for flow in one.fct)
    return differ / len(one.fct)


def totals_that_differ(one, other):
    """Names of totals that differ and should not: those of time and memory do, and events of the cables
    between ranks."""
    free = {"wall_seconds", "cpu_seconds", "peak_rss_bytes", "events"}
    names = set(one.totals) | set(other.totals)
    return sorted(name for name in names - free if one.totals.get(name) != other.totals.get(name))
