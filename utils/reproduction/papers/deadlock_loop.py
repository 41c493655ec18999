# SPDX-License-Identifier: GPL-2.0-only
"""Routing loops: the injection rate from which on a deadlock forms."""

import math

from .. import claims
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import Scheme

TITLE = "Deadlock: the threshold of a routing loop"
SOURCE = ("Hu et al., Deadlocks in Datacenter Networks: Why Do They Form, and How to Avoid Them, "
          "HotNets 2016")
# Switches in the loop, Gb/s of the links, TTL.
LOOPS = ((2, 40, 16), (4, 100, 64), (2, 40, 8), (2, 40, 64), (3, 40, 16))
FACTORS = (0.9, 0.95, 0.98, 0.99, 1.0, 1.01, 1.02, 1.03, 1.05, 1.06, 1.07, 1.08, 1.1, 1.15, 1.2)
STOP = 100
COLOURS = ("#b2182b", "#2166ac", "#1b7837", "#762a83", "#e08214")


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


def runs(options):
    if options.schemes:
        return []
    return [Run(name(loop, rate), "loop-deadlock",
                ("--buffer=1MB", f"--stop={STOP}ms", f"--switches={loop[0]}", f"--rate={loop[1]}Gbps",
                 f"--ttl={loop[2]}", f"--inject={rate * 1e3:.0f}Mbps"))
            for loop in loops(options) for rate in rates(loop, options)]


def evaluate(results, options):
    evaluation = Evaluation(notes=[
        "A packet into a loop of n switches takes TTL links of it, so a flow of rate r loads each "
        "with r TTL / n; above the rate B of the links the queues grow until pauses stop the loop. "
        "Here a packet takes TTL - 1 links: the first switch takes one off before it forwards, and "
        "one that arrives with 1 is dropped. It takes the first link most often, ceil((TTL - 1) / n) "
        "times, so that the border is B / ceil((TTL - 1) / n): that is n B / TTL where n divides TTL. "
        "A run ends with the deadlock, or after 100 ms."])
    figure = Figure("threshold", "Injection rate and deadlock", "rate / (n B / TTL)",
                    "time until the deadlock is found (ms)",
                    "Time until the deadlock is found. Dotted: B / ceil((TTL - 1) / n).")
    rows = []
    for loop, colour in zip(loops(options), COLOURS):
        tried = rates(loop, options)
        found = {rate: results[name(loop, rate)].summary["deadlock_first_ns"] for rate in tried}
        dead = [rate for rate in tried if found[rate] >= 0]
        alive = [rate for rate in tried if found[rate] < 0]
        lowest, highest = min(dead, default=None), max(alive, default=None)
        sharp = lowest is not None and highest is not None and highest < lowest
        border = (lowest + highest) / 2 if sharp else None
        rows.append([label(loop)] + [claims.number(v) for v in (
            threshold(loop), exact_threshold(loop), highest, lowest)])
        scheme = Scheme(label(loop), label(loop), colour, "", style="o-")
        figure.line(scheme, [rate / threshold(loop) for rate in dead],
                    [found[rate] / 1e6 for rate in dead], markersize=3)
        figure.axes.axvline(exact_threshold(loop) / threshold(loop), color=colour, linewidth=0.8,
                            linestyle=":")
        evaluation.claims.append(claims.value(
            f"border, {label(loop)}", "section 3: n B / TTL", threshold(loop), border, "Gb/s"))
        holds = sharp and highest <= exact_threshold(loop) < lowest
        evaluation.checks.append(claims.Check(
            f"border at B / ceil((TTL - 1) / n), {label(loop)}",
            f"from {claims.number(exact_threshold(loop))} Gb/s on, not including it",
            f"between {highest} and {lowest} Gb/s", holds))
    figure.axes.set_xlim(0.88, 1.22)
    figure.axes.set_yscale("log")
    figure.plain_ticks("y", (1, 3, 10, 30))
    evaluation.figures.append(figure)
    evaluation.tables.append(Table("Borders", [
        "loop", "n B / TTL (Gb/s)", "B / ceil((TTL - 1) / n) (Gb/s)", "highest rate without deadlock (Gb/s)",
        "lowest rate with one (Gb/s)"], rows))
    evaluation.checks.append(claims.headroom([result.summary for result in results.values()]))
    return evaluation
