# SPDX-License-Identifier: GPL-2.0-only
"""How runs begin and end: of one fabric again, of several fabrics, with signals and errors."""

import json
import os
import pickle
import signal
import subprocess
import sys

import pytest

import lossless as ll


def summary_of(folder):
    """The totals of a folder, whose files are complete."""
    assert not list(folder.glob("*.part"))
    return json.loads((folder / "summary.json").read_text())


def test_a_run_mirrors_that_of_cpp(star, tmp_path):
    run = ll.Run(star, stop="10ms", seed=7, run=3)
    run.rdma.incast(3, 0, "100kB")
    flow = run.sockets.tcp("host 1", -1, "10kB")
    run.faults.cut_link(2, "5us", "1us")
    run.write_to(tmp_path, ["fct"])
    assert run.begin == ll.Time() and run.totals["flows_total"] == 3
    results = run.execute()
    assert results is run.results and "3 of 3 flows completed" in results.summary()
    assert flow.bytes_received == 10000 and len(results.applications) == 1
    assert [row["what"] for row in results.faults] == ["link-down"] * 2
    assert summary_of(tmp_path)["end"] == results.end == "done" and results.why == "done"
    assert summary_of(tmp_path)["seed"] == 7 and (tmp_path / "faults.csv").exists()
    assert summary_of(tmp_path)["run"] == results.totals["run"] == 3
    assert pickle.loads(pickle.dumps(results)).end == "done"
    with pytest.raises(ValueError, match="of a run that was executed; make another run"):
        run.execute()


def test_what_is_added_to_the_fabric_is_of_the_run_that_waits(star):
    star.flow(0, 1, 1000)
    run = ll.Run(star, stop="5us")
    star.flow(0, 2, 1000, "8us")
    star.incast(2, 0, 1000)
    assert run.rdma.n_flows == 4
    results = star.run()
    assert results.end == "stopped" and results.totals["flows_completed"] == 3
    assert run.totals == results.totals


def test_steady_states_are_reported_and_change_nothing(star, tmp_path):
    star.flow(0, 1, "2MB", congestion_control="RdmaFixedRate")
    plain = star.run(write_to=tmp_path / "plain")
    assert "skippable_share" not in plain.totals and "Skippable" not in plain.summary()
    star.flow(0, 1, "2MB", congestion_control="RdmaFixedRate")
    found = star.run(write_to=tmp_path / "found", skippable=True)
    assert found.totals["skippable_share"] == found.totals["component_share"] > 0.8
    assert "1 of 1 flows had a steady state" in found.summary()
    assert list(found.flows["fct_s"]) == pytest.approx(list(plain.flows["fct_s"]), abs=1e-12)
    assert (tmp_path / "found" / "skippable.csv").read_text().startswith("flow,start_ns,links,")
    star.flow(0, 1, "2MB", congestion_control="RdmaFixedRate")
    late = star.run(skippable={"rounds": 10}, keep=["skippable"])
    assert 0 < late.totals["skippable_share"] < found.totals["skippable_share"]
    assert late.table("skippable")["steady_states"][0] == 1
    star.flow(0, 1, 1000)
    with pytest.raises(ValueError, match="several threads cannot run"):
        star.run(skippable=True, threads=2)


class Halve(ll.CongestionControl):
    def on_cnp(self, flow, now_ps):
        flow.rate = max(flow.rate / 2, 1e9)


def test_threads_ask_the_congestion_controls_in_use():
    """Of the fabric, of flows and of queue pairs, not those that were named some time."""
    ll.Simulator.destroy()
    text = "several threads cannot run the congestion control Halve"
    fabric = ll.Fabric.star(4, congestion_control=Halve())
    fabric.incast(3, 0, "100kB")
    with pytest.raises(ValueError, match=text):
        fabric.run(threads=2)
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(4)
    fabric.incast(3, 0, "100kB")
    fabric.flow(1, 2, "10kB", congestion_control=Halve())
    with pytest.raises(ValueError, match=text):
        fabric.run(threads=2)
    fabric.run(threads=1)
    pair = fabric.connect(0, 1, congestion_control=Halve())[0]
    fabric.incast(3, 0, "100kB")
    with pytest.raises(ValueError, match=text):
        fabric.run(threads=2)
    assert pair.congestion_control
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(4)
    fabric.incast(3, 0, "100kB")
    assert fabric.run(threads=2).totals["flows_completed"] == 3, "none is in use"


