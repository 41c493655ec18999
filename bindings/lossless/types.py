# SPDX-License-Identifier: GPL-2.0-only
"""What the package takes as a time, a rate and so on: for annotations, and to convert it."""

import os
from typing import Optional, Union, overload

from ._lossless import DataRate, Part, Time

TimeLike = Union[Time, str]
DataRateLike = Union[DataRate, str, int]
Size = Union[int, str]
PartLike = Union[Part, str]
PathLike = Union[str, "os.PathLike[str]"]


@overload
def as_time(value: None) -> None: ...
@overload
def as_time(value: TimeLike) -> Time: ...
def as_time(value: Optional[TimeLike]) -> Optional[Time]:
    """A Time, from a Time or text with a unit; None stays None."""
    if value is None or isinstance(value, Time):
        return value
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no time; write for example \"5us\"")
    return Time(value)


def as_part(value: PartLike) -> Part:
    """A Part, from a Part or the name of a type."""
    return value if isinstance(value, Part) else Part(value)

