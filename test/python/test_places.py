# SPDX-License-Identifier: GPL-2.0-only
"""Settings for tiers, nodes and ports."""

import json

import lossless as ll
import pytest


def build(**options):
    return ll.Fabric.leaf_spine(2, 2, 2, **options)


THRESHOLDS = {"100Gbps": (300000, 3000000, 0.9)}


def values(fabric):
    """The settings that are not the defaults, by place and name."""
    return {(each.places, each.name): each.value for each in fabric.settings}


def test_presets_of_switches(tmp_path):
    fabric = build(preset="tomahawk3", at={"leaf 1": {"preset": "icc", "alpha": 0.25}})
    assert fabric.switches[0].mmu.buffer_size == fabric.switches[3].mmu.buffer_size == 64 * 2**20
    assert fabric.switches[0].mmu.cell_bytes == 254
    assert fabric.switches[1].mmu.buffer_size == 5 * 2**20
    fabric.at("spine").set(preset="tomahawk5")
    assert fabric.switches[2].mmu.buffer_size == 165 * 2**20
    with pytest.raises(ValueError, match="no preset of a switch \"tomahawk9\"; there are icc, guo16-9mb"):
        build(preset="tomahawk9")
    with pytest.raises(TypeError):
        fabric.at("spine").set(preset=3)
    for options in ({"buffer": "9MiB"}, {"mmu": {"cell_bytes": 64}}):
        with pytest.raises(ValueError, match="say the same; give one of them"):
            build(preset="tomahawk3", **options)
    with pytest.raises(ValueError, match="say the same; give one of them"):
        fabric.at("spine").set(preset="icc", buffer="9MiB")
    settings = tmp_path / "settings.toml"
    settings.write_text("[leaf]\nSwitchPreset = \"trident3\"\n")
    assert build(settings=settings).switches[0].mmu.cell_bytes == 256


def test_service_pools():
    pools = "roce lossless 60%; bulk lossy 30%; rest any 10% 50%"
    fabric = build(mmu={"service_pools": pools}, at={"leaf 1 class 3": {"SwitchMmu.service_pool": "rest"}})
    leaves = [each.mmu for each in fabric.switches[:2]]
    leaves[0].set_service_pool(0, 3, "rest")
    assert leaves[0].threshold(0, 3) == leaves[1].threshold(0, 3) < leaves[0].threshold(1, 3) / 5
    fabric.incast(3, 0, "1MB")
    fabric.run()
    assert leaves[0].watermarks("user")["SAI_BUFFER_POOL_STAT_WATERMARK_BYTES"]["roce"] > 0


def test_limits_of_ports():
    fabric = build(mmu={"port_limit": "1MB"}, at={"leaf port 0": {"mmu": {"port_limit": 9000}}})
    assert values(fabric)["all", "SwitchMmu.PortLimit"].startswith("1000000")
    mmu = fabric.switches[0].mmu
    mmu.set_egress_port_limit(1, 208000)
    assert values(fabric)["leaf 0 port 1", "SwitchMmu.EgressPortLimit of ports"] == "208000"
    fabric.incast(3, 0, "1MB")
    assert fabric.run().totals["lossless_drops"] == 0
    assert "limit of the port 9152 B" in mmu.explain(0, 3)
    mmu.set_port_limit(0, 0)
    assert "limit of the port" not in mmu.explain(0, 3)


