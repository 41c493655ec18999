# SPDX-License-Identifier: GPL-2.0-only
"""What is set while a fabric runs, and makes a lossless class lose frames or has no effect, is named
then."""

import pytest

import lossless as ll


def said_of_change(capfd, change, fabric=None):
    """What a change of a fabric during its run prints."""
    fabric = fabric or ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB")
    fabric.incast(3, 0, "100kB")
    assert capfd.readouterr().err == ""
    ll.Simulator.schedule("5us", lambda: change(fabric))
    fabric.run(progress=False, stop="1ms")
    return capfd.readouterr().err


def test_too_little_headroom_of_one_class_is_named(capfd):
    line = said_of_change(capfd, lambda fabric: fabric.switches[0].mmu.set_lossless(4, 3, 1000))
    assert "leaf 0 (node 8) port 4 class 3: headroom of 1040 bytes is " in line
    assert line.count("\n") == 1
