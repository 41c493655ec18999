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


def mypy(module, *arguments):
    """Run mypy, or another program of it, as a user of the package would."""
    environment = dict(os.environ, MYPYPATH=str(PACKAGE.parent))
    result = subprocess.run([sys.executable, "-m", module, *map(str, arguments)], check=False,
                            capture_output=True, text=True, env=environment, cwd=PACKAGE.parent)
    return result.returncode, result.stdout + result.stderr


def check(tmp_path, *files):
    """What mypy says of scripts."""
    return mypy("mypy", "--config-file", HERE / "mypy.ini", "--cache-dir", tmp_path / "cache", *files)


@pytest.mark.parametrize("name", ["_lossless.pyi", "_lossless_jobs.pyi", "parts.pyi", "py.typed"])
def test_the_build_makes_stubs(name):
    assert (PACKAGE / name).exists(), "the build writes them beside the module, and installs them"
    assert not (ROOT / "bindings" / "lossless" / name).exists() or name == "py.typed"


def test_stubtest():
    status, said = mypy("mypy.stubtest", "lossless", "--concise", "--ignore-unused-allowlist",
                        "--allowlist", HERE / "stubtest-allowlist",
                        "--mypy-config-file", HERE / "mypy.ini")
    assert status == 0, said


def test_examples_are_well_typed(tmp_path):
    status, said = check(tmp_path, *sorted((ROOT / "examples" / "python").glob("*.py")))
    assert status == 0, said


PROGRAM = """
from typing import List

import lossless as ll


class Halve(ll.CongestionControl):
    step = ll.Attribute(100e6, unit="bit/s", help="added each round trip")
    hooks = ("ack",)

    def init(self, flow: ll.CongestionState, now_ps: int) -> None:
        self.next_ps = now_ps

    def on_ack(self, flow: ll.CongestionState, ack: ll.AckEvent) -> None:
        if ack.now_ps >= self.next_ps:
            flow.rate = min(flow.rate + self.step, flow.line_rate)
            self.next_ps = ack.now_ps + flow.base_rtt_ps


def slowest(control: Halve) -> float:
    fabric = ll.Fabric.leaf_spine(2, 2, 4, rate=ll.Gbps(100), delay=ll.us(1), buffer="4MiB",
                                  congestion_control=control)
    fabric.incast(senders=4, receiver="host 0", size="100kB", start=ll.us(10))
    fabric.flow(-1, fabric.nodes[0], "1MB", congestion_control=ll.Dcqcn())
    fabric.set_link_up(("leaf 0", "spine 1"), False)
    results = fabric.run(stop=ll.ms(5), keep=["pause"])
    times: List[float] = list(results.flows["fct_s"])
    kinds: List[str] = list(results.pauses["node_type"])
    print(results.flows[:3].head(2), results.flows[-1], results.units("pause")["duration_ns"], kinds)
    return max(times, default=0.0)


if __name__ == "__main__":
    print(slowest(Halve(step=40e6)))
    axes = ll.plot.sheet("column")
"""


def test_a_users_program_is_strictly_typed(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    status, said = mypy("mypy", "--strict", "--cache-dir", tmp_path / "cache", script)
    assert status == 0, said
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False,
                         env=dict(os.environ, PYTHONPATH=str(PACKAGE.parent)))
    assert ran.returncode == 0 and "ns" in ran.stdout, ran.stderr


MISTAKES = {
    "ll.us('5')": "incompatible type",
    "ll.Fabric.star(4).run().flows['fct_s'].upper()": "upper",
    "ll.Fabric.star(4).incast(3, [], 1)": "incompatible type",
    "ll.Fabric.star('four')": "incompatible type",
    "ll.Fabric.star(4).flow(0, 1, 1000, start=5)": "incompatible type",
    "ll.Dcqcn(gian=0.5)": "gian",
    "ll.Dcqcn(dialect=5)": "incompatible type",
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
