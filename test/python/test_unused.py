# SPDX-License-Identifier: GPL-2.0-only
"""What a user sets and a run does not use is named on one line."""

import pytest

import lossless as ll


def run(capfd, fabric, **options):
    """What a short run of flows to host 0 writes to standard error."""
    for host in range(1, len(fabric.hosts)):
        fabric.flow(host, 0, 1000, **options)
    fabric.run(stop="100us", progress=False)
    return capfd.readouterr().err


def test_rules_of_border_policies_that_match_nothing_are_named_once(capfd):
    policy = ll.Part("BorderPolicy", rules="udp 4791 permit; tcp drop; any set dscp 0")
    assert run(capfd, ll.Fabric.leaf_spine(2, 1, 2, extensions=policy)) == (
        'lossless: warning: rule 2 "tcp drop" of ns3::BorderPolicy of leaf 0 and of 2 more has matched no frame; '
        "see what it asks for, Ports, and the rules before it\n")


@pytest.mark.parametrize("control, named", [
    ("RdmaTimely", True), (None, True), ("RdmaDcqcn", False), ("RdmaDctcp", False)])
def test_ecn_thresholds_that_nobody_reads_are_named(capfd, control, named):
    fabric = ll.Fabric.star(3, congestion_control=control, ecn=ll.Part("WredEcnMarker", kmin="5KiB"))
    said = run(capfd, fabric)
    assert said == (
        "lossless: warning: the ECN thresholds of leaf 0 have no effect on flows; no congestion control of the "
        "fabric reads ECN marks; ns3::RdmaDcqcn does\n" if named else "")


def test_ecn_marks_that_a_control_of_python_may_read_are_not_named(capfd):
    class Own(ll.CongestionControl):
        pass

    fabric = ll.Fabric.star(3, congestion_control=Own(), ecn=ll.Part("WredEcnMarker", kmin="5KiB"))
    assert run(capfd, fabric) == ""


@pytest.mark.parametrize("control, values, text", [
    (None, {"pace_by_rate": False}, "PaceByRate has no effect; the congestion control sets no rate"),
    (None, {"repace": "Next"}, "Repace has no effect; the congestion control never changes its rate"),
    ("RdmaFixedWindow", {"repace": "FromSent"},
     "Repace has no effect; the congestion control never changes its rate"),
    ("RdmaDcqcn", {"repace": "Next"}, None),
    ("RdmaTimely", {"pace_by_rate": False, "variable_window": True}, None),
])
@pytest.mark.parametrize("of_flows", [False, True])
def test_pacing_is_named_where_no_rate_changes(capfd, control, values, text, of_flows):
    fabric = ll.Fabric.star(2, congestion_control=control, **({} if of_flows else {"queue_pair": values}))
    said = run(capfd, fabric, **(values if of_flows else {}))
    assert said == (f"lossless: warning: ns3::RdmaQueuePair::{text}\n" if text else "")


@pytest.mark.parametrize("name, value", [("Gain", 0.01), ("AiRate", "10Mbps"), ("Dialect", "Paper")])
def test_dcqcn_is_told_in_vain_where_no_switch_marks(capfd, name, value):
    control = ll.Part("RdmaDcqcn", **{name: value})
    assert run(capfd, ll.Fabric.star(2, congestion_control=control, switch={"ecn_enabled": False})) == (
        f"lossless: warning: ns3::RdmaDcqcn::{name} has no effect; no switch has EcnEnabled, so no CNPs come\n")
    assert run(capfd, ll.Fabric.star(2, congestion_control=control)) == ""
    assert run(capfd, ll.Fabric.star(2, switch={"ecn_enabled": False})) == "", "as usual"


@pytest.mark.parametrize("name, values", [("Window", (20000, 30000)), ("UdpPort", (5000, 6000)), ("Mtu", (512, 256))])
def test_what_each_flow_says_itself_is_named(capfd, name, values):
    own = {{"Window": "window", "UdpPort": "udp_port", "Mtu": "mtu"}[name]: values[1]}
    fabric = ll.Fabric.star(2, queue_pair={name: values[0]})
    assert run(capfd, fabric, **own) == (
        f"lossless: warning: ns3::RdmaQueuePair::{name} of the fabric has no effect; each queue pair has a value "
        "of its own\n")
    fabric = ll.Fabric.star(2, queue_pair={name: values[0]})
    fabric.flow(0, 1, 1000)
    assert run(capfd, fabric, **own) == "", "one flow takes it"


