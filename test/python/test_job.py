# SPDX-License-Identifier: GPL-2.0-only
"""Jobs of several ranks: what a graph takes, how a job runs, and what of it Python sees."""

import json
import pathlib
import re

import pytest

import lossless as ll

MIB = 1 << 20


def star(hosts=4, **options):
    return ll.Fabric.star(hosts, rate="100Gbps", delay="1us", congestion_control=None,
                          queue_pair={"ack_interval": 65535}, **options)


def ring(ranks=4, size="1MiB", **options):
    """An all-reduce of all ranks."""
    graph = ll.JobGraph(ranks)
    for rank in range(ranks):
        graph.collective(rank, "all-reduce", size, **{"algorithm": "ring", **options})
    return graph


def message(size=1000, tag=7):
    """Rank 0 computes, and sends to rank 1."""
    graph = ll.JobGraph(2)
    calc = graph.calc(0, "10us", name="forward")
    graph.send(0, 1, size, tag, after=[calc])
    graph.recv(1, 0, size, tag)
    return graph


def us(job):
    """Time of the last iteration."""
    return job.iterations[-1].time_ns / 1e3


def run_one(graph, fabric=None, **options):
    """A job that has run."""
    run = ll.Run(fabric or star())
    job = run.job(graph, **options)
    run.execute()
    return job


def refused(match, error=ValueError, **options):
    """A job with an option is refused, in one line; the run is as before."""
    run = ll.Run(star())
    with pytest.raises(error, match=match) as caught:
        run.job(options.pop("graph", ring()), **options)
    assert "\n" not in str(caught.value)
    assert run.jobs == []


# ---- results

