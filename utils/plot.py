#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the CSV files of a run: plot.py FOLDER [OUTPUT-FOLDER]

Reads fct.csv, queue.csv, pause.csv and throughput.csv as FabricStats writes them, and makes
fct-slowdown.png, queue-length.png, pause.png and throughput.png. Where there are ping-window.csv
of RdmaPingMesh and pause-monitor.csv of PauseMonitor, with those files or alone, it makes ping.png
and pause-monitor.png.
"""
import csv
import os
import sys

sys.dont_write_bytecode = True

from reproduction.drawing import plt, size_name  # noqa: E402, without a cache in the sources

BLUE, RED, GREY = "#2166ac", "#b2182b", "#bbbbbb"


def fail(message):
    print(f"plot.py: {message}", file=sys.stderr)
    sys.exit(2)


def read(folder, name):
    """The rows of a file, as dictionaries of text; an error in one line if it is missing or cut off."""
    path = os.path.join(folder, name)
    try:
        with open(path, newline="", encoding="ascii") as file:
            text = file.read()
    except OSError as error:
        fail(f"{path}: {error.strerror}; name a folder with results of a run")
    except ValueError:
        fail(f"{path}: this is no text; run the program again")
    rows = list(csv.DictReader(text.splitlines()))
    if not text.endswith("\n") or any(None in row or None in row.values() for row in rows):
        fail(f"{path}: the file is cut off; run the program again")
    return rows


def percentile(ordered, percent):
    """Nearest rank, of values in order."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def new_figure(title, xlabel, ylabel):
    figure, axes = plt.subplots(figsize=(8, 4.5), constrained_layout=True)
    axes.set_title(title, loc="left")
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def save(figure, folder, name):
    path = os.path.join(folder, name)
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        fail(f"{path}: {error.strerror}; the second argument names where plots go")
    plt.close(figure)
    print(path)


def note_empty(axes, text):
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color="#555555")


def plot_fct(folder, output):
    flows = sorted((int(row["bytes"]), float(row["slowdown"])) for row in read(folder, "fct.csv"))
    figure, axes = new_figure("FCT slowdown by flow size", "largest flow of each tenth of all flows",
                              "FCT / ideal FCT")
    if not flows:
        note_empty(axes, "no flow completed")
    else:
        # Ten groups with as many flows each, as published plots have them.
        groups = min(10, len(flows))
        borders = [len(flows) * i // groups for i in range(groups + 1)]
        parts = [flows[borders[i]:borders[i + 1]] for i in range(groups)]
        for percent, colour, style in ((50, BLUE, "-"), (95, RED, "-"), (99, RED, "--")):
            values = [percentile(sorted(s for _, s in part), percent) for part in parts]
            axes.plot(range(groups), values, style, color=colour, marker="o", markersize=4,
                      label=f"p{percent}")
        axes.set_xticks(range(groups))
        axes.set_xticklabels([size_name(part[-1][0]) for part in parts], rotation=30, ha="right")
        axes.set_yscale("log")
        ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
                 if tick <= 1.2 * max(slowdown for _, slowdown in flows)]
        axes.set_yticks(ticks)
        axes.set_yticklabels([str(tick) for tick in ticks])
        axes.minorticks_off()
        axes.set_ylim(bottom=0.95)
        axes.legend(frameon=False)
    save(figure, output, "fct-slowdown.png")


def time_axis(rows, key="time_ns"):
    """Where the plots begin, ns: results may start at 2 s."""
    return min((int(row[key]) for row in rows), default=0)


