# SPDX-License-Identifier: GPL-2.0-only
"""What queue pairs and congestion controls are told and do not read is named; what reads back is in
force."""

import json

import pytest

import lossless as ll

PAPER = {"dialect": "Paper"}
PINT = {"telemetry": "Pint"}
UNREAD = [
    ("Dcqcn", PAPER, {"decrease_timer": "1ms"}, "it needs Dialect Nic"),
    ("Dcqcn", PAPER, {"min_decrease_factor": 0.9}, "it needs Dialect Nic"),
    ("Dcqcn", PAPER, {"clamp_target": True}, "it needs Dialect Nic"),
    ("Dcqcn", PAPER, {"first_cnp_factor": 0.1}, "it needs Dialect Nic"),
    ("Dcqcn", {"dialect": "Nic"}, {"byte_counter": 20000}, "it needs Dialect Paper or Strawman"),
    ("Dcqcn", {"marks_in_acks": True}, {"cnp_interval": "1ms"}, "with MarksInAcks no CNPs are sent"),
    ("Hpcc", {}, {"pint_base": 1.5}, "it needs Telemetry Pint"),
    ("Hpcc", {}, {"pint_probability": 0.1}, "it needs Telemetry Pint"),
    ("Hpcc", PINT, {"multi_rate": True}, "it needs Telemetry Fixed or Growing"),
    ("Hpcc", PINT, {"sample_feedback": True}, "it needs Telemetry Fixed or Growing"),
    ("Hpcc", PINT, {"multiplier": 4}, "it needs Telemetry Fixed or Growing"),
    ("Hpcc", {"increase_rate": "1Gbps"}, {"additive_increase": 5000},
     "IncreaseRate says the same as a rate; set one of them"),
    ("Hpcc", {"min_rate": "100Mbps"}, {"min_window": 3000},
     "MinRate says the same as a rate; set one of them"),
    ("Hpcc", {"use_window": False}, {"variable_window": False}, "it needs UseWindow"),
    ("Hpcc", {"use_window": False}, {"payload_window": True}, "it needs UseWindow"),
    ("Timely", {"update_per": "RoundTrip"}, {"segment": 2000},
     "it needs UpdatePer Segment, or BurstPacing"),
    ("PatchedTimely", {}, {"hyper_increase_after": 1}, "it needs CountBelowLow"),
    ("PatchedTimely", {}, {"hyper_increase_factor": 50}, "it needs CountBelowLow"),
    ("Swift", {}, {"endpoint_target": "1us"}, "it needs EndpointControl"),
    ("Swift", {}, {"endpoint_gain": 0.9}, "it needs EndpointControl"),
    ("Swift", {"start_at_line_rate": True}, {"initial_window": 2},
     "with StartAtLineRate the path says what the first window is"),
    ("Dctcp", {"control": "Window"}, {"use_window": False}, "Control Window always has a window"),
    ("Dctcp", {"control": "Window"}, {"variable_window": True},
     "the window of Control Window always varies"),
    ("Dctcp", {"use_window": False}, {"variable_window": True}, "it needs UseWindow"),
    ("Dctcp", {"use_window": False}, {"payload_window": True}, "it needs UseWindow"),
    ("Dctcp", {"use_window": False, "increase": "1Gbps"}, {"base_rtt": "20us"},
     "with Increase it is for the window; it needs UseWindow"),
    ("Timely", {"initial_rate": "10Gbps"}, {"start_at_line_rate": True},
     "InitialRate says at what rate a flow starts"),
    ("Icc", {}, {"loop_delay": "9us"}, "it needs Variant Derived"),
    ("Icc", {"variant": "Published"}, {"source_delay": "9us"}, "it needs Variant Derived"),
    ("Icc", {"variant": "Derived", "loop_delay": "9us"}, {"source_delay": "5us"}, "LoopDelay says the sum"),
    ("Icc", {"variant": "Derived", "loop_delay": "9us"}, {"signal_delay": "5us"}, "LoopDelay says the sum"),
]
READ = [
    ("Dcqcn", {"dialect": "Nic", "decrease_timer": "1ms", "clamp_target": True, "cnp_interval": "5us"}),
    ("Dcqcn", {"dialect": "Strawman", "byte_counter": 20000}),
    ("Hpcc", {"telemetry": "Pint", "pint_base": 1.5, "pint_probability": 0.5}),
    ("Hpcc", {"multi_rate": True, "sample_feedback": True, "multiplier": 4, "additive_increase": 90,
              "min_window": 3000, "variable_window": False, "payload_window": True}),
    ("Timely", {"update_per": "RoundTrip", "burst_pacing": True, "segment": 2000}),
    ("Timely", {"segment": 2000, "hyper_increase_after": 1}),
    ("PatchedTimely", {"count_below_low": True, "hyper_increase_after": 1}),
    ("Swift", {"endpoint_control": True, "endpoint_target": "1us", "endpoint_gain": 0.9}),
    ("Swift", {"start_at_line_rate": False, "initial_window": 2}),
    ("Dctcp", {"control": "Window", "payload_window": True, "use_window": True}),
    ("Dctcp", {"variable_window": True, "payload_window": True}),
    ("Dctcp", {"use_window": False, "base_rtt": "20us"}),
    ("Dctcp", {"increase": "1Gbps", "base_rtt": "20us"}),
    ("Icc", {"variant": "Derived", "source_delay": "5us", "signal_delay": "5us"}),
    ("Icc", {"loop_delay": "0s", "signal_delay": "5us"}),
]


