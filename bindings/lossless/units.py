# SPDX-License-Identifier: GPL-2.0-only
"""Numbers with units: ll.us(5) is Time("5us"), ll.Gbps(100) is DataRate("100Gbps")."""

from numbers import Real

from ._lossless import DataRate, Time


def _time(number: float, picoseconds: int, name: str) -> Time:
    """A Time: exact for whole numbers, rounded to the picosecond for others."""
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(f"{name}({number!r}): it takes a number, such as {name}(5)")
    return Time("1ps") * (number * picoseconds)


def _rate(number: float, bits: int, name: str) -> DataRate:
    """A DataRate: exact for whole numbers."""
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(f"{name}({number!r}): it takes a number, such as {name}(100)")
    value = number * bits
    return DataRate(value if isinstance(value, int) else float(value))


def ps(number: float) -> Time:
    """A Time of so many picoseconds."""
    return _time(number, 1, "ps")


def ns(number: float) -> Time:
    """A Time of so many nanoseconds."""
    return _time(number, 10**3, "ns")


def us(number: float) -> Time:
    """A Time of so many microseconds."""
    return _time(number, 10**6, "us")


def ms(number: float) -> Time:
    """A Time of so many milliseconds."""
    return _time(number, 10**9, "ms")


def seconds(number: float) -> Time:
    """A Time of so many seconds."""
    return _time(number, 10**12, "seconds")


def bps(number: float) -> DataRate:
    """A DataRate of so many bit/s."""
    return _rate(number, 1, "bps")


def kbps(number: float) -> DataRate:
    """A DataRate of so many kbit/s, 1000 bit/s each."""
    return _rate(number, 10**3, "kbps")


def Mbps(number: float) -> DataRate:  # pylint: disable=invalid-name
    """A DataRate of so many Mbit/s."""
    return _rate(number, 10**6, "Mbps")


def Gbps(number: float) -> DataRate:  # pylint: disable=invalid-name
    """A DataRate of so many Gbit/s."""
    return _rate(number, 10**9, "Gbps")


def Tbps(number: float) -> DataRate:  # pylint: disable=invalid-name
    """A DataRate of so many Tbit/s."""
    return _rate(number, 10**12, "Tbps")
