# SPDX-License-Identifier: GPL-2.0-only
"""Monitors, iNOF and storage, workloads, HPCC configurations, results as objects."""

import gc
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import lossless as ll


def test_storage_fails_over_by_inof():
    fabric = ll.Fabric.star(3, congestion_control=None)
    inof = fabric.inof({"storage": [0, 1, 2]}, disks=[1, 2])
    heard = []
    inof.host_agent(0).connect("PeerDown", lambda peer, reason: heard.append((peer, reason)))
    server = fabric.storage_server(0, [1, 2], "2ms", "60ms", io_size="8KiB", depth=2, inof=inof)
    fabric.faults.cut_link(("host 1", "switch 0"), "10ms")
    fabric.run(stop="80ms", stop_when_done=False)
    assert [(move.from_path, move.to_path) for move in server.failovers] == [(None, 0), (0, 1)]
    assert server.failovers[1].why == "linkDown" and server.completed > 1000 and server.reissued == 2
    assert "linkDown" in str(heard) and inof.totals["hellos"] > 0
    assert server.longest_gap.us == pytest.approx(30, abs=4)


def test_storage_finds_disks_by_inof():
    fabric = ll.Fabric.star(5, congestion_control=None)
    inof = fabric.inof({"storage": [0, 1, 2], "other": [3]}, disks=[1, 2, 3])
    server = fabric.storage_server(0, [], "2ms", "30ms", inof=inof)
    fabric.faults.cut_link(("host 1", "switch 0"), "10ms")
    fabric.run(stop="40ms", stop_when_done=False)
    assert [server.target(move.to_path) for move in server.failovers] == [1, 2]
    assert server.longest_gap.us < 40
    with pytest.raises(ValueError, match="no path"):
        ll.Fabric.star(2).storage_server(0, [], "2ms", "30ms")


def test_storage_learns_of_disks_that_are_up(capfd):
    """By a server of a second run, and one that is made within a run."""
    fabric = ll.Fabric.star(4)
    inof = fabric.inof({"z": [0, 1, 2]}, disks=[1, 2])
    late = []
    for _ in range(2):
        server = fabric.storage_server(0, [1, 2], "5ms", "9ms", inof=inof)
        if not late:
            ll.Simulator.schedule("3ms", lambda: late.append(
                fabric.storage_server(3, [1], "5ms", "9ms")))
            ll.Simulator.schedule("3ms", lambda: late.append(
                fabric.storage_server(0, [2], "5ms", "9ms", inof=inof)))
        fabric.run(stop="10ms", stop_when_done=False)
        assert server.completed > 1000 and server.n_open_paths == 2
        assert [move.to_path for move in server.failovers] == [0]
        assert all(each.completed > 1000 for each in late) and len(late) == 2
    assert capfd.readouterr().err == ""


def test_monitors():
    fabric = ll.Fabric.star(6, rate="25Gbps", link={"pfc_quanta": 1024}, alpha=1 / 16)
    mesh = fabric.ping_mesh("0s", "10ms", retransmit_timeout="500us")
    alerts = []
    pauses = fabric.pause_monitor("0s", "10ms", xoff_sent=8)
    pauses.on_alert(alerts.append)
    configuration = fabric.config_monitor("1ms", "10ms")
    buffer = fabric.switches[0].mmu
    ll.Simulator.schedule("2ms", buffer.set_alpha, 1, 3, 1 / 64)
    fabric.faults.storm_host(5, "5ms", "3ms")
    fabric.run(stop="12ms", stop_when_done=False)
    mesh.finish()
    assert mesh.totals["ok"] > 2000 and mesh.totals["ok"] == sum(
        ll.Table(mesh.window_columns())["answered"])
    assert 2 < mesh.quantile_us(0.5) < 10, "two cables of 1 us, twice"
    assert pauses.alerts and len(alerts) == len(pauses.alerts)
    assert {alert.node for alert in alerts} == {fabric.topology.hosts[5]}
    assert alerts[0].metric == "xoff-sent" and alerts[0].value >= 8
    drift, = configuration.findings
    assert (drift.what, float(drift.actual)) == ("Alpha", 1 / 64) and "port 1 class 3" in drift.where
    assert "5 " in repr(alerts[0]) or "xoff" in repr(alerts[0])
    assert "Alpha" in repr(drift) and "probes" in repr(mesh)


def test_flow_sizes():
    sizes = ll.FlowSizes("websearch")
    assert "websearch" in ll.FlowSizes.names()
    sizes.set_stream(7)
    drawn = list(sizes.sample(20))
    sizes.set_stream(7)
    assert list(sizes.sample(20)) == drawn and sizes.quantile(0.5) < sizes.mean
    assert ll.FlowSizes(5000).mean == 5000
    two = ll.FlowSizes([(0, 0), (1000, 50), (2000, 100)])
    assert two.quantile(0.5) == 1000 and two.mean == 1000 and two.points[1] == (1000, 50)


