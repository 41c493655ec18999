# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics and what runs on them."""

import contextlib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import drawing
from ._lossless import (
    Application,
    ConfigMonitor,
    DataRate,
    DeadlockDetector,
    DependencyGraph,
    FabricHelper,
    Faults,
    Flows,
    FlowSizes,
    HpccOutput,
    HpccScenario,
    Inof,
    NicWatchdog,
    Overlay,
    PauseMonitor,
    PfcWatchdog,
    PingMesh,
    SocketFlow,
    Sockets,
    StorageServer,
    Time,
    Topology,
    detect_deadlocks,
    ideal_fct,
    prevent_at_port_group,
    prevent_deadlocks,
    tor_switches,
    watch_nics,
    watch_switches,
)
from .flow_table import check_columns, columns_of, start_of
from .places import (
    EXAMPLES,
    At,
    Places,
    Setting,
    class_list,
    extension_list,
    preset_values,
    require_once,
    set_at,
)
from .results import Results
from .run import Run, RunsOfFabric
from .types import (
    DataRateLike,
    HostLike,
    NodeLike,
    PartLike,
    PathLike,
    RankPlace,
    Size,
    SwitchLike,
    TimeLike,
    as_attributes,
    as_bool,
    as_mapping,
    as_part,
    as_time,
)

if TYPE_CHECKING:
    from ._lossless_jobs import Job, JobGraph

_EXAMPLES = {"link": '{"data_rate": "100Gbps"}', "mmu": '{"buffer_size": "32MiB"}',
             "switch": '{"ecn_enabled": False}', "host": '{}',
             "queue_pair": '{"mtu": 4096}'}


def _dictionary(options: Dict[str, Any], name: str) -> Dict[str, Any]:
    """An option that is a dictionary of attributes, which may be changed."""
    value = as_attributes(options.pop(name, {}), name,
                          f"a dictionary of attributes, such as {name}={_EXAMPLES[name]}")
    require_once((f"{name}[{key!r}]", key) for key in value)
    return dict(value)


def _configure(helper: FabricHelper, options: Dict[str, Any]) -> FabricHelper:
    """Give a FabricHelper the options that the constructors of Fabric take."""
    link, buffer, switch, host, queue_pair = (
        _dictionary(options, name) for name in ("link", "mmu", "switch", "host", "queue_pair"))
    for name, group, values, keyword in (
            ("rate", "link", link, "data_rate"), ("delay", "link", link, "delay"),
            ("error_rate", "link", link, "error_rate"), ("buffer", "mmu", buffer, "buffer_size"),
            ("alpha", "mmu", buffer, "alpha"), ("lossless_classes", "link", link, "pfc_classes"),
            ("cbfc", "link", link, "cbfc_classes"),
            ("scheduler", "link", link, "egress_scheduler"),
            ("ecn", "switch", switch, "ecn_marker_type"),
            ("load_balancer", "switch", switch, "load_balancer_type"),
            ("congestion_control", "queue_pair", queue_pair, "congestion_control")):
        if name in options:
            require_once([(f"{name}=", keyword), *((f"{group}[{key!r}]", key) for key in values)])
            if name in ("rate", "delay", "error_rate", "buffer", "alpha"):
                values[keyword] = options.pop(name)
    if "preset" in options:
        preset = preset_values(options.pop("preset"))
        require_once([*(("preset=", key) for key in preset),
                      *((f"mmu[{key!r}]" if key != "buffer_size" else "buffer=", key) for key in buffer)])
        buffer.update(preset)
    if "ev_format" in options and "mrc" not in options:
        raise TypeError("ev_format= is that of queue pairs of MRC; give mrc= too")
    if "mrc" in options:  # first: the others change parts of it
        helper.set_mrc(as_time(options.pop("mrc")), options.pop("ev_format", "udp"))
    if "cbfc" in options:
        helper.set_cbfc(class_list(options.pop("cbfc")))  # first, likewise
    helper.set_link(**link)
    helper.set_buffer(**buffer)
    helper.set_switch(**switch)
    helper.set_host(**host)
    helper.set_queue_pair(**queue_pair)
    if "congestion_control" in options:
        control = options.pop("congestion_control")
        if control is None or isinstance(control, str):
            helper.set_congestion_control("none" if control is None else control)
        else:
            helper.set_congestion_control(as_part(control))
    for name in ("ecn", "load_balancer", "scheduler"):
        if name in options:
            getattr(helper, "set_" + name)(as_part(options.pop(name), EXAMPLES[name]))
    for extension in extension_list(options.pop("extensions", ())):
        helper.add_switch_extension(extension)
    by_rate = as_mapping(options.pop("ecn_thresholds", {}), "ecn_thresholds",
                         "a dictionary by rate, such as {\"100Gbps\": (100_000, 400_000, 0.2)}")
    require_once((f"ecn_thresholds[{rate!r}]", DataRate(rate) if isinstance(rate, (str, int)) else rate)
                 for rate in by_rate)
    for rate, thresholds in by_rate.items():
        helper.set_ecn_thresholds(rate, *thresholds)
    if "alpha_by_speed" in options:
        helper.set_alpha_by_speed(as_bool(options.pop("alpha_by_speed"), "alpha_by_speed"))
    if "lossless_classes" in options:
        helper.set_lossless_classes(class_list(options.pop("lossless_classes")))
    if "settings" in options:
        helper.read_settings(options.pop("settings"))
    set_at(helper, options.pop("at", {}))
    if "ip_version" in options:
        helper.set_ip_version(options.pop("ip_version"))
    helper.allow_lossy(as_bool(options.pop("allow_lossy", False), "allow_lossy"))
    if options:
        raise TypeError(f"unknown option {sorted(options)[0]!r}; known are rate, delay, error_rate, "
                        "preset, buffer, alpha, congestion_control, ecn, load_balancer, scheduler, mrc, "
                        "ev_format, extensions, ecn_thresholds, alpha_by_speed, lossless_classes, cbfc, "
                        "ip_version, allow_lossy, link, mmu, switch, host, queue_pair, at, settings")
    return helper