def test_places_of_the_constructor():
    fabric = build(allow_lossy=True, at={
        "leaf 0": {"alpha": 1 / 64},
        "leaf": {"buffer": "16MiB", "alpha": 1 / 32, "extensions": [ll.Part("PfcWatchdog")],
                 "watchdog": {"action": "Alert"}},
        "spine 0": {"ecn": ll.Part("WredEcnMarker", kmin="1MB", kmax="2MB")},
        "leaf to spine": {"scheduler": "ns3::DwrrScheduler", "lossless_classes": [3, 4]},
        "spine to leaf": {"lossless_classes": [3, 4]},
        "hosts": {"port": {"ip_queue_bytes": "64KiB"}},
        "leaf 1 to host class 3": {"mmu": {"xon_offset": 9000}, "headroom": "200KiB"},
        "host 1": {"class_map": ll.Part("TrafficClassMap", dscp="60:6")},
    })
    found = values(fabric)
    assert found["leaf", "SwitchMmu.BufferSize"] == str(16 * 2 ** 20)
    assert found["leaf 0", "SwitchMmu.Alpha"] == "0.015625"
    assert found["leaf 1", "SwitchMmu.Alpha"] == "0.03125"
    assert found["leaf", "PfcWatchdog.Action"] == "Alert"
    assert found["leaf", "number of PfcWatchdog"] == "1"
    assert found["spine 0", "WredEcnMarker.Kmin"] == "1000000"
    assert found["leaf to spine", "QbbNetDevice.EgressScheduler"] == "ns3::DwrrScheduler"
    assert found["leaf to spine, spine to leaf", "QbbNetDevice.PfcClasses"] == "24"
    assert found["host to leaf", "QbbNetDevice.IpQueueBytes"] == "65536"
    assert found["host 1 port 0", "TrafficClassMap.Dscp"] == "60:6"
    assert found["leaf 1 port 0 class 3, leaf 1 port 1 class 3",
                 "SwitchMmu.Headroom of ports"] == str(200 * 1024)


def test_a_function_names_nodes():
    fabric = build(at={lambda name: name.endswith(" 1") and name != "host 1": {"alpha": 0.5}})
    assert values(fabric) == {("leaf 1, spine 1", "SwitchMmu.Alpha"): "0.5"}
    fabric.at(lambda name: name == "spine 1").set(alpha=0.125)
    assert values(fabric) == {("leaf 1", "SwitchMmu.Alpha"): "0.5"}
    with pytest.raises(ZeroDivisionError):
        build(at={lambda name: 1 / 0: {"alpha": 0.5}})


def test_settings_change_during_the_run(tmp_path):
    fabric = build(congestion_control=None)
    fabric.incast(3, 0, 200_000)
    ll.Simulator.schedule("20us", lambda: fabric.at("leaf").set(alpha=1 / 64))
    fabric.run(write_to=tmp_path)
    assert values(fabric)["leaf", "SwitchMmu.Alpha"] == "0.015625"
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert {"places": "leaf", "name": "SwitchMmu.Alpha", "default": "0.125",
            "value": "0.015625"} in summary["settings"]


def test_other_names_of_attributes():
    fabric = build(at={"spine": {"SwitchMmu.xon_offset": 9000, "ns3::FabricSwitch::MarkAt": "Enqueue"}})
    assert values(fabric) == {("spine", "SwitchMmu.XonOffset"): "9000 (9152 in force)",
                              ("spine", "FabricSwitch.MarkAt"): "Enqueue"}
    fabric.at("spine 1").set(**{"WredEcnMarker.pmax": 0.5})
    assert values(fabric)["spine 1", "WredEcnMarker.Pmax"] == "0.5"


def test_a_file(tmp_path):
    path = tmp_path / "fabric.toml"
    path.write_text('[leaf]\nSwitchMmu.Alpha = 0.5\n["spine 1"]\nSwitchMmu.BufferSize = "16MiB"\n')
    assert values(build(settings=path)) == {("leaf", "SwitchMmu.Alpha"): "0.5",
                                            ("spine 1", "SwitchMmu.BufferSize"): "16777216"}
    path.write_text("[leaf]\nSwitchMmu.Alhpa = 0.5\n")
    with pytest.raises(ValueError, match="fabric.toml:2: .*did you mean Alpha"):
        build(settings=str(path))


@pytest.mark.parametrize("at, error, message", [
    (3, TypeError, "must be a dictionary of places"), ({3: {"alpha": 1}}, TypeError, "names no places"),
    ({"leafs": {"alpha": 1}}, ValueError, "did you mean leaf"), ({"leaf": {"alhpa": 1}}, TypeError, "unknown setting 'alhpa'"),
    ({"leaf": {"alpha": "much"}}, ValueError, "Alpha"), ({"leaf": {"mmu": 3}}, TypeError, "mmu is 3"),
    ({"leaf": {}}, TypeError, "sets nothing"), ({"leaf": {3: 1}}, TypeError, "names no setting"),
])
def test_what_is_wrong_is_said(at, error, message):
    with pytest.raises(error, match=message) as caught:
        build(at=at)
    assert "\n" not in str(caught.value)