def named(capfd, **options):
    """What runs of flows of class 3 name of a leaf and spine fabric with these options."""
    fabric = ll.Fabric.leaf_spine(2, 2, 4, 2, buffer="2MiB", **options)
    fabric.incast(6, 0, "200kB", traffic_class=3)
    totals = fabric.run().totals
    ll.Simulator.destroy()
    return totals, [line.removeprefix("lossless: warning: ") for line in capfd.readouterr().err.splitlines()]


SLOWER = {"ecn_thresholds": {"100Gbps": (1000, 2000, 0.5)}}
PORT = {"at": {"leaf port 0": {"WredEcnMarker.Kmin": 1}}}
CLASS = {"at": {"leaf class 3": {"WredEcnMarker.Kmin": 1}}}


@pytest.mark.parametrize("options, isNamed", [(SLOWER, False), (PORT, False), (CLASS, True)])
def test_classes_of_a_marker_hold_whatever_thresholds_there_are(options, isNamed, capfd):
    totals, lines = named(capfd, ecn=ll.Part("WredEcnMarker"), **options)
    assert totals["ecn_marks"] > 0 and not lines
    totals, lines = named(capfd, ecn=ll.Part("WredEcnMarker", classes=1), **options)
    assert totals["ecn_marks"] == 0
    assert lines == isNamed * ["the ECN thresholds of class 3 of leaf 0 have no effect; Classes of its ns3::WredEcnMarker "
                               "leaves the class out"]


@pytest.mark.parametrize("options", [PORT, CLASS])
def test_thresholds_of_places_that_do_not_mark_are_named(options, capfd):
    _, lines = named(capfd, switch={"ecn_enabled": False}, **options)
    assert lines == ["the ECN thresholds of ports and classes of leaf 0 have no effect; EcnEnabled is false there"]


def extension(name, **values):
    return {"extensions": [ll.Part(name, **values)]}


def separator(**values):
    return {"lossless_classes": [3, 4], **extension("ElephantSeparator", **values)}


def of_hosts(**values):
    return {"at": {"hosts": {"port": values}}}


def grouped(**at):
    return {"at": {"switches": {"class_map": ll.Part("TrafficClassMap", priority_group="3:4", pfc_priority="4:3")}, **at}}


@pytest.mark.parametrize("options, words", [
    (separator(condition="Bytes", elephant_rate="99Gbps"), "ElephantSeparator::ElephantRate of leaf 0 has no effect"),
    (separator(condition="Bytes", window="3us"), "ElephantSeparator::Window of leaf 0 has no effect"),
    (separator(condition="Rate", elephant_bytes=1), "ElephantSeparator::ElephantBytes of leaf 0 has no effect"),
    (separator(move="Immediate", flowlet_gap="3us"), "ElephantSeparator::FlowletGap of leaf 0 has no effect"),
    (separator(condition="Either", elephant_rate="99Gbps", elephant_bytes=1, flowlet_gap="3us"), None),
    ({"scheduler": ll.Part("DwrrScheduler", round_unit="Frames", quantum=100)}, "DwrrScheduler::Quantum has no effect"),
    ({"scheduler": ll.Part("DwrrScheduler", quantum=100)}, None),
    (of_hosts(PfcQuanta=1), "QbbNetDevice::PfcQuanta of host 0 port 0 has no effect"),
    (of_hosts(PfcRefreshInterval="1s"), "QbbNetDevice::PfcRefreshInterval of host 0 port 0 has no effect"),
    ({"at": {"all": {"port": {"PfcQuanta": 30000}}}}, None),
    (of_hosts(PfcDialect="ShortQuanta"), "QbbNetDevice::PfcDialect of host 0 port 0 has no effect; hosts send no pauses"),
    (of_hosts(PfcDialect="EndlessXoff"), None),
    ({"allow_lossy": True, "at": {"all": {"port": {"PfcDialect": "ShortQuanta"}}}}, None),
    ({"at": {"spine": {"extensions": ll.Part("L2Tables")}}},
     "L2Tables of spine 0 and of 1 more has no effect; it is for switches with hosts"),
    ({"at": {"spine": {"extensions": ll.Part("L2Tables", groups="All")}}}, None),
    (extension("L2Tables"), None),
    (grouped(**{"leaf class 3": {"alpha": 0.001}}), 'SwitchMmu::Alpha at "leaf class 3" has no effect'),
    (grouped(**{"leaf class 4": {"alpha": 0.001}}), None),
    ({"ecn": ll.Part("PolledWredMarker", weight_exponent=9)}, "PolledWredMarker::WeightExponent of leaf 0 has no effect"),
    ({"ecn": ll.Part("PolledWredMarker", weight_exponent=9, poll_interval="1us")}, None),
    (extension("TtlLimiter"), "TtlLimiter of leaf 0 and of 3 more has no effect; it needs Limits"),
    (extension("TtlLimiter", limits="3:60"), None),
    (extension("EcnTuner", interval="1s"), "EcnTuner of leaf 0 has changed nothing; its Interval is longer than the run"),
    (extension("EcnTuner", interval="2us"), None),
    (extension("SwitchCnpSender", interval="1s"), "SwitchCnpSender of leaf 0 has sent no CNP; its Interval is longer than the run"),
    (extension("SwitchCnpSender", interval="2us"), None),
    ({"ecn": ll.Part("PolledWredMarker", poll_interval="1s")},
     "PolledWredMarker of leaf 0 has marked nothing; its PollInterval is longer than the run"),
    ({"ecn": ll.Part("WredEcnMarker", kmin=1), **extension("SwitchCnpSender", mark_ce=False)},
     "WredEcnMarker::Kmin of leaf 0 has no effect; MarkCe of ns3::SwitchCnpSender is false there"),
    ({"ecn": ll.Part("WredEcnMarker", kmin=1), **extension("SwitchCnpSender", mark_ce=True)}, None),
])
def test_settings_that_others_make_useless_are_named(options, words, capfd):
    _, lines = named(capfd, **options)
    assert [line for line in lines if words is None or words not in line] == []
    assert len(lines) == (words is not None)


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
def test_intervals_that_get_shorter_during_the_run_count_at_once(options, find, attribute, fast, effect, capfd):
    """With a look planned in a second; what is named is what was too slow from begin to end."""
    def run(times):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(9, rate="25Gbps", buffer="4MiB", **options)
        if attribute == "recheck_timer":
            find(fabric).set(recheck_timer="1s")
        fabric.incast(8, 0, "1MB")
        for time in times:
            ll.Simulator.schedule(time, lambda: find(fabric).set(**{attribute: fast}))
        results = fabric.run(stop="2ms", stop_when_done=False)
        return [results.totals[effect], list(results.flows["fct_s"])], capfd.readouterr().err

    slow, line = run([])
    assert ("is longer than the run" in line) == (attribute != "recheck_timer")
    late, line = run(["300us", "302us", "304us"])
    assert late != slow and not line