def said_of(capfd, fabric):
    fabric.flow(0, 1, 1000)
    fabric.run(progress=False)
    said = capfd.readouterr().err
    fabric.flow(0, 1, 1000)
    fabric.run(progress=False)
    assert capfd.readouterr().err == "", "once"
    return said


@pytest.mark.parametrize("name, base, more, right", UNREAD)
def test_what_a_congestion_control_does_not_read_is_named(capfd, name, base, more, right):
    control = getattr(ll, name)(**base, **more)
    (attribute,) = more
    attribute = "".join(word.capitalize() for word in attribute.split("_"))
    wanted = f"lossless: warning: ns3::Rdma{name}::{attribute} has no effect; {right}\n"
    assert said_of(capfd, ll.Fabric.star(2, congestion_control=control)) == wanted


@pytest.mark.parametrize("name, values", READ)
def test_what_a_congestion_control_reads_is_not_named(capfd, name, values):
    control = getattr(ll, name)(**values)
    assert said_of(capfd, ll.Fabric.star(2, congestion_control=control)) == ""


def test_weights_in_the_wrong_order_are_refused():
    fabric = ll.Fabric.star(2, congestion_control=ll.Pcn(min_weight=0.5, max_weight=0.1))
    with pytest.raises(ValueError, match=r"MinWeight is 0\.5; it must not exceed MaxWeight, 0\.1"):
        fabric.connect(0, 1)


def test_what_reads_back_as_in_force_was_set_by_nobody(capfd):
    fabric = ll.Fabric.star(3)
    fabric.connect(0, 1)[0].post("write", 1000)
    fabric.run(progress=False)
    assert capfd.readouterr().err == ""


def test_unread_attributes_of_flows_queue_pairs_and_defaults_are_named(capfd):
    wanted = "lossless: warning: ns3::RdmaHpcc::PintBase has no effect; it needs Telemetry Pint\n"
    part = ll.Hpcc(pint_base=1.5)
    fabric = ll.Fabric.star(2, congestion_control=part)
    fabric.connect(0, 1)
    fabric.run(progress=False)
    assert capfd.readouterr().err == wanted, "a queue pair"
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(2, congestion_control=ll.Dcqcn())
    fabric.flow(0, 1, 1000, congestion_control=ll.Dcqcn(dialect="Paper", clamp_target=True))
    fabric.run(progress=False)
    assert capfd.readouterr().err == (
        "lossless: warning: ns3::RdmaDcqcn::ClampTarget has no effect; it needs Dialect Nic\n"), "a flow"
    ll.Simulator.destroy()
    ll.Config.set_default("RdmaHpcc::PintBase", 1.5)
    assert said_of(capfd, ll.Fabric.star(2, congestion_control=ll.Hpcc())) == wanted, "a default"


IRN = {"loss_recovery": "ns3::RdmaIrn"}


