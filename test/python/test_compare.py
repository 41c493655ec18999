# SPDX-License-Identifier: GPL-2.0-only
"""Schemes compared over seeds."""

import os
import random

import pytest

import lossless as ll
from lossless.compare import median_interval


def burst(control, seed):
    fabric = ll.Fabric.star(8, buffer="1MiB", congestion_control=control)
    fabric.poisson("fb-hadoop", 0.3, "50us")
    fabric.incast(7, 0, "200kB", ll.us(seed))
    return fabric


SCHEMES = {"line rate": None, "DCQCN": ll.Dcqcn()}


def test_schemes_over_seeds(tmp_path):
    compared = ll.compare(burst, SCHEMES, seeds=range(3),
                          of=["fct_p99", "slowdown_mean", "pfc_xoff_frames"], write_to=tmp_path)
    done = [row for row in compared.table if row["scheme"] == "DCQCN"][2]
    flows = ll.plot.Folder(tmp_path / "DCQCN" / "2").flows
    assert done["slowdown_mean"] == pytest.approx(sum(flows["slowdown"]) / len(flows["slowdown"]))
    assert compared.table.columns == ["scheme", "seed", "fct_p99", "slowdown_mean",
                                      "pfc_xoff_frames", "flows_unfinished"]
    assert list(compared.table["scheme"]) == ["line rate"] * 3 + ["DCQCN"] * 3
    assert len(set(list(compared.table["fct_p99"])[:3])) == 3, "seeds draw other flows"
    again = ll.compare(burst, SCHEMES, seeds=range(3), of=["fct_p99"])
    assert list(again.table["fct_p99"]) == list(compared.table["fct_p99"])
    lines = str(compared).splitlines()
    assert lines[0].split() == ["scheme", "fct_p99", "(us)", "slowdown_mean", "pfc_xoff_frames"]
    assert len(lines) == 4 and lines[-1] == "median [range] of 3 seeds"
    middle, low, high = compared.intervals()["DCQCN"]["fct_p99"]
    values = sorted(list(compared.table["fct_p99"])[3:])
    assert (low, middle, high) == tuple(values)
    assert "<th>fct_p99 (us)</th>" in compared._repr_html_()


def test_flows_that_do_not_complete_are_said():
    compared = ll.compare(lambda scheme, seed: ll.Run(burst(scheme, seed), stop="30us"), SCHEMES,
                          seeds=[1], of=["fct_p99"])
    left = dict(zip(compared.table["scheme"], compared.table["flows_unfinished"]))
    assert left["DCQCN"] > 0
    assert f"DCQCN {left['DCQCN']}" in str(compared).splitlines()[-1]


