# SPDX-License-Identifier: GPL-2.0-only
"""Objects are valid as long as either side holds them, and go when neither does. Also run under
valgrind's memcheck (python.valgrind)."""

import gc
import weakref

import pytest

import lossless as ll


class Watched:
    """A callable that can be watched."""

    def __init__(self, held=None):
        self.held = held
        self.calls = 0

    def __call__(self, *_):
        self.calls += 1


def forget():
    """Destroy the simulation and collect."""
    ll.Simulator.destroy()
    gc.collect()


def short_run(**options):
    fabric = ll.Fabric.star(3, congestion_control=None, **options)
    fabric.incast(2, 0, "100kB")
    return fabric


def test_parts_of_a_fabric_outlive_it():
    fabric = short_run()
    parts = [fabric.device(0), fabric.nodes[3], fabric.channel(0), fabric.hosts[0],
             fabric.switches[0], fabric.switches[0].mmu, fabric.topology, fabric.faults,
             fabric.detect_deadlocks(), *fabric.watch_switches(), *fabric.connect(0, 1)]
    fabric.run()
    del fabric
    gc.collect()
    assert all(repr(part) for part in parts)
    forget()
    assert all(repr(part) for part in parts)
    for part in parts:
        if isinstance(part, ll.Object):
            for ask in (part.attributes, lambda: part.type_name, lambda: part.get("Node"),
                        lambda: part.set(mtu=1500), lambda: part.mtu):
                with pytest.raises(RuntimeError, match="^Simulator.destroy.* make another one$"):
                    ask()
    del ask, part, parts
    gc.collect()


def test_objects_that_python_made_and_cpp_keeps():
    node = ll.Node()
    switch = ll.FabricSwitch()
    node.aggregate(switch)
    number = node.id
    del node, switch
    gc.collect()
    again, = [n for n in ll.Config.lookup("/NodeList/*") if n.id == number]
    assert again.get_object("FabricSwitch").n_ports == 0


def test_one_object_of_python_for_one_of_cpp():
    fabric = short_run()
    assert fabric.device(0) is fabric.device(0)
    assert fabric.device(0).peer.peer is fabric.device(0)
    assert fabric.hosts[0] is fabric.nodes[0].get_object("RdmaHw")


def test_frames_and_completions_are_kept_after_the_run():
    fabric = short_run()
    frames, done = [], []
    fabric.device(1).connect("FrameTx", lambda port, frame: frames.append((port, frame)))
    fabric.hosts[1].connect("RequestCompleted", lambda pair, c: done.append((pair, c)))
    fabric.run()
    del fabric
    forget()
    assert len(frames) > 90 and len({frame.psn for _, frame in frames}) > 90
    assert all(port is frames[0][0] for port, _ in frames)
    assert done[0][1].bytes == 100000 and repr(done[0][0])


def test_weak_references_to_frames_do_not_see_the_next_one():
    fabric = short_run()
    references = []
    fabric.device(1).connect("FrameTx", lambda _, frame: references.append(weakref.ref(frame)))
    fabric.run()
    assert all(reference() is None for reference in references)


def test_columns_outlive_results_and_fabric():
    results = short_run().run()
    column = results.flows["fct_s"]
    view = memoryview(column)
    values = list(column)
    array = None
    try:
        import numpy  # pylint: disable=import-outside-toplevel
        array = numpy.asarray(column)
    except ImportError:
        pass
    iterator = iter(column)
    del results, column
    forget()
    assert view.tolist() == values and next(iterator) == values[0]
    if array is not None:
        assert array.tolist() == values


def test_results_outlive_the_fabric():
    results = short_run().run()
    forget()
    assert results.totals["flows_completed"] == 2 and results.summary()
    assert len(results.flows) == 2 and results.unfinished == []


def test_callables_live_as_long_as_what_they_are_connected_to():
    function = Watched()
    watch = weakref.ref(function)
    port = ll.create("QbbNetDevice")
    port.connect("FrameTx", function)
    del function
    gc.collect()
    assert watch() is not None
    del port
    gc.collect()
    assert watch() is None


def test_disconnected_callables_go():
    function = Watched()
    watch = weakref.ref(function)
    port = ll.create("QbbNetDevice")
    port.connect("FrameTx", function)
    port.disconnect("FrameTx", function)
    del function
    gc.collect()
    assert watch() is None


def test_destroy_ends_circles():
    """A callable that holds the fabric which holds the callable."""
    fabric = short_run()
    function = Watched(fabric)
    fabric.device(0).connect("FrameRx", function)
    pair, peer = fabric.connect(0, 1)
    pair.on_completion(Watched([fabric, pair]))
    peer.on_receive(Watched([fabric, peer]))
    ll.Config.connect("/NodeList/*/DeviceList/*/FrameTx", Watched(fabric))
    ll.Simulator.schedule("1us", function)
    pair.post("write", 1000)
    fabric.run()
    watches = [weakref.ref(function), weakref.ref(fabric)]
    assert function.calls > 90
    del fabric, function, pair, peer
    forget()
    assert [watch() for watch in watches] == [None, None]


def test_connected_callables_of_destroyed_objects_are_not_called():
    fabric = short_run()
    function = Watched()
    port = fabric.device(0)
    port.connect("FrameRx", function)
    fabric.run()
    calls = function.calls
    forget()
    again = short_run()
    again.run()
    assert calls > 0 and function.calls == calls
    with pytest.raises(RuntimeError, match="apart"):
        port.disconnect("FrameRx", function)


