# SPDX-License-Identifier: GPL-2.0-only
"""Calls everything of the package with nonsense. Run by test_nonsense.py in a process of its own:

  nonsense.py AREA SEED JOURNAL

Before each call a line that says which goes to the journal, so that the last line is the culprit if
the process dies. Exceptions are what is wanted; a call that takes too long is interrupted.
"""

import inspect
import os
import random
import re
import resource
import signal
import sys
import tempfile
import threading
import time

import lossless as ll
from lossless import _lossless, _lossless_jobs

PATIENCE = 2.0  # seconds until a call is interrupted
MEMORY = 6 << 30

SKIPPED = {
    "sweep",  # has processes of its own; see test_sweep.py
}

INTS = [0, 1, 2, 3, 7, 8, 255, -1, -2**31, 2**31 - 1, 2**32 - 1, 2**32, 2**63 - 1, 2**64]
FLOATS = [0.0, 0.5, 1.0, -1.0, 1e-300, 1e300, float("nan"), float("inf"), -float("inf")]
TEXTS = ["", " ", "x", "-", "0", "-1", "nan", "inf", "1e400", "1us", "-5us", "100Gbps", "0bps",
         "64KiB", "99999999999999999999", "10.0.0.1", "999.0.0.1", "ns3::RdmaDcqcn", "SwitchMmu",
         "ns3::RdmaCongestionOps", "Mtu", "/NodeList/*", "\0", "é" * 50, "a|b|c", "[1,2", "0us",
         "write", "fb-hadoop", "/nonexistent/x", "RdmaQueuePair::Mtu"]
TIMES = ["1us", "0s", "50us", "1h", "2000h", "-1us", "x", ""]


def raises(*_):
    """A callable that fails."""
    raise KeyError("nonsense")


class Pool:
    """Values, by what a signature asks for."""

    def __init__(self, choose, things):
        self.choose = choose
        self.things = things
        self.functions = [raises, print, lambda: None, ll.Simulator.run, ll.Simulator.destroy,
                          ll.Simulator.stop, lambda *_: ll.Fabric.star(2).run(), 5]

    def anything(self):
        """Any value at all."""
        choose = self.choose
        return choose.choice([
            lambda: choose.choice(INTS), lambda: choose.choice(FLOATS),
            lambda: choose.choice(TEXTS), lambda: None, lambda: True, object, list, dict,
            lambda: [1, 2, 3], lambda: [-1, "x"], lambda: {"x": 1}, lambda: {1: 2}, lambda: b"x",
            lambda: ll.Time(), lambda: ll.DataRate(0), lambda: choose.choice(self.functions),
            lambda: choose.choice(self.things)])()

    def value(self, kind):
        """A value of a kind, "int" for example, that passes for one, but may be nonsense."""
        choose = self.choose
        if choose.random() < 0.12:
            return self.anything()
        if kind.startswith("int"):
            return choose.choice(INTS[:8] if choose.random() < 0.6 else INTS)
        if "Time" in kind:
            return choose.choice(TIMES)
        if "DataRate" in kind:
            return choose.choice(["100Gbps", "1bps", "0bps", "9999999Tbps", 0, -1, "x"])
        if kind.startswith("float"):
            return choose.choice(FLOATS)
        if kind.startswith("str"):
            return choose.choice(TEXTS)
        if kind.startswith("bool"):
            return choose.choice([True, False])
        if kind.startswith(("function", "Callable")):
            return choose.choice(self.functions)
        if kind.startswith("List[int]"):
            return choose.choice([[], [0], [3, 4], [99], [2**31], list(range(9))])
        fitting = [thing for thing in self.things
                   if kind.rpartition(".")[2] in [c.__name__ for c in type(thing).__mro__]]
        return choose.choice(fitting) if fitting else self.anything()


def parameters(function):
    """(name, kind) of each parameter without self, of one signature; None where unknown."""
    text = inspect.getdoc(function) or ""
    signatures = re.findall(r"^(?:\d+\. )?\w+\((.*)\) -> ", text, re.M)
    if signatures:
        found = re.findall(r"(\w+): ([\w.]+(?:\[[\w.]+\])?)", signatures[-1])
        return [(name, kind) for name, kind in found if name != "self"]
    try:
        return [(name, "any") for name, p in inspect.signature(function).parameters.items()
                if name != "self" and p.kind != p.VAR_KEYWORD]
    except (TypeError, ValueError):
        return []


def kind_of(name, kind):
    """What a parameter of a Python function, which has no type, wants by its name."""
    if kind not in ("any", "object"):
        return kind
    by_name = {"stop": "Time", "start": "Time", "duration": "Time", "interval": "Time", "at": "Time",
               "when": "Time", "size": "int", "hosts": "int", "leaves": "int", "spines": "int",
               "k": "int", "left": "int", "right": "int", "node": "int", "port": "int",
               "link": "int", "source": "int", "destination": "int", "senders": "int",
               "receiver": "int", "host": "int", "repeats": "int", "traffic_class": "int",
               "load": "float", "topology": "Topology", "callable": "function"}
    return by_name.get(name, "any")


