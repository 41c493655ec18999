# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics and what runs on them."""

from ._lossless import FabricHelper, Flows, HpccOutput, HpccScenario, Simulator
from .operations import OperationsMixin
from .parts import as_part as _part
from .results import Results
from .traffic import TrafficMixin, as_time

_FIRST_STREAM = 1000  # as the example programs have it: the same numbers whatever else draws some


def _configure(helper, options):
    """Give a FabricHelper the options that the constructors of Fabric take."""
    link = dict(options.pop("link", {}))
    buffer = dict(options.pop("mmu", {}))
    for name, keyword in (("rate", "data_rate"), ("delay", "delay"), ("error_rate", "error_rate")):
        if name in options:
            link[keyword] = options.pop(name)
    for name, keyword in (("buffer", "buffer_size"), ("alpha", "alpha")):
        if name in options:
            buffer[keyword] = options.pop(name)
    helper.set_link(**link)
    helper.set_buffer(**buffer)
    helper.set_switch(**options.pop("switch", {}))
    helper.set_host(**options.pop("host", {}))
    helper.set_queue_pair(**options.pop("queue_pair", {}))
    if "congestion_control" in options:
        control = options.pop("congestion_control")
        helper.set_congestion_control("none" if control is None else control)
    for name in ("ecn", "load_balancer", "scheduler"):
        if name in options:
            getattr(helper, "set_" + name)(_part(options.pop(name)))
    for extension in options.pop("extensions", ()):
        helper.add_switch_extension(_part(extension))
    for rate, thresholds in options.pop("ecn_thresholds", {}).items():
        helper.set_ecn_thresholds(rate, *thresholds)
    if "alpha_by_speed" in options:
        helper.set_alpha_by_speed(options.pop("alpha_by_speed"))
    if "lossless_classes" in options:
        helper.set_lossless_classes(list(options.pop("lossless_classes")))
    helper.allow_lossy(options.pop("allow_lossy", False))
    if options:
        raise TypeError(f"unknown option {sorted(options)[0]!r}; known are rate, delay, error_rate, "
                        "buffer, alpha, congestion_control, ecn, load_balancer, scheduler, "
                        "extensions, ecn_thresholds, alpha_by_speed, lossless_classes, allow_lossy, link, mmu, switch, host, "
                        "queue_pair")
    return helper