def test_a_congestion_control_that_nobody_has_needs_no_thread(capfd):
    """Who would get it during the run is refused then."""
    fabric = ll.Fabric.fat_tree(4, congestion_control=Halve())
    refused = []

    def late(use):
        with pytest.raises(ValueError, match="the congestion control Halve while several threads") as why:
            use()
        refused.append(str(why.value))

    pair, other = fabric.connect(0, 1)
    for end in (pair, other):
        end.close()
    for use in (lambda: fabric.flow(0, 15, "10kB", "10us"), lambda: fabric.connect(0, 15)):
        fabric.flow(0, 15, "100kB", congestion_control=ll.Dcqcn())
        ll.Simulator.schedule("2us", late, use)
        totals = fabric.run(threads=2).totals
        assert totals["flows_completed"] == totals["flows_total"] == 1
    assert len(refused) == 2
    fabric.flow(0, 15, "10kB")
    with pytest.raises(ValueError, match="several threads cannot run the congestion control Halve"):
        fabric.run(threads=2)


def test_flows_added_to_several_threads_are_refused_at_once():
    fabric = ll.Fabric.fat_tree(4)
    fabric.permutation("100kB", "0s")
    refused = []

    def late():
        with pytest.raises(ValueError, match="the congestion control Halve while several threads") as why:
            fabric.flow(0, 15, "10kB", "10us", congestion_control=Halve())
        refused.append(str(why.value))
        fabric.flow(0, 15, "10kB", "10us")

    ll.Simulator.schedule("5us", late)
    totals = fabric.run(threads=2).totals
    assert len(refused) == 1 and totals["flows_completed"] == totals["flows_total"] == 17


def test_rates_of_the_summary_count_the_time_in_which_something_was_sent(star):
    star.storage_server(0, [1], "0s", "3ms", io_size="8KiB", depth=4)
    star.flow(2, 3, "1kB")
    results = star.run(stop="3ms", stop_when_done=False)
    line = next(line for line in results.summary().splitlines() if line.startswith("Links"))
    busiest = float(line.split("busiest ")[1].split(" %")[0])
    assert 0 < busiest <= 100, line
    assert busiest == pytest.approx(100 * max(results.links["a_utilisation"]), rel=0.02), line
    assert results.totals["active_seconds"] == pytest.approx(3e-3)
    goodput = results.totals["payload_delivered"] * 8 / 3e-3 / 1e9
    assert f"RDMA goodput {goodput:.2f} Gb/s" in line


@pytest.mark.parametrize("add", [
    lambda fabric: fabric.flow(0, 1, "1kB"), lambda fabric: fabric.tcp(0, 1, "1kB"),
    lambda fabric: fabric.storage_server(0, [1], "0s", "1ms"),
    lambda fabric: fabric.ping_mesh("0s", "1ms")])
def test_faults_are_over_whatever_is_added_next(star, add):
    star.faults.cut_link(1, "10us")
    star.flow(0, 2, "1MB")
    star.run(stop="200us")
    add(star)
    assert star.run(stop="2ms").totals["lossless_drops"] == 0


def test_watermarks_are_read_and_cleared_by_table(star):
    shared = "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"
    pool = "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES"
    mmu = star.switches[0].mmu
    assert not any(mmu.watermarks("user").values()) and len(mmu.watermarks("user")) == 5
    star.incast(3, 0, "1MB")
    results = star.run(watermarks="20us", keep=["watermarks"])
    table = results.table("watermarks")
    assert set(table["table"]) == {"PERIODIC_WATERMARKS", "USER_WATERMARKS", "PERSISTENT_WATERMARKS"}
    assert table.units["bytes"] == "bytes"
    user = mmu.watermarks("user")
    assert user == mmu.watermarks("persistent") and user[pool]["shared"] > user[shared][(1, 3)] > 0
    assert max(value for value, what, of in zip(table["bytes"], table["statistic"], table["table"])
               if (what, of) == (pool, "PERIODIC_WATERMARKS")) == user[pool]["shared"]
    mmu.clear_watermarks("user")
    assert not any(mmu.watermarks("user").values()) and mmu.watermarks("persistent") == user
    for wrong, text in (("users", "there are user, persistent and periodic"),
                        ("periodic", "cleared by a run with watermarks=INTERVAL")):
        with pytest.raises(ValueError, match=text):
            mmu.clear_watermarks(wrong)
    with pytest.raises(ValueError, match="no table of watermarks \"users\""):
        mmu.watermarks("users")


