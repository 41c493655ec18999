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


def test_dependencies_rule_the_time():
    graph = message()
    alone = us(run_one(graph))
    assert alone == pytest.approx(10 + 2.18 + 2.01, abs=0.02)  # the send ends with its ACK
    graph = ll.JobGraph(1)
    first = graph.calc(0, "10us", stream=0)
    second = graph.calc(0, "10us", stream=1)
    assert us(run_one(graph)) == 10
    graph.after(0, second, first)
    assert us(run_one(graph)) == 20
    graph = ll.JobGraph(1)
    first = graph.calc(0, "10us")
    middle = graph.calc(0, "5us", stream=1, after=[first])
    graph.calc(0, "10us", stream=2, after_start=[middle])
    assert us(run_one(graph)) == 20
    graph.after_start(0, first, graph.calc(0, "1us", stream=3))
    assert us(run_one(graph)) == 20


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


def test_jobs_that_cannot_end_say_so():
    graph = ll.JobGraph(2)
    graph.send(0, 1, 100, 7)
    job = run_one(graph)
    assert not job.is_done
    assert job.error == "job job: rank 1 got 100 B from rank 0, tag 7, that no recv takes"
    graph = ll.JobGraph(2)
    graph.recv(1, 0, 100, 7)
    job = run_one(graph, name="b")
    assert job.error.startswith("job b stuck at") and job.error in repr(job)


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
    {"graph": late()}, {"graph": late(1), "iterations": 2}, within_host(intra_latency="4600000s", iterations=3),
    within_host(intra_latency="4600000s", iterations=4), within_host(intra_rate="1bps")])
def test_a_job_ends_before_the_last_time(options):
    with pytest.raises(ValueError, match="until after the last time of a run, 9214365 s; shorter calc") as caught:
        run_one(**options)
    assert "\n" not in str(caught.value)


def test_the_example_of_the_document_runs(tmp_path):
    document = (pathlib.Path(__file__).parents[2] / "doc" / "workload.rst").read_text()
    lines = [line.strip() for line in document.splitlines() if re.match(r'    \{"(format|rank)"', line)]
    (tmp_path / "job.jsonl").write_text("\n".join(lines[:7]) + "\n")
    assert len(lines) >= 7 and run_one(ll.JobGraph.read(tmp_path / "job.jsonl"), star(8)).is_done


def test_a_long_job_has_its_time():
    assert us(run_one(late(1))) == pytest.approx(4.61e12)
    refused("it must be a time below 4611686s", start="9220000s")


def test_short_messages():
    graph = ll.JobGraph(2)
    graph.send(0, 1, 100)
    graph.recv(1, 0, 200)
    assert "recv of 200 B" in run_one(graph).error
    graph.allow_short_messages()
    assert run_one(graph).is_done


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


@pytest.mark.parametrize("both_ways, queue_pairs", [(False, 4), (True, 2)])
def test_a_queue_pair_carries_both_directions(both_ways, queue_pairs):
    fabric = star(2)
    run = ll.Run(fabric)
    job = run.job(ring(2), both_ways=both_ways)
    seen = []
    ll.Simulator.schedule("10us", lambda: seen.append(sum(host.n_queue_pairs for host in fabric.hosts)))
    run.execute()
    assert job.is_done and seen == [queue_pairs]


def test_the_algorithm_of_those_that_name_none():
    graph = ring(algorithm="")
    assert us(run_one(graph, algorithm="halving-doubling")) == pytest.approx(144.27, abs=0.1)
    named = ring(algorithm="halving-doubling")
    assert us(run_one(named)) == pytest.approx(144.27, abs=0.1)
    with pytest.raises(ValueError, match="none of its collectives is done by the algorithm ring"):
        run_one(named, algorithm="ring")