def test_a_ring_takes_the_time_of_its_closed_form():
    job = run_one(ring())
    assert job.is_done and job.error == ""
    iteration, = job.iterations
    assert us(job) == pytest.approx(148.45152, abs=0.05)
    assert iteration.end_ns - iteration.start_ns == iteration.time_ns
    assert (iteration.number, iteration.is_warm_up) == (0, False)
    assert (iteration.bytes, iteration.messages) == (6 * MIB, 4 * 6)
    assert iteration.calc_ns == 0 and iteration.exposed_ns == pytest.approx(iteration.time_ns, rel=0.01)
    assert iteration.exposed_most_ns <= iteration.time_ns and 0 <= iteration.straggler < 4
    assert [rank.bytes for rank in job.carried] == [6 * MIB // 4] * 4
    assert [rank.messages for rank in job.carried] == [6] * 4
    assert [rank.intra_bytes for rank in job.carried] == [0] * 4
    assert job.places == [(0, 0), (1, 0), (2, 0), (3, 0)] and job.n_ranks == 4


def test_iterations_follow_each_other():
    job = run_one(ring(), iterations=3, warm_up=1, name="training")
    assert [each.is_warm_up for each in job.iterations] == [True, False, False]
    assert job.iterations[1].start_ns == job.iterations[0].end_ns
    assert "training: 3 of 3 iterations" in repr(job) and job.name == "training"


def test_a_run_waits_for_its_jobs():
    fabric = star(6)
    first = fabric.job(message())
    second = fabric.job(ring(), start="1ms")
    fabric.udp(0, 1, "1Gbps")  # without an end
    results = fabric.run()
    assert first.is_done and second.is_done and "done" in results.why
    assert second.iterations[0].start_ns == 1e6


def test_groups_and_wildcards():
    graph = ll.JobGraph(4)
    graph.add_group("pair", [3, 1])
    assert graph.groups == {"all ranks": [0, 1, 2, 3], "pair": [3, 1]}
    for rank in (1, 3):
        graph.collective(rank, "broadcast", "64KiB", group="pair", root=1)
    graph.send(0, 2, 100, 5)
    graph.recv(2, None, 100, None)
    assert (graph.n_ranks, graph.n_operations, graph.n_collectives, graph.n_sends) == (4, 4, 2, 1)
    job = run_one(graph)
    assert job.is_done
    assert [rank.bytes for rank in job.carried] == [100, 65536, 0, 0]


@pytest.mark.parametrize("in_folder", [False, True])
def test_a_run_is_stuck_when_a_job_is(tmp_path, in_folder):
    graph = ll.JobGraph(2)
    graph.recv(1, 0, 100, 7, name="a\nb")
    run = ll.Run(star(6), write_to=tmp_path / "out" if in_folder else None)
    job = run.job(graph, name="b", report=tmp_path / "page.md")
    run.job(ring(), name="whole")
    results = run.execute()
    assert results.end == "stuck" and results.why == f"stuck: {job.error}"
    assert f"**{job.error}**" in (tmp_path / "page.md").read_text()
    if in_folder:
        assert json.loads((tmp_path / "out" / "summary.json").read_text())["end"] == "stuck"
    ll.Simulator.destroy()
    graph = ll.JobGraph(2)
    graph.send(0, 1, 100, 7)
    run = ll.Run(star())
    assert not run.job(graph).is_done
    assert run.execute().end == "done"  # it has ended, with a message that nobody takes


def test_the_example_of_the_document_runs(tmp_path):
    document = (pathlib.Path(__file__).parents[2] / "doc" / "workload.rst").read_text()
    lines = [line.strip() for line in document.splitlines() if re.match(r'    \{"(format|rank)"', line)]
    (tmp_path / "job.jsonl").write_text("\n".join(lines[:7]) + "\n")
    assert len(lines) >= 7 and run_one(ll.JobGraph.read(tmp_path / "job.jsonl"), star(8)).is_done


# ---- options have effects

@pytest.mark.parametrize("options, least, most", [
    ({"start": "50us"}, 148, 149), ({"channels": 4}, 136, 147),
    ({"reduce_rate": "800Gb/s"}, 148.5 + 3 * 2.6, 148.5 + 3 * 2.7), ({"wire_factor": 2}, 284, 285),
    ({"rendezvous": True}, 150, 163), ({"rendezvous": True, "ready_size": "64KiB"}, 156, 200), ({"verb": "send"}, 148.3, 148.5),
    ({"queue_pairs_per_connection": 4, "split_data": True}, 147.5, 149.5),
    ({"congestion_control": ll.FixedRate(rate="50Gbps")}, 250, 320),
    ({"mtu": 512, "ack_interval": 1}, 160, 180)])
def test_options_have_effects(options, least, most):
    job = run_one(ring(), **options)
    assert job.is_done and least <= us(job) <= most
    if "start" in options:
        assert job.iterations[0].start_ns == 50e3


def test_the_algorithm_of_those_that_name_none():
    graph = ring(algorithm="")
    assert us(run_one(graph, algorithm="halving-doubling")) == pytest.approx(144.27, abs=0.1)
    named = ring(algorithm="halving-doubling")
    assert us(run_one(named)) == pytest.approx(144.27, abs=0.1)
    with pytest.raises(ValueError, match="none of its collectives is done by the algorithm ring"):
        run_one(named, algorithm="ring")


def test_ranks_share_hosts():
    shared = run_one(ring(), star(2), places=[0, 0, 1, 1], intra_rate="900Gb/s", intra_latency="1us")
    assert shared.places == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [rank.intra_bytes for rank in shared.carried] == [6 * MIB // 4, 0, 6 * MIB // 4, 0]
    ll.Simulator.destroy()
    mixed = run_one(ring(), star(2), places=[("host 1", 1), (-1, 0), (0, 0), (0, 1)])
    assert mixed.places == [(1, 1), (1, 0), (0, 0), (0, 1)]
    alone = run_one(message("1MB"), star(2), places=[0, 0], intra_rate="80Gbps", intra_latency="5us")
    assert us(alone) == pytest.approx(10 + 5 + 100)


LINES = ('{"format": "lossless-graph", "version": 1, "ranks": 2}\n'
         '{"rank": "all", "id": 1, "op": "coll", "type": "all-reduce", "bytes": 1000}\n')
GOAL = "num_ranks 2\nrank 0 {\nl1: send 10b to 1 tag 3\n}\nrank 1 {\nl1: recv 10b from 0 tag 3\n}\n"
SIMAI = ("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4 "
         "checkpoints: 0 checkpoint_initiates: 0\n1\n"
         "layer -1 1000 ALLREDUCE 65536 2000 NONE 0 2000 ALLREDUCE 65536 1\n")


def test_files(tmp_path, capfd):
    path = tmp_path / "graph.jsonl"
    path.write_text(LINES)
    assert run_one(ll.JobGraph.read(str(path))).is_done
    path = tmp_path / "x.goal"
    path.write_text(GOAL)
    assert run_one(ll.JobGraph.read(path)).is_done  # the name tells the format
    path = tmp_path / "text"
    path.write_text(GOAL)
    graph = ll.JobGraph.read(path, format="goal")
    assert (graph.n_ranks, graph.n_operations) == (2, 2)
    assert ll.JobGraph.read(path, "goal", send_overhead=1000).n_operations == 4
    path.write_text(SIMAI)
    graph = ll.JobGraph.read(path, format="simai")
    assert (graph.n_ranks, graph.n_operations) == (4, 24)
    assert ll.JobGraph.read(path, format="simai", passes=2).n_operations == 48
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name, format", [("a.jsonl", None), ("a", "json"), ("a.goal", None),
                                          ("a", "goal"), ("a", "chakra")])
