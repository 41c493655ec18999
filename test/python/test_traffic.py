# SPDX-License-Identifier: GPL-2.0-only
"""TCP, UDP and stock applications beside RDMA."""

import math

import pytest

import lossless as ll


def test_tcp_flow(star):
    windows = []
    flow = star.tcp(0, 1, "10MB", congestion_control="TcpCubic")
    assert flow.socket is None and flow.completed is None and flow.state == "running"
    ll.Simulator.schedule("1us", lambda: flow.socket.connect(
        "CongestionWindow", lambda before, after: windows.append((before, after))))
    results = star.run()
    assert flow.state == "completed" and flow.bytes_sent == flow.bytes_received == 10_000_000
    assert flow.sink.bytes_received == 10_000_000
    assert flow.application.type_name == "ns3::TcpFlowSource"
    # 10 MB in packets of 1448 of 1538 bytes on the wire at 100 Gb/s, after a slow start.
    assert 0.85e-3 < flow.completed.seconds < 1.6e-3
    assert flow.throughput == pytest.approx(8e7 / flow.completed.seconds)
    left = ll.Simulator.now() - flow.completed
    assert ll.Time() <= left <= ll.us(1), "the run ended with it: with its window, a link's delay"
    assert len(windows) > 10 and windows[0][0] < windows[0][1], "the congestion window grew"
    assert "TCP 0 -> 1, class 0: completed, 10000000 of 10000000" in repr(flow)
    table, = results.applications
    assert table["protocol"] == "tcp" and table["bytes_received"] == 10_000_000
    assert table["fct_ns"] == round(flow.completed.seconds * 1e9) and table["state"] == "completed"
    assert "TCP: 1 flow, 1 of 1 of finite size completed; 10.000 MB sent" in results.summary()


@pytest.mark.parametrize("rdma, tcp", [(1000, "10MB"), ("50MB", 1000)])
def test_a_run_waits_for_both(star, rdma, tcp):
    star.flow(2, 3, rdma)
    flow = star.tcp(0, 1, tcp)
    star.tcp(1, 0)  # without end: nobody waits for it
    results = star.run()
    assert flow.completed is not None and list(results.flows["status"]) == [0]
    last = max(flow.completed.seconds, results.flows["fct_s"][0])
    assert last - 1e-12 <= ll.Simulator.now().seconds <= last + 1e-6  # the window of its end
    assert 0.5e-3 < last < 20e-3


def test_udp_flow(star):
    flow = star.udp(0, 1, "10Gbps", "1ms", "2ms", packet_size=500, traffic_class=1)
    results = star.run()
    assert flow.protocol == "udp" and flow.state == "stopped" and flow.completed is None
    assert flow.bytes_sent == pytest.approx(10e9 / 8 * 1e-3, rel=0.001)
    assert flow.bytes_received == flow.bytes_sent
    assert flow.throughput == pytest.approx(10e9, rel=0.01)
    row, = results.applications
    assert math.isnan(row["fct_ns"]) and row["class"] == 1 and row["bytes"] == 0


def test_classes_are_kept_apart(star):
    seen = {}
    star.device(0).connect("FrameRx", lambda _, frame: seen.setdefault(
        (frame.kind, frame.traffic_class), []).append(frame.dscp))
    star.tcp(1, 0, "1MB", traffic_class=1)
    star.udp(2, 0, "1Gbps", stop="100us", traffic_class=2)
    star.flow(3, 0, "1MB", traffic_class=3)
    star.run()
    assert {key for key in seen if key[0] != ll.FrameKind.PFC} == {
        (ll.FrameKind.IP, 1), (ll.FrameKind.IP, 2), (ll.FrameKind.ROCE, 3)}
    assert len({dscp for all_of_class in seen.values() for dscp in all_of_class if dscp}) >= 3


@pytest.mark.parametrize("control", ["TcpCubic", "TcpDctcp"])
@pytest.mark.parametrize("traffic_class", [0, 1])
def test_dctcp_hears_marks(star, control, traffic_class):
    flows = [star.tcp(i, 0, "20MB", congestion_control=control, traffic_class=traffic_class)
             for i in (1, 2)]
    results = star.run(stop="100ms")
    assert all(flow.state == "completed" for flow in flows)
    heard = control == "TcpDctcp"
    assert (results.totals["ecn_marks"] > 50) == heard
    assert (results.totals["lossy_drops"] == 0) == heard, "WRED drops what cannot be marked"


