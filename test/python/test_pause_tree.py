# SPDX-License-Identifier: GPL-2.0-only
"""Which pause caused which: tables, text, Graphviz and SVG."""

import shutil
import subprocess
import xml.dom.minidom

import pytest

import lossless as ll


@pytest.fixture(name="chain")
def chain_of_two_leaves():
    """An incast behind a spine: leaf 0 pauses the spine, which pauses leaf 1, which pauses hosts."""
    fabric = ll.Fabric.leaf_spine(2, 1, 4, buffer="1MiB", congestion_control=None)
    for source in (4, 5, 6, 7, 1):
        fabric.flow(source, 0, "2MB")
    return fabric


def rows_of(table):
    return sorted((row["start_ns"], row["node"], row["port"], row["class"], row["duration_ns"])
                  for row in table)


def test_each_pause_is_in_the_tree_once(chain, tmp_path):
    results = chain.run(write_to=tmp_path, pause_tree=True)
    tree = results.pause_tree()
    assert rows_of(tree.pauses) == rows_of(results.pauses) and len(tree) > 10
    assert list(tree.pauses["id"]) == list(range(len(tree)))
    by_id = {row["id"]: row for row in tree.pauses}
    for row in tree.pauses:
        chain_of = tree.chain(row["id"])
        assert chain_of[-1]["id"] == row["root"] == by_id[row["root"]]["root"]
        assert [link["id"] for link in chain_of] == sorted((link["id"] for link in chain_of),
                                                           reverse=True)
    deepest = max(tree.pauses, key=lambda row: len(tree.chain(row["id"])))
    names = [results.port_name(row["node"], row["port"]) for row in tree.chain(deepest["id"])]
    assert names[0].startswith("host ") and names[1:] == ["leaf 1 port 4", "spine 0 port 0"]


def test_roots_edges_and_pictures(chain):
    tree = chain.run(keep=["pause-tree"], pause_tree=True).pause_tree()
    roots = tree.roots()
    assert roots[0]["what"] == "leaf 0 port 0 class 3" and roots[0]["cause"] == "queue"
    assert roots[0]["deepest"] == 3
    assert sum(roots["pauses"]) == len(tree)
    assert sum(roots["paused_s"]) == pytest.approx(sum(tree.pauses["duration_ns"]) / 1e9)
    assert sum(count for *_, count, _ in tree.edges()) == len(tree)
    assert "leaf 0 port 0 class 3 is congested" in str(tree)
    picture = xml.dom.minidom.parseString(tree.to_svg())
    assert len(picture.getElementsByTagName("rect")) == 3
    for dot in (tree.to_dot(), tree.to_dot(root=tree.pauses[0]["root"])):
        assert dot.startswith("digraph pauses {") and dot.count("{") == dot.count("}")
        if shutil.which("dot"):
            subprocess.run(["dot", "-Tsvg"], input=dot, text=True, check=True, capture_output=True)
    with pytest.raises(ValueError, match="pause 99999 is no root"):
        tree.to_dot(root=99999)
    with pytest.raises(ValueError, match="there is no pause -1"):
        tree.chain(-1)


def test_a_tree_must_be_asked_for(chain, tmp_path):
    results = chain.run(write_to=tmp_path)
    with pytest.raises(ValueError, match=r"there is no pause tree; run\(pause_tree=True"):
        results.pause_tree()
    with pytest.raises(TypeError, match="pause_tree is 'yes'; it must be True or False"):
        ll.Run(chain, pause_tree="yes")


def test_no_pauses_make_an_empty_tree(star):
    star.flow(0, 1, 1000)
    tree = star.run(keep=["pause-tree"], pause_tree=True).pause_tree()
    assert len(tree) == len(tree.roots()) == 0 and str(tree) == "0 pauses from 0 places"
    assert xml.dom.minidom.parseString(tree.to_svg()) and "digraph" in tree.to_dot()
