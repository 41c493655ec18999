# SPDX-License-Identifier: GPL-2.0-only
"""Congestion controls written in Python."""

import gc
import weakref

import pytest

import lossless as ll


class Halve(ll.CongestionControl):
    """Halve at each CNP, then add a step each round trip."""

    step = ll.Attribute(100e6, unit="bit/s", help="added each round trip")
    hooks = ("ack",)

    def init(self, flow, now_ps):
        self.next_ps = now_ps

    def on_marked_data(self, now_ps):
        return True

    def on_cnp(self, flow, now_ps):
        flow.rate = max(flow.rate / 2, 1e8)

    def on_ack(self, flow, ack):
        if ack.now_ps >= self.next_ps:
            flow.rate = min(flow.rate + self.step, flow.line_rate)
            self.next_ps = ack.now_ps + flow.base_rtt_ps


def incast(control, size="500kB"):
    fabric = ll.Fabric.star(9, buffer="4MiB", congestion_control=control)
    fabric.incast(8, 0, size)
    results = fabric.run(stop="50ms")
    ll.Simulator.destroy()
    return results


def test_it_reacts():
    slow, fast, none = (incast(control) for control in (Halve(step=1e6), Halve(), None))
    assert none.totals["cnps_received"] == 0
    for results in (slow, fast):
        assert results.totals["cnps_received"] > 0
        assert results.totals["flows_completed"] == 8
        assert results.totals["pfc_xoff_frames"] <= none.totals["pfc_xoff_frames"]
    assert max(slow.flows["fct_s"]) > max(fast.flows["fct_s"]) > max(none.flows["fct_s"])


def test_it_is_repeatable():
    assert list(incast(Halve()).flows["fct_s"]) == list(incast(Halve()).flows["fct_s"])


def test_calls_and_what_they_tell():
    calls = []

    class Witness(ll.CongestionControl):
        hooks = ("ack", "sent", "data")
        telemetry = "delay"

        def init(self, flow, now_ps):
            calls.append(("init", flow.rate == flow.line_rate == 1e11, flow.mtu_bytes, now_ps))
            flow.window = 8000
            self.timer_ps = ll.us(5).ps
            self.ticks = 0

        def on_sent(self, flow, wire_bytes, now_ps):
            calls.append(("sent", wire_bytes, flow.packet_wire_bytes, now_ps))

        def on_data(self, data):
            calls.append(("data", data.wire_bytes, data.marked, data.now_ps))

        def on_ack(self, flow, ack):
            calls.append(("ack", ack.acked_bytes, ack.rtt_ps, ack.nak))

        def on_timer(self, flow, now_ps):
            self.ticks += 1
            calls.append(("timer", now_ps))
            self.timer_ps = None if self.ticks == 3 else now_ps + ll.us(1).ps

    fabric = ll.Fabric.star(2, congestion_control=Witness(), queue_pair={"mtu": 1000})
    pair, _ = fabric.connect(0, 1)
    pair.post("write", 10000)
    assert pair.window == 8000 and pair.congestion_control.type_name == "ns3::PythonCongestionOps"
    fabric.run(stop_when_done=False)
    by_name = {name: [call[1:] for call in calls if call[0] == name]
               for name in ("init", "sent", "data", "ack", "timer")}
    assert by_name["init"] == [(True, 1000, 0)] * 2, "both ends have an object"
    assert len(by_name["sent"]) == len(by_name["data"]) == 10
    assert all(0 <= length - full <= 16 for length, full, _ in by_name["sent"]), "the first has a RETH"
    assert sum(acked for acked, _, _ in by_name["ack"]) == 10000
    assert all(rtt > ll.us(4).ps and not nak for _, rtt, nak in by_name["ack"])
    assert sorted(by_name["timer"])[:1] == [(ll.us(5).ps,)] and len(by_name["timer"]) >= 2


def test_an_exception_ends_the_run_and_is_raised():
    class Fails(ll.CongestionControl):
        hooks = ("ack",)

        def on_ack(self, flow, ack):
            raise KeyError("after the first")

    with pytest.raises(KeyError, match="after the first") as raised:
        incast(Fails())
    assert any(entry.name == "on_ack" for entry in raised.traceback)
    assert ll.Simulator.now() < ll.ms(1)
    ll.Simulator.destroy()
    assert incast(Halve()).totals["flows_completed"] == 8, "the next run is not affected"


def test_an_exception_of_init_is_raised_by_connect():
    class Fails(ll.CongestionControl):
        def init(self, flow, now_ps):
            raise ValueError("no such flow")

    fabric = ll.Fabric.star(2, congestion_control=Fails())
    with pytest.raises(ValueError, match="no such flow"):
        fabric.connect(0, 1)


