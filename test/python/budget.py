# SPDX-License-Identifier: GPL-2.0-only
"""How many cases property tests run: a share of all, by the environment variable LOSSLESS_BUDGET,
as test/support/case-budget.h has it for C++."""

import math
import os

DEFAULT = 1
said = {}  # what has been asked for: (cases, of how many) by name


def share(text):
    """The share that a text names; SystemExit, with one line, where it is none."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1:
        raise SystemExit("LOSSLESS_BUDGET is the share of cases that tests run, above 0 and at most "
                         f"1; {text!r} is not")
    return value


def cases(name, everything):
    """How many of all cases of a test run, at least one. The end of pytest's report says it."""
    count = math.ceil(everything * share(os.environ.get("LOSSLESS_BUDGET", DEFAULT)))
    said[name] = (count, everything)
    return count
