# SPDX-License-Identifier: GPL-2.0-only
"""Watchdogs, deadlocks and faults from Python."""

import pytest

import lossless as ll


def storm(action="Drop"):
    """A NIC that sends PAUSE for ever from 1 ms on, and what the watchdog of its switch sees."""
    fabric = ll.Fabric.star(4, congestion_control=None)
    states = []
    watchdog, = fabric.watch_switches(dialect="ns3::H3cStorm", time_scale=0.01, action=action)
    watchdog.connect("State", lambda *change: states.append((ll.Simulator.now(), *change)))
    fabric.faults.storm_host(0, "1ms", "3ms")
    fabric.flow(1, 0, "1MB", "950us")
    fabric.flow(2, 3, "40MB")
    return fabric, watchdog, states


def test_a_watchdog_sees_a_storm():
    fabric, watchdog, states = storm()
    results = fabric.run(stop="20ms")
    when, port, traffic_class, before, after = states[0]
    assert (port, traffic_class) == (0, 3)
    assert (before, after) == (ll.PfcQueueState.OPERATIONAL, ll.PfcQueueState.STORMED)
    # 1 ms of detection after the PAUSE, which needs a frame's time and the cable.
    assert ll.Time("2ms") < when < ll.Time("2.01ms")
    assert watchdog.totals["storms"] >= 1 and watchdog.totals["queue_drops"] > 0
    assert results.totals["drops_watchdog"] > 0
    assert [(row["what"], row["begins"]) for row in results.faults] == [("stuck-xoff", True),
                                                                        ("stuck-xoff", False)]


def test_a_stuck_run_ends_and_says_why():
    fabric = ll.Fabric.star(3, congestion_control=None)
    fabric.faults.storm_host(0, "10us")
    fabric.flow(1, 0, "10MB")
    results = fabric.run(patience="2ms")
    assert results.end == "stuck" and ll.Simulator.now() < ll.Time("6ms")
    unfinished, = results.unfinished
    assert unfinished.index == 0 and "paus" in unfinished.reason


def test_slow_receiver():
    fabric = ll.Fabric.star(2, rate="40Gbps", congestion_control=None)
    fabric.faults.slow_receiver(0, "0us", region_bytes="16MiB")
    fabric.flow(1, 0, "100MB")
    seconds = fabric.run().flows["fct_s"][0]
    # Half of the packets wait 1 us for a translation: 13.0 Gb/s.
    assert 100e6 * 8 / seconds / 1e9 == pytest.approx(13.0, rel=0.02)


def test_prevention_and_dependencies():
    fabric = ll.Fabric.leaf_spine(2, 2, 2, lossless_classes=[3, 4])
    assert not fabric.dependency_graph().has_cycle
    detector = fabric.detect_deadlocks(action="Stop", period="100us")
    fabric.prevent_deadlocks("tagger", [3, 4])
    fabric.all_to_all("1MB")
    fabric.run()
    assert detector.deadlocks == []


def deadlocked_ring():
    graph = ll.Topology()
    hosts = [graph.add_host() for _ in range(8)]
    switches = [graph.add_switch() for _ in range(4)]
    for i in range(8):
        graph.add_link(hosts[i], switches[i // 2], rate="40Gbps", delay="1us")
    for i in range(4):
        graph.add_link(switches[i], switches[(i + 1) % 4], rate="40Gbps", delay="1us")
    fabric = ll.Fabric.from_topology(graph, congestion_control=None, buffer="2MiB")
    for i in range(8):
        for k in (3, 4):
            fabric.flow(i, (i + k) % 8, "20MB")
    return fabric


@pytest.mark.parametrize("when", ["0.05ms", "0.6ms", "2ms", None])
def test_a_detector_that_comes_late_sees_pauses_in_force(when):
    fabric = deadlocked_ring()
    if when:
        ll.Simulator.schedule(when, lambda: fabric.detect_deadlocks(period="100us", action="Stop"))
    else:  # between two runs
        fabric.run(stop="2ms")
        fabric.detect_deadlocks(period="100us", action="Stop")
        fabric.flow(0, 4, "1MB")
    results = fabric.run(stop="10ms")
    assert results.end == "deadlock" and results.totals["deadlocks"] == 1
    assert results.totals["sim_seconds"] < 0.004


def test_a_deadlock_stays_open_in_the_next_run():
    fabric = deadlocked_ring()
    fabric.detect_deadlocks(period="100us")
    found = []
    for _ in range(2):
        results = fabric.run(stop="3ms")
        found.append((results.totals["deadlocks"], results.totals["deadlocks_open"]))
        fabric.flow(0, 4, "1MB")
    assert found == [(1, 1), (0, 1)]
    assert "Deadlocks: 0, and 1 of before, not broken" in results.summary()


def lost(others):
    """Which frames are lost, if others draw random numbers, too."""
    fabric = ll.Fabric.star(2)
    for _ in range(others):
        ll.FlowSizes("websearch").sample(3)
    fabric.faults.lose_frames(2, 0, ll.Part("RandomFrameLoss", rate=0.01), "0s")
    seen = []
    fabric.device(2).connect("Drop", lambda _, frame, reason: seen.append(frame.psn))
    fabric.flow(1, 0, "1MB")
    fabric.run(stop="5ms")
    ll.Simulator.destroy()
    return seen


def test_lost_frames_follow_the_streams_of_the_run():
    first = lost(0)
    assert len(first) > 3 and lost(5) == first


@pytest.mark.parametrize("action, error, text", [
    (lambda f: f.watch_nics(time_scale=-1), ValueError, "TimeScale"),
    (lambda f: f.watch_nics(dialect=1), AttributeError, "NicWatchdog"),
    (lambda f: f.watch_switches([9]), IndexError, "switch 9"),
    # What only PfcWatchdog::Check() sees, with the switch.
    (lambda f: [f.watch_switches() for _ in range(2)], ValueError, "another one acts on port"),
    (lambda f: f.prevent_deadlocks("hope", [3]), ValueError, "tagger"),
    (lambda f: f.faults.lose_frames(0, 0, ll.Part("RdmaDcqcn"), "1us"), ValueError, "FrameLoss"),
])
def test_what_is_wrong_is_said(action, error, text):
    with pytest.raises(error) as caught:
        action(ll.Fabric.leaf_spine(2, 1, 2))
    assert text in str(caught.value) and "\n" not in str(caught.value)
