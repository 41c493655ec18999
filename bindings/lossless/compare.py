# SPDX-License-Identifier: GPL-2.0-only
"""Schemes compared over seeds: one table, one plot."""

import html
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import drawing, style
from ._lossless import Simulator, set_seed, settings_in_force
from .described import describe_totals
from .results import Results
from .run import Run, RunsOfFabric
from .sweep import SweepError, require_plain, run_points, state_of
from .table import Table
from .types import PathLike, as_mapping

# The columns of results.flows that percentiles and means are taken of: column, factor, unit.
_COLUMNS = {"fct": ("fct_s", 1e6, "us"), "slowdown": ("slowdown", 1.0, "")}
_UNFINISHED = "flows_unfinished"  # FCT and slowdown are of the other flows
Interval = Tuple[float, float, float]


def _statistic(name: str) -> Optional[Tuple[str, float, str, Optional[float]]]:
    """(column, factor, unit, percentile or None for the mean) of "fct_p99"; None: it is none."""
    prefix, _, what = name.partition("_")
    if prefix not in _COLUMNS:
        return None
    if what == "mean":
        return (*_COLUMNS[prefix], None)
    try:
        percent = float(what[1:]) if what[:1] == "p" else math.nan
    except ValueError:
        return None
    return (*_COLUMNS[prefix], percent) if 0 <= percent <= 100 else None


def value_of(results: Results, name: str) -> float:
    """A value of a run: fct_p99, fct_mean (us), slowdown_p50, ..., or a name of the totals."""
    statistic = _statistic(name)
    if statistic is None:
        numbers = {total: value for total, value in results.totals.items()
                   if not isinstance(value, str)}
        if name not in numbers:
            raise ValueError(f"there is no value {name!r}; there are fct_mean, fct_p99, "
                             f"slowdown_p50 and so on, and {', '.join(sorted(numbers))}")
        return float(numbers[name])
    column, factor, _, percent = statistic
    values = sorted(value * factor for value, status in
                    zip(results.flows[column], results.flows["status"]) if status == 0)
    if not values:
        raise ValueError(f"no flow completed: there is no {name}")
    return sum(values) / len(values) if percent is None else drawing.percentile(values, percent)


def median_interval(values: Sequence[float]) -> Interval:
    """The median, and the interval of order statistics that has the median of all seeds with a
    probability of 95 % or more, whatever the distribution; of fewer than six values their range,
    which has it less often."""
    ordered = sorted(values)
    count = len(ordered)
    middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    outside, rank = 0.0, 0
    while rank < count:
        outside += math.comb(count, rank) / 2**count
        if 2 * outside > 0.05:
            break
        rank += 1
    rank = max(rank, 1)
    return middle, ordered[rank - 1], ordered[count - rank]


class Comparison:
    """What compare() returns: print() it, plot() it, or read `table`, a row a scheme and seed."""

    def __init__(self, table: Table, schemes: Sequence[str], of: Sequence[str], seeds: int):
        self.table = table
        self.schemes = list(schemes)
        self.of = list(of)
        self.seeds = seeds

    @property
    def units(self) -> Dict[str, str]:
        """Units of the values, by name."""
        totals = describe_totals()
        known = {name: _statistic(name) for name in self.of}
        units = {name: what[2] if what else totals.get(name, ("",))[0]
                 for name, what in known.items()}
        return {name: "" if unit in name.split("_") else unit for name, unit in units.items()}

    def intervals(self) -> Dict[str, Dict[str, Interval]]:
        """(median, low, high) by scheme and name of the value; see median_interval()."""
        found: Dict[str, Dict[str, Interval]] = {}
        for scheme in self.schemes:
            rows = [row for row in self.table if row["scheme"] == scheme]
            found[scheme] = {name: median_interval([row[name] for row in rows]) for name in self.of}
        return found

    def _cells(self) -> List[List[str]]:
        units = self.units
        lines = [["scheme"] + [name + (f" ({units[name]})" if units[name] else "")
                               for name in self.of]]
        for scheme, values in self.intervals().items():
            lines.append([scheme] + [f"{middle:.4g} [{low:.4g}, {high:.4g}]"
                                     for middle, low, high in values.values()])
        return lines

    def _note(self) -> str:
        kind = "95 % interval" if self.seeds >= 6 else "range"
        counts = {scheme: sum(row[_UNFINISHED] for row in self.table if row["scheme"] == scheme)
                  for scheme in self.schemes}
        left_out = ", ".join(f"{scheme} {count}" for scheme, count in counts.items() if count)
        return (f"median [{kind}] of {self.seeds} seed{'s' if self.seeds > 1 else ''}" +
                (f"; without flows that did not complete, of all seeds: {left_out}" if left_out else ""))

    def __str__(self) -> str:
        lines = self._cells()
        widths = [max(map(len, column)) for column in zip(*lines)]
        text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
                for line in lines]
        return "\n".join([*text, self._note()])

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        lines = self._cells()
        rows = ["<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in line) + "</tr>"
                for tag, line in zip(["th"] + ["td"] * len(lines), lines)]
        return f"<table>{''.join(rows)}</table><p>{self._note()}</p>"

    def plot(self, path: Optional[PathLike] = None, *, size: Optional[str] = None) -> Any:
        """A panel for each value: the median of each scheme and its interval. Returns the axes of
        the first panel; path: where to write the figure."""
        axes = drawing.comparison(self.intervals(), units=self.units, size=size)
        if path is not None:
            style.save(axes, path)
        return axes

    def __repr__(self) -> str:
        return f"<lossless.Comparison of {', '.join(self.schemes)}: {self._note()}>"


