# SPDX-License-Identifier: GPL-2.0-only
"""RDMA fabrics without loss, in ns-3.

    import lossless as ll

    fabric = ll.Fabric.leaf_spine(4, 2, 8, rate="100Gbps", delay="1us", buffer="4MiB",
                                  congestion_control=ll.Dcqcn(dialect="nic"))
    fabric.poisson("fb-hadoop", load=0.5, duration="5ms")
    fabric.incast(senders=16, receiver=0, size="500kB", start="1ms")
    results = fabric.run()
    print(results.summary())

Times and rates are text with a unit ("1us", "100Gbps") or Time and DataRate; sizes are numbers of
bytes or text ("64KiB"). What is wrong raises ValueError, AttributeError or IndexError with one line
that says what would be right.
"""

from . import plot
from ._lossless import (
    Application,
    Channel,
    Completion,
    ConfigMonitor,
    CongestionControl,
    DataRate,
    DeadlockDetector,
    DependencyGraph,
    DropReason,
    EcnMarker,
    EgressScheduler,
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
    NetDevice,
    NicWatchdog,
    Node,
    Object,
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
    RdmaHw,
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
    UnfinishedFlow,
    Verb,
    connect_nodes,
    create,
    read_csv,
    reset_defaults,
    set_default,
    set_seed,
)
from .fabric import Fabric
from .parts import (
    Dcqcn,
    Dctcp,
    FixedRate,
    FixedWindow,
    Hpcc,
    Icc,
    PatchedTimely,
    Pcn,
    Swift,
    Timely,
)
from .results import Results, Table
from .sweep import SweepError, sweep

__all__ = [name for name in dir() if not name.startswith("_")]
