# SPDX-License-Identifier: GPL-2.0-only
"""Parameter studies: one process a point, one table for all."""

import hashlib
import itertools
import json
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from .results import Table
from .types import PathLike

Point = Mapping[str, Any]


class SweepError(RuntimeError):
    """Points of a sweep have failed; `failures` has (point, message) of each, `table` the rest."""

    def __init__(self, failures: Sequence[Tuple[Point, str]], table: Table):
        point, message = failures[0]
        more = f" (and {len(failures) - 1} more points)" if len(failures) > 1 else ""
        super().__init__(f"{_text(point)}: {message}{more}")
        self.failures = failures
        self.table = table


def _text(point: Point) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in point.items())


def _points(grid: Union[Mapping[str, Any], Iterable[Point]]) -> List[Point]:
    """The points of a grid: lists by name, or a list of dictionaries."""
    if isinstance(grid, Mapping):
        for name, values in grid.items():
            if isinstance(values, str) or not hasattr(values, "__iter__"):
                raise ValueError(f"grid[{name!r}] is {values!r}; it must be a list of values")
        return [dict(zip(grid, values)) for values in itertools.product(*grid.values())]
    points = list(grid)
    if not all(isinstance(point, dict) for point in points):
        raise ValueError("grid must be lists by name, or a list of dictionaries")
    return points


def _work(function, point, connection):
    """In a process of its own: one point."""
    try:
        result = function(**point)
        if not isinstance(result, dict):
            raise TypeError(f"the function returned {type(result).__name__}; a point must return a "
                            "dictionary of numbers and text")
        connection.send((True, json.loads(json.dumps(result))))
    except BaseException as error:  # pylint: disable=broad-except
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(last.filename)}:{last.lineno}"
        connection.send((False, f"{type(error).__name__}: {error} ({place})"))
    finally:
        connection.close()


class _Store:
    """Results on disk, one line a point, so that a sweep goes on where it was stopped."""

    def __init__(self, path):
        self.path = path
        self.known = {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    try:
                        entry = json.loads(line)
                        self.known[entry["key"]] = entry["result"]
                    except (ValueError, KeyError):
                        continue  # the last line of a process that was killed

    @staticmethod
    def key(point):
        """Identifies a point."""
        text = json.dumps(point, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def add(self, point, result):
        """Keep a result."""
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                entry = {"key": self.key(point), "point": point, "result": result}
                file.write(json.dumps(entry, default=str) + "\n")


class _Progress:
    """One line on a terminal."""

    def __init__(self, total, stream=sys.stderr):
        self.total, self.done, self.failed = total, 0, 0
        self.stream = stream if stream.isatty() else None
        self.begin = time.monotonic()

    def step(self, succeeded):
        self.done += 1
        self.failed += not succeeded
        if self.stream:
            left = (time.monotonic() - self.begin) / self.done * (self.total - self.done)
            failed = f", {self.failed} failed" if self.failed else ""
            self.stream.write(f"\r\033[Ksweep: {self.done}/{self.total} points{failed}, "
                              f"{left:.0f} s left")
            self.stream.flush()

    def finish(self):
        if self.stream:
            self.stream.write("\r\033[K")
            self.stream.flush()


def _run(function, points, workers, finished):
    """Run points, workers at a time; finished(index, succeeded, result) as each ends."""
    context = multiprocessing.get_context("fork")
    waiting = list(enumerate(points))[::-1]
    running: Dict[Any, Any] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                index, point = waiting.pop()
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(function, point, sender))
                process.start()
                sender.close()
                running[receiver] = (index, process)
            ready: List[Any] = multiprocessing.connection.wait(list(running))
            for receiver in ready:
                index, process = running.pop(receiver)
                try:
                    succeeded, result = receiver.recv()
                except EOFError:
                    process.join()
                    succeeded, result = False, f"its process ended with status {process.exitcode}"
                process.join()
                receiver.close()
                finished(index, succeeded, result)
    finally:
        for _, process in running.values():
            process.terminate()
            process.join()


def sweep(function: Callable[..., Dict[str, Any]],
          grid: Union[Mapping[str, Any], Iterable[Point]],
          workers: Optional[int] = None, resume: Optional[PathLike] = None) -> Table:
    """Call a function at every point of a grid, each in a process of its own. Returns a Table.

    function: takes a point's values by keyword, builds and runs a scenario, returns a dictionary of
    numbers and text; grid: lists by name, of which every combination is a point, or a list of
    dictionaries; workers: processes at a time, default: one a core; resume: a file that keeps
    results, so that the same call goes on after a stop.

    The table has a column for each name of the grid and of the results, in the order of the grid.
    If points fail, the others are run all the same, and SweepError tells of both.
    """
    points = _points(grid)
    workers = workers or os.cpu_count() or 1
    if not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers is {workers!r}; it must be 1 or more")
    store = _Store(resume)
    results = [store.known.get(store.key(point)) for point in points]
    missing = [i for i, result in enumerate(results) if result is None]
    failures = []
    progress = _Progress(len(missing))

    def finished(number, succeeded, result):
        index = missing[number]
        if succeeded:
            results[index] = result
            store.add(points[index], result)
        else:
            failures.append((index, result))
        progress.step(succeeded)

    try:
        _run(function, [points[i] for i in missing], workers, finished)
    finally:
        progress.finish()
    rows = [dict(point, **result) for point, result in zip(points, results) if result is not None]
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table({name: [row.get(name) for row in rows] for name in names}, "of a sweep")
    if failures:
        raise SweepError([(points[i], message) for i, message in sorted(failures)], table)
    return table
