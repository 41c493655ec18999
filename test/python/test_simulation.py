# SPDX-License-Identifier: GPL-2.0-only
"""Callables in a simulation: events, traces, exceptions, lifetimes."""

import gc
import signal
import subprocess
import sys
import threading
import time
import weakref

import pytest

import lossless as ll


def test_events():
    seen = []
    ll.Simulator.schedule("2us", seen.append, "second")
    ll.Simulator.schedule("1us", lambda: seen.append(ll.Simulator.now()))
    cancelled = ll.Simulator.schedule("3us", seen.append, "never")
    assert cancelled.is_pending
    cancelled.cancel()
    ll.Simulator.run()
    assert seen == [ll.Time("1us"), "second"]
    assert not cancelled.is_pending


def test_stop():
    seen = []
    ll.Simulator.schedule("5us", seen.append, 1)
    ll.Simulator.stop("2us")
    ll.Simulator.run()
    assert not seen and ll.Simulator.now() == ll.Time("2us")


def test_an_exception_stops_the_run_and_is_raised():
    seen = []

    def bad():
        raise KeyError("of mine")

    ll.Simulator.schedule("1us", bad)
    ll.Simulator.schedule("2us", seen.append, 1)
    with pytest.raises(KeyError, match="of mine"):
        ll.Simulator.run()
    assert not seen and ll.Simulator.now() == ll.Time("1us")
    ll.Simulator.run()  # goes on
    assert seen == [1]


def test_running_twice_at_once_is_refused():
    errors = []

    def nested():
        for action in (ll.Simulator.run, ll.Simulator.destroy):
            try:
                action()
            except RuntimeError as error:
                errors.append(str(error))

    ll.Simulator.schedule("1us", nested)
    ll.Simulator.run()
    assert len(errors) == 2 and all("runs" in error for error in errors)


def test_interrupt_without_callables():
    """Ctrl-C, by another process, while nothing of Python is called."""
    code = ("import lossless as ll\n"
            "f = ll.Fabric.star(4)\n"
            "f.all_to_all('1TB')\n"
            "print('ready', flush=True)\n"
            "try:\n"
            "    f.run()\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted', ll.Simulator.now() > ll.Time())\n")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)  # a debug build takes its time to begin
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0] == "interrupted True\n"


@pytest.mark.parametrize("called", [False, True])
def test_other_threads_run_during_a_run(called):
    """With callables that are called all the time, and without any."""
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    fabric = ll.Fabric.star(4, congestion_control=None)
    fabric.incast(3, 0, "5MB" if called else "20MB")
    if called:
        fabric.device(0).connect("FrameRx", lambda *_: None)
    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)  # the busy thread may let a callable in only so often
    fabric.run()
    during = counted[0] - before
    sys.setswitchinterval(interval)
    stop.set()
    thread.join()
    assert during > 1000


def test_an_error_of_cpp_in_a_run_leaves_it_usable(star):
    def wrong():
        star.device(0).set(mtu=-1)

    ll.Simulator.schedule("1us", wrong)
    with pytest.raises(ValueError, match="Mtu"):
        ll.Simulator.run()
    ll.Simulator.run()


def test_traces(star):
    pauses, frames, completions = [], [], []
    port = star.device(1)

    def paused(device, traffic_class, state):
        pauses.append((device, traffic_class, state))

    port.connect("PauseState", paused)
    port.connect("frame_tx", lambda device, frame: frames.append(frame))
    star.hosts[1].connect("RequestCompleted", lambda pair, done: completions.append(done))
    star.incast(3, 0, "4MB", congestion_control="RdmaFixedRate")
    results = star.run()
    assert pauses and pauses[0][0] is port and pauses[0][1:] == (3, True)
    assert results.totals["pfc_xoff_frames"] > 0
    data = [frame for frame in frames if frame.kind == ll.FrameKind.ROCE]
    assert data[0].bytes > 1024 and data[0].traffic_class == 3 and data[1].psn == data[0].psn + 1
    assert [done.bytes for done in completions] == [4000000]
    assert completions[0].status == ll.Status.SUCCESS


def test_disconnect(star):
    class Counter:
        """A bound method is equal to itself, and never the same object."""

        count = 0

        def add(self, *_):
            self.count += 1

    counter = Counter()
    star.device(1).connect("FrameTx", counter.add)
    star.device(1).disconnect("FrameTx", counter.add)
    star.flow(1, 0, 10000)
    star.run()
    assert counter.count == 0


def test_verbs_by_hand():
    hosts = [ll.Node() for _ in range(2)]
    switch, fabric = ll.Node(), ll.FabricSwitch()
    switch.aggregate(fabric)
    pairs = []
    for i, host in enumerate(hosts):
        near, far = ll.connect_nodes(host, switch, rate="100Gbps", delay="1us")
        nic = ll.RdmaHw()
        host.aggregate(nic)
        nic.add_port(near, f"10.0.0.{i + 1}")
        fabric.add_route(f"10.0.0.{i + 1}", [fabric.add_port(far)])
        pairs.append(nic.create_queue_pair())
    ll.RdmaHw.connect_queue_pairs(*pairs)
    done, received = [], []
    pairs[0].on_completion(done.append)
    pairs[1].on_receive(received.append)
    pairs[1].post_receive()
    pairs[0].post("write", "1MB")
    pairs[0].post(ll.Verb.SEND, 100, id=77)
    ll.Simulator.run()
    assert [(c.verb, c.bytes) for c in done] == [(ll.Verb.WRITE, 1000000), (ll.Verb.SEND, 100)]
    assert done[1].id == 77 and len(received) == 2
    assert ll.Time("80us") < done[0].completed < ll.Time("120us")
    assert hosts[0].get_object("RdmaHw").counters["messages_completed"] == 2


def test_callables_of_events_that_never_come_are_freed():
    class Watched:
        def __call__(self):
            pass

    function = Watched()
    watch = weakref.ref(function)
    ll.Simulator.schedule("1s", function)
    del function
    ll.Simulator.destroy()
    gc.collect()
    assert watch() is None


def test_the_interpreter_may_end_in_the_middle():
    code = ("import lossless as ll\n"
            "f = ll.Fabric.star(4)\n"
            "f.device(0).connect('PauseState', print)\n"
            "ll.Simulator.schedule('1us', print)\n")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert result.returncode == 0, result.stderr
