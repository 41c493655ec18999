# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics, flows, results; the same numbers as in C++."""

import filecmp
import multiprocessing
import subprocess

import pytest

import lossless as ll


def quickstart(**options):
    """The fabric of the example leaf-spine-incast, shorter."""
    fabric = ll.Fabric.leaf_spine(4, 2, 8, rate="100Gbps", delay="1us", buffer="4MiB",
                                  congestion_control="RdmaDcqcn", **options)
    fabric.poisson("fb-hadoop", load=0.5, duration="500us")
    fabric.incast(senders=16, receiver=0, size=500000, start="100us")
    return fabric


def digest(_=0):
    results = quickstart().run()
    ll.Simulator.destroy()
    return list(results.flows["fct_s"]), results.totals["events"]


def test_results(tmp_path):
    results = quickstart().run(write_to=tmp_path)
    flows = results.flows
    assert len(flows) == results.totals["flows_completed"] == 765
    assert set(flows["status"]) == {int(ll.Status.SUCCESS)}
    assert min(flows["slowdown"]) >= 1
    assert sum(flows["bytes"]) == results.totals["payload_delivered"]
    assert len(results.pauses) == results.totals["pauses"]
    assert max(results.queues["bytes"]) > 0 and "rx_bps" in results.throughput.columns
    assert "FCT slowdown" in results.summary()
    assert next(iter(flows))["index"] == flows["index"][0]
    with pytest.raises(KeyError, match="slowdown"):
        flows["slow"]


def test_labels_and_the_direction_of_data():
    fabric = ll.Fabric.star(4)
    fabric.incast(2, 0, "64KiB", label="burst")
    fabric.flow(1, 0, "64KiB", "100us", verb="read", label="late")
    fabric.permutation(1000, "200us")
    fabric.flows_from({"source": [1], "destination": [2], "size": [1000], "label": ["row"]})
    results = fabric.run()
    flows = [(flow["verb"], flow["data_source"], flow["data_destination"]) for flow in results.flows
             if flow["label"] == "late"]
    assert flows == [("READ", 0, 1)]
    assert sorted(results.flows["label"]) == [""] * 4 + ["burst"] * 2 + ["late", "row"]
    burst = [us * 1e6 for us, label in zip(results.flows["fct_s"], results.flows["label"]) if label == "burst"]
    assert results.totals["fct_us_max_burst"] == pytest.approx(max(burst)) and results.totals["fct_count_burst"] == 2
    assert "FCT by label (us)" in results.summary() and "fct_us_max_" not in results.totals
    with pytest.raises(ValueError, match="a label has letters"):
        fabric.incast(2, 0, "64KiB", label="a,b")


def test_results_without_files():
    results = quickstart().run()
    with pytest.raises(ValueError, match="write_to"):
        results.pauses  # pylint: disable=pointless-statement


def test_totals_are_sums_of_all_hosts(star):
    star.incast(3, 0, "200kB")
    totals = star.run().totals
    for name in ("acks_sent", "acks_received", "messages_completed", "marked_received"):
        assert totals[name] == sum(host.counters[name] for host in star.hosts), name
    assert totals["acks_received"] == totals["acks_sent"] > 0
    assert totals["messages_completed"] == 3


def test_columns_are_not_copied():
    numpy = pytest.importorskip("numpy")
    column = quickstart().run().flows["slowdown"]
    array = numpy.asarray(column)
    assert array.dtype == numpy.float64 and not array.flags.owndata and not array.flags.writeable
    assert array.tolist() == list(column) == memoryview(column).tolist()


