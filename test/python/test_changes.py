# SPDX-License-Identifier: GPL-2.0-only
"""Settings that change and parts that come during a run take effect at once, as if they had been there, or
are refused."""

import pytest

import lossless as ll


def totals_of(**options):
    """Totals of flows of class 3 of a leaf and spine fabric with these options."""
    fabric = ll.Fabric.leaf_spine(2, 2, 4, 2, buffer="2MiB", **options)
    fabric.incast(6, 0, "200kB", traffic_class=3)
    totals = fabric.run().totals
    ll.Simulator.destroy()
    return totals


SLOWER = {"ecn_thresholds": {"100Gbps": (1000, 2000, 0.5)}}
PORT = {"at": {"leaf port 0": {"WredEcnMarker.Kmin": 1}}}
CLASS = {"at": {"leaf class 3": {"WredEcnMarker.Kmin": 1}}}


@pytest.mark.parametrize("options", [SLOWER, PORT, CLASS])
def test_classes_of_a_marker_hold_whatever_thresholds_there_are(options):
    assert totals_of(ecn=ll.Part("WredEcnMarker"), **options)["ecn_marks"] > 0
    assert totals_of(ecn=ll.Part("WredEcnMarker", classes=1), **options)["ecn_marks"] == 0


@pytest.mark.parametrize("options, find, attribute, fast, effect", [
    ({"extensions": ll.Part("EcnTuner", interval="1s")}, lambda f: f.switches[0].extensions[0], "interval", "10us",
     "ecn_marks"),
    ({"extensions": ll.Part("SwitchCnpSender", interval="1s", mark_ce=False)}, lambda f: f.switches[0].extensions[0],
     "interval", "10us", "cnps_received"),
    ({"ecn": ll.Part("PolledWredMarker", poll_interval="1s")}, lambda f: f.switches[0].ecn_marker, "poll_interval",
     "5us", "ecn_marks"),
    ({"congestion_control": ll.Icc(variant="Derived")}, lambda f: f.switches[0].extensions[0], "recheck_timer", "5us",
     "acks_sent"),
])
def test_intervals_that_get_shorter_during_the_run_count_at_once(options, find, attribute, fast, effect):
    """With a look planned in a second."""
    def run(times):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(9, rate="25Gbps", buffer="4MiB", **options)
        if attribute == "recheck_timer":
            find(fabric).set(recheck_timer="1s")
        fabric.incast(8, 0, "1MB")
        for time in times:
            ll.Simulator.schedule(time, lambda: find(fabric).set(**{attribute: fast}))
        results = fabric.run(stop="2ms", stop_when_done=False)
        return [results.totals[effect], list(results.flows["fct_s"])]

    assert run(["300us", "302us", "304us"]) != run([])


def test_a_longer_window_of_icc_during_the_run():
    fabric = ll.Fabric.star(9, rate="25Gbps", congestion_control=ll.Icc())
    fabric.incast(8, 0, "1MB")
    ll.Simulator.schedule("300us", lambda: fabric.switches[0].extensions[0].set(utilisation_window="50us"))
    assert fabric.run(stop="3ms").totals["flows_completed"] == 8


def test_attributes_of_a_call_may_be_written_in_any_order():
    for first, second in (("detection_time", "poll_interval"), ("poll_interval", "detection_time")):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(2)
        fabric.flow(0, 1, "1MB")
        dog = fabric.watch_switches(detection_time="3s", poll_interval="1s")[0]
        values = {"detection_time": "800us", "poll_interval": "400us"}
        wrong = {"detection_time": "1us", "poll_interval": "2us"}
        ll.Simulator.schedule("10us", lambda: dog.set(**{name: values[name] for name in (first, second)}))
        refused = []

        def refuse():
            with pytest.raises(ValueError, match="must not be below"):
                dog.set(**{name: wrong[name] for name in (first, second)})
            refused.append(True)

        ll.Simulator.schedule("20us", refuse)
        fabric.run()
        assert refused and (dog.detection_time, dog.poll_interval) == (ll.us(800), ll.us(400))


