# SPDX-License-Identifier: GPL-2.0-only
"""utils/tune: its search, its goals, and a small run."""

import csv
import math
import pathlib
import random
import subprocess
import sys

import pytest

import lossless as ll

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "utils"))

from tuning import goals, models, search  # noqa: E402, found by the path above

GOOD = {"throughput": 0.99, "pfc_share": 0.0, "latency_p90_us": 20.0, "latency_max_us": 60.0}


def test_a_hypercube_has_each_slice_of_each_range_once():
    settings = search.hypercube(20, 7)
    assert settings == search.hypercube(20, 7) != search.hypercube(20, 8)
    for name in ("kmin", "pmax", "alpha", "headroom"):
        low, high, is_log = search.SPACE[name]
        places = [math.log(each[name] / low) / math.log(high / low) if is_log
                  else (each[name] - low) / (high - low) for each in settings]
        # Values have three digits: one at a border may fall into the next slice.
        assert sorted(min(19, int(place * 20 + 0.5) // 1) for place in places) == pytest.approx(
            list(range(20)), abs=1.01)
    assert all(each["kmin"] <= each["kmax"] <= search.HIGHEST_KMAX for each in settings)


def test_points_near_the_best_stay_near():
    best = [search.DEFAULT]
    for each in search.near(best, 50, 0.1, 1):
        assert 0.5 < each["kmin"] / 100_000 < 2
        assert 1 / 2.1 < each["alpha"] / 0.125 < 2.1
        assert each["headroom"] <= 1.1
    edge = dict(search.DEFAULT, pmax=1.0)
    assert max(each["pmax"] for each in search.near([edge], 50, 0.1, 1)) == 1.0


@pytest.mark.parametrize("goal, bad, far", [
    ("throughput", 0.475, 0.5), ("pfc_share", 0.02, 1.0), ("latency_p90_us", 60.0, 0.5),
    ("latency_max_us", 80.4, 0.005), ("latency_max_us", 1e6, goals.MOST)])
def test_goals(goal, bad, far):
    assert goals.misses(GOOD) == {}
    assert goals.misses(dict(GOOD, throughput=None)) == {}
    assert goals.misses(dict(GOOD, **{goal: bad})) == {goal: pytest.approx(far)}
    assert goals.score([GOOD, dict(GOOD, **{goal: bad})]) == pytest.approx(far)
    assert goals.worst([dict(GOOD, throughput=None), dict(GOOD, **{goal: bad})])[goal] == bad


def test_borders_of_goals():
    assert goals.misses(dict(GOOD, throughput=0.95)) == {
        "throughput": goals.LEAST}  # must be above
    assert goals.misses(dict(GOOD, pfc_share=0.01, latency_p90_us=40.0, latency_max_us=80.0)) == {}


def test_the_front_has_what_nothing_beats():
    plots = pytest.importorskip("tuning.plots")
    assert plots.front([(10, 90), (20, 95), (15, 80), (30, 95), (10, 85), (40, 99)]) == [
        (10, 90), (20, 95), (40, 99)]


def test_there_are_ten_models_and_their_fabric_is_as_it_says():
    assert len(models.MODELS) == 10
    fabric = models._build(dict(search.DEFAULT, headroom=1.5))
    plain = models._build(search.DEFAULT)
    factor = (fabric.switches[0].mmu.in_force(0, models.RDMA)["headroom"]
              / plain.switches[0].mmu.in_force(0, models.RDMA)["headroom"])
    assert 1.45 < factor < 1.55
    assert fabric.n_hosts == models.SERVERS


def test_the_grid_has_all_combinations_in_order():
    assert len(models.GRID) == 3 * 4 * 2 * 3 > 50
    assert not models.GRID.keys() & models.MODELS.keys()
    names = [name.split(":") for name in models.GRID]
    assert names[0] == ["size=4KB", "fan-in=2", "rounds=once", "load=0.3"]
    assert names[1][-1] == "load=0.6" and names[-1] == ["size=1MB", "fan-in=32", "rounds=periodic", "load=0.9"]
    assert models.chosen(["*:fan-in=8:*"]) == [name for name in models.GRID if ":fan-in=8:" in name]
    assert len(models.chosen(["*:fan-in=8:*", "*:load=0.6", "incast-2"])) == 18 + 24 - 6 + 1
    assert models.chosen(["*"]) == [*models.MODELS, *models.GRID]


@pytest.mark.parametrize("name", models.GRID)
def test_a_model_of_the_grid_offers_its_load(name):
    fields = dict(field.split("=") for field in name.split(":"))
    model = models.GRID[name]
    offered = []

    class Listener:
        def flow(self, source, destination, size, start, traffic_class):
            assert destination == 0 and source in range(1, int(fields["fan-in"]) + 1)
            offered.append((size, start))

    model.add(Listener(), random.Random(1), model.end_us)
    seconds = 1e-6 * (model.end_us - model.warm_us)
    assert seconds >= 0.002
    assert sum(size for size, _ in offered) == pytest.approx(float(fields["load"]) * models.RATE / 8 * seconds)
    assert {size for size, _ in offered} == {{"4KB": 4000, "64KB": 64000, "1MB": 1000000}[fields["size"]]}
    starts = {start for _, start in offered}
    assert len(starts) == (1 if fields["rounds"] == "once" else len(offered) / int(fields["fan-in"]))
    assert all(ll.us(model.warm_us) <= start < ll.us(model.end_us) for start in starts)


@pytest.mark.parametrize("name", ["size=64KB:fan-in=2:rounds=once:load=0.3",
                                  "size=4KB:fan-in=8:rounds=periodic:load=0.6"])
def test_a_model_of_the_grid_runs(name):
    model = models.GRID[name]
    fabric = models._build(search.FOUND)
    model.add(fabric, random.Random(1), model.end_us)
    results = fabric.run(stop=ll.us(model.end_us + 1000), keep=[], progress=False)
    load = float(name.rpartition("=")[2])
    assert sum(results.flows["bytes"]) == pytest.approx(load * 25e9 / 8e6 * (model.end_us - model.warm_us))
    assert set(results.flows["status"]) == {0}
    ll.Simulator.destroy()
    row = models.run(name, **search.FOUND, seed=1)
    assert row["throughput"] is None and row["latency_max_us"] >= row["latency_p90_us"] > 2 and row["drops"] == 0


def test_ping_pong_plays():
    fabric = models._build(search.DEFAULT)
    models.MODELS["ping-pong"].add(fabric, random.Random(1), 1200)
    results = fabric.run(stop=ll.us(1200), keep=[], progress=False)
    # 40 servers send 4 KB, 5 packets, at least once in 20 us.
    assert results.totals["data_packets"] > 40 * 5 * 1100 / 20
    ll.Simulator.destroy()


def tune(folder, *arguments):
    """Run it with the build of this test."""
    build = pathlib.Path(ll.__file__).parents[2]
    return subprocess.run([sys.executable, ROOT / "utils" / "tune", "--build", build, "--outDir", folder,
                           *arguments], capture_output=True, text=True, check=False)


def test_a_small_search(tmp_path):
    arguments = ["--points=2", "--rounds=1", "--models=incast-2,ping-pong", "--workers=2"]
    first = tune(tmp_path / "a", *arguments)
    assert first.returncode == 0, first.stderr
    assert "warning" not in first.stderr
    assert "the default: Kmin  100.0 KB, Kmax  400.0 KB" in first.stdout
    assert "fails incast-2: latency_p90_us" in first.stdout
    with open(tmp_path / "a" / "settings.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores) and len(rows) > 3
    assert [row["passes"] == "True" for row in rows] == [score == 0 for score in scores]
    again = tune(tmp_path / "a", *arguments)
    assert again.stdout == first.stdout and "0 run anew" in again.stderr
    other = tune(tmp_path / "b", *arguments)
    for name in ("settings.csv", "runs.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert other.returncode == 0


@pytest.mark.parametrize("arguments, text", [
    (["--models=incast-3"], "there is no model 'incast-3'; there are incast-2, "),
    (["--models=incast-2,*:fan-in=9:*"], "there is no model '*:fan-in=9:*'; there are incast-2, "),
    (["--points=0"], "--points is 0; it must be 1 or more"),
    (["--build=/nowhere"], "/nowhere has no python/lossless"),
    (["--outDir=/dev/null/x"], "--outDir /dev/null/x: ")])
def test_mistakes_are_named(tmp_path, arguments, text):
    result = tune(tmp_path, *arguments)
    assert result.returncode == 2
    assert text in result.stderr.splitlines()[-1]