@pytest.mark.parametrize("call, line", [
    (lambda f: f.assign_streams(-1), "stream is -1; it must be 0 to 2^62"),
    (lambda f: f.assign_streams(2**63 - 1), "stream is 9223372036854775807; it must be 0 to 2^62"),
    (lambda f: f.ping_mesh(targets=1, stream=-1), "stream is -1; it must be 0 to 2^62"),
    (lambda f: ll.create("UniformRandomVariable", stream=-2),
     "ns3::UniformRandomVariable::Stream is -2; it must be 0 or more, or -1: the next free one"),
    (lambda f: ll.create("UniformRandomVariable").set(stream=-2),
     "ns3::UniformRandomVariable::Stream is -2; it must be 0 or more, or -1: the next free one"),
])
def test_no_random_stream_ends_the_program(call, line):
    with pytest.raises(ValueError) as raised:
        call(ll.Fabric.star(4))
    assert str(raised.value) == line


def test_the_same_as_in_cpp(incast_program, tmp_path):
    subprocess.run([incast_program, "--duration=500us", f"--outDir={tmp_path}/cpp"], check=True,
                   stdout=subprocess.DEVNULL)
    quickstart().run(write_to=tmp_path / "python")
    for name in ("fct.csv", "pfc.csv", "pause.csv", "queue.csv"):
        assert filecmp.cmp(tmp_path / "cpp" / name, tmp_path / "python" / name, shallow=False), name


def test_one_after_the_other_is_as_in_two_processes():
    here = [digest(), digest()]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.map(digest, [0])[0]
    assert here[0] == here[1] == there


def test_options_reach_the_objects():
    fabric = ll.Fabric.star(2, rate="25Gbps", delay="2us", alpha=0.25, buffer="16MiB",
                            queue_pair={"mtu": 4096}, link={"pfc_quanta": 1000},
                            congestion_control=ll.Timely(), ecn="WredEcnMarker",
                            load_balancer=ll.Part("EcmpLoadBalancer", seed=7),
                            scheduler="DwrrScheduler")
    assert fabric.device(0).data_rate == ll.DataRate("25Gbps")
    assert fabric.device(0).pfc_quanta == 1000
    assert fabric.channel(0).delay == ll.Time("2us")
    assert fabric.switches[0].mmu.alpha == 0.25 and fabric.switches[0].mmu.buffer_size == 16 << 20
    pair, _ = fabric.connect(0, 1)
    assert pair.mtu == 4096 and pair.congestion_control.type_name == "ns3::RdmaTimely"


def test_load_balancers_spray_and_are_seen_in_the_balance_of_uplinks():
    def imbalance(**options):
        fabric = ll.Fabric.leaf_spine(2, 4, 1, queue_pair={"loss_recovery": "ns3::RdmaIrn"}, **options)
        fabric.flow(0, 1, 1024000)
        table = fabric.run(link_load=True, keep=["balance"]).table("balance")
        return table["imbalance"][0]  # of leaf 0, which sends the data

    spray = ll.Part("SprayLoadBalancer", mode="RoundRobin", min_bytes=64)
    assert imbalance() == 4  # all less none, by a quarter of all
    assert imbalance(load_balancer=spray) < 0.01
    assert imbalance(at={"leaf": {"load_balancer": spray}}) < 0.01
    fabric = ll.Fabric.leaf_spine(2, 4, 1, at={"leaf": {"load_balancer": spray}})
    assert fabric.switches[0].load_balancer.mode == "RoundRobin"
    assert fabric.switches[2].load_balancer.type_name == "ns3::EcmpLoadBalancer"


@pytest.mark.parametrize("name, value", [("alpha", 1 / 64), ("buffer", "1MiB"), ("alhpa", 0.5),
                                         ("run", None)])
def test_what_would_have_no_effect_cannot_be_set(star, name, value):
    with pytest.raises(AttributeError, match=f"a Fabric has no attribute '{name}' that can be set; "
                                             ".*constructor.*at\\(.all.\\).set"):
        setattr(star, name, value)


def test_a_run_takes_its_options_when_it_is_made(star):
    run = ll.Run(star)
    with pytest.raises(AttributeError, match="a Run has no attribute 'stop' that can be set; .*stop="):
        run.stop = "1us"
    with pytest.raises(AttributeError):
        run.totals = {}