@pytest.mark.parametrize("value, error", [(float("nan"), ValueError), (-1, ValueError),
                                          (float("inf"), ValueError), ("fast", TypeError)])
def test_wrong_rates_are_refused(value, error):
    class Sets(ll.CongestionControl):
        hooks = ("ack",)

        def on_ack(self, flow, ack):
            flow.rate = value

    with pytest.raises(error):
        incast(Sets())


def test_a_flow_is_there_while_a_method_runs():
    kept = []

    class Keeps(ll.CongestionControl):
        def init(self, flow, now_ps):
            kept.append(flow)

    fabric = ll.Fabric.star(2, congestion_control=Keeps())
    fabric.connect(0, 1)
    with pytest.raises(RuntimeError, match="while a method"):
        kept[0].rate  # pylint: disable=pointless-statement
    with pytest.raises(RuntimeError, match="while a method"):
        kept[0].rate = 5
    assert "no method runs" in repr(kept[0])


def test_a_method_may_post():
    """A request that a method posts calls other methods; the first one goes on."""
    rates = []

    class Posts(ll.CongestionControl):
        hooks = ("ack", "sent")
        pair = None

        def on_sent(self, flow, wire_bytes, now_ps):
            flow.rate = flow.line_rate / 2

        def on_ack(self, flow, ack):
            if Posts.pair is not None:
                pair, Posts.pair = Posts.pair, None
                pair.post("write", 100)
            rates.append(flow.rate)

    fabric = ll.Fabric.star(2, congestion_control=Posts())
    Posts.pair, _ = fabric.connect(0, 1)
    Posts.pair.post("write", 5000)
    fabric.run(stop_when_done=False)
    assert len(rates) > 1 and set(rates) == {5e10}


def test_timers_that_stay_do_not_hang():
    class Stays(ll.CongestionControl):
        timer_ps = 1

        def on_timer(self, flow, now_ps):
            pass

    assert incast(Stays()).totals["flows_completed"] == 8


def test_attributes():
    assert repr(Halve()) == "Halve(step=100000000.0)" and Halve(step="40Mbps").step == 40e6
    assert Halve(step=ll.Mbps(40)).step == 40e6 and Halve(step=5).step == 5.0
    assert Halve.attributes()["step"].help == "added each round trip"
    with pytest.raises(AttributeError, match="did you mean step"):
        Halve(stp=1)
    with pytest.raises(TypeError, match="step is .*must be of type float of bit/s"):
        Halve(step=None)

    class Timed(Halve):
        period = ll.Attribute(5.0, unit="us")

    assert Timed(period="1ms").period == 1000 and Timed(period=ll.ns(500)).period == 0.5
    assert list(Timed.attributes()) == ["step", "period"]


@pytest.mark.parametrize("body, error, text", [
    ({"hooks": ("ack",)}, TypeError, "there is no on_ack"),
    ({"hooks": ("acks",)}, ValueError, "may name ack, sent, data"),
    ({"on_ack": lambda self, flow, ack: None}, TypeError, r"never called; name it: hooks = \('ack',"),
    ({"telemetry": "int"}, ValueError, "telemetry is 'int'"),
    *(({name: lambda self, flow, now_ps: None}, TypeError,
       rf"Wrong\.{name}\(\) is never called; did you mean {meant}\?")
      for name, meant in (("on_cnpp", "on_cnp"), ("oncnp", "on_cnp"), ("OnCnp", "on_cnp"),
                          ("on_ak", "on_ack"), ("on_timeouts", "on_timeout"))),
    ({"on_weekdays": staticmethod(print)}, TypeError, "never called; what is called is on_cnp, on_timeout"),
])
def test_classes_that_would_not_work(body, error, text):
    with pytest.raises(error, match=text):
        type("Wrong", (ll.CongestionControl,), body)


def test_what_is_no_method_may_begin_as_hooks_do():
    class Named(ll.CongestionControl):
        once = ll.Attribute(1.0)
        one = 2

    assert Named(once=3).once == 3 and Named.one == 2


def test_generators_are_refused():
    with pytest.raises(TypeError, match="on_cnp.* generator or asynchronous"):
        class Wrong(ll.CongestionControl):  # pylint: disable=unused-variable
            def on_cnp(self, flow, now_ps):
                yield flow


def test_of_single_flows_and_of_queue_pairs():
    fabric = ll.Fabric.star(3, congestion_control=None)
    fabric.flow(0, 2, "1MB", congestion_control=Halve())
    pair, _ = fabric.connect(0, 1, Halve())
    assert pair.congestion_control.type_name == "ns3::PythonCongestionOps"
    assert fabric.run().totals["flows_completed"] == 1


