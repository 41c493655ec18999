# SPDX-License-Identifier: GPL-2.0-only
"""Parameter studies: one process a point, one table for all."""

import functools
import hashlib
import inspect
import itertools
import json
import multiprocessing
import os
import pathlib
import sys
import sysconfig
import tempfile
import traceback
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from ._lossless import DataRate, Time, settings_in_force
from .progress import Progress, hide
from .table import Table
from .types import PathLike

Point = Mapping[str, Any]

# Folders of files that are not the user's.
_OTHERS = (os.path.join(sysconfig.get_path("stdlib"), ""), os.path.join(os.path.dirname(__file__), ""))
_INSTALLED = {"site-packages", "dist-packages"}


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


def _number(value):
    """What a file can hold of a value that is no number or text of Python."""
    if isinstance(value, Time):
        return value.seconds
    if isinstance(value, DataRate):
        return float(value)
    if getattr(value, "shape", None) == () and hasattr(value, "item"):  # a scalar of NumPy
        return value.item()
    raise TypeError(repr(type(value).__name__))


def _plain(result, point):
    """The result of a point, of numbers and text only."""
    if not isinstance(result, dict):
        raise TypeError(f"the function returned {type(result).__name__}; a point must return a "
                        "dictionary of numbers and text")
    plain = {}
    for name, value in result.items():
        if name in point:
            if value == point[name]:
                continue
            raise ValueError(f"the function returned another {name!r} than the grid has; give the "
                             "result another name")
        try:
            plain[str(name)] = json.loads(json.dumps(value, default=_number))
        except TypeError as error:
            raise TypeError(f"result[{name!r}] holds {error}; it must be a number, text, Time or "
                            "DataRate, or a list of them") from None
    return plain


def _place(error):
    """Where a point failed: the innermost line that is the user's."""
    frames = traceback.extract_tb(error.__traceback__)
    own = os.path.dirname(__file__) + os.sep
    users = [frame for frame in frames if not frame.filename.startswith(own)]
    last = (users or frames)[-1]
    return f"{os.path.basename(last.filename)}:{last.lineno}"


def _work(function, point, connection, said):
    """In a process of its own: one point. Sends its result. said: a file for standard error."""
    hide()
    os.dup2(said.fileno(), 2)
    try:
        result = function(**point)
        try:
            connection.send((True, _plain(result, point)))
        except (TypeError, ValueError) as error:
            connection.send((False, f"{type(error).__name__}: {error}"))
    except BaseException as error:  # pylint: disable=broad-except
        connection.send((False, f"{type(error).__name__}: {error} ({_place(error)})"))
    finally:
        connection.close()


def bare(function: Any) -> Any:
    """The function of a partial, of a method or of an object that can be called."""
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = getattr(type(function), "__call__", function)
    return inspect.unwrap(getattr(function, "__func__", function))


def require_plain(function: Any, what: str) -> None:
    """TypeError unless something can be called and then runs at once."""
    if not callable(function):
        raise TypeError(f"{what} is {function!r}; it must be a function")
    plain = bare(function)
    kinds: List[Tuple[Callable[[Any], bool], str]] = [
        (inspect.isasyncgenfunction, "an asynchronous generator"),
        (inspect.isgeneratorfunction, "a generator"), (inspect.iscoroutinefunction, "asynchronous")]
    for is_kind, kind in kinds:
        if is_kind(plain):
            name = getattr(plain, "__name__", type(function).__name__)
            raise TypeError(f"{what} {name}() is {kind}: its body would never run; return the result")


def _is_own(file: Any) -> bool:
    """Whether a file of Python is the user's."""
    return isinstance(file, str) and os.path.isfile(file) and not file.endswith((".so", ".pyc")) and \
        not os.path.abspath(file).startswith(_OTHERS) and not _INSTALLED & set(pathlib.Path(file).parts)


def _texts() -> List[str]:
    """Digests of the user's files of Python that have been imported, the program's included."""
    loaded = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    files = {str(file) for file in loaded if _is_own(file)}
    return sorted(hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest() for file in files)


def _code(code: Any) -> List[Any]:
    """What tells a lambda from another on its line."""
    return [code.co_code.hex(), code.co_names,
            [_code(value) if inspect.iscode(value) else repr(value) for value in code.co_consts]]