def test_a_derived_class_has_attributes_of_its_own():
    class Mine(ll.Fabric):
        def __init__(self, built):
            super().__init__(built)
            self.note = "mine"

    assert Mine.star(2).note == "mine"


@pytest.mark.parametrize("control, name", [(ll.Hpcc(), "ns3::RdmaHpcc"), ("RdmaSwift", "ns3::RdmaSwift"),
                                           (ll.Nscc(), "ns3::RdmaNscc"),
                                           (None, "ns3::RdmaFixedRate")])
def test_queue_pairs_made_by_hand_have_the_congestion_control_of_the_fabric(control, name):
    fabric = ll.Fabric.star(2, congestion_control=control)
    pairs = [host.create_queue_pair() for host in fabric.hosts]
    ll.RdmaHw.connect_queue_pairs(*pairs, base_rtt="4us")
    assert [pair.congestion_control.type_name for pair in pairs] == [name] * 2


def test_congestion_control_by_flow():
    fabric = ll.Fabric.star(3, congestion_control=None)
    fabric.flow(0, 2, "1MB")
    fabric.flow(1, 2, "1MB", congestion_control=ll.Dcqcn(), verb="read", mtu=512)
    results = fabric.run()
    assert results.totals["flows_completed"] == 2


def test_topologies():
    graph = ll.Topology()
    a, b, s = graph.add_host(), graph.add_host(), graph.add_switch()
    graph.add_link(a, s, rate="10Gbps")
    link = graph.add_link(b, s, delay="5us")
    assert graph.find_link(s, b) == link and graph.find_link(a, b) is None
    fabric = ll.Fabric.from_topology(graph)
    fabric.flow(0, 1, 1000)
    assert fabric.run().flows["fct_s"][0] > 12e-6
    for other in (ll.Fabric.dumbbell(2, 2, "40Gbps"), ll.Fabric.fat_tree(4)):
        assert other.check_lossless() == []


def test_a_cut_link():
    fabric = ll.Fabric.leaf_spine(2, 2, 2)
    uplink = fabric.topology.find_link(4, 6)
    fabric.faults.cut_link(uplink, "20us")
    fabric.permutation("1MB")
    results = fabric.run()
    assert results.totals["flows_completed"] == 4 and not fabric.channel(uplink).is_up


def test_planes():
    fabric = ll.Fabric.multi_plane(2, 2, 1, 2, at={"leaf plane 1": {"alpha": 1 / 32}})
    assert [switch.mmu.alpha == 1 / 32 for switch in fabric.switches] == [False] * 3 + [True, True, False]
    fabric.faults.cut_plane(1, "20us")
    fabric.run(stop="30us", stop_when_done=False)
    assert [fabric.channel(link).is_up for link in range(12)] == [True] * 6 + [False] * 6
    with pytest.raises(ValueError, match="plane 2"):
        ll.Fabric.multi_plane(2, 2, 1, 2).faults.cut_plane(2, "20us")


def test_plots(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    results = quickstart().run(write_to=tmp_path)
    for name in ("slowdown", "cdf", "queues", "pauses", "throughput", "rates", "heat_map",
                 "pause_propagation"):
        axes = getattr(ll.plot, name)(results)
        assert axes.has_data(), name
        axes.figure.savefig(tmp_path / f"{name}.png")


def test_frames_over_ipv6_are_20_bytes_longer():
    took = {}
    for version in 4, 6:
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(2, rate="100Gbps", delay="1us", ip_version=version,
                                congestion_control=None)
        fabric.flow(0, 1, 10240)
        took[version] = fabric.run().flows["fct_s"][0]
    # Ten packets one after the other, the last one and its ACK on two links each.
    assert took[6] - took[4] == pytest.approx(13 * 20 * 8 / 100e9, abs=2e-9)
    with pytest.raises(ValueError, match="IP version 5"):
        ll.Fabric.star(2, ip_version=5)
