# SPDX-License-Identifier: GPL-2.0-only
# Written by utils/make-stubs from the module; do not edit.
"""The C++ part of the package lossless."""

from typing import Any, Callable, ClassVar, Dict, Iterable, Iterator, List, Optional, Sequence
from typing import Set, Tuple, Union, overload

from .types import DataRateLike, TimeLike

class _Pybind11Type(type): ...

__version__: str

class Application(Object, metaclass=_Pybind11Type):
    """A stock application of ns-3."""
    @property
    def node(self) -> Node:
        """The node that it runs on."""

class BuiltFabric(metaclass=_Pybind11Type):
    """A fabric of ns-3's objects; see Fabric."""
    def __repr__(self) -> str: ...
    def address(self, host: int, port: int = ...) -> str:
        """IPv4 address of a host, as text."""
    def assign_streams(self, stream: int) -> int:
        """Fix the random streams from this one on. Returns how many were used."""
    def channel(self, link: int) -> QbbChannel:
        """The cable of a link."""
    def check_lossless(self) -> List[str]:
        """What could make a lossless class drop, one line a finding."""
    def connect(self, source: int, destination: int, congestion_control: Any = ..., **kwargs: Any) -> Tuple[QueuePair, QueuePair]:
        """Two connected queue pairs; further keywords are attributes of RdmaQueuePair."""
    def device(self, node: int, port: int = ...) -> QbbNetDevice:
        """The port of a node of the topology."""
    def enable_pcap(self, prefix: str, nodes: Sequence[int] = ...) -> None:
        """Capture frames as prefix-node-port.pcap; no nodes: all of them."""
    @property
    def hosts(self) -> List[RdmaHw]:
        """The RDMA side of each host."""
    def install_internet(self) -> None:
        """The stock IP stack on all hosts."""
    def ipv6_address(self, host: int, port: int = ...) -> str:
        """IPv6 address of a host, as text."""
    def is_link_up(self, link: int) -> bool:
        """Whether a link is whole."""
    @property
    def n_hosts(self) -> int:
        """Number of hosts."""
    @property
    def n_switches(self) -> int:
        """Number of switches."""
    @property
    def nodes(self) -> List[Node]:
        """The nodes, by number in the topology."""
    def port_pairs(self, source: int, destination: int) -> List[Any]:
        """(port of the source, port of the destination) of each way between two hosts."""
    def schedule_link(self, link: int, up: bool, when: TimeLike) -> None:
        """Cut or mend a link at a time, with new routes."""
    def set_link_up(self, link: int, up: bool) -> None:
        """Cut or mend a link now, with new routes."""
    @property
    def switches(self) -> List[FabricSwitch]:
        """The switches."""
    @property
    def topology(self) -> Topology:
        """Its graph."""

class ByteColumn(metaclass=_Pybind11Type):
    """Numbers, read-only: list(), memoryview() or numpy.asarray() of it."""
    def __getitem__(self, arg0: int) -> int: ...
    def __iter__(self) -> Iterator: ...
    def __len__(self) -> int: ...
    def __repr__(self) -> str: ...

class Channel(Object, metaclass=_Pybind11Type):
    """A channel of ns-3."""

class Completion(metaclass=_Pybind11Type):
    """The end of a work request, or of a message."""
    def __repr__(self) -> str: ...
    @property
    def bytes(self) -> int:
        """Length of the message."""
    @property
    def completed(self) -> Time:
        """When it ended."""
    @property
    def first_sent(self) -> Time:
        """When its first packet was sent."""
    @property
    def id(self) -> int:
        """Number of the work request, as post() returned it."""
    @property
    def immediate(self) -> int:
        """Immediate data, 32 bits."""
    @property
    def posted(self) -> Time:
        """When it was posted."""
    @property
    def status(self) -> Status:
        """How it ended."""
    @property
    def verb(self) -> Verb:
        """What it asked for."""

class Config(metaclass=_Pybind11Type):
    """ns-3's configuration by name and by path, as "/NodeList/*/DeviceList/0/Mtu"."""
    @staticmethod
    def connect(path: str, callable: Callable[..., Any]) -> None:
        """Call a callable whenever a trace source of a path fires: with the source's own path, then with what it tells."""
    @staticmethod
    def disconnect(path: str, callable: Callable[..., Any]) -> None:
        """End what connect() began with an equal callable."""
    @staticmethod
    def lookup(path: str) -> List[Any]:
        """The objects that a path matches: lookup("/NodeList/*/DeviceList/*")."""
    @staticmethod
    def reset() -> None:
        """Give all attributes their defaults again."""
    @staticmethod
    def set(path: str, value: Any) -> None:
        """Set the attribute of all objects that a path matches."""
    @staticmethod
    def set_default(name: str, value: Any) -> None:
        """Change the default of an attribute: set_default("RdmaQueuePair::Mtu", 4096)."""

class ConfigMonitor(metaclass=_Pybind11Type):
    """Compares what runs with what is intended; see Fabric.config_monitor()."""
    def __init__(self, fabric: BuiltFabric) -> None: ...
    def __repr__(self) -> str: ...
    def check(self) -> List[Drift]:
        """All differences now."""
    def check_every(self, interval: TimeLike, end: TimeLike) -> None:
        """Check at an interval, to an end."""
    @property
    def findings(self) -> List[Drift]:
        """What check_every() has found, each difference once."""
    def intend(self, what: str, value: Any) -> None:
        """A value that is intended wherever there is one of this name, such as "Alpha"."""
    def take(self) -> None:
        """What runs now is intended from now on."""
    @staticmethod
    def write(path: str, findings: Sequence[Drift]) -> None:
        """Write differences as CSV."""

class CongestionControl(Object, metaclass=_Pybind11Type):
    """Of one queue pair."""

class DataRate(metaclass=_Pybind11Type):
    """A rate: DataRate("100Gbps"), or a number of bit/s."""
    @overload
    def __init__(self, text: str) -> None:
        """From text such as "25Gbps"; ValueError if it is none."""
    @overload
    def __init__(self, bits_per_second: float) -> None:
        """From a number of bit/s."""
    def __add__(self, other: DataRateLike) -> DataRate: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __float__(self) -> float: ...
    def __ge__(self, arg0: DataRateLike) -> bool: ...
    def __gt__(self, arg0: DataRateLike) -> bool: ...
    def __le__(self, arg0: DataRateLike) -> bool: ...
    def __lt__(self, arg0: DataRateLike) -> bool: ...
    @overload
    def __mul__(self, factor: float) -> DataRate: ...
    @overload
    def __mul__(self, time: TimeLike) -> float:
        """Bytes in a time."""
    def __ne__(self, other: object) -> bool: ...
    def __repr__(self) -> str: ...
    def __rmul__(self, factor: float) -> DataRate: ...
    def __str__(self) -> str: ...
    def __sub__(self, other: DataRateLike) -> DataRate: ...
    @overload
    def __truediv__(self, other: DataRateLike) -> float: ...
    @overload
    def __truediv__(self, other: float) -> DataRate: ...
    @property
    def bits_per_second(self) -> int:
        """Bits a second."""