def test_objects_go_with_the_simulation():
    alive = weakref.WeakSet()

    class Counted(Halve):
        def init(self, flow, now_ps):
            super().init(flow, now_ps)
            alive.add(self)

    control = Counted()
    fabric = ll.Fabric.star(2, congestion_control=control)
    fabric.connect(0, 1)
    assert len(alive) == 2
    del fabric
    ll.Simulator.destroy()
    gc.collect()
    assert len(alive) == 0


def test_each_end_has_an_object_of_its_own():
    seen = []

    class Counts(ll.CongestionControl):
        hooks = ("ack",)
        shared = {"acks": 0}

        def __init__(self):
            super().__init__()
            self.own = {"acks": 0, "of": self}
            self.same = self.own

        def on_ack(self, flow, ack):
            self.own["acks"] += 1
            self.shared["acks"] += 1
            seen.append((id(self), self.own["acks"], self.own is self.same, self.own["of"] is self))

    maker = Counts()
    incast(maker)
    objects = {each[0] for each in seen}
    assert len(objects) == 8 and maker.own["acks"] == 0
    assert sum(max(each[1] for each in seen if each[0] == one) for one in objects) == len(seen)
    assert all(same and of for _, _, same, of in seen), "what an object has twice, its copy has twice"
    assert Counts.shared["acks"] == len(seen), "attributes of the class are shared"


def test_what_cannot_be_copied_is_named():
    class Logs(ll.CongestionControl):
        def __init__(self):
            super().__init__()
            self.log = (line for line in ())

    with pytest.raises(TypeError, match=r"^Logs\.log cannot be copied, .*an attribute of the class, which all"):
        ll.Fabric.star(2, congestion_control=Logs())


@pytest.mark.parametrize("name, value, error, text", [
    ("telemetry", "foo", ValueError, "Halve.telemetry is 'foo'; it may be \"delay\" or None"),
    ("hooks", ("bar",), ValueError, "Halve.hooks names 'bar'; it may name ack, sent, data"),
    ("hooks", ("sent",), TypeError, "Halve.hooks names 'sent', and there is no on_sent()"),
    ("step", float("nan"), ValueError, "step is nan; it must be a number, such as 100000000.0"),
])
def test_choices_of_an_object_are_checked(name, value, error, text):
    control = Halve()
    with pytest.raises(error) as raised:
        setattr(control, name, value)
        ll.Fabric.star(2, congestion_control=control)
    assert str(raised.value) == text


@pytest.mark.parametrize("answer, text", [
    (None, "on_marked_data() returns None; it must return True or False, whether to send a CNP"),
    ("no", "on_marked_data() returns an object of type str; it must return True or False, whether "
           "to send a CNP"),
    (1, "on_marked_data() returns an object of type int; it must return True or False, whether to "
        "send a CNP"),
])
def test_an_answer_to_a_mark_is_a_truth_value(answer, text):
    class Answers(Halve):
        def on_marked_data(self, now_ps):
            return answer

    with pytest.raises(TypeError) as raised:
        incast(Answers())
    assert str(raised.value) == text


@pytest.mark.parametrize("name, right", [
    ("rtt_ps", 'let the class say telemetry = "delay"'), ("marked", "let the class say echoes_marks = True")])
def test_what_acks_do_not_bring_cannot_be_read(name, right):
    class Reads(ll.CongestionControl):
        hooks = ("ack",)

        def on_ack(self, flow, ack):
            self.value = getattr(ack, name)

    class Asks(Reads):
        telemetry = "delay"
        echoes_marks = True

    with pytest.raises(AttributeError, match=f"ACKs do not bring {name}; {right}"):
        incast(Reads())
    ll.Simulator.destroy()
    assert incast(Asks()).end == "done"


class HearsOfNobody(ll.CongestionControl):
    def on_cnp(self, flow, now_ps):
        flow.rate /= 2


@pytest.mark.parametrize("control, line", [
    (HearsOfNobody, "HearsOfNobody.on_cnp() is never called: receivers send no CNPs; define on_marked_data(), "
                    "which says when they do"),
    (Halve, None)])
def test_methods_that_nobody_calls_are_named(capfd, control, line):
    fabric = ll.Fabric.star(3, congestion_control=control())
    for _ in range(2):
        fabric.flow(0, 1, 1000)
        fabric.run()
    assert capfd.readouterr().err == (f"lossless: warning: {line}\n" if line else "")


def test_cnps_of_switches_are_heard(capfd):
    fabric = ll.Fabric.star(3, congestion_control=HearsOfNobody(), extensions="SwitchCnpSender")
    fabric.flow(0, 1, 1000)
    fabric.run()
    assert "on_cnp" not in capfd.readouterr().err