class Deaf(ll.CongestionControl):
    """Asks the other end for no CNPs."""
    def on_timeout(self, flow, now_ps):
        flow.rate = max(flow.rate / 2, 1e9)


class Asks(Deaf):
    def on_marked_data(self, now_ps):
        return True


class Rates(ll.CongestionControl):
    """Might set a window: that is not known."""


def of_flow(fabric, **options):
    fabric.flow(0, 1, 1000, **options)


def of_connection(fabric, **options):
    fabric.connect(0, 1, **options)[0].post("write", 1000)


@pytest.mark.parametrize("use", [of_flow, of_connection])
@pytest.mark.parametrize("options, line", [
    ({"nack_interval": "1us", **IRN}, "ns3::RdmaQueuePair::NackInterval has no effect; LossRecovery answers "
                                      "each packet beyond a gap"),
    ({"retransmit_timeout": "1ms", **IRN}, "ns3::RdmaQueuePair::RetransmitTimeout has no effect; "
                                           "LossRecovery has timeouts of its own"),
    ({"nack_interval": "1us"}, None), ({"retransmit_timeout": "1ms"}, None), (IRN, None),
    ({"cnp_class": 5, "congestion_control": ll.Timely()},
     "ns3::RdmaQueuePair::CnpClass has no effect; the congestion control sends no CNPs"),
    ({"cnp_class": 5, "congestion_control": ll.Dcqcn(marks_in_acks=True)},
     "ns3::RdmaQueuePair::CnpClass has no effect; the congestion control sends no CNPs"),
    ({"cnp_class": 5, "congestion_control": ll.Dcqcn()}, None),
    ({"cnp_class": 5, "congestion_control": Deaf()},
     "ns3::RdmaQueuePair::CnpClass has no effect; the congestion control sends no CNPs"),
    ({"cnp_class": 5, "congestion_control": Asks()}, None),
    ({"repace": "FromSent", "pace_by_rate": False, "congestion_control": ll.Swift()},
     "ns3::RdmaQueuePair::Repace has no effect; PaceByRate of the queue pairs is false"),
    ({"repace": "FromSent"}, None),
    ({"pace_by_rate": False, "congestion_control": ll.Dcqcn()},
     "ns3::RdmaDcqcn has no effect on flows that it may not pace; PaceByRate of the queue pairs is false"),
    ({"pace_by_rate": False, "congestion_control": ll.Timely(min_rate="1Gbps")},
     "ns3::RdmaTimely has no effect on flows that it may not pace; PaceByRate of the queue pairs is false"),
    ({"pace_by_rate": False, "congestion_control": ll.Dctcp(use_window=False)},
     "ns3::RdmaDctcp has no effect on flows that it may not pace; PaceByRate of the queue pairs is false"),
    ({"pace_by_rate": False, "congestion_control": ll.FixedRate(rate="5Gbps")},
     "ns3::RdmaFixedRate::Rate has no effect; PaceByRate of the queue pairs is false"),
    *(({"pace_by_rate": False, "congestion_control": control}, None)
      for control in (ll.Dctcp(variable_window=True), ll.Swift(), Rates())),
    ({"pace_by_rate": False, "congestion_control": ll.Dctcp()},
     "ns3::RdmaDctcp has no effect but for a window that stays as it is, on flows that it may not pace; PaceByRate of the "
     "queue pairs is false, and so is VariableWindow"),
    ({"pace_by_rate": False, "congestion_control": ll.Dctcp(control="Window")},
     "ns3::RdmaQueuePair::PaceByRate has no effect; the congestion control sets no rate"),
    ({"pace_by_rate": False, "variable_window": True, "congestion_control": ll.Dcqcn()}, None),
    ({"rnr_timer": "20us"}, "ns3::RdmaQueuePair::RnrTimer has no effect; it is for messages that take a "
                            "posted receive, SEND and WRITE with immediate data"),
    ({"rnr_retry_limit": 3}, "ns3::RdmaQueuePair::RnrRetryLimit has no effect; it is for messages that take "
                             "a posted receive, SEND and WRITE with immediate data"),
    ({"max_outstanding_reads": 3}, "ns3::RdmaQueuePair::MaxOutstandingReads has no effect; it is for READs"),
    ({"read_acks": False}, "ns3::RdmaQueuePair::ReadAcks has no effect; it is for READs"),
    ({"congestion_control": ll.Timely(initial_rate="200Gbps")},
     "ns3::RdmaTimely::InitialRate is 200000000000 bit/s, above the links of all hosts; the rate is that of "
     "the link, at most 100000000000 bit/s"),
    ({"congestion_control": ll.Timely(min_rate="200Gbps")},
     "ns3::RdmaTimely::MinRate is 200000000000 bit/s, above the links of all hosts; the rate is that of the "
     "link, at most 100000000000 bit/s"),
    ({"congestion_control": ll.FixedRate(rate="200Gbps")},
     "ns3::RdmaFixedRate::Rate is 200000000000 bit/s, above the links of all hosts; the rate is that of the "
     "link, at most 100000000000 bit/s"),
])
def test_what_queue_pairs_do_not_read_is_named(capfd, use, options, line):
    """Once, of the fabric or of some queue pairs, of flows or of those of the script."""
    for of_fabric in (False, True):
        ll.Simulator.destroy()
        said = dict(options)
        control = said.pop("congestion_control", ll.Dcqcn())
        fabric = ll.Fabric.star(3, **({"congestion_control": control, "queue_pair": said} if of_fabric else {}))
        for _ in range(2):
            use(fabric, **({} if of_fabric else options))
        if not of_fabric and use == of_flow:
            fabric.flow(1, 2, 1000)
        fabric.run(stop="100us", stop_when_done=False)
        lines = capfd.readouterr().err.splitlines()
        assert lines == ([f"lossless: warning: {line}"] if line else [])


