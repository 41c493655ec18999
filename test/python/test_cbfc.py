# SPDX-License-Identifier: GPL-2.0-only
"""Credits (CBFC) in place of PFC, and link-level retry, from a script."""

import pytest

import lossless as ll


def incast(**options):
    fabric = ll.Fabric.star(4, **options)
    for source in range(3):
        fabric.flow(source, 3, 300_000)
    results = fabric.run()
    assert results.totals["flows_completed"] == 3
    return fabric


def test_credits_take_the_place_of_pfc():
    fabric = incast(cbfc=[3])
    port = fabric.device(fabric.topology.hosts[0])
    credits = port.cbfc(3)
    assert credits["credits_consumed"] > 300_000 // 256
    assert credits["credits_used"] == 0 and credits["credits_lost"] == 0
    assert credits["cf_updates_received"] > 0
    assert credits["starved"].ns > 0
    assert port.pfc(3)["xoff_received"] == 0
    assert port.cbfc(4)["credits_consumed"] == 0


def test_a_port_without_credits_has_none():
    fabric = incast()
    port = fabric.device(fabric.topology.hosts[0])
    assert port.cbfc(3)["credits_consumed"] == 0 and port.cbfc(3)["starved"].ns == 0


def test_pfc_and_credits_exclude_each_other():
    with pytest.raises(ValueError, match="take it out of PfcClasses or of CbfcClasses"):
        ll.Fabric.star(4, cbfc=[3], lossless_classes=[3])


def test_link_level_retry_hides_errors():
    fabric = incast(link={"llr_enabled": True}, error_rate=1e-2)
    ports = [fabric.device(host) for host in fabric.topology.hosts]
    assert sum(port.llr()["replays"] for port in ports) > 0
    assert all(host.counters["retransmitted"] == 0 for host in fabric.hosts)