def test_what_is_written_reads_the_same(tmp_path, capfd, name, format):
    graph = message()
    for again in (1, 2):  # over files that are there
        graph.write(tmp_path / name, format=format)
    read = ll.JobGraph.read(tmp_path / name, format=format)
    assert (read.n_ranks, read.n_operations, read.n_sends) == (2, 3, 1)
    assert us(run_one(read)) == us(run_one(message(), send_done="posted" if "goal" in f"{name}{format}" else None))
    files = {"a.0.et", "a.1.et", "a.groups.json"} if format == "chakra" else {name}
    assert {path.name for path in tmp_path.iterdir()} == files
    warning = f"lossless: warning: {tmp_path / name}: when sends are done; in GOAL their sizes decide\n"
    assert capfd.readouterr().err == (2 * warning if "goal" in f"{name}{format}" else "")


def test_what_a_format_does_not_have(tmp_path, capfd):
    with pytest.raises(ValueError, match="collective|GOAL"):
        ring().write(tmp_path / "a.goal")
    assert not list(tmp_path.iterdir())  # nor half a file
    with pytest.raises(ValueError, match="^format is \"simai\"; it must be \"json\", \"goal\" or \"chakra\"$"):
        ring().write(tmp_path / "a", format="simai")
    with pytest.raises(ValueError, match="a.txt tells no format; give format=, which is \"json\", "):
        ring().write(tmp_path / "a.txt")
    graph = ll.JobGraph(2)
    graph.allow_short_messages()
    graph.write(tmp_path / "b", format="chakra")
    error = capfd.readouterr().err
    assert error.startswith(f"lossless: warning: {tmp_path}/b: ") and error.count("\n") == 1, error


@pytest.mark.parametrize("text, options, match", [
    (None, {"format": "goal"}, "cannot be read: No such file or directory"),
    (None, {}, "tells no format"), (LINES, {"format": "goals"}, "^format is \"goals\""), (LINES, {"format": "goal"}, "/x:1: "),
    (GOAL, {"format": "goal", "ranks": 2}, "has no option ranks"),
    (GOAL, {"format": "goal", "send_overhead": -1}, "^send_overhead is -1")])
def test_files_that_cannot_be(tmp_path, text, options, match):
    path = tmp_path / "x"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=match) as caught:
        ll.JobGraph.read(path, **options)
    assert "\n" not in str(caught.value)


# ---- training

def test_a_model_is_trained():
    graph = ll.JobGraph.training("llama-2-70b", tp=8, pp=4, dp=2, micro_batches=8)
    assert graph.n_ranks == 64 and len(graph.groups["tp0"]) == 8
    job = run_one(ll.JobGraph.training("llama-2-7b", tp=2, sequence=64))
    assert job.is_done and job.n_ranks == 2
    faster = run_one(ll.JobGraph.training("llama-2-7b", tp=2, sequence=64, efficiency=0.8))
    assert faster.iterations[0].calc_ns == pytest.approx(job.iterations[0].calc_ns / 2, rel=1e-4)


def test_each_option_of_training_has_an_effect(tmp_path):
    def lines(**options):
        model = options.pop("model", "llama-2-7b")
        ll.JobGraph.training(model, **{"tp": 2, "dp": 2, "sequence": 64, **options}).write(tmp_path / "a.jsonl")
        return (tmp_path / "a.jsonl").read_text()
    plain = lines()
    for options in ({"tp": 4, "dp": 1}, {"tp": 1, "dp": 4}, {"tp": 2, "dp": 1, "pp": 2}, {"cp": 2, "dp": 1},
                    {"micro_batches": 2}, {"micro_batch": 2}, {"sequence": 128}, {"sequence_parallel": True},
                    {"data_parallel": "sharded-optimiser"}, {"data_parallel": "fully-sharded"},
                    {"peak_flops": 1e14}, {"efficiency": 0.1}):
        assert lines(**options) != plain, options
    staged = {"tp": 1, "pp": 2, "micro_batches": 2}
    assert lines(**staged) != lines(**staged, vp=2)
    moe = {"model": "mixtral-8x7b", "sequence": 8}
    assert lines(**moe) != lines(**moe, ep=2) != lines(**moe, ep=2, expert_skew=1)


