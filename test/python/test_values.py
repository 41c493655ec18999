# SPDX-License-Identifier: GPL-2.0-only
"""Times, rates, attributes, names of places, and what is wrong with them."""

import pickle

import pytest

import lossless as ll


def test_times_are_exact():
    assert ll.Time("1.5us").ps == 1500000
    assert ll.Time("-2ns").ps == -2000
    assert str(ll.Time("4ms")) == "4ms" and repr(ll.Time("7ps")) == "lossless.Time('7ps')"
    assert ll.Time("1us") + ll.Time("1ns") > ll.Time("1us")
    assert float(ll.Time("4124800ps")) == ll.Time("4124800ps").seconds == 4.1248e-06
    assert ll.Time("3us") / ll.Time("2us") == 1.5
    assert 2 * ll.Time("3us") == ll.Time("6us")
    assert pickle.loads(pickle.dumps(ll.Time("5us"))) == ll.Time("5us")
    with pytest.raises(ZeroDivisionError):
        ll.Time("1us") / ll.Time("0s")


def test_arithmetic_of_times():
    us = ll.Time("1us")
    assert 3 * us == us * 3 == ll.Time("3us") and us * 0.5 == ll.Time("500ns") == us / 2
    assert ll.Time("7us") // ll.Time("2us") == 3 and ll.Time("7us") % ll.Time("2us") == us
    assert abs(-us) == us and sum([us, us], ll.Time()) == 2 * us
    assert f"{ll.Time('1500ns'):.2fus}" == "1.50us" and f"{us:>6}" == "   1us" and f"{us}" == "1us"
    assert len({us, ll.Time("1000ns"), ll.Time("2us")}) == 2
    assert sorted([2 * us, us]) == [us, 2 * us] and not ll.Time() and us
    with pytest.raises(ValueError, match="a time is no number"):
        _ = us * float("nan")
    for action in (lambda: us * 1e30, lambda: us * 10**18,
                   lambda: ll.Time("1h") * 1000 + ll.Time("1h") * 1600):
        with pytest.raises(OverflowError, match="106 days"):
            action()
    with pytest.raises(TypeError):
        us + 1  # pylint: disable=pointless-statement
    assert us != "1us" and us != 1000000


def test_arithmetic_of_rates():
    rate = ll.DataRate("100Gbps")
    assert 0.5 * rate == rate / 2 == ll.DataRate("50Gbps") and rate / ll.DataRate("25Gbps") == 4
    assert rate + rate - rate == rate and float(rate) == 1e11
    assert rate * ll.Time("8us") == 100000
    assert pickle.loads(pickle.dumps(rate)) == rate and hash(rate) == hash(ll.DataRate(10**11))
    for action in (lambda: -1 * rate, lambda: rate - 2 * rate, lambda: ll.DataRate(-1),
                   lambda: rate * float("nan")):
        with pytest.raises(ValueError, match="0 or more"):
            action()
    with pytest.raises(OverflowError):
        rate * 1e10  # pylint: disable=pointless-statement


def test_rates():
    assert ll.DataRate("100Gbps").bits_per_second == 10**11
    assert ll.DataRate(25 * 10**9) == ll.DataRate("25Gb/s")
    assert str(ll.DataRate("2.5Tbps")) == "2500Gbps"


def test_defaults_survive_the_resolution():
    """The module sets picoseconds; a second conversion would make 4 ms 4 s."""
    assert ll.create("RdmaQueuePair").retransmit_timeout == ll.Time("4ms")


def test_attributes_by_name():
    port = ll.create("QbbNetDevice", data_rate="25Gbps", PfcEnabled=False)
    assert port.data_rate == ll.DataRate("25Gbps")
    assert port.get("DataRate") == port.get("data_rate")
    port.mtu = 4096
    assert port.Mtu == 4096 and port.pfc_enabled is False
    assert port.set(mtu=1500, pfc_reaction_delay=ll.Time("250ns")) is port
    assert port.pfc_reaction_delay == ll.Time("250ns")
    assert "PfcQuanta" in port.attributes() and "PauseState" in port.trace_sources()
    assert port.type_name == "ns3::QbbNetDevice"


