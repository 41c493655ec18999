# SPDX-License-Identifier: GPL-2.0-only
"""What a fabric may lose is found before a run, and what it has lost is found at its end: (value ->
rule, place), and the rows of lost.csv."""

import pytest

import lossless as ll


def found(results, rule):
    """(place, class) of the findings of a rule; no class: None."""
    table = results.findings
    return [(place, None if cls != cls else int(cls))
            for one, place, cls in zip(table["rule"], table["place"], table["class"]) if one == rule]


def lost(results):
    """Frames of lost.csv, by reason."""
    frames = {}
    table = results.table("lost")
    for reason, count in zip(table["reason"], table["frames"]):
        frames[reason] = frames.get(reason, 0) + count
    return frames


def what(results, rule):
    """The text of the only finding of a rule; none: empty."""
    texts = [text for one, text in zip(results.findings["rule"], results.findings["what"]) if one == rule]
    assert len(texts) <= 1
    return texts[0] if texts else ""


def run(fabric, **options):
    return fabric.run(progress=False, keep=["lost"], **options)


def leaves(*rules, **options):
    """Two leaves and two spines, whose switches have border policies."""
    return ll.Fabric.leaf_spine(2, 2, 4, buffer="2MB", extensions=[
        ll.Part("BorderPolicy", rules=rule) for rule in rules], **options)


@pytest.mark.parametrize("rules, rule", [
    (["udp 4791 set dscp 0"], "map"), (["tcp drop", "udp 4791 set dscp 0"], "map"),
    (["from 10.0.0.0/8 set dscp 0"], "")])  # no check sees what depends on addresses
def test_policies_that_make_rdma_lossy(rules, rule, capfd):
    fabric = leaves(*rules)
    fabric.incast(7, 0, "2MB")
    results = run(fabric, stop="5ms")
    assert {cls for _, cls in found(results, "map")} == ({3} if rule else set())
    drops = results.totals["lossy_drops"] + results.totals["lossless_drops"]
    assert drops > 0 and sum(lost(results).values()) == drops
    assert what(results, "lost").startswith(f"{drops} frames lost: ")
    assert capfd.readouterr().err.count("frames lost: ") == 1


def test_a_second_run_counts_its_own():
    fabric = leaves("from 10.0.0.0/8 set dscp 0")
    fabric.incast(7, 0, "2MB")
    first = run(fabric, stop="5ms")
    fabric.flow(0, 1, 1000)
    second = run(fabric)
    assert lost(first) and found(first, "lost") == [("", None)]
    assert not lost(second) and not found(second, "lost")


@pytest.mark.parametrize("options", [{"allow_lossy": True}, {"lossless_classes": []}])
def test_a_fabric_that_is_meant_to_lose_frames_may(options):
    fabric = leaves("from 10.0.0.0/8 set dscp 0", **options)
    fabric.incast(7, 0, "2MB")
    results = run(fabric, stop="5ms")
    assert lost(results) and not found(results, "lost")


@pytest.mark.parametrize("cls, use", [(cls, use) for cls in (1, 3) for use in (
    lambda f, cls: f.flow(0, 1, 1000, traffic_class=cls),
    lambda f, cls: f.connect(0, 1, traffic_class=cls)[0].post("write", 1000),
    lambda f, cls: f.storage_server(0, [1], "0s", "50us", traffic_class=cls),
    lambda f, cls: f.ping_mesh("0s", "50us", traffic_class=cls))])
def test_a_class_without_pfc(cls, use, star):
    for _ in range(2):
        use(star, cls)
        results = run(star, stop="100us", stop_when_done=False)
        assert found(results, "lossy") == ([("", 1)] if cls == 1 else [])


