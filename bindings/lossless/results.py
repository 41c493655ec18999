# SPDX-License-Identifier: GPL-2.0-only
"""What a run has shown."""

import html
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Dict, List, Optional, Tuple

from . import _lossless
from ._lossless import Sockets, Time, UnfinishedFlow, read_csv
from .described import describe_tables
from .drawing import place_name
from .flow_times import FlowTimes
from .pause_tree import PauseTree
from .plot import Plots
from .table import Table

_SUMMARY = "summary.json"  # which every run writes
JOB_TABLES = ("iterations", "collectives", "ranks")  # of a run with jobs


# The columns of `applications`, of a run without any.
_APPLICATIONS: Dict[str, List[Any]] = {name: [] for name in Sockets.column_names()}


def _deadlocks(found: Iterable[Dict[str, Any]]) -> "Table":
    """A Table of DeadlockDetector.deadlocks."""
    return Table({
        "time_s": [deadlock["time"].seconds for deadlock in found],
        "end_s": [float("nan") if deadlock["end"] is None else deadlock["end"].seconds
                  for deadlock in found],
        "switches": [len({vertex[0] for vertex in deadlock["cycle"]}) for deadlock in found],
        "frames": [deadlock["frames"] for deadlock in found],
        "flushed_frames": [deadlock["flushed_frames"] for deadlock in found],
        "cycle": [deadlock["cycle"] for deadlock in found],
        "flows": [deadlock["flows"] for deadlock in found]}, "of deadlocks")


def _table(name: str, columns: Mapping[str, Sequence[Any]]) -> Table:
    """A table of a run, with its units."""
    is_of_jobs = name in (*JOB_TABLES, "messages")
    units = (describe_tables() if is_of_jobs else _lossless.describe_tables()).get(name, {})
    return Table(columns, name, {column: unit for column, (unit, _) in units.items()})


def _links(columns: Mapping[str, Sequence[Any]], before: Mapping[str, Sequence[Any]],
           duration: Optional[Time]) -> "Table":
    """A Table of Fabric.link_columns(), less what links had carried before the run, with the
    utilisation over it."""
    seconds = duration.seconds if duration else 0.0
    counted = [name for name in before if name.endswith(("_sent_bytes", "_paused_s"))
               and any(before[name])]
    columns = {**columns, **{name: [now - then for now, then in zip(columns[name], before[name])]
                             for name in counted}}
    used = {f"{end}_utilisation": [bits * 8 / (rate * seconds) if rate and seconds else 0.0
                                   for bits, rate in zip(columns[f"{end}_sent_bytes"],
                                                         columns["rate_bps"])]
            for end in "ab" if columns}
    return Table({**columns, **used}, "of links")


