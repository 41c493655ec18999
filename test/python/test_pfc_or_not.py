# SPDX-License-Identifier: GPL-2.0-only
"""The study "PFC or not" in C++ and in Python: the same fabrics, the same times."""

import csv
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("lossless._lossless_jobs")
SCRIPT = pathlib.Path(__file__).parents[2] / "examples" / "python" / "pfc-or-not.py"
PROGRAM = next(pathlib.Path(os.environ["LOSSLESS_PROGRAMS"]).glob("*pfc-or-not*"))
FAULTS = 5


def numbers(text):
    """Those of a table, whose first line says what its columns are."""
    return [line.split()[-FAULTS:] for line in text.splitlines()[1:]]


def run(folder, *arguments):
    """The rows of a run of the program."""
    result = subprocess.run([PROGRAM, f"--outDir={folder}", *arguments], capture_output=True,
                            text=True, check=False)
    assert result.returncode == 0, result.stderr
    with open(folder / "pfc-or-not.csv", newline="", encoding="ascii") as file:
        return list(csv.DictReader(file)), result.stdout


@pytest.mark.parametrize("kind, size", (("all-to-all", "256KiB"), ("all-reduce", "256KiB")))
def test_python_and_cpp_agree(kind, size, tmp_path):
    rows, printed = run(tmp_path, f"--collectives={kind}:{size}")
    script = subprocess.run([sys.executable, SCRIPT, "16", kind, size], capture_output=True, text=True,
                            check=True)
    assert numbers(printed) == numbers(script.stdout)
    assert [row["time_us"] for row in rows] == sum(numbers(printed), [])
    assert len(rows) == 5 * FAULTS


def test_a_run_does_not_hang_on_those_before_it(tmp_path):
    """Each time is that of its row and column alone."""
    rows, _ = run(tmp_path, "--schemes=pfc:4,mrc", "--faults=none,cut-link,loss:0.01")
    alone, _ = run(tmp_path, "--schemes=mrc", "--faults=loss:0.01")
    assert alone == rows[-1:]


def test_planes(tmp_path):
    """Four ports carry four times the bytes: a queue pair of RoCE has one of them, one of MRC all. MRC
    goes on without a plane, RoCE does not."""
    rows, _ = run(tmp_path, "--planes=4", "--collectives=all-reduce:8MB", "--schemes=pfc:1,mrc",
                  "--faults=none,cut-plane")
    roce, roce_cut, mrc, mrc_cut = (float(row["time_us"]) for row in rows)
    steps, rate = 2 * 15 / 16, 100e9 / 8
    assert roce > 8e6 * steps / rate * 1e6
    assert 8e6 * steps / (4 * rate) * 1e6 < mrc < roce / 2
    assert roce_cut == float("inf")
    assert mrc < mrc_cut < 2 * mrc