# ---- tables

@pytest.mark.parametrize("in_folder", [False, True])
def test_tables_of_jobs(tmp_path, in_folder):
    run = ll.Run(star(), write_to=tmp_path / "out" if in_folder else None)
    job = run.job(ring(), iterations=2, warm_up=1, name="training", messages=True)
    other = run.job(message(), places=[0, 1], start="1ms")
    results = run.execute()
    assert other.name == "job"
    assert repr(results) == "<lossless.Results: 3 iterations of jobs>"
    assert repr(run) == "<lossless.Run: 2 of 2 jobs done>"
    table = results.iterations
    assert list(table["job"]) == ["training", "training", "job"] and list(table["warm_up"]) == [1, 0, 0]
    assert table["iteration_ns"][1] == pytest.approx(job.iterations[1].time_ns, abs=0.001)
    assert table.units["iteration_ns"] == "ns"
    assert list(results.collectives["type"]) == ["all-reduce"] * 2
    assert results.collectives["busbw_gbytes"][1] == pytest.approx(1.5 * MIB / job.iterations[1].time_ns, rel=1e-3)
    slowdowns = list(results.collectives["slowdown"])  # a file has four digits: so has memory
    assert slowdowns == [round(slowdown, 4) for slowdown in slowdowns] and min(slowdowns) >= 1
    assert len(results.ranks["rank"]) == 2 * 4 + 2
    assert len(results.messages["bytes"]) == sum(each.messages for each in (*job.iterations, *other.iterations))
    assert [total for total in results.totals if total.startswith("job_")]
    paths = results.critical_path
    parts = [name for name in paths.columns if name.endswith("_ns") and name != "iteration_ns"]
    assert len(parts) == 8 and list(paths["iteration"]) == [0, 1, 0] and paths.units["pause_ns"] == "ns"
    for row, time in enumerate(paths["iteration_ns"]):
        assert sum(paths[part][row] for part in parts) == pytest.approx(time, abs=1e-3)
    assert paths["calc_ns"][2] == pytest.approx(10000)  # of message()
    for part in parts:  # iterations.csv has them, too
        assert list(table["path_" + part]) == pytest.approx(list(paths[part]), abs=1e-3)
    assert "Job training: " in results.summary() and "flows completed" not in results.summary()
    files = {path.name for path in (tmp_path / "out").iterdir()} if in_folder else set()
    assert not in_folder or files >= {"iterations.csv", "collectives.csv", "ranks.csv", "messages.csv"}


def test_tables_that_are_not_there():
    run = ll.Run(star())
    run.job(message(), places=[0, 1])
    results = run.execute()
    with pytest.raises(ValueError, match=r"^there are no messages; run.job\(messages=True\) asks for them$"):
        results.messages  # pylint: disable=pointless-statement
    fabric = star()
    fabric.flow(0, 1, "1KB")
    results = fabric.run()
    for name in ("iterations", "collectives", "ranks", "messages"):
        with pytest.raises(ValueError, match=rf"^there are no {name}: the run had no job; run.job\(...\) adds one$"):
            getattr(results, name)
    with pytest.raises(ValueError, match="^there is no critical path: the run had no job"):
        results.critical_path  # pylint: disable=pointless-statement
    assert "1 of 1 flows completed" in results.summary()


def test_the_page_and_the_timeline(tmp_path):
    run = ll.Run(star(8))
    run.job(ring(), report=tmp_path / "job.md", timeline=str(tmp_path / "job.json"))
    run.job(message(), report=tmp_path / "job.md")
    with pytest.raises(ValueError, match="b.md\", and \".*job.md\" of another job; one file tells of all jobs"):
        run.job(message(), report=tmp_path / "b.md")
    assert [job.name for job in run.jobs] == ["job", "job-2"]
    run.execute()
    assert "job-2" in (tmp_path / "job.md").read_text()
    assert (tmp_path / "job-job.svg").read_text().startswith("<svg")
    events = json.loads((tmp_path / "job.json").read_text())
    assert events
    assert {path.name for path in tmp_path.iterdir()} == {"job.md", "job-job.svg", "job-job-2.svg", "job.json"}