def test_places_have_no_attributes():
    with pytest.raises(AttributeError):
        build().at("leaf").alpha = 0.5


def test_what_destroys_frames_is_named():
    found = values(build(error_rate=0.01, at={"leaf 1": {"extensions": "PfcWatchdog"}}))
    assert found["all", "QbbNetDevice.ReceiveErrorModel"] == "ns3::RateErrorModel[ErrorRate=0.01]"
    assert found["leaf 1", "number of PfcWatchdog"] == "1"


def test_attributes_are_of_the_object_that_is_set_with_them():
    curve = {"WredEcnMarker.kmin": "2KB", "WredEcnMarker.kmax": "4KB"}
    marker = {"ecn": ll.Part("WredEcnMarker", reference_rate="0bps")}
    balancer = {"EcmpLoadBalancer.seed": 7, "load_balancer": ll.Part("EcmpLoadBalancer",
                                                                     symmetric=True)}
    for both in ({**curve, **marker, **balancer}, {**balancer, **marker, **curve}):
        late = build()
        late.at("leaf").set(**both)
        for fabric in (build(at={"leaf": both}), late):
            leaf = fabric.switches[0]
            assert (leaf.ecn_marker.kmin, leaf.ecn_marker.kmax) == (2000, 4000)
            assert (leaf.load_balancer.seed, leaf.load_balancer.symmetric) == (7, True)
    # A narrower object replaces what wider places say.
    fabric = build(at={"leaf": curve, "leaf 0": marker})
    assert fabric.switches[0].ecn_marker.kmin != 2000 == fabric.switches[1].ecn_marker.kmin


@pytest.mark.parametrize("options", [{"ecn": "WredEcnMarker"}, {"switch": {"ecn_marker_type": "WredEcnMarker"}}])
def test_the_marker_of_a_congestion_control_replaces_a_shared_one(options):
    fabric = build(congestion_control=ll.Pcn(), **options)
    fabric.flow(0, 1, 1000)
    assert fabric.run().totals["flows_completed"] == 1, "the switches have what PCN needs"


@pytest.mark.parametrize("options, message", [
    ({"alpha": 1, "mmu": {"alpha": 2}}, r"alpha= and mmu\['alpha'\] say the same; give one"),
    ({"lossless_classes": [3], "link": {"pfc_classes": 24}}, r"lossless_classes= and link\['pfc_c"),
    ({"congestion_control": None, "queue_pair": {"congestion_control": "ns3::RdmaSwift"}},
     r"congestion_control= and queue_pair\['congestion_control'\] say the same"),
    ({"at": {"leaf": {"alpha": 1, "mmu": {"alpha": 2}}}}, r"alpha and mmu\['alpha'\] say the"),
    ({"at": {"leaf": {"SwitchMmu.alpha": 1, "ns3::SwitchMmu::Alpha": 2}}}, "say the same"),
])
def test_what_is_said_twice_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        build(**options)


@pytest.mark.parametrize("call, message", [
    (lambda: ll.Dcqcn(gain=0.1, Gain=0.2), "gain and Gain say the same; give one of them"),
    (lambda: ll.Part("WredEcnMarker", kmin=1000, Kmin=2000), "kmin and Kmin say the same"),
    (lambda: build().flow(0, 1, 1, window=1000, Window=2000), "window= and Window= say the same"),
    (lambda: build().flows_from({"source": [0], "destination": [1], "size": [1], "window": ["1kB"]}, Window=1),
     "the column window and Window= say the same"),
    (lambda: build().udp(0, 1, "1Gbps", data_rate="2Gbps"), "rate and data_rate say the same; give rate"),
    (lambda: build().application(0, "UdpServer", StartTime="1us"), "start and StartTime say the same"),
    (lambda: build().application(0, "UdpServer", port=9, Port=10), "port and Port say the same; give port"),
    (lambda: build(error_rate=1e-9, link={"receive_error_model": "RateErrorModel"}),
     "ErrorRate and ReceiveErrorModel of links are set together, and only one can be in force; set one"),
])
def test_an_attribute_that_is_given_twice_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_one_extension_needs_no_list():
    fabric = build(extensions="ns3::PfcWatchdog")
    assert [len(one.extensions) for one in fabric.switches] == [1, 1, 1, 1]