SHORT_PAUSE = {"pfc_quanta": 2, "pfc_refresh_interval": "1ms"}
CHANGES = {  # what is set: the rule, and one place
    "one end": (lambda f: f.at("leaf").set(lossless_classes=[]), "pfc", "leaf 0 port 1 class 3"),
    "quanta": (lambda f: f.at("all").set(port=SHORT_PAUSE), "refresh", "leaf 0 port 1"),
    "a port": (lambda f: f.switches[0].ports[0].set(**SHORT_PAUSE), "refresh", "leaf 0 port 0"),
    "object": (lambda f: f.switches[0].mmu.set_lossless(2, 3, 1000), "headroom", "leaf 0 port 2 class 3"),
    "headroom": (lambda f: f.at("leaf 0 port 1").set(headroom=1000), "headroom", "leaf 0 port 1 class 3"),
    "mtu": (lambda f: f.at("leaf").set(port={"mtu": 600}), "mtu", "leaf 0 port 0"),
    "class map": (lambda f: f.at("leaf 0").set(class_map=ll.Part("TrafficClassMap", dscp="24:0")), "map", "leaf 0 port 0"),
    "alpha": (lambda f: f.at("leaf").set(alpha=1 / 4), "", ""),
}


@pytest.mark.parametrize("name", sorted(CHANGES))
@pytest.mark.parametrize("during", [False, True])
@pytest.mark.parametrize("allow_lossy", [False, True])
def test_what_may_lose_frames(name, during, allow_lossy):
    change, rule, place = CHANGES[name]
    fabric = ll.Fabric.leaf_spine(2, 1, 2, congestion_control=None, allow_lossy=allow_lossy)
    fabric.incast(3, 0, "200kB")
    if during:
        ll.Simulator.schedule("5us", change, fabric)
    elif name == "mtu":
        return  # the run refuses it
    else:
        change(fabric)
    results = run(fabric, stop="30us")
    places = {text + ("" if cls is None else f" class {cls}") for text, cls in found(results, rule)}
    assert (place in places) == (bool(rule) and not allow_lossy), results.findings.columns
    assert set(results.findings["rule"]) <= {rule, "lost", "lossy", "timeout", "pfc"}


def test_a_cut_is_meant_to_lose_frames(star):
    star.flow(0, 1, "1MB")
    star.faults.cut_link(1, "20us", "10us")
    results = run(star)
    assert lost(results)["link-down"] > 0 and not found(results, "lost") and not found(results, "timeout")


@pytest.mark.parametrize("attributes, reason", [({"initial_ttl": 1}, "ttl-expired")])
def test_data_without_a_way(attributes, reason):
    fabric = ll.Fabric.leaf_spine(2, 2, 2)
    fabric.flow(0, 3, "100kB", **attributes)
    results = run(fabric, stop="1ms")
    assert what(results, "lost") == f"{lost(results)[reason]} frames lost: {reason} {lost(results)[reason]}"
    places = set(results.table("lost")["place"])
    assert places and all(place.startswith(("leaf", "spine")) for place in places)


@pytest.mark.parametrize("traffic_class, is_found", [(3, True), (0, False)])
def test_host_queues_that_overflow(star, traffic_class, is_found):
    star.udp(1, 0, rate="300Gbps", stop="200us", traffic_class=traffic_class)
    results = run(star, stop="300us")
    assert lost(results)["host-queue-full"] > 0
    assert bool(found(results, "lost")) == is_found
    assert set(results.table("lost")["content"]) == {"ip"}


def test_timeouts_without_a_loss():
    fabric = ll.Fabric.star(4, congestion_control=None, queue_pair={"retransmit_timeout": "10us"})
    fabric.incast(2, 0, "1MB")
    fabric.flow(3, 0, 1000, start="30us")
    assert "retransmission timeouts" in what(run(fabric), "timeout")


def test_a_strict_run_fails_with_its_results(star, tmp_path):
    star.flow(0, 1, 1000)
    star.flow(0, 1, 1000, start="5ms")
    late = ll.Run(star, "1ms", strict=True, write_to=tmp_path)
    with pytest.raises(ValueError, match="the run is strict"):
        late.execute()
    assert found(late.results, "late") == [("", None)]
    assert (tmp_path / "findings.csv").read_text().splitlines()[1].startswith("late,,,")
    assert '"findings": {"late": 1}' in (tmp_path / "summary.json").read_text()
