# SPDX-License-Identifier: GPL-2.0-only
"""The three goals of an operator, and how far a setting is from them.

They are those of UCloud (High-performance RoCE network design): server ports carry more than 95 % of what
they can; a port sends at most 5 PFC frames a second in 99 % of the time, and in runs of milliseconds that is
none in 99 % of its bins of 1 ms; a message of 4 KB takes 80 us at most, and 40 us at most in 90 % of cases.
"""

# By column of the results: limit, and whether the value must be above it.
GOALS = {
    "throughput": (0.95, True),
    "pfc_share": (0.01, False),
    "latency_p90_us": (40.0, False),
    "latency_max_us": (80.0, False),
}
LEAST = 1e-9  # what a miss counts at least: a score of 0 is a pass
MOST = 10.0   # what one miss counts at most, so that one bad model does not hide all others


def misses(row):
    """By goal, how far a run is from it, relative to the limit; goals that it meets are not there."""
    far = {}
    for goal, (limit, is_floor) in GOALS.items():
        value = row[goal]
        if value is None or (value > limit if is_floor else value <= limit):
            continue
        far[goal] = min(MOST, max(LEAST, abs(value - limit) / limit))
    return far


def score(rows):
    """The sum of all misses of a setting, over its models; 0: it passes everywhere."""
    return sum(sum(misses(row).values()) for row in rows)


def worst(rows):
    """By goal, the worst value over the models."""
    values = {}
    for goal, (_, is_floor) in GOALS.items():
        known = [row[goal] for row in rows if row[goal] is not None]
        values[goal] = (min if is_floor else max)(known) if known else None
    return values