def stamp(path: str) -> Optional[Tuple[int, int, int]]:
    """What tells a file from a later one of the same name; None: there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


class Results:
    """The results of a run. Always there:

    end           how it ended: "done", "stopped", "stuck", "interrupted", "deadlock" or
                  "ended-by-part"; why: the same for people, on one line
    flows         one row an RDMA flow that ended: index, source, destination, bytes, traffic_class,
                  status, start_s, fct_s, ideal_s, slowdown, verb, data_source, data_destination (of
                  a READ the data goes from destination to source), label
    applications  one row a TCP or UDP flow, as in application.csv: flow, protocol, src, dst (nodes,
                  as in fct.csv), class, bytes (0: no end), start_ns, fct_ns (nan: not completed),
                  bytes_sent, bytes_received, throughput_bps, state
    unfinished    a list of UnfinishedFlow: RDMA flows that have not completed, each with its reason
    deadlocks     one row a deadlock that was found: time_s, end_s (nan: it lasts), switches, frames,
                  flushed_frames, cycle, flows
    faults        one row a fault that began or ended: time_s, what, where, begins
    findings      one row something that was found out about the fabric or the run, as in
                  findings.csv: rule, place, class, what, right, level

    links         one row a cable: link, rate_bps, and for its ends a and b node, port, sent_bytes
                  (wire bytes from there), paused_s (how long PFC kept that end from sending: the
                  class that was paused longest), utilisation (of that direction, over the run)

    Of a run with jobs (run.job()), as in the CSV files of the same names:

    iterations     one row an iteration of a job: job, iteration, start_ns, end_ns, iteration_ns,
                   calc_ns, exposed_ns, straggler_rank, bytes, pause_ns, ..., and as path_calc_ns to
                   path_before_ns the parts of its critical path
    critical_path  one row an iteration: job, iteration, iteration_ns, straggler_rank, and what the
                   time went to: calc_ns, serialisation_ns, propagation_ns, queueing_ns, pause_ns,
                   recovery_ns (from loss), waiting_ns, before_ns (the rank was still in the
                   iteration before)
    collectives    one row a collective: its times and bandwidths
    ranks          one row a rank and iteration
    messages       one row a message, of run.job(messages=True)

    Those of the CSV files need run(write_to=...), and are read when they are asked for: RuntimeError
    if another run has written to the same folder since; or run(keep=["pause", ...]), which keeps
    them in memory.

    pfc         one row a PFC frame and class; pauses: one row a pause
    queues      samples of switch queues; throughput: of host ports
    watchdogs   one row a change of state of a watchdog
    """

    def __init__(self, summary: str, totals: Dict[str, Any], flows: Mapping[str, Sequence[Any]],
                 unfinished: List[UnfinishedFlow], folder: Optional[str], *,
                 applications: Optional[Mapping[str, Sequence[Any]]] = None,
                 deadlocks: Iterable[Dict[str, Any]] = (), faults: Iterable[Any] = (),
                 findings: Optional[Mapping[str, Sequence[Any]]] = None,
                 names: Sequence[str] = (), links: Optional[Mapping[str, Sequence[Any]]] = None,
                 links_before: Optional[Mapping[str, Sequence[Any]]] = None,
                 begin: Time = Time(), duration: Optional[Time] = None, end: str = "done",
                 why: str = "done",
                 kept: Optional[Mapping[str, Mapping[str, Sequence[Any]]]] = None,
                 critical_path: Optional[Mapping[str, Sequence[Any]]] = None):
        self._summary = summary
        self.end = end
        self.why = why
        self._folder = folder
        self.begin_ns = begin.ps // 1000  # of the run, as times in the files
        self.end_ns = (begin + (duration or Time())).ps // 1000
        self._names = list(names)  # of nodes, by number
        self._tables = {name: _table(name, columns) for name, columns in (kept or {}).items()}
        self._critical_path = critical_path  # None: there were no jobs
        self.links = _links(links or {}, links_before or {}, duration)
        # The run has written its files: remember which they are.
        self._stamps = {} if folder is None else {
            name: stamp(os.path.join(folder, name)) for name in {_SUMMARY, *os.listdir(folder)}}
        self.totals = totals
        self.flows = Table(flows, "of flows")
        self.unfinished = unfinished
        self.applications = Table(_APPLICATIONS if applications is None else applications,
                                  "of TCP and UDP flows")
        self.deadlocks = _deadlocks(deadlocks)
        self.findings = _table("findings", findings or {})
        self.faults = Table({"time_s": [time.seconds for time, *_ in faults],
                             "what": [what for _, what, _, _ in faults],
                             "where": [where for _, _, where, _ in faults],
                             "begins": [begins for *_, begins in faults]}, "of faults")

    def summary(self) -> str:
        """A table for people."""
        return self._summary

    @property
    def folder(self) -> Optional[str]:
        """Where the CSV files are, or None."""
        return self._folder

    def port_name(self, node: int, port: int) -> str:
        """What a port of a file is called: "leaf 2 port 3", "host 4"."""
        return place_name(node, port, self._names)

    @property
    def plot(self) -> Plots:
        """The plots of this run: results.plot.slowdown(size="column"); see lossless.plot."""
        return Plots(self)

    def _require_own(self, file: str) -> None:
        """RuntimeError if a file of the run is there no more, or another one in its place."""
        assert self._folder is not None
        for name in (file, _SUMMARY):
            path = os.path.join(self._folder, name)
            if name in self._stamps and stamp(path) != self._stamps[name]:
                raise RuntimeError(f"{path} is no longer of this run: another one has written to "
                                   f"{self._folder!r}, or it was changed; give each run a "
                                   "write_to=... of its own")

    def table(self, name: str) -> Table:
        """The table of a CSV file, such as "queue"."""
        if name in self._tables:
            return self._tables[name]
        if self._folder is None and name in describe_tables():
            raise ValueError(f"there is no {name}.csv; run(write_to=\"results\") writes files, and "
                             f"run(keep=[\"{name}\"]) keeps it in memory")
        path = os.path.join(self._folder or "", name + ".csv")
        if self._folder is None or not (name + ".csv" in self._stamps or os.path.exists(path)):
            there = sorted(file[:-4] for file in self._stamps if file.endswith(".csv"))
            raise ValueError(f"there is no table {name!r}; there are "
                             f"{', '.join(there or describe_tables())}")
        self._require_own(name + ".csv")
        return _table(name, read_csv(path))

    def units(self, name: str) -> Dict[str, str]:
        """Unit of each column of a table: results.units("pause")["duration_ns"] is "ns"."""
        table: Table = self.flows if name == "flows" else self.table(name)
        return table.units

    def _of_jobs(self, name: str) -> Table:
        """A table of a run with jobs."""
        if self._critical_path is None:
            raise ValueError(f"there are no {name}: the run had no job; run.job(...) adds one")
        return self.table(name)

    @property
    def iterations(self) -> Table:
        """Iterations of jobs."""
        return self._of_jobs("iterations")

    @property
    def collectives(self) -> Table:
        """Collectives of jobs."""
        return self._of_jobs("collectives")

    @property
    def ranks(self) -> Table:
        """Ranks of jobs, in each iteration."""
        return self._of_jobs("ranks")

    @property
    def messages(self) -> Table:
        """Messages of jobs, of run.job(messages=True)."""
        there = "messages" in self._tables or "messages.csv" in self._stamps
        if self._critical_path is not None and not there:
            raise ValueError("there are no messages; run.job(messages=True) asks for them")
        return self._of_jobs("messages")

    @property
    def critical_path(self) -> Table:
        """What the time of each iteration of jobs went to."""
        if self._critical_path is None:
            raise ValueError("there is no critical path: the run had no job; run.job(...) adds one")
        units = {name: "ns" for name in self._critical_path if name.endswith("_ns")}
        return Table(self._critical_path, "of critical paths", units)

    @property
    def pfc(self) -> Table:
        """PFC frames sent."""
        return self.table("pfc")

    @property
    def pauses(self) -> Table:
        """Pauses of ports."""
        return self.table("pause")

    def pause_tree(self) -> PauseTree:
        """Which pause caused which, of run(pause_tree=True)."""
        try:
            pauses = self.table("pause-tree")
        except ValueError as error:
            if "pause.csv" in self._stamps or "pause-tree" not in str(error):
                raise ValueError("there is no pause tree; run(pause_tree=True, "
                                 "write_to=\"results\") makes one") from None
            raise ValueError("there is no pause tree; run(pause_tree=True, "
                             "keep=[\"pause-tree\"]) makes one") from None
        ends = list(zip(self.links["a_node"], self.links["b_node"])) if self.links.columns else []
        return PauseTree(pauses, self.port_name, self._names, ends)

    def explain(self, flow: int) -> FlowTimes:
        """Where the time of a flow went, of run(explain=[flow, ...]) with write_to or
        keep=["flow-hops"]; by its number, as in flows["index"]."""
        try:
            rows = self.table("flow-hops")
        except ValueError:
            raise ValueError("no flow was explained; run(explain=[...]) names those, with write_to "
                             "or keep=[\"flow-hops\"]") from None
        if flow not in set(rows["flow"]):
            there = ", ".join(map(str, sorted(set(rows["flow"])))) or "none"
            raise ValueError(f"flow {flow!r} was not explained, or has not completed; there are: "
                             f"{there}")
        return FlowTimes(flow, rows, self.port_name)

    @property
    def queues(self) -> Table:
        """Samples of the queues of switches."""
        return self.table("queue")

    @property
    def throughput(self) -> Table:
        """Samples of the ports of hosts."""
        return self.table("throughput")

    @property
    def watchdogs(self) -> Table:
        """Changes of state of watchdogs; no rows where there was no watchdog."""
        if self._folder is not None and "watchdog.csv" not in self._stamps:
            self._require_own("watchdog.csv")
            return Table({}, "of watchdogs")
        return self.table("watchdog")

    def _repr_html_(self) -> str:
        """The table for people, for notebooks."""
        return f"<pre>{html.escape(self._summary)}</pre>"

    def __repr__(self) -> str:
        done, total = self.totals["flows_completed"], self.totals["flows_total"]
        if total == 0 and self._critical_path is not None:
            return f"<lossless.Results: {len(self.critical_path['job'])} iterations of jobs>"
        return f"<lossless.Results: {done} of {total} flows completed>"