def state_of(value: Any, seen: Optional[Dict[int, Any]] = None) -> Any:
    """A value as lists and text: a function by its place and what it holds, an object by its
    attributes, one that has no text by nothing that comes again. The texts of functions and classes
    are those of their files. seen: what has been written, which lives as long."""
    if value is None or type(value) in (str, bool, int, float):
        return repr(value)
    seen = {} if seen is None else seen
    if id(value) in seen:
        return seen[id(value)][0]
    seen[id(value)] = (len(seen), value)
    inner = getattr(value, "__wrapped__", None)  # of a decorator
    if inspect.isfunction(value):
        code = value.__code__
        cells = []
        for cell in value.__closure__ or ():
            try:
                cells.append(cell.cell_contents)
            except ValueError:
                pass  # a name that has no value yet
        held = [value.__defaults__, value.__kwdefaults__, cells, inner]
        return [value.__module__, value.__qualname__, code.co_firstlineno,
                _code(code) if code.co_name == "<lambda>" else "", state_of(held, seen)]
    if inspect.ismethod(value):
        return [state_of(value.__func__, seen), state_of(value.__self__, seen)]
    if isinstance(value, functools.partial):
        return state_of([value.func, value.args, value.keywords], seen)
    if inspect.isclass(value) or inspect.ismodule(value) or inspect.isbuiltin(value):
        return [getattr(value, "__module__", ""), getattr(value, "__qualname__", value.__name__)]
    if hasattr(type(value), "tobytes"):  # the repr of an array of NumPy leaves out numbers
        return [repr(value), hashlib.sha256(value.tobytes()).hexdigest()]
    found = [type(value).__qualname__, state_of(inner, seen) if inner else ""]
    if isinstance(value, dict):
        found.append([[state_of(key, seen), state_of(one, seen)] for key, one in value.items()])
    elif isinstance(value, (list, tuple)):
        found.append([state_of(one, seen) for one in value])
    elif isinstance(value, (set, frozenset)):
        found.append(sorted(json.dumps(state_of(one, seen)) for one in value))
    elif not hasattr(value, "__dict__") or type(value).__repr__ is not object.__repr__:
        text = repr(value)
        found.append(os.urandom(16).hex() if " at 0x" in text else text)
    is_own = _is_own(getattr(sys.modules.get(type(value).__module__), "__file__", None))
    if hasattr(value, "__dict__") and (is_own or type(value).__repr__ is object.__repr__):
        found.append(state_of(vars(value), seen))
    return found


def _identity(function: Any, more: Any) -> str:
    """What tells the results of a function from those of others. ValueError if it has no file."""
    plain = bare(function)
    file = getattr(getattr(plain, "__code__", None), "co_filename", None)
    if not _is_own(file):
        raise ValueError(f"resume: the text of {getattr(plain, '__qualname__', plain)} is in no file of "
                         "yours, so nobody could tell whether it has changed; write it in one")
    known = {name: value for name, value in plain.__globals__.items() if not name.startswith("__")}
    text = pathlib.Path(str(file)).read_text(encoding="utf-8")
    return json.dumps([_texts(), text, state_of(function), state_of(known), more], sort_keys=True)


_BEGIN = b'{"key": "'  # of each line


