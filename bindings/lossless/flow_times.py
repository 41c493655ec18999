# SPDX-License-Identifier: GPL-2.0-only
"""Where the time of a flow went."""

from collections.abc import Callable
from typing import Any, Dict, List, Sequence

from .table import Table

_WORDS = {"sending": "sent frames before it", "paused": "was paused by PFC",
          "window": "its window was full", "paced": "waited for its rate",
          "other": "waited for the line or for answers"}


class FlowTimes:
    """Where the time of a flow went: run(explain=[flow]).

    last   the parts of the time of the frame that arrived last: part, node, port, ns, paused_ns.
           They add up to the flow completion time.
    mean   queue and line at each port, as means over all data frames
    """

    def __init__(self, flow: int, rows: Table, name: Callable[[int, int], str]):
        self.flow = flow
        self._name = name
        columns = [column for column in rows.columns if column not in ("flow", "frame")]

        def chosen(frame: str) -> Table:
            places = [place for place, row in enumerate(rows)
                      if row["flow"] == flow and row["frame"] == frame]
            return Table({column: [rows[column][place] for place in places] for column in columns},
                         f"of the {frame} frame of flow {flow}", rows.units)
        self.last = chosen("last")
        self.mean = chosen("mean")

    @property
    def fct_s(self) -> float:
        """The parts of the last frame, added: the flow completion time."""
        return sum(self.last["ns"]) / 1e9

    def parts(self) -> Dict[str, float]:
        """Seconds of the last frame by what it waited for: those of its source, "queue" without
        "paused_in_queue", "line", "answer", "back". They add up to fct_s."""
        sums: Dict[str, float] = {}
        for row in self.last:
            paused = row["paused_ns"] if row["part"] == "queue" else 0
            sums[row["part"]] = sums.get(row["part"], 0) + (row["ns"] - paused) / 1e9
            if row["part"] == "queue":
                sums["paused_in_queue"] = sums.get("paused_in_queue", 0) + paused / 1e9
        return sums

    def _where(self, row: Dict[str, Any]) -> str:
        """What a part is called."""
        if row["part"] == "back":
            return "the way of the ACK"
        if row["part"] == "answer":
            return f"{self._name(row['node'], 0)} answered"
        place = self._name(row["node"], row["port"])
        if row["part"] in _WORDS:
            return f"{place} {_WORDS[row['part']]}"
        return f"{'in the queue of' if row['part'] == 'queue' else 'on the line from'} {place}"

    def __str__(self) -> str:
        """The parts, a line each."""
        lines = [f"flow {self.flow}: {self.fct_s * 1e6:.3f} us"]
        for title, table in (("the frame that arrived last", self.last),
                             ("a frame, on average", self.mean)):
            lines.append(f"  {title}:")
            lines += _lines([(self._where(row), row["ns"], row["paused_ns"]) for row in table])
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<lossless.FlowTimes of flow {self.flow}: {self.fct_s * 1e6:.3f} us>"


def _lines(parts: Sequence[Any]) -> List[str]:
    """Parts that took time, a line each."""
    return [f"  {ns / 1e3:12.3f} us  {what}"
            + (f", {paused / 1e3:.3f} us of it paused" if paused and paused != ns else "")
            for what, ns, paused in parts if ns]
