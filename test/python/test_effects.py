# SPDX-License-Identifier: GPL-2.0-only
"""What a script asks for takes effect, is refused in one line, or is named before the run."""

import gc
import weakref

import pytest

import lossless as ll


def test_a_default_that_changes_in_the_run(star, tmp_path):
    """It is not that of the queue pairs that are there."""
    def change():
        ll.Config.set_default("RdmaDcqcn::Gain", 0.5)
    star.flow(0, 1, "1MB", congestion_control=ll.Dcqcn())
    ll.Simulator.schedule("5us", change)
    results = star.run()
    assert "RdmaDcqcn.Gain is 0.5" not in results.summary()
    ll.Simulator.destroy()
    star = ll.Fabric.star(4)
    star.flow(0, 1, 1000)
    assert "RdmaDcqcn.Gain is 0.5" in star.run().summary(), "it is in force from the begin on"


def test_of_many_flows_all_are_added_or_none(star):
    columns = {"source": [0, 1, 2], "destination": [1, 2, 2], "size": [1000, 1000, 1000]}
    with pytest.raises(ValueError, match="row 2: host 2 sends to itself"):
        star.flows_from(columns)
    assert star.flows.n_flows == 0
    columns["destination"][2] = "host -1"
    assert star.flows_from(columns) == [0, 1, 2]


def test_nodes_of_a_topology_have_names():
    graph = ll.Topology()
    for add in (graph.add_switch, graph.add_host, graph.add_host):
        add()
    first = graph.add_link("switch 0", "host 0")
    assert graph.add_link(-1, "node 0") == first + 1
    assert graph.find_link("host -1", 0) == 1 and graph.find_link("host 0", "leaf 0") == 0
    for wrong, error in ((3, IndexError), (-4, IndexError), ("host 2", IndexError),
                         (4294967295, IndexError), ("spine 0", ValueError), (None, TypeError),
                         (ll.create("Node"), ValueError)):
        for call in (lambda: graph.add_link(wrong, 0), lambda: graph.find_link(0, wrong)):
            with pytest.raises(error):
                call()
    assert len(graph.links) == 2


@pytest.mark.parametrize("host", [3, -1, "host 3", "host -1", "10.0.0.4"])
def test_addresses_of_applications_take_names(star, host):
    server = star.application(host if host != "10.0.0.4" else 3, "PacketSink", local=("0.0.0.0", 9),
                              protocol="UdpSocketFactory")
    star.application(0, "OnOffApplication", stop="50us", remote=(host, 9),
                     protocol="UdpSocketFactory", data_rate="1Gbps",
                     on_time="ns3::ConstantRandomVariable[Constant=1]",
                     off_time="ns3::ConstantRandomVariable[Constant=0]")
    star.run(stop="60us")
    assert server.bytes_received > 0


def test_callbacks_last_for_the_fabric(star):
    ends, of_one_run = [], []
    star.on_flow_end(lambda result: ends.append(result.bytes))
    star.flows.on_end(lambda result: of_one_run.append(result.bytes))
    for size in (1000, 2000, 3000):
        star.flow(0, 1, size)
        star.run()
    assert ends == [1000, 2000, 3000] and of_one_run == [1000]


def test_what_is_used_between_runs(star):
    """Flows and sockets are those that have run; faults are of the next run."""
    star.flow(0, 1, 1000)
    star.tcp(0, 1, 1000)
    star.run()
    assert star.flows.n_completed == 1 and len(star.sockets.flows) == 1
    with pytest.raises(ValueError, match="of a run that has ended"):
        star.sockets.tcp(0, 1, 1000)
    begin = ll.Simulator.now()
    star.faults.cut_link(2, "1us")
    assert star.flows.n_completed == 0 and star.sockets.flows == []
    run = ll.Run(star)
    assert run.begin == begin
    star.flow(0, 1, 1000)
    results = run.execute()
    assert len(results.faults) == 1 and results.faults["time_s"][0] > begin.seconds


def test_one_run_waits_at_a_fabric(star):
    run = ll.Run(star, stop="5ms")
    star.flow(0, 1, 1000)
    with pytest.raises(RuntimeError) as raised:
        ll.Run(star)
    assert str(raised.value) == "<lossless.Run: 0 of 1 flows completed> of this fabric, begun at 0s, " \
        "has not ended; execute() it first, or use it in place of another one"
    assert run.execute().end == "done"
    other = ll.Run(star)
    del other  # nobody can execute it any more
    gc.collect()
    star.flow(0, 1, 1000)
    with pytest.raises(ValueError):
        ll.Run(star, seed=0)
    assert ll.Run(star).execute().totals["flows_completed"] == 1
    waiting = ll.Run(star, stop="1us")
    with pytest.raises(ValueError):
        star.run(seed=0)
    with pytest.raises(RuntimeError, match="has not ended"):
        ll.Run(star)
    assert star.run().end == waiting._run.end  # pylint: disable=protected-access