@pytest.mark.parametrize("options, find, attribute, ecn, words", [
    ({"extensions": ll.Part("EcnTuner", interval="20us")}, lambda f: f.switches[0].extensions[0], "interval", True,
     "EcnTuner of leaf 0 has changed nothing; its Interval is longer than the run"),
    ({"extensions": ll.Part("SwitchCnpSender", interval="20us")}, lambda f: f.switches[0].extensions[0], "interval",
     True, "SwitchCnpSender of leaf 0 has sent no CNP; its Interval is longer than the run"),
    ({"ecn": ll.Part("PolledWredMarker", poll_interval="20us")}, lambda f: f.switches[0].ecn_marker, "poll_interval",
     True, "PolledWredMarker of leaf 0 has marked nothing; its PollInterval is longer than the run"),
    ({"ecn": ll.Part("PolledWredMarker", poll_interval="20us")}, lambda f: f.switches[0].ecn_marker, "poll_interval",
     False, "the ECN marker ns3::PolledWredMarker has no effect; no switch has EcnEnabled"),
])
@pytest.mark.parametrize("time", ["5us", "500us"])
def test_what_slowed_down_before_it_looked_is_named(options, find, attribute, ecn, words, time, capfd):
    fabric = ll.Fabric.star(6, **{"at": {"leaf": {"FabricSwitch.EcnEnabled": ecn}}}, **options)
    fabric.incast(5, 0, "1MB")
    ll.Simulator.schedule(time, lambda: find(fabric).set(**{attribute: "100ms"}))
    fabric.run(stop="1ms", stop_when_done=False)
    lines = capfd.readouterr().err.splitlines()
    if ecn and time == "500us":
        assert lines == []
    else:
        assert len(lines) == 1 and words in lines[0]


@pytest.mark.parametrize("options, find, attribute", [
    ({"extensions": ll.Part("SwitchCnpSender")}, lambda f: f.switches[0].extensions[0], "interval"),
    ({"extensions": ll.Part("EcnTuner", interval="50us")}, lambda f: f.switches[0].extensions[0], "interval"),
    ({"ecn": ll.Part("PolledWredMarker")}, lambda f: f.switches[0].ecn_marker, "poll_interval"),
])
def test_what_was_fast_as_usual_is_not_accused_when_it_slows_down(options, find, attribute, capfd):
    fabric = ll.Fabric.star(6, **options)
    fabric.incast(5, 0, "1MB")
    ll.Simulator.schedule("500us", lambda: find(fabric).set(**{attribute: "100ms"}))
    fabric.run(stop="2ms", stop_when_done=False)
    assert not capfd.readouterr().err


