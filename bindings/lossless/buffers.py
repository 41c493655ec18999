# SPDX-License-Identifier: GPL-2.0-only
"""Sizes of switch buffers, before there is a fabric."""

from collections.abc import Iterable
from typing import Any, List, Tuple, Union

from ._lossless import BufferBudget, DataRate, headroom_columns, ports_of_text
from .table import Table
from .types import DataRateLike, Size, TimeLike, as_time

_RATES = ("10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps")


def _several(value: Any, name: str) -> List[Any]:
    """A list of one value or several."""
    several = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
    if not several:
        raise ValueError(f"{name} is empty; give one value or several")
    return several


def headroom_table(rates: Union[DataRateLike, Iterable[DataRateLike]] = _RATES,
                   metres: Union[int, Iterable[int]] = (5, 15, 100, 300), *,
                   mtu: Union[int, Iterable[int]] = 1500,
                   reaction: Union[TimeLike, Iterable[TimeLike]] = 0,
                   cell: Union[int, Iterable[int]] = 208) -> Table:
    """Headroom of a lossless class at a port, by several rules: a Table with a row for each
    combination of the values, of which each may be one or several.

    rates: line rates; metres: lengths of cables; mtu: longest IP packets in bytes, frames have 22
    more; reaction: reaction delays of the peer; cell: bytes of a cell. A rule without constants for
    a rate has nan.
    """
    columns, units = headroom_columns(
        [DataRate(value) for value in _several(rates, "rates")],
        _several(metres, "metres"), _several(mtu, "mtu"),
        [as_time(value) for value in _several(reaction, "reaction")], _several(cell, "cell"))
    return Table(columns, "of headroom", units)


def buffer_budget(ports: Union[str, Iterable[Tuple[int, DataRateLike, int]]], *,
                  buffer: Size = "32MiB", classes: int = 1, guaranteed: Size = 1518,
                  alpha: float = 0.125, mtu: int = 1500, reaction: TimeLike = 0,
                  cell: int = 208) -> BufferBudget:
    """How the buffer of a switch is divided, to the byte as a switch of such ports does it.

    ports: groups of ports, each its number, rate and metres of cable, [(32, "100Gbps", 100)], or
    text, "32x100Gbps:100,8x400Gbps:300"; classes: number of lossless classes; guaranteed: to each
    (port, class).
    """
    given: Any = ports_of_text(ports) if isinstance(ports, str) else ports
    groups = [(count, DataRate(rate), metres) for count, rate, metres in given]
    return BufferBudget(groups, buffer, classes, guaranteed, alpha, mtu, as_time(reaction), cell)
