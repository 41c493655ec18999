# SPDX-License-Identifier: GPL-2.0-only
"""RDMA fabrics without loss, in ns-3.

    import lossless as ll

    fabric = ll.Fabric.leaf_spine(4, 2, 8, rate="100Gbps", delay="1us", buffer="4MiB",
                                  congestion_control=ll.Dcqcn(dialect="nic"))
    fabric.poisson("fb-hadoop", load=0.5, duration="5ms")
    fabric.incast(senders=16, receiver=0, size="500kB", start="1ms")
    results = fabric.run()
    print(results.summary())

Times and rates are text with a unit ("1us", "100Gbps"), numbers with one (ll.us(1), ll.Gbps(100)), or
Time and DataRate; sizes are numbers of bytes or text ("64KiB"). Hosts, switches and links are
numbers, from the end if negative, names ("host 4", "leaf 2") or objects. What is wrong raises ValueError, AttributeError or IndexError with one line
that says what would be right.
"""

from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING
from typing import Any as _Any

from . import _lossless, plot
from ._lossless import (
    AckEvent,
    Application,
    BorderPolicy,
    BufferBudget,
    Finding,
    Channel,
    Completion,
    Config,
    ConfigMonitor,
    ConWeaveSwitch,
    CongestionState,
    DataEvent,
    DataRate,
    DeadlockDetector,
    DependencyGraph,
    DropReason,
    EcnMarker,
    EgressScheduler,
    ElephantSeparator,
    EventId,
    FabricHelper,
    FabricSwitch,
    Faults,
    FlowResult,
    FlowSizes,
    Frame,
    FrameKind,
    FrameLoss,
    HpccOutput,
    HpccScenario,
    Inof,
    LinkSpec,
    LoadBalancer,
    LossRecovery,
    MrcController,
    NetDevice,
    NicWatchdog,
    Node,
    Object,
    Overlay,
    Packet,
    PacketSink,
    Part,
    PauseMonitor,
    PfcQueueState,
    PfcWatchdog,
    PingMesh,
    QbbChannel,
    QbbNetDevice,
    QueuePair,
    QueuePairState,
    RandomVariable,
    RdmaCongestionOps,
    RdmaHw,
    RdmaMrc,
    Simulator,
    Socket,
    SocketFlow,
    Status,
    StorageServer,
    SwitchExtension,
    SwitchMmu,
    Time,
    Topology,
    TrafficClassMap,
    TrimSwitch,
    UnfinishedFlow,
    Verb,
    VlanPorts,
    VxlanEndpoint,
    __version__,
    connect_nodes,
    create,
    read_csv,
    set_seed,
)
from .buffers import buffer_budget, headroom_table
from .congestion import Attribute, CongestionControl
from .compare import Comparison, compare
from .described import describe_tables, describe_totals
from .crash import tell_of_faults as _tell_of_faults
from .fabric import Fabric
from .parts import (
    Dcqcn,
    Dctcp,
    FixedRate,
    FixedWindow,
    Hpcc,
    Icc,
    Nscc,
    PatchedTimely,
    Pcn,
    Swift,
    Timely,
)
from .flow_times import FlowTimes
from .pause_tree import PauseTree
from .places import At, Setting
from .results import Results
from .run import Run
from .sweep import SweepError, sweep
from .table import Table
from .units import Gbps, Mbps, Tbps, bps, kbps, ms, ns, ps, seconds, us

if TYPE_CHECKING:
    from ._lossless_jobs import Job, JobCarried, JobGraph, JobIteration

_lossless.apply_environment()
_tell_of_faults()

__all__ = [
    "__version__",
    "AckEvent",
    "Application",
    "At",
    "Attribute",
    "BorderPolicy",
    "bps",
    "buffer_budget",
    "BufferBudget",
    "Finding",
    "Channel",
    "compare",
    "Comparison",
    "Completion",
    "Config",
    "ConfigMonitor",
    "ConWeaveSwitch",
    "CongestionControl",
    "CongestionState",
    "connect_nodes",
    "create",
    "DataEvent",
    "DataRate",
    "Dcqcn",
    "Dctcp",
    "DeadlockDetector",
    "DependencyGraph",
    "describe_tables",
    "describe_totals",
    "DropReason",
    "EcnMarker",
    "EgressScheduler",
    "ElephantSeparator",
    "EventId",
    "Fabric",
    "FabricHelper",
    "FabricSwitch",
    "Faults",
    "FixedRate",
    "FixedWindow",
    "FlowResult",
    "FlowSizes",
    "FlowTimes",
    "Frame",
    "FrameKind",
    "FrameLoss",
    "Gbps",
    "headroom_table",
    "Hpcc",
    "HpccOutput",
    "HpccScenario",
    "Icc",
    "Inof",
    "kbps",
    "LinkSpec",
    "LoadBalancer",
    "LossRecovery",
    "Mbps",
    "ms",
    "MrcController",
    "NetDevice",
    "NicWatchdog",
    "Node",
    "ns",
    "Nscc",
    "Object",
    "Overlay",
    "Packet",
    "PacketSink",
    "Part",
    "PatchedTimely",
    "PauseMonitor",
    "PauseTree",
    "Pcn",
    "PfcQueueState",
    "PfcWatchdog",
    "PingMesh",
    "plot",
    "ps",
    "QbbChannel",
    "QbbNetDevice",
    "QueuePair",
    "QueuePairState",
    "RandomVariable",
    "RdmaCongestionOps",
    "RdmaHw",
    "RdmaMrc",
    "read_csv",
    "Results",
    "Run",
    "seconds",
    "set_seed",
    "Setting",
    "Simulator",
    "Socket",
    "SocketFlow",
    "Status",
    "StorageServer",
    "sweep",
    "SweepError",
    "Swift",
    "SwitchExtension",
    "SwitchMmu",
    "Table",
    "Tbps",
    "Time",
    "Timely",
    "Topology",
    "TrafficClassMap",
    "TrimSwitch",
    "UnfinishedFlow",
    "us",
    "Verb",
    "VlanPorts",
    "VxlanEndpoint",
]
if _find_spec("lossless._lossless_jobs"):
    __all__ += ["Job", "JobCarried", "JobGraph", "JobIteration"]


def __getattr__(name: str) -> _Any:
    """What is of jobs, which is loaded when it is needed."""
    if name not in ("Job", "JobCarried", "JobGraph", "JobIteration"):
        raise AttributeError(f"module 'lossless' has no attribute {name!r}")
    if not _find_spec("lossless._lossless_jobs"):
        raise ImportError("jobs are not built; cmake --build builds them, unless with "
                          "LOSSLESS_JOBS=OFF")
    from . import _lossless_jobs  # pylint: disable=import-outside-toplevel
    return getattr(_lossless_jobs, name)
