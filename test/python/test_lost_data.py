# SPDX-License-Identifier: GPL-2.0-only
"""RDMA data of lossless classes that a fabric loses is named: before the run where the cause can be
seen, and at its end whatever the cause was."""

import random
import re

import pytest

import lossless as ll
from budget import cases

AT_END = "frames of RDMA data"
IP_AT_END = "frames of IP stacks, such as TCP and UDP"
POLICY = "a border policy moves frames"


def policies(*rules):
    """A fabric whose switches have these border policies, each."""
    return ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB", extensions=[
        ll.Part("BorderPolicy", rules=rule) for rule in rules])


def tunnels(rules):
    """A fabric with tunnels between its leaves, and a border policy at the spines."""
    return ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB", at={
        "leaf": {"extensions": [ll.Part("VxlanEndpoint", vni=5)]},
        "spine": {"extensions": [ll.Part("BorderPolicy", rules=rules)]}})


def incast(fabric, capfd):
    """Send; return what was lost, and the warnings before the end and at it."""
    fabric.incast(7, 0, "2MB")
    totals = fabric.run(stop="5ms").totals
    lines = capfd.readouterr().err.splitlines()
    return (totals["lossy_drops"] + totals["lossless_drops"], [line for line in lines if AT_END not in line],
            [line for line in lines if AT_END in line])


@pytest.mark.parametrize("rules", [
    ["udp 4791 set dscp 0"], ["tcp drop", "udp 4791 set dscp 0"], ["dscp 24 set dscp 26", "dscp 26 set dscp 0"]])
def test_policies_that_make_rdma_lossy_are_named_before_the_run(rules, capfd):
    lost, before, at_end = incast(policies(*rules), capfd)
    assert lost > 0 and len(at_end) == 1 and "an earlier warning may say why" in at_end[0]
    assert len(before) == 1 and f"{POLICY} of class 3 to class 0" in before[0]


def test_what_no_check_sees_is_named_at_the_end(capfd):
    lost, before, at_end = incast(policies("from 10.0.0.0/8 set dscp 0"), capfd)
    assert lost > 0 and not before
    assert len(at_end) == 1
    assert at_end[0].startswith(f"lossless: warning: switches had no room for {lost} {AT_END} (")
    assert "though hosts send them in class 3, which is lossless there; see what the frames meet" in at_end[0]


def test_policies_between_tunnels_see_the_outer_headers(capfd):
    lost, before, _ = incast(tunnels("udp 4789 set dscp 0"), capfd)
    assert lost > 0
    assert len(before) == 1 and f"{POLICY} of class 3 to class 0" in before[0] and "spine" in before[0]
    fabric = tunnels("udp 4791 set dscp 0")
    fabric.incast(7, 0, "2MB")
    assert fabric.run(stop="5ms").totals["lossy_drops"] == 0
    assert not capfd.readouterr().err


def test_frames_that_a_fault_destroys_do_not_hide_others(capfd):
    fabric = policies("from 10.0.0.0/8 set dscp 0")
    fabric.faults.lose_frames("leaf 0", 3, ll.Part("RandomFrameLoss", rate=0.01), "0s", "1ms")
    assert incast(fabric, capfd)[2]


def test_a_lossless_class_beside_a_lossy_one_is_told_apart(capfd):
    fabric = policies("from 10.0.0.0/8 set dscp 0")
    fabric.incast(7, 0, "2MB", traffic_class=1)
    lost, before, at_end = incast(fabric, capfd)
    assert len(before) == 1 and "flows of class 1 may lose frames" in before[0]
    assert len(at_end) == 1 and "though hosts send them in class 3, which is lossless there" in at_end[0]
    assert 0 < int(at_end[0].split("no room for ")[1].split()[0]) < lost  # not those of class 1


def test_frames_that_an_earlier_warning_has_forecast_are_counted(capfd):
    fabric = ll.Fabric.star(9, buffer="1MB")
    ll.Simulator.schedule("1us", lambda: [fabric.switches[0].mmu.set_lossless(port, 3, 1000) for port in range(9)])
    lost, before, at_end = incast(fabric, capfd)
    assert lost > 0 and len(before) == 1 and "headroom" in before[0]
    assert len(at_end) == 1 and "; an earlier warning may say why; else see what the frames meet on their way" in at_end[0]