def test_when_a_send_has_ended():
    graph = message("1MiB")
    graph.calc(0, "50us", after=[1])
    completed = us(run_one(graph))
    assert us(run_one(graph, send_done="posted")) < completed - 30
    own = ll.JobGraph(2)
    own.send(0, 1, "1MiB", send_done="posted")
    own.calc(0, "50us", after=[0])
    own.recv(1, 0, "1MiB")
    assert us(run_one(own)) == pytest.approx(92.69, abs=0.1)


def test_ranks_share_hosts():
    shared = run_one(ring(), star(2), places=[0, 0, 1, 1], intra_rate="900Gb/s", intra_latency="1us")
    assert shared.places == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [rank.intra_bytes for rank in shared.carried] == [6 * MIB // 4, 0, 6 * MIB // 4, 0]
    ll.Simulator.destroy()
    mixed = run_one(ring(), star(2), places=[("host 1", 1), (-1, 0), (0, 0), (0, 1)])
    assert mixed.places == [(1, 1), (1, 0), (0, 0), (0, 1)]
    alone = run_one(message("1MB"), star(2), places=[0, 0], intra_rate="80Gbps", intra_latency="5us")
    assert us(alone) == pytest.approx(10 + 5 + 100)


@pytest.mark.parametrize("option, meant", [
    ("iteration", "iterations"), ("algoritm", "algorithm"), ("warmup", "warm_up"), ("splitdata", "split_data")])
def test_misspelt_options_are_named(option, meant):
    refused(rf"^job\(\) has no option '{option}'; did you mean {meant}\?$", TypeError, **{option: 3})


def test_collectives_that_differ_are_told_apart():
    graph = ll.JobGraph(2)
    graph.collective(0, "all-reduce", 100, algorithm="ring")
    graph.collective(1, "all-reduce", 100, channels=2)
    refused("1st collective: rank 0 all-reduce of 100 B by ring on no named number of channels .*, rank 1 all-reduce "
            "of 100 B by no named algorithm on 2 channels", graph=graph)


@pytest.mark.parametrize("algorithm", ["direct", "pairwise"])
def test_an_all_to_all_within_a_host_takes_its_ideal_time(algorithm):
    graph = ll.JobGraph(8)
    for rank in range(8):
        graph.collective(rank, "all-to-all", "8MiB", algorithm=algorithm)
    job = run_one(graph, star(2), places=[0] * 8, intra_rate="800Gb/s", intra_latency="1us")
    shares = 7 if algorithm == "pairwise" else 1  # of the latency: the steps wait for each other
    assert us(job) == pytest.approx(7 * MIB * 8 / 800e3 + shares, rel=1e-3)


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
    (None, {"format": "chakra"}, ""), (None, {}, "tells no format; give format=, which is \"json\""),
    (LINES, {"format": "goals"}, "^format is \"goals\"; it must be \"json\", \"goal\", \"chakra\" or \"simai\"$"),
    (LINES[:-2], {"format": "json"}, r"/x:2: the line ends too early; expected '}' or ','$"),
    (LINES.replace("1000", '"1000"'), {"format": "json"}, r'/x:2: "bytes" is the text "1000"; it must be'),
    (LINES, {"format": "goal"}, "/x:1: "), (GOAL, {"format": "simai"}, "/x:1: "),
    (GOAL, {"format": "goal", "ranks": 2}, "^format \"goal\" has no option ranks; known: eager_size,"),
    (GOAL, {"format": "goal", "eager_sizes": 2}, "has no option eager_sizes; did you mean eager_size"),
    (GOAL, {"format": "goal", "send_overhead": -1}, "^send_overhead is -1; it must be a whole number, 0 to"),
    (SIMAI, {"format": "simai", "ranks": 10**12}, "^ranks is 1000000000000; it must be a whole number, 1 to 1048576$"),
    (SIMAI, {"format": "simai", "passes": 0}, "^passes is 0; it must be a whole number, 1 to"),
    ("", {"format": "chakra", "peak_flops": 0}, "^peak_flops is 0.0; it must be above 0")])