class Caller:
    """Makes calls, and says before each what it is."""

    def __init__(self, seed, journal):
        self.choose = random.Random(seed)
        self.journal = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        self.begin = None
        self.calls = 0
        signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._watch, daemon=True).start()

    def _interrupted(self, *_):
        if self.begin is not None:
            raise KeyboardInterrupt

    def _watch(self):
        while True:
            time.sleep(0.1)
            begin = self.begin
            if begin is not None and time.monotonic() - begin > PATIENCE:
                self.begin = time.monotonic()
                os.kill(os.getpid(), signal.SIGINT)

    def call(self, what, function, *args, **kwargs):
        """Call; any exception is fine."""
        self.calls += 1
        text = f"{what} {args!r} {kwargs!r}".replace("\n", " ")[:400]
        os.pwrite(self.journal, f"{text:400}\n".encode("utf-8", "replace")[:600], 0)
        self.begin = time.monotonic()
        try:
            return function(*args, **kwargs)
        except (KeyboardInterrupt, Exception) as error:  # pylint: disable=broad-except
            return error
        finally:
            self.begin = None

    def say(self, what):
        """Forget the last call."""
        os.pwrite(self.journal, f"{what:600}\n".encode(), 0)


def make_things():
    """Objects of all kinds: of a fabric, and on their own."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.leaf_spine(2, 2, 1, lossless_classes=[3, 4])
    fabric.flow(0, 1, 10000)
    pair, peer = fabric.connect(0, 1)
    graph = ll.Topology()
    graph.add_host()
    graph.add_switch()
    graph.add_link(0, 1)
    things = [
        fabric, fabric.flows, fabric.faults, pair, peer, fabric.device(0), fabric.device(2),
        fabric.hosts[0],
        fabric.switches[0], fabric.switches[0].mmu, fabric.nodes[0], fabric.channel(0),
        fabric.topology, graph, pair.congestion_control, fabric.detect_deadlocks(),
        fabric.watch_switches()[0], fabric.dependency_graph(), ll.Part("RdmaDcqcn"),
        ll.Part("RandomFrameLoss"), ll.LinkSpec(), ll.Time("1us"), ll.DataRate("1Gbps"),
        ll.FabricHelper(), ll.Node(), ll.RdmaHw(), ll.FabricSwitch(), ll.Verb.SEND,
        ll.Simulator.schedule("1us", print), ll.create("UniformRandomVariable"),
        ll.create("SwitchMmu"), ll.create("QbbNetDevice"), ll.create("RdmaQueuePair"),
        ll.create("QbbChannel"), ll.create("PfcWatchdog"), ll.create("DeadlockDetector"),
    ]
    flow = fabric.tcp(0, 1, 10000)
    inof = fabric.inof()
    operations = ll.JobGraph(2)
    operations.send(0, 1, 1000)
    operations.recv(1, 0, 1000)
    things += [
        operations, fabric.job(operations), _lossless_jobs.JobOptions(),
        fabric.sockets, flow, fabric.ping_mesh(), fabric.pause_monitor(), fabric.config_monitor(),
        inof, inof.host_agent(0), inof.switch_agent(0), fabric.hpcc_output(),
        fabric.storage_server(0, [1], "0s", "10us"), ll.FlowSizes("websearch"),
        fabric.dependency_graph("active"),
        fabric.application(0, "PacketSink", protocol="TcpSocketFactory",
                           local=("0.0.0.0", 99)),
        fabric._waiting_run()]  # pylint: disable=protected-access
    return things


def members(thing):
    """Public and special methods and properties of an object."""
    names = [name for name in dir(type(thing)) if not name.startswith("_")]
    names += [name for name in ("__getitem__", "__eq__", "__lt__", "__add__", "__sub__", "__mul__",
                                "__truediv__", "__floordiv__", "__mod__", "__format__", "__repr__",
                                "__hash__", "__setstate__") if hasattr(type(thing), name)]
    return names


def call_members(caller, pool, things, rounds, label):
    """Every member of every object."""
    for thing in things:
        kind = type(thing)
        for name in members(thing):
            what = f"{label} {kind.__name__}.{name}"
            function = caller.call(what, getattr, thing, name)
            if not callable(function):
                caller.call(what + " =", setattr, thing, name, pool.anything())
                continue
            wanted = parameters(getattr(kind, name))
            for _ in range(rounds if wanted else 1):
                count = caller.choose.choice([len(wanted), len(wanted),
                                              caller.choose.randint(0, len(wanted) + 1)])
                values = [pool.value(kind_of(*p)) for p in wanted[:count]]
                caller.call(what, function, *values)


def run_briefly(caller):
    """What has been made of the fabric still runs, or says what is wrong."""
    caller.call("stop", ll.Simulator.stop, "20us")
    caller.call("run", ll.Simulator.run)


def area_members(caller, rounds=3):
    """All objects: fresh, in a callable during a run, after a run, after destroy()."""
    things = make_things()
    pool = Pool(caller.choose, things)
    call_members(caller, pool, things, rounds, "fresh")
    run_briefly(caller)
    things = make_things()
    pool.things = things
    ll.Simulator.schedule("1us", call_members, caller, pool, things, 1, "in a run")
    run_briefly(caller)
    call_members(caller, pool, things, 1, "after a run")
    ll.Simulator.destroy()
    call_members(caller, pool, things, 1, "after destroy")
    run_briefly(caller)


def area_functions(caller, rounds=30):
    """All functions, classes and static methods."""
    things = make_things()
    pool = Pool(caller.choose, things)
    for module in (ll, _lossless, _lossless_jobs):
        for name, function in sorted(vars(module).items()):
            if name.startswith("_") or name in SKIPPED or not callable(function):
                continue
            statics = [function] if not inspect.isclass(function) else [function] + [
                getattr(function, m) for m in dir(function) if not m.startswith("_")
                and callable(getattr(function, m))]
            for one in statics:
                text = getattr(one, "__init__", one) if inspect.isclass(one) else one
                wanted = parameters(text)
                for _ in range(rounds // (1 + len(statics) // 4)):
                    values = [pool.value(kind_of(*p)) for p in wanted]
                    caller.call(f"{name} {getattr(one, '__name__', one)}", one, *values)
            run_briefly(caller)


def area_attributes(caller):
    """Every attribute of every type: when it is made, and afterwards."""
    things = make_things()
    pool = Pool(caller.choose, things)
    for name in _lossless.type_names("Lossless"):
        made = caller.call("create", ll.create, name)
        if isinstance(made, BaseException):
            continue
        for attribute in made.attributes():
            for value in INTS + FLOATS + TEXTS + [None, [], ll.Node(), ll.Time("1us"), made,
                                                  ll.Part("RdmaDcqcn"), raises]:
                caller.call(f"{name}.{attribute} =", made.set, **{attribute: value})
            caller.call(f"{name}.{attribute}", made.get, attribute)
            for _ in range(3):
                caller.call("create " + name, ll.create, name, **{attribute: pool.anything()})
        del made


def area_living(caller, rounds=6):
    """Nonsense attributes of the objects of a fabric, which then runs."""
    for _ in range(rounds):
        for index in range(len(make_things())):
            things = make_things()
            pool = Pool(caller.choose, things)
            thing = things[index]
            if not isinstance(thing, ll.Object):
                continue
            for attribute in thing.attributes():
                kind = caller.choose.choice(["int", "float", "str", "any", "Time"])
                value = pool.value(kind) if kind != "any" else pool.anything()
                caller.call(f"living {thing!r}.{attribute} =", thing.set, **{attribute: value})
            run_briefly(caller)


def area_fabrics(caller, rounds=150):
    """Fabrics of nonsense options, which then run."""
    choose = caller.choose
    options = {
        "rate": ["100Gbps", "1bps", "0bps", "9999Tbps"], "delay": ["0s", "1ps", "1us", "1h"],
        "buffer": [0, 1, "1KiB", "64KiB", "4MiB", "4GiB", "1TB"], "alpha": [0, 1e-9, 1, 1e9, -1],
        "error_rate": [0, 0.5, 1, -1], "lossless_classes": [[], [0], [3], [0, 1, 2, 3, 4, 5, 6, 7]],
        "allow_lossy": [True], "congestion_control": [None, ll.Dcqcn(), ll.Hpcc(), ll.Swift()],
        "queue_pair": [{"mtu": 256}, {"mtu": 0}, {"mtu": 9000}, {"retransmit_timeout": "0s"}],
        "host": [{"nonsense": 1}], "extensions": [["IntStamper"], ["PfcWatchdog"], ["Node"]],
    }
    for _ in range(rounds):
        ll.Simulator.destroy()
        chosen = {name: choose.choice(options[name])
                  for name in choose.sample(sorted(options), choose.randint(0, 4))}
        fabric = caller.call("star", ll.Fabric.star, choose.choice([1, 2, 3]), **chosen)
        if isinstance(fabric, BaseException):
            continue
        size = choose.choice([0, 1, 10**6, 2**40, "1KiB"])
        caller.call("flow", fabric.flow, 0, 1, size, choose.choice(["0s", "1us", "1h"]))
        caller.call("incast", fabric.incast, choose.choice([1, 2, 9]), 0, size)
        caller.call(f"run {chosen}", fabric.run, choose.choice(["0s", "20us", "100us"]))


AREAS = {name[5:]: function for name, function in list(globals().items())
         if name.startswith("area_")}


def main():
    """One area."""
    area, seed, journal = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(tempfile.mkdtemp())  # nonsense file names
    caller = Caller(int(seed), journal)
    AREAS[area](caller)
    caller.say("destroy")
    ll.Simulator.destroy()
    caller.say("the end of the process")
    sys.stdout = sys.__stdout__
    os.write(1, f"\n{caller.calls} calls survived\n".encode())


if __name__ == "__main__":
    main()