def plot_queues(folder, output, samples, begin):
    # A queue that is empty at a sample has no row: begin with zeros at all samples.
    peak = {int(row["time_ns"]): 0 for row in samples}
    total = dict(peak)
    longest = {}
    for row in read(folder, "queue.csv"):
        time, size = int(row["time_ns"]), int(row["bytes"])
        peak[time] = max(peak.get(time, 0), size)
        total[time] = total.get(time, 0) + size
        place = (row["node"], row["port"], row["class"])
        longest[place] = max(longest.get(place, 0), size)
    figure, axes = new_figure("Queues of all switches", "time (ms)", "KB")
    if not longest:
        note_empty(axes, "no queue held anything at a sample")
    else:
        times = sorted(peak)
        x = [(time - begin) / 1e6 for time in times]
        axes.fill_between(x, [total[time] / 1e3 for time in times], color=GREY, linewidth=0,
                          label="all queues")
        axes.plot(x, [peak[time] / 1e3 for time in times], color=RED, linewidth=1.2,
                  label="longest queue")
        node, port, cls = max(longest, key=longest.get)
        axes.set_title(f"longest at node {node}, port {port}, class {cls}", loc="right",
                       fontsize=9, color="#555555")
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
    save(figure, output, "queue-length.png")


def plot_pauses(folder, output, begin, end):
    rows = read(folder, "pause.csv")
    figure, axes = new_figure("PFC pauses", "time (ms)", "ports paused, on average")
    if not rows:
        note_empty(axes, "PFC paused nobody")
    else:
        # The mean number of paused ports in each of 200 intervals: single pauses last microseconds.
        bins = 200
        width = max((end - begin) / bins, 1)
        for kind, colour, label in (("host", BLUE, "ports of hosts"),
                                    ("switch", RED, "ports of switches")):
            paused = [0.0] * bins
            for row in rows:
                if row["node_type"] != kind:
                    continue
                start = int(row["start_ns"]) - begin
                stop = start + int(row["duration_ns"])
                first, last = int(max(start, 0) / width), int(stop / width)
                for i in range(first, min(last, bins - 1) + 1):
                    covered = min(stop, (i + 1) * width) - max(start, i * width)
                    paused[i] += max(covered, 0) / width
            axes.plot([(i + 0.5) * width / 1e6 for i in range(bins)], paused, color=colour,
                      linewidth=1.2, label=label)
        total = sum(int(row["duration_ns"]) for row in rows)
        axes.set_title(f"{len(rows)} pauses, {total / 1e6:.3g} ms in all", loc="right", fontsize=9,
                       color="#555555")
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
    axes.set_xlim(0, max((end - begin) / 1e6, 1e-6))
    save(figure, output, "pause.png")


def plot_throughput(folder, output, rows, begin):
    received, busiest = {}, {}
    for row in rows:
        time, rate = int(row["time_ns"]), float(row["rx_bps"])
        received[time] = received.get(time, 0) + rate
        busiest[time] = max(busiest.get(time, 0), rate)
    figure, axes = new_figure("Throughput of hosts", "time (ms)", "received by all hosts (Gb/s)")
    if not received:
        note_empty(axes, "nothing was sent")
    else:
        times = sorted(received)
        x = [(time - begin) / 1e6 for time in times]
        axes.plot(x, [received[time] / 1e9 for time in times], color=BLUE, linewidth=1.2,
                  label="all hosts (left)")
        axes.set_ylim(bottom=0)
        right = axes.twinx()
        right.plot(x, [busiest[time] / 1e9 for time in times], color=RED, linewidth=0.8,
                   label="busiest host (right)")
        right.set_ylabel("received by the busiest host (Gb/s)")
        right.set_ylim(bottom=0)
        right.spines["top"].set_visible(False)
        lines = axes.get_lines() + right.get_lines()
        axes.legend(lines, [line.get_label() for line in lines], frameon=False, ncol=2,
                    loc="lower center", bbox_to_anchor=(0.7, 1.0))
    save(figure, output, "throughput.png")


