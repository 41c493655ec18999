# SPDX-License-Identifier: GPL-2.0-only
"""MRC: queue pairs over planes, their entropy values, and mrc.csv."""

import pytest

import lossless as ll


def planes(**options):
    return ll.Fabric.multi_plane(2, 2, 2, 2, mrc="12us", delay="500ns", **options)


def test_a_flow_over_two_planes_has_the_rate_of_both(tmp_path):
    fabric = planes()
    fabric.flow(0, 3, "10MB")
    results = fabric.run(write_to=tmp_path)
    flow = results.flows
    assert flow["slowdown"][0] == pytest.approx(1, abs=0.02)
    assert 10e6 * 8 / flow["fct_s"][0] == pytest.approx(200e9 * 4096 / 4222, rel=0.03)
    table = results.table("mrc")
    assert list(table["node"]) == [0, 3], "hosts that had a queue pair of MRC"
    assert [sent > 0 for sent in table["sacks_sent"]] == [False, True], "the receiver's"


def test_a_run_without_mrc_has_no_table(star, tmp_path):
    star.flow(0, 1, 1000)
    star.run(write_to=tmp_path)
    assert not (tmp_path / "mrc.csv").exists()


def test_the_rows_of_hosts_are_sums_of_counters():
    fabric = planes()
    pairs = [end for source in (0, 1) for end in fabric.connect(source, 3)]

    def post():
        for pair in pairs[::2]:
            pair.post("write", "1MB")

    def sums():
        counters = [pair.transport.counters for pair in pairs]
        at_3 = {name: counters[1][name] + counters[3][name] for name in counters[0]}
        return [counters[0], counters[2], at_3]

    def rows():
        post()
        table = fabric.run(stop="1ms", stop_when_done=False, keep=["mrc"]).table("mrc")
        return [{name: value for name, value in row.items() if name != "node"} for row in table]

    first, counted = rows(), sums()
    assert first == counted and first[2]["sacks_sent"] > 2
    second = rows()
    assert second == [{name: end - begin[name] for name, end in row.items()}
                      for row, begin in zip(sums(), counted)], "of the second run alone"


def test_queue_pairs_that_have_gone_count():
    fabric = planes()
    for _ in range(5):
        fabric.flow(0, 3, 4096)
    table = fabric.run(keep=["mrc"]).table("mrc")
    assert fabric.hosts[3].n_queue_pairs == 0 and table["sacks_sent"][1] == 5


def test_keywords_change_parts_of_mrc():
    fabric = planes(queue_pair={"transport": ll.Part("RdmaMrc", evs=64, active=32, base_rtt="12us"), "mtu": 1024})
    pair, _ = fabric.connect(0, 3)
    assert pair.mtu == 1024 and pair.transport.evs == 64
    by_name = ll.Fabric.star(2, lossless_classes=[], queue_pair={"transport": "RdmaMrc"},
                             congestion_control=ll.Nscc())
    assert by_name.connect(0, 1)[0].transport.n_planes == 1
    with pytest.raises(ValueError, match="class 3 has PFC"):
        planes(lossless_classes=[3]).connect(0, 3)
    with pytest.raises(ValueError, match="base RTT"):
        ll.Fabric.star(2, mrc="0s")


def test_reliable_connections_have_no_transport_object(star):
    assert star.connect(0, 1)[0].transport is None


def test_entropy_values_are_read_and_denied():
    fabric = planes(queue_pair={"transport": ll.Part("RdmaMrc", evs=16, active=8, base_rtt="12us")})
    pair, _ = fabric.connect(0, 3)
    mrc = pair.transport
    assert mrc.n_planes == 2 and mrc.plane_evs(0) == {"values": [], "states": [], "slots": [], "backups": []}
    mrc.set_denied(0, 2)
    evs = mrc.plane_evs(0)
    assert len(set(evs["values"])) == 8 and evs["states"] == ["GOOD"] * 2 + ["DENIED"] + ["GOOD"] * 5
    assert sorted(evs["slots"]) == [0, 1, 3, 4] and evs["backups"] == [5, 6, 7]
    mrc.set_denied(0, 2, deny=False)
    assert mrc.plane_evs(0)["backups"] == [5, 6, 7, 2]
    assert mrc.plane_evs(1)["states"] == ["GOOD"] * 8
    for wrong in (lambda: mrc.plane_evs(2), lambda: mrc.set_denied(2, 0)):
        with pytest.raises(IndexError, match="plane 2; the queue pair has 2"):
            wrong()
    with pytest.raises(ValueError, match="no entropy value 8 in plane 0"):
        mrc.set_denied(0, 8)


def test_a_controller_denies_links():
    fabric = ll.Fabric.multi_plane(2, 2, 2, 2, mrc="12us")
    controller = ll.MrcController(fabric)
    pair, _ = fabric.connect(0, 3)
    pair.post("write", "64KiB")
    all_good = pair.transport.plane_evs(0)["states"]
    assert set(all_good) == {"GOOD"} and len(all_good) == 128
    link = ("leaf 0", "spine 0")
    controller.deny(link)
    denied = pair.transport.plane_evs(0)["states"].count("DENIED")
    assert 40 < denied < 88 and set(pair.transport.plane_evs(1)["states"]) == {"GOOD"}
    controller.allow(link)
    assert pair.transport.plane_evs(0)["states"] == all_good
    controller.deny_known()
    assert pair.transport.plane_evs(0)["states"] == all_good
    with pytest.raises(IndexError, match="spine 9"):
        controller.deny(("leaf 0", "spine 9"))


@pytest.mark.parametrize("ev_format, named", [("stev", lambda plane, ev: ev >> 30), ("srv6", lambda plane, ev: ev - (plane << 16))])
def test_entropy_values_name_paths(ev_format, named):
    fabric = ll.Fabric.multi_plane(2, 2, 4, 4, mrc="12us", ev_format=ev_format, delay="500ns")
    pair, _ = fabric.connect(0, 7)
    mrc = pair.transport
    mrc.set_denied(0, 0)
    for plane in range(2):
        assert {named(plane, ev) for ev in mrc.plane_evs(plane)["values"]} == {0, 1, 2, 3}
    with pytest.raises(ValueError, match="before the first request"):
        mrc.set_evs(0, [1])
    fabric.flow(0, 7, "1MB")
    flow = fabric.run().flows
    assert flow["slowdown"][0] == pytest.approx(1, abs=0.05)


def test_entropy_values_are_given():
    fabric = planes()
    pair, _ = fabric.connect(0, 3)
    pair.transport.set_evs(1, [7, 9, 8])
    pair.post("write", "1MB")
    assert pair.transport.plane_evs(1)["values"] == [7, 9, 8]
    assert len(pair.transport.plane_evs(0)["values"]) == 128
    with pytest.raises(IndexError, match="plane 2; the queue pair has 2"):
        pair.transport.set_evs(2, [1])


def test_formats_of_entropy_values_that_cannot_be():
    with pytest.raises(ValueError, match="it must be udp, stev or srv6"):
        planes(ev_format="hash")
    with pytest.raises(TypeError, match="give mrc= too"):
        ll.Fabric.star(2, ev_format="srv6")
    with pytest.raises(ValueError, match="take IPv6"):
        planes(ev_format="srv6", ip_version=4).connect(0, 3)
    with pytest.raises(ValueError, match="3 tiers"):
        ll.Fabric.fat_tree(4, mrc="12us", ev_format="srv6")
