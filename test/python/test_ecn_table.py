# SPDX-License-Identifier: GPL-2.0-only
"""The table of known traffic models: what is shipped is what was trained, and how a training chooses."""

import csv
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "utils"))

from tuning import known_models as known  # noqa: E402, found by the path above


def test_the_default_table_is_the_one_that_was_trained():
    program = next(pathlib.Path(os.environ["LOSSLESS_PROGRAMS"]).glob("*adaptive-ecn*"))
    printed = subprocess.run([program, "--PrintAttributes=ns3::TableEcnAdvisor"], capture_output=True, text=True,
                             check=True).stdout
    table = re.search(r"::Table=\[(.*)\]", printed).group(1)
    with open(ROOT / "doc" / "ecn-table.csv", newline="", encoding="utf-8") as file:
        trained = [tuple(float(value) for value in row) for row in list(csv.reader(file))[1:]]
    assert [tuple(float(value) for value in model.split(":")) for model in table.split(",")] == trained


def row(kmin, long, p99):
    return {"kmin": kmin, "long": long, "fct_p99_us": p99}


def test_short_messages_want_the_shortest_delay_and_long_ones_throughput():
    rows = [row(5000, 0.3, 100.0), row(80000, 0.45, 200.0)]
    assert known.best(rows, 0.1) == 5000
    assert known.best(rows, 0.9) == 80000
    assert known.best([row(5000, 0.0, 50.0), row(10000, 0.0, 50.0)], 0.0) == 5000  # the lowest


def test_without_long_messages_only_the_delay_of_short_ones_counts():
    rows = [{"senders": senders, "load": load, "kmin": kmin, "share": share, "hosts": senders,
             "long": kmin / 1e6, "fct_p99_us": 100.0}
            for senders in known.SENDERS for load, share in zip(known.LOADS, (0.1, 0.3, 0.6, 0.9))
            for kmin in known.KMINS]
    kmins = [kmin for _, _, kmin in known.table(rows)]
    assert kmins == [5000, 320000, 320000, 320000] * len(known.SENDERS)


def test_the_best_does_not_fall_along_the_share():
    assert known.rising([1, 2, 4]) == pytest.approx([1, 2, 4])
    assert known.rising([1, 16, 4, 32]) == pytest.approx([1, 8, 8, 32])
    assert known.rising([8, 4, 2]) == pytest.approx([4, 4, 4])


def test_one_model_runs_and_is_the_same_again():
    one = known.run(2, 0.3, 20_000, 1)
    assert one == known.run(2, 0.3, 20_000, 1)
    assert 0.2 < one["share"] < 1 and one["hosts"] == pytest.approx(2, abs=0.5)
    assert one["utilisation"] > 0.3 and one["fct_p99_us"] > 10
    assert one["long"] == pytest.approx(one["share"] * one["utilisation"], abs=0.1)


def test_nonsense_is_refused():
    script = str(ROOT / "utils" / "train-ecn-table")
    for arguments, message in ((["--seeds=0"], "--seeds is 0; it must be 1 or more"),
                               (["--build=/nowhere"], "/nowhere has no python/lossless")):
        run = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=False)
        assert run.returncode == 2 and message in run.stderr
