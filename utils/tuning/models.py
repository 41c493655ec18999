# SPDX-License-Identifier: GPL-2.0-only
"""Ten traffic models and a grid of 72 more, and how a setting does under each: throughput, PFC, latency.

The fabric: 40 servers at 25 Gb/s below 2 leaves, 5 spines; RDMA in class 5 (lossless, ECN), CNPs in class
6, TCP in class 0; DCQCN of the paper. An uplink has 200 Gb/s, and no more than 8 servers of a leaf send
over uplinks at a time: a server port is what is congested, whatever paths ECMP draws.
"""

import fnmatch
import itertools
import math
import random

import lossless as ll

LEAVES, SPINES, PER_LEAF = 2, 5, 20
CROSSING = 8  # servers of a leaf that fit on one uplink
SERVERS = LEAVES * PER_LEAF
RATE = 25e9
RDMA, CNP = 5, 6
PROBE = 4096            # bytes of a message whose latency counts
PROBE_EVERY = 20.0      # us
JOIN = 100.0            # us between senders of an incast that join it
FULL_FRAME, ITS_WIRE_BYTES = 1086, 1106
BIN_NS = 1_000_000      # of PFC frames


class Model:
    """A traffic model: what it adds to a fabric, and when to measure."""

    def __init__(self, add, warm_us, measured_us=3000.0, is_saturated=True):
        self.add = add
        self.warm_us = warm_us
        self.end_us = warm_us + measured_us
        self.is_saturated = is_saturated  # whether servers receive as fast as they can


def _incast(senders):
    def add(fabric, draw, end):
        for i in range(senders):
            fabric.flow(i + 1, 0, "1GB", ll.us(i * JOIN), traffic_class=RDMA)
        return [0]

    return Model(add, senders * JOIN + 3000)


def _all_to_all(fabric, draw, end):
    """Five servers of each leaf."""
    servers = [*range(5), *range(PER_LEAF, PER_LEAF + 5)]
    for source in servers:
        for destination in servers:
            if source != destination:
                fabric.flow(source, destination, "1GB", ll.us(draw.random() * 100), traffic_class=RDMA)
    return servers


def _permutation(fabric, draw, end):
    """Servers of each leaf to those of the other, and back."""
    servers = [*range(CROSSING), *range(PER_LEAF, PER_LEAF + CROSSING)]
    for source in servers:
        fabric.flow(source, (source + PER_LEAF) % SERVERS, "1GB", ll.us(draw.random() * 100),
                    traffic_class=RDMA)
    return servers


def _link_failure(fabric, draw, end):
    """The permutation, and leaf 0 loses one of its links to spines."""
    fabric.faults.cut_link(fabric.topology.find_link(SERVERS, SERVERS + LEAVES), ll.us(1000))
    return _permutation(fabric, draw, end)


def _websearch(fabric, draw, end):
    fabric.poisson("websearch", 0.5, ll.us(end), traffic_class=RDMA)
    return list(range(SERVERS))


def _websearch_and_tcp(fabric, draw, end):
    """The same, and 10 % of lossy TCP: messages of 100 KB."""
    size = 100_000
    mean_us = 8e6 * size / (0.1 * SERVERS * RATE)
    now = draw.expovariate(1 / mean_us)
    while now < end:
        source, destination = draw.sample(range(SERVERS), 2)
        fabric.tcp(source, destination, size, ll.us(now))
        now += draw.expovariate(1 / mean_us)
    return _websearch(fabric, draw, end)


def _answers(pair, end):
    """Let an end of a connection answer each message with one of its own, until the last probes: with
    these the run ends."""
    def answer(done):
        pair.post_receive()
        if ll.Simulator.now() < ll.us(end - 8 * PROBE_EVERY):
            pair.post("send", PROBE)

    pair.post_receive()
    pair.on_receive(answer)


def _ping_pong(fabric, draw, end):
    """Each server answers another one's message with one of its own."""
    for first in range(0, SERVERS, 2):
        pair, peer = fabric.connect(first, first + 1, traffic_class=RDMA)
        _answers(pair, end)
        _answers(peer, end)
        ll.Simulator.schedule(ll.us(draw.random() * 100), lambda pair=pair: pair.post("send", PROBE))
    return list(range(SERVERS))


MODELS = {
    "incast-2": _incast(2),
    "incast-8": _incast(8),
    "incast-32": _incast(32),
    "incast-39": _incast(39),
    "all-to-all": Model(_all_to_all, 2000),
    "permutation": Model(_permutation, 1000, 2000),
    "websearch": Model(_websearch, 500, 3000, False),
    "websearch-tcp": Model(_websearch_and_tcp, 500, 3000, False),
    "link-failure": Model(_link_failure, 3000, 2000),
    "ping-pong": Model(_ping_pong, 200, 1000, False),
}


SIZES = {"4KB": 4_000, "64KB": 64_000, "1MB": 1_000_000}  # bytes of a message
FAN_INS = (2, 8, 16, 32)         # senders of a round, to one server
ROUNDS = ("once", "periodic")
GRID_LOADS = (0.3, 0.6, 0.9)     # of the server's link
GRID_WARM_US, GRID_US = 200, 2000


