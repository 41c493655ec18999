# SPDX-License-Identifier: GPL-2.0-only
"""Jobs of several ranks, such as the training of a model."""

import difflib
import inspect
import os
from collections.abc import Callable, Iterable
from itertools import count
from operator import index
from typing import Any, Dict, List, Optional, SupportsIndex, Tuple

from . import _lossless, _lossless_jobs
from ._lossless import DataRate
from ._lossless_jobs import Job, JobGraph, JobOptions, host_number
from .types import DataRateLike, RankPlace, as_list, as_part, as_time

# The options of a job, by keyword.
_OPTIONS = [name for name, value in vars(JobOptions).items() if isinstance(value, property)]


def _places(places: Optional[Iterable[RankPlace]], run: _lossless.Run,
            ranks: int) -> Tuple[List[int], List[int]]:
    """Hosts and GPUs, by rank. A host without a GPU has the first one behind those of its ranks before that
    no other job of the run has."""
    fabric = run.fabric
    taken = {place for job in _lossless_jobs.jobs(run) for place in job.places}
    if places is None:
        others = {host for host, _ in taken}
        free = [host for host in range(fabric.n_hosts) if host not in others]
        if ranks > len(free):
            which = " that no other job has" if taken else ""
            raise ValueError(f"a job of {ranks} ranks, and {len(free)} hosts{which}; places say which "
                             "ranks share a host, such as [(0, 0), (0, 1)]")
        return free[:ranks], [0] * ranks
    right = "a list of hosts or (host, GPU) by rank, such as [(0, 0), (0, 1)]"
    listed = as_list(places, "places", right)
    if len(listed) != ranks:
        raise ValueError(f"places are {len(listed)}; a job of {ranks} ranks has {ranks}")
    hosts: List[int] = []
    gpus: List[int] = []
    for place in listed:
        host, gpu = place if isinstance(place, tuple) and len(place) == 2 else (place, None)
        if isinstance(gpu, bool) or not isinstance(gpu, (SupportsIndex, type(None))):
            raise TypeError(f"places has {place!r}; it must be {right}")
        try:
            number = host_number(fabric, host)
        except TypeError:
            raise TypeError(f"places has {place!r}; it must be {right}") from None
        if gpu is not None and not 0 <= index(gpu) < 1024:
            raise ValueError(f"places has {place!r}; a GPU is a whole number, 0 to 1023")
        gpus.append(next(free for free in count(hosts.count(number)) if (number, free) not in taken)
                    if gpu is None else index(gpu))
        hosts.append(number)
    return hosts, gpus


def _options(chosen: Dict[str, Any]) -> JobOptions:
    """The options that are not None, each checked."""
    options = JobOptions()
    for name, value in chosen.items():
        if value is not None:
            setattr(options, name, value)
    return options


def as_rate(value: Optional[DataRateLike]) -> Optional[DataRate]:
    """A DataRate, from one, from text with a unit or from bit/s; None stays None."""
    return value if value is None or isinstance(value, DataRate) else DataRate(value)


def _file(path: Any, name: str) -> str:
    """The path of a file as text; "": none."""
    if not isinstance(path, (str, os.PathLike, type(None))):
        raise TypeError(f"{name} is {path!r}; it must name a file, or be None")
    if path is not None and not os.fspath(path):
        raise ValueError(f"{name} is empty; it must name a file, or be None")
    return "" if path is None else str(os.fspath(path))


def _free_name(run: _lossless.Run) -> str:
    """A name that no job of the run has."""
    names = {job.name for job in _lossless_jobs.jobs(run)}
    return next(name for name in ("job", *(f"job-{i}" for i in range(2, len(names) + 3)))
                if name not in names)


def refuse_misspelt(attributes: Iterable[str], function: Callable[..., Any]) -> None:
    """TypeError for attributes of queue pairs that look like options of the function."""
    known = {option.replace("_", ""): option for option in inspect.signature(function).parameters}
    for name in attributes:
        near = difflib.get_close_matches(name.replace("_", ""), known, 1, 0.85)
        if near:
            raise TypeError(f"{function.__name__}() has no option {name!r}; did you mean {known[near[0]]}?")


def add_job(run: _lossless.Run, graph: JobGraph, places: Optional[Iterable[RankPlace]],
            options: Dict[str, Any]) -> Job:
    """Add a job to a run; see Run.job(). options: what is none of a job is of its queue pairs."""
    if not isinstance(graph, JobGraph):
        raise TypeError(f"graph is {graph!r}; it must be a JobGraph")
    hosts, gpus = _places(places, run, graph.n_ranks)
    rest = dict(options)
    report, timeline = (_file(rest.pop(name, None), name) for name in ("report", "timeline"))
    messages = rest.pop("messages", None)
    if not isinstance(messages, (bool, type(None))):
        raise TypeError(f"messages is {messages!r}; it must be True or False")
    control = rest.pop("congestion_control", None)
    chosen = {name: rest.pop(name, None) for name in _OPTIONS}
    for name in ("start", "intra_latency"):
        chosen[name] = as_time(chosen[name])
    for name in ("reduce_rate", "intra_rate"):
        chosen[name] = as_rate(chosen[name])
    ready = _options({"name": _free_name(run), **{name: value for name, value in chosen.items()
                                                  if value is not None}})
    if rest:
        ready.set_queue_pair(**rest)
    if control is not None:
        ready.set_congestion_control(as_part("RdmaFixedRate" if control == "none" else control))
    return _lossless_jobs.add_job(run, graph, hosts, gpus, ready, report, timeline, bool(messages))