def test_events_after_destroy():
    function = Watched()
    events = [ll.Simulator.schedule("1us", function), ll.Simulator.schedule_now(function)]
    forget()
    later = ll.Simulator.schedule("2us", function)
    assert [event.is_pending for event in events] == [False, False] and later.is_pending
    for event in events:
        event.cancel()
    ll.Simulator.run()
    assert function.calls == 1


def test_what_belongs_to_a_destroyed_fabric_is_refused():
    fabric = ll.Fabric.star(3)
    fabric.flow(0, 1, 1000)
    flow = fabric.tcp(0, 1, 1000)
    graph = ll.DependencyGraph
    run = ll.Run(fabric)
    calls = {
        "Flows": lambda: fabric.flows.n_flows, "Faults": lambda: fabric.faults.n_active,
        "Sockets": lambda: fabric.sockets.flows, "Run": lambda: run.totals}
    mesh, pauses = fabric.ping_mesh(), fabric.pause_monitor()
    config, inof, output = fabric.config_monitor(), fabric.inof(), fabric.hpcc_output()
    server = fabric.storage_server(0, [1], "0s", "10us")
    job = run.job(ll.JobGraph(2))
    calls.update({
        "Job": lambda: job.iterations,
        "PingMesh": mesh.summary, "PauseMonitor": lambda: pauses.alerts, "Inof": lambda: inof.totals,
        "ConfigMonitor": config.check, "HpccOutput": output.commit,
        "StorageServer": lambda: server.completed})
    things = [fabric.flows, fabric.faults, fabric.sockets, run, mesh, pauses, config, inof, output,
              server, job]
    for call in calls.values():
        call()
    forget()
    for name, call in calls.items():
        with pytest.raises(RuntimeError, match="^Simulator.destroy.* apart; make another one$"):
            call()
        assert f"<lossless.{name} of a destroyed fabric>" in map(repr, things)
    for make in (graph.from_flows, graph.from_active_flows):
        with pytest.raises(RuntimeError, match="apart"):
            make(things[0])
    assert flow.size == 1000 and "SocketFlow" in repr(flow)  # what is data stays


def test_every_object_of_a_destroyed_simulation_refuses():
    """Whatever a script still holds of it, down to parts of parts; what is of no simulation stays."""
    fabric = ll.Fabric.leaf_spine(2, 2, 2)
    pair, _ = fabric.connect(0, 1)
    flow = fabric.tcp(0, 1, 1000)
    switch, inof = fabric.switches[0], fabric.inof()
    agents = [inof.host_agent(0), inof.switch_agent(0)]
    made, node = ll.create("WredEcnMarker", kmin=7), ll.Node()
    fabric.run("1ms")
    things = [fabric.device(0), switch, switch.mmu, switch.ecn_marker, switch.load_balancer,
              fabric.hosts[0], fabric.nodes[0], fabric.channel(0), pair, pair.congestion_control,
              fabric.device(0).egress_scheduler, flow.application, flow.sink,
              flow.socket, *fabric.watch_switches(), *fabric.watch_nics(),
              fabric.detect_deadlocks(), node, *agents]
    forget()
    for thing in things:
        for ask in (lambda: thing.type_name, thing.attributes):
            with pytest.raises(RuntimeError, match="^Simulator.destroy.* make another one$"):
                ask()
        assert "lossless." in repr(thing)
    assert made.kmin == 7 and ll.Fabric.star(2).device(0).mtu > 0


def test_nothing_is_aggregated_to_a_destroyed_node():
    fabric = ll.Fabric.star(2)
    fabric.install_internet()
    node = fabric.nodes[0]
    forget()
    with pytest.raises(RuntimeError, match="apart"):
        node.aggregate(ll.FabricSwitch())
    ll.Node().aggregate(ll.FabricSwitch())


def test_parts_can_be_used_again():
    part = ll.Dcqcn(dialect="nic")
    for _ in range(2):
        fabric = ll.Fabric.star(2, congestion_control=part)
        fabric.flow(0, 1, 1000)
        fabric.run()
        del fabric
        forget()
    made = part.create()
    del part
    gc.collect()
    assert made.dialect == "Nic"


def test_many_simulations_leave_nothing():
    """Live objects, counted; the first two may fill caches."""

    def once():
        fabric = short_run()
        seen = Watched(fabric)
        for i in range(3):
            fabric.device(i).connect("FrameTx", seen)
            fabric.device(i).connect("PauseState", lambda *_: fabric)
        fabric.detect_deadlocks()
        fabric.faults.cut_link(0, "5us", "1us")
        ll.Simulator.schedule("1s", seen)
        fabric.run(stop="1ms")
        assert seen.calls
        del fabric, seen
        forget()
        return len(gc.get_objects())

    counts = [once() for _ in range(50)]
    assert counts[-1] <= counts[2] + 5


def test_queue_pairs_that_would_not_send_are_told():
    fabric = ll.Fabric.star(2)
    single = fabric.hosts[0].create_queue_pair()
    with pytest.raises(RuntimeError, match="not connected: nothing would be sent"):
        single.post("write", 1000)
    pair, _ = fabric.connect(0, 1)
    ll.Simulator.destroy()
    for call in (lambda: pair.post("write", 1000), pair.post_receive):
        with pytest.raises(RuntimeError, match="destroy"):
            call()
