# SPDX-License-Identifier: GPL-2.0-only
"""Flows as rows of a table."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Dict, List

from . import units
from ._lossless import Time
from .types import TimeLike, as_list

_NEEDED = ("source", "destination", "size")
_STARTS = {"start_s": units.seconds, "start_ms": units.ms, "start_us": units.us,
           "start_ns": units.ns}
_KNOWN = (*_NEEDED, "start", *_STARTS, "traffic_class", "verb", "window", "udp_port",
          "port", "label")


def columns_of(table: Any) -> Dict[str, List[Any]]:
    """The columns of a data frame, a Table or a dictionary; TypeError for anything else."""
    if not isinstance(table, Mapping) and not hasattr(table, "columns"):
        raise TypeError(f"{table!r} is no table of flows; it must be a data frame, a Table or a "
                        "dictionary of columns, such as {\"source\": [0], \"destination\": [1], "
                        "\"size\": [1000]}")
    right = "a list, with a value for each flow"
    return {str(name): as_list(table[name], f"column {name!r}", right)
            for name in getattr(table, "columns", table)}


def check_columns(columns: Mapping[str, Sequence[Any]]) -> None:
    """ValueError unless columns say what flows there are, and nothing that has no effect."""
    for name in _NEEDED:
        if name not in columns:
            raise ValueError(f"there is no column {name!r}; flows need {', '.join(_NEEDED)}")
    for name in columns:
        if name not in _KNOWN:
            near = difflib.get_close_matches(name, _KNOWN, 1)
            hint = f"did you mean {near[0]}?" if near else f"flows have {', '.join(_KNOWN)}"
            raise ValueError(f"column {name!r} would have no effect; {hint}")
    starts = [name for name in columns if name == "start" or name in _STARTS]
    if len(starts) > 1:
        raise ValueError(f"there are columns {' and '.join(starts)}; one says when flows start")
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError("columns differ in length: " +
                         ", ".join(f"{name} has {count}" for name, count in lengths.items()))


def start_of(flow: Dict[str, Any]) -> TimeLike:
    """Take the start of a flow out of its row."""
    for name, unit in _STARTS.items():
        if name in flow:
            return unit(flow.pop(name))
    start = flow.pop("start", "0s")
    if not isinstance(start, (str, Time)):
        raise TypeError(f"start is {start!r}; it must be text such as \"5us\" or a Time; name the "
                        "column start_us for numbers of microseconds")
    return start
