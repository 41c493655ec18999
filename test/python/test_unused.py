# SPDX-License-Identifier: GPL-2.0-only
"""Settings of parts take effect at once, or are refused."""

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


def test_an_empty_list_of_extensions_is_named(capfd, tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("[leaf]\nSwitchExtension = []\nSwitchMmu.Alpha = 0.5\n")
    ll.Fabric.star(2, settings=path)
    assert capfd.readouterr().err == (f'lossless: warning: {path}:2: SwitchExtension has no effect: it is empty; such as '
                                      '"ns3::PfcWatchdog"\n')


def test_objects_within_parts_may_have_several_attributes():
    for model in ("ns3::RateErrorModel[ErrorRate=0.5|ErrorUnit=ERROR_UNIT_PACKET]",
                  ll.Part("RateErrorModel", error_rate=.5, error_unit="ERROR_UNIT_PACKET")):
        fabric = ll.Fabric.star(2)
        fabric.faults.lose_frames(0, 0, ll.Part("ErrorModelLoss", error_model=model), "0s")
        fabric.flow(0, 1, "100kB")
        lost = fabric.run("1ms", stop_when_done=False).totals["drops_corrupted"]
        ll.Simulator.destroy()
        assert 20 < lost


def test_intended_settings_have_the_names_of_keywords(star):
    for name in ("buffer_size", "ns3::SwitchMmu::BufferSize", "alpha", "pfc_classes"):
        monitor = star.config_monitor(**{name: 1 if name == "alpha" else 4194304 if "uffer" in name else 0x18})
        assert monitor.check(), name
    with pytest.raises(ValueError, match='"Mtu" is the end of several names; say ns3::'):
        star.config_monitor(mtu=1500)


def test_masks_and_small_alphas_read_back(star):
    dog, = star.watch_switches()
    dog.set(ports=dog.get("Ports"))
    with pytest.raises(ValueError, match=r"alpha 1e-09; it must be 0, or 2\^-24 or more"):
        star.switches[0].mmu.alpha = 1e-9
        star.flow(0, 1, 1000)
        star.run()


def test_fixed_attributes_are_named(star):
    one = star.connect(0, 1)[0]
    with pytest.raises(ValueError, match="ns3::RdmaQueuePair::Mtu is fixed since .*; set it before, such as where it is made"):
        one.set(mtu=512)


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