class DeadlockDetector(Object, metaclass=_Pybind11Type):
    """Finds deadlocks during a run."""
    @property
    def deadlocks(self) -> List[Any]:
        """Those found so far: time, end, cycle of (switch, port, class), flows of (source, destination, frames), frames."""

class DependencyGraph(metaclass=_Pybind11Type):
    """Which buffers may wait for which."""
    def __repr__(self) -> str: ...
    def describe(self) -> List[str]:
        """One line for each edge of a circle, with its flows."""
    @staticmethod
    def from_active_flows(flows: Flows) -> DependencyGraph:
        """What may wait with the flows that run now."""
    @staticmethod
    def from_flows(flows: Flows) -> DependencyGraph:
        """What may wait with the flows that have been added."""
    @staticmethod
    def from_routes(fabric: BuiltFabric) -> DependencyGraph:
        """What may wait by the routes, whatever is sent."""
    @property
    def has_cycle(self) -> bool:
        """Whether buffers may wait for each other in a circle."""
    @property
    def n_components(self) -> int:
        """Number of sets of buffers that may all wait for each other."""
    @property
    def n_edges(self) -> int:
        """Number of pairs of which one may wait for the other."""
    @property
    def n_vertices(self) -> int:
        """Number of buffers (switch, port, class)."""
    def write_dot(self, path: str, all: bool = ...) -> None:
        """For Graphviz."""

class Drift(metaclass=_Pybind11Type):
    """A value that is not what was intended."""
    def __repr__(self) -> str: ...
    @property
    def actual(self) -> str:
        """What it is."""
    @property
    def intended(self) -> str:
        """What it should be."""
    @property
    def what(self) -> str:
        """Such as "Alpha"."""
    @property
    def when(self) -> Time:
        """When it was seen first."""
    @property
    def where(self) -> str:
        """Such as "switch 5 port 2 class 3"."""

class DropReason(metaclass=_Pybind11Type):
    """Why a frame was dropped."""
    __members__: ClassVar[Dict[str, DropReason]]
    HEADROOM_FULL: ClassVar[DropReason]
    HEADROOM_POOL_FULL: ClassVar[DropReason]
    INGRESS_LIMIT: ClassVar[DropReason]
    EGRESS_LIMIT: ClassVar[DropReason]
    WRED: ClassVar[DropReason]
    NO_ROUTE: ClassVar[DropReason]
    TTL_EXPIRED: ClassVar[DropReason]
    LINK_LOCAL: ClassVar[DropReason]
    OVERSIZE: ClassVar[DropReason]
    LINK_DOWN: ClassVar[DropReason]
    CORRUPTED: ClassVar[DropReason]
    HOST_QUEUE_FULL: ClassVar[DropReason]
    NO_QUEUE_PAIR: ClassVar[DropReason]
    NOT_FOR_US: ClassVar[DropReason]
    UNKNOWN_MAC: ClassVar[DropReason]
    WATCHDOG: ClassVar[DropReason]
    DEADLOCK: ClassVar[DropReason]
    RECEIVE_BUFFER_FULL: ClassVar[DropReason]
    INJECTED: ClassVar[DropReason]
    def __init__(self, value: int) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class EcnMarker(SwitchExtension, metaclass=_Pybind11Type):
    """Decides about ECN marks."""

class EgressScheduler(Object, metaclass=_Pybind11Type):
    """Chooses the class that sends."""

class EventId(metaclass=_Pybind11Type):
    """An event that is to come; Simulator.schedule() makes it."""
    def __repr__(self) -> str: ...
    def cancel(self) -> None:
        """It shall not happen."""
    @property
    def is_pending(self) -> bool:
        """Whether it is to come."""

class FabricHelper(metaclass=_Pybind11Type):
    """Builds fabrics; every default is usable."""
    def __init__(self) -> None: ...
    def __repr__(self) -> str: ...
    def add_switch_extension(self, part: Part) -> None:
        """Give every switch an extension."""
    def allow_lossy(self, allow: bool = ...) -> None:
        """Build even what cannot be lossless."""
    def dumbbell(self, left: int, right: int, bottleneck: DataRateLike) -> BuiltFabric:
        """Two switches with hosts, and a link between them."""
    def fat_tree(self, k: int) -> BuiltFabric:
        """Three tiers of switches with k ports."""
    def from_topology(self, topology: Topology) -> BuiltFabric:
        """Any graph."""
    def leaf_spine(self, leaves: int, spines: int, hosts_per_leaf: int, oversubscription: float = ...) -> BuiltFabric:
        """Two tiers, every leaf joined to every spine."""
    def set_alpha_by_speed(self, enable: bool) -> None:
        """Whether faster ports get a larger alpha."""
    def set_buffer(self, **kwargs: Any) -> None:
        """Attributes of SwitchMmu."""
    @overload
    def set_congestion_control(self, part: Part) -> None: ...
    @overload
    def set_congestion_control(self, type: str) -> None:
        """A Part, the name of a type, or "none"."""
    def set_ecn(self, part: Part) -> None:
        """The ECN marker of all switches."""
    def set_ecn_thresholds(self, rate: DataRateLike, kmin: int, kmax: int, pmax: float) -> None:
        """ECN thresholds, bytes, of the ports of one speed."""
    def set_host(self, **kwargs: Any) -> None:
        """Attributes of RdmaHw."""
    def set_link(self, **kwargs: Any) -> None:
        """data_rate, delay, error_rate, and attributes of QbbNetDevice."""
    def set_load_balancer(self, part: Part) -> None:
        """The load balancer of all switches."""
    def set_lossless_classes(self, classes: Sequence[int]) -> None:
        """Classes with PFC; none: no PFC."""
    def set_queue_pair(self, **kwargs: Any) -> None:
        """Attributes of RdmaQueuePair."""
    def set_scheduler(self, part: Part) -> None:
        """The scheduler of all ports."""
    def set_switch(self, **kwargs: Any) -> None:
        """Attributes of FabricSwitch."""
    def star(self, hosts: int) -> BuiltFabric:
        """Hosts around one switch."""

class FabricSwitch(Object, metaclass=_Pybind11Type):
    """A shared-buffer switch."""
    def __init__(self) -> None: ...
    def add_extension(self, extension: SwitchExtension) -> None:
        """Give it an extension, such as a PfcWatchdog."""
    def add_port(self, device: QbbNetDevice) -> int:
        """Feed a port of the node from now on. Returns its index."""
    def add_route(self, destination: str, ports: Sequence[int]) -> None:
        """The ports towards a host, by its IPv4 address."""
    def check_lossless(self) -> List[str]:
        """What could make a lossless class drop, one line a finding."""
    def counters(self, port: int) -> Dict[str, Any]:
        """Frames dropped at ingress, by reason, and frames marked CE at egress, by class."""
    @property
    def extensions(self) -> List[Any]:
        """Its extensions, in the order in which they act."""
    @property
    def lossless_drops(self) -> int:
        """Frames of lossless classes dropped."""
    @property
    def lossy_drops(self) -> int:
        """Frames of lossy classes dropped."""
    @property
    def mmu(self) -> SwitchMmu:
        """The buffer."""
    @property
    def n_ports(self) -> int:
        """Number of ports."""
    @property
    def ports(self) -> List[QbbNetDevice]:
        """Its ports, by index."""
    def queue_bytes(self, port: int) -> int:
        """Frame bytes queued at a port."""

