# SPDX-License-Identifier: GPL-2.0-only
"""How far a run is: below a cell of a notebook, and on a terminal."""

import os
import pty
import subprocess
import sys
import time
import types

import pytest

import lossless as ll


def slow_run(**options):
    """A run that takes longer than it is silent."""
    fabric = ll.Fabric.star(3)
    fabric.flow(0, 1, "1MB")
    ll.Simulator.schedule("20us", time.sleep, 0.7)
    return fabric.run(**options)


@pytest.fixture
def lines(monkeypatch):
    """What a notebook shows below a cell: IPython's displays."""
    shown = []

    class Display:
        """Of display()."""

        def update(self, data, raw):
            assert raw
            shown.append(("update", data["text/plain"]))

    def display(data, raw, display_id):
        assert raw and display_id
        shown.append(("new", data["text/plain"]))
        return Display()

    ipython, page = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    page.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", page)
    return shown


def test_a_run_in_a_notebook_has_one_line(lines):
    assert slow_run().totals["flows_completed"] == 1
    assert [kind for kind, _ in lines] == ["new"] + ["update"] * (len(lines) - 1)
    assert len(lines) >= 2 and "0 of 1 flows done" in lines[0][1]
    assert lines[-1][1].endswith("1 of 1 flows done"), "the last line stays"


def test_a_short_run_shows_nothing(lines):
    fabric = ll.Fabric.star(3)
    fabric.flow(0, 1, "1kB")
    fabric.run()
    assert not lines


def test_a_run_may_be_silent(lines):
    slow_run(progress=False)
    assert not lines


def test_runs_of_a_sweep_leave_the_line_to_it(lines):
    ll.sweep(lambda x: {"flows": slow_run().totals["flows_completed"]}, {"x": [1]})
    assert lines and all("points" in line for _, line in lines)


def test_a_shell_is_no_notebook(lines, monkeypatch):
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", types.SimpleNamespace)
    slow_run()
    assert not lines


def test_what_a_line_raises_ends_the_run(lines, monkeypatch):
    def broken(*_, **__):
        raise OSError("the kernel has gone")

    monkeypatch.setattr(sys.modules["IPython.display"], "display", broken)
    with pytest.raises(OSError, match="the kernel has gone"):
        slow_run()
    assert not lines


@pytest.mark.parametrize("terminal", [True, False])
def test_a_line_on_a_terminal(terminal):
    code = ("import sys; sys.path.insert(0, sys.argv[1])\n"
            "from test_progress import slow_run\n"
            "slow_run()\n")
    command = [sys.executable, "-c", code, os.path.dirname(__file__)]
    if not terminal:
        assert subprocess.run(command, capture_output=True, check=True).stderr == b""
        return
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        try:
            while True:
                said += os.read(ours, 4096)
        except OSError:  # the end of it
            pass
        assert process.wait() == 0
    os.close(ours)
    assert b"of 1 flows done" in said and said.endswith(b"\r" + b" " * 78 + b"\r"), said