def check_slices(events):
    """Complete events of a thread lie within each other, or apart."""
    open_ends = []
    for event in sorted(events, key=lambda each: (each["ts"], -each["dur"])):
        while open_ends and open_ends[-1] <= event["ts"] + 1e-6:
            open_ends.pop()
        assert not open_ends or event["ts"] + event["dur"] <= open_ends[-1] + 1e-6, event
        open_ends.append(event["ts"] + event["dur"])


def test_the_timeline_has_the_trace_event_format_of_chrome(tmp_path):
    graph = ring(algorithm="direct")
    first = graph.calc(0, "10us", name='a "name" \\ of\nline\t, \u00fc \x7f')
    graph.calc(0, "5us", stream=1)
    graph.calc(0, "5us", after=[first])
    graph.send(0, 1, 0, 7, name="empty")
    graph.recv(1, None, 0, None)
    run = ll.Run(star(6))
    run.job(graph, name="one", iterations=2, timeline=tmp_path / "job.json")
    run.job(message(), name="two")
    run.execute()
    trace = json.loads((tmp_path / "job.json").read_bytes().decode("utf-8", errors="strict"))
    assert set(trace) == {"displayTimeUnit", "traceEvents"} and trace["displayTimeUnit"] in ("ms", "ns")
    begun, slices, named = {}, {}, set()
    for event in trace["traceEvents"]:
        assert isinstance(event["name"], str) and event["ph"] in "XbeiM"
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int)
        assert isinstance(event["ts"], (int, float)) and event["ts"] >= 0
        assert isinstance(event.get("args", {}), dict)
        place = (event["pid"], event["tid"])
        if event["ph"] == "X":
            assert event["dur"] >= 0
            slices.setdefault(place, []).append(event)
        elif event["ph"] == "b":
            key = (event["cat"], event["id"])
            assert key not in begun
            begun[key] = event
        elif event["ph"] == "e":
            begin = begun.pop((event["cat"], event["id"]))
            assert begin["ts"] <= event["ts"]
            assert [begin[name] for name in ("pid", "tid", "name")] == [event[name] for name in ("pid", "tid", "name")]
        elif event["ph"] == "i":
            assert event["s"] in ("g", "p", "t")
        else:
            assert event["name"] in ("process_name", "process_sort_index", "thread_name") and event["args"]
            named.add(event["pid"] if event["name"] == "process_name" else place)
    assert not begun and slices
    for place, events in slices.items():
        assert place in named and place[0] in named
        check_slices(events)
    names = {event["name"] for event in trace["traceEvents"]}
    assert {"all-reduce", "empty", "from 0", "iteration 1"} <= names
    assert any(name.startswith('a "name" \\ of') and name.endswith("\u00fc \x7f") for name in names)


def test_jobs_have_names_of_their_own(tmp_path):
    run = ll.Run(star(8))
    run.job(ring(), name="a")
    for options, match in (({"name": "a"}, "^there is a job with the name \"a\"; give each job of a run a name"),
                           ({"report": "/dev/null/x"}, "/dev/null/x"), ({"report": ""}, "^report is empty"),
                           ({"report": tmp_path / "x.md", "channels": 0}, "^channels is 0")):
        with pytest.raises(ValueError, match=match):
            run.job(ring(), **options)
    for options, match in (({"timeline": 5}, "^timeline is 5; it must name a file"),
                           ({"messages": 1}, "^messages is 1; it must be True or False")):
        with pytest.raises(TypeError, match=match):
            run.job(ring(), **options)
    assert len(run.jobs) == 1 and not list(tmp_path.iterdir())
    assert list(run.execute().iterations["job"]) == ["a"]


# ---- what cannot be

@pytest.mark.parametrize("options, match", [
    ({"iterations": 0}, "iterations is 0"), ({"wire_factor": float("nan")}, "wire_factor is nan"),
    ({"send_done": "sent", "graph": message()}, "send_done is \"sent\""),
    ({"places": [0, 1, 2]}, "places are 3; a job of 4 ranks has 4"),
    ({"places": [(0, 2000), 1, 2, 3]}, "a GPU is a whole number, 0 to 1023"),
])
def test_values_that_cannot_be(options, match):
    refused(match, **options)