class Failover(metaclass=_Pybind11Type):
    """A change of the path of a storage server."""
    def __repr__(self) -> str: ...
    @property
    def from_path(self) -> Any:
        """Number of the path before; None: there was none."""
    @property
    def to_path(self) -> Any:
        """Number of the path after; None: there is none."""
    @property
    def when(self) -> Time:
        """When I/Os went the new way."""
    @property
    def why(self) -> str:
        """Status of the queue pair, or reason of iNOF."""

class Faults(metaclass=_Pybind11Type):
    """Faults by time; a duration of 0 is for good."""
    def __init__(self, arg0: BuiltFabric, arg1: Flows) -> None: ...
    def __repr__(self) -> str: ...
    def assign_streams(self, stream: int) -> int:
        """Fix the random streams from this one on. Returns how many were set aside."""
    def commit(self) -> None:
        """The file of write_to() is complete."""
    def converge_by_distance(self, first: TimeLike, per_hop: TimeLike) -> None:
        """Switches at a changed link get new routes after the first delay, each further one so much later for each hop."""
    def converge_by_switch(self, delays: Sequence[TimeLike]) -> None:
        """One delay for each switch, in their order."""
    def converge_randomly(self, low: TimeLike, high: TimeLike) -> None:
        """Each switch draws its delay, for each change anew."""
    def converge_uniformly(self, delay: TimeLike) -> None:
        """All switches get new routes so long after a link has changed."""
    def cut_link(self, link: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """Cut a link."""
    def flap_link(self, link: int, at: TimeLike, down: TimeLike, period: TimeLike, count: int) -> None:
        """Cut a link again and again."""
    @property
    def is_any_due(self) -> bool:
        """Whether a fault is to begin or to end."""
    @property
    def is_stuck(self) -> bool:
        """Whether the run was found stuck."""
    def kill_host(self, host: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """A host dies: its links stay up, and nothing comes from it or gets to it."""
    @property
    def last_progress(self) -> Time:
        """When something moved last, as far as was looked at."""
    def lift_all(self) -> None:
        """End all faults that last, and forget those to come."""
    @property
    def log(self) -> List[Any]:
        """(time, what, where, begins) of each fault that began or ended."""
    def lose_frames(self, node: int, port: int, loss: Part, at: TimeLike, duration: TimeLike = ...) -> None:
        """loss: a Part such as Part("RandomFrameLoss")."""
    def lose_ip_ids(self, node: int, port: int, mask: int, value: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """IPv4 frames whose identification has a value in the bits of a mask are lost."""
    def lose_randomly(self, node: int, port: int, rate: float, at: TimeLike, duration: TimeLike = ...) -> None:
        """Each frame that arrives at a port is lost with a probability, PFC included."""
    def lose_xon(self, node: int, port: int, traffic_class: int, count: int, at: TimeLike) -> None:
        """The next XON frames for a class that come to a port are lost."""
    @property
    def n_active(self) -> int:
        """How many faults last now."""
    def on_fault(self, callable: Callable[..., Any]) -> None:
        """Call a callable with (time, what, where, begins) of each fault that begins or ends."""
    def on_stuck(self, callable: Callable[..., Any]) -> None:
        """Call a callable when the run is found stuck."""
    def reboot_switch(self, switch: int, at: TimeLike, duration: TimeLike) -> None:
        """Restart a switch: its links go down, its buffer is empty."""
    def set_patience(self, patience: TimeLike) -> None:
        """Without progress for so long a run is stuck, and ends; 20 ms."""
    def silence_port(self, node: int, port: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """A port sends into the void: its link is up, and nothing of it arrives."""
    def slow_receiver(self, host: int, at: TimeLike, duration: TimeLike = ..., **kwargs: Any) -> None:
        """Further keywords: attributes of NicReceiveBuffer."""
    def stick_xoff(self, node: int, port: int, classes: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """A port pauses its peer; classes: mask."""
    def stop_receiver(self, host: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """The receive pipeline of a host stops: its buffer fills, and it pauses for ever."""
    def stop_when_stuck(self, stop: bool = ...) -> None:
        """Whether a run that is stuck ends; it does by default."""
    def storm_host(self, host: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """A NIC sends PAUSE for ever."""
    def write_to(self, path: str) -> None:
        """Write the log as CSV when commit() is called."""

class FlowResult(metaclass=_Pybind11Type):
    """The end of a flow."""
    def __repr__(self) -> str: ...
    @property
    def bytes(self) -> int:
        """Length of its message."""
    @property
    def destination(self) -> int:
        """Number of the other host."""
    @property
    def fct(self) -> Time:
        """From posting to completion."""
    @property
    def ideal(self) -> Time:
        """The same with the fabric for itself."""
    @property
    def index(self) -> int:
        """Number of the flow."""
    @property
    def source(self) -> int:
        """Number of the host that posted it."""
    @property
    def start(self) -> Time:
        """When it was posted."""
    @property
    def status(self) -> Status:
        """How it ended."""
    @property
    def traffic_class(self) -> int:
        """Class of its data."""

class FlowSizes(metaclass=_Pybind11Type):
    """How long flows are: FlowSizes("websearch"), a file, one size in bytes, or points (bytes, percent of the flows that are not longer)."""
    def __init__(self, source: Any) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def mean(self) -> float:
        """Mean size, bytes."""
    @staticmethod
    def names() -> List[str]:
        """Those shipped with the package."""
    @property
    def points(self) -> List[Any]:
        """(bytes, percent) of each point."""
    def quantile(self, fraction: float) -> float:
        """The size, bytes, that this fraction of flows does not exceed."""
    def sample(self, count: int = ...) -> LongColumn:
        """Sizes drawn at random, bytes, by set_seed() and the stream."""
    def set_stream(self, stream: int) -> None:
        """Which random stream sample() draws from."""

class Flows(metaclass=_Pybind11Type):
    """Flows and workloads of a fabric; see Fabric."""
    def __init__(self, fabric: BuiltFabric) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def active(self) -> List[Any]:
        """(source, destination, queue pair there, queue pair here) of the flows that run now."""
    def add(self, source: int, destination: int, size: Any, start: TimeLike = ..., traffic_class: int = ..., verb: Any = ..., window: Any = ...) -> int:
        """One message; see Fabric.flow(). Returns its number."""
    def all_to_all(self, size: Any, start: TimeLike = ...) -> None:
        """Each to every other; see Fabric.all_to_all()."""
    def assign_streams(self, stream: int) -> int:
        """Fix the random streams from this one on. Returns how many were set aside."""
    def columns(self) -> Dict[str, Any]:
        """What has ended so far, by column."""
    def incast(self, senders: int, receiver: int, size: Any, start: TimeLike = ..., repeats: int = ..., interval: TimeLike = ...) -> None:
        """Many to one; see Fabric.incast()."""
    @property
    def is_done(self) -> bool:
        """Whether all flows have ended and none will arrive."""
    @property
    def is_over(self) -> bool:
        """Whether all flows are done, and all other traffic that is waited for."""
    def make_stats(self) -> Stats:
        """Statistics of the run, before it."""
    @property
    def n_completed(self) -> int:
        """Flows completed with success."""
    @property
    def n_failed(self) -> int:
        """Flows that ended otherwise."""
    @property
    def n_flows(self) -> int:
        """Flows added; of Poisson workloads those that have arrived."""
    def on_end(self, callable: Callable[..., Any]) -> None:
        """Call a callable with the FlowResult of each flow that ends."""
    def on_start(self, callable: Callable[..., Any]) -> None:
        """Call a callable when a flow starts."""
    def permutation(self, size: Any, start: TimeLike = ...) -> None:
        """Each to one other; see Fabric.permutation()."""
    def poisson(self, workload: str, load: float, duration: TimeLike, start: TimeLike = ...) -> None:
        """Poisson arrivals; see Fabric.poisson()."""
    def set_class(self, traffic_class: int) -> None:
        """Class of the workloads added from now on."""
    def set_congestion_control(self, part: Any) -> None:
        """A Part for flows added from now on; None: that of the fabric."""
    def set_queue_pair(self, **kwargs: Any) -> None:
        """Attributes of the queue pairs of flows added from now on, in place of those set before; none: as the fabric's."""
    def set_verb(self, verb: Any) -> None:
        """Verb of the workloads added from now on."""
    def stop_when_done(self, stop: bool = ...) -> None:
        """Whether the simulation ends with the last flow."""
    def unfinished(self) -> List[UnfinishedFlow]:
        """The flows that have not completed, each with its reason."""

class Frame(metaclass=_Pybind11Type):
    """A frame as a trace source saw it."""
    def __repr__(self) -> str: ...
    @property
    def bytes(self) -> int:
        """Ethernet frame with FCS."""
    @property
    def dest_qp(self) -> int:
        """Number of the destination queue pair."""
    @property
    def dscp(self) -> int:
        """DSCP, 0 to 63."""
    @property
    def dst(self) -> int:
        """Destination address, last 32 bits."""
    @property
    def dst_port(self) -> int:
        """Destination port of UDP or TCP."""
    @property
    def ecn(self) -> int:
        """3: congestion experienced."""
    @property
    def ip_version(self) -> int:
        """4 or 6."""
    @property
    def kind(self) -> FrameKind:
        """What it carries."""
    @property
    def opcode(self) -> int:
        """BTH opcode."""
    @property
    def payload_bytes(self) -> int:
        """RoCE payload."""
    @property
    def pfc_enable(self) -> int:
        """PFC: mask of the classes."""
    @property
    def pfc_quanta(self) -> List[int]:
        """PFC: pause times."""
    @property
    def psn(self) -> int:
        """Sequence number, 64 bits."""
    @property
    def src(self) -> int:
        """Source address, last 32 bits."""
    @property
    def src_port(self) -> int:
        """Source port of UDP or TCP."""
    @property
    def traffic_class(self) -> int:
        """Class at the port, 0 to 7."""
    @property
    def ttl(self) -> int:
        """TTL or hop limit."""

class FrameKind(metaclass=_Pybind11Type):
    """What a frame carries."""
    __members__: ClassVar[Dict[str, FrameKind]]
    ROCE: ClassVar[FrameKind]
    IP: ClassVar[FrameKind]
    PFC: ClassVar[FrameKind]
    def __init__(self, value: int) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class FrameLoss(Object, metaclass=_Pybind11Type):
    """Which frames a fault destroys."""

class HpccOutput(metaclass=_Pybind11Type):
    """Files as the public HPCC simulator writes them."""
    def __init__(self, fabric: BuiltFabric, flows: Flows) -> None: ...
    def __repr__(self) -> str: ...
    def commit(self) -> None:
        """The run is over: the files are complete."""
    def write_fct(self, path: str) -> None:
        """Flow completion times, one line a flow."""
    def write_pfc(self, path: str) -> None:
        """PFC frames that arrive."""
    def write_queues(self, path: str, start: TimeLike, end: TimeLike) -> None:
        """Queue lengths, sampled each 100 ns from one time to the other."""

class HpccScenario(metaclass=_Pybind11Type):
    """A configuration of the public HPCC simulator with the files that it names; see Fabric.from_hpcc()."""
    def __init__(self, path: str) -> None: ...
    def __repr__(self) -> str: ...
    def add_flows(self, fabric: BuiltFabric, flows: Flows) -> None:
        """Add the flows of the file, and the cut of LINK_DOWN."""
    def build(self, allow_lossy: bool = ...) -> BuiltFabric:
        """Make the configuration the defaults of attributes, and build the fabric."""
    @property
    def ignored(self) -> List[str]:
        """Keys of the configuration that have no effect here."""
    @property
    def stop(self) -> Time:
        """SIMULATOR_STOP_TIME."""
    @property
    def topology(self) -> Topology:
        """The graph."""

class Inof(metaclass=_Pybind11Type):
    """iNOF on a fabric; see Fabric.inof()."""
    def __init__(self, fabric: BuiltFabric) -> None: ...
    def __repr__(self) -> str: ...
    def add_member(self, name: str, host: int, port: int = ...) -> None:
        """A port of a host joins a zone."""
    def add_zone(self, name: str, hosts: Sequence[int] = ...) -> None:
        """A zone, with all ports of these hosts. Before the run or within it."""
    def delete_zone(self, name: str) -> None:
        """A zone goes."""
    def follow_watchdogs(self) -> None:
        """Hosts whose port a watchdog has given up are gone for their zones."""
    def host_agent(self, host: int, port: int = ...) -> InofHostAgent:
        """The agent at a port of a host."""
    def id(self, host: int, port: int = ...) -> int:
        """Identifier of a port of a host in iNOF."""
    def install(self) -> None:
        """Put the agents in place, once, before the run."""
    def remove_member(self, name: str, host: int, port: int = ...) -> None:
        """A port of a host leaves a zone."""
    def set_auto_join(self, auto_join: bool) -> None:
        """Whether hosts of no zone are in the default zone."""
    def set_disk(self, host: int) -> None:
        """A host that offers storage."""
    def set_host(self, **kwargs: Any) -> None:
        """Attributes of InofHostAgent, before install()."""
    def set_keep_alive(self, interval: TimeLike, misses: int) -> None:
        """Time between HELLOs, and how many of them a host may miss. Before install()."""
    def set_reflectors(self, switches: Sequence[int]) -> None:
        """Cross-switch mode: all other switches are clients of these. Before install()."""
    def set_switch(self, **kwargs: Any) -> None:
        """Attributes of InofSwitchAgent, before install()."""
    def switch_agent(self, switch: int) -> InofSwitchAgent:
        """The agent in a switch, by its number."""
    @property
    def totals(self) -> Dict[str, Any]:
        """Messages of all switches, by name."""

class InofHostAgent(Application, metaclass=_Pybind11Type):
    """iNOF at a port of a host. Trace sources: PeerUp, PeerDown."""
    def crash(self) -> None:
        """Go silent without a word."""
    @property
    def id(self) -> int:
        """Identifier in iNOF."""
    @property
    def peers(self) -> List[int]:
        """Identifiers of the hosts that it knows."""

class InofSwitchAgent(SwitchExtension, metaclass=_Pybind11Type):
    """iNOF in a switch. Trace sources: Notify, Session."""
    @property
    def malformed(self) -> int:
        """Messages that could not be read."""

class IntColumn(metaclass=_Pybind11Type):
    """Numbers, read-only: list(), memoryview() or numpy.asarray() of it."""
    def __getitem__(self, arg0: int) -> int: ...
    def __iter__(self) -> Iterator: ...
    def __len__(self) -> int: ...
    def __repr__(self) -> str: ...

class LinkSpec(metaclass=_Pybind11Type):
    """What a cable is like, in both directions."""
    def __init__(self, rate: DataRateLike = ..., delay: TimeLike = ..., error_rate: float = ...) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def delay(self) -> Time:
        """Propagation, one way."""
    @property
    def error_rate(self) -> float:
        """Probability of loss, 0 to 1."""
    @property
    def rate(self) -> DataRate:
        """Rate of both directions."""

class LoadBalancer(Object, metaclass=_Pybind11Type):
    """Chooses among equal ways."""

class LongColumn(metaclass=_Pybind11Type):
    """Numbers, read-only: list(), memoryview() or numpy.asarray() of it."""
    def __getitem__(self, arg0: int) -> int: ...
    def __iter__(self) -> Iterator: ...
    def __len__(self) -> int: ...
    def __repr__(self) -> str: ...

class LossRecovery(Object, metaclass=_Pybind11Type):
    """Of one queue pair."""

class NetDevice(Object, metaclass=_Pybind11Type):
    """A network device of ns-3."""

class NicWatchdog(Object, metaclass=_Pybind11Type):
    """The watchdog of a NIC against itself."""
    @property
    def times_stopped(self) -> int:
        """How often it has kept its ports from pausing."""

class Node(Object, metaclass=_Pybind11Type):
    """A stock node of ns-3."""
    def __init__(self) -> None: ...
    def __repr__(self) -> str: ...
    def aggregate(self, object: Object) -> None:
        """Make an object, such as a FabricSwitch or an RdmaHw, part of the node."""
    @property
    def devices(self) -> List[Any]:
        """Its ports and other devices."""
    @property
    def id(self) -> int:
        """Its number in ns-3."""

class Object(metaclass=_Pybind11Type):
    """An object of ns-3. Any attribute of its type can be read and set by name, as obj.data_rate or obj.get("DataRate"); any trace source takes a callable."""
    def __dir__(self) -> List[str]: ...
    def __getattr__(self, arg0: str) -> Any: ...
    def __repr__(self) -> str: ...
    def __setattr__(self, arg0: str, arg1: Any) -> None: ...
    def attributes(self) -> List[str]:
        """Names of all attributes."""
    def connect(self, name: str, callable: Callable[..., Any]) -> None:
        """Call a callable with what a trace source tells, whenever it fires."""
    def disconnect(self, name: str, callable: Callable[..., Any]) -> None:
        """End what connect() began with an equal callable."""
    def get(self, name: str) -> Any:
        """The value of an attribute."""
    def get_object(self, type: str) -> Any:
        """An object that is aggregated to this one, by the name of its type; or None."""
    def set(self, **kwargs: Any) -> Object:
        """Set attributes: obj.set(data_rate="25Gbps"). Returns the object."""
    def trace_sources(self) -> List[str]:
        """Names of all trace sources."""
    @property
    def type_name(self) -> str:
        """Name of the type in ns-3."""

class Packet(metaclass=_Pybind11Type):
    """A packet of the stock IP stack."""
    def __len__(self) -> int: ...
    def __repr__(self) -> str: ...
    @property
    def size(self) -> int:
        """Bytes."""
    def to_bytes(self) -> bytes:
        """Headers and payload, as on the wire."""
    @property
    def uid(self) -> int:
        """The same for a packet wherever it is seen."""

class PacketSink(Application, metaclass=_Pybind11Type):
    """Receives what comes to a port."""
    @property
    def bytes_received(self) -> int:
        """Payload bytes."""

class Part(metaclass=_Pybind11Type):
    """A type of ns-3 and attributes that differ from their defaults, for parts that a fabric has many of: Part("RdmaDcqcn", dialect="Nic")."""
    def __init__(self, type: str, **kwargs: Any) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def create(self) -> Any:
        """A new object of it."""
    @property
    def type_name(self) -> str:
        """Name of the type in ns-3."""

class PauseAlert(metaclass=_Pybind11Type):
    """A threshold of a PauseMonitor was reached."""
    def __repr__(self) -> str: ...
    @property
    def is_switch(self) -> bool:
        """Else a server."""
    @property
    def metric(self) -> str:
        """What was measured."""
    @property
    def node(self) -> int:
        """Number in the topology."""
    @property
    def port(self) -> int:
        """Port of the node."""
    @property
    def threshold(self) -> float:
        """From which on it is an alert."""
    @property
    def traffic_class(self) -> int:
        """Class."""
    @property
    def value(self) -> float:
        """How much it was."""
    @property
    def when(self) -> Time:
        """End of the interval."""

class PauseMonitor(metaclass=_Pybind11Type):
    """Watches PFC at all ports; see Fabric.pause_monitor()."""
    def __init__(self, fabric: BuiltFabric) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def alerts(self) -> List[PauseAlert]:
        """The alerts so far."""
    def commit(self) -> None:
        """The file is complete."""
    def on_alert(self, callable: Callable[..., Any]) -> None:
        """Call a callable with each PauseAlert."""
    def run(self, begin: TimeLike, end: TimeLike) -> None:
        """Read from one time to the other."""
    def set_interval(self, interval: TimeLike) -> None:
        """Time between readings of the counters, 100 us by default."""
    def set_threshold(self, metric: str, threshold: float) -> None:
        """Alert from this value on: xoff_sent or xoff_received (frames in an interval), or paused_share (0 to 1)."""
    def write_to(self, path: str) -> None:
        """A CSV file, one line each (port, class) and interval with something to tell."""

class PfcQueueState(metaclass=_Pybind11Type):
    """Members:

      OPERATIONAL

      STORMED

      DISABLED
    """
    __members__: ClassVar[Dict[str, PfcQueueState]]
    OPERATIONAL: ClassVar[PfcQueueState]
    STORMED: ClassVar[PfcQueueState]
    DISABLED: ClassVar[PfcQueueState]
    def __init__(self, value: int) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class PfcWatchdog(SwitchExtension, metaclass=_Pybind11Type):
    """The PFC watchdog of a switch."""
    def restore(self, port: int, traffic_class: int) -> None:
        """Declare a queue operational."""
    def state(self, port: int, traffic_class: int) -> PfcQueueState:
        """PfcQueueState of a class of a port."""
    @property
    def totals(self) -> Dict[str, Any]:
        """Storms, restored and disabled queues, and frames dropped, by name."""

class PingMesh(metaclass=_Pybind11Type):
    """RDMA pings between hosts; see Fabric.ping_mesh()."""
    def __init__(self, fabric: BuiltFabric) -> None: ...
    def __repr__(self) -> str: ...
    def finish(self) -> None:
        """Close the last window and the files."""
    def quantile_us(self, fraction: float) -> float:
        """The round trip, us, that this fraction of the answered probes does not exceed."""
    def run(self, begin: TimeLike, end: TimeLike) -> None:
        """Probes are posted from one time to the other."""
    def set_interval(self, interval: TimeLike) -> None:
        """Time between two probes of a pair, 100 us by default."""
    def set_queue_pair(self, **kwargs: Any) -> None:
        """Attributes of the queue pairs, such as retransmit_timeout."""
    def set_sample(self, targets: int, stream: int) -> None:
        """Each host probes so many others only, drawn once from a random stream."""
    def set_size(self, size: Any) -> None:
        """Bytes of a message, 512 by default."""
    def set_window(self, window: TimeLike) -> None:
        """Time over which percentiles are taken, 1 ms by default."""
    def summary(self) -> str:
        """One line: probes, percentiles, failures."""
    @property
    def totals(self) -> Dict[str, Any]:
        """How many probes ended how."""
    @property
    def unreachable(self) -> List[Any]:
        """(source, destination) of pairs whose last probe failed, or waits for long."""
    def window_columns(self) -> Dict[str, Any]:
        """The windows that are over, by column; us."""
    def write_to(self, probes: str, windows: str) -> None:
        """CSV files, one line a probe and one a window."""

class QbbChannel(Channel, metaclass=_Pybind11Type):
    """A cable between two ports."""
    @property
    def is_up(self) -> bool:
        """Whether it is whole."""
    def set_up(self, up: bool) -> None:
        """Cut (False) or mend (True) the cable."""

class QbbNetDevice(NetDevice, metaclass=_Pybind11Type):
    """An Ethernet port with eight classes and PFC."""
    @property
    def counters(self) -> Dict[str, Any]:
        """Counters, as a dict."""
    @property
    def is_link_up(self) -> bool:
        """Whether the cable is whole."""
    @property
    def node(self) -> Node:
        """The node that it is a port of."""
    @property
    def paused_mask(self) -> int:
        """Bit c: the peer has paused class c."""
    @property
    def peer(self) -> QbbNetDevice:
        """The port at the other end."""
    def pfc(self, traffic_class: int) -> Dict[str, Any]:
        """PFC frames of a class sent and received, and time paused."""
    def queue_bytes(self, traffic_class: int) -> int:
        """Frame bytes queued in a class."""

class QueuePair(Object, metaclass=_Pybind11Type):
    """One end of a reliable connection."""
    def __repr__(self) -> str: ...
    def close(self) -> None:
        """Flush what is not complete."""
    @property
    def congestion_control(self) -> Any:
        """Its congestion control."""
    @property
    def counters(self) -> Dict[str, Any]:
        """What this end sends and receives, by name: packet numbers count from 0, in packets."""
    @property
    def device(self) -> QbbNetDevice:
        """The port that it uses."""
    @property
    def is_idle(self) -> bool:
        """Whether nothing is left to be sent or acknowledged."""
    @property
    def number(self) -> int:
        """Its number at its NIC."""
    def on_completion(self, callable: Any) -> None:
        """Call a callable with the Completion of each request posted here; None: nobody."""
    def on_receive(self, callable: Any) -> None:
        """Call a callable with the Completion of each message of the peer; None: nobody."""
    def post(self, verb: Any, size: Any, immediate: int = ..., id: int = ...) -> int:
        """Post a work request: post("write", "1MB"). Returns its id."""
    def post_receive(self, count: int = ...) -> None:
        """Post receives, each for one SEND or WRITE_IMM of the peer."""
    @property
    def rate(self) -> float:
        """Sending rate, bit/s."""
    @property
    def remote_number(self) -> int:
        """The number of its peer."""
    @property
    def state(self) -> QueuePairState:
        """Whether it can be used."""
    @property
    def window(self) -> int:
        """Payload bytes in flight at most; 0: no limit."""

class QueuePairState(metaclass=_Pybind11Type):
    """Members:

      RESET

      READY

      ERROR
    """
    __members__: ClassVar[Dict[str, QueuePairState]]
    RESET: ClassVar[QueuePairState]
    READY: ClassVar[QueuePairState]
    ERROR: ClassVar[QueuePairState]
    def __init__(self, value: int) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class RandomVariable(Object, metaclass=_Pybind11Type):
    """A random variable of ns-3: create("ExponentialRandomVariable", mean=2). Attribute stream: the number of its random stream, -1 for the next free one."""
    def get_integer(self) -> int:
        """The next value, as a whole number."""
    def get_value(self) -> float:
        """The next value."""

class RdmaHw(Object, metaclass=_Pybind11Type):
    """The RDMA side of a host."""
    def __init__(self) -> None: ...
    def add_port(self, device: QbbNetDevice, address: str) -> int:
        """Take a port over. Returns its index."""
    @staticmethod
    def connect_queue_pairs(one: QueuePair, other: QueuePair, base_rtt: TimeLike = ...) -> None:
        """Join two queue pairs."""
    @property
    def counters(self) -> Dict[str, Any]:
        """Counters, as a dict."""
    def create_queue_pair(self, port: int = ...) -> QueuePair:
        """A new queue pair, not connected."""
    def destroy_queue_pair(self, queue_pair: QueuePair) -> None:
        """Take a queue pair away."""
    @property
    def n_ports(self) -> int:
        """Number of ports."""
    @property
    def n_queue_pairs(self) -> int:
        """Number of queue pairs."""

class RealColumn(metaclass=_Pybind11Type):
    """Numbers, read-only: list(), memoryview() or numpy.asarray() of it."""
    def __getitem__(self, arg0: int) -> float: ...
    def __iter__(self) -> Iterator: ...
    def __len__(self) -> int: ...
    def __repr__(self) -> str: ...

class SignedColumn(metaclass=_Pybind11Type):
    """Numbers, read-only: list(), memoryview() or numpy.asarray() of it."""
    def __getitem__(self, arg0: int) -> int: ...
    def __iter__(self) -> Iterator: ...
    def __len__(self) -> int: ...
    def __repr__(self) -> str: ...

class Simulator(metaclass=_Pybind11Type):
    """ns-3's simulator: one in a process."""
    @staticmethod
    def destroy() -> None:
        """Forget all events and nodes, for another simulation."""
    @staticmethod
    def event_count() -> int:
        """Events executed so far."""
    @staticmethod
    def is_finished() -> bool:
        """Whether nothing is left to happen, or the run was stopped."""
    @staticmethod
    def now() -> Time:
        """Simulated time."""
    @staticmethod
    def run() -> None:
        """Run until nothing is left to happen, or stop(). An exception in a callable stops the run and is raised here; so does Ctrl-C."""
    @staticmethod
    def schedule(delay: TimeLike, callable: Any, *args: Any) -> EventId:
        """Call a callable, with the arguments that follow, after a delay. Returns an EventId."""
    @staticmethod
    def schedule_now(callable: Any, *args: Any) -> EventId:
        """Call a callable, with the arguments that follow, after the present event. Returns an EventId."""
    @overload
    @staticmethod
    def stop() -> None:
        """End the run after the present event."""
    @overload
    @staticmethod
    def stop(delay: TimeLike) -> None:
        """End the run after a delay from now."""

class Socket(Object, metaclass=_Pybind11Type):
    """A socket of the stock IP stack."""

class SocketFlow(metaclass=_Pybind11Type):
    """A TCP or UDP flow, and what became of it so far; see Fabric.tcp() and Fabric.udp()."""
    def __repr__(self) -> str: ...
    @property
    def application(self) -> Any:
        """The application that sends."""
    @property
    def bytes_received(self) -> int:
        """Payload bytes that have arrived at the destination."""
    @property
    def bytes_sent(self) -> int:
        """Payload bytes that the stack has taken."""
    @property
    def completed(self) -> Any:
        """When the last of all its bytes arrived; None: they have not, or there is no last."""
    @property
    def destination_host(self) -> int:
        """Number of the host that receives."""
    @property
    def is_endless(self) -> bool:
        """Whether it has neither a size nor a stop."""
    def on_start(self, callable: Callable[..., Any]) -> None:
        """Call a callable without arguments at the start, when the socket is there and no packet has left. The last one that is given counts."""
    @property
    def protocol(self) -> str:
        """"tcp" or "udp"."""
    @property
    def reason(self) -> str:
        """Why it failed or was stopped; else empty."""
    @property
    def sink(self) -> PacketSink:
        """The application that receives."""
    @property
    def size(self) -> Any:
        """Bytes to be sent; None: no end."""
    @property
    def socket(self) -> Any:
        """The sending socket, with trace sources such as CongestionWindow; None before the start, see on_start()."""
    @property
    def source_host(self) -> int:
        """Number of the host that sends."""
    @property
    def start(self) -> Time:
        """When it starts."""
    @property
    def state(self) -> str:
        """"not-started", "running", "completed", "stopped" or "failed"."""
    @property
    def throughput(self) -> float:
        """Payload that has arrived, from the start to the last byte, bit/s."""
    @property
    def traffic_class(self) -> int:
        """Class of its packets."""

class Sockets(metaclass=_Pybind11Type):
    """TCP and UDP beside RDMA; see Fabric.tcp()."""
    def __init__(self, fabric: BuiltFabric, flows: Flows) -> None: ...
    def __repr__(self) -> str: ...
    def application(self, host: int, type: str, start: TimeLike, stop: Any, **kwargs: Any) -> Any:
        """Any application; see Fabric.application()."""
    def assign_streams(self, stream: int) -> int:
        """Fix the random streams from this one on. Returns how many were used."""
    @staticmethod
    def column_names() -> List[str]:
        """Names of the columns."""
    def columns(self) -> Dict[str, Any]:
        """What became of the flows, by column."""
    @property
    def flows(self) -> List[SocketFlow]:
        """The flows, in the order of adding."""
    def tcp(self, source: int, destination: int, size: Any, start: TimeLike, stop: Any, traffic_class: int, congestion_control: Any, **kwargs: Any) -> SocketFlow:
        """A TCP connection; see Fabric.tcp()."""
    def udp(self, source: int, destination: int, size: Any, start: TimeLike, stop: Any, traffic_class: int, rate: DataRateLike, packet_size: int, **kwargs: Any) -> SocketFlow:
        """Datagrams at a rate; see Fabric.udp()."""

class Stats(metaclass=_Pybind11Type):
    """Statistics of a run; see Results."""
    def __repr__(self) -> str: ...
    def finish(self) -> None:
        """The files are complete."""
    def set_sample_interval(self, interval: TimeLike) -> None:
        """Time between samples of queues and rates."""
    def summary(self) -> str:
        """A table for people."""
    def totals(self) -> Dict[str, Any]:
        """The totals, by name, as in summary.json; see describe_totals()."""
    def write_to(self, folder: str, files: Sequence[str] = ...) -> None:
        """Write CSV files: fct, pfc, queue, throughput, watchdog, or all of them."""

class Status(metaclass=_Pybind11Type):
    """How a work request ended."""
    __members__: ClassVar[Dict[str, Status]]
    SUCCESS: ClassVar[Status]
    RETRY_EXCEEDED: ClassVar[Status]
    RNR_RETRY_EXCEEDED: ClassVar[Status]
    REMOTE_INVALID: ClassVar[Status]
    FLUSHED: ClassVar[Status]
    def __init__(self, value: int) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class StorageServer(metaclass=_Pybind11Type):
    """A server that uses storage."""
    def __init__(self, fabric: BuiltFabric, host: int, io_size: Any = ..., depth: int = ..., verb: Any = ..., retry_interval: TimeLike = ..., congestion_control: Any = ..., **kwargs: Any) -> None:
        """See Fabric.storage_server()."""
    def __repr__(self) -> str: ...
    def add_path(self, target: int, choice: int = ...) -> int:
        """A way to a target host, the choice-th between their ports. Returns its number; the lower, the better."""
    @property
    def completed(self) -> int:
        """I/Os completed."""
    @property
    def failovers(self) -> List[Failover]:
        """Changes of the path; the first is from None."""
    @property
    def longest_gap(self) -> Time:
        """Longest time between two completions: the interruption of service."""
    @property
    def longest_gap_begin(self) -> Time:
        """When that began."""
    @property
    def n_open_paths(self) -> int:
        """How many paths have queue pairs now."""
    def on_completion(self, callable: Callable[..., Any]) -> None:
        """Call a callable with the number of the path at the end of each I/O."""
    @property
    def reissued(self) -> int:
        """I/Os issued again because their path failed."""
    def run(self, begin: TimeLike, end: TimeLike) -> None:
        """I/Os are issued from one time to the other."""
    def use_inof(self, inof: Inof) -> None:
        """Do as iNOF says."""

class SwitchExtension(Object, metaclass=_Pybind11Type):
    """What a switch does beside."""

class SwitchMmu(Object, metaclass=_Pybind11Type):
    """The shared buffer of a switch."""
    def check(self) -> str:
        """The first broken invariant; empty: none."""
    def explain(self, port: int, traffic_class: int) -> str:
        """Why PFC did, or did not, act: one line."""
    @property
    def is_idle(self) -> bool:
        """Whether nothing is stored and nobody paused."""
    @property
    def n_ports(self) -> int:
        """Number of ports."""
    def set_alpha(self, port: int, traffic_class: int, alpha: float) -> None:
        """Share of the free space that a class may take."""
    def set_guaranteed(self, port: int, traffic_class: int, bytes: int) -> None:
        """Space that a class has for itself."""
    def set_lossless(self, port: int, traffic_class: int, headroom_bytes: int) -> None:
        """Give a class PFC, with headroom at a port."""
    def set_static_threshold(self, port: int, traffic_class: int, bytes: int) -> None:
        """A fixed threshold in place of alpha."""
    def set_xon_offset(self, port: int, traffic_class: int, bytes: int) -> None:
        """How far below the threshold a pause ends."""
    @property
    def size(self) -> int:
        """Bytes."""
    def threshold(self, port: int, traffic_class: int) -> int:
        """Bytes of shared space at which the class of the port is paused now."""
    @property
    def used_bytes(self) -> int:
        """Bytes of all frames stored, in cells."""

class Time(metaclass=_Pybind11Type):
    """A time, exact to the picosecond: Time("5us"). No unit, no time."""
    @overload
    def __init__(self) -> None:
        """Zero."""
    @overload
    def __init__(self, text: str) -> None:
        """From text such as "1.5us"; ValueError if it is none."""
    def __abs__(self) -> Time: ...
    def __add__(self, other: TimeLike) -> Time: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __float__(self) -> float: ...
    def __floordiv__(self, other: TimeLike) -> Any: ...
    def __format__(self, spec: str) -> str: ...
    def __ge__(self, arg0: TimeLike) -> bool: ...
    def __gt__(self, arg0: TimeLike) -> bool: ...
    def __le__(self, arg0: TimeLike) -> bool: ...
    def __lt__(self, arg0: TimeLike) -> bool: ...
    def __mod__(self, other: TimeLike) -> Time: ...
    @overload
    def __mul__(self, factor: int) -> Time: ...
    @overload
    def __mul__(self, factor: float) -> Time: ...
    def __ne__(self, other: object) -> bool: ...
    def __neg__(self) -> Time: ...
    def __repr__(self) -> str: ...
    @overload
    def __rmul__(self, factor: int) -> Time: ...
    @overload
    def __rmul__(self, factor: float) -> Time: ...
    def __str__(self) -> str: ...
    def __sub__(self, other: TimeLike) -> Time: ...
    @overload
    def __truediv__(self, other: TimeLike) -> float: ...
    @overload
    def __truediv__(self, other: float) -> Time: ...
    @property
    def ms(self) -> float:
        """Milliseconds, as a float."""
    @property
    def ns(self) -> float:
        """Nanoseconds, as a float."""
    @property
    def ps(self) -> int:
        """Picoseconds, exact."""
    @property
    def seconds(self) -> float:
        """Seconds, as a float."""
    @property
    def us(self) -> float:
        """Microseconds, as a float."""

class Topology(metaclass=_Pybind11Type):
    """A graph of hosts, switches and links."""
    def __init__(self) -> None: ...
    def __repr__(self) -> str: ...
    def add_host(self) -> int:
        """Returns the number of the node."""
    def add_link(self, a: int, b: int, rate: DataRateLike = ..., delay: TimeLike = ..., error_rate: float = ...) -> int:
        """Join two nodes. Returns the number of the link."""
    def add_switch(self) -> int:
        """Returns the number of the node."""
    def find_link(self, a: int, b: int) -> Any:
        """The first link between two nodes, or None."""
    @property
    def hosts(self) -> List[int]:
        """Numbers of the nodes."""
    @property
    def links(self) -> List[Any]:
        """(node, node, LinkSpec) of each link."""
    @property
    def n_nodes(self) -> int:
        """Number of hosts and switches."""
    @property
    def switches(self) -> List[int]:
        """Numbers of the nodes."""

class TrafficClassMap(Object, metaclass=_Pybind11Type):
    """Priorities to classes."""

class UnfinishedFlow(metaclass=_Pybind11Type):
    """A flow that has not completed, and why."""
    def __repr__(self) -> str: ...
    @property
    def bytes(self) -> int:
        """Length of its message."""
    @property
    def destination(self) -> int:
        """Number of the other host."""
    @property
    def index(self) -> int:
        """Number of the flow."""
    @property
    def reason(self) -> str:
        """What stops it, on one line."""
    @property
    def source(self) -> int:
        """Number of the host that posts it."""
    @property
    def start(self) -> Time:
        """When it is posted."""
    @property
    def state(self) -> str:
        """How far it came, in a word."""

class Verb(metaclass=_Pybind11Type):
    """What a work request asks for."""
    __members__: ClassVar[Dict[str, Verb]]
    WRITE: ClassVar[Verb]
    WRITE_IMM: ClassVar[Verb]
    SEND: ClassVar[Verb]
    SEND_IMM: ClassVar[Verb]
    READ: ClassVar[Verb]
    def __init__(self, value: int) -> None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

def connect_nodes(a: Node, b: Node, rate: DataRateLike = ..., delay: TimeLike = ..., **kwargs: Any) -> Tuple[QbbNetDevice, QbbNetDevice]:
    """Join two nodes by a cable; further keywords are attributes of both ports. Returns the ports."""

def constructor_attributes(type: str) -> List[Tuple[str, str, str, str]]:
    """What can be given to a new object of a type: name, type of its values, default, help."""

def create(type: str, **kwargs: Any) -> Any:
    """A new object: create("WredEcnMarker", pmax=0.1)."""

def describe_tables() -> Dict[str, Any]:
    """(unit, meaning) of each column of each table that a run may write, by name."""

def describe_totals() -> Dict[str, Any]:
    """Unit and meaning of each total of a run, by name; those of watchdogs and of the deadlock detector are there only where these are installed."""

def detect_deadlocks(fabric: BuiltFabric, **kwargs: Any) -> DeadlockDetector:
    """Look for deadlocks; see Fabric.detect_deadlocks()."""

def ideal_fct(fabric: BuiltFabric, source: int, destination: int, size: Any, verb: Any = ..., mtu: int = ..., ack_interval: int = ...) -> Time:
    """How long a message takes when it has the fabric for itself; see Fabric.ideal_fct()."""

def prevent_at_port_group(fabric: BuiltFabric, node: int, ports: Sequence[int], classes: Sequence[int], lossy_class: int = ...) -> None:
    """A port group at one switch; see Fabric.prevent_at_port_group()."""

def prevent_deadlocks(fabric: BuiltFabric, how: str, classes: Sequence[int], lossy_class: int = ..., limit: int = ...) -> None:
    """Prevent deadlocks; see Fabric.prevent_deadlocks()."""

def read_csv(path: str) -> Dict[str, Any]:
    """The columns of a CSV file of a run, by name: numbers where all are, else text."""

def set_seed(seed: int = ..., run: int = ...) -> None:
    """Seed, 1 or more, and run number of the random streams."""

def tor_switches(fabric: BuiltFabric) -> List[int]:
    """Numbers of the switches that have hosts."""

def type_names(group: str = ...) -> List[str]:
    """Names of all types, or of those of a group of ns-3, such as "Lossless"."""

def unknown_trace_sources(type: str) -> List[str]:
    """Trace sources of a type that no callable can be connected to."""

def watch_nics(fabric: BuiltFabric, hosts: Any = ..., **kwargs: Any) -> List[NicWatchdog]:
    """Give NICs a NicWatchdog; see Fabric.watch_nics()."""

def watch_switches(fabric: BuiltFabric, switches: Any = ..., **kwargs: Any) -> List[PfcWatchdog]:
    """Give switches a PfcWatchdog; see Fabric.watch_switches()."""