def test_files_that_cannot_be(tmp_path, text, options, match):
    path = tmp_path / "x"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=match) as caught:
        ll.JobGraph.read(path, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options, match", [
    ({"loose_sizes": 1}, "^loose_sizes is 1; it must be True or False$"),
    ({"send_overhead": 1.5}, "^send_overhead is 1.5; it must be a whole number, 0 to"),
    ({"send_overhead": True}, "^send_overhead is True; it must be a whole number, 0 to")])
def test_types_of_options_of_readers(options, match):
    with pytest.raises(TypeError, match=match):
        ll.JobGraph.read("x", format="goal", **options)


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


@pytest.mark.parametrize("model, options, match", [
    ("llama-9", {}, "^there is no model \"llama-9\"; known: gpt-3-13b"),
    *(("llama-2-7b", {name: 0}, f"^{name} is 0; it must be 1 to") for name in
      ("tp", "pp", "vp", "dp", "ep", "cp", "micro_batches", "micro_batch", "sequence")),
    ("llama-2-7b", {"vp": 2}, r"^training: virtualStages \(vp\) is 2, and there is one stage; set pipeline \(pp\) above 1$"),
    ("llama-2-7b", {"tp": 10**12}, "^tp is 1000000000000; it must be 1 to 1048576$"),
    ("llama-2-7b", {"tp": 3}, r"^training: heads 32 in tensor \(tp\) 3; it must be a multiple$"),
    ("llama-2-7b", {"ep": 2}, r"^training: experts 1 in expert \(ep\) 2; it must be a multiple$"),
    ("llama-2-7b", {"pp": 1024, "dp": 1025}, "^training: more than 1048576 ranks$"),
    ("llama-2-7b", {"data_parallel": "x"}, "^data_parallel is \"x\"; it must be \"all-reduce\", "),
    ("llama-2-7b", {"efficiency": 1.5}, "^efficiency is 1.5; it must be above 0, and at most 1.0$"),
    ("llama-2-7b", {"peak_flops": float("nan")}, "^peak_flops is nan; it must be above 0"),
    ("llama-2-7b", {"expert_skew": 1}, "^expert_skew would have no effect on llama-2-7b, which has no experts$"),
    ("mixtral-8x7b", {"expert_skew": -1}, "^expert_skew is -1.0; it must be 0 or more$"),
    ("llama-2-7b", {"sequence_parallel": True}, "^sequence_parallel would have no effect without tp above 1$"),
    ("llama-2-7b", {"tp": 2, "data_parallel": "fully-sharded"},
     "^data_parallel would have no effect without dp or cp above 1$")])