def test_a_fabric_has_the_same_paths_after_others():
    def fcts():
        fabric = ll.Fabric.leaf_spine(3, 2, 4, congestion_control=None)
        fabric.permutation("200kB")
        return list(fabric.run(seed=1, run=1).flows["fct_s"])
    first = fcts()
    ll.Fabric.star(3)
    for _ in range(3):
        assert fcts() == pytest.approx(first, abs=1e-12), "without destroy()"


def test_faults_are_of_one_run(star):
    star.faults.cut_link(1, "10us", "10us")
    star.flow(1, 0, "1MB")
    assert len(star.run().faults) == 2
    star.flow(1, 0, "1MB")
    begin = ll.Simulator.now()
    star.faults.cut_link(1, "10us", "10us")
    assert list(star.run().faults["time_s"]) == pytest.approx(
        [(begin + ll.Time(time)).seconds for time in ("10us", "20us")], abs=1e-12)


def test_fabrics_run_one_after_the_other():
    found = []
    for _ in range(3):
        fabric = ll.Fabric.star(4)
        fabric.incast(3, 0, "1MB")
        found.append(sorted(fabric.run().flows["fct_s"]))
    assert found[0] == found[1] == found[2] and ll.Simulator.now().seconds > 2 * max(found[0])


def test_workloads_of_fabrics_are_drawn_in_their_own_runs():
    """One that began in the run of another fabric could have no random streams of its own run."""
    fabrics = [ll.Fabric.star(4) for _ in range(2)]
    found = []
    for i, fabric in enumerate(fabrics):
        fabric.poisson("websearch", 0.5, "2ms")
        for other in fabrics[:i] + fabrics[i + 1:]:
            with pytest.raises(ValueError, match="has not ended"):
                other.poisson("websearch", 0.5, "2ms")
        found.append(fabric.run())
        assert found[-1].end == "done"
    assert len(found[0].flows["bytes"]) > 1
    assert list(found[0].flows["bytes"]) == list(found[1].flows["bytes"])


def test_one_run_waits_at_a_time():
    fabric, another = ll.Fabric.star(4), ll.Fabric.star(3)
    fabric.flow(0, 1, 1000)
    with pytest.raises(ValueError, match="a fabric of 4 hosts .* has not ended"):
        another.flow(0, 1, 1000)
    fabric.run()
    another.flow(0, 1, 1000)
    assert another.run().totals["flows_completed"] == 1
    fabric.flow(0, 1, 1000)
    del fabric  # what waits goes with its fabric
    another.flow(0, 1, 1000)


def test_a_run_may_be_ended(star):
    run = ll.Run(star)
    star.flow(1, 0, "1GB")
    ll.Simulator.schedule("50us", run.end_now, "enough")
    results = run.execute()
    assert (results.end, results.why) == ("ended-by-part", "enough")