def plot_ping(folder, output):
    rows = read(folder, "ping-window.csv")
    figure, axes = new_figure("RDMA ping mesh", "time (ms)", "round trip (us)")
    if not rows:
        note_empty(axes, "no probe ended")
    else:
        x = [int(row["start_ns"]) / 1e6 for row in rows]
        for column, colour, style, label in (("p50_ns", BLUE, "-", "p50"), ("p99_ns", RED, "-", "p99"),
                                             ("p999_ns", RED, "--", "p99.9")):
            axes.plot(x, [int(row[column]) / 1e3 or float("nan") for row in rows], style,
                      color=colour, linewidth=1.2, marker="o", markersize=3, label=label)
        axes.set_yscale("log")
        probes, failed = (sum(int(row[name]) for row in rows) for name in ("probes", "failed"))
        if failed:
            right = axes.twinx()
            width = min((b - a for a, b in zip(x, x[1:])), default=1)
            right.bar(x, [int(row["failed"]) for row in rows], 0.6 * width, color=GREY, alpha=0.6)
            right.set_ylabel("failed probes (bars)")
            right.spines["top"].set_visible(False)
            axes.set_zorder(right.get_zorder() + 1)
            axes.patch.set_visible(False)
        axes.set_title(f"{probes} probes, {failed} failed", loc="right", fontsize=9, color="#555555")
        axes.legend(frameon=False)
    save(figure, output, "ping.png")


def plot_pause_monitor(folder, output):
    rows = read(folder, "pause-monitor.csv")
    figure, axes = new_figure("Pause frames by port", "time (ms)", "XOFF frames sent in an interval")
    sent = {}
    for row in rows:
        if int(row["xoff_sent"]):
            place = f"{row['node_type']} {row['node']} port {row['port']} class {row['class']}"
            sent.setdefault(place, []).append((int(row["time_ns"]) / 1e6, int(row["xoff_sent"])))
    if not sent:
        note_empty(axes, "nobody sent a pause")
    else:
        # By name those that began: pauses spread from there. The others in grey.
        places = sorted(sent, key=lambda place: sent[place][0][0])
        colours = [RED, BLUE, "#4d9221", "#c51b7d", "#e08214"]
        for index, place in reversed(list(enumerate(places))):
            named = index < len(colours)
            axes.plot(*zip(*sent[place]), "o", markersize=3, label=place if named else None,
                      color=colours[index] if named else GREY)
        axes.set_ylim(bottom=0)
        axes.set_title(f"{len(places)} (port, class) sent pauses", loc="right", fontsize=9,
                       color="#555555")
        lines, labels = axes.get_legend_handles_labels()
        axes.legend(lines[::-1], labels[::-1], frameon=False, fontsize=8)
    save(figure, output, "pause-monitor.png")


def draw_statistics(folder, output):
    rows = read(folder, "throughput.csv")
    begin = time_axis(rows)
    end = max((int(row["time_ns"]) for row in rows), default=0)
    plot_fct(folder, output)
    plot_queues(folder, output, rows, begin)
    plot_pauses(folder, output, begin, end)
    plot_throughput(folder, output, rows, begin)


def draw(folder, output):
    operations = [plot for name, plot in (("ping-window.csv", plot_ping),
                                          ("pause-monitor.csv", plot_pause_monitor))
                  if os.path.exists(os.path.join(folder, name))]
    if not operations or os.path.exists(os.path.join(folder, "throughput.csv")):
        draw_statistics(folder, output)
    for plot in operations:
        plot(folder, output)


def main():
    arguments = sys.argv[1:]
    if arguments in (["--help"], ["-h"]):
        print(__doc__)
        return
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        fail("usage: plot.py FOLDER [OUTPUT-FOLDER]")
    if plt is None:
        fail("there is no matplotlib; utils/setup installs Debian's")
    folder, output = arguments[0], arguments[-1]
    if not os.path.isdir(folder):
        fail(f"{folder}: there is no such folder; name one with results of a run")
    try:
        os.makedirs(output, exist_ok=True)
    except OSError as error:
        fail(f"{output}: {error.strerror}; the second argument names where plots go")
    try:
        draw(folder, output)
    except KeyError as error:
        fail(f"{folder}: a file has no column {error}; these are no results of a run")
    except ValueError as error:
        fail(f"{folder}: {error}; these are no results of a run")


if __name__ == "__main__":
    main()