@pytest.mark.parametrize("name, value, verb", [
    ("rnr_timer", "20us", "send"), ("rnr_retry_limit", 3, "write_imm"),
    ("rnr_timer", "20us", "send_imm"), ("max_outstanding_reads", 3, "read")])
def test_what_a_verb_uses_is_not_named(capfd, name, value, verb):
    fabric = ll.Fabric.star(3, queue_pair={name: value})
    fabric.flow(0, 1, 1000)
    fabric.flow(1, 2, 1000, verb=verb)
    fabric.run()
    assert not capfd.readouterr().err


@pytest.mark.parametrize("use", ["flow", "connection"])
def test_reads_that_need_no_acks_do_not_use_read_acks(capfd, use):
    """Where they would need them, they are refused."""
    for value, named in ((False, True), (True, False)):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(3, congestion_control=ll.Dcqcn())
        if use == "flow":
            fabric.flow(0, 1, 10000, verb="read", read_acks=value)
        else:
            fabric.connect(0, 1, read_acks=value)[0].post("read", 10000)
        fabric.run(stop="100us", stop_when_done=False)
        line = ("lossless: warning: ns3::RdmaQueuePair::ReadAcks has no effect; the READs of this run need "
                "no READ ACKs")
        assert capfd.readouterr().err.splitlines() == ([line] if named else [])


NO_ANSWERS = "no ACK and no NAK was sent, as READs are answered by data"


@pytest.mark.parametrize("use", ["flow", "connection"])
@pytest.mark.parametrize("option, name", [({"ack_interval": 4}, "AckInterval"), ({"ack_class": 5}, "AckClass"),
                                          ({"ack_queue": 3}, "AckQueue")])
def test_settings_of_acks_are_named_where_reads_need_none(capfd, use, option, name):
    for verb, control, named in (("read", ll.Dcqcn(), True), ("read", ll.Timely(), False), ("write", ll.Dcqcn(), False)):
        for of_fabric in (False, True):
            ll.Simulator.destroy()
            fabric = ll.Fabric.star(3, congestion_control=control, **({"queue_pair": option} if of_fabric else {}))
            said = {} if of_fabric else option
            if use == "flow":
                fabric.flow(0, 1, 10000, verb=verb, **said)
            else:
                fabric.connect(0, 1, **said)[0].post(verb, 10000)
            fabric.run(stop="100us", stop_when_done=False)
            line = f"lossless: warning: ns3::RdmaQueuePair::{name} has no effect; {NO_ANSWERS}"
            assert capfd.readouterr().err.splitlines() == ([line] if named else [])


