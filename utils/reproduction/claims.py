# SPDX-License-Identifier: GPL-2.0-only
"""Claims of papers: what was published, what was measured, and the verdict."""

import csv
import math
import os
from dataclasses import dataclass

REPRODUCED, ORDERING, NOT_REPRODUCED = "reproduced", "ordering holds", "not reproduced"
COLUMNS = ("claim", "source", "published", "measured", "unit", "tolerance", "verdict")
RATIO_TOLERANCE = 0.3
BOUND, ORDER = "bound", "order"  # in place of a tolerance: none is allowed
FAR = 2.0  # times the published number, from which on a reason says how far it is


@dataclass(frozen=True)
class Claim:
    """A line of claims.csv; reason says why it did not come out, where that is known."""

    claim: str
    source: str
    published: str
    measured: str
    unit: str
    tolerance: str
    verdict: str
    reason: str = ""

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
    return usable(measured) and abs(measured - published) <= tolerance * abs(published) + 1e-12


def make(claim, source, published, measured, unit, tolerance, verdict, reason=""):
    return Claim(claim, source, published, number(measured), unit, tolerance, verdict,
                 "" if verdict == REPRODUCED else reason)


def value(claim, source, published, measured, unit, ordering=False, reason="",
          tolerance=RATIO_TOLERANCE):
    """A number. ordering: whether what it stands for, such as who is faster, holds anyway."""
    verdict = (REPRODUCED if near(published, measured, tolerance)
               else ORDERING if ordering and usable(measured) else NOT_REPRODUCED)
    return make(claim, source, number(published), measured, unit, f"{100 * tolerance:.0f} %",
                verdict, reason)


def better(claim, source, published, measured, unit, holds, reason):
    """A number that says that something is better: near it, but worse, reproduces nothing."""
    verdict = (NOT_REPRODUCED if not holds else
               REPRODUCED if near(published, measured, RATIO_TOLERANCE) else ORDERING)
    if verdict == ORDERING:
        reason = "; ".join(text for text in (how_far(published, measured), reason) if text)
    return make(claim, source, number(published), measured, unit, f"{100 * RATIO_TOLERANCE:.0f} %",
                verdict, reason)


def how_far(published, measured):
    """Says so when only the direction of a number is as published; empty while it is near."""
    factor = max(published / measured, measured / published)
    if factor < FAR:
        return ""
    return (f"only the direction agrees: {number(factor)} times "
            f"{'more' if measured > published else 'less'} than published")


def ratio(claim, source, published, measured, reason=""):
    """How many times better. The ordering holds while it is better at all."""
    return better(claim, source, published, measured, "times", usable(measured) and measured > 1,
                  reason)


def reduction(claim, source, published, measured, reason=""):
    """By how many percent better. The ordering holds while it is better at all."""
    return better(claim, source, published, measured, "%", usable(measured) and measured > 0,
                  reason)


def at_least(claim, source, bound, measured, unit, ordering=False, reason=""):
    """A lower bound."""
    verdict = (REPRODUCED if usable(measured) and measured >= bound
               else ORDERING if ordering and usable(measured) else NOT_REPRODUCED)
    return make(claim, source, f">= {number(bound)}", measured, unit, BOUND, verdict, reason)


def at_most(claim, source, bound, measured, unit, ordering=False, reason=""):
    """An upper bound."""
    verdict = (REPRODUCED if usable(measured) and measured <= bound
               else ORDERING if ordering and usable(measured) else NOT_REPRODUCED)
    return make(claim, source, f"<= {number(bound)}", measured, unit, BOUND, verdict, reason)


def no_more(measured, others):
    """Whether a number is known and not above any of the others that are known."""
    return usable(measured) and all(measured <= other for other in others if usable(other))


def best(claim, source, measured, others, unit, reason="", verdict=REPRODUCED):
    """The least of all. verdict: what it is worth if it is; with ORDERING more than the order was
    published. As little as another is ORDERING at most."""
    known = [other for other in others if usable(other)]
    published = f"least (others: {number(min(known))} and up)" if known else "least"
    if not known or not no_more(measured, known):
        verdict = NOT_REPRODUCED
    elif measured == min(known):
        verdict = ORDERING
    return make(claim, source, published, measured, unit, ORDER, verdict, reason)


def relative_reduction(mine, other):
    """By how many percent mine is less than other; None if other is nothing."""
    return 100 * (1 - mine / other) if other else None


def quotient(one, other):
    """one / other; None without both."""
    return one / other if usable(one) and usable(other) and other else None


def write(claims, folder):
    """claims.csv, whole or not at all."""
    path = os.path.join(folder, "claims.csv")
    with open(path + ".part", "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(claim.row() for claim in claims)
    os.replace(path + ".part", path)


def count(claims):
    """How many claims have each verdict."""
    return {verdict: sum(claim.verdict == verdict for claim in claims)
            for verdict in (REPRODUCED, ORDERING, NOT_REPRODUCED)}