def test_ideal_and_counters(star):
    ended = []
    star.on_flow_end(ended.append)
    star.flow(0, 1, "1MB")
    results = star.run()
    result, = ended
    assert result.fct.seconds == results.flows["fct_s"][0] and result.status == ll.Status.SUCCESS
    assert star.ideal_fct(0, 1, "1MB") == result.ideal
    assert "0 -> 1, 1000000 bytes" in repr(result)
    assert star.switches[0].counters(0)["drops"] == {}


def test_unfinished_flows_are_objects(star):
    star.flow(0, 1, "1GB")
    star.flow(2, 3, "1MB", "1s")
    running = []
    ll.Simulator.schedule("100us", lambda: running.extend(star.flows.active))
    results = star.run(stop="1ms")
    first, second = results.unfinished
    assert (first.index, first.source, first.destination, first.bytes) == (0, 0, 1, 10**9)
    assert second.start == ll.Time("1s") and "start" in second.state
    assert repr(first).startswith("<UnfinishedFlow 0: 0 -> 1, 1000000000 bytes, ")
    source, destination, pair, _ = running[0]
    assert (source, destination) == (0, 1) and pair.counters["next_packet"] > 1000


HPCC = """ENABLE_QCN 1
CC_MODE {mode}
TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
PACKET_PAYLOAD_SIZE 1000
SIMULATOR_STOP_TIME 3.0
BUFFER_SIZE 32
"""


def test_hpcc_configuration(tmp_path):
    (tmp_path / "topology.txt").write_text("4 1 3\n3\n" + "".join(
        f"{host} 3 100Gbps 1us 0\n" for host in range(3)))
    (tmp_path / "flow.txt").write_text("2\n0 2 3 100 1000000 2.0\n1 2 3 100 1000000 2.0\n")
    (tmp_path / "config.txt").write_text(HPCC.format(mode=3))
    fabric = ll.Fabric.from_hpcc(tmp_path / "config.txt")
    output = fabric.hpcc_output(fct=tmp_path / "fct.txt", pfc=tmp_path / "pfc.txt",
                                queues=(tmp_path / "qlen.txt", "2s", "2.0001s"))
    results = fabric.run()
    output.commit()
    lines = (tmp_path / "fct.txt").read_text().splitlines()
    assert len(lines) == 2 and lines[0].split()[4:6] == ["1000000", "2000000000"]
    assert (tmp_path / "pfc.txt").exists() and "time:" in (tmp_path / "qlen.txt").read_text()
    assert list(results.flows["bytes"]) == [1000000] * 2 and list(results.flows["start_s"]) == [2, 2]
    assert fabric.scenario.stop == ll.Time("3s") and "config.txt" in repr(fabric.scenario)
    (tmp_path / "config.txt").write_text(HPCC.format(mode=99))
    with pytest.raises(ValueError, match="CC_MODE"):
        ll.Fabric.from_hpcc(tmp_path / "config.txt")
    with pytest.raises(ValueError, match="nowhere"):
        ll.Fabric.from_hpcc(pathlib.Path("nowhere.txt"))


def test_tables_of_what_went_wrong(tmp_path):
    fabric = ll.Fabric.star(4, congestion_control=None)
    fabric.watch_switches(dialect="ns3::H3cStorm", time_scale=0.01)
    fabric.detect_deadlocks()
    fabric.faults.storm_host(0, "1ms", "3ms")
    fabric.flow(1, 0, "1MB", "950us")
    results = fabric.run(stop="20ms", write_to=tmp_path)
    assert len(results.watchdogs) >= 2 and results.totals["watchdog_storms"] >= 1
    assert list(results.faults["begins"]) == [True, False]
    assert results.faults["time_s"][0] == 0.001 and len(results.deadlocks) == 0
    assert "time_s" in results.deadlocks.columns


def test_tables_of_nothing(star, tmp_path):
    star.flow(0, 1, 1000)
    results = star.run(write_to=tmp_path)
    for table in (results.watchdogs, results.faults, results.deadlocks, results.applications):
        assert len(table) == 0 and list(table) == []


def test_what_a_fabric_is(star):
    assert star.port_pairs(0, 1) == [(0, 0)] and star.ipv6_address(0) == "fd00::a00:1"
    assert star.is_link_up(0)
    star.set_link_up(0, False)
    assert not star.is_link_up(0)
    with pytest.raises(ValueError, match="no way|no path|cannot"):
        star.port_pairs(0, 1)
    with pytest.raises(IndexError):
        star.is_link_up(9)
    fabric = ll.Fabric.leaf_spine(2, 2, 2, ecn_thresholds={"100Gbps": (100000, 400000, 0.2)},
                                  alpha_by_speed=True)
    assert fabric.dependency_graph("flows").n_edges == 0
    fabric.flow(0, 2, 1000)
    graph = fabric.dependency_graph("flows")
    assert graph.n_vertices >= 2 and graph.n_edges >= 1 and not graph.has_cycle and "buffers" in repr(graph)
    with pytest.raises(ValueError, match="routes, flows, active"):
        fabric.dependency_graph("hope")
    fabric.run()


