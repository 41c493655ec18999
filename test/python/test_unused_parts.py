# SPDX-License-Identifier: GPL-2.0-only
"""Settings of parts that other settings of the same part, or the rest of the run, leave without an effect."""

import lossless as ll
import pytest


def lines(capfd):
    return [line.removeprefix("lossless: warning: ") for line in capfd.readouterr().err.splitlines()]


@pytest.mark.parametrize("values, change", [
    ({}, {"quiet_period": "1ms"}),
    ({"action": "Alert"}, {"limit": 3}),
    ({"action": "Alert"}, {"clear_time": "200ms"}),
    ({"limit": 1}, {"clear_time": "200ms"}),
    ({"limit": 1}, {"quiet_period": "200ms"}),
])
def test_what_a_watchdog_does_not_read_leaves_detection_alone(values, change):
    def storms(change):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(4, congestion_control=None)
        watchdog = fabric.watch_switches(dialect="ns3::H3cStorm", time_scale=0.002, **values)[0]  # detects after 200 us
        fabric.faults.storm_host(0, "100us", "300us")
        fabric.flow(1, 0, "1MB", "50us")
        for time in ("250us", "350us", "1ms") if change else ():
            ll.Simulator.schedule(time, lambda: watchdog.set(**change))
        fabric.run(stop="2ms")
        return watchdog.totals
    assert storms(None)["storms"] == 1
    assert storms(change) == storms(None)


def test_a_fault_at_the_stop_begins(capfd):
    fabric = ll.Fabric.star(4)
    fabric.flow(0, 2, "500kB")
    fabric.faults.storm_host(0, "1ms")
    results = fabric.run(stop="1ms", stop_when_done=False)
    assert list(results.faults["what"]) == ["stuck-xoff"] and lines(capfd) == []


def test_a_link_that_is_set_down_while_it_is_down_is_named(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 2)
    fabric.flow(0, 2, "2MB")
    fabric.faults.cut_link(4, "60us", "40us")
    ll.Simulator.schedule("80us", lambda: fabric.set_link_up(4, False))
    fabric.run(stop="500us", stop_when_done=False)
    assert "link 4 is down already, and to set it down changes nothing; a fault that has cut it sets it up at its end" in (
        lines(capfd))
    fabric.set_link_up(4, False)
    fabric.set_link_up(4, True)
    assert lines(capfd) == []


def test_a_ping_mesh_that_is_over_cannot_be_changed():
    fabric = ll.Fabric.star(4)
    mesh = fabric.ping_mesh("0s", "1ms")
    said = []

    def change():
        for call in (lambda: mesh.set_interval("10us"), lambda: mesh.set_size(4000)):
            with pytest.raises(ValueError) as error:
                call()
            said.append(str(error.value))
    ll.Simulator.schedule("500us", lambda: mesh.set_interval("50us"))
    ll.Simulator.schedule("1.5ms", change)
    fabric.run(stop="2ms", stop_when_done=False)
    assert said == ["the interval of the probes of a ping mesh that is over would have no effect; set it before its end, 1ms",
                    "the length of the probes of a ping mesh that is over would have no effect; set it before its end, 1ms"]


def test_names_of_sockets_and_congestion_controls_of_ns3_are_taken():
    fabric = ll.Fabric.star(3)
    try:
        for name in ("TcpDctcp", "TcpCubic", "TcpNewReno"):
            ll.Config.set_default("TcpL4Protocol::SocketType", f"ns3::{name}")
        for name in ("TcpSocketBase", "UdpSocketImpl", "Packet"):
            with pytest.raises(ValueError, match="no congestion control; name one such as ns3::TcpDctcp|there is no type"):
                ll.Config.set_default("TcpL4Protocol::SocketType", f"ns3::{name}")
        ll.Config.set_default("OnOffApplication::Protocol", "ns3::UdpSocketFactory")
        with pytest.raises(ValueError, match="which is no ns3::SocketFactory"):
            ll.Config.set_default("OnOffApplication::Protocol", "ns3::Node")
        fabric.tcp(0, 1, "100kB")
        assert list(fabric.run().applications["state"]) == ["completed"]
    finally:
        ll.Config.reset()


def test_buffers_of_fabrics_that_may_lose_read_back_before_the_run():
    for lossy in (False, True):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(3, allow_lossy=lossy, at={"leaf": {"alpha": 1 / 4}})
        assert fabric.switches[0].mmu.in_force(0, 3)["alpha"] == 0.25
        assert fabric.switches[0].mmu.in_force(0, 3)["headroom"] > 60000


def test_settings_of_one_call_have_the_same_results_in_any_order():
    def run(values):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(4, buffer="2MiB", delay="2us", congestion_control=None)
        for host in (1, 2, 3):
            fabric.flow(host, 0, "1MB", "10us")
        ll.Simulator.schedule("5us", lambda: fabric.at("all").set(**values))
        totals = fabric.run().totals
        return fabric.switches[0].mmu.in_force(0, 3), totals["pfc_xoff_frames"]
    values = {"QbbChannel.delay": "100ns", "QbbNetDevice.mtu": 9000}
    assert run(values) == run(dict(reversed(values.items())))
