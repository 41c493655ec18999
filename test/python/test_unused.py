# SPDX-License-Identifier: GPL-2.0-only
"""What a user sets and a run does not use is named on one line."""

import lossless as ll


def run(capfd, fabric, **options):
    """What a short run of flows to host 0 writes to standard error."""
    for host in range(1, len(fabric.hosts)):
        fabric.flow(host, 0, 1000, **options)
    fabric.run(stop="100us", progress=False)
    return capfd.readouterr().err


def test_rules_of_border_policies_that_match_nothing_are_named_once(capfd):
    policy = ll.Part("BorderPolicy", rules="udp 4791 permit; tcp drop; any set dscp 0")
    assert run(capfd, ll.Fabric.leaf_spine(2, 1, 2, extensions=policy)) == (
        'lossless: warning: rule 2 "tcp drop" of ns3::BorderPolicy of leaf 0 and of 2 more has matched no frame; '
        "see what it asks for, Ports, and the rules before it\n")
