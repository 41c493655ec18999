# SPDX-License-Identifier: GPL-2.0-only
"""Routing loops: the injection rate from which on a deadlock forms."""

import math

from .. import claims
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "Deadlock: the threshold of a routing loop"
SOURCE = ("Hu et al., Deadlocks in Datacenter Networks: Why Do They Form, and How to Avoid Them, "
          "HotNets 2016")
# Switches in the loop, Gb/s of the links, TTL.
LOOPS = ((2, 40, 16), (4, 100, 64), (2, 40, 8), (2, 40, 64), (3, 40, 16))
FACTORS = (0.9, 0.95, 0.98, 0.99, 1.0, 1.01, 1.02, 1.03, 1.05, 1.06, 1.07, 1.08, 1.1, 1.15, 1.2)
STOP = 100


def threshold(loop):
    """Published: n B / TTL, Gb/s."""
    switches, rate, ttl = loop
    return switches * rate / ttl


def exact_threshold(loop):
    """By the link that a packet takes most often, the first one: it takes TTL - 1 links, as the first
    switch takes one off and a packet that arrives with 1 is dropped."""
    switches, rate, ttl = loop
    return rate / math.ceil((ttl - 1) / switches)


def label(loop):
    return f"n {loop[0]}, {loop[1]} Gb/s, TTL {loop[2]}"


def name(loop, rate):
    return f"n{loop[0]}-{loop[1]}g-ttl{loop[2]}-{rate:.3f}"


def rates(loop, options):
    """Gb/s to try."""
    factors = FACTORS[1::3] if options.quick else FACTORS
    return [round(factor * threshold(loop), 3) for factor in factors]


def loops(options):
    return LOOPS[:2] if options.quick else LOOPS


def samples(_):
    """Deterministic: one flow of a fixed rate; the rates that are tried bound the border."""
    return 1


def runs(options, _):
    if options.schemes:
        return []
    return [Run(name(loop, rate), "loop-deadlock",
                ("--buffer=1MB", f"--stop={STOP}ms", f"--switches={loop[0]}", f"--rate={loop[1]}Gbps",
                 f"--ttl={loop[2]}", f"--inject={rate * 1e3:.0f}Mbps"))
            for loop in loops(options) for rate in rates(loop, options)]


class Border:
    """What is measured of one loop: time until the deadlock is found (ns; below 0: none) by rate."""

    def __init__(self, loop, found):
        self.found, exact = found, exact_threshold(loop)
        dead = [rate for rate, time in found.items() if time >= 0]
        alive = [rate for rate, time in found.items() if time < 0]
        self.lowest, self.highest = min(dead, default=None), max(alive, default=None)
        sharp = bool(dead and alive) and self.highest < self.lowest
        self.border = (self.lowest + self.highest) / 2 if sharp else None
        self.exact = sharp and self.highest <= exact < self.lowest


def measure(results, options):
    """By loop; and the summaries of all runs."""
    return ({loop: Border(loop, {rate: results[name(loop, rate)].summary["deadlock_first_ns"]
                                 for rate in rates(loop, options)}) for loop in loops(options)},
            [result.summary for result in results.values()])


def evaluate(measured, _):
    borders, summaries = measured
    evaluation = Evaluation(notes=[
        "A packet into a loop of n switches takes TTL links of it, so a flow of rate r loads each "
        "with r TTL / n; above the rate B of the links the queues grow until pauses stop the loop. "
        "Here a packet takes TTL - 1 links: the first switch takes one off before it forwards, and "
        "one that arrives with 1 is dropped. It takes the first link most often, ceil((TTL - 1) / n) "
        "times, so that the border is B / ceil((TTL - 1) / n): that is n B / TTL where n divides TTL. "
        "A run ends with the deadlock, or after 100 ms."])
    for loop, one in borders.items():
        evaluation.claims.append(claims.value(
            f"border, {label(loop)}", "section 3: n B / TTL", threshold(loop), one.border, "Gb/s"))
        evaluation.checks.append(claims.Check(
            f"border at B / ceil((TTL - 1) / n), {label(loop)}",
            f"from {claims.number(exact_threshold(loop))} Gb/s on, not including it",
            f"between {one.highest} and {one.lowest} Gb/s", one.exact))
    evaluation.tables.append(Table("Borders", [
        "loop", "n B / TTL (Gb/s)", "B / ceil((TTL - 1) / n) (Gb/s)", "highest rate without deadlock (Gb/s)",
        "lowest rate with one (Gb/s)"], [[label(loop), threshold(loop), exact_threshold(loop),
                                          one.highest, one.lowest] for loop, one in borders.items()]))
    evaluation.checks.append(claims.headroom(summaries))
    return evaluation


def draw(measured, _):
    borders = measured[0][0]
    figure = Figure("threshold", "Injection rate and deadlock", "Time until the deadlock is found. "
                    "Diamond: published, n B / TTL. Dotted: B / ceil((TTL - 1) / n).",
                    [label(loop) for loop in borders])
    figure.labels("rate / (n B / TTL)", "time (ms)")
    for loop, one in borders.items():
        dead = [rate for rate, time in one.found.items() if time >= 0]
        figure.line([rate / threshold(loop) for rate in dead], [one.found[rate] / 1e6 for rate in dead],
                    label(loop), marks=True)
        figure.published([1], [0.3], label(loop))
        figure.panels[label(loop)].axvline(exact_threshold(loop) / threshold(loop), color="#555555",
                                           linewidth=0.8, linestyle=":")
    figure.axes.set_xlim(0.88, 1.22)
    figure.axes.set_yscale("log")
    figure.axes.set_ylim(bottom=0.2)
    figure.plain_ticks("y", (0.3, 1, 3, 10, 30))
    return [figure]
