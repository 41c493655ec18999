# SPDX-License-Identifier: GPL-2.0-only
"""The Python examples of README.md and doc/python.rst run as they stand, and that of README.md in C++
gives the same results."""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

import lossless as ll

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
    # Examples that cut links lose data, and the end of a run says so.
    lines = [line for line in result.stderr.splitlines()
             if "faults." not in EXAMPLES[name] or "frames lost: no-route" not in line]
    assert not lines


def test_both_languages_of_the_readme_give_the_same_results(tmp_path):
    build = pathlib.Path(ll.__file__).parents[2]
    if not (build / "libns3-lossless.so").exists():
        pytest.skip("the library is not beside the package")
    readme = (ROOT / "README.md").read_text()
    block = re.search(r"^```cpp\n(.*?)^```$", readme, re.M | re.S)[1]
    program = tmp_path / "program.cc"
    program.write_text("#include \"ns3/core-module.h\"\n#include \"ns3/lossless-module.h\"\n"
                       "#include <iostream>\nusing namespace ns3;\n"
                       "int main()\n{\n" + block + "}\n")
    libraries = [f"-l{name}" for name in ("ns3-lossless", "ns3-network", "ns3-core")]
    subprocess.run(["g++", str(program), "-o", str(tmp_path / "program"),
                    f"-I{build / 'include'}", f"-L{build}", f"-Wl,-rpath,{build}",
                    "-Wl,--no-as-needed", *libraries], check=True, timeout=300)
    files = {}
    for name, command in (("C++", ["../program"]), ("Python", [sys.executable, "-c", EXAMPLES["README-0"]])):
        folder = tmp_path / name
        folder.mkdir()
        subprocess.run(command, cwd=folder, check=True, timeout=300, stdout=subprocess.DEVNULL)
        files[name] = {file.name: file.read_text() for file in (folder / "results").glob("*.csv")}
        files[name]["settings"] = json.loads((folder / "results" / "summary.json").read_text())["settings"]
    assert "fct.csv" in files["C++"] and files["C++"] == files["Python"]