def test_extensions_count_and_trace():
    policy = ll.Part("BorderPolicy", rules="udp 4791 dscp 24 permit; any set dscp 0", ports="0-1")
    fabric = ll.Fabric.leaf_spine(2, 1, 2, at={"leaf": {"extensions": [policy, ll.Part("VxlanEndpoint", vni=4096)]}})
    fabric.flow(0, 2, "100kB")
    border, endpoint = fabric.switches[0].extensions
    rules, frames = [], []
    border.connect("Match", lambda rule, frame: rules.append((rule, frame.dscp)))
    endpoint.connect("Encapsulated", lambda frame: frames.append((frame.kind, frame.dst_port)))
    totals = fabric.run().totals
    assert totals["border_permitted"] >= border.matches[0] > 97 and set(rules) == {(0, 24)}
    assert endpoint.counters["vxlan_encapsulated"] == len(frames) == 98
    assert set(frames) == {(ll.FrameKind.VXLAN, 4789)} and endpoint.address == "172.16.0.1"


def test_an_overlay_joins_the_ip_stacks_of_hosts():
    fabric = ll.Fabric.leaf_spine(2, 1, 2)
    overlay = fabric.overlay([0, "host 3"], ip_version=6, vni=7)
    assert (overlay.address(0), overlay.address("host 3")) == ("192.168.0.1", "192.168.0.4")
    assert overlay.mtu(3) == 1430
    assert overlay.counters(0) == {"sent": 0, "copies": 0, "received": 0, "copied_marks": 0, "drops": 0}
    with pytest.raises(ValueError, match="host 1 is not in the overlay"):
        overlay.address(1)
    with pytest.raises(ValueError, match="too large for the links under it"):
        ll.Fabric.star(2).overlay(mtu=1500)


def test_a_place_is_named_once():
    watchdog = ll.Part("PfcWatchdog", action="Alert")
    fabric = build(at={"leaf": {"extensions": [watchdog, watchdog]}})
    assert values(fabric)["leaf", "PfcWatchdog.Action"] == "Alert"


def test_settings_are_exact():
    part = ll.Part("WredEcnMarker", pmax=0.123456789)
    fabric = build(alpha=0.1250001, ecn=part, delay="1234567ps",
                   queue_pair={"retransmit_timeout": "7654321ps"},
                   congestion_control=ll.Part("RdmaHpcc", eta=0.912345678),
                   at={"leaf": {"ecn": part}, "spine": {"alpha": 0.333333333}})
    assert [switch.ecn_marker.pmax for switch in fabric.switches] == [0.123456789] * 4
    found = {(each.name, each.value) for each in fabric.settings}
    assert {("SwitchMmu.Alpha", "0.1250001"), ("SwitchMmu.Alpha", "0.333333333"),
            ("WredEcnMarker.Pmax", "0.123456789"), ("QbbChannel.Delay", "1234567ps"),
            ("RdmaQueuePair.RetransmitTimeout", "7654321ps"),
            ("RdmaQueuePair.CongestionControl", "ns3::RdmaHpcc[Eta=0.912345678]")} <= found


