# SPDX-License-Identifier: GPL-2.0-only
"""Defaults, paths, random variables, the simulator."""

import subprocess
import sys

import pytest

import lossless as ll


def test_set_default_and_reset():
    ll.Config.set_default("RdmaQueuePair::Mtu", 4096)
    ll.Config.set_default("ns3::QbbNetDevice::data_rate", ll.DataRate("25Gbps"))
    ll.Config.set_default("RdmaDcqcn::Dialect", "paper")
    assert ll.create("RdmaQueuePair").mtu == 4096
    assert ll.create("QbbNetDevice").data_rate == ll.DataRate("25Gbps")
    assert ll.create("RdmaDcqcn").dialect == "Paper"
    ll.Config.reset()
    assert ll.create("RdmaQueuePair").mtu == 1024


def test_changed_defaults_hold_for_fabrics():
    ll.Config.set_default("QbbNetDevice::DataRate", "50Gbps")
    ll.Config.set_default("QbbChannel::Delay", "3us")
    ll.Config.set_default("RdmaQueuePair::CongestionControl", "ns3::RdmaHpcc[Eta=0.9]")
    fabric = ll.Fabric.leaf_spine(2, 2, 4)
    assert fabric.device(0).data_rate == ll.DataRate("50Gbps")
    assert fabric.topology.links[0][2].delay == ll.Time("3us")
    assert "ns3::RdmaHpcc[Eta=0.9" in str(fabric.settings)
    assert ll.Fabric.star(2, rate="10Gbps").device(0).data_rate == ll.DataRate("10Gbps")
    assert "RdmaHpcc" not in str(ll.Fabric.star(2, congestion_control=None).settings)
    ll.Config.reset()
    assert ll.Fabric.star(2).device(0).data_rate == ll.DataRate("100Gbps")


def test_a_default_is_exact():
    ll.Config.set_default("SwitchMmu::Alpha", 0.123456789)
    ll.Config.set_default("RdmaQueuePair::RetransmitTimeout", "1234567ps")
    assert ll.create("SwitchMmu").alpha == 0.123456789
    assert ll.create("RdmaQueuePair").retransmit_timeout == ll.Time("1234567ps")


def test_defaults_that_nothing_takes_are_named(star, capfd):
    ll.Config.set_default("RdmaHpcc::Eta", 0.9)
    ll.Config.set_default("ns3::RdmaDcqcn::Gain", 0.5)
    star.flow(0, 1, 1000)
    star.run()
    assert capfd.readouterr().err == (
        "lossless: warning: RdmaHpcc.Eta is unused, as it needs an object of ns3::RdmaHpcc; settings.csv has all\n")


@pytest.mark.parametrize("name, value", [
    ("QbbNetDevice::DataRate", "50Gbps"), ("QbbChannel::Delay", "3us"), ("SwitchMmu::Alpha", 0.25),
    ("RdmaQueuePair::CongestionControl", "RdmaDctcp"), ("TcpSocket::SegmentSize", 900)])
def test_defaults_that_something_takes_are_not_named(name, value, capfd):
    ll.Config.set_default("RdmaHpcc::Eta", 0.9)
    ll.Config.reset()
    ll.Config.set_default(name, value)
    fabric = ll.Fabric.star(2)
    fabric.flow(0, 1, 1000)
    fabric.tcp(0, 1, 1000)
    fabric.run()
    assert not capfd.readouterr().err


def test_an_object_is_no_default():
    with pytest.raises(ValueError, match="EgressScheduler is an object.*scheduler="):
        ll.Config.set_default("QbbNetDevice::EgressScheduler", "ns3::DwrrScheduler")


def test_paths(star):
    ports = ll.Config.lookup("/NodeList/*/DeviceList/*")
    assert star.device(0) in ports and len(ports) == 8
    ll.Config.set("/NodeList/*/DeviceList/0/pfc_quanta", 1000)
    assert star.device(2).pfc_quanta == 1000
    seen = []

    def heard(path, device, frame):
        seen.append((path, device, frame))

    ll.Config.connect("/NodeList/*/DeviceList/*/FrameTx", heard)
    star.flow(1, 0, 1)
    star.run()
    path, device, frame = seen[0]
    assert path == f"/NodeList/{device.node.id}/DeviceList/0/FrameTx" and frame.bytes > 0
    assert device is star.device(1)
    count = len(seen)
    ll.Config.disconnect("/NodeList/*/DeviceList/*/FrameTx", heard)
    pair, _ = star.connect(2, 3)
    pair.post("write", 1)
    ll.Simulator.run()
    assert len(seen) == count


