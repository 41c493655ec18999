# SPDX-License-Identifier: GPL-2.0-only
"""What the package takes as a time, a rate and so on: for annotations, and to convert it."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, List, Literal, Optional, Tuple, Union, overload

from ._lossless import DataRate, FabricSwitch, Node, Part, QbbChannel, RdmaHw, Time
from .congestion import CongestionControl

TimeLike = Union[Time, str, Literal[0]]
DataRateLike = Union[DataRate, str, int]
Size = Union[int, str]
PartLike = Union[Part, CongestionControl, str]
# Places of a fabric. Numbers may be negative: they count from the end.
HostLike = Union[int, str, Node, RdmaHw]
SwitchLike = Union[int, str, Node, FabricSwitch]
NodeLike = Union[int, str, Node, RdmaHw, FabricSwitch]
# Where a rank of a job runs: a host, or a GPU of it.
RankPlace = Union[HostLike, Tuple[HostLike, int]]
LinkLike = Union[int, Tuple[NodeLike, NodeLike], QbbChannel]
PathLike = Union[str, "os.PathLike[str]"]


@overload
def as_time(value: None) -> None: ...
@overload
def as_time(value: TimeLike) -> Time: ...
def as_time(value: Optional[TimeLike]) -> Optional[Time]:
    """A Time, from a Time, text with a unit, or 0; None stays None."""
    if value is None or isinstance(value, Time):
        return value
    if not isinstance(value, (str, int)):
        raise TypeError(f"{value!r} is no time; write for example \"5us\"")
    return Time(value)


def as_part(value: PartLike, example: str = "RdmaDcqcn") -> Part:
    """A Part, from a Part, a CongestionControl of Python or the name of a type, such as the example."""
    if isinstance(value, CongestionControl):
        return value._as_part()  # pylint: disable=protected-access
    if not isinstance(value, (str, Part)):
        raise TypeError(f"{value!r} is no Part; write for example ll.Part(\"{example}\") or \"{example}\"")
    return value if isinstance(value, Part) else Part(value)


def as_bool(value: Any, name: str) -> bool:
    """True or False, perhaps of numpy; TypeError for anything else."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        raise TypeError(f"{name} is {value!r}; it must be True or False")
    return bool(value)


def as_mapping(value: Any, name: str, right: str) -> Mapping[Any, Any]:
    """A dictionary or the like; TypeError for anything else. right: what it must be."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} is {value!r}; it must be {right}")
    return value


def as_list(value: Any, name: str, right: str) -> List[Any]:
    """A list of what is iterable; TypeError for anything else, text and dictionaries. right: what it
    must be."""
    if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"{name} is {value!r}; it must be {right}")
    return list(value)


def as_attributes(value: Any, name: str, right: str) -> Mapping[str, Any]:
    """A dictionary by name; TypeError for anything else. right: what it must be."""
    for key in as_mapping(value, name, right):
        if not isinstance(key, str):
            raise TypeError(f"{name} has {key!r}, which is no name; it must be {right}")
    return value
