#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the CSV files of a run: plot.py [--size=column|wide|slide] [--format=png|pdf|svg] FOLDER
[OUTPUT-FOLDER]

Reads fct.csv, queue.csv, pause.csv and throughput.csv as a run writes them, and makes
fct-slowdown.png, fct-cdf.png, queue-length.png, queue-map.png, pause.png, throughput.png and
rate-map.png. Where there are ping-window.csv of RdmaPingMesh and pause-monitor.csv of PauseMonitor,
with those files or alone, it makes ping.png and pause-monitor.png; of comparison.csv of
RunComparison, comparison.png, one plot for all schemes. The style sheet is that of the
Python package: bindings/lossless/style.py.
"""
import argparse
import csv
import json
import os
import pathlib
import sys
import types
import warnings

sys.dont_write_bytecode = True

from reproduction.drawing import plt  # noqa: E402, without a cache in the sources

# The drawing files of the package need no build of it: they are found below a package of that name
# which imports nothing.
package = types.ModuleType("lossless")
package.__path__ = [str(pathlib.Path(__file__).resolve().parents[1] / "bindings" / "lossless")]
sys.modules["lossless"] = package

from lossless import drawing, style  # noqa: E402


def fail(message):
    """End with one line."""
    print(f"plot.py: {message}", file=sys.stderr)
    sys.exit(2)


def number(text):
    """A cell: a whole number, a number or text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read(folder, name):
    """The columns of a file, by name; an error in one line if it is missing or cut off."""
    path = os.path.join(folder, name)
    try:
        with open(path, newline="", encoding="ascii") as file:
            text = file.read()
    except OSError as error:
        fail(f"{path}: {error.strerror}; name a folder with results of a run")
    except ValueError:
        fail(f"{path}: this is no text; run the program again")
    reader = csv.DictReader(text.splitlines())
    rows = list(reader)
    if not text.endswith("\n") or any(None in row or None in row.values() for row in rows):
        fail(f"{path}: the file is cut off; run the program again")
    return {column: [number(row[column]) for row in rows] for column in reader.fieldnames or ()}


def names_of(folder):
    """What a port is called, from its node and number: as in the summary of the run."""
    nodes = []
    path = os.path.join(folder, "topology.json")
    if os.path.exists(path):
        try:
            with open(path, encoding="utf-8") as file:
                nodes = [str(node["name"]) for node in json.load(file)["nodes"]]
        except (OSError, ValueError, LookupError, TypeError):
            fail(f"{path}: this is no topology of a run; run the program again")
    return lambda node, port: drawing.place_name(node, port, nodes)


class Output:
    """Where figures go, and what they are like."""

    def __init__(self, folder, size, ending):
        self.folder, self.size, self.ending = folder, size, ending

    def save(self, axes, name):
        """Write a figure."""
        path = os.path.join(self.folder, f"{name}.{self.ending}")
        try:
            style.save(axes, path)
        except OSError as error:
            fail(f"{path}: {error.strerror}; the second argument names where plots go")
        plt.close(axes.figure)
        print(path)


def plot_ping(folder, output):
    """Round trips of a ping mesh by window, and probes that failed."""
    rows = read(folder, "ping-window.csv")
    with style.figure(None, output.size, "RDMA ping mesh", "time (ms)", "round trip (us)") as axes:
        if not rows["start_ns"]:
            style.note(axes, "no probe ended")
        else:
            x = [time / 1e6 for time in rows["start_ns"]]
            for index, (column, label) in enumerate((("p50_ns", "p50"), ("p99_ns", "p99"),
                                                     ("p999_ns", "p99.9"))):
                axes.plot(x, [value / 1e3 or float("nan") for value in rows[column]], label=label,
                          **style.look(index))
            axes.set_yscale("log")
            failed = sum(rows["failed"])
            if failed:
                right = axes.twinx()
                width = min((b - a for a, b in zip(x, x[1:])), default=1)
                right.bar(x, rows["failed"], 0.6 * width, color=style.GREY, alpha=0.6)
                right.set_ylabel("failed probes (bars)")
                right.grid(False)
                right.spines["right"].set_visible(True)
                axes.set_zorder(right.get_zorder() + 1)
                axes.patch.set_visible(False)
            style.aside(axes, f"{sum(rows['probes'])} probes, {failed} failed")
            axes.legend()
    output.save(axes, "ping")