@pytest.mark.parametrize("action, error, text", [
    (lambda: ll.create("QbbNetDevice", datarate="fast"), ValueError, "such as 100Gbps"),
    (lambda: ll.create("QbbNetDevice", rate="1Gbps"), AttributeError, "no attribute \"rate\""),
    (lambda: ll.create("QbbNetDevic"), ValueError, "did you mean ns3::QbbNetDevice?"),
    (lambda: ll.create("QbbNetDevice").colour, AttributeError, "no attribute \"colour\""),
    (lambda: ll.create("RdmaCongestionOps"), ValueError, "abstract"),
    (lambda: ll.Dcqcn(dialect="Nix"), ValueError, "must be one of Paper, Nic, Strawman"),
    (lambda: ll.Dcqcn(cnp_interval=5), ValueError, "no unit"),
    (lambda: ll.Fabric.star(4).connect(0, 1, "TcpCubic"), ValueError, "RdmaCongestionOps"),
    (lambda: ll.Time("5 apples"), ValueError, "5 apples"),
    (lambda: ll.DataRate("quick"), ValueError, "quick"),
    (lambda: ll.set_seed(2**70), ValueError, "it must be 1 to 4294944442"),
    (lambda: ll.Time("1fs"), ValueError, "a whole number of picoseconds"),
    (lambda: ll.Simulator.schedule("-1us", print), ValueError, "past"),
    (lambda: ll.Fabric.star(4, colour="red"), TypeError, "colour"),
    (lambda: ll.Fabric.star(4).flow(0, 9, 1), IndexError, "host 9"),
    (lambda: ll.Fabric.star(4).flow(0, 1, 1, udp_port=70000), ValueError, "70000 is too large; it must be at most 65535"),
    (lambda: ll.Fabric.star(2**40), ValueError, f"it must be at most {2**32 - 1}"),
    (lambda: ll.Fabric.star(4).switches[0].mmu.explain(0, 8), IndexError, "class 8"),
])
def test_what_is_wrong_is_said(action, error, text):
    with pytest.raises(error) as caught:
        action()
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_enumerations_in_any_case():
    assert str(ll.Dcqcn(dialect="nic")) == str(ll.Dcqcn(dialect="Nic"))
    assert ll.Dcqcn(dialect="nic") == ll.Part("ns3::RdmaDcqcn", Dialect="Nic")
    assert "dialect = Nic" in ll.Dcqcn.__doc__


@pytest.mark.parametrize("made, text", [
    (ll.ps(3), "3ps"), (ll.ns(5), "5ns"), (ll.us(5), "5us"), (ll.ms(2.5), "2500us"),
    (ll.seconds(1), "1s"), (ll.us(-1), "-1us"), (ll.ns(0.0004), "0s")])
def test_times(made, text):
    assert isinstance(made, ll.Time) and str(made) == text


def test_whole_numbers_are_exact():
    assert ll.ms(9007199).ps == 9007199 * 10**9 and ll.us(9007199254740).ps == 9007199254740000000
    assert ll.Gbps(100) == ll.DataRate("100Gbps") and ll.Mbps(2.5).bits_per_second == 2500000
    assert ll.Tbps(1) == ll.Gbps(1000) and ll.kbps(1) == ll.bps(1000)


@pytest.mark.parametrize("call", [lambda: ll.us("5"), lambda: ll.us(True), lambda: ll.Gbps("1"),
                                  lambda: ll.ns(ll.us(1))])
def test_units_take_numbers(call):
    with pytest.raises(TypeError, match="takes a number, such as"):
        call()


def test_numpy_numbers():
    numpy = pytest.importorskip("numpy")
    assert ll.us(numpy.int64(5)) == ll.us(5) == ll.us(numpy.float64(5))
    assert ll.Gbps(numpy.int32(5)) == ll.Gbps(5)


