# SPDX-License-Identifier: GPL-2.0-only
"""Runs of fabrics."""

import os
import weakref
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

from . import _lossless
from ._lossless import (
    DeadlockDetector,
    Faults,
    Flows,
    HpccOutput,
    HpccScenario,
    Simulator,
    Sockets,
    Time,
)
from .progress import is_shown, notebook_line
from .results import JOB_TABLES, Results
from .types import (DataRateLike, PartLike, PathLike, RankPlace, Size, TimeLike, as_list,
                    as_time)

if TYPE_CHECKING:
    from ._lossless_jobs import Job, JobGraph

def _folder(folder: Optional[PathLike]) -> Optional[str]:
    """The path of a folder as text."""
    if not isinstance(folder, (str, os.PathLike, type(None))):
        raise TypeError(f"write_to is {folder!r}; it must name a folder, or be None")
    if folder is not None and not os.fspath(folder):
        raise ValueError("write_to is empty; it must name a folder, or be None")
    return None if folder is None else os.fspath(folder)


def _names(names: Optional[Iterable[str]], option: str) -> Optional[List[str]]:
    """A list of names, of which there may be one alone."""
    if names is None or isinstance(names, str):
        return None if names is None else [names]
    listed = as_list(names, option, "a list of names, such as [\"fct\"]")
    if option == "files" and not listed:
        raise ValueError("files is empty, and a folder has files; None writes all of them, and a "
                         "run without write_to writes none")
    return listed


def _numbers(flows: Optional[Iterable[int]]) -> Optional[List[str]]:
    """Numbers of flows, as text."""
    if flows is None:
        return None
    listed = as_list(flows, "explain", "a list of numbers of flows, such as [0, 17]")
    for flow in listed:
        if isinstance(flow, bool) or not isinstance(flow, int) or flow < 0:
            raise TypeError(f"explain has {flow!r}; it must be a list of numbers of flows, such as "
                            "[0, 17]")
    return [str(flow) for flow in listed]


def _steady(skippable: Union[bool, Mapping[str, float], None]) -> Dict[str, Any]:
    """The options that skippable= stands for."""
    if isinstance(skippable, (bool, type(None))):
        return {"skippable": skippable}
    if not isinstance(skippable, Mapping):
        raise TypeError(f"skippable is {skippable!r}; it must be True, False, or a dict such as "
                        "{\"tolerance\": 0.05, \"slope\": 0.05, \"rounds\": 3}")
    unknown = [name for name in skippable if name not in ("tolerance", "slope", "rounds")]
    if unknown:
        raise ValueError(f"skippable has {unknown[0]!r}; it may have tolerance, slope and rounds")
    return {"skippable": True, **{f"steady_{name}": value for name, value in skippable.items()}}


# What makes an option of what a user writes.
_CONVERTERS: Dict[str, Callable[[Any], Any]] = {
    "stop": as_time, "sample_interval": as_time, "watermarks": as_time, "patience": as_time,
    "write_to": _folder, "files": lambda names: _names(names, "files"),
    "keep": lambda names: _names(names, "keep"), "explain": _numbers}


class RunsOfFabric(_lossless.Fabric):
    """What a Fabric knows of its runs."""

    def __init__(self, built: _lossless.Fabric):
        super().__init__(built)
        self._current: Optional[_lossless.Run] = None  # that waits, or else the last
        self._detector: Optional[DeadlockDetector] = None
        self._on_flow_end: List[Callable[..., Any]] = []
        self._claim: Optional[weakref.ref[Run]] = None  # to the Run that waits, if a script made it
        self._kept: List[Tuple[Optional[Time], Any]] = []  # until then; None: as long as self
        self._output: Optional[HpccOutput] = None  # of the current run
        self._links_before: Dict[str, Any] = {}  # what they had carried when it began
        self.scenario: Optional[HpccScenario] = None  # of from_hpcc()

    def _waiting_run(self) -> _lossless.Run:
        """The run that waits, or is under way; it is made when there is none."""
        if self._current is None or self._current.has_ended:
            self._current = _lossless.Run(self)
            self._links_before = self.link_columns(at_rest=True)
            self._output = None
            now = Simulator.now()
            self._kept = [(end, one) for end, one in self._kept if end is None or end > now]
            for callable in self._on_flow_end:
                self._current.rdma.on_end(callable)
            if self.scenario is not None:
                options = self._current.options
                options.stop = self.scenario.stop
                options.keeps_ns3_order = True  # that of the simulator whose files these are
                self._current.choose(options)
        return self._current

    def _begin(self) -> Time:
        """The time of the simulation from which the times of the run count."""
        run = self._current
        return Simulator.now() if run is None or run.has_ended else run.begin

    def _run_within(self, thing: Any, begin: TimeLike, end: TimeLike) -> None:
        """Let something work from one time of the run to another, and live as long."""
        first, last = self._begin() + as_time(begin), self._begin() + as_time(end)
        thing.run(first, last)
        self._keep(thing, last)

    def _keep(self, thing: Any, end: Optional[TimeLike] = None) -> None:
        """Let something live as long as it works: to a time of the simulation, or to its end."""
        self._kept.append((as_time(end), thing))

    def _last_run(self) -> _lossless.Run:
        """The run that waits, is under way or has ended last."""
        return self._current or self._waiting_run()

    def _deadlocks(self, begin: Time) -> List[Dict[str, Any]]:
        """Those that were there after a time."""
        found = self._detector.deadlocks if self._detector else []
        return [one for one in found if one["end"] is None or one["end"] >= begin]


