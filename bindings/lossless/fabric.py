# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics and what runs on them."""

from collections.abc import Iterable, Mapping
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._lossless import (
    BuiltFabric,
    FabricHelper,
    FabricSwitch,
    Flows,
    HpccOutput,
    HpccScenario,
    Node,
    QbbChannel,
    QbbNetDevice,
    QueuePair,
    RdmaHw,
    Simulator,
    Stats,
    Time,
    Topology,
)
from .operations import OperationsMixin
from .results import Results
from .traffic import TrafficMixin
from .types import DataRateLike, PartLike, PathLike, Size, TimeLike, as_part, as_time

_EXAMPLES = {"link": '{"data_rate": "100Gbps"}', "mmu": '{"buffer_size": "32MiB"}',
             "switch": '{"ecn_enabled": False}', "host": '{}',
             "queue_pair": '{"mtu": 4096}'}
_FIRST_STREAM = 1000  # as the example programs have it: the same numbers whatever else draws some


def _dictionary(options: Dict[str, Any], name: str) -> Dict[str, Any]:
    """An option that is a dictionary of attributes, which may be changed."""
    value = options.pop(name, {})
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} is {value!r}; it must be a dictionary of attributes, such as "
                        f"{name}={_EXAMPLES[name]}")
    return dict(value)


