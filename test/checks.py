# SPDX-License-Identifier: GPL-2.0-only
"""Checks of the tests of programs: each says what has failed, and all of them run."""

import sys

_COUNTS = {"passed": 0, "failed": 0}


def check(name, condition, detail=""):
    """Count a condition, print it if it does not hold, and return whether it does."""
    _COUNTS["passed" if condition else "failed"] += 1
    if not condition:
        print(f"FAILED: {name}: {detail}")
    return bool(condition)


def end(what):
    """Print how many conditions held, and end the program."""
    print(f"{what}: {_COUNTS['passed']} passed, {_COUNTS['failed']} failed")
    sys.exit(1 if _COUNTS["failed"] else 0)