def test_applications(star):
    sink = star.application(0, "PacketSink", local=("0.0.0.0", 9), protocol="TcpSocketFactory")
    source = star.application(1, "BulkSendApplication", "10us", remote=(0, 9), max_bytes=50000)
    other = star.application(2, "OnOffApplication", "10us", "1ms",
                             remote=(star.address(0), 10), data_rate="1Gbps")
    received = []
    sink.connect("Rx", lambda packet, address: received.append(packet.size))
    star.run(stop="2ms")
    assert sink.bytes_received == sum(received) == 50000
    assert source.type_name == "ns3::BulkSendApplication" and source.max_bytes == 50000
    assert other.node.id == star.nodes[star.topology.hosts[2]].id


@pytest.mark.parametrize("start", ["0s", "3us"])
@pytest.mark.parametrize("protocol", ["tcp", "udp"])
def test_the_socket_is_there_at_the_start(star, start, protocol):
    flow = (star.tcp(0, 1, "1MB", start) if protocol == "tcp" else
            star.udp(0, 1, "10Gbps", start, "50us"))
    assert flow.socket is None
    calls, sent = [], []
    star.device(1).connect("FrameRx", lambda *_: sent.append(ll.Simulator.now()))

    def begin():
        calls.append((ll.Simulator.now(), flow.socket.type_name, len(sent)))
        if protocol == "tcp":
            flow.socket.connect("CongestionWindow", lambda *_: calls.append("window"))
        with pytest.raises(ValueError, match="has started"):
            flow.on_start(begin)

    flow.on_start(begin)
    star.run()
    socket = "ns3::TcpSocketBase" if protocol == "tcp" else "ns3::UdpSocketImpl"
    assert calls[0] == (ll.Time(start), socket, 0) and sent
    assert ("window" in calls) == (protocol == "tcp")


def test_a_flow_that_begins_in_a_run(star):
    flows = []

    def begin():
        for flow in (star.tcp(0, 1, "1MB", "5us"), star.udp(2, 1, "1Gbps", "5us", "20us")):
            flow.on_start(lambda: flows.append(ll.Simulator.now()))

    star.install_internet()
    star.flow(2, 3, "10MB")
    ll.Simulator.schedule("5us", begin)
    star.run()
    assert flows == [ll.Time("5us")] * 2


@pytest.mark.parametrize("size, packet", [(1, 1000), (12345, 1000), (1500, 1000), (4000, 1000), (120000, 9000)])
def test_a_udp_flow_sends_its_size(size, packet):
    star = ll.Fabric.star(3, congestion_control=None)
    ends = []
    flow = star.udp(0, 1, "10Gbps", size=size, packet_size=packet)
    flow.on_start(lambda: ends.append("begun"))
    star.run(stop="3ms")
    assert ends and flow.bytes_sent == flow.bytes_received == size and flow.state == "completed"


def test_what_is_random_in_applications_is_fixed():
    def run(seed):
        ll.Simulator.destroy()
        ll.set_seed(seed)
        star = ll.Fabric.star(4)
        star.application(0, "ThreeGppHttpServer", local_address=0)
        star.application(1, "ThreeGppHttpClient", "1ms", remote_server_address=0)
        source = star.application(2, "OnOffApplication", remote=(3, 9), data_rate="1Mbps",
                                  on_time="ns3::ExponentialRandomVariable[Mean=0.01]",
                                  off_time="ns3::ExponentialRandomVariable[Mean=0.01]")
        sent = []
        source.connect("Tx", lambda packet: sent.append(ll.Simulator.now()))
        seen = []
        star.device(1).connect("FrameRx", lambda _, frame: seen.append(
            (ll.Simulator.now(), frame.bytes)))
        star.run(stop="20s")
        return sent, seen

    first = run(1)
    assert len(first[0]) > 100 and len(first[1]) > 10
    assert [run(1) == first for _ in range(6)] == [True] * 6, "also what constructors draw"
    assert run(2) != first


