# SPDX-License-Identifier: GPL-2.0-only
"""Tables: columns of equal length."""

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Tuple, Union, overload

if TYPE_CHECKING:
    import numpy
    import pandas

Row = Dict[str, Any]
# Columns of the files of a run that hold text.
TextColumn = Literal["node_type", "type", "protocol", "state", "what", "where", "reason", "action"]
# Those that hold whole numbers.
WholeColumn = Literal["time_ns", "start_ns", "duration_ns", "node", "port", "class", "bytes", "index",
                      "source", "destination", "traffic_class", "status", "flow", "link", "rate_bps",
                      "a_node", "b_node", "a_port", "b_port", "a_sent_bytes", "b_sent_bytes"]
_UNITS = {"s": "s", "ms": "ms", "us": "us", "ns": "ns", "bps": "bit/s", "bytes": "B"}


def unit_of(column: str) -> str:
    """The unit that the name of a column ends with, or ""."""
    return _UNITS.get(column.rpartition("_")[2], "")


class Table:
    """Columns of equal length, by name: table["fct_s"]. A number is a row, table[-1]; a slice is a
    Table, table[10:20]; so is a list of names, table[["source", "fct_s"]].

    A column of numbers is a buffer that numpy.asarray() takes without copying; list() works on
    every column. to_numpy() and to_pandas() need NumPy and pandas.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]], title: str = "",
                 units: Optional[Mapping[str, str]] = None):
        self._columns = dict(columns)
        self._title = title
        self._units = dict(units or {})

    @property
    def columns(self) -> List[str]:
        """Names of the columns."""
        return list(self._columns)

    @property
    def units(self) -> Dict[str, str]:
        """Unit of each column, "" where it has none."""
        return {name: self._units.get(name, unit_of(name)) for name in self._columns}

    @overload
    def __getitem__(self, which: TextColumn) -> Sequence[str]: ...  # type: ignore[misc]
    @overload
    def __getitem__(self, which: WholeColumn) -> Sequence[int]: ...  # type: ignore[misc]
    @overload
    def __getitem__(self, which: str) -> Sequence[float]: ...
    @overload
    def __getitem__(self, which: int) -> Row: ...
    @overload
    def __getitem__(self, which: Union[slice, List[str]]) -> "Table": ...
    def __getitem__(self, which: Union[str, int, slice, List[str]]) -> Any:
        if isinstance(which, str):
            if which not in self._columns:
                raise KeyError(f"there is no column {which!r}; there are {', '.join(self._columns)}")
            return self._columns[which]
        if isinstance(which, slice):
            return self._with({name: column[which] for name, column in self._columns.items()})
        if isinstance(which, (list, tuple)):
            return self._with({name: self[name] for name in which})
        if isinstance(which, bool) or not hasattr(which, "__index__"):
            raise TypeError(f"{which!r} does not fit: table[\"column\"], table[row], table[1:10] or "
                            "table[[\"column\", \"column\"]]")
        if not -len(self) <= which < len(self):
            raise IndexError(f"row {which}; there are {len(self)}")
        return {name: column[which] for name, column in self._columns.items()}

    def _with(self, columns: Mapping[str, Sequence[Any]]) -> "Table":
        """The same table with other columns."""
        return Table(columns, self._title, self._units)

    def head(self, rows: int = 5) -> "Table":
        """The first rows."""
        return self[:max(0, rows)]

    def tail(self, rows: int = 5) -> "Table":
        """The last rows."""
        return self[max(0, len(self) - max(0, rows)):]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __iter__(self) -> Iterator[Row]:
        """Rows, as dictionaries."""
        names = self.columns
        return (dict(zip(names, row)) for row in zip(*self._columns.values()))

    def __repr__(self) -> str:
        title = f" {self._title}" if self._title else ""
        return f"<lossless.Table{title}: {len(self)} rows of {', '.join(self._columns)}>"

    def __str__(self) -> str:
        """The rows below each other; of many the first and the last."""
        shown, skipped = self._shown(10)
        lines = [[_heading(name, unit) for name, unit in self.units.items()]]
        lines += [[_cell(value) for value in row] for row in shown]
        widths = [max(map(len, column)) for column in zip(*lines)]
        text = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines]
        if skipped:
            text.insert(6, f"... {skipped} more rows ...")
        return "\n".join(text)

    def _repr_html_(self) -> str:
        """The first and the last rows, for notebooks."""
        shown, skipped = self._shown(10)

        def line(cells: Iterable[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = [line((_cell(value) for value in row), "td") for row in shown]
        if skipped:
            body.insert(5, f"<tr><td colspan=\"{len(self._columns)}\">&hellip; {skipped} more rows "
                           "&hellip;</td></tr>")
        names = line((_heading(name, unit) for name, unit in self.units.items()), "th")
        return f"<table>{names}{''.join(body)}</table><p>{len(self)} rows</p>"

    def _shown(self, rows: int) -> Tuple[List[Tuple[Any, ...]], int]:
        """Rows to show, half of them from the end, and how many are left out."""
        if len(self) <= rows:
            return list(zip(*self._columns.values())), 0
        parts = [self.head(rows // 2), self.tail(rows - rows // 2)]
        return [tuple(row.values()) for part in parts for row in part], len(self) - rows

    def to_dict(self) -> Dict[str, List[Any]]:
        """Lists by name."""
        return {name: list(column) for name, column in self._columns.items()}

    def to_numpy(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """NumPy arrays by name; those of numbers share the memory of the columns."""
        import numpy  # pylint: disable=import-outside-toplevel
        return {name: numpy.asarray(column) for name, column in self._columns.items()}

    def to_pandas(self) -> "pandas.DataFrame":
        """A pandas DataFrame."""
        import pandas  # pylint: disable=import-outside-toplevel
        return pandas.DataFrame(self.to_numpy())


def _heading(name: str, unit: str) -> str:
    """A name, with the unit where the name does not end with it."""
    is_said = unit in name.split("_") or name.endswith("_bps")
    return f"{name} ({unit})" if unit and not is_said else name


def _cell(value: Any) -> str:
    """A value in a table."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
