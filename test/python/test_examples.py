# SPDX-License-Identifier: GPL-2.0-only
"""The example scripts: short, and they run."""

import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "python"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def test_there_are_some():
    assert len(SCRIPTS) >= 4


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example(script, tmp_path):
    assert len(script.read_text().splitlines()) < 80
    result = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout
    # Each configuration of SONiC has tables and fields without effect, which are named.
    warned = "lossless: warning: " if script.stem == "sonic-fabric" else "\0"
    assert all(line.startswith(warned) for line in result.stderr.splitlines()), result.stderr
