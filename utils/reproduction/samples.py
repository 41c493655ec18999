# SPDX-License-Identifier: GPL-2.0-only
"""Samples of an experiment, and what they say together: a median and its interval.

The interval is that of order statistics: the k-th least to the k-th greatest value, k as large as a
coverage of 95 % allows. It needs no assumption about how values are distributed and draws nothing
at random, so that a report is the same whenever it is made. Fewer than six values cannot cover the
median with 95 %: then it is the least to the greatest, and coverage() says what that covers.
"""

import math
import random
from dataclasses import dataclass

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Sample:
    """Which sample of how many. The first has the seeds that programs have without options."""

    number: int = 0
    count: int = 1

    def phase(self, period):
        """A share of a period, drawn at random; it is the same whenever it is drawn."""
        return period * random.Random(self.number).random()

    def option(self, name, first=1):
        """--name=N, another N for each sample; nothing for the first one. first: N of that."""
        return (f"--{name}={first + self.number}",) if self.number else ()


FIRST = Sample()


@dataclass(frozen=True)
class Interval:
    """A median and the interval that covers it; of one value all three are that value."""

    median: float
    low: float
    high: float
    count: int


def tail(count, rank):
    """Probability that fewer than `rank` of `count` values are below the median."""
    return sum(math.comb(count, i) for i in range(rank)) / 2 ** count


def rank_of(count):
    """k: the interval is the k-th least to the k-th greatest of so many values."""
    rank = 1
    while rank < (count + 1) // 2 and 2 * tail(count, rank + 1) <= 1 - CONFIDENCE:
        rank += 1
    return rank


def coverage(count):
    """Probability that the interval of so many values covers the median."""
    return 1 - 2 * tail(count, rank_of(count)) if count > 1 else 0.0


def median(values):
    """The middle of values; of an even number the mean of the two in the middle."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def interval(values):
    """The Interval of numbers; None if one of them is none, or there is none."""
    values = list(values)
    if not values or any(value is None or not math.isfinite(value) for value in values):
        return None
    ordered, rank = sorted(values), rank_of(len(values))
    return Interval(median(values), ordered[rank - 1], ordered[-rank], len(values))


def describe(count, deterministic=False):
    """What an interval of so many samples is, for a report."""
    if deterministic:
        return "1 sample: deterministic, neither phase nor seed has an effect"
    if count < 2:
        return "1 sample: no interval"
    rank = rank_of(count)
    place = {1: "", 2: "second ", 3: "third "}.get(rank, f"{rank}th ")
    return (f"{count} samples; low and high are the {place}least and the {place}greatest value, which "
            f"cover the median with {100 * coverage(count):.1f} %")