@pytest.mark.parametrize("in_a_callable", [False, True])
def test_an_interrupted_run_has_its_files(star, tmp_path, in_a_callable):
    def interrupt():
        os.kill(os.getpid(), signal.SIGINT)
        while in_a_callable:
            pass

    star.flow(1, 0, "1GB")
    star.flow(2, 0, 1000)
    run = ll.Run(star, write_to=tmp_path)
    ll.Simulator.schedule("100us", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run.execute()
    assert summary_of(tmp_path)["end"] == run.results.end == "interrupted"
    assert summary_of(tmp_path)["interrupted_at_ns"] == 100000
    assert len(run.results.table("fct")) == len(run.results.flows) == 1
    assert "interrupted by SIGINT at 0.1 ms" in run.results.summary()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    star.flow(1, 0, "1MB")
    assert star.run().end == "done", "another run may follow"


@pytest.mark.parametrize("late", [lambda star: star.faults.cut_link(0, "60us"),
                                  lambda star: star.faults.n_active,
                                  lambda star: star.faults.converge_uniformly("1us")])
def test_a_fault_refused_within_a_run_leaves_its_results(star, tmp_path, late):
    refused = []

    def try_it():
        try:
            late(star)
        except ValueError as error:
            refused.append(str(error))

    star.flow(0, 1, "1MB")
    ll.Simulator.schedule("50us", try_it)
    results = star.run(write_to=tmp_path)
    assert refused == ["the first fault of a run under way; it must come before the run begins"]
    assert results.end == "done" and len(results.flows) == 1 and not len(results.faults)
    assert summary_of(tmp_path)["flows_completed"] == 1


def test_a_seed_within_a_run_is_refused(star, tmp_path):
    refused = []

    def try_it():
        with pytest.raises(RuntimeError, match="a seed within a run, .*; set it before the run") as error:
            ll.set_seed(5)
        refused.append(error)

    star.flow(0, 1, "1MB")
    ll.Simulator.schedule("5us", try_it)
    results = star.run(write_to=tmp_path, seed=3)
    assert refused and results.totals["seed"] == summary_of(tmp_path)["seed"] == 3


def test_the_seed_of_a_run_ends_with_its_simulation():
    def numbers(**options):
        fabric = ll.Fabric.star(4)
        fabric.poisson("fb-hadoop", .5, "50us")
        totals = fabric.run(**options).totals
        ll.Simulator.destroy()
        return totals["seed"], totals["run"], totals["flows_total"]

    fresh = numbers()
    assert fresh[:2] == (1, 1)
    assert numbers(seed=5, run=2)[:2] == (5, 2)
    assert numbers() == fresh
    ll.set_seed(7)
    assert [numbers(seed=5)[0], numbers()[0]] == [5, 7], "what the script has chosen stays"


def test_a_run_in_which_nothing_is_left_to_happen_is_stuck(star):
    star.flow(0, 1, "1MB", retransmit_timeout="0s")
    ll.Simulator.schedule("20us", lambda: star.set_link_up(1, False))
    results = star.run()
    assert results.end == "stuck" and results.why.startswith("stuck: nothing was left to happen at ")
    star.set_link_up(1, True)
    star.flow(0, 1, "1MB")
    ll.Simulator.schedule("1us", ll.Simulator.stop)
    results = star.run()
    assert results.end == "stopped" and results.why.endswith(": the simulator was stopped")


@pytest.mark.parametrize("name, status", [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_the_program_and_leaves_its_files(tmp_path, name, status):
    code = ("import os, signal, sys, lossless as ll\n"
            "f = ll.Fabric.star(4)\n"
            "f.flow(1, 0, '1GB')\n"
            f"ll.Simulator.schedule('100us', os.kill, os.getpid(), signal.{name})\n"
            "f.run(write_to=sys.argv[1])\n"
            "print('not reached')\n")
    result = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True,
                            text=True, check=False)
    assert result.returncode == status and not result.stdout, result
    assert result.stderr == f"interrupted by {name} at 0.1 ms\n"
    assert summary_of(tmp_path)["end"] == "interrupted"


def test_summary_json_is_that_of_the_programs(incast_program, tmp_path):
    """Field by field; test_fabric compares the tables byte by byte."""
    subprocess.run([incast_program, f"--outDir={tmp_path / 'program'}", "--stop=100us"], check=True,
                   capture_output=True)
    fabric = ll.Fabric.star(3)
    fabric.flow(0, 1, "1MB")
    fabric.run(write_to=tmp_path / "python", stop="10us")
    of_python, of_program = summary_of(tmp_path / "python"), summary_of(tmp_path / "program")
    assert list(of_python) == list(of_program)
    assert of_python["end"] == of_program["end"] == "stopped"


def set_marker(fabric, part):
    fabric.at("switches").set(ecn=part)


def set_error_model(fabric, name, **attributes):
    size = ll.create("UniformRandomVariable", min=1, max=3)
    for leaf in fabric.switches[:3]:
        for port in leaf.ports:
            model = ll.create(name, **attributes)
            if name == "BurstErrorModel":
                model.set(burst_size=size)
            port.set(receive_error_model=model)


MARKING = {"kmin": "10kB", "kmax": "400kB", "pmax": 1.0}


@pytest.mark.parametrize("change", [
    lambda f: set_marker(f, ll.Part("WredEcnMarker", **MARKING)),
    lambda f: set_marker(f, ll.Part("PolledWredMarker", **MARKING)),
    lambda f: [switch.add_extension(ll.create("PolledWredMarker", **MARKING)) for switch in f.switches],
    lambda f: set_error_model(f, "RateErrorModel", error_rate=0.01, error_unit="ERROR_UNIT_PACKET"),
    lambda f: set_error_model(f, "BurstErrorModel", error_rate=0.01),
    lambda f: f.faults.lose_randomly(12, 0, 0.05, "30us")])
@pytest.mark.parametrize("during", [False, True])
def test_what_is_drawn_does_not_depend_on_what_the_process_did(change, during):
    def came_out():
        ll.Simulator.destroy()
        fabric = ll.Fabric.leaf_spine(3, 2, 4)
        assert fabric.faults
        fabric.incast(8, 0, "1MB")
        if during:
            ll.Simulator.schedule("20us", change, fabric)
        else:
            change(fabric)
        results = fabric.run(seed=1, run=1)
        return list(results.flows["fct_s"]), results.totals["ecn_marks"]
    first = came_out()
    assert came_out() == first
    assert came_out() == first


@pytest.mark.parametrize("during", [False, True])
def test_draws_of_queue_pairs_of_a_script_repeat(during):
    """PINT draws whether to evaluate."""
    def ends():
        ll.Simulator.destroy()
        fabric = ll.Fabric.leaf_spine(3, 2, 4, congestion_control=ll.Hpcc(telemetry="Pint",
                                                                          pint_probability=0.3))
        times = []

        def connect():
            for host in range(4, 8):
                pair = fabric.connect(host, 0)[0]
                pair.on_completion(lambda _: times.append(ll.Simulator.now().ps))
                pair.post("write", 200000)
        if during:
            ll.Simulator.schedule("1us", connect)
        else:
            connect()
        fabric.run(seed=1, run=1, stop="1ms", stop_when_done=False)
        return times
    first = ends()
    assert len(first) == 4 and ends() == first and ends() == first


def test_applications_that_come_during_a_run_repeat():
    def bytes_received():
        ll.Simulator.destroy()
        fabric = ll.Fabric.star(4)
        flows = []

        def start():
            flows.append(fabric.udp(0, 1, "1Gbps", start="1us", stop="1ms",
                                    on_time=ll.create("ExponentialRandomVariable", mean=2e-5),
                                    off_time=ll.create("ExponentialRandomVariable", mean=2e-5)))
        ll.Simulator.schedule("1us", start)
        fabric.flow(2, 3, 1000)
        fabric.run(seed=1, run=1, stop="1ms", stop_when_done=False)
        return flows[0].bytes_received
    first = bytes_received()
    assert first and bytes_received() == first and bytes_received() == first


@pytest.mark.parametrize("use, line", [
    (lambda f: (f.flow(0, 1, 1000), f.flows.set_queue_pair(window=5000)), "attribute Window"),
    (lambda f: (f.flow(0, 1, 1000), f.flows.set_congestion_control(ll.Timely()), f.flows.set_verb("read")),
     "the congestion control, the verb"),
    (lambda f: (f.flows.set_class(2), f.flow(0, 1, 1000, traffic_class=3)), "the class"),
    (lambda f: (f.flows.set_queue_pair(window=5000), f.flow(0, 1, 1000, congestion_control=ll.Timely())), None),
    (lambda f: (f.flows.set_class(2), f.flows.set_queue_pair(window=5000), f.flow(0, 1, 1000)), None),
    (lambda f: (f.flows.set_queue_pair(window=5000), f.flows.set_queue_pair(), f.flow(0, 1, 1000)), None)])
def test_settings_of_flows_that_no_flow_takes_are_named(capfd, use, line):
    fabric = ll.Fabric.star(4, lossless_classes=[2, 3])
    use(fabric)
    fabric.run()
    assert capfd.readouterr().err == (
        f"lossless: warning: what was set for flows has no effect: {line}; no flow or workload was added after "
        "that\n" if line else "")