def test_a_fabric_does_not_keep_its_runs(star):
    runs = []
    for _ in range(20):
        star.flow(0, 1, 1000)
        mesh = star.ping_mesh("0s", "50us")
        monitor = star.pause_monitor("0s", "50us")
        output = star.hpcc_output()
        runs += [weakref.ref(one) for one in (star._current, mesh, monitor, output)]
        star.run(stop="60us", stop_when_done=False)
    del mesh, monitor, output
    gc.collect()
    assert sum(run() is not None for run in runs) <= 8  # of the last run, and the one before


def test_the_stop_of_a_scenario_holds_for_all_runs(tmp_path):
    (tmp_path / "topology.txt").write_text("3 1 2\n0\n1 0 100Gbps 1us 0\n2 0 100Gbps 1us 0\n")
    (tmp_path / "flows.txt").write_text("1\n1 2 3 100 1000 2\n")
    config = tmp_path / "config.txt"
    config.write_text(f"TOPOLOGY_FILE {tmp_path}/topology.txt\nFLOW_FILE {tmp_path}/flows.txt\n"
                      "SIMULATOR_STOP_TIME 2.5\nRATE_AI 20\nPAUSE_TIME 5\nBYTE_COUNTER 5\n")
    with pytest.raises(ValueError, match="not known here: BYTE_COUNTER; "):
        ll.Fabric.from_hpcc(config)
    fabric = ll.Fabric.from_hpcc(config, allow_unknown=True)
    results = fabric.run()
    assert results.end == "done"
    assert list(zip(results.findings["rule"], results.findings["what"]))[:3] == [
        ("config", f"{config}:4: RATE_AI is 20 bit/s; was 20Mb/s meant?"),
        ("unknown-keys", f"{config}: not known here: BYTE_COUNTER"),
        ("unused-keys", f"{config}: keys without effect here: PAUSE_TIME")]
    begin = ll.Simulator.now()
    fabric.flow(0, 1, 1000, start="1s")
    fabric.flow(0, 1, 1000, start="3s")
    results = fabric.run()
    assert results.end == "stopped" and ll.Simulator.now() == begin + ll.seconds(2.5)
    assert results.totals["flows_completed"] == 1


def test_what_an_object_leaves_to_the_run_names_the_switch(star, capfd):
    port = star.device("host 1", 0)
    port.pfc_reaction_delay = "1s"  # the next line may mend it
    star.flow(0, 1, 1000)
    with pytest.raises(ValueError, match=r"^leaf 0 \(node 4\): SwitchMmu: buffer of .* bytes short"):
        star.run()
    assert capfd.readouterr().err == ""
    port.pfc_reaction_delay = "1us"
    assert star.run().end == "done"


@pytest.mark.parametrize("call, line", [
    (lambda f: f.run(files=5), 'files is 5; it must be a list of names, such as ["fct"]'),
    (lambda f: f.run(keep=[5]), 'keep is [5]; it must be a list of names, such as ["pause"]'),
    (lambda f: f.run(seed=True), "seed is True; it must be a whole number, 1 to 4294944442"),
    (lambda f: f.run(skippable={"slope": "x"}),
     "steady_slope is 'x'; it must be a share, at least 0 and below 1, such as 0.05"),
    (lambda f: f.run(progress="yes"), "progress is 'yes'; it must be True or False"),
    (lambda f: f.run(write_to=5), "write_to is 5; it must name a folder, or be None"),
    (lambda f: f.flows_from({"source": 0, "destination": [1], "size": [1]}),
     "column 'source' is 0; it must be a list, with a value for each flow"),
])
def test_options_of_a_wrong_kind_are_named(star, call, line):
    with pytest.raises(TypeError) as raised:
        call(star)
    assert str(raised.value) == line


@pytest.mark.parametrize("during", [False, True])
def test_two_ends_of_a_link_may_be_set_one_after_the_other(capfd, during):
    """What is wrong is judged when the event is over."""
    fabric = ll.Fabric.star(3)
    fabric.flow(0, 1, "1MB")
    port = fabric.switches[0].ports[0]

    def change():
        port.set(pfc_classes=24)
        port.peer.set(pfc_classes=24)
    if during:
        ll.Simulator.schedule("5us", change)
    else:
        change()
    fabric.run()
    assert not capfd.readouterr().err