def _classes(value: Any) -> List[int]:
    """The option lossless_classes."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"lossless_classes is {value!r}; it must be a list of classes, such as [3]")
    return list(value)


def _configure(helper: FabricHelper, options: Dict[str, Any]) -> FabricHelper:
    """Give a FabricHelper the options that the constructors of Fabric take."""
    link, buffer, switch, host, queue_pair = (
        _dictionary(options, name) for name in ("link", "mmu", "switch", "host", "queue_pair"))
    for name, keyword in (("rate", "data_rate"), ("delay", "delay"), ("error_rate", "error_rate")):
        if name in options:
            link[keyword] = options.pop(name)
    for name, keyword in (("buffer", "buffer_size"), ("alpha", "alpha")):
        if name in options:
            buffer[keyword] = options.pop(name)
    helper.set_link(**link)
    helper.set_buffer(**buffer)
    helper.set_switch(**switch)
    helper.set_host(**host)
    helper.set_queue_pair(**queue_pair)
    if "congestion_control" in options:
        control = options.pop("congestion_control")
        helper.set_congestion_control("none" if control is None else control)
    for name in ("ecn", "load_balancer", "scheduler"):
        if name in options:
            getattr(helper, "set_" + name)(as_part(options.pop(name)))
    for extension in options.pop("extensions", ()):
        helper.add_switch_extension(as_part(extension))
    for rate, thresholds in options.pop("ecn_thresholds", {}).items():
        helper.set_ecn_thresholds(rate, *thresholds)
    if "alpha_by_speed" in options:
        helper.set_alpha_by_speed(options.pop("alpha_by_speed"))
    if "lossless_classes" in options:
        helper.set_lossless_classes(_classes(options.pop("lossless_classes")))
    helper.allow_lossy(options.pop("allow_lossy", False))
    if options:
        raise TypeError(f"unknown option {sorted(options)[0]!r}; known are rate, delay, error_rate, "
                        "buffer, alpha, congestion_control, ecn, load_balancer, scheduler, "
                        "extensions, ecn_thresholds, alpha_by_speed, lossless_classes, "
                        "allow_lossy, link, mmu, switch, host, queue_pair")
    return helper


class Fabric(TrafficMixin, OperationsMixin):
    """A fabric, its flows and its run.

    Made by star(), dumbbell(), leaf_spine(), fat_tree() or from_topology(), which take these
    keywords, and every default is usable; or by from_hpcc().

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

    def __init__(self, built: BuiltFabric):
        self._built = built
        self._flows = Flows(built)
        self._kept: List[Any] = []  # what must live as long as the simulation
        self._stop: Optional[Time] = None
        self.scenario: Optional[HpccScenario] = None  # of from_hpcc()
        self._ran = False

    # ---- shapes

    @classmethod
    def star(cls, hosts: int, **options: Any) -> "Fabric":
        """Hosts around one switch."""
        return cls(_configure(FabricHelper(), options).star(hosts))

    @classmethod
    def dumbbell(cls, left: int, right: int, bottleneck: DataRateLike = "100Gbps",
                 **options: Any) -> "Fabric":
        """Two switches with hosts, and a link between them."""
        return cls(_configure(FabricHelper(), options).dumbbell(left, right, bottleneck))

    @classmethod
    def leaf_spine(cls, leaves: int, spines: int, hosts_per_leaf: int,
                   oversubscription: float = 1.0, **options: Any) -> "Fabric":
        """Two tiers, every leaf joined to every spine."""
        helper = _configure(FabricHelper(), options)
        return cls(helper.leaf_spine(leaves, spines, hosts_per_leaf, oversubscription))

    @classmethod
    def fat_tree(cls, k: int, **options: Any) -> "Fabric":
        """Three tiers of switches with k ports, k^3/4 hosts."""
        return cls(_configure(FabricHelper(), options).fat_tree(k))

    @classmethod
    def from_topology(cls, topology: Topology, **options: Any) -> "Fabric":
        """Any graph, see Topology."""
        return cls(_configure(FabricHelper(), options).from_topology(topology))

    @classmethod
    def from_hpcc(cls, config: PathLike, *, allow_lossy: bool = False) -> "Fabric":
        """What a configuration of the public HPCC simulator describes, with its topology and flows.

        The configuration becomes the defaults of attributes, until Config.reset(). run() ends at
        its SIMULATOR_STOP_TIME at the latest. `scenario.ignored` names keys without effect.
        """
        scenario = HpccScenario(str(config))
        fabric = cls(scenario.build(allow_lossy))
        scenario.add_flows(fabric._built, fabric._flows)
        fabric.scenario, fabric._stop = scenario, scenario.stop
        return fabric

    # ---- flows

    def flow(self, source: int, destination: int, size: Size, start: TimeLike = "0s", *,
             traffic_class: int = 3, verb: str = "write", window: Size = 0,
             congestion_control: Optional[PartLike] = None, **queue_pair: Any) -> int:
        """One message between two hosts. Returns its number.

        size: bytes; start: time of the simulation, not before the time now; window: payload bytes in flight, 0: as configured;
        congestion_control: a Part in place of the fabric's; further keywords: attributes of its
        queue pairs.
        """
        self._prepare(congestion_control, queue_pair)
        return self._flows.add(source, destination, size, start, traffic_class, verb, window)

    def poisson(self, workload: str, load: float, duration: TimeLike, start: TimeLike = "0s", *,
                traffic_class: int = 3, verb: str = "write",
                congestion_control: Optional[PartLike] = None, **queue_pair: Any) -> None:
        """Poisson arrivals at all hosts, each to a random other host.

        workload: "fb-hadoop", "websearch", "ali-storage", "google-rpc", or a file of sizes;
        load: share of the rate of the hosts' links; duration: how long flows arrive; start: time of
        the simulation, as for flow(); so it is for all workloads.
        """
        self._prepare(congestion_control, queue_pair, traffic_class, verb)
        self._flows.poisson(workload, load, duration, start)

    def incast(self, senders: int, receiver: int, size: Size, start: TimeLike = "0s", *,
               repeats: int = 1, interval: TimeLike = "0s", traffic_class: int = 3,
               verb: str = "write", congestion_control: Optional[PartLike] = None,
               **queue_pair: Any) -> None:
        """Many send to one at the same time, size bytes each."""
        self._prepare(congestion_control, queue_pair, traffic_class, verb)
        self._flows.incast(senders, receiver, size, start, repeats, interval)

    def permutation(self, size: Size, start: TimeLike = "0s", *, traffic_class: int = 3,
                    verb: str = "write", congestion_control: Optional[PartLike] = None,
                    **queue_pair: Any) -> None:
        """Every host sends to one other and receives from one other."""
        self._prepare(congestion_control, queue_pair, traffic_class, verb)
        self._flows.permutation(size, start)

    def all_to_all(self, size: Size, start: TimeLike = "0s", *, traffic_class: int = 3,
                   verb: str = "write", congestion_control: Optional[PartLike] = None,
                   **queue_pair: Any) -> None:
        """Every host sends to every other host."""
        self._prepare(congestion_control, queue_pair, traffic_class, verb)
        self._flows.all_to_all(size, start)

    def _prepare(self, congestion_control: Optional[PartLike], queue_pair: Dict[str, Any],
                 traffic_class: int = 3, verb: str = "write") -> None:
        self._flows.set_queue_pair(**queue_pair)  # none: what the last flow had holds no more
        self._flows.set_congestion_control(None if congestion_control is None
                                           else as_part(congestion_control))
        self._flows.set_class(traffic_class)
        self._flows.set_verb(verb)

    def hpcc_output(self, *, fct: Optional[PathLike] = None, pfc: Optional[PathLike] = None,
                    queues: Optional[Tuple[PathLike, TimeLike, TimeLike]] = None) -> HpccOutput:
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
    def flows(self) -> Flows:
        """The RDMA flows: n_flows, n_completed, active, on_end(callable), on_start(callable)."""
        return self._flows

    def on_flow_end(self, callable: Callable[..., Any]) -> Callable[..., Any]:
        """Call a callable with the FlowResult of each RDMA flow that ends. Returns the callable, so
        that it may be a decorator."""
        self._flows.on_end(callable)
        return callable

    def connect(self, source: int, destination: int,
                congestion_control: Optional[PartLike] = None,
                **queue_pair: Any) -> Tuple[QueuePair, QueuePair]:
        """Two connected queue pairs, at the source and at the destination."""
        control = None if congestion_control is None else as_part(congestion_control)
        return self._built.connect(source, destination, control, **queue_pair)

    # ---- what it is made of

    @property
    def topology(self) -> Topology:
        """The graph: numbers of nodes and links."""
        return self._built.topology

    @property
    def hosts(self) -> List[RdmaHw]:
        """The RDMA side of each host."""
        return self._built.hosts

    @property
    def switches(self) -> List[FabricSwitch]:
        """The switches."""
        return self._built.switches

    @property
    def nodes(self) -> List[Node]:
        """The nodes, by number in the topology."""
        return self._built.nodes

    def device(self, node: int, port: int = 0) -> QbbNetDevice:
        """A port of a node of the topology."""
        return self._built.device(node, port)

    def channel(self, link: int) -> QbbChannel:
        """The cable of a link of the topology."""
        return self._built.channel(link)

    def address(self, host: int, port: int = 0) -> str:
        """The IPv4 address of a host."""
        return self._built.address(host, port)

    def check_lossless(self) -> List[str]:
        """What could make a lossless class drop, one line a finding."""
        return self._built.check_lossless()

    # ---- what happens to it

    def schedule_link(self, link: int, up: bool, when: TimeLike) -> None:
        """Cut or mend a link at a time, with new routes."""
        self._built.schedule_link(link, up, when)

    def set_link_up(self, link: int, up: bool) -> None:
        """Cut or mend a link now, with new routes."""
        self._built.set_link_up(link, up)

    def is_link_up(self, link: int) -> bool:
        """Whether a link is whole."""
        return self._built.is_link_up(link)

    def ipv6_address(self, host: int, port: int = 0) -> str:
        """The IPv6 address of a host."""
        return self._built.ipv6_address(host, port)

    def port_pairs(self, source: int, destination: int) -> List[Tuple[int, int]]:
        """(port of the source, port of the destination) of each way between two hosts."""
        return self._built.port_pairs(source, destination)

    def enable_pcap(self, prefix: PathLike, nodes: Iterable[int] = ()) -> None:
        """Capture frames as prefix-node-port.pcap; no nodes: all of them."""
        self._built.enable_pcap(str(prefix), list(nodes))

    # ---- the run

    def run(self, stop: Optional[TimeLike] = None, *, stop_when_done: bool = True,
            write_to: Optional[PathLike] = None, files: Iterable[str] = (),
            sample_interval: TimeLike = "10us") -> Results:
        """Run until the last RDMA flow and the last TCP flow with a size have ended, but no longer
        than a time. Returns Results.

        stop_when_done: False goes on until nothing is left to happen, for queue pairs and
        applications that are no flows; write_to: folder for CSV files; files: which of fct, pfc,
        queue, throughput, watchdog, none: all; sample_interval: between samples of queues and rates.
        """
        if self._ran:
            raise RuntimeError("this fabric has run; make another one, after Simulator.destroy()")
        end = self._stop if stop is None else as_time(stop)
        self._refuse_endless(end)
        self._assign_streams()
        self._flows.stop_when_done(stop_when_done)
        stats = self._flows.make_stats()
        self._kept.append(stats)  # the simulation may go on
        stats.set_sample_interval(as_time(sample_interval))
        if write_to is not None:
            stats.write_to(str(write_to), list(files))
        if end is not None:
            Simulator.stop(end)
        self._ran = True
        Simulator.run()
        results = self._collect(stats, None if write_to is None else str(write_to))
        stats.finish()
        results._files_are_complete()  # pylint: disable=protected-access
        return results

    def _assign_streams(self) -> None:
        """Fix all random streams, those of the fabric first."""
        first = _FIRST_STREAM + self._built.assign_streams(_FIRST_STREAM)
        first += self._flows.assign_streams(first)
        if self._faults is not None:
            first += self._faults.assign_streams(first)
        if self._sockets is not None:
            self._sockets.assign_streams(first)

    def _collect(self, stats: Stats, folder: Optional[str]) -> Results:
        """The Results, as long as the simulation is there."""
        return Results(stats.summary(), stats.totals(), self._flows.columns(),
                       self._flows.unfinished(), folder,
                       applications=self._sockets.columns() if self._sockets else None,
                       deadlocks=self._detector.deadlocks if self._detector else (),
                       faults=self._faults.log if self._faults else ())

    def __repr__(self) -> str:
        return (f"<lossless.Fabric of {self._built.n_hosts} hosts and "
                f"{self._built.n_switches} switches>")
