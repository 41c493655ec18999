# SPDX-License-Identifier: GPL-2.0-only
"""Settings to try: a Latin hypercube, and then points near the best ones."""

import math
import random

# Lowest and highest value of each, and whether a factor counts (logarithmic) or a difference.
SPACE = {
    "kmin": (1e3, 4e5, True),      # bytes at 25 Gb/s
    "ramp": (1.0, 50.0, True),     # Kmax / Kmin
    "pmax": (0.01, 1.0, True),
    "alpha": (1 / 128, 8.0, True),
    "headroom": (1.0, 2.0, False),  # of what the link needs
}
HIGHEST_KMAX = 1_000_000  # bytes

# What a fabric has if nobody sets anything.
DEFAULT = {"kmin": 100_000, "kmax": 400_000, "pmax": 0.2, "alpha": 0.125, "headroom": 1.0}

# Passes all goals with seed 1; a search begins with it and looks for others.
FOUND = {"kmin": 10_000, "kmax": 100_000, "pmax": 0.5, "alpha": 1.0, "headroom": 1.0}


def _value(name, place):
    """A value of a setting at a place from 0 to 1 in its range."""
    low, high, is_log = SPACE[name]
    place = min(1.0, max(0.0, place))
    return low * (high / low) ** place if is_log else low + (high - low) * place


def _place(name, value):
    """Where a value is in its range, 0 to 1."""
    low, high, is_log = SPACE[name]
    return math.log(value / low) / math.log(high / low) if is_log else (value - low) / (high - low)


def _setting(places):
    """The setting at places by name, in round numbers: what the file says is what was run."""
    values = {name: float(f"{_value(name, place):.3g}") for name, place in places.items()}
    kmin = int(values["kmin"])
    kmax = max(kmin, min(HIGHEST_KMAX, int(float(f"{kmin * values.pop('ramp'):.3g}"))))
    return dict(values, kmin=kmin, kmax=kmax)


def _places(setting):
    """The inverse of _setting()."""
    values = dict(setting, ramp=setting["kmax"] / setting["kmin"])
    return {name: min(1.0, max(0.0, _place(name, values[name]))) for name in SPACE}


def hypercube(count, seed):
    """Settings of which each has another one of `count` slices of every range."""
    draw = random.Random(f"hypercube {seed}")
    columns = {name: draw.sample(range(count), count) for name in SPACE}
    return [_setting({name: (columns[name][i] + draw.random()) / count for name in SPACE})
            for i in range(count)]


def near(best, count, radius, seed):
    """Settings around each of the best ones, within a radius that is a share of each range."""
    draw = random.Random(f"near {seed} {radius}")
    return [_setting({name: place + draw.uniform(-radius, radius)
                      for name, place in _places(setting).items()})
            for setting in best for _ in range(count)]
