# SPDX-License-Identifier: GPL-2.0-only
"""What of a Fabric is about faults, watchdogs, deadlocks, monitors and iNOF."""

from collections.abc import Iterable, Mapping
from typing import Any, Dict, List, Optional, Tuple, Union

from ._lossless import (
    BuiltFabric,
    ConfigMonitor,
    DeadlockDetector,
    DependencyGraph,
    Faults,
    Flows,
    Inof,
    NicWatchdog,
    PauseMonitor,
    PfcWatchdog,
    PingMesh,
    StorageServer,
    Time,
    detect_deadlocks,
    ideal_fct,
    prevent_at_port_group,
    prevent_deadlocks,
    tor_switches,
    watch_nics,
    watch_switches,
)
from .types import PartLike, PathLike, Size, TimeLike, as_part, as_time


class OperationsMixin:
    """Methods of Fabric."""

    # Fabric has these.
    _built: BuiltFabric
    _flows: Flows
    _kept: List[Any]
    _faults: Optional[Faults] = None
    _detector: Optional[DeadlockDetector] = None

    # ---- what goes wrong, and what is done about it

    @property
    def faults(self) -> Faults:
        """Faults by time, see Faults. Using it also ends a run in which nothing moves any more."""
        if self._faults is None:
            self._faults = Faults(self._built, self._flows)
        return self._faults

    def watch_switches(self, switches: Optional[Iterable[int]] = None,
                       **attributes: Any) -> List[PfcWatchdog]:
        """Give switches, all or by number, a PfcWatchdog with these attributes. Returns them."""
        return watch_switches(self._built, switches, **attributes)

    def watch_nics(self, hosts: Optional[Iterable[int]] = None,
                   **attributes: Any) -> List[NicWatchdog]:
        """Give the NICs of hosts, all or by number, a NicWatchdog with these attributes. Returns
        them."""
        return watch_nics(self._built, hosts, **attributes)

    @property
    def tor_switches(self) -> List[int]:
        """Numbers of the switches that have hosts."""
        return tor_switches(self._built)

    def detect_deadlocks(self, **attributes: Any) -> DeadlockDetector:
        """Look for deadlocks during the run: action="Report", "Stop" or "Drain". Returns the
        DeadlockDetector."""
        self._detector = detect_deadlocks(self._built, **attributes)
        return self._detector

    def prevent_deadlocks(self, how: str, classes: Iterable[int], *, lossy_class: int = 0,
                          limit: int = 0) -> None:
        """Prevent deadlocks. how: "tagger" or "port_groups" move a frame that bounces to the next
        of the classes, all lossless, and in the end to the lossy class; "ttl" limits the TTL of
        frames of the classes."""
        prevent_deadlocks(self._built, how, list(classes), lossy_class, limit)

    def prevent_at_port_group(self, node: int, ports: Iterable[int], classes: Iterable[int], *,
                              lossy_class: int = 0) -> None:
        """A frame that comes and goes by these ports of a switch, by its node, is moved to the next
        of the classes."""
        prevent_at_port_group(self._built, node, list(ports), list(classes), lossy_class)

    def dependency_graph(self, of: str = "routes") -> DependencyGraph:
        """Which buffers may wait for which: a DependencyGraph. of: "routes" (whatever is sent),
        "flows" (those that have been added), or "active" (those that run now)."""
        makers = {"routes": lambda: DependencyGraph.from_routes(self._built),
                  "flows": lambda: DependencyGraph.from_flows(self._flows),
                  "active": lambda: DependencyGraph.from_active_flows(self._flows)}
        if of not in makers:
            raise ValueError(f"of is {of!r}; it must be one of {', '.join(makers)}")
        return makers[of]()

    # ---- monitors

    def ping_mesh(self, begin: TimeLike = "0s", end: TimeLike = "10ms", *, size: Size = 512,
                  interval: TimeLike = "100us", window: TimeLike = "1ms",
                  targets: Optional[int] = None, stream: int = 0,
                  write_to: Optional[Tuple[PathLike, PathLike]] = None,
                  **queue_pair: Any) -> PingMesh:
        """Every host writes a short message to every other at an interval, from one time to the
        other. Returns the PingMesh; call its finish() after the run.

        size: bytes; window: time over which percentiles are taken; targets: each host probes so
        many others only, drawn from a random stream; write_to: (probes.csv, windows.csv); further
        keywords: attributes of its queue pairs, such as retransmit_timeout.
        """
        mesh = PingMesh(self._built)
        mesh.set_size(size)
        mesh.set_interval(as_time(interval))
        mesh.set_window(as_time(window))
        mesh.set_queue_pair(**queue_pair)
        if targets is not None:
            mesh.set_sample(targets, stream)
        if write_to is not None:
            mesh.write_to(*map(str, write_to))
        mesh.run(as_time(begin), as_time(end))
        self._kept.append(mesh)
        return mesh

    def pause_monitor(self, begin: TimeLike = "0s", end: TimeLike = "10ms", *,
                      interval: TimeLike = "100us", write_to: Optional[PathLike] = None,
                      **thresholds: float) -> PauseMonitor:
        """Read the pause counters of all ports at an interval. Returns the PauseMonitor.

        thresholds: xoff_sent=, xoff_received= (frames in an interval), paused_share= (0 to 1): an
        alert from this value on; write_to: a CSV file, complete after commit().
        """
        monitor = PauseMonitor(self._built)
        monitor.set_interval(as_time(interval))
        for metric, threshold in thresholds.items():
            monitor.set_threshold(metric, threshold)
        if write_to is not None:
            monitor.write_to(str(write_to))
        monitor.run(as_time(begin), as_time(end))
        self._kept.append(monitor)
        return monitor

    def config_monitor(self, interval: Optional[TimeLike] = None, end: TimeLike = "10ms",
                       **intended: Any) -> ConfigMonitor:
        """Compare the running configuration with the present one, or with what keywords such as
        alpha=1/16 intend. Returns the ConfigMonitor: check() whenever you like, or give an interval
        at which it checks to an end."""
        monitor = ConfigMonitor(self._built)
        for name, value in intended.items():
            monitor.intend("".join(part.capitalize() for part in name.split("_")), value)
        if interval is not None:
            monitor.check_every(as_time(interval), as_time(end))
        self._kept.append(monitor)
        return monitor

    # ---- iNOF

    def inof(self, zones: Optional[Mapping[str, Iterable[int]]] = None, *,
             reflectors: Iterable[int] = (), disks: Iterable[int] = (),
             keep_alive: Optional[Tuple[TimeLike, int]] = None,
             switch: Optional[Dict[str, Any]] = None,
             host: Optional[Dict[str, Any]] = None) -> Inof:
        """iNOF on all switches and hosts. Returns the Inof.

        zones: hosts by name of the zone; reflectors: switches by number, cross-switch mode; disks:
        hosts that offer storage; keep_alive: (interval, misses); switch, host: dictionaries of
        attributes of the agents. Keep-alives go on for ever: run(stop=...).
        """
        inof = Inof(self._built)
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
        for name, hosts in (zones or {}).items():
            inof.add_zone(name, list(hosts))
        self._kept.append(inof)
        return inof

    def storage_server(self, host: int, paths: Iterable[Union[int, Tuple[int, int]]],
                       begin: TimeLike, end: TimeLike, *, io_size: Size = 4096, depth: int = 8,
                       verb: str = "write", retry_interval: TimeLike = "1ms",
                       inof: Optional[Inof] = None,
                       congestion_control: Optional[PartLike] = None,
                       **queue_pair: Any) -> StorageServer:
        """A host that keeps I/Os going over one of several paths. Returns the StorageServer.

        paths: target hosts, the best first, or (host, choice) for the choice-th way between their
        ports; begin, end: times; io_size: bytes of each I/O; depth: how many at a time; inof: an
        Inof that tells it of failures, None: it waits until retries are exhausted; further
        keywords: attributes of its queue pairs.
        """
        control = None if congestion_control is None else as_part(congestion_control)
        server = StorageServer(self._built, host, io_size=io_size, depth=depth, verb=verb,
                               retry_interval=as_time(retry_interval), congestion_control=control,
                               **queue_pair)
        for path in paths:
            server.add_path(*(path if isinstance(path, (tuple, list)) else (path,)))
        if inof is not None:
            server.use_inof(inof)
        server.run(as_time(begin), as_time(end))
        self._kept.append(server)
        return server

    # ---- what would be

    def ideal_fct(self, source: int, destination: int, size: Size, *, verb: str = "write",
                  mtu: int = 0, ack_interval: int = 1) -> Time:
        """How long a message of a size takes when it has the fabric for itself, as a Time; mtu: 0
        is the fabric's."""
        return ideal_fct(self._built, source, destination, size, verb, mtu, ack_interval)
