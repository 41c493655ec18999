# SPDX-License-Identifier: GPL-2.0-only
"""Plots and tables of a run."""

import pytest

import lossless as ll
from lossless import drawing

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture
def runs(tmp_path):
    """Two runs of an incast with pauses."""
    results = {}
    for name, control in (("line rate", None), ("DCQCN", ll.Dcqcn())):
        fabric = ll.Fabric.star(8, buffer="1MiB", congestion_control=control)
        fabric.incast(7, 0, "300kB")
        fabric.incast(3, 1, "2kB", "20us")
        results[name] = fabric.run(write_to=tmp_path / name)
        ll.Simulator.destroy()
    return results


def test_compare_has_a_line_for_each_run(runs):
    axes = ll.plot.compare(runs, percentile=50)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["line rate", "DCQCN"]
    sizes = [label.get_text() for label in axes.get_xticklabels()]
    assert sizes == ["2 KB", "300 KB"]
    slowdown = sorted(flow["slowdown"] for flow in runs["line rate"].flows
                      if flow["bytes"] == 300000)
    assert list(axes.lines[0].get_ydata())[1] == slowdown[3], "the median of seven"
    # Lines may end at different sizes: a run without a size has a gap there.
    assert len(axes.lines) == 2 and all(len(line.get_xdata()) == 2 for line in axes.lines)


def test_folders_are_compared_as_their_results_are(runs, tmp_path):
    folders = {name: ll.plot.Folder(tmp_path / name) for name in runs}
    for draw in (lambda of: ll.plot.compare(of, percentile=(50, 95, 99), column="fct_s"),
                 ll.plot.cdf, ll.plot.queues, ll.plot.pauses, ll.plot.throughput):
        ours, theirs = ([(line.get_label(), line.get_xdata(), line.get_ydata())
                         for panel in draw(of).figure.axes for line in panel.lines]
                        for of in (runs, folders))
        assert len(ours) == len(theirs) and len({label for label, *_ in ours}) == 2
        for (label, *points), (other, *others) in zip(ours, theirs):
            assert label == other
            for one, two in zip(points, others):  # a file has whole ns
                assert list(one) == pytest.approx(list(two), rel=1e-3, abs=1e-6)
    panels = ll.plot.compare(runs, percentile=(50, 95, 99)).figure.axes
    assert [panel.get_title() or panel.get_title(loc="left") for panel in panels] == ["p50", "p95", "p99"]
    assert folders["DCQCN"].port_name(8, 2) == "leaf 0 port 2"
    paths = ll.plot.draw_folders({"a": tmp_path / "DCQCN"}, tmp_path / "plots", size="column")
    assert len(paths) == 7 and all((tmp_path / "plots" / path).exists() for path in paths)


def test_times_of_a_plot_are_of_its_run(star, tmp_path):
    star.incast(3, 0, "300kB")
    star.run()
    star.incast(3, 0, "300kB")
    second = star.run(write_to=tmp_path)
    assert second.begin_ns > 0 and second.throughput["time_ns"][0] > second.begin_ns
    for axes in (ll.plot.throughput(second), ll.plot.queues(second)):
        assert axes.get_xlim()[1] < 1e-6 * second.begin_ns * 1.5
        assert axes.lines[0].get_xdata()[0] <= 0.01


def test_numbers_on_logarithmic_axes_are_plain(runs):
    axes = ll.plot.slowdown(runs["line rate"])
    axes.figure.canvas.draw()
    labels = [label.get_text() for label in axes.get_yticklabels() if label.get_text()]
    assert labels and all(float(label) for label in labels)


@pytest.mark.parametrize("name", ["queues", "pauses", "throughput", "pause_propagation"])
def test_plots_of_files(runs, name, tmp_path):
    axes = getattr(ll.plot, name)(runs["line rate"])
    axes.figure.savefig(tmp_path / "plot.png")
    assert axes.get_xlabel() == "time (ms)" and axes.get_ylabel()
    assert axes.lines or axes.collections


def test_nothing_to_plot():
    fabric = ll.Fabric.star(2)
    fabric.flow(0, 1, "1GB")
    results = fabric.run(stop="1us")
    for axes in (ll.plot.slowdown(results), ll.plot.compare({"a": results})):
        assert axes.texts[0].get_text() == "no flow completed"


def test_data_frame(runs):
    pandas = pytest.importorskip("pandas")
    results = runs["line rate"]
    frame = results.flows.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 10
    assert frame["bytes"].sum() == 7 * 300000 + 3 * 2000 and frame["fct_s"].dtype == "float64"
    assert list(frame.groupby("destination").size()) == [7, 3]
    assert (frame["slowdown"] >= 1).all()
    pauses = results.pauses.to_pandas()
    assert set(pauses["node_type"]) == {"host"} and pauses["duration_ns"].min() > 0
    assert list(results.faults.to_pandas().columns) == ["time_s", "what", "where", "begins"]


@pytest.mark.parametrize("count, percent, rank", [
    (1000, 99.9, 999), (1000, 100, 1000), (10000, 99.99, 9999), (7, 50, 4), (3, 0, 1), (1, 99.9, 1)])
def test_percentiles_are_of_the_nearest_rank(count, percent, rank):
    assert drawing.percentile(range(1, count + 1), percent) == rank


def test_any_percentiles(runs):
    one = runs["line rate"]
    percentiles = (50, 90, 95, 99, 99.9)
    axes = ll.plot.slowdown(one, percentiles=percentiles)
    assert [line.get_label() for line in axes.lines] == ["p50", "p90", "p95", "p99", "p99.9"]
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == 5
    assert len(ll.plot.compare(runs, percentile=99.9).lines) == 2
    for wrong in (150, -1):
        with pytest.raises(ValueError, match=f"percentile is {wrong}; it must be 0 to 100"):
            ll.plot.compare(runs, percentile=wrong)
        with pytest.raises(ValueError, match="0 to 100"):
            ll.plot.slowdown(one, percentiles=(50, wrong))


def test_a_plot_of_nothing_is_refused(runs):
    results = next(iter(runs.values()))
    for draw in (lambda: ll.plot.compare({}), lambda: ll.plot.cdf({}),
                 lambda: ll.plot.slowdown(results, percentiles=()),
                 lambda: ll.plot.rates(results, nodes=[]),
                 lambda: drawing.comparison({}, units={}),
                 lambda: drawing.comparison({"DCQCN": {}}, units={})):
        with pytest.raises(ValueError, match="^there is nothing to draw; give one .* or more$"):
            draw()