def test_a_detector_that_was_fast_as_usual_is_not_accused(capfd):
    fabric = ll.Fabric.star(6)
    detector = fabric.detect_deadlocks()
    fabric.incast(5, 0, "1MB")
    ll.Simulator.schedule("1ms", lambda: detector.set(period="1s"))
    fabric.run(stop="2ms", stop_when_done=False)
    assert not capfd.readouterr().err


def test_a_threshold_of_one_class_accuses_no_other(capfd):
    fabric = ll.Fabric.star(4, lossless_classes=[3, 4], congestion_control=ll.Dcqcn())
    fabric.switches[0].mmu.set_alpha(3, 3, 1 / 128)
    fabric.flow(0, 1, "100kB", traffic_class=3)
    fabric.run()
    assert not capfd.readouterr().err


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


@pytest.mark.parametrize("guard, line", [
    (lambda fabric, time: fabric.detect_deadlocks(period=time),
     "the deadlock detector could find nothing; two of its Periods are longer than the run"),
    (lambda fabric, time: fabric.watch_switches(detection_time=time, poll_interval="1ms"),
     "ns3::PfcWatchdog of leaf 0 could find no storm; it detects one after 10s, longer than the run; see its "
     "DetectionTime and TimeScale"),
    (lambda fabric, time: fabric.watch_nics(detection_time=time, poll_interval="1ms"),
     "ns3::NicWatchdog of host 0 could find no storm; it detects one after 10s, longer than the run; see its "
     "DetectionTime and TimeScale"),
])
def test_guards_that_need_longer_than_the_run_are_named(guard, line, capfd):
    for time, said in (("10s", f"lossless: warning: {line}\n"), ("2ms", "")):
        fabric = ll.Fabric.star(4)
        guard(fabric, time)
        fabric.flow(0, 1, "100kB", start="20ms")
        fabric.run()
        ll.Simulator.destroy()
        assert capfd.readouterr().err == said


def test_bits_of_ports_that_no_switch_has_are_named(capfd):
    for ports, named in ((1 | 1 << 40, 1), (0xf, 0)):
        fabric = ll.Fabric.star(4, extensions=[ll.Part("PfcWatchdog", ports=ports)])
        fabric.flow(0, 1, "1kB", start="250ms")
        fabric.run()
        ll.Simulator.destroy()
        lines = capfd.readouterr().err.splitlines()
        assert ["PfcWatchdog::Ports of leaf 0 has bits of ports that no switch with" in line for line in lines] == [True] * named


def test_the_usual_times_of_watchdogs_are_named_in_a_short_run(capfd):
    for scale, named in ((1, True), (1e-3, False)):
        fabric = ll.Fabric.star(4)
        fabric.watch_switches(time_scale=scale)
        fabric.flow(0, 1, "1kB", start="1ms")
        fabric.run()
        ll.Simulator.destroy()
        assert ("leaf 0 could find no storm; it detects one after 200ms, longer" in capfd.readouterr().err) == named


def test_thresholds_of_a_class_without_frames_are_named(capfd):
    def lines(places, settings):
        fabric = ll.Fabric.star(4, lossless_classes=[3, 4])
        fabric.at(places).set(**settings)
        fabric.flow(0, 1, "100kB", traffic_class=3)
        fabric.run()
        ll.Simulator.destroy()
        return capfd.readouterr().err.splitlines()

    def line(places):
        return [f"lossless: warning: the thresholds of class 4 of {places} have no effect; frames were sent in class 3 "
                "alone"]

    for settings in ({"alpha": 1 / 64}, {"WredEcnMarker.kmin": "1kB", "WredEcnMarker.kmax": "2kB"},
                     {"SwitchMmu.xon_offset": "10kB"}, {"SwitchMmu.static_threshold": "1MB"}):
        assert lines("leaf to host class 4", settings) == line("leaf 0 port 0 and of 3 more ports")
        assert lines("leaf 0 port 2 class 4", settings) == line("leaf 0 port 2")
        for of_others in ("leaf to host class 3", "leaf to host"):
            assert lines(of_others, settings) == []
    assert lines("leaf to host class 4", {"headroom": "100kB"}) == [] # takes space from the others


