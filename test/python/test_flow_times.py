# SPDX-License-Identifier: GPL-2.0-only
"""Where the time of a flow went: parts that add up to its FCT."""

import pytest

import lossless as ll


def explained(fabric, flows, **options):
    return fabric.run(keep=["flow-hops", "pause"], explain=flows, **options)


def parts_of(results, flow):
    """The parts of a flow, which add up to its FCT."""
    times = results.explain(flow)
    fct = next(row["fct_s"] for row in results.flows if row["index"] == flow)
    assert times.fct_s == pytest.approx(fct, abs=1e-9)
    assert sum(times.parts().values()) == pytest.approx(fct, abs=1e-9)
    assert all(ns >= 0 for ns in times.last["ns"])
    assert all(0 <= row["paused_ns"] <= row["ns"] + 1e-3 for row in times.last)
    return times.parts()


def test_a_flow_of_one_frame_by_hand(star):
    star.flow(0, 1, 1000)
    results = explained(star, [0])
    parts = parts_of(results, 0)
    # 1000 bytes of payload, 16 of RETH, and 78 of Ethernet, IP, UDP, BTH, ICRC, preamble and gap.
    line = (1000 + 16 + 18 + 20 + 8 + 12 + 4 + 20) * 8 / 100
    assert [(row["part"], row["node"], row["ns"]) for row in results.explain(0).last
            if row["ns"]] == [("line", 0, pytest.approx(1000 + line, abs=0.1)),
                              ("line", 4, pytest.approx(1000 + line, abs=0.1)),
                              ("back", -1, pytest.approx(2000 + 2 * (66 + 20) * 8 / 100, abs=10))]
    assert parts["queue"] == parts["paused_in_queue"] == parts["sending"] == 0
    assert list(results.explain(0).mean["part"]) == ["line", "queue", "line"]


@pytest.mark.parametrize("threads", [None, 1])
def test_paused_flows_of_a_chain(threads):
    fabric = ll.Fabric.leaf_spine(2, 1, 4, buffer="1MiB", congestion_control=None)
    for source in (4, 5, 6, 7, 1):
        fabric.flow(source, 0, "2MB")
    results = explained(fabric, [0, 1, 2, 3, 4], threads=threads)
    for flow in range(5):
        parts = parts_of(results, flow)
        assert parts["paused"] > 10e-6 and parts["queue"] > 1e-6
        assert parts["sending"] == pytest.approx(2e6 * 8 / 1e11, rel=0.1)
        assert parts["paced"] == parts["window"] == 0
    assert parts_of(results, 0)["paused_in_queue"] + parts_of(results, 1)["paused_in_queue"] > 0
    host = fabric.topology.hosts[4]
    paused = sum(row["duration_ns"] for row in results.pauses if row["node"] == host) / 1e9
    assert parts_of(results, 0)["paused"] == pytest.approx(paused, rel=0.05)
    assert "was paused by PFC" in str(results.explain(0))


@pytest.mark.parametrize("control, part", [(ll.FixedRate(rate="10Gbps"), "paced"),
                                           (ll.FixedWindow(window=8000), "window")])
def test_what_holds_a_source(control, part):
    fabric = ll.Fabric.star(4, congestion_control=control)
    fabric.flow(0, 1, "1MB")
    results = explained(fabric, [0])
    parts = parts_of(results, 0)
    assert parts[part] > 0.5 * results.explain(0).fct_s, parts
    assert {"paced", "window", "paused"} - {part} and all(
        parts[other] < 0.05 * parts[part] for other in {"paced", "window", "paused"} - {part})


def test_losses_and_several_paths_add_up():
    fabric = ll.Fabric.leaf_spine(2, 2, 4, buffer="2MiB", congestion_control=ll.Dcqcn())
    fabric.incast(5, 0, "300kB")
    fabric.faults.cut_link(8, "20us", "60us")  # leaf 0 to spine 0
    results = explained(fabric, range(5), stop="50ms")
    done = {row["index"] for row in results.flows if row["status"] == 0}
    assert done
    for flow in done:
        parts_of(results, flow)


def test_mistakes_are_one_line(star):
    star.flow(0, 1, 1000)
    results = explained(star, [0, 9])
    with pytest.raises(ValueError, match="flow 9 was not explained, or has not completed; there are: 0"):
        results.explain(9)
    star.flow(0, 1, 1000, verb="read")
    with pytest.raises(ValueError, match="flow 0 was not explained"):
        explained(star, [0]).explain(0)
    star.flow(0, 1, 1000)
    with pytest.raises(ValueError, match=r"no flow was explained; run\(explain="):
        star.run().explain(0)
    star.flow(0, 1, 1000)
    with pytest.raises(TypeError, match="explain has 'x'; it must be a list of numbers"):
        star.run(explain=["x"])
    with pytest.raises(ValueError, match="several threads cannot run explanation of flows"):
        star.run(explain=[0], threads=2, keep=["flow-hops"])


def test_nothing_else_changes(tmp_path):
    texts = []
    for options in ({}, {"explain": [0, 3], "pause_tree": True, "link_load": True}):
        fabric = ll.Fabric.leaf_spine(2, 2, 4, buffer="1MiB")
        fabric.incast(6, 0, "200kB")
        folder = tmp_path / str(len(texts))
        fabric.run(write_to=folder, seed=1, run=1, **options)
        texts.append({name: (folder / name).read_text() for name in (
            "fct.csv", "pause.csv", "pfc.csv", "queue.csv", "throughput.csv", "topology.json")})
        ll.Simulator.destroy()
    assert texts[0] == texts[1]
