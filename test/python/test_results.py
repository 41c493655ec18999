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
    assert again.flows.columns == results.flows.columns
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
    totals = fabric.run(write_to=tmp_path, skippable=True).totals
    with open(tmp_path / "summary.json", encoding="ascii") as file:
        written = json.load(file)
    assert written.pop("settings") == []
    assert written.pop("findings") == {}
    assert list(totals) == list(written)
    assert list(totals)[:2] == ["flows_total", "flows_completed"]
    assert {"ecn_marks", "queue_peak_bytes", "pfc_xoff_frames", "nics_stopped"} <= totals.keys()
    for name, value in totals.items():
        if name not in ("wall_seconds", "cpu_seconds", "peak_rss_bytes"):
            assert written[name] == pytest.approx(value, rel=1e-8), name
    pytest.importorskip("lossless._lossless_jobs")
    described = ll.describe_totals()
    assert set(described) - set(totals) == {
        "border_dropped", "border_marked", "border_permitted", "border_untagged",
        "conweave_flushes_by_tail", "conweave_flushes_by_timer", "conweave_held",
        "conweave_most_held", "conweave_notifies", "conweave_replies", "conweave_reroutes",
        "deadlocks", "deadlocks_open", "deadlock_first_ns", "deadlock_flushed_frames",
        "elephants_demoted", "elephants_found", "elephants_moved_frames", "elephants_moves",
        "elephants_reorderings", "headroom_drops", "interrupted_at_ns",
        "job_busbw_gbytes_all_gather", "job_busbw_gbytes_all_reduce", "job_busbw_gbytes_all_to_all",
        "job_busbw_gbytes_broadcast", "job_busbw_gbytes_gather", "job_busbw_gbytes_reduce",
        "job_busbw_gbytes_reduce_scatter", "job_busbw_gbytes_scatter", "job_exposed_share",
        "job_iteration_ns_max", "job_iteration_ns_mean", "job_iteration_ns_p50",
        "job_iteration_ns_p99", "job_iterations", "job_pause_share",
        "trimmed_bytes", "trims", "trims_dropped", "trims_sent", "vxlan_copied_marks",
        "vxlan_decapsulated", "vxlan_ecn_drops", "vxlan_encapsulated", "vxlan_inner_marks", "vxlan_vni_drops"}
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


@pytest.mark.parametrize("spec, text", [
    ("", "1500us"), (">8", "  1500us"), (".2f", "1.50ms"), ("g", "1.5ms"), (".1e", "1.5e+00ms"),
    (".1fms", "1.5ms"), (".1fus", "1500.0us"), (".4fs", "0.0015s"), (">8.2fms", "    1.50ms")])
def test_a_formatted_time_shows_its_unit(spec, text):
    assert format(ll.us(1500), spec) == text


def test_formats_take_the_largest_unit():
    times = [ll.ps(7), ll.ns(7), ll.us(7), ll.ms(7), ll.seconds(7), ll.Time(), ll.us(-7)]
    assert [f"{time:.1f}" for time in times] == ["7.0ps", "7.0ns", "7.0us", "7.0ms", "7.0s", "0.0s",
                                                 "-7.0us"]


TABLE = {"source": [1, 2, 3, 4], "start_ns": [10, 20, 30, 40], "rate": [1.0, 2.5, 3.0, 4.0]}


def test_tables_have_rows_and_slices():
    table = ll.Table(TABLE, "of things", {"rate": "Gb/s"})
    assert table.columns == ["source", "start_ns", "rate"]
    assert table.units == {"source": "", "start_ns": "ns", "rate": "Gb/s"}
    assert table[-1] == {"source": 4, "start_ns": 40, "rate": 4.0} == table[3]
    assert table[1:3]["source"] == [2, 3] and len(table[10:20]) == 0
    assert table.head(2)["source"] == [1, 2] and table.tail(1)["source"] == [4]
    assert len(table.head()) == 4 and len(table.tail(0)) == 0 and len(table.tail(9)) == 4
    assert table[["rate", "source"]].columns == ["rate", "source"]
    assert table[:2].units["rate"] == "Gb/s"
    for wrong, error in ((4, IndexError), (-5, IndexError), ("x", KeyError), (1.5, TypeError),
                         (True, TypeError), (["x"], KeyError)):
        with pytest.raises(error):
            table[wrong]  # pylint: disable=pointless-statement


def test_tables_show_themselves():
    table = ll.Table(TABLE, "", {"rate": "Gb/s"})
    assert str(table).splitlines()[:2] == ["source  start_ns  rate (Gb/s)",
                                           "     1        10            1"]
    page = ll.Table({"x": list(range(100))})._repr_html_()
    assert page.count("<tr>") == 12 and "90 more rows" in page and "<td>99</td>" in page
    assert "<td>5</td>" not in page and "100 rows" in page
    assert "&lt;b&gt;" in ll.Table({"x": ["<b>"]})._repr_html_()
    assert "90 more rows" in str(ll.Table({"x": list(range(100))}))


def test_columns_are_sliced_without_lists():
    flows = run().flows
    part = flows[:1]["fct_s"]
    assert type(part) is type(flows["fct_s"]) and list(part) == list(flows["fct_s"])[:1]
    assert pickle.loads(pickle.dumps(flows.head(1))).to_dict() == flows.head(1).to_dict()


def test_tables_in_memory():
    fabric = ll.Fabric.star(8, buffer="1MiB", congestion_control=None)
    fabric.incast(7, 0, "300kB")
    results = fabric.run(keep=["pause", "queue"])
    assert len(results.pauses) == results.totals["pauses"] > 0
    assert results.folder is None and max(results.queues["bytes"]) > 0
    assert results.units("pause")["duration_ns"] == "ns" and results.units("flows")["fct_s"] == "s"
    assert len(pickle.loads(pickle.dumps(results)).pauses) == len(results.pauses)
    described = ll.describe_tables()["queue"]
    assert results.units("queue") == {name: described[name][0] for name in results.queues.columns}
    with pytest.raises(ValueError, match="keep="):
        results.throughput  # pylint: disable=pointless-statement
