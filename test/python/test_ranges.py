# SPDX-License-Identifier: GPL-2.0-only
"""Whole numbers that are out of range are refused with their range, and masks with an example."""

import pytest

import lossless as ll


@pytest.mark.parametrize("call, text", [
    (lambda: ll.Fabric.star(2).flow(0, 1, 1000, udp_port=70000),
     "udp_port is 70000; it must be a whole number from 0 to 65535"),
    (lambda: ll.Fabric.star(2).flow(0, 1, 1000, traffic_class=300),
     "traffic_class is 300; it must be a whole number from 0 to 255"),
    (lambda: ll.Fabric.star(2**40), f"hosts is {2**40}; it must be a whole number from 0 to {2**32 - 1}"),
    (lambda: ll.Fabric.star(2).incast(1, 0, 1000, repeats=2**32),
     f"repeats is {2**32}; it must be a whole number from 0 to {2**32 - 1}"),
    (lambda: ll.Fabric.star(2).udp(0, 1, "1Gbps", traffic_class=300),
     "traffic_class is 300; it must be a whole number from 0 to 255"),
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
    assert str(error.value) == text


@pytest.mark.parametrize("call, text", [
    (lambda: ll.Fabric.star(2).flow(0, 1, 1000, start=5), 'start is 5; it must have a unit, such as "5us"'),
    (lambda: ll.Fabric.star(2).flow(0, 1, 1000, traffic_class=3.0), "traffic_class is 3.0; it must be a whole number"),
    (lambda: ll.Fabric.star(2).switches[0].mmu.set_static_threshold(0, 3, "10KB"),
     "bytes is '10KB'; it must be a whole number"),
    (lambda: ll.Fabric.star(2).switches[0].add_extension(ll.Part("BorderPolicy", rules="any permit")),
     "it takes (extension: SwitchExtension); ll.create() makes the object that a Part describes"),
])
def test_arguments_of_other_types_are_named(call, text):
    with pytest.raises(TypeError) as error:
        call()
    assert str(error.value).endswith(text) and "\n" not in str(error.value)


def test_values_of_enumerations_are_listed():
    with pytest.raises(ValueError) as error:
        ll.Fabric.star(2, at={"hosts": {"class_map": ll.Part("TrafficClassMap", trust="Pcp")}})
    assert str(error.value) == (
        'ns3::TrafficClassMap::Trust is "Pcp"; it must be one of Untrusted, Dot1p, Dscp')
