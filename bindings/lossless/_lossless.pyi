# SPDX-License-Identifier: GPL-2.0-only
# Written by utils/make-stubs from the module; do not edit.
"""The C++ part of the package lossless."""

from typing import Any, Callable, ClassVar, Dict, Iterable, Iterator, List, Optional, Sequence
from typing import Set, Tuple, Union, overload

from .types import DataRateLike, TimeLike

class _Pybind11Type(type): ...

__version__: str

class BuiltFabric(metaclass=_Pybind11Type):
    """A fabric of ns-3's objects; see Fabric."""
    def address(self, host: int, port: int = ...) -> str:
        """IPv4 address of a host, as text."""
    def assign_streams(self, stream: int) -> int: ...
    def channel(self, link: int) -> QbbChannel: ...
    def check_lossless(self) -> List[str]: ...
    def connect(self, source: int, destination: int, congestion_control: Any = ..., **kwargs: Any) -> Tuple[QueuePair, QueuePair]:
        """Two connected queue pairs; further keywords are attributes of RdmaQueuePair."""
    def device(self, node: int, port: int = ...) -> QbbNetDevice:
        """The port of a node of the topology."""
    def enable_pcap(self, prefix: str, nodes: Sequence[int] = ...) -> None: ...
    @property
    def hosts(self) -> List[RdmaHw]:
        """The RDMA side of each host."""
    def install_internet(self) -> None: ...
    @property
    def n_hosts(self) -> int: ...
    @property
    def n_switches(self) -> int: ...
    @property
    def nodes(self) -> List[Node]: ...
    def schedule_link(self, link: int, up: bool, when: TimeLike) -> None: ...
    def set_link_up(self, link: int, up: bool) -> None: ...
    @property
    def switches(self) -> List[FabricSwitch]: ...
    @property
    def topology(self) -> Topology: ...

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
    def id(self) -> int: ...
    @property
    def immediate(self) -> int: ...
    @property
    def posted(self) -> Time:
        """When it was posted."""
    @property
    def status(self) -> Status: ...
    @property
    def verb(self) -> Verb: ...

class CongestionControl(Object, metaclass=_Pybind11Type):
    """Of one queue pair."""

class DataRate(metaclass=_Pybind11Type):
    """A rate: DataRate("100Gbps"), or a number of bit/s."""
    @overload
    def __init__(self, text: str) -> None:
        """From text such as "25Gbps"; ValueError if it is none."""
    @overload
    def __init__(self, bits_per_second: int) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    def __float__(self) -> float: ...
    def __ge__(self, arg0: DataRateLike) -> bool: ...
    def __gt__(self, arg0: DataRateLike) -> bool: ...
    def __le__(self, arg0: DataRateLike) -> bool: ...
    def __lt__(self, arg0: DataRateLike) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
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
    def describe(self) -> List[str]:
        """One line for each edge of a circle, with its flows."""
    @staticmethod
    def from_routes(fabric: BuiltFabric) -> DependencyGraph: ...
    @property
    def has_cycle(self) -> bool: ...
    def write_dot(self, path: str, all: bool = ...) -> None:
        """For Graphviz."""

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

class EcnMarker(Object, metaclass=_Pybind11Type):
    """Decides about ECN marks."""

class EgressScheduler(Object, metaclass=_Pybind11Type):
    """Chooses the class that sends."""

class EventId(metaclass=_Pybind11Type):
    """An event that is to come."""
    def cancel(self) -> None:
        """It shall not happen."""
    @property
    def is_pending(self) -> bool:
        """Whether it is still to come."""