@pytest.mark.parametrize("call", [
    lambda f: f.incast(3, 0, "1kB", 0), lambda f: f.tcp(0, 1, 1, 0), lambda f: f.faults.cut_link(8, 0),
    lambda f: ll.Simulator.schedule(0, print), lambda f: ll.Time(0) + 0])
def test_zero_is_a_time(fabric, call):
    call(fabric)


@pytest.mark.parametrize("call", [
    lambda f: f.incast(3, 0, "1kB", 5), lambda f: f.tcp(0, 1, 1, False), lambda f: ll.Time(5),
    lambda f: f.faults.cut_link(8, False), lambda f: ll.Simulator.schedule(0.0, print)])
def test_another_number_is_no_time(fabric, call):
    with pytest.raises(TypeError):
        call(fabric)


def test_a_run_cannot_stop_at_once(fabric):
    fabric.flow(0, 5, 1000)
    with pytest.raises(ValueError, match="stop is"):
        fabric.run(stop=0)


@pytest.fixture
def fabric():
    return ll.Fabric.leaf_spine(2, 3, 4)


def test_names(fabric):
    assert fabric.names == fabric.topology.names
    assert fabric.names[:2] == ["host 0", "host 1"]
    assert fabric.names[8:] == ["leaf 0", "leaf 1", "spine 0", "spine 1", "spine 2"]
    assert ll.Fabric.fat_tree(4).names[-1] == "core 3"


@pytest.mark.parametrize("host", [7, -1, "host 7", "host -1"])
def test_hosts(fabric, host):
    assert fabric.address(host) == fabric.address(7)
    assert fabric.flow(host, 0, 1000) == 0 and fabric.flow(0, host, 1000) == 1
    pair, peer = fabric.connect(0, host)
    assert peer.device.node.id == 7 and pair.device.node.id == 0


def test_objects_are_places(fabric):
    assert fabric.address(fabric.nodes[3]) == fabric.address(fabric.hosts[3]) == fabric.address(3)
    assert fabric.device(fabric.switches[-1]).node.id == 12 == fabric.device("spine 2").node.id
    assert fabric.device("leaf 1", -1).node.id == 9
    link = fabric.topology.find_link(8, 11)
    for same in (("leaf 0", "spine 1"), (8, 11), ("spine 1", fabric.switches[0]),
                 fabric.channel(link), link - len(fabric.topology.links)):
        fabric.set_link_up(same, False)
        assert not fabric.is_link_up(link)
        fabric.set_link_up(link, True)


def test_faults_take_names(fabric):
    fabric.faults.cut_link(("leaf 0", "spine 1"), ll.us(1))
    fabric.faults.kill_host("host -1", ll.us(2))
    fabric.faults.reboot_switch("spine 0", ll.us(3), ll.us(1))
    fabric.flow(0, 5, "10kB")
    results = fabric.run(stop=ll.us(50))
    assert len(set(results.faults["where"])) == 3


@pytest.mark.parametrize("place, error, text", [
    (8, IndexError, "host 8; there are 8"), (-9, IndexError, "host -9; there are 8"),
    ("host 8", IndexError, "host 8; there are 8"), ("leaf 0", ValueError, "a host is a number"),
    ("hots 1", ValueError, "a host is a number"), (10**30, IndexError, "there are 8"), (None, TypeError, ""),
    (True, TypeError, ""), (1.0, TypeError, "")])
def test_what_is_no_host(fabric, place, error, text):
    with pytest.raises(error, match=text):
        fabric.address(place)


@pytest.mark.parametrize("place, error, text", [
    (99, IndexError, "link 99; there are 14"), (("host 0", "host 1"), ValueError, "no link joins"),
    ("leaf 0", ValueError, "the two nodes that it joins"), ((0, 1, 2), ValueError, "two nodes"),
    ((None, 1), ValueError, "two nodes")])
def test_what_is_no_link(fabric, place, error, text):
    with pytest.raises(error, match=text):
        fabric.is_link_up(place)