def test_a_simulation_may_go_on_after_run(star, tmp_path):
    star.hpcc_output(fct=tmp_path / "fct.txt")  # nobody keeps it
    star.flow(0, 1, "10MB")
    results = star.run(stop="100us")
    assert results.totals["flows_completed"] == 0
    gc.collect()
    ll.Simulator.run()
    assert star.flows.n_completed == 1


def test_files_can_be_chosen(star, tmp_path):
    star.incast(3, 0, "1MB")
    star.tcp(0, 1, 5000)
    results = star.run(write_to=tmp_path, files=["fct", "throughput"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "application.csv", "fct.csv", "settings.csv", "summary.json", "throughput.csv",
        "topology.json", "unfinished.csv"]
    assert len(results.throughput) > 10
    table = ll.Table(ll.read_csv(str(tmp_path / "application.csv")))
    assert table["bytes_received"][0] == 5000
    assert table.to_dict() == results.applications.to_dict(), "one convention"
    flows = ll.Table(ll.read_csv(str(tmp_path / "fct.csv")))
    assert set(flows.columns) - {"ideal_fct_ns", "slowdown", "verb", "data_src", "data_dst", "label"} <= set(table.columns)
    hosts = star.topology.hosts
    assert (table["src"][0], table["dst"][0]) == (hosts[0], hosts[1]), "nodes, as in fct.csv"
    assert set(flows["dst"]) == {hosts[0]}
    with pytest.raises(ValueError, match="there is no table 'pfc'; there are application, fct, settings, throughput, unfinished"):
        results.pfc  # pylint: disable=pointless-statement


@pytest.mark.parametrize("action, error, text", [
    (lambda f: f.run(write_to="x", files=["queues"]), ValueError, "choose of fct"),
    (lambda f: f.ping_mesh(size=0, interval="0s"), ValueError, ""),
    (lambda f: f.inof(host={"hello": 1}), AttributeError, "Hello"),
    (lambda f: ll.FlowSizes([(1, 5)]), ValueError, "percent"),
    (lambda f: f.switches[0].counters(99), IndexError, "99"),
])
def test_what_is_wrong_is_said(star, action, error, text):
    with pytest.raises(error) as caught:
        action(star)
    assert text in str(caught.value) and "\n" not in str(caught.value)


def program(name, *arguments):
    path = next(pathlib.Path(os.environ["LOSSLESS_PROGRAMS"]).glob(f"*{name}*"))
    return subprocess.run([path, *arguments], capture_output=True, text=True, check=False)


def test_the_program_has_a_run_with_a_locked_folder(tmp_path):
    program = next(pathlib.Path(os.environ["LOSSLESS_PROGRAMS"]).glob("*operations*"))
    command = [program, f"--outDir={tmp_path}", "--stop=500ms"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as child:
        try:
            while not any(tmp_path.iterdir()) and child.poll() is None:
                time.sleep(0.01)
            other = subprocess.run(command, capture_output=True, text=True, check=False)
            assert other.returncode == 2 and "is being written by" in other.stderr, other.stderr
            child.send_signal(signal.SIGINT)
            output, error = child.communicate(timeout=60)
        finally:
            child.kill()
    assert child.returncode == 130 and "interrupted by SIGINT" in error
    assert "Ping mesh: " in output
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["end"] == "interrupted"
    assert any(each["name"] == "SwitchMmu.Alpha" for each in summary["settings"]), summary["settings"]
    assert (tmp_path / "ping.csv").exists() and (tmp_path / "drift.csv").exists()


@pytest.mark.parametrize("options", [{"queue_pair": {"traffic_class": 4}}, {}])
def test_queue_pairs_of_another_class_than_the_flows_are_refused(options):
    if not options:
        ll.Config.set_default("RdmaQueuePair::TrafficClass", 4)
    fabric = ll.Fabric.star(4, lossless_classes=[3, 4], **options)
    fabric.flow(1, 0, 1000)
    with pytest.raises(ValueError, match="flows of class 3 leave host 1, and TrafficClass of its queue pairs is 4"):
        fabric.run()
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(4, lossless_classes=[3, 4], **options)
    fabric.flow(1, 0, 1000, traffic_class=4)
    assert list(fabric.run().flows["traffic_class"]) == [4]


@pytest.mark.parametrize("add", [
    lambda f: f.flow(0, 1, 1000, TrafficClass=4),
])
def test_the_class_of_a_flow_is_no_attribute_of_its_queue_pairs(star, add):
    with pytest.raises(ValueError, match="the class of a flow is traffic_class of the flow"):
        add(star)