def test_the_plot(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    compared = ll.compare(burst, SCHEMES, seeds=[1, 2], of=["fct_p99", "pfc_xoff_frames"])
    axes = compared.plot(tmp_path / "compared.pdf", size="column")
    assert (tmp_path / "compared.pdf").read_bytes()[:4] == b"%PDF"
    assert [panel.get_ylabel() for panel in axes.figure.axes] == ["fct_p99 (us)", "pfc_xoff_frames"]


def test_values_are_those_of_the_run():
    compared = ll.compare(burst, {"DCQCN": ll.Dcqcn()}, seeds=[4],
                          of=["pfc_xoff_frames", "flows_completed", "fct_p50"])
    ll.set_seed(1, 4)
    results = burst(ll.Dcqcn(), 4).run()
    row = compared.table[0]
    assert row["flows_completed"] == results.totals["flows_completed"] > 7
    assert row["pfc_xoff_frames"] == results.totals["pfc_xoff_frames"]
    times = sorted(results.flows["fct_s"])
    assert row["fct_p50"] == pytest.approx(times[(len(times) + 1) // 2 - 1] * 1e6)


@pytest.mark.parametrize("count, low, high", [(1, 1, 1), (5, 1, 5), (6, 1, 6), (8, 1, 8), (9, 2, 8),
                                              (10, 2, 9), (20, 6, 15), (100, 40, 61)])
def test_ranks_of_the_interval(count, low, high):
    """The ranks that tables of the sign test have."""
    assert median_interval(range(1, count + 1))[1:] == (low, high)


def test_the_interval_has_the_median():
    draw = random.Random(1)
    misses = 0
    for _ in range(2000):
        _, low, high = median_interval([draw.expovariate(1) for _ in range(12)])
        misses += not low <= 0.693147 <= high
    assert 40 < misses < 110, "3.9 % for twelve values, never more than 5 %"


@pytest.mark.parametrize("arguments, error, text", [
    ({"schemes": {}}, ValueError, "needs a scheme"), ({"seeds": []}, ValueError, "a seed"),
    ({"of": "fct_p99"}, ValueError, "list of values"), ({"seeds": [-1]}, ValueError, "whole numbers"),
    ({"seeds": [1, 1]}, ValueError, "each must be there once"),
    ({"seeds": [True]}, ValueError, "whole numbers"),
    ({"of": ["fct_p999"]}, ll.SweepError, "there is no value 'fct_p999'; there are fct_mean"),
    ({"of": ["xoffs"]}, ll.SweepError, "pfc_xoff_frames"),
    ({"make_run": lambda control, seed: 5}, ll.SweepError, "a fabric that is ready to run"),
    ({"make_run": 5}, TypeError, "make_run is 5"),
])
def test_wrong_arguments(arguments, error, text):
    with pytest.raises(error, match=text):
        ll.compare(**{"make_run": burst, "schemes": {"none": None}, "seeds": [1], "of": ["fct_p99"],
                      **arguments})


def chosen(control, seed):
    ll.set_seed(7, 7)
    return burst(control, seed)


def executed(control, seed):
    return ll.Run(burst(control, seed), seed=7, run=8)


def own(control, seed):
    ll.set_seed(7, 100 + seed)
    return burst(control, seed)


def test_seeds_that_make_run_makes_ineffective(tmp_path):
    """Seeds that have no effect would give an interval of one run."""
    for function, text in ((chosen, "set_seed(7, 7)"), (executed, "set_seed(7, 8)")):
        for _ in range(2):  # of results that were kept, too
            with pytest.raises(ValueError) as raised:
                ll.compare(function, {"a": ll.Dcqcn()}, seeds=range(6), of=["fct_p99"], workers=1,
                           resume=tmp_path / "points")
            assert str(raised.value) == (
                f"seeds 0 and 1 of 'a' both ran with {text}: make_run chooses it, and seeds= has no "
                "effect; leave it out, or derive it from the seed that make_run takes")
    assert len((tmp_path / "points").read_text().splitlines()) == 4, "it ends at once"
    table = ll.compare(own, SCHEMES, seeds=[1, 2], of=["fct_p99"]).table
    assert table.columns == ["scheme", "seed", "fct_p99", "flows_unfinished"] and len(set(table["fct_p99"])) == 2


def test_a_comparison_goes_on(tmp_path):
    path = tmp_path / "points"
    first = ll.compare(burst, SCHEMES, seeds=[1], of=["fct_p99"], resume=path)
    ll.compare(burst, SCHEMES, seeds=[1, 2], of=["fct_p99"], resume=path)
    assert len(path.read_text().splitlines()) == 4
    ll.compare(burst, {"DCQCN": ll.Dcqcn(dialect="nic")}, seeds=[1], of=["fct_p99"], resume=path)
    assert len(path.read_text().splitlines()) == 5, "another DCQCN"
    assert first.schemes == ["line rate", "DCQCN"]


def idle(control, seed):
    fabric = ll.Fabric.star(4, congestion_control=control, queue_pair={"cnp_class": 5})
    fabric.incast(3, 0, "10kB", ll.us(seed))
    os.write(2, b"from %d\n" % seed)
    return fabric


def test_findings_are_told_once(capfd):
    ll.compare(idle, {"none": None, "HPCC": ll.Hpcc(), "DCQCN": ll.Dcqcn()}, seeds=[1, 2], of=["fct_p99"])
    said = capfd.readouterr().err.splitlines()
    assert sorted(said[:-1]) == ["from 1"] * 3 + ["from 2"] * 3
    assert "CnpClass" in said[-1] and said[-1].endswith(" (4 of 6 points)")


class Cut(ll.CongestionControl):
    def __init__(self, step):
        super().__init__()
        self.step = step

    def on_cnp(self, flow, now_ps):
        flow.rate = max(flow.rate * self.step, 1e9)


def test_schemes_are_known_by_what_they_hold(tmp_path):
    for step, count in ((0.5, 1), (0.9, 2), (0.5, 2)):
        ll.compare(burst, {"cut": Cut(step)}, seeds=[1], of=["fct_p99"], resume=tmp_path / "points")
        assert len((tmp_path / "points").read_text().splitlines()) == count
