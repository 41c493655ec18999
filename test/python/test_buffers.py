# SPDX-License-Identifier: GPL-2.0-only
"""Headroom tables, budgets of switches, and the check of the buffers of a fabric."""

import math

import pytest

import lossless as ll


def test_a_table_has_all_combinations():
    table = ll.headroom_table(["100Gbps", ll.Gbps(400)], 100, mtu=1496, reaction=["0s", ll.us(1)])
    assert list(table["bytes"]) == [38896, 69888, 131664, 255632]
    assert list(table["wire_bytes"])[:2] == [15660, 28160]
    assert table.units["bytes"] == "bytes" and table.units["cable_m"] == "m"
    assert list(table["standard_bytes"])[0] == 71596 and math.isnan(table["standard_bytes"][2])
    assert len(ll.headroom_table()) == 8 * 4
    assert ll.headroom_table("25Gbps", 15)["deployment_cells"][0] == 98


def test_a_budget_is_that_of_the_built_switch():
    budget = ll.buffer_budget([(4, "100Gbps", 200)], buffer="2MB", classes=2, guaranteed=2000)
    fabric = ll.Fabric.star(4, rate="100Gbps", delay="1us", buffer="2MB", lossless_classes=[3, 4],
                            mmu={"guaranteed_bytes": 2000})
    assert budget.fits and budget.missing == 0
    assert fabric.switches[0].mmu.threshold(0, 3) == budget.shared // 208 // 8 * 208
    assert budget.headrooms == [69888] and budget.headroom == 8 * 69888
    assert budget.guaranteed == 4 * 8 * 10 * 208
    assert budget.shared == 2000000 // 208 * 208 - budget.headroom - budget.guaranteed
    assert budget.shared_by_classes[2] == budget.shared
    assert budget.most_classes == len(budget.shared_by_classes) - 1
    assert budget.threshold(8) == int(budget.shared / 8 / (1 + 8 / 8))
    assert "shared" in str(budget) and str(budget.shared) in repr(budget)


def test_a_budget_that_does_not_fit():
    budget = ll.buffer_budget("4x100Gbps:200", buffer="100KB")
    assert not budget.fits and budget.shared == 0 and budget.most_classes == 0
    enough = ll.buffer_budget("4x100Gbps:200", buffer=100000 + budget.missing)
    assert enough.fits and enough.shared == 0
    assert "bytes short of" in str(budget)


def findings_of(fabric):
    """But for Kmin, which is 32 us of line rate by default: more than a round trip here."""
    return [finding for finding in fabric.check_buffers() if finding.rule != "kmin"]


def test_a_fabric_is_checked():
    fabric = ll.Fabric.leaf_spine(2, 2, 2)
    assert findings_of(fabric) == []
    fabric.at("leaf 0 port 0 class 3").set(**{"WredEcnMarker.kmin": "50MB",
                                              "WredEcnMarker.kmax": "50MB"})
    finding, = findings_of(fabric)
    assert (finding.rule, finding.place, finding.traffic_class) == ("ecn", "leaf 0 port 0", 3)
    assert str(finding) == f"leaf 0 port 0 class 3: {finding.what}; {finding.right}"
    assert finding.right.startswith("set Kmin there to ") and str(finding) in repr(finding)
    right = int(finding.right.split()[4])
    fabric.at(finding.place + " class 3").set(**{"WredEcnMarker.kmin": right})
    assert findings_of(fabric) == []


def test_a_finding_without_a_class():
    fabric = ll.Fabric.star(3, mmu={"shared_headroom_pool": 1000}, allow_lossy=True)
    finding, = findings_of(fabric)
    assert finding.rule == "pool" and finding.place == "leaf 0" and finding.traffic_class is None


@pytest.mark.parametrize("call, line", [
    (lambda: ll.headroom_table([]), "rates is empty; give one value or several"),
    (lambda: ll.headroom_table("100Gbps", 100001),
     "the length of the cable in metres is 100001; it must be 0 to 100000"),
    (lambda: ll.headroom_table("100Gbps", -1), "incompatible function arguments"),
    (lambda: ll.headroom_table("100Gbps", 1.5), "incompatible function arguments"),
    (lambda: ll.headroom_table("fast"), '"fast"'),
    (lambda: ll.headroom_table(reaction=5), "5"),
    (lambda: ll.buffer_budget([]), "a switch without ports; name at least one group of ports"),
    (lambda: ll.buffer_budget(3), "int"),
    (lambda: ll.buffer_budget([(1, 2)]), "not enough values"),
    (lambda: ll.buffer_budget("8x"), 'ports are "8x"; write number, rate and metres, such as '
                                     "32x100Gbps:100"),
    (lambda: ll.buffer_budget("1x1Gbps:1", classes=9), "9 lossless classes; a port has 8 classes"),
    (lambda: ll.buffer_budget("1x1Gbps:1", alpha="x"), "incompatible constructor arguments"),
    (lambda: ll.buffer_budget("1x1Gbps:1").threshold(0), "pairs is 0; it must be 1 or more"),
])
def test_what_is_wrong_is_refused(call, line):
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert line in str(error.value)
