# SPDX-License-Identifier: GPL-2.0-only
"""Trace sources: every one of this module, and those of the stock stack that scenarios meet."""

import signal
import subprocess
import sys

import pytest

import lossless as ll
from lossless._lossless import type_names, unknown_trace_sources

# What scenarios meet of ns-3's own types.
STOCK = {
    "TcpSocketBase": ["CongestionWindow", "CongestionWindowInflated", "SlowStartThreshold",
                      "BytesInFlight", "RTO", "RTT", "RWND", "AdvWND", "State", "CongState",
                      "EcnState", "NextTxSequence", "HighestSequence", "HighestRxSequence",
                      "HighestRxAck", "PacingRate", "Tx", "Rx", "EcnEchoSeq"],
    "PacketSink": ["Rx", "RxWithAddresses", "RxWithSeqTsSize"],
    "BulkSendApplication": ["Tx", "TxWithSeqTsSize"],
    "OnOffApplication": ["Tx", "TxWithAddresses", "TxWithSeqTsSize"],
    "UdpServer": ["Rx", "RxWithAddresses"],
    "UdpEchoClient": ["Tx", "Rx", "TxWithAddresses", "RxWithAddresses"],
    "UdpEchoServer": ["Rx", "RxWithAddresses"],
    "Ipv4L3Protocol": ["SendOutgoing", "UnicastForward", "LocalDeliver", "Tx", "Rx", "Drop"],
    "Ipv6L3Protocol": ["SendOutgoing", "LocalDeliver", "Tx", "Rx", "Drop"],
    "ArpL3Protocol": ["Drop"],
    "TcpDctcp": ["CongestionEstimate"],
    "FifoQueueDisc": ["Enqueue", "Dequeue", "Requeue", "Drop", "DropBeforeEnqueue",
                      "DropAfterDequeue", "Mark", "PacketsInQueue", "BytesInQueue", "SojournTime"],
    "CobaltQueueDisc": ["Count", "DropNext", "DropState", "Drop"],
    "CoDelQueueDisc": ["Count", "LastCount", "DropState", "DropNext"],
    "DropTailQueue<Packet>": ["Enqueue", "Dequeue", "Drop", "PacketsInQueue", "BytesInQueue"],
}


def test_every_trace_source_of_this_module_is_known():
    types = type_names("Lossless")
    assert len(types) > 60 and "ns3::QbbNetDevice" in types
    unknown = {name: unknown_trace_sources(name) for name in types}
    assert {name: sources for name, sources in unknown.items() if sources} == {}


def creatable(group):
    """Types of a group of which there can be objects."""
    for name in type_names(group):
        try:
            yield name, ll.create(name)
        except ValueError:
            continue  # abstract


def test_every_trace_source_of_this_module_can_be_connected():
    """What a source documents is what it has: ns-3 ends the program otherwise."""
    connected = 0
    for name, thing in creatable("Lossless"):
        for source in thing.trace_sources():
            thing.connect(source, print)
            thing.disconnect(source, print)
            connected += 1
    assert connected > 20


@pytest.mark.parametrize("type_name", STOCK)
def test_stock_trace_sources(type_name):
    thing = ll.create(type_name)
    for source in STOCK[type_name]:
        if source in thing.trace_sources():  # newer versions of ns-3 have more
            thing.connect(source, print)
            thing.disconnect(source, print)
    assert set(STOCK[type_name]) & set(thing.trace_sources())


def test_an_unknown_signature_is_named():
    with pytest.raises(TypeError, match="OutputTracedCallback"):
        ll.create("TimeSeriesAdaptor").connect("Output", print)


def test_wrong_number_of_parameters_names_the_source(star):
    star.device(1).connect("FrameTx", lambda: None)
    star.flow(1, 0, 1000)
    with pytest.raises(TypeError, match="QbbNetDevice::FrameTx calls it with 2 arguments"):
        star.run()


def test_disconnecting_while_called(star):
    """The list of callbacks that is being read stays as it is."""
    port, seen = star.device(1), []

    def once(device, frame):
        seen.append(frame)
        device.disconnect("FrameTx", once)
        device.disconnect("FrameTx", other)

    def other(*_):
        seen.append("other")

    def last(*_):
        calls.append(1)

    calls = []
    port.connect("FrameTx", once)
    port.connect("FrameTx", other)
    port.connect("FrameTx", last)
    star.flow(1, 0, 100000)
    star.run()
    assert len(seen) == 1 and len(calls) > 90


def test_frames_that_are_kept_stay_as_they_were(star):
    kept, numbers = [], []

    def keep(_, frame):
        numbers.append(frame.psn)
        if frame.psn % 3 == 0:
            kept.append(frame)

    star.device(1).connect("FrameTx", keep)
    star.flow(1, 0, 100000)
    star.run()
    assert len(numbers) > 90
    assert [frame.psn for frame in kept] == [number for number in numbers if number % 3 == 0]
    assert len({id(frame) for frame in kept}) == len(kept)


def test_packets(star):
    sizes, first = [], []

    def sniff(packet):
        sizes.append(packet.size)
        if not first:
            first.append(packet)

    star.device(1).connect("Sniffer", sniff)
    star.flow(1, 0, 10000)
    star.run()
    assert len(sizes) > 10 and len(first[0].to_bytes()) == len(first[0]) == sizes[0]


def test_values(star):
    pairs = [star.connect(source, 0, congestion_control=ll.Dcqcn())[0] for source in (1, 2, 3)]
    rates, done = [], []
    for pair in pairs:
        pair.connect("Rate", rates.append)
        pair.connect("RequestCompleted", done.append)
        pair.post("write", "10MB")
    ll.Simulator.run()
    assert rates and all(0 < rate <= 1e11 for rate in rates)
    assert [completion.bytes for completion in done] == [10**7] * 3


def test_ns3_ends_the_program_with_a_line_of_python(tmp_path):
    """A check of ns-3's own in the midst of a run: a random variable that has no values."""
    script = tmp_path / "abort.py"
    script.write_text("import lossless as ll\n"
                      "fabric = ll.Fabric.star(2)\n"
                      "empty = ll.create('EmpiricalRandomVariable')\n"
                      "fabric.device(0).receive_error_model = ll.create('RateErrorModel',\n"
                      "    ran_var=empty, error_rate=0.1)\n"
                      "fabric.flow(1, 0, 1000)\n"
                      "def go():\n"
                      "    fabric.run()\n"
                      "go()\n")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert result.returncode == -signal.SIGABRT, result
    assert f'File "{script}", line 8' in result.stderr and "CDF is not initialized" in result.stderr


def test_text_that_nobody_keeps(star):
    """A callable gets text as str, each time anew."""
    seen = []
    star.faults.on_fault(lambda when, what, where, begins: seen.append(len(what) * len(where) > 0))
    star.faults.flap_link(0, "1us", "1us", "2us", 10)
    star.flow(1, 2, "1MB")
    star.run()
    assert seen == [True] * 20