def test_training_that_cannot_be(model, options, match):
    with pytest.raises(ValueError, match=match) as caught:
        ll.JobGraph.training(model, **options)
    assert "\n" not in str(caught.value)


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
    ({"iterations": 0}, "iterations is 0; it must be 1 to 1000000$"),
    ({"iterations": 1000001}, "iterations is 1000001; it must be 1 to 1000000$"),
    ({"iterations": 2, "warm_up": 2}, "2 iterations, of which 2"),
    ({"channels": 257}, "channels is 257; it must be 1 to 256"),
    ({"name": "a,b"}, "name is 'a,b'; it must be text on one line"),
    ({"name": ""}, "name is ''"),
    ({"start": "-1us"}, "start is -1us; it must be 0s or more|start is -1000"),
    ({"algorithm": "rings"}, "there is no collective algorithm \"rings\""),
    ({"send_done": "sent", "graph": message()}, "send_done is \"sent\"; it must be \"completed\" or"),
    ({"reduce_rate": "0bps"}, "reduce_rate is 0bps; it must be above 0"),
    ({"wire_factor": 0.5}, "wire_factor is 0.5; it must be 1 to 16"),
    ({"wire_factor": float("nan")}, "wire_factor is nan"),
    ({"verb": "read"}, "verb is \"read\""), ({"verb": "x"}, "verb is \"x\""),
    ({"queue_pairs_per_connection": 0}, "queue_pairs_per_connection is 0; it must be 1 to 1024"),
    ({"nic": "x"}, "nic is \"x\"; it must be \"rail\", \"channel\" or \"hash\""),
    ({"pxn": True, "pxn_size": 0}, "pxn_size is 0; it must be 1 to"),
    ({"gpus_per_host": 0}, "gpus_per_host is 0; it must be 1 to 1024"),
    ({"split_data": True}, "split_data would have no effect without queue_pairs_per_connection"),
    ({"ready_size": 64}, "ready_size would have no effect without rendezvous"),
    ({"pxn_size": 1000}, "pxn_size would have no effect without pxn"),
    ({"intra_rate": "1Gbps"}, "intra_rate would have no effect where no two ranks share a host"),
    ({"nic": "rail"}, "^nic would have no effect where each host has one port$"),
    ({"nic": "channel"}, "^nic would have no effect where each host has one port$"),
    ({"nic": "hash", "places": [0, 0, 1, 1]}, "^nic would have no effect where each host has one port$"),
    ({"gpus_per_host": 2}, "^gpus_per_host would have no effect where each host has one port$"),
    ({"send_done": "posted"}, "send_done would have no effect in a graph without sends"),
    ({"channels": 2, "graph": message()}, "channels would have no effect in a graph without coll"),
    ({"places": [0, 1, 2]}, "places are 3; a job of 4 ranks has 4"),
    ({"places": [(0, 2000), 1, 2, 3]}, "a GPU is a whole number, 0 to 1023"),
    ({"graph": ring(5)}, "a job of 5 ranks, and 4 hosts"),
])
def test_values_that_cannot_be(options, match):
    refused(match, **options)


@pytest.mark.parametrize("options, match", [
    ({"graph": 5}, "graph is 5; it must be a JobGraph"),
    ({"iterations": "x"}, "iterations is 'x'; it must be a whole number"),
    ({"channels": 1.5}, "channels is 1.5"), ({"rendezvous": "x"}, "rendezvous is 'x'"),
    ({"wire_factor": "x"}, "wire_factor is 'x'; it must be a number, 1 to 16"),
    ({"places": [0.5, 1, 2, 3]}, r"^places has 0.5; it must be a list of hosts or \(host, GPU\) by rank, such as"),
    ({"places": "0123"}, "places is '0123'"), ({"places": [(0, "x"), 1, 2, 3]}, "places has"),
    ({"start": 5.5}, "5.5 is no time")])
def test_types_that_cannot_be(options, match):
    refused(match, TypeError, **options)


def test_a_host_that_is_not_there():
    refused("9", IndexError, places=[0, 1, 2, 9])


def test_an_option_that_is_none():
    refused("nonsense", AttributeError, nonsense=1)


def test_a_job_after_its_run():
    run = ll.Run(star())
    run.execute()
    with pytest.raises(ValueError, match="make another run"):
        run.job(ring())


OPERATIONS = [
    ("calc", (2, "1us"), "rank 2, and 2 ranks; ranks are 0 to 1"),
    ("calc", (0, "-1us"), "duration is .*; it must be a whole number of nanoseconds, 0s to"),
    ("calc", (0, "1ps"), "duration is 1ps"),
    ("send", (0, 2, 1), "peer 2 of 2 ranks"), ("send", (0, 1, -1), "size"),
    ("send", (0, 1, "2EiB"), "size|2EiB"),
    ("send", (0, 1, 1, 2**64 - 1), "tag is 2\\^64 - 1"),
    ("recv", (0, 2**32 - 1, 1), "source is 2\\^32 - 1"),
    ("collective", (0, "all-reduces", 1), "type is \"all-reduces\"; it must be one of all-reduce"),
    ("collective", (0, "barrier", 0, "tp"), "there is no group tp; there are: all ranks"),
    ("collective", (0, "broadcast", 1, None, 2), "there is no position 2 in all ranks"),
    ("collective", (0, "barrier", 8), "operation 0 of rank 0: a barrier of 8 B; a barrier has 0 B$"),
    ("collective", (0, "all-reduce", 8, None, 1), "root 1 of a collective all-reduce, which has no root; leave it out"),
    ("collective", (0, "barrier", 0, None, 0, "", 257), "channels is 257; it must be 1 to 256"),
]