class FabricHelper(metaclass=_Pybind11Type):
    """Builds fabrics; every default is usable."""
    def __init__(self) -> None: ...
    def add_switch_extension(self, part: Part) -> None:
        """Give every switch an extension."""
    def allow_lossy(self, allow: bool = ...) -> None: ...
    def dumbbell(self, left: int, right: int, bottleneck: DataRateLike) -> BuiltFabric: ...
    def fat_tree(self, k: int) -> BuiltFabric: ...
    def from_topology(self, topology: Topology) -> BuiltFabric: ...
    def leaf_spine(self, leaves: int, spines: int, hosts_per_leaf: int, oversubscription: float = ...) -> BuiltFabric: ...
    def set_alpha_by_speed(self, enable: bool) -> None: ...
    def set_buffer(self, **kwargs: Any) -> None:
        """Attributes of SwitchMmu."""
    @overload
    def set_congestion_control(self, part: Part) -> None: ...
    @overload
    def set_congestion_control(self, type: str) -> None:
        """A Part, the name of a type, or "none"."""
    def set_ecn(self, part: Part) -> None: ...
    def set_ecn_thresholds(self, rate: DataRateLike, kmin: int, kmax: int, pmax: float) -> None:
        """ECN thresholds, bytes, of the ports of one speed."""
    def set_host(self, **kwargs: Any) -> None:
        """Attributes of RdmaHw."""
    def set_link(self, **kwargs: Any) -> None:
        """data_rate, delay, error_rate, and attributes of QbbNetDevice."""
    def set_load_balancer(self, part: Part) -> None: ...
    def set_lossless_classes(self, classes: Sequence[int]) -> None: ...
    def set_queue_pair(self, **kwargs: Any) -> None:
        """Attributes of RdmaQueuePair."""
    def set_scheduler(self, part: Part) -> None: ...
    def set_switch(self, **kwargs: Any) -> None:
        """Attributes of FabricSwitch."""
    def star(self, hosts: int) -> BuiltFabric: ...

class FabricSwitch(Object, metaclass=_Pybind11Type):
    """A shared-buffer switch."""
    def __init__(self) -> None: ...
    def add_extension(self, extension: SwitchExtension) -> None: ...
    def add_port(self, device: QbbNetDevice) -> int:
        """Feed a port of the node from now on. Returns its index."""
    def add_route(self, destination: str, ports: Sequence[int]) -> None:
        """The ports towards a host, by its IPv4 address."""
    def check_lossless(self) -> List[str]:
        """What could make a lossless class drop, one line a finding."""
    @property
    def extensions(self) -> List[Any]: ...
    @property
    def lossless_drops(self) -> int: ...
    @property
    def lossy_drops(self) -> int: ...
    @property
    def mmu(self) -> SwitchMmu:
        """The buffer."""
    @property
    def n_ports(self) -> int: ...
    @property
    def ports(self) -> List[QbbNetDevice]: ...
    def queue_bytes(self, port: int) -> int:
        """Frame bytes queued at a port."""