def test_what_some_queue_pairs_read_is_not_named(capfd):
    fabric = ll.Fabric.star(3, congestion_control=ll.Timely(), queue_pair={"cnp_class": 5})
    fabric.connect(0, 1, congestion_control=ll.Dcqcn())[0].post("write", 1000)
    fabric.flow(0, 1, 1000)
    fabric.run(stop="100us", stop_when_done=False)
    assert not capfd.readouterr().err


def test_the_waiting_time_of_a_receiver_reads_back_as_it_is_in_force(capfd):
    """RNR NAKs carry a code of five bits."""
    for said, is_so in (("100us", 120), ("640us", 640), ("0s", 10), ("10.0005us", 20), ("655.36ms", 655360)):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(3, congestion_control=None,
                                queue_pair={"rnr_retry_limit": 1, "rnr_timer": said})
        one, other = fabric.connect(0, 1)
        ends = []
        one.on_completion(lambda _: ends.append(ll.Simulator.now().us))
        one.post("send", 1000)
        fabric.run(stop="2s", stop_when_done=False)
        assert other.get("RnrTimer") == ll.us(is_so)
        assert is_so < ends[0] < is_so + 10
        if said != "640us":
            assert [s.value for s in fabric.settings if s.name == "RdmaQueuePair.RnrTimer"] == [f"{is_so}us"]
    with pytest.raises(ValueError, match="from 0 to 655360us"):
        ll.Fabric.star(3, queue_pair={"rnr_timer": "656ms"})


def test_a_default_reads_back_as_it_is_in_force(star, tmp_path):
    ll.Config.set_default("ns3::RdmaQueuePair::RnrTimer", "15us")
    values = {setting.name: setting.value for setting in star.settings}
    assert values["RdmaQueuePair.RnrTimer"] == "20us" == f"{star.connect(0, 1)[0].get('RnrTimer').us:g}us"
    star.flow(0, 1, 1000, verb="send")
    star.run(write_to=tmp_path)
    settings = json.loads((tmp_path / "summary.json").read_text())["settings"]
    assert [one["value"] for one in settings if one["name"] == "RdmaQueuePair.RnrTimer"] == ["20us"]


def test_an_increase_timer_of_zero_reads_back_as_in_force_when_connected(star):
    one = star.connect(0, 1, congestion_control=ll.Dcqcn(dialect="nic", increase_timer="0s"))[0]
    assert one.congestion_control.get("IncreaseTimer") == ll.us(300)


def mixed_rates():
    graph = ll.Topology()
    graph.add_switch()
    for rate in ("100Gbps", "25Gbps", "100Gbps"):
        graph.add_link(0, graph.add_host(), rate=rate, delay="1us")
    return graph


@pytest.mark.parametrize("of_fabric", [False, True])
@pytest.mark.parametrize("use, line", [
    (lambda f, **o: f.flow(1, 0, 1000, **o), True),
    (lambda f, **o: f.flow(0, 1, 1000, verb="read", **o), True),
    (lambda f, **o: f.connect(1, 0, **o)[0].post("write", 1000), True),
    (lambda f, **o: ll.Simulator.schedule("1us", lambda: f.flow(1, 0, 1000, "2us", **o)), True),
    (lambda f, **o: f.flow(0, 1, 1000, **o), False),
    (lambda f, **o: f.connect(0, 1, **o)[0].post("write", 1000), False)])
def test_a_rate_above_the_link_of_its_own_host_is_named(capfd, of_fabric, use, line):
    control = {"congestion_control": ll.FixedRate(rate="50Gbps")}
    fabric = ll.Fabric.from_topology(mixed_rates(), **(control if of_fabric else {}))
    for _ in range(2):
        use(fabric, **({} if of_fabric else control))
    fabric.run(stop="50us", stop_when_done=False)
    wanted = ("lossless: warning: ns3::RdmaFixedRate::Rate is 50000000000 bit/s, above the links of host 1; "
              "the rate is that of the link, there 25000000000 bit/s\n")
    assert capfd.readouterr().err == (wanted if line else "")


@pytest.mark.parametrize("use", [
    lambda f, **o: f.flow(0, 1, 1000, **o),
    lambda f, **o: f.connect(0, 1, **o)[0].post("write", 1000)])
