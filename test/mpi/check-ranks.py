#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of runs over ranks of MPI: the same flow completion times and totals on any number of ranks
# where no two events tie, and one line for what a run over ranks cannot have. Ends with the line
# "N passed, N failed".
#
#   check-ranks.py <folder of the programs>
import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ranks  # noqa: E402

FOLDER = sys.argv[1]
COUNTS = {True: 0, False: 0}


def check(holds, what, detail=""):
    """Count a test, and say what came of it."""
    COUNTS[bool(holds)] += 1
    print(f"{'ok' if holds else 'FAILED'}: {what}" + (f" ({detail})" if detail else ""), flush=True)


def program(name):
    """The path of a program: ns-3 writes its version before the name and its profile behind."""
    found = [path for path in glob.glob(f"{FOLDER}/ns3*-{name}*") if os.access(path, os.X_OK)]
    if len(found) != 1:
        sys.exit(f"check-ranks: {FOLDER} has {len(found)} programs {name}")
    return found[0]


def compare(name, what, options, numbers=(2,), needs=()):
    """The same on one rank and on others; totals in needs must be above 0."""
    one = ranks.run(program(name), 1, options + ["--mpi"])
    check(one.status == 0 and one.fct, f"{what}: one rank runs", one.errors.strip())
    for need in needs:
        check(one.totals.get(need, 0) > 0, f"{what}: there are {need}", str(one.totals.get(need)))
    for number in numbers:
        more = ranks.run(program(name), number, options + ["--mpi"])
        share = ranks.share_that_differs(one, more)
        check(more.status == 0 and share == 0, f"{what}: {number} ranks, the FCTs of one",
              f"{100 * share:.2f} % of {len(one.fct)} differ; {more.errors.strip()}")
        totals = ranks.totals_that_differ(one, more)
        check(not totals, f"{what}: {number} ranks, the totals of one", ", ".join(totals))
        check(list(one.fct.values()) == list(more.fct.values()),
              f"{what}: {number} ranks, rows in the same order")
    return one


def refused(what, number, options, wrong, files=False):
    """A run that ends with one line from each rank that got to say it."""
    outcome = ranks.run(program("fat-tree-permutation"), number, options, files)
    lines = [line for line in outcome.errors.splitlines() if "fat-tree-permutation" in line and wrong in line]
    check(outcome.status != 0 and lines, f"refused: {what}", outcome.errors.strip() if not lines else "")


PERMUTATION = ["--k=4", "--bytes=200KB", "--ties=false"]

compare("fat-tree-permutation", "permutation", PERMUTATION, (2, 3, 4))
for control in ("none", "ns3::RdmaTimely", "ns3::RdmaHpcc", "ns3::RdmaIcc", "ns3::RdmaPcn",
                "ns3::RdmaSwift", "ns3::RdmaDctcp", "ns3::RdmaNscc"):
    compare("fat-tree-permutation", control, PERMUTATION + ["--congestion=" + control])
compare("fat-tree-permutation", "pauses between ranks",
        ["--k=4", "--bytes=500KB", "--ties=false", "--rounds=4", "--congestion=none", "--buffer=500KB"],
        needs=("pfc_xoff_frames", "pauses"))
compare("fat-tree-permutation", "READs", PERMUTATION + ["--read"])
LOSSES = PERMUTATION + ["--errorRate=0.001"]
compare("fat-tree-permutation", "lost frames and go-back-N", LOSSES, needs=("retransmitted", "drops_corrupted"))
compare("fat-tree-permutation", "lost frames and IRN",
        LOSSES + ["--ns3::RdmaQueuePair::LossRecovery=ns3::RdmaIrn", "--ns3::QbbNetDevice::PfcEnabled=false"],
        (2, 3), needs=("retransmitted", "drops_corrupted"))
compare("fat-tree-permutation", "an end before the last flow", PERMUTATION + ["--stop=30us"])

tied = [ranks.run(program("leaf-spine-incast"), number, ["--duration=1ms", "--mpi"]) for number in (1, 2)]
check(set(tied[0].fct) == set(tied[1].fct) and tied[0].fct, "ties: the same flows complete",
      f"{100 * ranks.share_that_differs(*tied):.2f} % of {len(tied[0].fct)} FCTs differ")
check(all(outcome.totals["lossless_drops"] == 0 for outcome in tied), "ties: no drop")

refused("threads", 2, ["--mpi", "--threads=2"], "cannot have several threads")
refused("patience", 2, ["--mpi", "--patience=1ms"], "cannot have patience")
refused("other files", 2, ["--mpi", "--outDir=/nonexistent/results"], "choose --files=fct")
refused("more ranks than parts", 6, ["--mpi", "--k=2"], "ranks, and the fabric has")
refused("a cable without delay", 2, ["--mpi", "--k=4", "--ns3::QbbChannel::Delay=0s"], "delay")
os.environ["NS_GLOBAL_VALUE"] = "SimulatorImplementationType=ns3::DefaultSimulatorImpl"
refused("another simulator", 2, ["--mpi"], "name no simulator")
del os.environ["NS_GLOBAL_VALUE"]
copies = ranks.run(program("fat-tree-permutation"), 2, ["--k=4", "--bytes=1KB"], files=False)
check("each of them runs all" in copies.errors, "named: mpirun without --mpi", copies.errors.strip())

print(f"{COUNTS[True]} passed, {COUNTS[False]} failed")
sys.exit(COUNTS[False] != 0)
