# SPDX-License-Identifier: GPL-2.0-only
"""Which pause caused which."""

import html
from collections.abc import Callable, Sequence
from typing import Any, Dict, List, Optional, Tuple

from . import drawing, style
from .table import Table

# An egress queue: node, port and class; a host that asked for a pause has its port and that class.
Queue = Tuple[int, int, int]
# What holds the buffer where a pause was asked for: the cause, and the queue.
Source = Tuple[str, Queue]

_WORDS = {"queue": "is congested", "host": "does not keep up", "forced": "is forced to pause",
          "nothing": "has nothing waiting", "before": "was paused before"}


class PauseTree:
    """The pauses of a run, each with the pause that caused it: run(pause_tree=True).

    pauses   one row a pause: id, start_ns, duration_ns, node, node_type, port, class (what was
             paused), by_node, by_port (what sent the XOFF), cause, egress_port, egress_class (the
             queue of by_node that held the buffer), share, parent, root; see doc/view.rst

    print(tree) shows the roots; len(tree) is the number of pauses.
    """

    def __init__(self, pauses: Table, name: Callable[[int, int], str],
                 names: Sequence[str] = (), ends: Sequence[Tuple[int, int]] = ()):
        order = sorted(range(len(pauses)), key=pauses["id"].__getitem__)
        self.pauses = Table({column: [pauses[column][row] for row in order]
                             for column in pauses.columns}, "pause-tree", pauses.units)
        self._name = name
        self._names = list(names)  # of nodes, by number
        self._ends = list(ends)  # nodes at the ends of links
        self._index = {row["id"]: row for row in self.pauses}

    def _source(self, row: Dict[str, Any]) -> Source:
        """What held the buffer where a pause was asked for."""
        if row["egress_port"] >= 0:
            return "queue", (row["by_node"], row["egress_port"], row["egress_class"])
        return row["cause"], (row["by_node"], row["by_port"], row["class"])

    def name(self, queue: Queue) -> str:
        """What an egress queue is called: "leaf 2 port 3 class 3"."""
        return f"{self._name(queue[0], queue[1])} class {queue[2]}"

    def chain(self, pause: int) -> List[Dict[str, Any]]:
        """The rows from a pause, by its id, to its root."""
        if pause not in self._index:
            raise ValueError(f"there is no pause {pause}; there are {len(self)}, from 0 on")
        rows = [self._index[pause]]
        while rows[-1]["parent"] >= 0:
            rows.append(self._index[rows[-1]["parent"]])
        return rows

    def roots(self) -> Table:
        """Where pauses had their roots, those first below which most time was paused: what, node,
        port, class, cause, roots, pauses, deepest (pauses of the longest chain), paused_s."""
        found: Dict[Source, List[float]] = {}
        depth: Dict[int, int] = {}
        for row in self.pauses:
            root = self._index[row["root"]]
            depth[row["id"]] = 1 + (depth[row["parent"]] if row["parent"] >= 0 else 0)
            sums = found.setdefault(self._source(root), [0, 0, 0, 0])
            sums[0] += row["id"] == row["root"]
            sums[1] += 1
            sums[2] = max(sums[2], depth[row["id"]])
            sums[3] += row["duration_ns"]
        ranked = sorted(found.items(), key=lambda item: (-item[1][3], item[0][1], item[0][0]))
        columns: Dict[str, List[Any]] = {
            "what": [self.name(queue) for (_, queue), _ in ranked],
            "node": [queue[0] for (_, queue), _ in ranked],
            "port": [queue[1] for (_, queue), _ in ranked],
            "class": [queue[2] for (_, queue), _ in ranked],
            "cause": [cause for (cause, _), _ in ranked]}
        for place, column in enumerate(("roots", "pauses", "deepest")):
            columns[column] = [int(sums[place]) for _, sums in ranked]
        columns["paused_s"] = [sums[3] / 1e9 for _, sums in ranked]
        return Table(columns, "of roots of pauses")

    def edges(self) -> List[Tuple[Source, Queue, int, int]]:
        """What paused which queue, in order of their first pauses: (what held the buffer, the queue
        that was paused, pauses, ns)."""
        found: Dict[Tuple[Source, Queue], List[int]] = {}
        for row in self.pauses:
            queue = (row["node"], row["port"], row["class"])
            sums = found.setdefault((self._source(row), queue), [0, 0])
            sums[0] += 1
            sums[1] += row["duration_ns"]
        return [(source, queue, count, ns) for (source, queue), (count, ns) in found.items()]

    def to_dot(self, root: Optional[int] = None) -> str:
        """Graphviz text. A vertex is an egress queue, an arrow goes from the queue that held the
        buffer to the queue that was paused, with the number of pauses and their time; roots have a
        double border. root: only the pauses of one tree, a vertex each, by the id of its root."""
        if root is not None:
            return self._tree_to_dot(root)
        edges = self.edges()
        paused = {("queue", queue) for _, queue, _, _ in edges}
        sources: Dict[Source, int] = {}
        for source, queue, _, _ in edges:
            for vertex in (source, ("queue", queue)):
                sources.setdefault(vertex, len(sources))
        lines = ["digraph pauses {", "  rankdir=LR; node [shape=box];"]
        for (cause, queue), number in sources.items():
            words = "" if cause == "queue" else f"\\n{_WORDS[cause]}"
            border = "" if (cause, queue) in paused else ", peripheries=2"
            lines.append(f"  v{number} [label=\"{self.name(queue)}{words}\"{border}];")
        for source, queue, count, ns in edges:
            lines.append(f"  v{sources[source]} -> v{sources['queue', queue]} "
                         f"[label=\"{count}, {ns / 1e3:.1f} us\"];")
        return "\n".join(lines + ["}"]) + "\n"

    def _tree_to_dot(self, root: int) -> str:
        """The pauses of one tree."""
        rows = [row for row in self.pauses if row["root"] == root]
        if not rows:
            raise ValueError(f"pause {root} is no root; roots() and the column root name those")
        cause, queue = self._source(rows[0])
        lines = ["digraph pauses {", "  rankdir=LR; node [shape=box];",
                 f"  root [label=\"{self.name(queue)}\\n{_WORDS[cause]}\", peripheries=2];"]
        for row in rows:
            name = self.name((row["node"], row["port"], row["class"]))
            lines.append(f"  p{row['id']} [label=\"{name}\\n{row['start_ns'] / 1e3:.3f} us, for "
                         f"{row['duration_ns'] / 1e3:.3f} us\"];")
            above = "root" if row["parent"] < 0 else f"p{row['parent']}"
            lines.append(f"  {above} -> p{row['id']};")
        return "\n".join(lines + ["}"]) + "\n"

    def to_svg(self) -> str:
        """The topology as an SVG: an arrow along each link on which pauses were asked for, as wide
        as they lasted, and a ring around the switches and hosts that have roots."""
        if not self._names:
            raise ValueError("the topology is not known; ask the Results of the run")
        where = drawing.places(self._names, self._ends)
        wide = max([x for x, _ in where] + [1.0])
        step = max(8.0, min(60.0, 900 / wide))
        spots = [(40 + x * step, 440 - 130 * y) for x, y in where]
        lines = [f"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{80 + wide * step:.0f}\" "
                 "height=\"500\" font-family=\"sans-serif\" font-size=\"10\">",
                 "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
                 "markerUnits=\"userSpaceOnUse\" markerWidth=\"9\" markerHeight=\"9\" "
                 "orient=\"auto\">"
                 f"<path d=\"M0 0L8 4L0 8z\" fill=\"{style.VERMILION}\"/></marker></defs>"]
        for a, b in self._ends:
            lines.append(_svg_line(spots[a], spots[b], f"stroke=\"{style.GREY}\""))
        spans: Dict[Tuple[int, int], int] = {}
        for row in self.pauses:
            way = (row["by_node"], row["node"])
            spans[way] = spans.get(way, 0) + row["duration_ns"]
        longest = max([*spans.values(), 1])
        for (by, node), ns in spans.items():
            lines.append(_svg_line(spots[by], spots[node],
                                   f"stroke=\"{style.VERMILION}\" stroke-width=\""
                                   f"{1 + 4 * ns / longest:.2f}\" marker-end=\"url(#head)\"",
                                   f"{self._names[by]} paused {self._names[node]}: {ns / 1e3:.1f} us"))
        roots = set(self.roots()["node"]) if len(self) else set()
        for node, (x, y) in enumerate(spots):
            name = html.escape(self._names[node])
            ring = f" stroke=\"{style.VERMILION}\" stroke-width=\"3\"" if node in roots else ""
            shape = (f"<circle cx=\"{x:.1f}\" cy=\"{y:.1f}\" r=\"4\""
                     if name.startswith("host ") else
                     f"<rect x=\"{x - 7:.1f}\" y=\"{y - 7:.1f}\" width=\"14\" height=\"14\"")
            lines.append(f"{shape} fill=\"{style.TEXT_GREY}\"{ring}><title>{name}</title>"
                         + ("</circle>" if name.startswith("host ") else "</rect>"))
            if step >= 30 or not name.startswith("host "):
                below = 22 if name.startswith("host ") else -12
                lines.append(f"<text x=\"{x:.1f}\" y=\"{y + below:.1f}\" "
                             f"text-anchor=\"middle\">{name}</text>")
        return "\n".join(lines + ["</svg>"]) + "\n"

    def __len__(self) -> int:
        return len(self.pauses)

    def __str__(self) -> str:
        """The roots, one line each; of many the first ten."""
        roots = self.roots()
        lines = [f"{len(self)} pauses from {len(roots)} places"]
        for row in roots.head(10):
            lines.append(f"  {row['what']} {_WORDS[row['cause']]}: {row['paused_s'] * 1e6:.1f} us in "
                         f"{row['pauses']} pauses, {row['roots']} of them roots, chains of up to "
                         f"{row['deepest']}")
        return "\n".join(lines + (["  ..."] if len(roots) > 10 else []))

    def __repr__(self) -> str:
        return f"<lossless.PauseTree: {len(self)} pauses>"


def _svg_line(begin: Tuple[float, float], end: Tuple[float, float], look: str,
              title: str = "") -> str:
    """A line from a place to another."""
    return (f"<line x1=\"{begin[0]:.1f}\" y1=\"{begin[1]:.1f}\" x2=\"{end[0]:.1f}\" "
            f"y2=\"{end[1]:.1f}\" {look}>"
            + (f"<title>{html.escape(title)}</title>" if title else "") + "</line>")
