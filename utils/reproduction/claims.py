# SPDX-License-Identifier: GPL-2.0-only
"""Claims of papers: what was published, what the samples have measured, and the verdict.

A paper's module makes a Statement of each claim for each sample; judge() makes one Claim of the
statements of all samples."""

import csv
import math
import os
from dataclasses import dataclass

from .samples import Interval, interval

REPRODUCED = "reproduced"
FACTOR = "order holds, within a factor 2"
ORDER_ONLY = "order holds only"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
VERDICTS = (REPRODUCED, FACTOR, ORDER_ONLY, NOT_REPRODUCED, UNDECIDED)
COLUMNS = ("claim", "source", "published", "measured", "low", "high", "samples", "unit", "tolerance",
           "verdict")
RATIO_TOLERANCE = 0.3
BOUND, ORDER = "bound", "order"  # in place of a tolerance: none is allowed
ANYTHING = (-math.inf, math.inf)
NOTHING = (math.inf, -math.inf)
ROUNDING = 1e-12


@dataclass(frozen=True)
class Statement:
    """What a paper says, and what one sample has measured of it.

    band: (least, greatest) that are as published. near: those within a factor of 2 of it.
    margin: above 0 if the order that is published holds, such as who is faster; ordered: whether an
    order is published. rival: what an order is about, for the text: "{rival}" in published.
    target: the published number or bound, for figures; None: an order alone.
    """

    claim: str
    source: str
    published: str
    measured: float
    unit: str
    tolerance: str
    band: tuple
    near: tuple
    ordered: bool = False
    margin: float = None
    rival: float = None
    target: float = None
    reason: str = ""


@dataclass(frozen=True)
class Claim:
    """A line of claims.csv; reason says why it did not come out, where that is known. interval: None
    if a sample has no number; of one sample the columns low and high are empty."""

    claim: str
    source: str
    published: str
    interval: Interval
    samples: int
    unit: str
    tolerance: str
    verdict: str
    reason: str = ""
    band: tuple = ANYTHING
    target: float = None

    @property
    def measured(self):
        return number(self.interval.median if self.interval else None)

    @property
    def low(self):
        return number(self.interval.low) if self.interval and self.samples > 1 else ""

    @property
    def high(self):
        return number(self.interval.high) if self.interval and self.samples > 1 else ""

    def row(self):
        return [getattr(self, column) for column in COLUMNS]


@dataclass(frozen=True)
class Check:
    """What must hold in any run. No claim of a paper: it has no verdict and is not in claims.csv."""

    name: str
    expected: str
    measured: str
    holds: bool


def no_drops(where, drops):
    """Lossless classes lose nothing."""
    return Check(f"lossless drops, {where}", "0 frames", number(drops), drops == 0)


def headroom(summaries):
    """Headroom was large enough in all runs; drops for other reasons, such as TTL, do not count."""
    drops = sum(summary["headroom_drops"] for summary in summaries)
    return Check(f"drops for lack of headroom, {len(summaries)} runs", "0 frames", number(drops),
                 drops == 0)


def number(value):
    """Three significant digits, without an exponent where people would not write one."""
    if value is None or math.isnan(value):
        return "none"
    if math.isinf(value):
        return "infinite"
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        digits = 2 if value == 0 else max(0, 2 - math.floor(math.log10(abs(value))))
        text = f"{value:.{digits}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.3g}"


def usable(value):
    return value is not None and math.isfinite(value)


def near(published, measured, tolerance):
    """Whether a value is as published, within a share of it."""
    return usable(measured) and abs(measured - published) <= tolerance * abs(published) + ROUNDING


# ---- the verdict

def verdict(measured, band, near_band, margin=None):
    """The strongest statement that holds for all of an interval.

    measured: Interval of the number, or None if a sample has none.
    band: (least, greatest) that are as published; near_band: within a factor 2 of it.
    margin: Interval of what is above 0 where the published order holds; None: no order is published.

    reproduced                       the interval is in the band, and the order holds
    order holds, within a factor 2   the interval is in near_band, and the order holds
    order holds only                 the order holds
    not reproduced                   the order does not hold; or, where no order is published, the
                                     interval is outside of the band. A tie is no order
    undecided                        the interval of the margin has both signs; or, where no order is
                                     published, a border of the band is inside of the interval
    """
    if measured is None:
        return NOT_REPRODUCED
    if margin is None:
        if inside(measured, band):
            return REPRODUCED
        return UNDECIDED if measured.high >= band[0] and measured.low <= band[1] else NOT_REPRODUCED
    if margin.high <= 0:
        return NOT_REPRODUCED
    if margin.low <= 0:
        return UNDECIDED
    if inside(measured, band):
        return REPRODUCED
    return FACTOR if inside(measured, near_band) else ORDER_ONLY


def inside(measured, band):
    """Whether a band has all of an interval."""
    return band[0] <= measured.low and measured.high <= band[1]