def test_an_object_of_another_fabric_is_refused(fabric):
    stranger = ll.create("Node")
    with pytest.raises(ValueError, match="does not fit"):
        fabric.address(stranger)


def test_connect_by_port():
    graph = ll.Topology()
    hosts = [graph.add_host(), graph.add_host()]
    rails = [graph.add_switch(), graph.add_switch()]
    for rail in rails:
        for host in hosts:
            graph.add_link(host, rail)
    fabric = ll.Fabric.from_topology(graph)
    for port in (0, 1):
        pair, peer = fabric.connect(0, 1, port=port)
        assert [repr(end.device) for end in (pair, peer)] == \
            [repr(fabric.device(host, port)) for host in hosts]
    with pytest.raises(ValueError, match=r"port is 2; the ways .* are .*\(0, 0\), \(1, 1\)"):
        fabric.connect(0, 1, port=2)


def test_places_of_inof_and_storage():
    fabric = ll.Fabric.leaf_spine(2, 2, 2, lossless_classes=[3, 4])
    inof = fabric.inof({"storage": ["host 0", -1, fabric.hosts[2]]}, disks=[-1, "host 2"],
                       reflectors=["spine 0", -1])
    inof.add_member("storage", "host 1")
    inof.remove_member("storage", -3)
    assert [inof.id(host) for host in ("host 3", -1, fabric.hosts[3])] == [inof.id(3)] * 3
    assert inof.host_agent("host 3").id == inof.host_agent(-1).id
    assert repr(inof.switch_agent("leaf 1")) == repr(inof.switch_agent(1))
    fabric.prevent_at_port_group("leaf 0", [0, 1], [3, 4])
    server = fabric.storage_server("host 0", ["host 3", (-2, 0)], "5ms", "6ms", inof=inof)
    fabric.run(stop="8ms", stop_when_done=False)
    assert server.completed > 0 and server.failovers[0].to_path == 0


def test_the_ways_and_ports_of_flows():
    def spines_of(ports):
        ll.Simulator.destroy()
        fabric = ll.Fabric.leaf_spine(2, 4, 2)
        fabric.flows_from({"source": [0] * 16, "destination": [2] * 16, "size": [100000] * 16,
                           "udp_port": ports})
        fabric.run()
        down = [fabric.device(f"spine {i}", 1).counters["tx_wire_bytes"] for i in range(4)]
        return sum(sent > 100000 for sent in down)

    assert spines_of([50000] * 16) == 1 and spines_of(range(1000, 1016)) > 2
    ll.Simulator.destroy()
    graph = ll.Topology()
    host, other, switch = graph.add_host(), graph.add_host(), graph.add_switch()
    for end in (host, host, other):
        graph.add_link(end, switch)
    fabric = ll.Fabric.from_topology(graph)
    fabric.flow(0, 1, "100kB", port=1)
    fabric.flow(0, 1, "100kB", port=(1, 0), udp_port=7)
    pair, _ = fabric.connect(0, 1, port=1, udp_port=49152)
    assert pair.udp_port == 49152
    with pytest.raises(ValueError, match="port is 2; the ways between the hosts are"):
        fabric.flow(0, 1, "100kB", port=2)
    fabric.run()
    assert fabric.device(0, 0).counters["tx_frames"] == 0
    assert fabric.device(0, 1).counters["tx_frames"] == 196


@pytest.mark.parametrize("call", [
    lambda f, t: f.flow(0, 1, 1000, t), lambda f, t: f.incast(2, 0, 1000, start=t),
    lambda f, t: f.poisson("websearch", 0.1, t), lambda f, t: ll.Simulator.schedule(t, print),
    lambda f, t: ll.Time(t)])
def test_a_time_beyond_the_clock_names_the_bound(fabric, call):
    with pytest.raises(ValueError, match='"9e6s"; it must be a time below 4611686s, such as 1us$'):
        call(fabric, "9e6s")
    with pytest.raises(ValueError, match='is "9q"'):
        call(fabric, "9q")
