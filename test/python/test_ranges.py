# SPDX-License-Identifier: GPL-2.0-only
"""Whole numbers that are out of range are refused with their range, and masks with an example."""

import pytest

import lossless as ll


@pytest.mark.parametrize("call, text", [
    (lambda: ll.Fabric.star(2).flow(0, 1, 1000, udp_port=70000),
     "70000 is too large; it must be at most 65535"),
    (lambda: ll.Fabric.star(2).flow(0, 1, 1000, traffic_class=300),
     "300 is too large; it must be at most 255"),
    (lambda: ll.Fabric.star(2**40), f"{2**40} is too large; it must be at most {2**32 - 1}"),
    (lambda: ll.Fabric.star(2).flow(0, 1, 1000, start="5 parsecs"), None),
    (lambda: ll.Fabric.star(2, link={"pfc_classes": "3,4"}),
     'ns3::QbbNetDevice::PfcClasses is "3,4"; it must be a whole number from 0 to 255, one bit for each class, such '
     "as 8 for class 3, or 24 for classes 3 and 4"),
    (lambda: ll.Fabric.star(2, link={"pfc_classes": 300}),
     'ns3::QbbNetDevice::PfcClasses is "300"; it must be a whole number from 0 to 255, one bit for each class, such '
     "as 8 for class 3, or 24 for classes 3 and 4"),
    (lambda: ll.Fabric.star(2, extensions=ll.Part("PfcWatchdog", ports="1-3")),
     'ns3::PfcWatchdog::Ports is "1-3"; it must be a whole number, 0 or more, one bit for each port, such as 8 for '
     "port 3, or 24 for ports 3 and 4"),
    (lambda: ll.Fabric.star(2, queue_pair={"udp_port": "x"}),
     'ns3::RdmaQueuePair::UdpPort is "x"; it must be a whole number from 0 to 65535'),
    (lambda: ll.Fabric.star(2, queue_pair={"window": "x"}),
     'ns3::RdmaQueuePair::Window is "x"; it must be a size such as 1500, 64KiB or 32MiB'),
])
def test_whole_numbers_say_their_range(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text is None and "5 parsecs" in str(error.value) or str(error.value) == text


def test_values_of_enumerations_are_listed():
    with pytest.raises(ValueError) as error:
        ll.Fabric.star(2, at={"hosts": {"class_map": ll.Part("TrafficClassMap", trust="Pcp")}})
    assert str(error.value) == (
        'ns3::TrafficClassMap::Trust is "Pcp"; it must be one of Untrusted, Dot1p, Dscp')