def judge(statements):
    """The Claim of what all samples state about it."""
    first = statements[0]
    found = interval(statement.measured for statement in statements)
    margin = interval(statement.margin for statement in statements) if first.ordered else None
    reason = typical(statements, found).reason
    without = sum(not usable(s.measured) or (s.ordered and not usable(s.margin)) for s in statements)
    if without:
        # A sample without a number is one that did not come out: with others that have one, nothing
        # is certain.
        reached = UNDECIDED if without < len(statements) else NOT_REPRODUCED
        reason = f"{without} of {len(statements)} samples have no number; {reason}".removesuffix("; ")
    else:
        reached = verdict(found, first.band, first.near, margin)
    if reached == ORDER_ONLY and first.target and found.median:
        reason = "; ".join(text for text in (how_far(first.target, found.median), reason) if text)
    rivals = interval(statement.rival for statement in statements)
    return Claim(first.claim, first.source,
                 first.published.replace("{rival}", number(rivals.median if rivals else None)), found,
                 len(statements), first.unit, first.tolerance, reached,
                 "" if reached == REPRODUCED else reason, first.band, first.target)


def typical(statements, found):
    """The statement of the sample that is nearest to the median."""
    known = [s for s in statements if usable(s.measured)]
    if not known or not found:
        return statements[0]
    return min(known, key=lambda s: abs(s.measured - found.median))


def judge_all(samples):
    """samples: a list of statements for each sample. The claims, in the order of the statements."""
    by_name = {}
    for statements in samples:
        for statement in statements:
            by_name.setdefault(statement.claim, []).append(statement)
    return [judge(statements) for statements in by_name.values()]


def merge_checks(samples):
    """samples: a list of checks for each sample. A check holds if it holds in all of them; what it
    measured is that of the first that does not."""
    by_name = {}
    for index, checks in enumerate(samples):
        for check in checks:
            before = by_name.get(check.name)
            if before is None or (before.holds and not check.holds):
                where = f" (sample {index + 1})" if before else ""
                by_name[check.name] = Check(check.name, check.expected, check.measured + where,
                                            check.holds)
    return list(by_name.values())


def how_far(published, measured):
    """How many times more or less than published."""
    factor = abs(measured / published)
    return (f"only the direction agrees: {number(max(factor, 1 / factor))} times "
            f"{'more' if factor > 1 else 'less'} than published")


# ---- statements

def around(published, share):
    """What is within a share of a number."""
    width = share * abs(published) + ROUNDING
    return published - width, published + width


def within_factor(published):
    """What is within a factor 2 of a number, on its side of 0."""
    return tuple(sorted((published / 2, published * 2)))


def value(claim, source, published, measured, unit, margin=None, ordered=False, reason="",
          tolerance=RATIO_TOLERANCE):
    """A number. margin: if ordered, above 0 where what the number stands for holds, such as who is
    faster."""
    return Statement(claim, source, number(published), measured, unit, f"{100 * tolerance:.0f} %",
                     around(published, tolerance), within_factor(published), ordered, margin,
                     target=published, reason=reason)


def ratio(claim, source, published, measured, reason=""):
    """How many times better. The order holds while it is better at all."""
    return value(claim, source, published, measured, "times", None if measured is None
                 else measured - 1, True, reason)


def reduction(claim, source, published, measured, reason=""):
    """By how many percent better. The order holds while it is better at all."""
    return value(claim, source, published, measured, "%", measured, True, reason)


def at_least(claim, source, bound, measured, unit, margin=None, ordered=False, reason=""):
    """A lower bound."""
    return Statement(claim, source, f">= {number(bound)}", measured, unit, BOUND,
                     (bound - ROUNDING, math.inf), (bound / 2, math.inf), ordered, margin,
                     target=bound, reason=reason)


def at_most(claim, source, bound, measured, unit, margin=None, ordered=False, reason=""):
    """An upper bound."""
    return Statement(claim, source, f"<= {number(bound)}", measured, unit, BOUND,
                     (-math.inf, bound + ROUNDING), (-math.inf, 2 * bound), ordered, margin,
                     target=bound, reason=reason)


def less_by(mine, others):
    """By how much a number is below all of the others that are known: the margin of "least"."""
    known = [other for other in others if usable(other)]
    return min(known) - mine if usable(mine) and known else None


def best(claim, source, measured, others, unit, reason="", more=False):
    """The least of all. more: more than the order was published, such as "almost none", so that the
    order alone does not reproduce it."""
    return order(claim, source, "least (others: {rival} and up)", measured, unit,
                 min((other for other in others if usable(other)), default=None), 1, reason, more)


def greatest(claim, source, measured, others, unit, reason="", more=False):
    """The greatest of all."""
    return order(claim, source, "greatest (others: up to {rival})", measured, unit,
                 max((other for other in others if usable(other)), default=None), -1, reason, more)


def order(claim, source, published, measured, unit, rival, sign, reason, more):
    """An order without a number. sign: 1 if less is better, else -1."""
    margin = sign * (rival - measured) if usable(rival) and usable(measured) else None
    return Statement(claim, source, published, measured, unit, ORDER, NOTHING if more else ANYTHING,
                     NOTHING, True, margin, rival, reason=reason)


def relative_reduction(mine, other):
    """By how many percent mine is less than other; None if other is nothing."""
    return 100 * (1 - mine / other) if usable(mine) and other else None


def quotient(one, other):
    """one / other; None without both."""
    return one / other if usable(one) and usable(other) and other else None


def write(claims, folder, name="claims.csv"):
    """The file of claims, whole or not at all."""
    path = os.path.join(folder, name)
    with open(path + ".part", "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(claim.row() for claim in claims)
    os.replace(path + ".part", path)


def count(claims):
    """How many claims have each verdict."""
    return {each: sum(claim.verdict == each for claim in claims) for each in VERDICTS}
