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


@pytest.mark.parametrize("values, what", [
    ({"queue": "3:5"}, "frames of class 3 wait in queue 5 of host 0 port 0"),
    ({"pfc_queue": "3:4"}, "no pause stops their queue any more at host 0 port 0 and 7 more ports")])
@pytest.mark.parametrize("change", [
    lambda fabric, values: fabric.at("hosts").set(class_map=ll.Part("TrafficClassMap", **values)),
    lambda fabric, values: [fabric.device(host, 0).traffic_class_map.set(**values) for host in range(8)]])
def test_maps_of_hosts_that_no_pause_reaches_are_named(capfd, values, what, change):
    line = said_of_change(capfd, lambda fabric: change(fabric, values))
    assert what in line
    assert line.count("\n") == 1


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
    said = said_of_change(capfd, lambda _: during and places.set(port={"mtu": mtu}), fabric)
    line, *at_end = said.splitlines() or [""]
    assert line == (f"lossless: warning: spine 0 (node 10) port 0: the MTU is {mtu}, and queue pairs send IP "
                    "packets of 1138 bytes with the headers of tunnels, which are dropped; set Mtu to that "
                    "at least (and 3 more findings)" if is_named else "")
    assert len(at_end) == (mtu == 1100)  # only immediate data would make 1138 bytes
    assert all("frames of RDMA data (oversize, such as in" in words for words in at_end)


@pytest.mark.parametrize("classes", [[], [4]])
def test_pfc_that_is_switched_off_everywhere_is_named(capfd, classes):
    assert said_of_change(capfd, lambda fabric: fabric.at("all").set(lossless_classes=classes)) == (
        "lossless: warning: flows of class 3 may lose frames from now on, as no pause stops their queue any more "
        "at host 0 port 0 and 23 more ports; keep class 3 lossless while its flows run\n")


def test_pfc_that_is_switched_off_for_a_class_without_flows_is_not_named(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB", lossless_classes=[3, 4])
    assert said_of_change(capfd, lambda _: fabric.at("all").set(lossless_classes=[3]), fabric) == ""


@pytest.mark.parametrize("values", [{"dscp": "24:0"}, {"trust": "Dot1p"}])
def test_frames_under_way_that_new_maps_take_for_another_class_are_named(capfd, values):
    new = ll.Part("TrafficClassMap", **values)
    assert said_of_change(capfd, lambda fabric: fabric.at("all").set(class_map=new)) == (
        "lossless: warning: frames of class 3 that are under way may be lost, as they keep their marks, and the "
        "new class map of host 0 port 0 and 23 more ports takes them for class 0; change class maps while no "
        "flow of class 3 runs\n")


def test_maps_that_take_frames_under_way_as_before_are_not_named(capfd):
    new = ll.Part("TrafficClassMap", dscp="40:0")
    assert said_of_change(capfd, lambda fabric: fabric.at("all").set(class_map=new)) == ""


def test_an_end_point_of_tunnels_that_is_added_is_named(capfd):
    assert said_of_change(capfd, lambda f: f.switches[0].add_extension(ll.create("VxlanEndpoint"))) == (
        "lossless: warning: ns3::VxlanEndpoint of leaf 0 has no effect; the end points of a fabric are joined "
        "when it is built: name it there\n")


def test_an_extension_that_tunnels_blind_is_named(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, at={"leaf": {"extensions": [ll.Part("VxlanEndpoint")]}})
    assert said_of_change(capfd, lambda f: f.switches[0].add_extension(ll.create("SwitchCnpSender")), fabric) == (
        "lossless: warning: ns3::SwitchCnpSender of leaf 0 reads RoCE headers, which VXLAN tunnels hide; take a "
        "congestion control that ECN or delay drives, such as ns3::RdmaDcqcn\n")