def test_icrcs_that_nobody_captures_are_named(capfd, tmp_path):
    for captures in (False, True):
        fabric = ll.Fabric.star(2, link={"compute_icrc": True})
        if captures:
            fabric.enable_pcap(tmp_path / "frames")
        fabric.flow(0, 1, "10kB")
        fabric.run()
        ll.Simulator.destroy()
        assert capfd.readouterr().err.count("QbbNetDevice::ComputeIcrc of") == (0 if captures else 1)


def test_an_interval_of_watermarks_above_the_run_is_named(capfd):
    for interval, named in (("1s", True), ("10us", False)):
        fabric = ll.Fabric.star(4)
        fabric.flow(0, 1, "1MB")
        fabric.run(watermarks=interval, keep=["watermarks"])
        ll.Simulator.destroy()
        assert ("the interval of watermarks, 1000 ms, is longer than the run, " in capfd.readouterr().err) == named


def test_streams_of_a_fabric_that_a_run_replaces_are_named(capfd):
    line = ("lossless: warning: the random streams from 7 on that the fabric was given have no effect: the run gives it "
            "those from 1000 on; choose the first stream of the run\n")
    for stream, said in ((7, line), (1000, "")):
        fabric = ll.Fabric.star(4)
        fabric.assign_streams(stream)
        fabric.flow(0, 1, "100kB")
        fabric.run()
        assert capfd.readouterr().err == said
        fabric.flow(0, 1, "100kB")
        fabric.run()
        assert capfd.readouterr().err == ""
        ll.Simulator.destroy()


def test_balancers_of_switches_without_a_choice_are_named(capfd):
    for place, named in (("spine", True), ("leaf", False)):
        fabric = ll.Fabric.leaf_spine(2, 2, 3, at={place: {"load_balancer": ll.Part("EcmpLoadBalancer", seed=5)}})
        fabric.incast(5, 0, "300kB")
        fabric.run()
        ll.Simulator.destroy()
        line = ("lossless: warning: the load balancer ns3::EcmpLoadBalancer has no effect; none of its switches has a choice "
                "of ways\n")
        assert capfd.readouterr().err == (line if named else "")


def test_quiet_periods_without_a_limit_are_named(capfd):
    for limit, named in ((0, 1), (3, 0)):
        fabric = ll.Fabric.star(4)
        fabric.watch_switches(dialect="H3cStorm", quiet_period="1ms", limit=limit)
        fabric.flow(0, 1, 1000, start="300ms")
        fabric.run()
        ll.Simulator.destroy()
        assert capfd.readouterr().err.count("PfcWatchdog::QuietPeriod of leaf 0 has no effect; it needs a Limit") == named


def test_an_empty_list_of_extensions_is_named(capfd, tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("[leaf]\nSwitchExtension = []\nSwitchMmu.Alpha = 0.5\n")
    ll.Fabric.star(2, settings=path)
    assert capfd.readouterr().err == (f'lossless: warning: {path}:2: SwitchExtension has no effect: it is empty; such as '
                                      '"ns3::PfcWatchdog"\n')


def test_a_chosen_file_of_watchdogs_without_one_is_named(capfd, tmp_path):
    fabric = ll.Fabric.star(2)
    fabric.flow(0, 1, 1000)
    fabric.run(write_to=tmp_path, files=["watchdog"])
    assert capfd.readouterr().err == ("lossless: warning: to choose the file watchdog has no effect: there is no watchdog; "
                                      "watch switches or NICs\n")


def test_a_loss_without_an_error_model_is_named(capfd):
    fabric = ll.Fabric.star(2)
    fabric.faults.lose_frames(0, 0, ll.Part("ErrorModelLoss"), "0s")
    assert capfd.readouterr().err == ("lossless: warning: frames are lost at host 0 port 0 by an ns3::ErrorModelLoss without "
                                      "ErrorModel; that loses none; give it one\n")


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


@pytest.mark.parametrize("add, change", [
    (lambda fabric: fabric.detect_deadlocks(period="100us"), {"period": "10ms"}),
    (lambda fabric: fabric.watch_switches(dialect="H3cStorm", time_scale=.01)[0], {"time_scale": 1})])
def test_guards_that_were_fast_for_a_while_are_not_named(add, change, capfd):
    fabric = ll.Fabric.star(4)
    guard = add(fabric)
    ll.Simulator.schedule("4900us", lambda: guard.set(**change))
    fabric.flow(0, 1, "100kB")
    fabric.run(stop="5ms", stop_when_done=False)
    assert capfd.readouterr().err == ""
