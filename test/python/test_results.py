# SPDX-License-Identifier: GPL-2.0-only
"""What a run gives back, and what can be kept of it."""

import json
import multiprocessing
import pickle

import pytest

import lossless as ll


def run(folder=None, size="100kB"):
    fabric = ll.Fabric.star(3)
    fabric.flow(0, 1, size)
    fabric.flow(0, 2, "1GB")
    results = fabric.run(stop="200us", write_to=folder)
    ll.Simulator.destroy()
    return results


def test_files_of_a_later_run_are_refused(tmp_path):
    first = run(tmp_path / "same")
    assert len(first.throughput) > 0 and len(first.watchdogs) == 0
    second = run(tmp_path / "same", "10kB")
    for read in (lambda: first.throughput, lambda: first.table("fct"), lambda: first.watchdogs,
                 lambda: ll.plot.throughput(first)):
        with pytest.raises(RuntimeError, match="no longer of this run.*write_to=") as raised:
            read()
        assert len(str(raised.value).splitlines()) == 1
    assert len(first.flows) == 1, "what is no file stays"
    assert len(second.throughput) > 0 and len(second.table("fct")) == 1


def test_files_that_are_gone_are_told(tmp_path):
    results = run(tmp_path)
    (tmp_path / "pfc.csv").unlink()
    with pytest.raises(RuntimeError, match="no longer of this run"):
        results.table("pfc")
    (tmp_path / "own.csv").write_text("a,b\n1,2\n")
    assert list(results.table("own")["a"]) == [1]


def test_results_pickle(tmp_path):
    results = run(tmp_path)
    again = pickle.loads(pickle.dumps(results))
    assert again.flows.to_dict() == results.flows.to_dict() and len(again.flows) == 1
    assert again.flows.names == results.flows.names
    assert again.summary() == results.summary() and again.totals == results.totals
    assert [repr(flow) for flow in again.unfinished] == [repr(flow) for flow in results.unfinished]
    assert len(again.unfinished) == 1
    assert again.throughput.to_dict() == results.throughput.to_dict()


def test_results_come_back_from_another_process():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        results = pool.apply(run)
    assert len(results.flows) == 1 and memoryview(results.flows["fct_s"])[0] > 0


def test_totals_are_json():
    totals = run().totals
    assert json.loads(json.dumps(totals)) == totals
    assert totals["sim_seconds"] == 200e-6 and totals["pause_ns_total"] >= 0


def test_totals_are_those_of_the_summary_file(tmp_path):
    fabric = ll.Fabric.star(3)
    fabric.incast(2, 0, "100kB")
    fabric.watch_nics()
    totals = fabric.run(write_to=tmp_path).totals
    with open(tmp_path / "summary.json", encoding="ascii") as file:
        written = json.load(file)
    assert list(totals) == list(written)
    assert list(totals)[:2] == ["flows_total", "flows_completed"]
    assert {"ecn_marks", "queue_peak_bytes", "pfc_xoff_frames", "nics_stopped"} <= totals.keys()
    for name, value in totals.items():
        if name not in ("wall_seconds", "cpu_seconds", "peak_rss_bytes"):
            assert written[name] == pytest.approx(value, rel=1e-8), name
    described = ll.describe_totals()
    assert set(described) - set(totals) == {
        "deadlocks", "deadlocks_open", "deadlock_first_ns", "deadlock_flushed_frames",
        "headroom_drops"}
    assert set(totals) <= set(described)
    assert all(help_text for _, help_text in described.values())


def test_parts_pickle():
    part = ll.Dcqcn(dialect="nic", alpha_timer="55us")
    again = pickle.loads(pickle.dumps(part))
    assert again == part and repr(again) == repr(part)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(ll.Part("OnOffApplication", on_time=ll.create("ConstantRandomVariable")))


def test_flow_sizes_pickle():
    for source in ("websearch", 5000, [(100, 0), (1000, 50), (1e6, 100)]):
        sizes = ll.FlowSizes(source)
        sizes.set_stream(7)
        again = pickle.loads(pickle.dumps(sizes))
        assert again.points == sizes.points and again.mean == sizes.mean
        assert list(again.sample(20)) == list(sizes.sample(20))


def test_times_format_as_seconds():
    time = ll.Time("1500us")
    assert f"{time:.4f}" == "0.0015" and f"{time:g}" == "0.0015" and f"{time:.1fms}" == "1.5ms"
    assert f"{time}" == "1500us" and f"{time:>8}" == "  1500us"