class Run:
    """One run of a fabric: its traffic, its faults, its files, and how it ends.

        run = ll.Run(fabric, stop="10ms")
        run.rdma.incast(16, 0, "500kB")
        run.write_to("results")
        print(run.execute().summary())

    A fabric has one run that waits: what its methods such as flow() and tcp() add is of that one,
    and so is what this has. fabric.run(...) is Run(fabric, ...).execute(). When it has ended,
    another one begins with what is added next, of the same fabric or of another one. All times that
    are given to a run, its traffic and its faults count from the begin of the run: the time of the
    simulation when the first of them is added. A process has one simulation: while a run waits, one
    of another fabric is refused, and so is a second Run of the same fabric.

    stop                 end at the latest; None: none
    stop_when_done       False goes on until nothing is left to happen, for queue pairs and
                         applications that are no flows
    write_to             folder for CSV files
    files                which of fct, pfc, queue, throughput, watchdog; None: all
    keep                 tables that are wanted in memory, without a folder, such as "pause"
    sample_interval      between samples of queues and rates, 10 us
    watermarks           interval at which watermarks of switch buffers are written and begin anew;
                         watermarks.csv, or keep=["watermarks"]. None: none
    patience             a run without progress for this time is stuck, and ends; "0s": never. None:
                         20 ms with faults or MRC, or the time that watchdogs need; never without
    stop_when_stuck      False: a run that is stuck goes on to its stop
    seed, run            of all random streams until Simulator.destroy(); else those of set_seed()
    first_stream         of the run; negative: streams stay as they are
    threads              how many run the fabric, with the same results whatever their number; 0: as
                         many as the machine has cores. None: one, which also runs what acts on
                         several nodes at once. 1 runs them partition by partition: faster from about
                         128 hosts on. With Python functions that the run calls: 1 at most
    skippable            True: report what share of the run was in steady states, which a fast-forward
                         could skip; no result changes. A dict changes what a steady state is:
                         {"tolerance": 0.05, "slope": 0.05, "rounds": 3}. One thread only
    pause_tree           True: find out which pause caused which; results.pause_tree(), with
                         write_to or keep=["pause-tree"]
    explain              numbers of flows whose times are explained, such as [0, 17];
                         results.explain(17), with write_to or keep=["flow-hops"]. One thread only
    link_load            True: sample what ports of switches send, and how evenly;
                         link-load.csv and balance.csv, or keep=["link-load"]
    allow_reordering     True: run what cannot work where packets take several paths, such as
                         go-back-N over switches that spray
    strict               True: what is lost or has no effect makes execute() fail at its end, with
                         files and `results` complete
    progress             False: no line on a terminal or below a cell of a notebook

    An option that is None keeps the value that was chosen before, and has its default otherwise.
    """

    def __init__(self, fabric: RunsOfFabric, stop: Optional[TimeLike] = None, *,
                 stop_when_done: Optional[bool] = None, write_to: Optional[PathLike] = None,
                 files: Optional[Iterable[str]] = None, keep: Optional[Iterable[str]] = None,
                 sample_interval: Optional[TimeLike] = None,
                 watermarks: Optional[TimeLike] = None, patience: Optional[TimeLike] = None,
                 stop_when_stuck: Optional[bool] = None, seed: Optional[int] = None,
                 run: Optional[int] = None, first_stream: Optional[int] = None,
                 threads: Optional[int] = None,
                 skippable: Union[bool, Mapping[str, float], None] = None,
                 pause_tree: Optional[bool] = None,
                 explain: Optional[Iterable[int]] = None, link_load: Optional[bool] = None,
                 allow_reordering: Optional[bool] = None,
                 strict: Optional[bool] = None, progress: Optional[bool] = None):
        chosen = {name: value for name, value in locals().items() if name not in ("self", "fabric")}
        if stop is not None and as_time(stop) <= Time():
            raise ValueError(f"stop is {stop}; it must be after the begin of the run, or None")
        if not isinstance(fabric, RunsOfFabric):
            raise TypeError(f"{fabric!r} is no Fabric, which a Run is of")
        # pylint: disable=protected-access
        first = fabric._claim() if fabric._claim is not None else None
        if first is not None and not first._run.has_ended:
            raise RuntimeError(f"{first!r} of this fabric, begun at {first.begin}, has not ended; "
                               "execute() it first, or use it in place of another one")
        self._fabric = fabric
        self._run: _lossless.Run = fabric._waiting_run()
        self._results: Optional[Results] = None
        self._choose(**chosen)
        fabric._claim = weakref.ref(self)

    def __setattr__(self, name: str, value: Any) -> None:
        """AttributeError for what would have no effect; a class derived from this has its own."""
        if (type(self) is Run and not name.startswith("_")
                and not isinstance(getattr(Run, name, None), property)):
            raise AttributeError(f"a Run has no attribute {name!r} that can be set; options are "
                                 "keywords of the constructor, as in Run(fabric, stop=\"10ms\")")
        super().__setattr__(name, value)

    def _choose(self, **chosen: Any) -> None:
        """Change options that are not None."""
        options = self._run.options
        for name, value in chosen.items():
            for option, converted in (_steady(value).items() if name == "skippable" else
                                      [(name, _CONVERTERS[name](value) if name in _CONVERTERS else value)]):
                if converted is not None:
                    setattr(options, option, converted)
        self._run.choose(options)

    @property
    def rdma(self) -> Flows:
        """RDMA flows and workloads."""
        return self._run.rdma

    @property
    def sockets(self) -> Sockets:
        """TCP, UDP and stock applications."""
        return self._run.sockets

    @property
    def faults(self) -> Faults:
        """Faults by time. Using it also ends a run in which nothing moves any more."""
        return self._run.faults

    def job(self, graph: "JobGraph", places: Optional[Iterable[RankPlace]] = None, *,
            name: Optional[str] = None, start: Optional[TimeLike] = None,
            iterations: Optional[int] = None, warm_up: Optional[int] = None,
            algorithm: Optional[str] = None, channels: Optional[int] = None,
            send_done: Optional[str] = None, reduce_rate: Optional[DataRateLike] = None,
            wire_factor: Optional[float] = None, rendezvous: Optional[bool] = None,
            ready_size: Optional[Size] = None, verb: Optional[str] = None,
            queue_pairs_per_connection: Optional[int] = None, split_data: Optional[bool] = None,
            both_ways: Optional[bool] = None, nic: Optional[str] = None, pxn: Optional[bool] = None,
            pxn_size: Optional[Size] = None, gpus_per_host: Optional[int] = None,
            intra_rate: Optional[DataRateLike] = None, intra_latency: Optional[TimeLike] = None,
            congestion_control: Optional[PartLike] = None, report: Optional[PathLike] = None,
            timeline: Optional[PathLike] = None, messages: Optional[bool] = None,
            **queue_pair: Any) -> "Job":
        """A job of several ranks, which runs a JobGraph. Returns the Job.

        places              a host or (host, GPU) by rank, such as [(0, 0), (0, 1), (1, 0)]; of a
                            host without GPU a rank has the next one. None: a host for each rank,
                            of those that no other job of the run has
        name                what messages and files call it; "job", of further ones "job-2", ...
        start               from the begin of the run, 0
        iterations, warm_up how often the graph runs, 1, and how many first ones means leave out, 0
        algorithm           of collectives that name none, such as "ring"; by default by their type
        channels            of collectives that name none, 1
        send_done           when a send has ended: "completed" (its last ACK is there) or "posted"
        reduce_rate         of a rank that adds what it receives, "800Gb/s"; by default in no time
        wire_factor         bytes on the wire for each one of a collective, 1
        rendezvous, ready_size   True: messages wait until their receive is posted, which a message
                            of 64 bytes tells
        verb                of messages: "write", "write_imm", "send" or "send_imm"
        queue_pairs_per_connection   of each pair of ranks and channel, 1; messages take turns
        split_data          True: a message is split over them
        both_ways           True: a queue pair carries what two ranks send to each other
        nic                 which port of a host a message takes: "rail" (that of the GPU), "channel"
                            or "hash"
        pxn, pxn_size       True: a message to another rail changes it within the host that sends, in
                            pieces of 128 KiB
        gpus_per_host       by default as many as the places name
        intra_rate, intra_latency    of a GPU within its host, "3600Gb/s" one way, and of a message
                            there, "936ns"
        congestion_control  a Part in place of the fabric's; further keywords: attributes of its
                            queue pairs, such as ack_interval
        report, timeline    files of all jobs of the run: a page in Markdown, with pictures beside it,
                            and what ranks did, for ui.perfetto.dev
        messages            True: results.messages has a row for each message

        The run waits for the job. No two ranks share a GPU, of other jobs of the run neither. The results have
        the tables iterations, collectives, ranks and critical_path.
        """
        options = {**queue_pair, **{name: value for name, value in locals().items()
                                    if name not in ("self", "graph", "places", "queue_pair")}}
        from .job import add_job, refuse_misspelt  # pylint: disable=import-outside-toplevel
        refuse_misspelt(queue_pair, Run.job)
        return add_job(self._run, graph, places, options)

    @property
    def jobs(self) -> List["Job"]:
        """Jobs, in the order of adding."""
        return self._of_jobs().jobs(self._run) if self._run.has_jobs else []

    @staticmethod
    def _of_jobs() -> Any:
        """The C++ part of jobs."""
        from . import _lossless_jobs  # pylint: disable=import-outside-toplevel
        return _lossless_jobs

    @property
    def begin(self) -> Time:
        """Time of the simulation from which the times of the run count."""
        return self._run.begin

    @property
    def totals(self) -> Dict[str, Any]:
        """The totals up to now, by name."""
        return self._run.totals

    def write_to(self, folder: PathLike, files: Optional[Iterable[str]] = None) -> None:
        """Folder for CSV files; files: as above."""
        self._choose(write_to=folder, files=files)

    def end_now(self, why: str) -> None:
        """End the run after the event that is under way, for a reason on one line."""
        self._run.end_now(why)

    def execute(self) -> Results:
        """Run, once, to the end. Returns Results.

        Ctrl-C raises KeyboardInterrupt, and SIGTERM and SIGHUP SystemExit with status 143 and 129:
        files are complete then, and `results` are there. After an exception of a callable there are
        neither.
        """
        run = self._run
        if run.has_ended:
            raise ValueError("a second execution of a run that was executed; make another run of the "
                             "same fabric")
        options = run.options
        if run.has_jobs:
            self._of_jobs().require_whole(run)
        if run.has_jobs and not options.write_to:
            tables = (*JOB_TABLES, "messages") if self._of_jobs().has_messages(run) else JOB_TABLES
            options.keep = options.keep + [name for name in tables if name not in options.keep]
        options.progress = options.progress and is_shown()
        show = notebook_line() if options.progress else None
        if show is not None:
            options.show_progress(show)
        run.choose(options)
        before = self._fabric._links_before  # pylint: disable=protected-access
        try:
            run.execute()
        except BaseException:
            if run.has_ended and not run.has_failed:
                self._collect(before)
            raise
        return self._collect(before)

    @property
    def results(self) -> Results:
        """What came of it, after execute(), also of one that a signal has ended."""
        if self._results is None:
            raise RuntimeError("a run has no results before its end; call execute() first")
        return self._results

    def _collect(self, before: Dict[str, Any]) -> Results:
        """The Results, as long as the simulation is there. before: what links had carried."""
        run, options = self._run, self._run.options
        self._results = Results(
            run.summary(), run.totals, run.flow_columns(), run.rdma.unfinished(),
            options.write_to or None, end=run.end, why=run.why,
            applications=run.sockets.columns() if run.has_sockets else None,
            deadlocks=self._fabric._deadlocks(run.begin),  # pylint: disable=protected-access
            faults=run.faults.log if run.has_faults else (), names=run.fabric.names,
            links=run.fabric.link_columns(), links_before=before, findings=run.finding_columns(),
            begin=run.begin, duration=Simulator.now() - run.begin,
            kept={name: run.columns(name) for name in options.keep},
            critical_path=self._of_jobs().critical_paths(run) if run.has_jobs else None)
        return self._results

    def __repr__(self) -> str:
        text = repr(self._run)
        if text.endswith(": 0 of 0 flows completed>") and self._run.has_jobs:
            jobs = self.jobs
            text = f"<lossless.Run: {sum(job.is_done for job in jobs)} of {len(jobs)} jobs done>"
        return text
