# SPDX-License-Identifier: GPL-2.0-only
"""The Python examples of README.md and doc/python.rst run as they stand."""

import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

ROOT = pathlib.Path(__file__).parents[2]

# What the chapter says an example begins with.
PRELUDE = """import lossless as ll
fabric = ll.Fabric.leaf_spine(2, 2, 4, lossless_classes=[3, 4])
"""


def examples():
    """(name, program) of each example."""
    readme = (ROOT / "README.md").read_text()
    for i, block in enumerate(re.findall(r"^```python\n(.*?)^```$", readme, re.M | re.S)):
        yield f"README-{i}", block
    chapter = (ROOT / "doc" / "python.rst").read_text()
    assert PRELUDE.splitlines()[1].split(" = ")[1] in chapter
    for block in re.finditer(r"^\.\. code-block:: python\n\n((?:    .*\n|\n)+)", chapter, re.M):
        title = re.findall(r"^(.+)\n[-=]+\n", chapter[:block.start()], re.M)[-1]
        program = textwrap.dedent(block[1])
        yield title, program if "import lossless" in program else PRELUDE + program


EXAMPLES = dict(examples())


def test_there_are_some():
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, tmp_path):
    result = subprocess.run([sys.executable, "-c", EXAMPLES[name]], cwd=tmp_path, text=True,
                            capture_output=True, check=False, timeout=100)
    assert result.returncode == 0, result.stderr
    # Examples that cut links or have storms lose data, and the end of a run says so.
    meant = ("where links were cut on purpose", "where storms are meant")
    lines = [line for line in result.stderr.splitlines()
             if "faults." not in EXAMPLES[name] or not any(text in line for text in meant)]
    assert not lines