class Faults(metaclass=_Pybind11Type):
    """Faults by time; a duration of 0 is for good."""
    def __init__(self, arg0: BuiltFabric, arg1: Flows) -> None: ...
    def assign_streams(self, stream: int) -> int: ...
    def converge_by_distance(self, first: TimeLike, per_hop: TimeLike) -> None: ...
    def converge_uniformly(self, delay: TimeLike) -> None:
        """All switches get new routes so long after a link has changed."""
    def cut_link(self, link: int, at: TimeLike, duration: TimeLike = ...) -> None: ...
    def flap_link(self, link: int, at: TimeLike, down: TimeLike, period: TimeLike, count: int) -> None: ...
    @property
    def is_stuck(self) -> bool: ...
    def kill_host(self, host: int, at: TimeLike, duration: TimeLike = ...) -> None: ...
    def lift_all(self) -> None: ...
    @property
    def log(self) -> List[Any]: ...
    def lose_frames(self, node: int, port: int, loss: Part, at: TimeLike, duration: TimeLike = ...) -> None:
        """loss: a Part such as Part("RandomFrameLoss")."""
    def lose_xon(self, node: int, port: int, traffic_class: int, count: int, at: TimeLike) -> None: ...
    def reboot_switch(self, switch: int, at: TimeLike, duration: TimeLike) -> None: ...
    def set_patience(self, patience: TimeLike) -> None:
        """Without progress for so long a run is stuck, and ends; 20 ms."""
    def silence_port(self, node: int, port: int, at: TimeLike, duration: TimeLike = ...) -> None: ...
    def slow_receiver(self, host: int, at: TimeLike, duration: TimeLike = ..., **kwargs: Any) -> None:
        """Further keywords: attributes of NicReceiveBuffer."""
    def stick_xoff(self, node: int, port: int, classes: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """A port pauses its peer; classes: mask."""
    def stop_receiver(self, host: int, at: TimeLike, duration: TimeLike = ...) -> None: ...
    def storm_host(self, host: int, at: TimeLike, duration: TimeLike = ...) -> None:
        """A NIC sends PAUSE for ever."""

class Flows(metaclass=_Pybind11Type):
    """Flows and workloads of a fabric; see Fabric."""
    def __init__(self, fabric: BuiltFabric) -> None: ...
    def add(self, source: int, destination: int, size: Any, start: TimeLike = ..., traffic_class: int = ..., verb: Any = ..., window: Any = ...) -> int: ...
    def all_to_all(self, size: Any, start: TimeLike = ...) -> None: ...
    def assign_streams(self, stream: int) -> int: ...
    def columns(self) -> Dict[str, Any]:
        """What has ended so far, by column."""
    def incast(self, senders: int, receiver: int, size: Any, start: TimeLike = ..., repeats: int = ..., interval: TimeLike = ...) -> None: ...
    @property
    def is_done(self) -> bool: ...
    def make_stats(self) -> Stats: ...
    @property
    def n_completed(self) -> int: ...
    @property
    def n_failed(self) -> int: ...
    @property
    def n_flows(self) -> int: ...
    def permutation(self, size: Any, start: TimeLike = ...) -> None: ...
    def poisson(self, workload: str, load: float, duration: TimeLike, start: TimeLike = ...) -> None: ...
    def set_class(self, traffic_class: int) -> None: ...
    def set_congestion_control(self, part: Any) -> None: ...
    def set_queue_pair(self, **kwargs: Any) -> None: ...
    def set_verb(self, verb: Any) -> None: ...
    def stop_when_done(self, stop: bool = ...) -> None: ...
    def unfinished(self) -> List[Any]:
        """The flows that have not completed, each with its reason."""

class Frame(metaclass=_Pybind11Type):
    """A frame as a trace source saw it."""
    def __repr__(self) -> str: ...
    @property
    def bytes(self) -> int:
        """Ethernet frame with FCS."""
    @property
    def dest_qp(self) -> int: ...
    @property
    def dscp(self) -> int: ...
    @property
    def dst(self) -> int:
        """Destination address, last 32 bits."""
    @property
    def dst_port(self) -> int: ...
    @property
    def ecn(self) -> int:
        """3: congestion experienced."""
    @property
    def ip_version(self) -> int: ...
    @property
    def kind(self) -> FrameKind: ...
    @property
    def opcode(self) -> int:
        """BTH opcode."""
    @property
    def payload_bytes(self) -> int: ...
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
    def src_port(self) -> int: ...
    @property
    def traffic_class(self) -> int: ...
    @property
    def ttl(self) -> int: ...

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
    def rate(self) -> DataRate: ...

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

class Node(Object, metaclass=_Pybind11Type):
    """A stock node of ns-3."""
    def __init__(self) -> None: ...
    def __repr__(self) -> str: ...
    def aggregate(self, object: Object) -> None:
        """Make an object, such as a FabricSwitch or an RdmaHw, part of the node."""
    @property
    def devices(self) -> List[Any]: ...
    @property
    def id(self) -> int: ...

class Object(metaclass=_Pybind11Type):
    """An object of ns-3. Any attribute of its type can be read and set by name, as obj.data_rate or obj.get("DataRate"); any trace source takes a callable."""
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
    @property
    def uid(self) -> int: ...

class Part(metaclass=_Pybind11Type):
    """A type of ns-3 and attributes that differ from their defaults, for parts that a fabric has many of: Part("RdmaDcqcn", dialect="Nic")."""
    def __init__(self, type: str, **kwargs: Any) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def create(self) -> Any:
        """A new object of it."""
    @property
    def type_name(self) -> str: ...

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
    def state(self, port: int, traffic_class: int) -> PfcQueueState: ...
    @property
    def totals(self) -> Dict[str, Any]: ...

class QbbChannel(Channel, metaclass=_Pybind11Type):
    """A cable between two ports."""
    @property
    def is_up(self) -> bool: ...
    def set_up(self, up: bool) -> None:
        """Cut (False) or mend (True) the cable."""

class QbbNetDevice(NetDevice, metaclass=_Pybind11Type):
    """An Ethernet port with eight classes and PFC."""
    @property
    def counters(self) -> Dict[str, Any]:
        """Counters, as a dict."""
    @property
    def is_link_up(self) -> bool: ...
    @property
    def node(self) -> Node: ...
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
    def congestion_control(self) -> Any: ...
    @property
    def device(self) -> QbbNetDevice: ...
    @property
    def is_idle(self) -> bool: ...
    @property
    def number(self) -> int: ...
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
    def remote_number(self) -> int: ...
    @property
    def state(self) -> QueuePairState: ...
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

class RdmaHw(Object, metaclass=_Pybind11Type):
    """The RDMA side of a host."""
    def __init__(self) -> None: ...
    def add_port(self, device: QbbNetDevice, address: str) -> int:
        """Take a port over. Returns its index."""
    @staticmethod
    def connect_queue_pairs(one: QueuePair, other: QueuePair, base_rtt: TimeLike = ...) -> None:
        """Join two queue pairs."""
    @property
    def counters(self) -> Dict[str, Any]: ...
    def create_queue_pair(self, port: int = ...) -> QueuePair:
        """A new queue pair, not connected."""
    def destroy_queue_pair(self, queue_pair: QueuePair) -> None: ...
    @property
    def n_ports(self) -> int: ...
    @property
    def n_queue_pairs(self) -> int: ...

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
    def get_event_count() -> int:
        """Events executed so far."""
    @staticmethod
    def now() -> Time:
        """Simulated time."""
    @staticmethod
    def run() -> None:
        """Run until nothing is left to happen, or stop(). An exception in a callable stops the run and is raised here; so does Ctrl-C."""
    @staticmethod
    def schedule(delay: TimeLike, callable: Callable[..., Any], *args: Any) -> EventId:
        """Call a callable, with the arguments that follow, after a delay. Returns an EventId."""
    @overload
    @staticmethod
    def stop() -> None:
        """End the run after the present event."""
    @overload
    @staticmethod
    def stop(delay: TimeLike) -> None:
        """End the run after a delay from now."""

class Stats(metaclass=_Pybind11Type):
    """Statistics of a run; see Results."""
    def finish(self) -> None: ...
    def set_sample_interval(self, interval: TimeLike) -> None: ...
    def summary(self) -> str:
        """A table for people."""
    def totals(self) -> Dict[str, Any]:
        """The totals, by name."""
    def write_to(self, folder: str) -> None: ...

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
    def n_ports(self) -> int: ...
    def set_alpha(self, port: int, traffic_class: int, alpha: float) -> None: ...
    def set_guaranteed(self, port: int, traffic_class: int, bytes: int) -> None: ...
    def set_lossless(self, port: int, traffic_class: int, headroom_bytes: int) -> None: ...
    def set_static_threshold(self, port: int, traffic_class: int, bytes: int) -> None: ...
    def set_xon_offset(self, port: int, traffic_class: int, bytes: int) -> None: ...
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
    def __add__(self, arg0: TimeLike) -> Time: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __float__(self) -> float: ...
    def __ge__(self, arg0: TimeLike) -> bool: ...
    def __gt__(self, arg0: TimeLike) -> bool: ...
    def __le__(self, arg0: TimeLike) -> bool: ...
    def __lt__(self, arg0: TimeLike) -> bool: ...
    def __mul__(self, arg0: float) -> Time: ...
    def __ne__(self, other: object) -> bool: ...
    def __neg__(self) -> Time: ...
    def __repr__(self) -> str: ...
    def __rmul__(self, arg0: float) -> Time: ...
    def __str__(self) -> str: ...
    def __sub__(self, arg0: TimeLike) -> Time: ...
    def __truediv__(self, arg0: TimeLike) -> float: ...
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
    def n_nodes(self) -> int: ...
    @property
    def switches(self) -> List[int]:
        """Numbers of the nodes."""

class TrafficClassMap(Object, metaclass=_Pybind11Type):
    """Priorities to classes."""

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

def detect_deadlocks(fabric: BuiltFabric, **kwargs: Any) -> DeadlockDetector: ...

def prevent_deadlocks(fabric: BuiltFabric, how: str, classes: Sequence[int]) -> None: ...

def read_csv(path: str) -> Dict[str, Any]:
    """The columns of a CSV file of a run, by name: numbers where all are, else text."""

def reset_defaults() -> None:
    """Give all attributes their defaults again."""

def set_default(name: str, value: Any) -> None:
    """Change the default of an attribute: set_default("RdmaQueuePair::Mtu", 4096)."""

def set_seed(seed: int = ..., run: int = ...) -> None:
    """Seed and run number of the random streams."""

def watch_nics(fabric: BuiltFabric, **kwargs: Any) -> None: ...

def watch_switches(fabric: BuiltFabric, switches: Any = ..., **kwargs: Any) -> List[PfcWatchdog]: ...