@pytest.mark.parametrize("rate", ["10Gbps", "200Gbps"])
def test_a_congestion_control_of_the_fabric_that_nobody_has_is_named(capfd, use, rate):
    fabric = ll.Fabric.star(3, congestion_control=ll.FixedRate(rate=rate))
    for _ in range(2):
        use(fabric, congestion_control=ll.Dcqcn())
        fabric.run(stop="50us", stop_when_done=False)
    assert capfd.readouterr().err == (
        "lossless: warning: the congestion control ns3::RdmaFixedRate of the fabric has no effect; each queue "
        "pair has another one\n")


def shaped(**attributes):
    return ll.Part("ShapedScheduler", **attributes)


JOINS = {"strict_classes": 255, "strict_rate": "5%", "exhausted": "Join"}


@pytest.mark.parametrize("part, line", [
    (ll.Part("DwrrScheduler", strict_classes=255, weights=[1, 1, 1, 1, 9, 9, 9, 9]),
     "DwrrScheduler::Weights has no effect; StrictClasses names all classes"),
    (ll.Part("DwrrScheduler", strict_classes=255, quantum=3200),
     "DwrrScheduler::Quantum has no effect; StrictClasses names all classes"),
    (ll.Part("DwrrScheduler", strict_classes=127, weights=[1, 1, 1, 1, 1, 1, 1, 9]), None),
    (ll.Part("DwrrScheduler", strict_classes=127, weights=[1, 1, 1, 1, 9, 9, 9, 9]),
     "DwrrScheduler::Weights of class 4, 5, 6 has no effect; StrictClasses names it; give it weight 1"),
    (shaped(strict_classes=255, weights=[1, 1, 1, 1, 9, 9, 9, 9]),
     "ShapedScheduler::Weights has no effect; StrictClasses names all classes"),
    (shaped(weights=[1, 1, 1, 1, 9, 9, 9, 9], **JOINS), None),
    (shaped(strict_rate="1Gbps"),
     "ShapedScheduler::StrictRate has no effect; it is for StrictClasses without a rate in MaxRates"),
    (shaped(strict_classes=64, max_rates="6:5%", strict_rate="1Gbps"),
     "ShapedScheduler::StrictRate has no effect; it is for StrictClasses without a rate in MaxRates"),
    (shaped(strict_classes=192, max_rates="6:5%", strict_rate="1Gbps"), None),
    (shaped(exhausted="Join"),
     "ShapedScheduler::Exhausted has no effect; it is for StrictClasses with a highest rate"),
    (shaped(exhausted="Join", strict_classes=64, strict_rate=""),
     "ShapedScheduler::Exhausted has no effect; it is for StrictClasses with a highest rate"),
    (shaped(burst=9000), "ShapedScheduler::Burst has no effect; no class and no port has a rate"),
    (shaped(burst=9000, port_rate="50%"), None),
    (shaped(burst=9000, strict_classes=64), None),
    (shaped(max_rates="3:150Gbps"),
     "ShapedScheduler::MaxRates of class 3 is 150000000000 bit/s, above the lines of its ports; the rate is "
     "that of the line, at most 100000000000 bit/s"),
    (shaped(max_rates="3:100%", min_rates="3:100%", port_rate="100Gbps"), None),
    (shaped(min_rates="3:60%,4:40%"), None),
    (shaped(min_rates="3:60%,4:50%"),
     "ShapedScheduler::MinRates are 110000000000 bit/s together, and a port sends 100000000000 bit/s; the "
     "highest classes get theirs first; lower them until all fit"),
    (shaped(min_rates="3:150Gbps"),
     "ShapedScheduler::MinRates are 150000000000 bit/s together, and a port sends 100000000000 bit/s; the "
     "highest classes get theirs first; lower them until all fit"),
    (shaped(min_rates="3:30%,4:30%", port_rate="50Gbps"),
     "ShapedScheduler::MinRates are 60000000000 bit/s together, and a port sends 50000000000 bit/s; the "
     "highest classes get theirs first; lower them until all fit"),
    (shaped(strict_classes=64, min_rates="6:10%", exhausted="Join"), None),
])
def test_what_schedulers_do_not_use_is_named(capfd, part, line):
    assert said_of(capfd, ll.Fabric.star(2, scheduler=part)) == (
        f"lossless: warning: ns3::{line}\n" if line else "")