class Fabric(TrafficMixin, OperationsMixin):
    """A fabric, its flows and its run.

    Made by star(), dumbbell(), leaf_spine(), fat_tree() or from_topology(); or by from_hpcc(). The others take these
    keywords, and every default is usable:

    rate, delay, error_rate   of links: "100Gbps", "1us", a probability
    buffer, alpha             of switches: "32MiB", share of the free space
    congestion_control        such as Dcqcn(dialect="Nic"); None: line rate
    ecn, load_balancer, scheduler    a Part, or the name of a type
    extensions                Parts that every switch gets
    ecn_thresholds            by rate of the port: {"100Gbps": (kmin, kmax, pmax)}, bytes
    alpha_by_speed            whether alpha of a port follows its rate
    lossless_classes          classes with PFC, [3]; []: no PFC
    allow_lossy               build even what cannot be lossless
    link, mmu, switch, host, queue_pair   dictionaries of further attributes
    """

    def __init__(self, built):
        self._built = built
        self._flows = Flows(built)
        self._kept = []  # what must live as long as the simulation
        self._stop = None
        self._ran = False

    # ---- shapes

    @classmethod
    def star(cls, hosts, **options):
        """Hosts around one switch."""
        return cls(_configure(FabricHelper(), options).star(hosts))

    @classmethod
    def dumbbell(cls, left, right, bottleneck="100Gbps", **options):
        """Two switches with hosts, and a link between them."""
        return cls(_configure(FabricHelper(), options).dumbbell(left, right, bottleneck))

    @classmethod
    def leaf_spine(cls, leaves, spines, hosts_per_leaf, oversubscription=1.0, **options):
        """Two tiers, every leaf joined to every spine."""
        helper = _configure(FabricHelper(), options)
        return cls(helper.leaf_spine(leaves, spines, hosts_per_leaf, oversubscription))

    @classmethod
    def fat_tree(cls, k, **options):
        """Three tiers of switches with k ports, k^3/4 hosts."""
        return cls(_configure(FabricHelper(), options).fat_tree(k))

    @classmethod
    def from_topology(cls, topology, **options):
        """Any graph, see Topology."""
        return cls(_configure(FabricHelper(), options).from_topology(topology))

    @classmethod
    def from_hpcc(cls, config, *, allow_lossy=False):
        """What a configuration of the public HPCC simulator describes, with its topology and flows.

        The configuration becomes the defaults of attributes, until reset_defaults(). run() ends at
        its SIMULATOR_STOP_TIME at the latest. `scenario.ignored` names keys without effect.
        """
        scenario = HpccScenario(str(config))
        fabric = cls(scenario.build(allow_lossy))
        scenario.add_flows(fabric._built, fabric._flows)
        fabric.scenario, fabric._stop = scenario, scenario.stop
        return fabric

    # ---- flows

    def flow(self, source, destination, size, start="0s", *, traffic_class=3, verb="write",
             window=0, congestion_control=None, **queue_pair):
        """One message between two hosts. Returns its number.

        size: bytes; start: from now; window: payload bytes in flight, 0: as configured;
        congestion_control: a Part in place of the fabric's; further keywords: attributes of its
        queue pairs.
        """
        self._prepare(congestion_control, queue_pair)
        return self._flows.add(source, destination, size, start, traffic_class, verb, window)

    def poisson(self, workload, load, duration, start="0s", *, traffic_class=3, verb="write",
                congestion_control=None, **queue_pair):
        """Poisson arrivals at all hosts, each to a random other host.

        workload: "fb-hadoop", "websearch", "ali-storage", "google-rpc", or a file of sizes;
        load: share of the rate of the hosts' links; duration: how long flows arrive.
        """
        self._prepare(congestion_control, queue_pair, traffic_class, verb)
        self._flows.poisson(workload, load, duration, start)

    def incast(self, senders, receiver, size, start="0s", *, repeats=1, interval="0s",
               traffic_class=3, verb="write", congestion_control=None, **queue_pair):
        """Many send to one at the same time, size bytes each."""
        self._prepare(congestion_control, queue_pair, traffic_class, verb)
        self._flows.incast(senders, receiver, size, start, repeats, interval)

    def permutation(self, size, start="0s", *, traffic_class=3, verb="write",
                    congestion_control=None, **queue_pair):
        """Every host sends to one other and receives from one other."""
        self._prepare(congestion_control, queue_pair, traffic_class, verb)
        self._flows.permutation(size, start)

    def all_to_all(self, size, start="0s", *, traffic_class=3, verb="write",
                   congestion_control=None, **queue_pair):
        """Every host sends to every other host."""
        self._prepare(congestion_control, queue_pair, traffic_class, verb)
        self._flows.all_to_all(size, start)

    def _prepare(self, congestion_control, queue_pair, traffic_class=3, verb="write"):
        if queue_pair:
            self._flows.set_queue_pair(**queue_pair)
        self._flows.set_congestion_control(None if congestion_control is None
                                           else _part(congestion_control))
        self._flows.set_class(traffic_class)
        self._flows.set_verb(verb)

    def hpcc_output(self, *, fct=None, pfc=None, queues=None):
        """Files as the public HPCC simulator writes them: fct, pfc: paths; queues: (path, start,
        end). Returns the HpccOutput; call its commit() after the run."""
        output = HpccOutput(self._built, self._flows)
        if fct is not None:
            output.write_fct(str(fct))
        if pfc is not None:
            output.write_pfc(str(pfc))
        if queues is not None:
            output.write_queues(str(queues[0]), as_time(queues[1]), as_time(queues[2]))
        self._kept.append(output)
        return output

    @property
    def flows(self):
        """The RDMA flows: n_flows, n_completed, active, on_end(callable), on_start(callable)."""
        return self._flows

    def on_flow_end(self, callable):
        """Call a callable with the FlowResult of each RDMA flow that ends. Returns the callable, so
        that it may be a decorator."""
        self._flows.on_end(callable)
        return callable

    def connect(self, source, destination, congestion_control=None, **queue_pair):
        """Two connected queue pairs, at the source and at the destination."""
        control = None if congestion_control is None else _part(congestion_control)
        return self._built.connect(source, destination, control, **queue_pair)

    # ---- what it is made of

    @property
    def topology(self):
        """The graph: numbers of nodes and links."""
        return self._built.topology

    @property
    def hosts(self):
        """The RDMA side of each host."""
        return self._built.hosts

    @property
    def switches(self):
        """The switches."""
        return self._built.switches

    @property
    def nodes(self):
        """The nodes, by number in the topology."""
        return self._built.nodes

    def device(self, node, port=0):
        """A port of a node of the topology."""
        return self._built.device(node, port)

    def channel(self, link):
        """The cable of a link of the topology."""
        return self._built.channel(link)

    def address(self, host, port=0):
        """The IPv4 address of a host."""
        return self._built.address(host, port)

    def check_lossless(self):
        """What could make a lossless class drop, one line a finding."""
        return self._built.check_lossless()

    # ---- what happens to it

    def schedule_link(self, link, up, when):
        """Cut or mend a link at a time, with new routes."""
        self._built.schedule_link(link, up, when)

    def set_link_up(self, link, up):
        """Cut or mend a link now, with new routes."""
        self._built.set_link_up(link, up)

    def is_link_up(self, link):
        """Whether a link is whole."""
        return self._built.is_link_up(link)

    def ipv6_address(self, host, port=0):
        """The IPv6 address of a host."""
        return self._built.ipv6_address(host, port)

    def port_pairs(self, source, destination):
        """(port of the source, port of the destination) of each way between two hosts."""
        return self._built.port_pairs(source, destination)

    def enable_pcap(self, prefix, nodes=()):
        """Capture frames as prefix-node-port.pcap; no nodes: all of them."""
        self._built.enable_pcap(prefix, list(nodes))

    # ---- the run

    def run(self, stop=None, *, stop_when_done=True, write_to=None, files=(),
            sample_interval="10us"):
        """Run until the last RDMA flow and the last TCP flow with a size have ended, but no longer
        than a time. Returns Results.

        stop_when_done: False goes on until nothing is left to happen, for queue pairs and
        applications that are no flows; write_to: folder for CSV files; files: which of fct, pfc, queue,
        throughput, watchdog, none: all; sample_interval: between
        samples of queues and rates.
        """
        if self._ran:
            raise RuntimeError("this fabric has run; make another one, after Simulator.destroy()")
        stop = self._stop if stop is None else as_time(stop)
        self._refuse_endless(stop)
        self._assign_streams()
        self._flows.stop_when_done(stop_when_done)
        stats = self._flows.make_stats()
        self._kept.append(stats)  # the simulation may go on
        stats.set_sample_interval(as_time(sample_interval))
        if write_to is not None:
            stats.write_to(str(write_to), list(files))
        if stop is not None:
            Simulator.stop(stop)
        self._ran = True
        Simulator.run()
        results = self._collect(stats, None if write_to is None else str(write_to))
        stats.finish()
        return results

    def _assign_streams(self):
        """Fix all random streams, those of the fabric first."""
        first = _FIRST_STREAM + self._built.assign_streams(_FIRST_STREAM)
        first += self._flows.assign_streams(first)
        if self._faults is not None:
            first += self._faults.assign_streams(first)
        if self._sockets is not None:
            self._sockets.assign_streams(first)

    def _collect(self, stats, folder):
        """The Results, as long as the simulation is there."""
        return Results(stats.summary(), stats.totals(), self._flows.columns(),
                       self._flows.unfinished(), folder,
                       applications=self._sockets.columns() if self._sockets else None,
                       deadlocks=self._detector.deadlocks if self._detector else (),
                       faults=self._faults.log if self._faults else ())

    def __repr__(self):
        return (f"<lossless.Fabric of {self._built.n_hosts} hosts and "
                f"{self._built.n_switches} switches>")