def test_settings_of_flows_hold_for_all_that_do_not_say_otherwise(star):
    run = ll.Run(star)
    run.rdma.set_class(4)
    run.rdma.set_verb("read")
    run.rdma.set_queue_pair(mtu=512)
    run.rdma.set_congestion_control(ll.Part("RdmaFixedRate", rate="1Gbps"))
    star.flow(1, 0, 10000)
    run.rdma.add(2, 0, 10000)
    star.incast(1, 0, 10000, traffic_class=3, verb="write", mtu=256, congestion_control="none")
    star.flow(1, 0, 10000)  # what the incast has said was of it alone
    results = run.execute()
    own = dict(traffic_class=4, verb="read", mtu=512,
               congestion_control=ll.Part("RdmaFixedRate", rate="1Gbps"))
    other = ll.Fabric.star(4, rate="100Gbps", delay="1us", buffer="2MiB")
    begin = other.run  # the other fabric's run counts from its own begin
    other.flow(1, 0, 10000, **own)
    other.flow(2, 0, 10000, **own)
    other.incast(1, 0, 10000, traffic_class=3, verb="write", mtu=256, congestion_control="none")
    other.flow(1, 0, 10000, **own)
    same = begin()
    for column in ("source", "traffic_class", "fct_s"):
        assert list(results.flows[column]) == list(same.flows[column])
    assert sorted(results.flows["traffic_class"]) == [3, 4, 4, 4]
    assert max(results.flows["fct_s"]) > 8e-5  # at 1 Gbit/s


def test_no_congestion_control_and_own_sizes_are_taken(star):
    star.permutation(1000, congestion_control="none")
    star.poisson(ll.FlowSizes(2000), 0.2, "20us")
    results = star.run()
    assert set(results.flows["bytes"]) == {1000, 2000}
    with pytest.raises(TypeError, match="workload is 3; it must be the name of a workload"):
        star.poisson(3, 0.2, "20us")


HALVES = [(ll.Hpcc, "IntStamper.multiplier", 16, "IntStamper::Multiplier"),
          (ll.Icc, "IccSwitch.report_timer", "100us", "IccSwitch::ReportTimer")]


@pytest.mark.parametrize("control, name, value, text", HALVES)
@pytest.mark.parametrize("by_object", [False, True])
def test_halves_that_must_agree_are_not_set_apart(control, name, value, text, by_object):
    def change(fabric):
        if not by_object:
            fabric.at("leaf").set(**{name: value})
        for extension in fabric.switches[0].extensions if by_object else ():
            extension.set(**{name.split(".")[1]: value})

    def run(when, late=None):
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(5, congestion_control=control())
        if when == "before":
            change(fabric)
        fabric.incast(4, 0, "1MB")
        if when == "after flows":
            change(fabric)
        if late:
            ll.Simulator.schedule("20us", lambda: late(fabric))
        return list(fabric.run().flows["fct_s"])

    refused = []

    def late(fabric):
        with pytest.raises(ValueError, match=text) as error:
            change(fabric)
        refused.append(str(error.value))

    alone = run(None)
    assert run(None, late) == alone and len(refused) == 1 and "\n" not in refused[0]
    for when in ("before", "after flows"):
        with pytest.raises(ValueError, match=text):
            run(when)


def test_both_halves_may_be_set(capfd):
    fabric = ll.Fabric.star(5, congestion_control=ll.Hpcc())
    fabric.at("leaf").set(**{"IntStamper.multiplier": 16})
    fabric.flow(0, 1, "1MB", congestion_control=ll.Hpcc(multiplier=16))
    assert fabric.run().end == "done"


@pytest.mark.parametrize("is_capable", [True, False])
def test_flows_that_are_not_ecn_capable_get_no_marks(is_capable):
    fabric = ll.Fabric.star(5, rate="25Gbps")
    fabric.incast(4, 0, "1MB", ecn_capable=is_capable)
    totals = fabric.run().totals
    assert (totals["ecn_marks"] > 0) == (totals["cnps_received"] > 0) == is_capable


@pytest.mark.parametrize("ports", ["0", "1-8"])
def test_ports_and_rule_of_a_sender_of_cnps(ports):
    """Of two on a switch; the other one never polls in time."""
    senders = [ll.Part("SwitchCnpSender", ports=ports, mark_ce=False, rule=ll.Part("TrendCnpRule", low_use=0.1)),
               ll.Part("SwitchCnpSender", ports="0-8", mark_ce=False, interval="1s")]
    fabric = ll.Fabric.star(9, rate="25Gbps", extensions=senders)
    fabric.incast(8, 0, "1MB")
    assert (fabric.run().totals["cnps_received"] > 0) == (ports == "0")
