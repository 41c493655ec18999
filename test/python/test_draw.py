# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of a fabric."""

import pytest

import lossless as ll
from lossless import drawing, style

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture
def fabric():
    return ll.Fabric.leaf_spine(2, 2, 3, buffer="1MiB", congestion_control=None)


def fabric_run_with_queues():
    """Results of another run, with its samples."""
    ll.Simulator.destroy()
    star = ll.Fabric.star(4)
    star.incast(3, 0, "1MB")
    return star.run(keep=["queue", "throughput"])


def test_every_link_and_node_is_drawn(fabric, tmp_path):
    axes = fabric.draw()
    links = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_marker() == "None"]
    assert len(links) == len(fabric.topology.links) == 10
    marked = [line for line in axes.lines if line.get_marker() in "os"]
    assert [len(line.get_xdata()) for line in marked] == [6, 4]
    texts = [text.get_text() for text in axes.texts]
    assert set(texts) == {*(f"host {i}" for i in range(6)), "leaf 0", "leaf 1", "spine 0", "spine 1"}
    ll.plot.save(axes, tmp_path / "fabric.svg")
    assert "spine 1" in (tmp_path / "fabric.svg").read_text(), "text of an SVG is text"


def test_tiers_stand_above_each_other():
    graph = ll.Fabric.fat_tree(4)
    spots = drawing.places(graph.names, [(a, b) for a, b, _ in graph.topology.links])
    heights = {"host": 0, "leaf": 1, "spine": 2, "core": 3}
    assert [y for _, y in spots] == [heights[name.split()[0]] for name in graph.names]
    assert len(set(spots)) == len(spots), "no two nodes stand at one place"


def test_a_way_and_a_cut(fabric):
    fabric.set_link_up(("leaf 0", "spine 0"), False)
    way = fabric.path("host 0", -1)
    nodes = [fabric.topology.links[link][:2] for link in way]
    assert len(way) == 4 and nodes[0][0] == 0 and nodes[-1][0] == 5
    assert {"leaf 0", "spine 1", "leaf 1"} == {fabric.names[node] for ends in nodes for node in ends
                                              if node > 5}
    axes = fabric.draw(way=("host 0", -1))
    widths = [line.get_linewidth() for line in axes.lines[:10]]
    assert sorted(link for link in range(10) if widths[link] > min(widths)) == sorted(way)
    cut = fabric.topology.find_link(6, 8)
    assert axes.lines[cut].get_color() == style.VERMILION and axes.lines[cut].get_linestyle() == ":"


def test_utilisation_and_pauses(fabric):
    fabric.incast(5, 0, "1MB")
    results = fabric.run()
    links = results.links
    assert links.columns[:3] == ["link", "rate_bps", "a_node"] and links.units["a_paused_s"] == "s"
    to_receiver = links[0]
    assert to_receiver["a_node"] == 0 and to_receiver["b_sent_bytes"] > 5e6
    assert 0.9 < to_receiver["b_utilisation"] <= 1 and to_receiver["a_utilisation"] < 0.1
    counters = fabric.device(0).peer.counters
    assert counters["tx_wire_bytes"] == to_receiver["b_sent_bytes"]
    paused = {row["a_node"] for row in links if row["a_paused_s"] > 0}
    assert paused and paused <= set(range(1, 10))
    axes = fabric.draw(results, size="slide")
    assert axes.figure.axes[1].get_ylabel() == "utilisation of the busier direction"
    assert len(axes.collections) == 1, "marks where PFC paused"
    heat = ll.plot.heat_map(fabric_run_with_queues(), size="column").images[0]
    assert heat.get_cmap().name == style.COLOUR_MAP, "one sense in both"
    assert sum(heat.get_cmap()(1.0)) < sum(heat.get_cmap()(0.0)), "much is dark"
    dark = sum(matplotlib.colors.to_rgb(axes.lines[0].get_color()))
    assert dark < sum(matplotlib.colors.to_rgb(axes.lines[1].get_color())) + 1e-9


def test_links_of_results_pickle(fabric):
    import pickle  # pylint: disable=import-outside-toplevel
    fabric.flow(0, 5, "10kB")
    links = fabric.run().links
    assert pickle.loads(pickle.dumps(links)).to_dict() == links.to_dict()