@pytest.mark.parametrize("method, arguments, match", OPERATIONS)
def test_operations_that_cannot_be(method, arguments, match):
    graph = ll.JobGraph(2)
    with pytest.raises(ValueError, match=match) as caught:
        getattr(graph, method)(*arguments)
    assert "\n" not in str(caught.value) and graph.n_operations == 0


def test_graphs_that_cannot_be():
    for ranks in (0, -1, (1 << 20) + 1, 10**12, 2**70):
        with pytest.raises(ValueError, match=f"^ranks is {ranks}; it must be 1 to 1048576$"):
            ll.JobGraph(ranks)
    graph = ll.JobGraph(2, "by hand")
    with pytest.raises(ValueError, match="rank 0 has no operation 0 yet; it has 0"):
        graph.calc(0, "1us", after=[0])
    assert graph.n_operations == 0
    graph.calc(0, "1us")
    graph.calc(0, "1us", after=[0])
    graph.after(0, 0, 1)
    with pytest.raises(ValueError, match="by hand: rank 0: operation 0 requires operation 1"):
        graph.check()
    with pytest.raises(ValueError, match="group x has rank 1 twice"):
        graph.add_group("x", [1, 1])
    with pytest.raises(ValueError, match="^by hand: a group without a name; name it$"):
        graph.add_group("", [0, 1])
    assert list(graph.groups) == ["all ranks"]
    with pytest.raises(ValueError, match="dependency of operation 0 on operation 9"):
        graph.after_start(0, 0, 9)
    unequal = ll.JobGraph(2)
    unequal.collective(0, "all-reduce", 100)
    with pytest.raises(ValueError, match="all ranks: rank 1 has 0 of its collectives, rank 0 has 1"):
        unequal.check()
    refused("all ranks: rank 1 has 0", graph=unequal, places=[0, 1])
    assert re.fullmatch("<lossless.JobGraph by hand: 2 ranks, 2 operations>", repr(graph))


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


@pytest.mark.parametrize("numbers, error", [([-1], ValueError), ([2**32], ValueError), ([0.5], TypeError),
                                            ([True], TypeError), ("0", TypeError), (0, TypeError)])
def test_numbers_that_cannot_be(numbers, error):
    graph = ll.JobGraph(2)
    graph.calc(0, "1us")
    for name in ("after", "after_start"):
        with pytest.raises(error) as caught:
            graph.calc(0, "1us", **{name: numbers})
        assert str(caught.value) == f"{name} is {numbers!r}; it must be a list of whole numbers, 0 or more"
    with pytest.raises(error, match="^ranks is "):
        graph.add_group("x", numbers)
    assert graph.n_operations == 1


def test_each_rank_has_a_gpu_of_its_own():
    graph = ll.JobGraph(2)
    for rank in range(2):
        graph.collective(rank, "all-reduce", "64KiB")
    run = ll.Run(ll.Fabric.star(2))
    with pytest.raises(ValueError, match="^ranks 0 and 1 are both on GPU 0 of host 0; a GPU for each rank$"):
        run.job(graph, places=[(0, 0), (0, 0)])
    with pytest.raises(ValueError, match=r"^places has \(0, -1\); a GPU is a whole number, 0 to 1023$"):
        run.job(graph, places=[(0, -1), (1, 0)])
    with pytest.raises(ValueError, match="^PXN, and no host of the job has several ports; leave PXN out$"):
        run.job(graph, pxn=True)
    with pytest.raises(ValueError, match="none of its collectives is done by the algorithm bruck"):
        run.job(graph, algorithm="bruck")


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