def test_headroom_that_overflows_after_lost_pauses_is_named_with_them(capfd):
    fabric = ll.Fabric.star(9, buffer="1MB")
    for host in range(1, 8):
        fabric.faults.lose_frames(f"host {host}", 0, ll.Part("RandomFrameLoss", rate=0.3), "0s", "5ms")
    lost, before, at_end = incast(fabric, capfd)
    assert lost > 0 and not before
    assert len(at_end) == 1 and "among which XOFFs may have been" in at_end[0]


def test_a_second_run_counts_its_own(capfd):
    fabric = policies("from 10.0.0.0/8 set dscp 0")
    assert incast(fabric, capfd)[2]
    fabric.flow(1, 0, 1000)
    fabric.run()
    assert not capfd.readouterr().err


def test_a_warning_of_an_earlier_run_silences_no_loss(capfd):
    fabric = ll.Fabric.leaf_spine(2, 1, 4, buffer="1500KiB", congestion_control=None)
    for _ in range(2):
        fabric.at("all").set(lossless_classes=[3])
        ll.Simulator.schedule("30us", lambda: fabric.at("all").set(lossless_classes=[]))
        lost, _, at_end = incast(fabric, capfd)
        assert lost > 0 and len(at_end) == 1
        assert f"no room for {lost} frames" in at_end[0] and "which was lossless there before" in at_end[0]


def test_a_class_that_has_become_lossless_is_not_taken_for_lossy(capfd):
    fabric = ll.Fabric.leaf_spine(2, 1, 4, buffer="1500KiB", congestion_control=None)
    fabric.flow(1, 2, "10kB", traffic_class=1)
    fabric.run()
    assert "flows of class 1 may lose frames" in capfd.readouterr().err
    fabric.at("all").set(lossless_classes=[1])
    for port in range(4):
        fabric.faults.silence_port(8, port, "5us", "200us")
    fabric.incast(7, 0, "500kB", traffic_class=1)
    assert fabric.run(stop="5ms").totals["lossless_drops"] > 0
    assert "hosts send them in class 1, which is lossless there; links or faults have" in capfd.readouterr().err


def test_pfc_that_is_switched_off_behind_the_flows_is_named(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB")
    fabric.incast(7, 0, "2MB")
    fabric.at("all").set(lossless_classes=[])
    assert fabric.run(stop="5ms").totals["lossy_drops"] > 0
    assert "hosts send them in class 3, which was lossless there before" in capfd.readouterr().err


def test_receive_buffers_of_nics_that_are_too_small_are_named(capfd):
    fabric = ll.Fabric.star(4, congestion_control=None)
    fabric.faults.slow_receiver(0, "0s", buffer_bytes="20KiB")
    fabric.incast(3, 0, "512KiB")
    lost = fabric.run(stop="3ms").totals["drops_receive_buffer_full"]
    assert lost > 0
    line, = [line for line in capfd.readouterr().err.splitlines() if "NICs" in line]
    assert line.startswith(f"lossless: warning: receive buffers of NICs had no room for {lost} frames, such as at host 0 "
                           "port 0, though class 3 is lossless at hosts; ")
    assert "receive buffer of 20480 bytes is 8845 bytes short" in line


def test_the_place_is_that_of_the_run(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB", extensions=[
        ll.Part("BorderPolicy", rules="from 10.0.0.0/8 set dscp 0")])
    for first in (0, 4):  # hosts of one leaf send to each other, then those of the other
        for host in (1, 2, 3):
            fabric.flow(first + host, first, "2MB")
        fabric.run(stop="5ms")
        line, = [line for line in capfd.readouterr().err.splitlines() if AT_END in line]
        assert f" of leaf {first // 4} port " in line


def test_lossy_frames_that_a_policy_books_as_lossless_are_named(capfd):
    fabric = ll.Fabric.star(6, extensions=[ll.Part("BorderPolicy", rules="dscp 0 set dscp 24")])
    for host in (1, 2):
        fabric.udp(host, 0, "60Gbps", stop="2ms", packet_size=1400)
    fabric.flow(1, 0, "40MB")
    assert fabric.run(stop="5ms").totals["lossless_drops"] > 0
    line, = capfd.readouterr().err.splitlines()
    assert f"{POLICY} with DSCP 0 from class 0, which is lossy, to class 3" in line


def test_a_policy_may_set_the_class_of_rdma(capfd):
    lost, before, at_end = incast(policies("udp 4791 set dscp 24"), capfd)
    assert not lost and not before and not at_end


