# SPDX-License-Identifier: GPL-2.0-only
"""Type stubs and annotations: of the module as it is, and of use to who writes a script."""

import os
import pathlib
import subprocess
import sys

import pytest

import lossless as ll

pytest.importorskip("mypy")
HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = pathlib.Path(ll.__file__).parent
GENERATED = ("_lossless.pyi", "parts.pyi")


def mypy(module, *arguments):
    """Run mypy, or another program of it, as a user of the package would."""
    environment = dict(os.environ, MYPYPATH=str(PACKAGE.parent))
    result = subprocess.run([sys.executable, "-m", module, *map(str, arguments)], check=False,
                            capture_output=True, text=True, env=environment, cwd=PACKAGE.parent)
    return result.returncode, result.stdout + result.stderr


def check(tmp_path, *files):
    """What mypy says of scripts."""
    return mypy("mypy", "--config-file", HERE / "mypy.ini", "--cache-dir", tmp_path / "cache", *files)


def test_stubs_are_those_of_the_module(tmp_path):
    subprocess.run([sys.executable, ROOT / "utils" / "make-stubs", tmp_path], check=True)
    for name in GENERATED:
        assert (PACKAGE / name).read_text() == (tmp_path / name).read_text(), "run utils/make-stubs"


def test_stubtest():
    status, said = mypy("mypy.stubtest", "lossless", "--concise", "--ignore-unused-allowlist",
                        "--allowlist", HERE / "stubtest-allowlist",
                        "--mypy-config-file", HERE / "mypy.ini")
    assert status == 0, said


def test_examples_are_well_typed(tmp_path):
    status, said = check(tmp_path, *sorted((ROOT / "examples" / "python").glob("*.py")))
    assert status == 0, said


MISTAKES = {
    "ll.Fabric.star('four')": "incompatible type",
    "ll.Fabric.star(4).flow(0, 1, 1000, start=5)": "incompatible type",
    "ll.Dcqcn(gian=0.5)": "gian",
    "ll.Simulator.schedule('1us')": "Missing positional argument",
    "ll.Fabric.star(4).run().sumary()": "sumary",
    "ll.Time('1us').us()": "not callable",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_found(mistake, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"import lossless as ll\n\n{mistake}\n")
    status, said = check(tmp_path, script)
    assert status == 1 and MISTAKES[mistake] in said and "script.py:3" in said, said