class _Store:
    """Results on disk, one line a point, so that a sweep goes on where it was stopped."""

    def __init__(self, path, identity):
        self.path = path
        self.function = hashlib.sha256(identity.encode()).hexdigest()
        self.known: Dict[str, Any] = {}
        self.points = set()  # of this function or others
        if path:
            self._read()

    def _read(self):
        """Results of sweeps before. ValueError where the file is one of other things."""
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise ValueError(f"resume: {self.path} is no file; name one for the results")
        try:
            with open(self.path, "a+b") as file:  # it can be written, too, before a point has run
                file.seek(0)
                for number, line in enumerate(file, 1):
                    try:
                        entry = json.loads(line)
                        self.known[entry["key"]] = entry["result"]
                        self.points.add(json.dumps(entry["point"], sort_keys=True))
                    except (ValueError, KeyError, TypeError):
                        line = line.rstrip(b"\n")
                        if line[:len(_BEGIN)] != _BEGIN[:len(line)]:
                            raise ValueError(f"resume: {self.path}:{number} is no result of a sweep; "
                                             "name a file of its own for the results") from None
                        # the last line of a process that was killed
        except OSError as error:
            raise ValueError(f"resume: {self.path}: {error.strerror}; name a file that can be "
                             "written") from None

    def key(self, point):
        """Identifies a point of the function."""
        text = json.dumps([self.function, point], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def result(self, point):
        """The last result of a point; None: there is none."""
        return self.known.get(self.key(point))

    def tell(self, points, missing):
        """Say on one line which of the points run anew, if there are results."""
        if not self.known:
            return
        edited = sum(json.dumps(json.loads(json.dumps(points[i], default=str)), sort_keys=True)
                     in self.points for i in missing)
        why = f", {edited} of them as the function, or what it reads, is another one" if edited else ""
        print(f"{self.path} has {len(points) - len(missing)} of {len(points)} points; "
              f"{len(missing)} run anew{why}", file=sys.stderr)

    def add(self, point, result):
        """Keep a result."""
        if self.path:
            entry = {"key": self.key(point), "point": point, "result": result}
            line = json.dumps(entry, default=str) + "\n"
            with open(self.path, "a+b") as file:
                file.seek(0, os.SEEK_END)
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    if file.read() != b"\n":  # the last line of a process that was killed
                        line = "\n" + line
                file.write(line.encode())


def _run(function, points, workers, finished):
    """Run points, workers at a time; finished(index, succeeded, result, said) as each ends. said: what
    was written to standard error."""
    context = multiprocessing.get_context("fork")
    waiting = list(enumerate(points))[::-1]
    running: Dict[Any, Any] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                index, point = waiting.pop()
                receiver, sender = context.Pipe(duplex=False)
                said = tempfile.TemporaryFile()  # pylint: disable=consider-using-with
                process = context.Process(target=_work, args=(function, point, sender, said))
                process.start()
                sender.close()
                running[receiver] = (index, process, said)
            ready: List[Any] = multiprocessing.connection.wait(list(running))
            for receiver in ready:
                index, process, said = running.pop(receiver)
                try:
                    succeeded, result = receiver.recv()
                except EOFError:
                    process.join()
                    succeeded, result = False, f"its process ended with status {process.exitcode}"
                process.join()
                receiver.close()
                with said:
                    said.seek(0)
                    finished(index, succeeded, result, said.read().decode(errors="replace"))
    finally:
        for _, process, _ in running.values():
            process.terminate()
            process.join()


_WARNING = "lossless: warning: "


def _tell_of_findings(found: Mapping[str, int], count: int) -> None:
    """One line for what the runs of all points have found. found: how many points say it."""
    texts = [f"{text} ({points} of {count} points)" for text, points in found.items()]
    more = [f"{len(texts) - 3} more"] if len(texts) > 3 else []
    if texts:
        print(_WARNING + " | ".join(texts[:3] + more), file=sys.stderr)


def sweep(function: Callable[..., Dict[str, Any]],
          grid: Union[Mapping[str, Any], Iterable[Point]],
          workers: Optional[int] = None, resume: Optional[PathLike] = None) -> Table:
    """Call a function at every point of a grid, each in a process of its own. Returns a Table.

    function: takes a point's values by keyword, builds and runs a scenario, returns a dictionary of
    numbers and text, whose names are not those of the grid; a Time becomes seconds, a DataRate
    bit/s; grid: lists by name, of which every combination is a point, or a list of
    dictionaries; workers: processes at a time, default: one a core; resume: a file that keeps
    results, so that the same call goes on after a stop. After a change of the program, of a file of
    Python that it has imported, of a value of the function's file, of the seed or of a default points
    run anew, and a line on standard error says how many do. Other files are not looked at.

    The table has a column for each name of the grid and of the results, in the order of the grid.
    If points fail, the others are run all the same, and SweepError tells of both.
    """
    require_plain(function, "function")
    table, failures = run_points(function, _points(grid), workers, resume, "sweep", function,
                                 settings_in_force())
    if failures:
        raise SweepError(failures, table)
    return table


def run_points(function: Callable[..., Dict[str, Any]], points: List[Point], workers: Optional[int],
               resume: Optional[PathLike], what: str, users: Callable[..., Any],
               more: Any, check: Callable[[Point, Dict[str, Any]], None] = lambda point, result: None
               ) -> Tuple[Table, List[Tuple[Point, str]]]:
    """Call a function at points, each in a process. Returns the table of those that succeeded, and
    (point, message) of those that failed. users, more: what tells results from others;
    check: called with each point and its result, which it may change; what it raises ends all."""
    workers = (os.cpu_count() or 1) if workers is None else workers
    if not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers is {workers!r}; it must be 1 or more")
    store = _Store(resume, _identity(users, more) if resume else "")
    results = [store.result(point) for point in points]
    missing = [i for i, result in enumerate(results) if result is None]
    for known, result in zip(points, results):
        if result is not None:
            check(known, result)
    store.tell(points, missing)
    failures = []
    progress = Progress(what, len(missing))
    found: Dict[str, int] = {}

    def finished(number, succeeded, result, said):
        index = missing[number]
        lines = said.splitlines(keepends=True)
        for line in dict.fromkeys(line.strip() for line in lines if line.startswith(_WARNING)):
            found[line[len(_WARNING):]] = found.get(line[len(_WARNING):], 0) + 1
        sys.stderr.write("".join(line for line in lines if not line.startswith(_WARNING)))
        if succeeded:
            results[index] = result
            store.add(points[index], result)
            check(points[index], results[index])
        else:
            failures.append((index, result))
        progress.step(succeeded)

    try:
        _run(function, [points[i] for i in missing], workers, finished)
    finally:
        progress.finish()
        _tell_of_findings(found, len(missing))
    rows = [dict(point, **result) for point, result in zip(points, results) if result is not None]
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table({name: [row.get(name) for row in rows] for name in names}, f"of a {what}")
    return table, [(points[i], message) for i, message in sorted(failures)]
