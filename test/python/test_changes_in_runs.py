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
    assert "leaf 0 port 4 class 3: headroom of 1040 bytes is " in line
    assert line.count("\n") == 1


@pytest.mark.parametrize("mtu, is_named", [(1100, True), (1137, True), (1138, False)])
@pytest.mark.parametrize("during", [False, True])
def test_an_mtu_that_tunnels_exceed_is_named(capfd, mtu, is_named, during):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, at={"leaf": {"extensions": [ll.Part("VxlanEndpoint")]}})
    places = fabric.at("spine to leaf")
    if not during:
        places.set(port={"mtu": mtu})
    said = said_of_change(capfd, lambda _: during and places.set(port={"mtu": mtu}), fabric)
    assert ("4 findings of rule mtu: spine 0 port 0: the MTU is" in said) == is_named
    assert ("frames lost: oversize " in said) == (mtu == 1100)  # only immediate data would make 1138 bytes


def test_an_extension_that_tunnels_blind_is_named(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, at={"leaf": {"extensions": [ll.Part("VxlanEndpoint")]}})
    assert said_of_change(capfd, lambda f: f.switches[0].add_extension(ll.create("SwitchCnpSender")), fabric) == (
        "lossless: warning: ns3::SwitchCnpSender of leaf 0 reads RoCE headers, which VXLAN tunnels hide; take a "
        "congestion control that ECN or delay drives, such as ns3::RdmaDcqcn\n")