def test_advisors_take_attributes():
    def marks(base):
        fabric = ll.Fabric.star(5, extensions=[ll.Part(
            "EcnTuner", interval="10us", advisor_type=f"ns3::RuleEcnThresholdAdvisor[BaseKmin={base}]")])
        fabric.incast(4, 0, "1MB")
        found = fabric.run().totals["ecn_marks"]
        ll.Simulator.destroy()
        return found

    assert marks(1000) > marks(1000000)
    with pytest.raises(ValueError, match="is no ns3::EcnThresholdAdvisor"):
        ll.Part("EcnTuner", advisor_type="ns3::RdmaDcqcn")
    with pytest.raises(ValueError, match="BaseKmin"):
        ll.Part("EcnTuner", advisor_type="ns3::RuleEcnThresholdAdvisor[BaseKmin=few]")


def test_an_advisor_says_whether_a_model_decided():
    def lookups(distance):
        fabric = ll.Fabric.star(6, extensions=[ll.Part(
            "EcnTuner", interval="10us", advisor_type=f"ns3::TableEcnAdvisor[MaxDistance={distance}]")])
        seen = []
        fabric.switches[0].extensions[0].advisor.connect("Lookup", lambda *found: seen.append(found))
        fabric.incast(5, 0, "1MB")
        fabric.run()
        ll.Simulator.destroy()
        return seen

    near, far = lookups(1), lookups(0.01)
    assert len(near) > 10 and any(known for _, known in near)
    assert far and not any(known for _, known in far) and min(distance for distance, _ in far) > 0.01


def test_objects_within_parts_may_have_several_attributes():
    for model in ("ns3::RateErrorModel[ErrorRate=0.5|ErrorUnit=ERROR_UNIT_PACKET]",
                  ll.Part("RateErrorModel", error_rate=.5, error_unit="ERROR_UNIT_PACKET")):
        fabric = ll.Fabric.star(2)
        fabric.faults.lose_frames(0, 0, ll.Part("ErrorModelLoss", error_model=model), "0s")
        fabric.flow(0, 1, "100kB")
        lost = fabric.run("1ms", stop_when_done=False).totals["drops_corrupted"]
        ll.Simulator.destroy()
        assert 20 < lost


@pytest.mark.parametrize("flows, unused", [
    ({}, 1), ({"congestion_control": ll.Dcqcn()}, 0)])
def test_what_the_queue_pairs_of_some_flows_read_is_used(flows, unused):
    fabric = ll.Fabric.star(6, congestion_control=None, queue_pair={"cnp_class": 5})
    fabric.incast(5, 0, "100kB", **flows)
    assert sum(rule == "unused" for rule in fabric.run().findings["rule"]) == unused


def test_what_the_loss_recovery_of_some_flows_reads_is_used():
    fabric = ll.Fabric.star(6, congestion_control=None, queue_pair={
        "loss_recovery": ll.Part("RdmaIrn"), "retransmit_timeout": "50us"})
    fabric.flow(1, 0, "100kB", loss_recovery=ll.Part("RdmaGoBackN"))
    assert "unused" not in list(fabric.run().findings["rule"])


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


def said_of_change(capfd, change, fabric=None):
    """What a change of a fabric during its run prints."""
    fabric = fabric or ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB")
    fabric.incast(3, 0, "100kB")
    assert capfd.readouterr().err == ""
    ll.Simulator.schedule("5us", lambda: change(fabric))
    fabric.run(progress=False, stop="1ms")
    return capfd.readouterr().err


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


def test_an_extension_that_was_refused_may_be_mended_and_added():
    fabric = ll.Fabric.star(3, lossless_classes=[3, 4])
    separator = ll.create("ElephantSeparator", elephant_class=3)
    said = []

    def add():
        with pytest.raises(ValueError):
            fabric.switches[0].add_extension(separator)
        separator.elephant_class = 4
        fabric.switches[0].add_extension(separator)
        said.append(len(fabric.switches[0].extensions))

    ll.Simulator.schedule("1us", add)
    fabric.flow(1, 0, 1000)
    fabric.run(progress=False)
    assert said == [1]


