# SPDX-License-Identifier: GPL-2.0-only
"""The files of a run, and what plots and claims take from them. Times in ms, sizes in bytes."""

import csv
import functools
import json
import os

from .errors import ReproduceError
from .runs import REFUSED


def percentile(values, percent):
    """Nearest rank; None without values."""
    ordered = sorted(values)
    if not ordered:
        return None
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def mean(values):
    """None without values, or if one of them is None."""
    values = list(values)
    return sum(values) / len(values) if values and None not in values else None


def scaled(value, factor):
    """value * factor; None stays None."""
    return None if value is None else value * factor


class Results:
    """The results of one run."""

    def __init__(self, folder, run):
        self.folder, self.run = folder, run

    @functools.cached_property
    def refusal(self):
        """Why the program refused the run; None if it did not."""
        try:
            with open(os.path.join(self.folder, REFUSED), encoding="utf-8") as file:
                return file.read().strip()
        except OSError:
            return None

    def option(self, name, default):
        """The value of an option of the run, in its default's type; times as their number."""
        for argument in self.run.arguments:
            if argument.startswith(f"--{name}="):
                text = argument.partition("=")[2]
                return type(default)(text.rstrip("mnsu"))
        return default

    def rows(self, name):
        path = os.path.join(self.folder, name)
        try:
            with open(path, newline="", encoding="ascii") as file:
                return list(csv.DictReader(file))
        except OSError as error:
            raise ReproduceError(f"{path}: {error.strerror}; remove the folder and run again"
                                 ) from error

    @functools.cached_property
    def summary(self):
        path = os.path.join(self.folder, "summary.json")
        try:
            with open(path, encoding="ascii") as file:
                return json.load(file)
        except (OSError, ValueError) as error:
            raise ReproduceError(f"{path}: cannot be read; remove the folder and run again"
                                 ) from error

    @functools.cached_property
    def names(self):
        """By name: (node, port); port is empty for a node."""
        return {row["name"]: (row["node"], row["port"]) for row in self.rows("names.csv")}

    @functools.cached_property
    def flows(self):
        """By number of the flow: bytes, start, fct, ideal, slowdown."""
        return {int(row["flow"]): {"bytes": int(row["bytes"]), "start": int(row["start_ns"]) / 1e6,
                                   "fct": int(row["fct_ns"]) / 1e6,
                                   "slowdown": float(row["slowdown"]),
                                   "src": row["src"], "dst": row["dst"]}
                for row in self.rows("fct.csv")}

    def forget(self):
        """Give the memory of the flows back."""
        self.__dict__.pop("flows", None)

    def fct(self, flow):
        """Completion time of a flow; None if it did not complete."""
        return self.flows[flow]["fct"] if flow in self.flows else None

    @functools.cached_property
    def samples(self):
        """The times of samples."""
        return sorted({int(row["time_ns"]) / 1e6 for row in self.rows("throughput.csv")})

    def throughput(self, host, column):
        """(times, Gb/s) of a host; column is tx_bps or rx_bps."""
        node = self.names[host][0]
        rates = {int(row["time_ns"]) / 1e6: float(row[column]) / 1e9
                 for row in self.rows("throughput.csv") if row["node"] == node}
        return self.samples, [rates.get(time, 0.0) for time in self.samples]

    def queue(self, keep):
        """(times, bytes) of the sum over the queues that keep(node, port) is true for."""
        total = {}
        for row in self.rows("queue.csv"):
            if keep(row["node"], row["port"]):
                time = int(row["time_ns"]) / 1e6
                total[time] = total.get(time, 0) + int(row["bytes"])
        return self.samples, [total.get(time, 0) for time in self.samples]

    def queue_of(self, name):
        """(times, bytes) of a switch such as S0, or of a port such as S0->S1."""
        node, port = self.names[name]
        return self.queue(lambda n, p: n == node and port in ("", p))

    def longest_queue(self):
        """(times, bytes) of the longest queue at each sample."""
        longest = {}
        for row in self.rows("queue.csv"):
            time = int(row["time_ns"]) / 1e6
            longest[time] = max(longest.get(time, 0), int(row["bytes"]))
        return self.samples, [longest.get(time, 0) for time in self.samples]

    def xoffs(self, name):
        """Times at which a port of a switch told its peer to pause."""
        node, port = self.names[name]
        return [int(row["time_ns"]) / 1e6 for row in self.rows("pfc.csv")
                if row["type"] == "xoff" and row["node"] == node and row["port"] == port]

    def pauses(self, name):
        """(begin, end) of the pauses that a port obeyed."""
        node, port = self.names[name]
        return [(int(row["start_ns"]) / 1e6,
                 (int(row["start_ns"]) + int(row["duration_ns"])) / 1e6)
                for row in self.rows("pause.csv") if row["node"] == node and row["port"] == port]

    def pause_fraction(self):
        """Share of time that a port was paused, mean over the ports of hosts."""
        hosts = {row["node"] for row in self.rows("throughput.csv")}
        end = max(self.samples, default=0)
        paused = sum(int(row["duration_ns"]) / 1e6 for row in self.rows("pause.csv")
                     if row["node_type"] == "host")
        return paused / (end * len(hosts)) if end and hosts else 0.0


def average(series, begin, end):
    """Mean of the samples in (begin, end]; None without any."""
    return mean(v for t, v in zip(*series) if begin < t <= end)


def smoothed(series, width):
    """Means over windows of a width, at their ends."""
    times, values = series
    bins = {}
    for time, v in zip(times, values):
        bins.setdefault(int((time - 1e-9) / width), []).append(v)
    return [(index + 1) * width for index in sorted(bins)], [mean(bins[i]) for i in sorted(bins)]


def jain(values):
    """Jain's fairness index."""
    values = list(values)
    squares = sum(v * v for v in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else None
