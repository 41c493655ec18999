# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of a search: which settings pass, and what they trade."""

import os

from reproduction.drawing import plt

PASSES, FAILS, DEFAULT = "#0072B2", "#D55E00", "#000000"  # tell apart without colours by their markers
PAIRS = (("kmin", "kmax"), ("kmin", "pmax"), ("kmin", "alpha"), ("pmax", "alpha"))
LABELS = {"kmin": "Kmin, bytes", "kmax": "Kmax, bytes", "pmax": "Pmax", "alpha": "alpha"}
BINS = 6


def _log_bins(values):
    """Borders of bins of equal ratio that hold all values."""
    low, high = min(values), max(values) * 1.0001
    return [low * (high / low) ** (i / BINS) for i in range(BINS + 1)]


def _heat_maps(ranked, path):
    """The least score in each cell of two settings: 0 is a cell with a setting that passes."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 7), constrained_layout=True)
    top = max(score for score, _ in ranked) or 1
    for axis, (x, y) in zip(axes.flat, PAIRS):
        columns = [[setting[name] for _, setting in ranked] for name in (x, y)]
        borders = [_log_bins(column) for column in columns]
        cells = [[float("nan")] * BINS for _ in range(BINS)]
        for score, setting in ranked:
            column, row = (next(i for i in range(BINS) if setting[name] < edges[i + 1])
                           for name, edges in ((x, borders[0]), (y, borders[1])))
            old = cells[row][column]
            cells[row][column] = score if old != old else min(old, score)
        mesh = axis.pcolormesh(*borders, cells, vmin=0, vmax=top, cmap="cividis_r")
        passing = [setting for score, setting in ranked if score == 0]
        axis.plot([setting[x] for setting in passing], [setting[y] for setting in passing], "o",
                  color="white", markeredgecolor="black", label="passes all goals")
        axis.set(xscale="log", yscale="log", xlabel=LABELS[x], ylabel=LABELS[y])
    figure.colorbar(mesh, ax=axes, label="least sum of misses in the cell (0: passes)")
    if any(score == 0 for score, _ in ranked):
        axes.flat[0].legend(loc="upper left")
    figure.suptitle("How far settings are from the goals")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def front(points):
    """Those of (latency, throughput) than which no other is better in both, by latency."""
    best, chosen = float("-inf"), []
    for latency, throughput in sorted(points, key=lambda point: (point[0], -point[1])):
        if throughput > best:
            chosen.append((latency, throughput))
            best = throughput
    return chosen


def _pareto(search, ranked, path):
    """Worst throughput against worst 90th percentile of latency, by setting."""
    from tuning import goals, search as space

    figure, axis = plt.subplots(figsize=(7, 5), constrained_layout=True)
    groups = {(PASSES, "o", "passes all goals"): [], (FAILS, "x", "fails a goal"): [],
              (DEFAULT, "s", "the default"): []}
    for score, setting in ranked:
        worst = goals.worst(search.rows_of(setting))
        if worst["throughput"] is None:
            continue
        key = 2 if setting == space.DEFAULT else 0 if score == 0 else 1
        list(groups.values())[key].append((worst["latency_p90_us"], 100 * worst["throughput"]))
    for (color, marker, label), points in groups.items():
        if points:
            axis.plot(*zip(*points), marker, color=color, label=label, linestyle="")
    line = front([point for points in groups.values() for point in points])
    if line:
        axis.plot(*zip(*line), "-", color="#999999", zorder=0, label="Pareto front")
    axis.axvline(goals.GOALS["latency_p90_us"][0], color="black", linestyle=":", linewidth=1)
    axis.axhline(100 * goals.GOALS["throughput"][0], color="black", linestyle=":", linewidth=1)
    axis.set(xscale="log", xlabel="worst 90th percentile of the latency of 4 KB, us",
             ylabel="worst throughput of servers, % of what they can",
             title="What settings trade; dotted: the goals")
    axis.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return bool(line)


def draw(search, ranked, folder):
    """Draw what can be drawn. Returns the names of the files."""
    if plt is None:
        return []
    names = ["heat-map.png"]
    _heat_maps(ranked, os.path.join(folder, names[0]))
    if _pareto(search, ranked, os.path.join(folder, "pareto.png")):
        names.append("pareto.png")
    return names
