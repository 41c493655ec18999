#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs a program of the module without MPI, on one rank and on N, and says what differs.
#
#   compare-ranks.py N PROGRAM [OPTION...]
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ranks  # noqa: E402

COUNT, PROGRAM, *OPTIONS = sys.argv[1:]
outcomes = {"without MPI": ranks.run(PROGRAM, 0, OPTIONS)}
for number in sorted({1, int(COUNT)}):
    outcomes[f"{number} rank{'s' if number > 1 else ''}"] = ranks.run(PROGRAM, number, OPTIONS + ["--mpi"])
for name, outcome in outcomes.items():
    if outcome.status != 0:
        sys.exit(f"compare-ranks: {name}: {outcome.errors.strip()}")
one = outcomes["1 rank"]
base = outcomes["without MPI"].totals["wall_seconds"]
print(f"{'':12} {'wall s':>8} {'speed':>6} {'flows':>8}  FCTs that differ from 1 rank")
for name, outcome in outcomes.items():
    wall = outcome.totals["wall_seconds"]
    print(f"{name:12} {wall:8.2f} {base / wall:6.2f} {len(outcome.fct):8}  "
          f"{100 * ranks.share_that_differs(one, outcome):.2f} %")
