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
WORDS = {"": "-", "inf": "never"}  # of the table, for what the file has


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


@pytest.mark.parametrize("kind, size", (("all-to-all", "100KB"), ("all-to-all", "256KiB"),
                                        ("all-reduce", "256KiB")))
def test_python_and_cpp_agree(kind, size, tmp_path):
    rows, printed = run(tmp_path, f"--collectives={kind}:{size}")
    script = subprocess.run([sys.executable, SCRIPT, "16", kind, size], capture_output=True, text=True,
                            check=True)
    assert numbers(printed) == numbers(script.stdout)
    assert [WORDS.get(row["time_us"], row["time_us"]) for row in rows] == sum(numbers(printed), [])
    assert len(rows) == 5 * FAULTS


def test_a_run_does_not_hang_on_those_before_it(tmp_path):
    """Each time is that of its row and column alone."""
    rows, _ = run(tmp_path, "--schemes=pfc:4,mrc", "--faults=none,cut-link,loss:0.01")
    alone, _ = run(tmp_path, "--schemes=mrc", "--faults=loss:0.01")
    assert alone == rows[-1:]


def test_planes(tmp_path):
    """Four ports carry four times the bytes: a queue pair of RoCE has one of them, one of MRC all. MRC
    goes on without a plane, RoCE does not."""
    rows, printed = run(tmp_path, "--planes=4", "--collectives=all-reduce:8MB", "--schemes=pfc:1,mrc",
                        "--faults=none,cut-plane")
    roce, roce_cut, mrc, mrc_cut = (float(row["time_us"]) for row in rows)
    steps, rate = 2 * 15 / 16, 100e9 / 8
    assert roce > 8e6 * steps / rate * 1e6
    assert 8e6 * steps / (4 * rate) * 1e6 < mrc < roce / 2
    assert roce_cut == float("inf") and printed.splitlines()[1].split()[-1] == "never"
    assert mrc < mrc_cut < 2 * mrc


def test_a_cut_after_the_end_has_no_time(tmp_path):
    """Cuts come after 20 us. What goes wrong from the start has a time."""
    rows, printed = run(tmp_path, "--planes=8", "--schemes=pfc:16,mrc",
                        "--faults=none,slow-link,cut-link,cut-plane")
    for row in rows:
        assert (row["time_us"] == "") == row["fault"].startswith("cut"), row
    assert [line.split()[-2:] for line in printed.splitlines()[1:]] == 2 * [["-", "-"]]


def test_routes_that_follow_late_cost_time(tmp_path):
    """What is lost until then is sent again, and again."""
    options = "--schemes=pfc:1,spray,nscc,mrc", "--faults=cut-link"
    times = [[float(row["time_us"]) for row in run(tmp_path, *options, f"--converge={late}")[0]]
             for late in ("0s", "500us")]
    assert all(late > 200 > at_once for at_once, late in zip(*times)), times
    assert times[1][0] > 4000 and times[1][3] == min(times[1]), "go-back-N waits, MRC least of all"


def test_warnings_tear_no_row_apart():
    """They come before their row, and say whose they are."""
    result = subprocess.run([PROGRAM, "--schemes=spray", "--faults=none,slow-link,cut-link"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    head, warning, whose, row = result.stdout.splitlines()
    assert head.split()[1:] == ["none", "slow-link", "cut-link"] and len(row.split()) == 4
    assert warning.startswith("lossless: warning: ")
    assert whose == "pfc-or-not: that was all-to-all:1MiB, spray, slow-link"