class Fabric(RunsOfFabric):
    """A fabric, its flows and its run.

    Made by star(), dumbbell(), leaf_spine(), multi_plane(), fat_tree() or from_topology(), which take
    these keywords, and every default is usable; or by from_hpcc().

    rate, delay, error_rate   of links: "100Gbps" or a number of bit/s, rounded to a whole one; "1us";
                              a probability
    preset                    of switches: a published one, whose buffer they have, "tomahawk3"
    buffer, alpha             of switches: "32MiB", share of the free space
    congestion_control        such as Dcqcn(dialect="Nic"); None: line rate
    ecn, load_balancer, scheduler    a Part, or the name of a type
    extensions                Parts that every switch gets
    ecn_thresholds            by rate of the port: {"100Gbps": (kmin, kmax, pmax)}, bytes
    alpha_by_speed            whether alpha of a port follows its rate
    lossless_classes          classes with PFC, [3]; []: no PFC
    cbfc                      classes that credits (CBFC) make lossless in place of PFC: [3]; with
                              lossless_classes, other classes have PFC
    mrc                       the longest round trip of the empty fabric, "12us": queue pairs of MRC, and
                              what MRC needs (FabricHelper.set_mrc); other keywords change parts of it
    ev_format                 how entropy values of MRC choose paths: "udp", "stev" or "srv6"
    ip_version                of the frames of queue pairs: 4, or 6
    allow_lossy               build even what cannot be lossless
    link, mmu, switch, host, queue_pair   dictionaries of further attributes
    at                        settings of some places: {"leaf": {"alpha": 1 / 32}}, see At.set()
    settings                  a file of such settings, in TOML
    """

    def __setattr__(self, name: str, value: Any) -> None:
        """AttributeError for what would have no effect; a class derived from this has its own."""
        if (type(self) is Fabric and name != "scenario" and not name.startswith("_")
                and not isinstance(getattr(Fabric, name, None), property)):
            raise AttributeError(f"a Fabric has no attribute {name!r} that can be set; "
                                 f"settings are keywords of the constructor, as in star(4, alpha=1/16), "
                                 f"or fabric.at(\"all\").set({name}=...)")
        super().__setattr__(name, value)

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
    def multi_plane(cls, planes: int, leaves: int, spines: int, hosts_per_leaf: int,
                    oversubscription: float = 1.0, **options: Any) -> "Fabric":
        """Planes of two tiers that share no switch: port i of each host leads to plane i.

        rate is that of each port: 8 planes of 100 Gb/s are a NIC of 800 Gb/s.
        """
        helper = _configure(FabricHelper(), options)
        return cls(helper.multi_plane(planes, leaves, spines, hosts_per_leaf, oversubscription))

    @classmethod
    def fat_tree(cls, k: int, **options: Any) -> "Fabric":
        """Three tiers of switches with k ports, k^3/4 hosts."""
        return cls(_configure(FabricHelper(), options).fat_tree(k))

    @classmethod
    def from_topology(cls, topology: Topology, **options: Any) -> "Fabric":
        """Any graph, see Topology."""
        return cls(_configure(FabricHelper(), options).from_topology(topology))

    @classmethod
    def from_hpcc(cls, config: PathLike, *, allow_lossy: bool = False, allow_unknown: bool = False) -> "Fabric":
        """What a configuration of the public HPCC simulator describes, with its topology and flows.

        The configuration becomes the defaults of attributes, until Config.reset(). Each run() ends
        at its SIMULATOR_STOP_TIME at the latest, which counts from the begin of the run. Findings
        of the runs name what is probably not meant, and keys without effect. Keys that are not known
        here are a mistake, or with allow_unknown a finding.
        """
        scenario = HpccScenario(str(config), as_bool(allow_unknown, "allow_unknown"))
        fabric = cls(scenario.build(as_bool(allow_lossy, "allow_lossy")))
        fabric.scenario = scenario
        run = fabric._waiting_run()
        scenario.add_flows(run.rdma)
        if scenario.has_link_down:
            scenario.add_faults(run.faults)
        scenario.add_findings(fabric)
        return fabric

    # ---- some places unlike others

    def at(self, places: Places) -> At:
        """Some places of the fabric: fabric.at("core").set(alpha=1 / 8) sets them now.

        places: "all", "hosts", "switches"; a tier, "leaf", "spine" or "core"; a node, "leaf 2" or
        "host 4"; the switches to which ports 3 of the hosts lead, "plane 3" or "leaf plane 3";
        ports, "leaf 2 port 3" or "leaf 2 to spine"; "leaf to spine class 3": some classes there; or a function that gets the name of a node and says whether it is meant.
        """
        return At(self, places)

    @property
    def settings(self) -> List[Setting]:
        """The settings in force that are not the defaults of their types, whoever has set them."""
        return [Setting(*each) for each in self.differences()]

    # ---- flows

    def flow(self, source: HostLike, destination: HostLike, size: Size, start: TimeLike = "0s", *,
             traffic_class: Optional[int] = None, verb: Optional[str] = None, window: Size = 0,
             udp_port: int = 0, port: Union[int, Tuple[int, int], None] = None,
             congestion_control: Optional[PartLike] = None, label: Optional[str] = None,
             **queue_pair: Any) -> int:
        """One message between two hosts. Returns its number.

        size: bytes; start: from the begin of the run, as for all workloads; window: payload bytes in
        flight, 0: as configured; udp_port: source port, by which ECMP chooses a path, 0: as
        configured; port: of the source, where it has several, or (port of the source, port of the
        destination), None: each of the ways in turn; congestion_control: a Part in place of the
        fabric's; label: by which tables and totals tell flows apart, such as "burst"; further keywords: attributes of its queue pairs.
        """
        own = [name for name, value in (("window", window), ("udp_port", udp_port)) if value]
        with self._prepared(congestion_control, queue_pair, own=own) as flows:
            return flows.add(source, destination, size, start, traffic_class, verb, window,
                             udp_port, port, label)

    def flows_from(self, table: Any, *, congestion_control: Optional[PartLike] = None,
                   **queue_pair: Any) -> List[int]:
        """A flow for each row of a data frame, a Table or a dictionary of columns. Returns their
        numbers, in the order of the rows.

        Columns: source, destination, size; start (text or Time), or start_s, start_ms, start_us,
        start_ns (numbers), none: at 0; and, where wanted, traffic_class, verb, window,
        udp_port, port and label. When one row is refused, no flow is added.
        """
        columns = columns_of(table)
        check_columns(columns)
        own = [name for name in ("window", "udp_port") if any(columns.get(name, ()))]
        require_once([*((f"the column {name}", name) for name in own), *((f"{name}=", name) for name in queue_pair)])
        with self._prepared(congestion_control, queue_pair) as flows:
            rows = []
            for row, values in enumerate(zip(*columns.values())):
                flow = dict(zip(columns, values))
                try:
                    flow["start"] = start_of(flow)
                    flows.check(**flow)
                except (IndexError, OverflowError, TypeError, ValueError) as error:
                    raise type(error)(f"row {row}: {error}") from None
                rows.append(flow)
            return [flows.add(**flow) for flow in rows]

    def poisson(self, workload: Union[PathLike, FlowSizes], load: float, duration: TimeLike,
                start: TimeLike = "0s", *, traffic_class: Optional[int] = None,
                verb: Optional[str] = None, congestion_control: Optional[PartLike] = None,
                label: Optional[str] = None, **queue_pair: Any) -> None:
        """Poisson arrivals at all hosts, each to a random other host.

        workload: "fb-hadoop", "websearch", "ali-storage", "google-rpc", a file of sizes, or FlowSizes;
        load: share of the rate of the hosts' links; duration: how long flows arrive; label: as of
        flow().
        """
        with self._prepared(congestion_control, queue_pair, traffic_class, verb, label) as flows:
            flows.poisson(workload, load, duration, start)

    def incast(self, senders: int, receiver: HostLike, size: Size, start: TimeLike = "0s", *,
               repeats: int = 1, interval: TimeLike = "0s", traffic_class: Optional[int] = None,
               verb: Optional[str] = None, congestion_control: Optional[PartLike] = None,
               label: Optional[str] = None, **queue_pair: Any) -> None:
        """Many send to one at the same time, size bytes each; with verb="READ" the receiver asks all
        of them at once."""
        with self._prepared(congestion_control, queue_pair, traffic_class, verb, label) as flows:
            flows.incast(senders, receiver, size, start, repeats, interval)

    def permutation(self, size: Size, start: TimeLike = "0s", *, traffic_class: Optional[int] = None,
                    verb: Optional[str] = None, congestion_control: Optional[PartLike] = None,
                    label: Optional[str] = None, **queue_pair: Any) -> None:
        """Every host sends to one other and receives from one other."""
        with self._prepared(congestion_control, queue_pair, traffic_class, verb, label) as flows:
            flows.permutation(size, start)

    def all_to_all(self, size: Size, start: TimeLike = "0s", *, traffic_class: Optional[int] = None,
                   verb: Optional[str] = None, congestion_control: Optional[PartLike] = None,
                   label: Optional[str] = None, **queue_pair: Any) -> None:
        """Every host sends to every other host."""
        with self._prepared(congestion_control, queue_pair, traffic_class, verb, label) as flows:
            flows.all_to_all(size, start)

    def job(self, graph: "JobGraph", places: Optional[Iterable[RankPlace]] = None,
            **options: Any) -> "Job":
        """A job of several ranks, of the run that waits; the same as Run.job(), which says what the
        keywords are. Returns the Job."""
        from .job import add_job  # pylint: disable=import-outside-toplevel
        return add_job(self._waiting_run(), graph, places, options)

    @contextlib.contextmanager
    def _prepared(self, congestion_control: Optional[PartLike], queue_pair: Dict[str, Any],
                  traffic_class: Optional[int] = None, verb: Optional[str] = None,
                  label: Optional[str] = None, own: Sequence[str] = ()) -> Iterator[Flows]:
        """The flows of the run that waits, with what a call says of those that it adds, beside what
        was set for all of them. own: what the flows say themselves, which queue_pair must not say
        again."""
        said = [*own, *(["congestion_control"] if congestion_control is not None else [])]
        if said:
            require_once((f"{name}=", name) for name in (*said, *queue_pair))
        flows = self._waiting_run().rdma
        before = flows.said
        try:
            if queue_pair:
                flows.add_queue_pair(**queue_pair)
            if congestion_control is not None:
                flows.set_congestion_control(as_part("RdmaFixedRate" if congestion_control == "none"
                                                     else congestion_control))
            if traffic_class is not None:
                flows.set_class(traffic_class)
            if verb is not None:
                flows.set_verb(verb)
            if label is not None:
                flows.set_label(label)
            yield flows
        finally:
            flows.said = before  # of the call alone

    def hpcc_output(self, *, fct: Optional[PathLike] = None, pfc: Optional[PathLike] = None,
                    queues: Optional[Tuple[PathLike, TimeLike, TimeLike]] = None) -> HpccOutput:
        """Files as the public HPCC simulator writes them: fct, pfc: paths; queues: (path, start,
        end). Returns the HpccOutput; call its commit() after the run."""
        output = HpccOutput(self, self._waiting_run().rdma)
        if fct is not None:
            output.write_fct(str(fct))
        if pfc is not None:
            output.write_pfc(str(pfc))
        if queues is not None:
            path, start, end = queues
            output.write_queues(str(path), as_time(start), as_time(end))
        self._output = output
        return output

    @property
    def flows(self) -> Flows:
        """The RDMA flows of the run: n_flows, n_completed, active, on_end(callable),
        on_start(callable). After run() those that have run, until another run begins."""
        return self._last_run().rdma

    def on_flow_end(self, callable: Callable[..., Any]) -> Callable[..., Any]:
        """Call a callable with the FlowResult of each RDMA flow that ends, in the run that waits and
        in all later runs of the fabric; `flows.on_end()` is of one run. Returns the callable, so that
        it may be a decorator."""
        self._waiting_run().rdma.on_end(callable)
        self._on_flow_end.append(callable)
        return callable

    # ---- TCP, UDP and stock applications: the IP stack is installed at first use

    @property
    def sockets(self) -> Sockets:
        """What keeps the TCP and UDP flows of the run: `sockets.flows` lists them. After run()
        those that have run, which take no more, until another run begins; tcp() begins one."""
        run = self._last_run()
        return (run if run.has_sockets else self._waiting_run()).sockets

    def tcp(self, source: HostLike, destination: HostLike, size: Optional[Size] = None,
            start: TimeLike = "0s", stop: Optional[TimeLike] = None, *, traffic_class: int = 0,
            congestion_control: Optional[str] = None, **attributes: Any) -> SocketFlow:
        """A TCP flow between two hosts, as fast as it may. Returns a SocketFlow.

        size: bytes, or None: no end; start, stop: from the begin of the run; traffic_class: of its
        packets and their acknowledgements; congestion_control: "TcpCubic", "TcpDctcp", ...,
        default: ns-3's; further keywords: attributes of TcpSocketBase. Segments fill the MTU and
        buffers have 4 MiB unless something else is said; they hold a segment at least. run() waits
        for flows with a size.
        """
        if not isinstance(congestion_control, (str, type(None))):
            raise TypeError(f"congestion_control of TCP is {congestion_control!r}; it must be the name "
                            "of a type, such as \"TcpCubic\"")
        sockets = self._waiting_run().sockets
        return sockets.tcp(source, destination, size, as_time(start), as_time(stop), traffic_class,
                           congestion_control, **attributes)

    def udp(self, source: HostLike, destination: HostLike, rate: DataRateLike, start: TimeLike = "0s",
            stop: Optional[TimeLike] = None, *, size: Optional[Size] = None,
            packet_size: int = 1000, traffic_class: int = 0, **attributes: Any) -> SocketFlow:
        """Datagrams between two hosts at a constant rate of payload. Returns a SocketFlow.

        rate: "10Gbps"; start, stop: from the begin of the run; size: bytes in all, None: until the
        stop; packet_size: payload bytes of each, the last may have fewer; further keywords:
        attributes of OnOffApplication, such as on_time="ns3::ExponentialRandomVariable[Mean=0.001]",
        a time that cannot be below 0. run() does not wait for it.
        """
        rate = rate if isinstance(rate, DataRate) else DataRate(rate)
        sockets = self._waiting_run().sockets
        return sockets.udp(source, destination, rate, size, as_time(start), as_time(stop),
                           traffic_class, packet_size, **attributes)

    def application(self, host: HostLike, type: str, start: TimeLike = "0s",
                    stop: Optional[TimeLike] = None, **attributes: Any) -> Application:
        """Any stock application of ns-3 on a host, such as "PacketSink". Returns it.

        start, stop: from the begin of the run. Attributes that are addresses, such as remote and
        local, take (host, port), the host by its number or its IPv4 address ("0.0.0.0": any);
        those that are types, such as protocol, the name of the type: "TcpSocketFactory".
        """
        sockets = self._waiting_run().sockets
        return sockets.application(host, type, as_time(start), as_time(stop), **attributes)

    # ---- what goes wrong, and what is done about it

    @property
    def faults(self) -> Faults:
        """Faults of the run that waits or is under way, by time, see Faults. After run() those of the
        next run, which begins with this; Results.faults are those of a run that has ended. Using it
        also ends a run in which nothing moves any more."""
        return self._waiting_run().faults

    def watch_switches(self, switches: Optional[Iterable[SwitchLike]] = None,
                       **attributes: Any) -> List[PfcWatchdog]:
        """Give switches, all or some, a PfcWatchdog with these attributes. Returns them."""
        return watch_switches(self, switches, **attributes)

    def watch_nics(self, hosts: Optional[Iterable[HostLike]] = None,
                   **attributes: Any) -> List[NicWatchdog]:
        """Give the NICs of hosts, all or some, a NicWatchdog with these attributes. Returns
        them."""
        return watch_nics(self, hosts, **attributes)

    @property
    def tor_switches(self) -> List[int]:
        """Numbers of the switches that have hosts."""
        return tor_switches(self)

    def detect_deadlocks(self, **attributes: Any) -> DeadlockDetector:
        """Look for deadlocks during the run: action="Report", "Stop" or "Drain". Returns the
        DeadlockDetector."""
        self._detector = detect_deadlocks(self, **attributes)
        return self._detector

    def prevent_deadlocks(self, how: str, classes: Iterable[int], *,
                          lossy_class: Optional[int] = None, limit: Optional[int] = None) -> None:
        """Prevent deadlocks. how: "tagger" or "port_groups" move a frame that bounces to the next
        of the classes, all lossless, and in the end to the lossy class, 0 by default; "ttl" limits
        the TTL of frames of the classes to the limit, and has no lossy class."""
        prevent_deadlocks(self, how, class_list(classes, "classes"), lossy_class, limit)

    def prevent_at_port_group(self, node: NodeLike, ports: Iterable[int], classes: Iterable[int], *,
                              lossy_class: int = 0) -> None:
        """A frame that comes and goes by these ports of a switch is moved to the next
        of the classes."""
        prevent_at_port_group(self, node, list(ports), class_list(classes, "classes"), lossy_class)

    def dependency_graph(self, of: str = "routes") -> DependencyGraph:
        """Which buffers may wait for which: a DependencyGraph. of: "routes" (whatever is sent),
        "flows" (those that have been added), or "active" (those that run now)."""
        makers = {"routes": lambda: DependencyGraph.from_routes(self),
                  "flows": lambda: DependencyGraph.from_flows(self.flows),
                  "active": lambda: DependencyGraph.from_active_flows(self.flows)}
        if of not in makers:
            raise ValueError(f"of is {of!r}; it must be one of {', '.join(makers)}")
        return makers[of]()

    # ---- monitors

    def ping_mesh(self, begin: TimeLike = "0s", end: TimeLike = "10ms", *, size: Size = 512,
                  interval: TimeLike = "100us", window: TimeLike = "1ms",
                  targets: Optional[int] = None, stream: Optional[int] = None,
                  write_to: Optional[Tuple[PathLike, PathLike]] = None,
                  **queue_pair: Any) -> PingMesh:
        """Every host writes a short message to every other at an interval, from one time to the
        other. Returns the PingMesh; call its finish() after the run.

        begin, end: from the begin of the run, as for all workloads; size: bytes; window: time over
        which percentiles are taken; targets: each host probes so many others only, drawn from a
        random stream, 0 by default; write_to: (probes.csv, windows.csv); further keywords:
        attributes of its queue pairs, such as retransmit_timeout.
        """
        if targets is None and stream is not None:
            raise ValueError("stream would have no effect without targets, which are drawn from it")
        mesh = PingMesh(self)
        mesh.set_size(size)
        mesh.set_interval(as_time(interval))
        mesh.set_window(as_time(window))
        mesh.set_queue_pair(**queue_pair)
        if targets is not None:
            mesh.set_sample(targets, stream or 0)
        if write_to is not None:
            mesh.write_to(*map(str, write_to))
        self._run_within(mesh, begin, end)
        return mesh

    def pause_monitor(self, begin: TimeLike = "0s", end: TimeLike = "10ms", *,
                      interval: TimeLike = "100us", write_to: Optional[PathLike] = None,
                      **thresholds: float) -> PauseMonitor:
        """Read the pause counters of all ports at an interval. Returns the PauseMonitor.

        begin, end: from the begin of the run, as for all workloads; thresholds: xoff_sent=,
        xoff_received= (frames in an interval), paused_share= (0 to 1): an alert from this value on;
        write_to: a CSV file, complete after commit().
        """
        monitor = PauseMonitor(self)
        monitor.set_interval(as_time(interval))
        for metric, threshold in thresholds.items():
            monitor.set_threshold(metric, threshold)
        if write_to is not None:
            monitor.write_to(str(write_to))
        self._run_within(monitor, begin, end)
        return monitor

    def config_monitor(self, interval: Optional[TimeLike] = None, end: Optional[TimeLike] = None,
                       **intended: Any) -> ConfigMonitor:
        """Compare the running configuration with the present one, or with what keywords such as
        alpha=1/16 intend. Returns the ConfigMonitor: check() whenever you like, or give an interval
        at which it checks to an end, from the begin of the run, 10 ms by default."""
        if interval is None and end is not None:
            raise ValueError("end would have no effect without an interval at which it checks")
        monitor = ConfigMonitor(self)
        for name, value in intended.items():
            monitor.intend(name if ":" in name else "".join(part.capitalize() for part in name.split("_")), value)
        if interval is not None:
            last = self._begin() + as_time("10ms" if end is None else end)
            monitor.check_every(as_time(interval), last)
            self._keep(monitor, last)
        return monitor

    def overlay(self, hosts: Iterable[HostLike] = (), *, ip_version: int = 4, **attributes: Any) -> Overlay:
        """VXLAN between the IP stacks of hosts, without hosts of all. Returns the Overlay.

        ip_version: of the tunnels, 4 or 6; attributes: of VxlanNetDevice, such as vni=7. Host i has
        the address 192.168.0.1 + i in the overlay.
        """
        overlay = Overlay(self)
        overlay.set_device(**attributes)
        overlay.install(list(hosts), ip_version)
        self._keep(overlay)
        return overlay

    # ---- iNOF

    def inof(self, zones: Optional[Mapping[str, Iterable[HostLike]]] = None, *,
             reflectors: Iterable[SwitchLike] = (), disks: Iterable[HostLike] = (),
             keep_alive: Optional[Tuple[TimeLike, int]] = None,
             switch: Optional[Dict[str, Any]] = None,
             host: Optional[Dict[str, Any]] = None) -> Inof:
        """iNOF on all switches and hosts. Returns the Inof.

        zones: hosts by name of the zone; reflectors: switches, cross-switch mode; disks:
        hosts that offer storage; keep_alive: (interval, misses); switch, host: dictionaries of
        attributes of the agents. Keep-alives go on for ever: run(stop=...).
        """
        zones = as_mapping(zones or {}, "zones", "a dictionary of lists of hosts, such as {\"a\": [0, 1]}")
        inof = Inof(self)
        inof.set_switch(**(switch or {}))
        inof.set_host(**(host or {}))
        if keep_alive is not None:
            interval, misses = keep_alive
            inof.set_keep_alive(as_time(interval), misses)
        if reflectors:
            inof.set_reflectors(list(reflectors))
        for disk in disks:
            inof.set_disk(disk)
        inof.install()
        for name, hosts in zones.items():
            inof.add_zone(name, list(hosts))
        self._keep(inof)
        return inof

    def storage_server(self, host: HostLike, paths: Iterable[Union[HostLike, Tuple[HostLike, int]]],
                       begin: TimeLike, end: TimeLike, *, io_size: Size = 4096, depth: int = 8,
                       verb: str = "write", retry_interval: TimeLike = "1ms",
                       inof: Optional[Inof] = None,
                       congestion_control: Optional[PartLike] = None,
                       **queue_pair: Any) -> StorageServer:
        """A host that keeps I/Os going over one of several paths. Returns the StorageServer.

        paths: target hosts, the best first, or (host, choice) for the choice-th way between their
        ports; begin, end: from the begin of the run; io_size: bytes of each I/O; depth: how many at
        a time; inof: an Inof that tells it of failures, and of the disks of its zones, which are
        paths, too, None: it waits until retries are exhausted; further keywords: attributes of its
        queue pairs.
        """
        if self._current is not None and self._current.has_ended:
            self._waiting_run()  # the faults of the run before are over
        control = None if congestion_control is None else as_part(congestion_control)
        server = StorageServer(self, host, io_size=io_size, depth=depth, verb=verb,
                               retry_interval=as_time(retry_interval), congestion_control=control,
                               **queue_pair)
        for path in paths:
            target, choice = path if isinstance(path, (tuple, list)) else (path, 0)
            server.add_path(target, choice)
        if inof is not None:
            server.use_inof(inof)
        self._run_within(server, begin, end)
        return server

    # ---- what would be

    def ideal_fct(self, source: HostLike, destination: HostLike, size: Size, *, verb: str = "write",
                  mtu: int = 0, ack_interval: int = 1) -> Time:
        """How long a message of a size takes when it has the fabric for itself, as a Time; mtu: 0
        is the fabric's."""
        return ideal_fct(self, source, destination, size, verb, mtu, ack_interval)

    # ---- pictures

    def draw(self, results: Optional[Results] = None, *,
             way: Optional[Tuple[HostLike, HostLike]] = None, axes: Any = None,
             size: Optional[str] = None) -> Any:
        """The topology as a picture: tiers above each other. Returns the axes; see plot.save().

        results: of a run, by which links have the colour of their utilisation and a mark for
        pauses; way: two hosts, the links between which are thick.
        """
        graph = self.topology
        ends = [(a, b) for a, b, _ in graph.links]
        return drawing.topology(self.names, ends, axes,
                                links=None if results is None else results.links,
                                down=[link for link in range(len(ends)) if not self.is_link_up(link)],
                                way=() if way is None else self.path(*way), size=size)

    # ---- the run

    def run(self, stop: Optional[TimeLike] = None, *, stop_when_done: Optional[bool] = None,
            write_to: Optional[PathLike] = None, files: Optional[Iterable[str]] = None,
            keep: Optional[Iterable[str]] = None, sample_interval: Optional[TimeLike] = None,
            watermarks: Optional[TimeLike] = None,
            patience: Optional[TimeLike] = None, stop_when_stuck: Optional[bool] = None,
            seed: Optional[int] = None, run: Optional[int] = None,
            first_stream: Optional[int] = None, threads: Optional[int] = None,
            skippable: Union[bool, Mapping[str, float], None] = None,
            pause_tree: Optional[bool] = None, explain: Optional[Iterable[int]] = None,
            link_load: Optional[bool] = None, allow_reordering: Optional[bool] = None,
            strict: Optional[bool] = None, progress: Optional[bool] = None) -> Results:
        """Run until the last RDMA flow and the last TCP flow with a size have ended, but no longer
        than a time. Returns Results. The same as Run(fabric, ...).execute(): Run says what the
        keywords are. What is added after it is of another run, which another call runs.
        """
        chosen = {name: value for name, value in locals().items() if name != "self"}
        waiting = self._waiting_run()
        before = waiting.options
        claim, self._claim = self._claim, None  # what a Run has chosen holds here, too
        try:
            return Run(self, **chosen).execute()
        finally:
            if not waiting.has_ended:
                waiting.choose(before)  # what is wrong with the options leaves no trace
                self._claim = claim