@pytest.mark.parametrize("options", [{"allow_lossy": True}, {"lossless_classes": []}])
def test_a_fabric_that_is_meant_to_lose_frames_may(options, capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB", **options)
    lost, _, at_end = incast(fabric, capfd)
    assert not at_end
    assert (lost > 0) == ("lossless_classes" in options)


def test_data_of_a_lossy_class_is_named_once(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB")
    fabric.incast(7, 0, "2MB", traffic_class=1)
    assert fabric.run(stop="5ms").totals["lossy_drops"] > 0
    line, = capfd.readouterr().err.splitlines()
    assert "class 1" in line and AT_END not in line


def lines_of(capfd, text):
    return [line for line in capfd.readouterr().err.splitlines() if text in line]


def test_data_that_a_cut_link_loses_is_named_with_its_place(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 2)
    fabric.faults.cut_link(("leaf 0", "spine 0"), "20us", "50us")
    fabric.permutation("1MB")
    assert fabric.run().totals["flows_completed"] == 4
    line, = lines_of(capfd, "lossless: warning: ")
    assert line.startswith("lossless: warning: links that were down lost ") and " frames of RDMA data, " in line
    assert " port " in line and line.endswith("; this is for information where links were cut on purpose; else see "
                                              "what took them down")
    fabric.permutation("1MB")
    fabric.run()
    assert not lines_of(capfd, "links that were down"), "each run names its own losses"


def test_a_cut_that_loses_nothing_is_not_named(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 2)
    fabric.faults.cut_link(("leaf 0", "spine 0"), "100us", "50us")
    fabric.flow(0, 3, "1kB")
    fabric.run(stop="1ms", stop_when_done=False)
    assert not capfd.readouterr().err


def test_data_is_named_that_was_lost_before_an_exception(capfd):
    def bad():
        raise KeyError("of mine")

    fabric = policies("from 10.0.0.0/8 set dscp 0")
    fabric.faults.cut_link(("leaf 0", "spine 0"), "200us")
    ll.Simulator.schedule("400us", bad)
    fabric.incast(7, 0, "2MB")
    with pytest.raises(KeyError, match="of mine"):
        fabric.run(stop="5ms")
    err = capfd.readouterr().err
    assert "switches had no room for " in err and "links that were down lost " in err


def udp_incast(capfd, at, traffic_class=3, **options):
    """Four UDP flows at the rate of the line to one host; return what was lost, and the warnings."""
    fabric = ll.Fabric.leaf_spine(2, 2, 4, 2, buffer="2MB", at=at, **options)
    for host in (1, 2, 5, 6):
        fabric.udp(host, 0, "100Gbps", stop="100us", traffic_class=traffic_class)
    totals = fabric.run(stop="200us").totals
    return totals["lossless_drops"] + totals["lossy_drops"], capfd.readouterr().err.splitlines()


@pytest.mark.parametrize("class_map", [{"queue": "3:4"}, {"pfc_priority": "3:4"}])
def test_maps_by_which_udp_of_a_lossless_class_is_lost_are_named_before_the_run(class_map, capfd):
    lost, lines = udp_incast(capfd, {"switches": {"class_map": ll.Part("TrafficClassMap", **class_map)}},
                             lossless_classes=[3, 4])
    assert lost > 0
    before, at_end = lines
    assert "frames of class 3" in before or "flows of class 3" in before
    assert at_end.startswith(f"lossless: warning: switches had no room for {lost} {IP_AT_END} (")
    assert "though hosts send them in class 3, which is lossless there" in at_end


def test_udp_of_a_lossless_class_that_a_change_in_the_run_loses_is_named(capfd):
    ll.Simulator.schedule("10us", lambda: fabric.at("switches").set(**{"TrafficClassMap.Queue": "3:5"}))
    fabric = ll.Fabric.leaf_spine(2, 2, 4, 2, buffer="2MB")
    for host in (1, 2, 5, 6):
        fabric.udp(host, 0, "100Gbps", stop="100us", traffic_class=3)
    assert fabric.run(stop="200us").totals["lossless_drops"] > 0
    lines = capfd.readouterr().err.splitlines()
    assert any("queue 5" in line for line in lines) and any(IP_AT_END in line for line in lines)


def test_udp_that_overloads_a_lossless_class_loses_nothing_and_that_of_a_lossy_one_is_not_named(capfd):
    assert udp_incast(capfd, {}) == (0, [])
    ll.Simulator.destroy()
    lost, lines = udp_incast(capfd, {}, traffic_class=1)
    assert lost > 0 and not lines


@pytest.mark.parametrize("options, hint", [
    ({"queue_pair": {"InitialTtl": 2}}, "let InitialTtl of queue pairs exceed the number of switches on the way"),
    ({"at": {"spine": {"extensions": ll.Part("TtlLimiter", limits="3:1")}}}, "ns3::TtlLimiter of spine ")])
def test_data_whose_time_to_live_ends_is_named(options, hint, capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, **options)
    fabric.flow(0, 5, "10kB")
    totals = fabric.run(stop="1ms").totals
    lost = totals["drops_ttl_expired"]
    assert lost > 0
    line, = lines_of(capfd, "lossless: warning: ")
    assert line.startswith(f"lossless: warning: the time to live has ended of {lost} frames of RDMA data, ")
    assert hint in line and " port " in line


def test_ports_that_drop_the_packets_of_ip_stacks_are_named_before_the_run(capfd):
    fabric = ll.Fabric.leaf_spine(2, 2, 4, at={"hosts": {"port": {"Mtu": 9000}}})
    fabric.udp(0, 5, "10Gbps", stop="100us", packet_size=1000)
    fabric.run(stop="200us")
    assert not capfd.readouterr().err, "its packets are short enough"
    udp = fabric.udp(0, 5, "10Gbps", stop="100us", packet_size=8000, traffic_class=3)
    fabric.tcp(0, 6, "30kB")
    totals = fabric.run(stop="1ms").totals
    assert totals["drops_oversize"] > 0 and udp.bytes_received == 0
    before, at_end = capfd.readouterr().err.splitlines()
    assert "the MTU is 1500, and IP stacks of hosts send IP packets of 9000 bytes, which are dropped" in before
    assert f"{IP_AT_END} (oversize, " in at_end


def star_with(**parts):
    """A star whose host 1 sends to host 0."""
    return ll.Fabric.star(4, buffer="2MiB", **parts)


def cut(fabric, link):
    """Cut a link 5 us after the begin, by a call in the run."""
    ll.Simulator.schedule("5us", lambda: fabric.set_link_up(link, False))


def limited(fabric):
    """Let frames cross one switch alone."""
    fabric.prevent_deadlocks("ttl", [3], limit=1)


def watched(fabric):
    """A host that pauses for ever, and a watchdog that drops what waits for it."""
    fabric.watch_switches(time_scale=0.001)
    fabric.faults.storm_host(0, "10us", "4ms")


@pytest.mark.parametrize("make, lose, source, begin", [
    (star_with, lambda f: cut(f, 0), 1, "links that were down lost"),
    (lambda: ll.Fabric.leaf_spine(2, 1, 2, buffer="2MiB"), lambda f: cut(f, 0), 3, "switches had no route for"),
    (lambda: ll.Fabric.leaf_spine(2, 1, 2, buffer="2MiB"), limited, 3, "the time to live has ended of"),
    (star_with, watched, 1, "PFC watchdogs have dropped"),
    (lambda: star_with(extensions=[ll.Part("BorderPolicy", rules="from 10.0.0.2/32 drop")]), lambda f: None, 1,
     "border policies have dropped")])
@pytest.mark.parametrize("kind", ["rdma", "lossless", "lossy"])
def test_data_that_has_no_way_is_named(make, lose, source, begin, kind, capfd):
    fabric = make()
    if kind == "rdma":
        fabric.flow(source, 0, "500kB")
    else:
        fabric.udp(source, 0, "50Gbps", stop="100us", traffic_class=3 if kind == "lossless" else 0)
    lose(fabric)
    fabric.run(stop="1ms")
    lines = [line for line in capfd.readouterr().err.splitlines() if begin in line]
    what = {"rdma": AT_END, "lossless": IP_AT_END + ", in lossless classes, ", "lossy": "\0"}[kind]
    assert len(lines) == (kind != "lossy") and all(what in line for line in lines), lines


@pytest.mark.parametrize("traffic_class, named", [(3, True), (0, False)])
def test_host_queues_that_overflow_are_named(traffic_class, named, capfd):
    fabric = star_with()
    fabric.udp(1, 0, "300Gbps", stop="200us", packet_size=1400, traffic_class=traffic_class)
    lost = fabric.run(stop="1ms").totals["drops_host_queue_full"]
    assert lost > 0
    lines = [line for line in capfd.readouterr().err.splitlines() if "queues of hosts" in line]
    assert lines == ([f"lossless: warning: queues of hosts had no room for {lost} {IP_AT_END}, in lossless classes, at "
                      "host 1 port 0; raise IpQueueBytes of ns3::QbbNetDevice, or let the sockets send less"]
                     if named else [])


def test_hosts_that_a_switch_does_not_know_are_named(capfd):
    fabric = star_with(extensions=[ll.Part("L2Tables", unknown_mac="Drop", mac_timeout="1us")])
    fabric.flow(1, 0, "500kB", start="100us")
    lost = fabric.run(stop="300us").totals["drops_unknown_mac"]
    assert lost > 0
    assert (f"switches did not know the MAC addresses of hosts of {lost} frame" in capfd.readouterr().err)


def test_applications_that_send_to_no_socket_are_named(capfd):
    def said(**sink):
        fabric = star_with()
        if sink:
            fabric.application(0, "PacketSink", local=("0.0.0.0", 9), **sink)
        fabric.application(1, "OnOffApplication", stop="50us", remote=(0, 9), protocol="UdpSocketFactory",
                           data_rate="1Gbps", off_time="ns3::ConstantRandomVariable[Constant=0]")
        fabric.run(stop="100us")
        ll.Simulator.destroy()
        return capfd.readouterr().err

    line = re.compile(r"lossless: warning: nothing listened at UDP port 9 for (\d+) datagrams, at host 0; let an application "
                      r"such as ns3::PacketSink listen there as long as others send\n")
    everything = line.fullmatch(said())
    assert int(everything[1]) > 8
    assert line.fullmatch(said(protocol="TcpSocketFactory"))[1] == everything[1]
    early = line.fullmatch(said(protocol="UdpSocketFactory", stop="30us"))
    assert 0 < int(early[1]) < int(everything[1])
    late = line.fullmatch(said(protocol="UdpSocketFactory", start="30us"))
    assert int(everything[1]) - int(late[1]) - int(early[1]) in (-1, 0, 1)
    assert said(protocol="UdpSocketFactory", stop="90us") == ""


@pytest.mark.parametrize("vni, line", [
    (8, r"VXLAN devices have dropped \d+ frames, at host 1: tunnel-vni; set one Vni at all devices of an overlay"),
    (7, "")])
def test_a_vni_that_changes_at_one_end_is_named(capfd, vni, line):
    fabric = star_with()
    overlay = fabric.overlay([0, 1], vni=7)
    fabric.application(1, "PacketSink", local=("0.0.0.0", 9), protocol="UdpSocketFactory")
    fabric.application(0, "OnOffApplication", stop="50us", remote=(overlay.address(1), 9), protocol="UdpSocketFactory",
                       data_rate="20Gbps", off_time="ns3::ConstantRandomVariable[Constant=0]")
    ll.Simulator.schedule("20us", lambda: ll.Config.set("/NodeList/1/DeviceList/*/$ns3::VxlanNetDevice/Vni", vni))
    fabric.run(stop="100us")
    assert re.fullmatch(line and f"lossless: warning: {line}\n", capfd.readouterr().err)


def test_what_ip_stacks_drop_is_named(capfd):
    def said(host):
        fabric = star_with()
        overlay = fabric.overlay([0, 1])
        fabric.application(0, "PacketSink", local=("0.0.0.0", 9), protocol="UdpSocketFactory")
        fabric.application(1, "OnOffApplication", stop="50us", remote=(overlay.address(0) if host == 0 else host, 9),
                           protocol="UdpSocketFactory", data_rate="20Gbps",
                           off_time="ns3::ConstantRandomVariable[Constant=0]")
        fabric.run(stop="5s")
        ll.Simulator.destroy()
        unused = "the overlay of 2 VXLAN devices has no effect; nobody has sent to an address of it\n"
        return capfd.readouterr().err.replace(f"lossless: warning: {unused}", "")

    assert said(0) == ""  # ARP asks at once, and packets wait for the answer
    nobody = ("lossless: warning: ns3::OnOffApplication sends to 192.168.0.77, which is no address of a host; "
              "take one of the fabric or of an overlay\n")
    unresolved = re.fullmatch(r"lossless: warning: IP stacks found no MAC address in time for (\d+) packets, at host 1; raise "
                              r"PendingQueueSize of ns3::ArpCache, or see "
                              r"whether the address is there\n", said("192.168.0.77").replace(nobody, ""))
    assert int(unresolved[1]) > 200
    assert said("172.16.0.1") == nobody.replace("192.168.0.77", "172.16.0.1")


def test_rdma_flows_that_fail_are_named(capfd):
    fabric = star_with()
    fabric.flow(1, 0, "10MB")
    fabric.flow(2, 3, "1kB")
    cut(fabric, 0)
    results = fabric.run(stop="1s")
    failed = re.search(r"lossless: warning: RDMA flow 0 from host 1 to host 0 has failed: .+; see what its packets have met; "
                       r"RetryLimit of queue pairs says how often they try\n", capfd.readouterr().err)
    assert failed
    assert ["0: 1 -> 0" in repr(item) and "failed" in repr(item) for item in results.unfinished] == [True]


def test_tcp_flows_that_give_up_are_named(capfd):
    fabric = star_with()
    fabric.tcp(1, 0, "10MB", data_retries=1, min_rto="50us")
    fabric.tcp(2, 3, "1kB")
    cut(fabric, 0)
    results = fabric.run(stop="1s")
    assert list(results.applications["state"]) == ["failed", "completed"]
    line, = [line for line in capfd.readouterr().err.splitlines() if "has failed" in line]
    assert line.startswith("lossless: warning: TCP flow 0 from host 1 to host 0 has failed: the connection broke after ")


def random_datagrams(draw):
    """A fabric whose hosts send datagrams, some through an overlay, some to no socket, and some RDMA data; a link may be cut.
    Returns payload bytes sent and received, how many flows have failed, and how many frames were dropped for want of room in
    classes that may lose them: the summary counts those."""
    kind = draw.choice(["star", "leaf-spine", "small"])
    if kind == "leaf-spine":
        fabric = ll.Fabric.leaf_spine(2, 1, 2)
    else:
        fabric = ll.Fabric.star(4, buffer=draw.choice(["400kB", "1MB"]) if kind == "small" else "32MiB")
    overlay = fabric.overlay([0, 1, 2, 3]) if draw.random() < 0.5 else None
    if overlay:
        fabric.application(0, "UdpEchoClient", remote_address=overlay.address(3), remote_port=7, max_packets=1)
        fabric.application(3, "UdpEchoServer", port=7)
    sent = []
    received = []
    for port in range(100, 100 + draw.randint(1, 4)):
        source, destination = draw.sample(range(4), 2)
        sink = draw.choice([None, {}, {}, {}, {"stop": "50us"}, {"start": "50us"}])
        if sink is not None:
            fabric.application(destination, "PacketSink", local=("0.0.0.0", port), protocol="UdpSocketFactory",
                               **sink).connect("Rx", lambda packet, address: received.append(packet.size))
        remote = overlay.address(destination) if overlay and draw.random() < 0.6 else destination
        fabric.application(source, "OnOffApplication", start=draw.choice(["0us", "20us", "40us"]),
                           stop=draw.choice(["45us", "60us", "100us"]), remote=(remote, port),
                           protocol="UdpSocketFactory", data_rate=draw.choice(["1Gbps", "20Gbps", "90Gbps"]),
                           packet_size=draw.choice([200, 1000]), off_time="ns3::ConstantRandomVariable[Constant=0]"
                           ).connect("Tx", lambda packet: sent.append(packet.size))
    for _ in range(draw.randint(0, 2)):
        fabric.flow(*draw.sample(range(4), 2), "200kB")
    fabric.flow(0, 1, "1kB", start="900us")  # all datagrams have arrived by then
    if draw.random() < 0.2:
        ll.Simulator.schedule("30us", lambda: fabric.set_link_up(0, False))
    results = fabric.run(stop="50ms")
    return sum(sent), sum(received), len(results.unfinished), results.totals["lossy_drops"]


def test_datagrams_are_never_lost_in_silence_nor_named_without_loss(capfd):
    losses = 0
    for seed in range(cases("datagrams", 100)):
        sent, received, unfinished, allowed = random_datagrams(random.Random(seed))
        ll.Simulator.destroy()
        said = capfd.readouterr().err
        assert not said or sent != received or unfinished, (seed, said)
        assert said or allowed or sent == received, (seed, sent, received)
        losses += sent != received
    assert losses > 0