def test_sizes_in_cells():
    fabric = build(buffer=10**7)
    mmu = fabric.switches[0].mmu
    fabric.at("leaf 0 port 1 class 3").set(headroom=100001, mmu={"static_threshold": 100})
    assert mmu.buffer_size == 10**7 and mmu.size == 10**7 // 208 * 208
    of_port = mmu.in_force(1, 3)
    assert mmu.in_force(0, 3)["alpha"] == 0.125
    assert of_port == {"alpha": None, "headroom": 481 * 208, "guaranteed": 8 * 208, "xon_offset": 15 * 208,
                       "threshold": 208}
    found = {(each.name, each.value) for each in fabric.settings}
    assert {("SwitchMmu.Headroom of ports", "100001"),
            ("SwitchMmu.StaticThreshold of ports", "100 (208 in force)")} <= found


@pytest.mark.parametrize("weights", [[1, 1, 1, 1, 9, 9, 9, 9], (1, 1, 1, 1, 9, 9, 9, 9),
                                     "1 1 1 1 9 9 9 9"])
def test_weights_are_a_list_or_text(weights):
    fabric = build(scheduler=ll.Part("DwrrScheduler", weights=weights))
    assert fabric.device(0).egress_scheduler.weights == "1 1 1 1 9 9 9 9"
    fabric = build(scheduler="DwrrScheduler", at={"leaf": {"DwrrScheduler.weights": weights}})
    assert ("leaf", "DwrrScheduler.Weights", "1 1 1 1 9 9 9 9") in {
        (each.places.split(" to ")[0], each.name, each.value) for each in fabric.settings}
    fabric.switches[0].ports[0].egress_scheduler.weights = weights
    assert fabric.switches[0].ports[0].egress_scheduler.weights == "1 1 1 1 9 9 9 9"


def test_types_have_short_names_everywhere():
    fabric = build(switch={"ecn_marker_type": "WredEcnMarker", "load_balancer_type": "EcmpLoadBalancer"},
                   queue_pair={"congestion_control": "RdmaDctcp"})
    assert "RdmaDctcp" in str(fabric.settings)
    with pytest.raises(ValueError, match=r"EcnMarkerType is a type without attributes, not ns3::Wred"):
        build(switch={"ecn_marker_type": ll.Part("WredEcnMarker", kmin=1000)})


def rate_of(how, tmp_path, control=None, rate="25Gbps", delay="10us"):
    """A star whose links have a rate and a delay, said in one of the ways there are."""
    options = {"congestion_control": control}
    both = {"QbbNetDevice.DataRate": rate, "QbbChannel.Delay": delay}
    if how == "keywords":
        options.update(rate=rate, delay=delay)
    elif how == "at=":
        options["at"] = {"all": both}
    elif how == "file":
        file = tmp_path / "links.toml"
        file.write_text("[all]\n" + "".join(f'{name} = "{value}"\n' for name, value in both.items()))
        options["settings"] = file
    fabric = ll.Fabric.star(4, **options)
    if how == "at()":
        fabric.at("all").set(**both)
    elif how == "port":
        for node in range(4):
            fabric.device(node, 0).set(data_rate=rate)
            fabric.device(4, node).set(data_rate=rate)
            fabric.channel(node).set(delay=delay)
    return fabric


@pytest.mark.parametrize("how", ["at=", "file", "at()", "port"])
def test_congestion_controls_know_the_round_trip_however_a_delay_was_set(how, tmp_path):
    def fct(way):
        ll.Simulator.destroy()
        fabric = rate_of(way, tmp_path, control=ll.Swift())
        for source in (1, 2, 3):
            fabric.flow(source, 0, "200kB")
        return list(fabric.run().flows["fct_s"])
    assert fct(how) == fct("keywords")


def test_load_is_of_all_links_of_a_host():
    def count(first, second):
        ll.Simulator.destroy()
        topology = ll.Topology()
        hosts = [topology.add_host() for _ in range(4)]
        switch = topology.add_switch()
        for host in hosts:
            topology.add_link(host, switch, rate=first, delay="1us")
            topology.add_link(host, switch, rate=second, delay="1us")
        fabric = ll.Fabric.from_topology(topology, congestion_control=None)
        fabric.poisson("google-rpc", 0.2, "200us")
        return fabric.run(stop="50ms").totals["flows_total"]
    assert count("100Gbps", "25Gbps") == count("25Gbps", "100Gbps")
