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


@pytest.mark.parametrize("mtu, is_named", [(1100, True), (1137, True), (1138, False)])
@pytest.mark.parametrize("during", [False, True])
def test_an_mtu_that_tunnels_exceed_is_named(capfd, mtu, is_named, during):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, at={"leaf": {"extensions": [ll.Part("VxlanEndpoint")]}})
    places = fabric.at("spine to leaf")
    if not during:
        places.set(port={"mtu": mtu})
    line = said_of_change(capfd, lambda _: during and places.set(port={"mtu": mtu}), fabric)
    assert line == (f"lossless: warning: spine 0 (node 10) port 0: the MTU is {mtu}, and queue pairs send IP "
                    "packets of 1138 bytes with the headers of tunnels, which are dropped; set Mtu to that "
                    "at least (and 3 more findings)\n" if is_named else "")