@pytest.mark.parametrize("options, match", [
    ({"graph": 5}, "graph is 5"), ({"iterations": "x"}, "iterations is 'x'"), ({"rendezvous": "x"}, "rendezvous is 'x'"),
    ({"wire_factor": "x"}, "wire_factor is 'x'"), ({"places": [0.5, 1, 2, 3]}, r"^places has 0.5"),
    ({"start": 5.5}, "5.5 is no time"), ({"algoritm": "x"}, "did you mean algorithm")])
def test_types_that_cannot_be(options, match):
    refused(match, TypeError, **options)


def test_a_job_after_its_run():
    run = ll.Run(star())
    run.execute()
    with pytest.raises(ValueError, match="make another run"):
        run.job(ring())


OPERATIONS = [
    ("calc", (2, "1us"), "rank 2, and 2 ranks"), ("calc", (0, "1ps"), "duration is 1ps"),
    ("send", (0, 1, -1), "size"), ("collective", (0, "all-reduces", 1), "type is \"all-reduces\""),
]


@pytest.mark.parametrize("method, arguments, match", OPERATIONS)
def test_operations_that_cannot_be(method, arguments, match):
    graph = ll.JobGraph(2)
    with pytest.raises(ValueError, match=match) as caught:
        getattr(graph, method)(*arguments)
    assert "\n" not in str(caught.value) and graph.n_operations == 0


def test_a_job_outlives_the_names_of_its_run():
    job = run_one(ring())
    assert job.is_done and "1 of 1 iterations" in repr(job)
    ll.Simulator.destroy()
    assert repr(job) == "<lossless.Job of a destroyed fabric>"
    with pytest.raises(RuntimeError, match="make another one"):
        job.error  # pylint: disable=pointless-statement


def test_jobs_have_gpus_of_their_own():
    fabric = star(8)
    run = ll.Run(fabric)
    jobs = [run.job(ring()), run.job(message()), run.job(message(), places=[0, (0, 2)])]
    assert [job.places for job in jobs] == [[(0, 0), (1, 0), (2, 0), (3, 0)], [(4, 0), (5, 0)], [(0, 1), (0, 2)]]
    with pytest.raises(ValueError, match="^a job of 4 ranks, and 2 hosts that no other job has; places say"):
        run.job(ring())
    with pytest.raises(ValueError, match="^job job-4: rank 1 is on GPU 0 of host 4, which rank 0 of job job-2 has; "
                                         "a GPU for each rank of all jobs$"):
        run.job(message(), places=[6, (4, 0)])
    run.execute()
    assert all(job.is_done for job in jobs)
    assert ll.Run(fabric).job(ring()).places[0] == (0, 0)  # the jobs before have ended


def test_a_trace_does_not_mix_with_one_of_more_ranks(tmp_path):
    def ring(ranks):
        graph = ll.JobGraph(ranks)
        for rank in range(ranks):
            graph.collective(rank, "all-reduce", "64KiB")
        return graph
    ring(4).write(tmp_path / "trace", format="chakra")
    with pytest.raises(ValueError, match=r"trace\.2\.et: is of another trace, of more than 2 ranks"):
        ring(2).write(tmp_path / "trace", format="chakra")
    assert ll.JobGraph.read(tmp_path / "trace", format="chakra").n_ranks == 4


def late(calculations=2, seconds=4610000):
    """A graph that computes longer than a run can be."""
    graph = ll.JobGraph(2)
    before = []
    for _ in range(calculations):
        before = [graph.calc(0, f"{seconds}s", after=before)]
    return graph


def within_host(**options):
    """A message within a host."""
    graph = ll.JobGraph(2)
    graph.send(0, 1, "1GiB")
    graph.recv(1, 0, "1GiB")
    return {"graph": graph, "places": [(0, 0), (0, 1)], **options}


@pytest.mark.parametrize("options", [
    {"graph": late()}, {"graph": late(1), "iterations": 2}, within_host(intra_latency="4600000s", iterations=3)])
def test_a_job_ends_before_the_last_time(options):
    with pytest.raises(ValueError, match="until after the last time of a run, 9214365 s; shorter calc") as caught:
        run_one(**options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("change", [
    lambda graph: graph.calc(0, "1us"), lambda graph: graph.after(0, 1, 0), lambda graph: graph.add_group("x", [0]),
    lambda graph: graph.allow_short_messages()])
def test_a_graph_that_a_job_has_taken_stays(change):
    graph = message()
    run = ll.Run(star())
    job = run.job(graph, name="a")
    change(graph)
    with pytest.raises(ValueError, match="^job a: its graph was changed after the job was made, which has no effect; "):
        run.execute()
    assert not job.iterations
