# SPDX-License-Identifier: GPL-2.0-only
"""The example scripts: short, and they run."""

import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "python"
SCRIPTS = sorted(FOLDER.glob("*.py"))
# What an example says on standard error, as it does something on purpose that a run names.
NAMED = {
    "deadlock-and-watchdog": [""],
    "job-link-cut": [""],
    "pfc-or-not": [""],  # timeouts where no frame is lost
    "sonic-fabric": [""],  # each configuration has tables and fields without effect
    "storage-inof": [""],
}


def test_there_are_some():
    assert len(SCRIPTS) >= 4


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example(script, tmp_path):
    if ".job(" in script.read_text():
        pytest.importorskip("lossless._lossless_jobs")
    assert len(script.read_text().splitlines()) < 80
    result = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout
    warned = tuple("lossless: warning: " + begin for begin in NAMED.get(script.stem, ()))
    assert all(line.startswith(warned) for line in result.stderr.splitlines()), result.stderr