@pytest.mark.parametrize("limit", ["1MiB", "8MiB"])
def test_the_queue_of_a_host_holds_what_sockets_do(limit):
    ll.Config.set_default("ns3::QbbNetDevice::IpQueueBytes", limit)
    star = ll.Fabric.star(4)
    star.flow(0, 2, "50MB")
    flow = star.tcp(0, 3, "10MB", traffic_class=1, congestion_control="TcpDctcp",
                    min_rto="5ms")
    results = star.run()
    assert flow.state == "completed" and flow.completed < ll.Time("50ms")
    assert (results.totals["drops_host_queue_full"] > 0) == (limit == "1MiB")


def test_a_flow_avoids_the_ports_of_servers(star):
    server = star.application(0, "UdpServer", port=5001)
    flow = star.udp(1, 0, "1Gbps", stop="100us")
    star.run()
    assert server.type_name == "ns3::UdpServer" and flow.bytes_received == flow.bytes_sent > 0


def test_a_stop_ends_a_flow_that_has_a_size(star):
    flow = star.tcp(0, 1, "1GB", stop="1ms")
    star.run()
    assert flow.state == "stopped" and flow.reason == "it was stopped"
    assert ll.Simulator.now() < ll.Time("10ms") and flow.bytes_received < 1e9


@pytest.mark.parametrize("action, error, text", [
    (lambda f: f.tcp(0, 9, 1), IndexError, "host 9"),
    (lambda f: f.tcp(0, 1, 1, congestion_control="TcpQubic"), ValueError, "TcpCubic"),
    (lambda f: f.tcp(0, 1, 1, nagle=True), AttributeError, "TcpSocketBase"),
    (lambda f: f.tcp(0, 1, 1, stop="0s"), ValueError, "stop is 0s"),
    (lambda f: f.application(0, "Node"), ValueError, "no application"),
    (lambda f: f.application(0, "PacketSink", local=(7, 9)), IndexError, "host 7; there are 4"),
    (lambda f: f.tcp(0, 1, 1, 5), TypeError, "is no time"),
    (lambda f: (f.udp(1, 0, "1Gbps"), f.application(0, "UdpServer", port=5001)),
     ValueError, "taken"),
    (lambda f: f.application(1, "ThreeGppHttpClient"), ValueError, "without RemoteServerAddress"),
])
def test_what_is_wrong_is_said(star, action, error, text):
    with pytest.raises(error) as caught:
        action(star)
    assert text in str(caught.value) and "\n" not in str(caught.value)


def test_paths_leave_out_devices_without_what_they_name(star):
    star.tcp(0, 1, 1000)
    sent = []
    ll.Config.connect("/NodeList/*/DeviceList/*/FrameTx", lambda *args: sent.append(args))
    ll.Config.set("/NodeList/*/DeviceList/*/IpQueueBytes", 123456)
    star.run()
    assert sent and star.device(0).ip_queue_bytes == 123456
    for call in (lambda: ll.Config.connect("/NodeList/*/DeviceList/*/NoSuch", print),
                 lambda: ll.Config.set("/NodeList/*/DeviceList/*/NoSuch", 1)):
        with pytest.raises(AttributeError, match="NoSuch"):
            call()


@pytest.mark.parametrize("name", ["start_time", "stop_time"])
def test_times_of_applications_are_fixed_during_the_run(star, name):
    flow = star.udp(1, 0, "5Gbps", stop="300us")
    said = []

    def change():
        for call in (lambda: flow.application.set(**{name: "150us"}),
                     lambda: ll.Config.set(f"/NodeList/*/ApplicationList/*/{name.title().replace('_', '')}", "150us")):
            with pytest.raises(ValueError, match="is fixed since the application is installed and the run has begun"):
                call()
            said.append(True)

    ll.Simulator.schedule("100us", change)
    star.run("2ms")
    assert len(said) == 2


@pytest.mark.parametrize("name", ["Application::StartTime", "OnOffApplication::StopTime"])
def test_times_are_no_default_of_all_applications(name):
    with pytest.raises(ValueError, match="would be the default of all applications"):
        ll.Config.set_default(name, "100us")