def _rounds(size, senders, is_once, load):
    """Rounds, in each of which all senders send a message of this size at the same time: as many as make up the
    load of the receiver's link, for 2 ms and whole rounds. All of them at once, or one after the other."""
    period_us = 8e6 * size * senders / (load * RATE)
    count = math.ceil(GRID_US / period_us)

    def add(fabric, draw, end):
        for i, sender in itertools.product(range(count), range(senders)):
            fabric.flow(sender + 1, 0, size, ll.us(GRID_WARM_US + (0 if is_once else i * period_us)),
                        traffic_class=RDMA)
        return [0]

    return Model(add, GRID_WARM_US, count * period_us, False)


GRID = {f"size={text}:fan-in={senders}:rounds={rounds}:load={load}":
        _rounds(size, senders, rounds == "once", load)
        for (text, size), senders, rounds, load in itertools.product(SIZES.items(), FAN_INS, ROUNDS, GRID_LOADS)}
ALL = {**MODELS, **GRID}


def chosen(patterns):
    """The names of models that each pattern, such as "*:fan-in=8:*", stands for, in the order of ALL and once
    each; of a pattern without a model a ValueError."""
    for pattern in patterns:
        if not fnmatch.filter(ALL, pattern):
            raise ValueError(f"there is no model {pattern!r}; there are {', '.join(MODELS)}, and those of the grid: "
                             f"{next(iter(GRID))} to {list(GRID)[-1]}")
    return [name for name in ALL if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]


def _build(setting):
    """The fabric with a setting."""
    fabric = ll.Fabric.leaf_spine(
        LEAVES, SPINES, PER_LEAF, oversubscription=0.5, rate="25Gbps", delay="1us", buffer="12MiB",
        lossless_classes=[RDMA], alpha=setting["alpha"], queue_pair={"cnp_class": CNP},
        congestion_control=ll.Dcqcn(dialect="Paper"),
        ecn=ll.Part("WredEcnMarker", kmin=setting["kmin"], kmax=setting["kmax"], pmax=setting["pmax"],
                    classes=1 << RDMA, reference_rate="25Gbps"))
    for switch in fabric.switches if setting["headroom"] > 1 else []:
        for port in range(switch.n_ports):
            needed = switch.mmu.in_force(port, RDMA)["headroom"]
            switch.mmu.set_lossless(port, RDMA, int(needed * setting["headroom"]))
    return fabric


def _sent(fabric):
    """Bytes of RDMA frames that have left for each server."""
    return [port.counters["tx_class_bytes"][RDMA]
            for leaf in range(LEAVES) for port in fabric.switches[leaf].ports[:PER_LEAF]]


def _probe(fabric, draw, model, receivers):
    """Messages of 4 KB whose latency counts. Returns how many there are."""
    now, count = model.warm_us, 0
    while now < model.end_us - 4 * PROBE_EVERY:
        receiver = draw.choice(receivers)
        sender = draw.choice([server for server in range(SERVERS) if server != receiver])
        fabric.flow(sender, receiver, PROBE, ll.us(now), traffic_class=RDMA)
        now += PROBE_EVERY
        count += 1
    return count


def _pfc_share(pfc, model, ports):
    """Share of (port, bin) pairs in which the port sent a PFC frame, after the warm-up."""
    first, last = model.warm_us * 1e3, model.end_us * 1e3
    bins = math.ceil((last - first) / BIN_NS)
    busy = {(node, port, int((time - first) // BIN_NS))
            for time, node, port in zip(pfc["time_ns"], pfc["node"], pfc["port"]) if time >= first}
    return len(busy) / (bins * ports)


def run(model, kmin, kmax, pmax, alpha, headroom, seed):
    """One model under one setting. Latencies in us; a message that has not arrived counts as late."""
    name, model = model, ALL[model]
    ll.set_seed(seed)
    draw = random.Random(f"{name} {seed}")
    fabric = _build({"kmin": kmin, "kmax": kmax, "pmax": pmax, "alpha": alpha, "headroom": headroom})
    receivers = model.add(fabric, draw, model.end_us)
    probes = _probe(fabric, draw, model, receivers)
    begin = []
    ll.Simulator.schedule(ll.us(model.warm_us), lambda: begin.extend(_sent(fabric)))
    results = fabric.run(stop=ll.us(model.end_us), keep=["pfc"], progress=False)
    seconds = (model.end_us - model.warm_us) * 1e-6
    line = RATE / 8 * seconds * FULL_FRAME / ITS_WIRE_BYTES
    end = _sent(fabric)
    flows = results.flows
    latencies = sorted(1e6 * fct for fct, size, status in
                       zip(flows["fct_s"], flows["bytes"], flows["status"])
                       if size == PROBE and status == 0)
    late = float(model.end_us - model.warm_us)
    latencies += [late] * (probes - len(latencies))
    return {
        "throughput": (sum(end[i] - begin[i] for i in receivers) / len(receivers) / line
                       if model.is_saturated else None),
        "pfc_share": _pfc_share(results.table("pfc"), model,
                                sum(switch.n_ports for switch in fabric.switches)),
        "latency_p90_us": latencies[int(0.9 * len(latencies))],
        "latency_max_us": latencies[-1],
        "drops": results.totals["lossless_drops"],
    }