@pytest.mark.parametrize("part, text", [
    (shaped(min_rates="3:20Gbps", max_rates="3:10%"),
     "host 0 port 0: MinRates of class 3 is 20000000000 bit/s, and MaxRates allows 10000000000 bit/s; it must "
     "not exceed that"),
    (shaped(min_rates="3:20Gbps", port_rate="10Gbps"),
     "host 0 port 0: MinRates of class 3 is 20000000000 bit/s, and PortRate allows 10000000000 bit/s; it must "
     "not exceed that"),
    (shaped(strict_classes=8, min_rates="3:20Gbps"),
     "host 0 port 0: MinRates of class 3 is 20000000000 bit/s, and StrictRate allows 5000000000 bit/s; it must "
     "not exceed that")])
def test_rates_of_classes_that_contradict_each_other_are_refused(part, text):
    fabric = ll.Fabric.star(2, scheduler=part)
    fabric.flow(0, 1, 1000)
    with pytest.raises(ValueError) as error:
        fabric.run()
    assert str(error.value) == text


def test_rates_that_contradict_each_other_during_a_run_are_named(capfd):
    fabric = ll.Fabric.star(2, scheduler=shaped(max_rates="3:10%"))
    fabric.flow(0, 1, 100_000)
    ll.Simulator.schedule("1us", lambda: fabric.device("host 0", 0).egress_scheduler.set(min_rates="3:20Gbps"))
    fabric.run(stop="100us")
    assert capfd.readouterr().err == (
        "lossless: warning: host 0 port 0: MinRates of class 3 is 20000000000 bit/s, and MaxRates allows 10000000000 "
        "bit/s; the class gets no more than that; lower its MinRates\n")


MAP = {"class_map": ll.Part("TrafficClassMap", priority_group="3:4", pfc_priority="4:3")}


@pytest.mark.parametrize("options, words", [
    ({"mmu": {"service_pools": "a any 60%; b lossy 40%"}},
     "the service pool b of leaf 0 has no effect: no class draws from it"),
    ({"extensions": ll.Part("BorderPolicy")}, "BorderPolicy of leaf 0 has no effect; it needs Rules"),
    ({"lossless_classes": list(range(8)), "switch": {"drop_non_ect": False}},
     "DropNonEct of leaf 0 has no effect; all classes there are lossless"),
    ({"at": {"hosts": MAP}}, "TrafficClassMap::PriorityGroup of host 0 port 0 has no effect"),
    ({"at": {"hosts": MAP}}, "TrafficClassMap::PfcPriority of host 0 port 0 has no effect"),
    ({"extensions": ll.Part("IccSwitch")}, "IccSwitch of switches has no effect but on paths, which it makes symmetric; no congestion control reads"),
    ({"extensions": ll.Part("IccSwitch"), "congestion_control": "RdmaTimely"}, "IccSwitch of switches has no effect"),
])
def test_parts_of_switches_and_hosts_without_effect_are_named(capfd, options, words):
    fabric = ll.Fabric.star(4, **options)
    fabric.flow(1, 0, 1000)
    fabric.run(stop="100us")
    assert words in capfd.readouterr().err


@pytest.mark.parametrize("options", [
    {"mmu": {"service_pools": "a lossless 60%; b lossy 40%"}},
    {"extensions": ll.Part("BorderPolicy", rules="udp 4791 permit")},
    {"switch": {"drop_non_ect": False}},
    {"congestion_control": "RdmaIcc"},
])
def test_parts_of_switches_with_effect_are_not_named(capfd, options):
    fabric = ll.Fabric.star(4, **options)
    fabric.flow(1, 0, 1000)
    fabric.run(stop="100us")
    assert "has no effect" not in capfd.readouterr().err


def test_maps_of_hosts_that_get_receive_buffers_are_not_named(capfd):
    fabric = ll.Fabric.star(4, at={"hosts": MAP})
    fabric.flow(1, 0, 1000)
    fabric.faults.slow_receiver(0, "1us", "5us")
    fabric.run(stop="100us")
    assert "TrafficClassMap" not in capfd.readouterr().err