def plot_pause_monitor(folder, output):
    """XOFF frames that each (port, class) sent in an interval."""
    rows = read(folder, "pause-monitor.csv")
    names = names_of(folder)
    with style.figure(None, output.size, "Pause frames by port", "time (ms)",
                      "XOFF frames sent in an interval") as axes:
        sent = {}
        for node, port, cls, time, count in zip(*(rows[name] for name in (
                "node", "port", "class", "time_ns", "xoff_sent"))):
            if count:
                sent.setdefault(f"{names(node, port)} class {cls}", []).append(
                    (time / 1e6, count))
        if not sent:
            style.note(axes, "nobody sent a pause")
        else:
            # By name those that began: pauses spread from there. The others in grey.
            places = sorted(sent, key=lambda place: sent[place][0][0])
            for index, place in reversed(list(enumerate(places))):
                seen = dict(style.look(index), linestyle="none")
                if index >= 5:
                    seen.update(color=style.GREY, marker=".")
                axes.plot(*zip(*sent[place]), label=place if index < 5 else None, **seen)
            axes.set_ylim(bottom=0)
            style.aside(axes, f"{len(places)} (port, class) sent pauses")
            lines, labels = axes.get_legend_handles_labels()
            axes.legend(lines[::-1], labels[::-1])
    output.save(axes, "pause-monitor")


def plot_comparison(folder, output):
    """A panel for each value of several runs, a mark a run."""
    rows = read(folder, "comparison.csv")
    schemes = rows.pop("scheme")
    values = {}
    for row, scheme in enumerate(schemes):
        cells = {name: float(column[row]) if column[row] != "" else float("nan")
                 for name, column in rows.items()}
        values[str(scheme)] = {name.replace("_", " "): (cell, cell, cell)
                               for name, cell in cells.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a value that a run has not
        output.save(drawing.comparison(values, units={}, size=output.size), "comparison")


def draw_statistics(folder, output):
    """What every run writes."""
    samples, size, names = read(folder, "throughput.csv"), output.size, names_of(folder)
    times = samples["time_ns"]
    begin, end = min(times, default=0), max(times, default=0)  # results may start at 2 s
    flows = read(folder, "fct.csv")
    output.save(drawing.slowdown(flows, size=size), "fct-slowdown")
    output.save(drawing.cdf({"": [time / 1e3 for time in flows["fct_ns"]]}, size=size,
                            title="Flow completion times", xlabel="flow completion time (us)"),
                "fct-cdf")
    queue = read(folder, "queue.csv")
    output.save(drawing.queues(queue, times, begin=begin, names=names, size=size), "queue-length")
    output.save(drawing.heat_map(queue, "queues", times, begin=begin, names=names, size=size), "queue-map")
    output.save(drawing.pauses(read(folder, "pause.csv"), begin=begin, span=(begin, end), size=size),
                "pause")
    output.save(drawing.throughput(samples, begin=begin, size=size), "throughput")
    output.save(drawing.heat_map(samples, "rx", times, begin=begin, names=names, size=size), "rate-map")


def draw(folder, output):
    """All plots of what a folder has."""
    operations = [plot for name, plot in (("ping-window.csv", plot_ping),
                                          ("pause-monitor.csv", plot_pause_monitor),
                                          ("comparison.csv", plot_comparison))
                  if os.path.exists(os.path.join(folder, name))]
    if not operations or os.path.exists(os.path.join(folder, "throughput.csv")):
        draw_statistics(folder, output)
    for plot in operations:
        plot(folder, output)


class Parser(argparse.ArgumentParser):
    """Errors in one line."""

    def error(self, message):
        fail(f"{message}; plot.py --help says what there is")


def main():
    """The program."""
    parser = Parser(prog="plot.py", description=__doc__.split("\n\n", maxsplit=1)[1],
                    allow_abbrev=False)
    parser.add_argument("folder", metavar="FOLDER", help="with CSV files of a run")
    parser.add_argument("output", metavar="OUTPUT-FOLDER", nargs="?",
                        help="where plots go (default: FOLDER)")
    parser.add_argument("--size", choices=("column", "wide", "slide"), default="wide",
                        help="column of a paper, both columns, or slide (default: %(default)s)")
    parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png",
                        help="of the files (default: %(default)s)")
    arguments = parser.parse_args()
    if plt is None:
        fail(f"{sys.executable} has no matplotlib; /usr/bin/python3 has it after utils/setup")
    folder, output = arguments.folder, arguments.output or arguments.folder
    if not os.path.isdir(folder):
        fail(f"{folder}: there is no such folder; name one with results of a run")
    try:
        os.makedirs(output, exist_ok=True)
    except OSError as error:
        fail(f"{output}: {error.strerror}; the second argument names where plots go")
    try:
        draw(folder, Output(output, arguments.size, arguments.format))
    except KeyError as error:
        fail(f"{folder}: a file has no column {error}; these are no results of a run")
    except (TypeError, ValueError) as error:
        fail(f"{folder}: {error}; these are no results of a run")


if __name__ == "__main__":
    main()