class _SeedCheck:
    """Whether each seed of a scheme draws other random numbers."""

    # Of a result: what its run has drawn from, unless it is what compare() has set.
    NAME = "drawn by"

    def __init__(self) -> None:
        self._seeds: Dict[Tuple[str, Any], int] = {}  # by scheme, and by what was drawn from

    def __call__(self, point: Mapping[str, Any], result: Dict[str, Any]) -> None:
        scheme, seed, drawn = point["scheme"], point["seed"], result.pop(self.NAME, None)
        other = self._seeds.setdefault((scheme, drawn or f"set_seed(1, {seed})"), seed)
        if other != seed:
            raise ValueError(f"seeds {other} and {seed} of {scheme!r} both ran with "
                             f"{drawn or f'set_seed(1, {seed})'}: make_run chooses it, and seeds= has "
                             "no effect; leave it out, or derive it from the seed that make_run takes")


def compare(make_run: Callable[[Any, int], Any], schemes: Mapping[str, Any], *,
            seeds: Iterable[int] = range(1, 6),
            of: Sequence[str] = ("fct_p99", "slowdown_p99", "pfc_xoff_frames"),
            workers: Optional[int] = None, resume: Optional[PathLike] = None,
            write_to: Optional[PathLike] = None) -> Comparison:
    """Run schemes with the same seeds, each run in a process of its own. Returns a Comparison.

    make_run: takes a value of schemes and a seed, returns a Fabric with its flows that has not run
    (or anything whose run() or execute() returns Results); schemes: by name, such as {"DCQCN":
    ll.Dcqcn(), "none": None}; seeds: run numbers of the seed 1, set_seed(1, number), set before
    make_run is called: streams of different numbers are independent; a make_run that sets the same
    seed for all of them is refused; of: fct_mean, fct_p50,
    fct_p99.9, ... (us), slowdown_..., of flows that complete, and names of the totals such as
    pfc_xoff_frames; workers, resume: as sweep() has them; write_to: each run
    writes its files to WRITE_TO/SCHEME/SEED, which utils/plot.py compares. The column flows_unfinished of the table
    counts the flows that did not complete.
    """
    require_plain(make_run, "make_run")
    as_mapping(schemes, "schemes", "a dictionary by name, such as {\"none\": None}")
    names, numbers = [str(name) for name in schemes], list(seeds)
    if not names or not numbers or not of or isinstance(of, str):
        raise ValueError("compare() needs a scheme, a seed and a list of values at least")
    if any(isinstance(seed, bool) or not isinstance(seed, int) or seed < 0 for seed in numbers):
        raise ValueError(f"seeds are {numbers!r}; they must be whole numbers, 0 or more")
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"seeds are {numbers!r}; each must be there once: the same run twice would "
                         "narrow the interval")
    values = dict(zip(names, schemes.values()))

    def point(scheme: str, seed: int) -> Dict[str, Any]:
        Simulator.destroy()
        set_seed(1, seed)
        run = make_run(values[scheme], seed)
        if write_to is not None:
            run = Run(run) if isinstance(run, RunsOfFabric) else run
            run.write_to(os.path.join(write_to, scheme, str(seed)))
        execute = getattr(run, "execute", None) or getattr(run, "run", None)
        if execute is None:
            raise TypeError(f"make_run returned {run!r}; it must return a fabric that is ready to run")
        results = execute()
        row: Dict[str, Any] = {name: value_of(results, name) for name in of}
        row[_UNFINISHED] = results.totals["flows_total"] - results.totals["flows_completed"]
        drawn = (results.totals["seed"], results.totals["run"])
        return row if drawn == (1, seed) else {
            **row, _SeedCheck.NAME: f"set_seed({drawn[0]}, {drawn[1]})"}

    more = [{name: state_of(value) for name, value in values.items()}, list(of),
            {name: text for name, text in settings_in_force().items()
             if name not in ("RngSeed", "RngRun")}]
    table, failures = run_points(point, [{"scheme": name, "seed": seed}
                                         for name in names for seed in numbers],
                                 workers, resume, "comparison", make_run, more, _SeedCheck())
    if failures:
        raise SweepError(failures, table)
    return Comparison(table, names, of, len(numbers))