def stormy(storm="3ms"):
    fabric = ll.Fabric.star(4, buffer="4MiB")
    fabric.faults.storm_host(0, "20us", storm)
    fabric.incast(3, 0, "2MB")
    return fabric


@pytest.mark.parametrize("add", [
    lambda fabric: fabric.watch_switches(time_scale=.005),
    lambda fabric: fabric.switches[0].add_extension(ll.create("PfcWatchdog", time_scale=.005))])
@pytest.mark.parametrize("late", [False, True])
def test_a_watchdog_that_comes_during_the_run_has_its_rows(add, late, tmp_path):
    fabric = stormy("5ms")
    if late:
        ll.Simulator.schedule("1us", add, fabric)
    else:
        add(fabric)
    results = fabric.run("10ms", write_to=tmp_path, stop_when_done=False)
    rows = (tmp_path / "watchdog.csv").read_text().splitlines()
    assert results.totals["watchdog_storms"] == 1
    assert [row.split(",")[5:7] for row in rows[1:]] == [["operational", "stormed"], ["stormed", "operational"]]


def test_a_nic_watchdog_that_comes_during_the_run_has_its_rows(tmp_path):
    fabric = ll.Fabric.star(3)
    ll.Simulator.schedule("1us", lambda: fabric.watch_nics([0], time_scale=.001))
    fabric.faults.stop_receiver(0, "10us")
    fabric.incast(2, 0, "2MB")
    results = fabric.run("5ms", write_to=tmp_path, stop_when_done=False)
    assert results.totals["nics_stopped"] == 1
    assert [row.split(",")[2] for row in (tmp_path / "watchdog.csv").read_text().splitlines()[1:]] == ["host"]


@pytest.mark.parametrize("late", [False, True])
def test_extensions_that_come_during_the_run_are_counted(late):
    def with_extension(*extensions):
        fabric = ll.Fabric.star(4, buffer="4MiB", lossless_classes=[3, 4])
        for extension in extensions:
            if late:
                ll.Simulator.schedule("1us", fabric.switches[0].add_extension, extension)
            else:
                fabric.switches[0].add_extension(extension)
        return fabric

    policy = ll.create("BorderPolicy", rules="protocol 17 drop")
    fabric = with_extension(policy)
    fabric.udp(1, 0, "5Gbps", stop="300us")
    results = fabric.run("1ms")
    assert results.totals["border_dropped"] == policy.matches[0] > 100
    assert "Border policies: " in results.summary()
    ll.Simulator.destroy()
    fabric = with_extension(ll.create("ElephantSeparator", elephant_bytes=10000, elephant_class=4))
    fabric.flow(1, 0, "1MB")
    results = fabric.run()
    assert results.totals["elephants_found"] == 1
    assert "Elephants at switches: " in results.summary()


@pytest.mark.parametrize("name, value", [("action", None), ("classes", 0x08), ("server_ports_only", True),
                                         ("detection_time", None), ("time_scale", None), ("ports", None)])
def test_a_watchdog_goes_on_whatever_else_is_set(name, value):
    def storms(sets):
        ll.Simulator.destroy()
        fabric = stormy()
        dog, = fabric.watch_switches(time_scale=.005, dialect="H3cStorm")
        for i in range(1, 30) if sets else ():
            ll.Simulator.schedule(f"{i * 100}us", lambda: dog.set(**{name: dog.get(name) if value is None else value}))
        fabric.run("20ms", stop_when_done=False)
        return dog.totals

    assert storms(True) == storms(False)
    assert storms(True)["storms"] == 3


def test_other_times_let_detection_begin_anew():
    fabric = stormy()
    dog, = fabric.watch_switches(time_scale=.005, dialect="H3cStorm")
    for i in range(1, 30):
        ll.Simulator.schedule(f"{i * 100}us", lambda i=i: dog.set(detection_time=f"{100 + i % 2}ms"))
    fabric.run("20ms", stop_when_done=False)
    assert dog.totals["storms"] == 0