@pytest.mark.parametrize("action, error, text", [
    (lambda: ll.Config.set("/NodeList/99/DeviceList/0/Mtu", 1), ValueError, "matches nothing"),
    (lambda: ll.Config.set("/NodeList/0/DeviceList/0/Colour", 1), AttributeError, "Colour"),
    (lambda: ll.Config.connect("/NodeList/0/DeviceList/0/Frame", print), AttributeError, "Frame"),
    (lambda: ll.Config.lookup("NodeList"), ValueError, "begin"),
    (lambda: ll.Config.set("/", 1), ValueError, "/NodeList"),
])
def test_wrong_paths(star, action, error, text):  # pylint: disable=unused-argument
    with pytest.raises(error, match=text):
        action()


def test_random_variables():
    variable = ll.create("ExponentialRandomVariable", mean=2.5, stream=7)
    values = [variable.get_value() for _ in range(4000)]
    assert variable.stream == 7 and 2.3 < sum(values) / len(values) < 2.7
    again = ll.create("ExponentialRandomVariable", mean=2.5, stream=7)
    assert again.get_value() == values[0]
    dice = ll.create("UniformRandomVariable", min=1, max=6)
    assert {dice.get_integer() for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    with pytest.raises(RuntimeError, match="UniformRandomVariable"):
        ll.create("EmpiricalRandomVariable").get_value()


def test_simulator():
    seen = []
    assert ll.Simulator.is_finished()
    event = ll.Simulator.schedule_now(seen.append, 1)
    assert not ll.Simulator.is_finished() and event.is_pending
    before = ll.Simulator.event_count()
    ll.Simulator.run()
    assert seen == [1] and ll.Simulator.event_count() == before + 1
    later = ll.Simulator.schedule("1us", print)
    ll.Simulator.destroy()
    assert not later.is_pending
    later.cancel()
    assert "over" in repr(later)


def test_reset_keeps_the_simulator():
    result = subprocess.run([sys.executable, "-c", """
import lossless as ll
ll.Config.reset()
fabric = ll.Fabric.star(3)
fabric.flow(0, 1, 1000)
fabric.run(threads=1)
"""], capture_output=True, text=True, check=False)
    assert not result.returncode and not result.stderr


def test_several_values_are_set_or_none(star):
    star.connect(2, 3)  # whose packets need more than 500 bytes
    ports = ll.Config.lookup("/NodeList/*/DeviceList/*")
    before = [(port.pfc_quanta, port.mtu) for port in ports]
    for action in (lambda: star.device(2).set(pfc_quanta=1000, mtu=500),
                   lambda: star.device(2).set(pfc_quanta=1000, data_rate="fast"),
                   lambda: star.device(2).set(pfc_quanta=1000, colour=1),
                   lambda: star.device(2).set(pfc_quanta=1000, PfcQuanta=2000),
                   lambda: ll.Config.set("/NodeList/*/DeviceList/*/Mtu", 500)):
        with pytest.raises((ValueError, AttributeError)):
            action()
        assert [(port.pfc_quanta, port.mtu) for port in ports] == before
    star.device(2).set(pfc_quanta=1000, mtu=9000)
    assert (star.device(2).pfc_quanta, star.device(2).mtu) == (1000, 9000)


def test_ports_of_a_cable_are_made_or_none():
    a, b = ll.Node(), ll.Node()
    for wrong, error in (({"colour": 1}, AttributeError), ({"pfc_quanta": "x"}, ValueError),
                         ({"data_rate": "1Gbps"}, ValueError)):
        with pytest.raises(error):
            ll.connect_nodes(a, b, **wrong)
    assert not ll.Config.lookup("/NodeList/*/DeviceList/*")


def test_what_is_not_connected_cannot_be_disconnected(star):
    def heard(*_):
        pass

    with pytest.raises(ValueError, match="heard.* is not connected to FrameTx; give the function"):
        star.device(0).disconnect("FrameTx", heard)
    path = "/NodeList/*/DeviceList/*/FrameTx"
    with pytest.raises(ValueError, match="heard.* is not connected to /NodeList"):
        ll.Config.disconnect(path, heard)
    star.device(1).connect("FrameTx", heard)
    with pytest.raises(ValueError, match="not connected"):
        star.device(0).disconnect("FrameTx", heard)
    star.device(1).disconnect("FrameTx", heard)
    with pytest.raises(ValueError, match="not connected"):
        star.device(1).disconnect("FrameTx", heard)
    ll.Config.connect(path, heard)
    ll.Config.disconnect(path, heard)


def test_threads_and_their_default_do_not_contradict_in_silence():
    ll.Config.set_default("FabricSimulatorImpl::Threads", 2)
    fabric = ll.Fabric.star(3)
    fabric.flow(0, 1, 1000)
    with pytest.raises(ValueError, match="threads of the run is 3, and .*Threads is 2; give one of them"):
        fabric.run(threads=3)
