# SPDX-License-Identifier: GPL-2.0-only
"""Congestion controls written in Python."""

import copy
import difflib
import inspect
import math
from typing import Any, Dict, Generic, Optional, Sequence, Type, TypeVar, Union, overload

from ._lossless import (
    AckEvent,
    CongestionState,
    DataEvent,
    DataRate,
    Part,
    Time,
    python_congestion_control,
)

T = TypeVar("T")
_HOOKS = {"ack": ("on_ack", 1), "sent": ("on_sent", 2), "data": ("on_data", 4)}  # once a packet
_TIMES = {"s": 1e12, "ms": 1e9, "us": 1e6, "ns": 1e3, "ps": 1}  # in picoseconds


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


class Attribute(Generic[T]):
    """A number or a text that users of a congestion control may choose: step =
    ll.Attribute(100e6, unit="bit/s", help="added each round trip") makes Halve(step=40e6) possible.

    Where the unit is bit/s, a DataRate and text such as "40Mbps" are taken too, where it is s, ms,
    us, ns or ps, a Time and text such as "5us".
    """

    def __init__(self, default: T, *, unit: str = "", help: str = ""):
        self.default, self.unit, self.help = default, unit, help
        self.name = ""

    def __repr__(self) -> str:
        unit = f", unit={self.unit!r}" if self.unit else ""
        return f"lossless.Attribute({self.default!r}{unit})"

    def __set_name__(self, owner: Type[Any], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: Type[Any]) -> "Attribute[T]": ...
    @overload
    def __get__(self, instance: object, owner: Type[Any]) -> T: ...
    def __get__(self, instance: Optional[object], owner: Type[Any]) -> Union["Attribute[T]", T]:
        if instance is None:
            return self
        value: T = vars(instance).get(self.name, self.default)
        return value

    def __set__(self, instance: object, value: Any) -> None:
        vars(instance)[self.name] = self._checked(value)

    def _checked(self, value: Any) -> Any:
        """The value as a number in the unit, or what the default is; TypeError or ValueError."""
        if _is_nan(value) and not _is_nan(self.default):
            raise ValueError(f"{self.name} is nan; it must be a number, such as {self.default!r}")
        if self.unit == "bit/s" and isinstance(value, (str, DataRate)):
            return float(value if isinstance(value, DataRate) else DataRate(value))
        if self.unit in _TIMES and isinstance(value, (str, Time)):
            return (value if isinstance(value, Time) else Time(value)).ps / _TIMES[self.unit]
        wanted = type(self.default)
        if wanted is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if wanted in (bool, int, float, str) and not isinstance(value, wanted):
            unit = f" of {self.unit}" if self.unit else ""
            raise TypeError(f"{self.name} is {value!r}; it must be of type {wanted.__name__}{unit}, "
                            f"such as {self.default!r}")
        return value


class CongestionControl:
    """Base of congestion controls written in Python. Each end of a queue pair has an object of its
    own, with a deep copy of what __init__() has made; what all are to share is an attribute of the
    class. Methods that a class does not define are not called, and cost nothing.

        class Halve(ll.CongestionControl):
            step = ll.Attribute(100e6, unit="bit/s", help="added each round trip")
            hooks = ("ack",)

            def init(self, flow, now_ps):
                self.next_ps = now_ps

            def on_marked_data(self, now_ps):
                return True                        # at the receiver: a CNP for each mark

            def on_cnp(self, flow, now_ps):
                flow.rate = max(flow.rate / 2, 1e8)

            def on_ack(self, flow, ack):
                if ack.now_ps >= self.next_ps:
                    flow.rate = min(flow.rate + self.step, flow.line_rate)
                    self.next_ps = ack.now_ps + flow.base_rtt_ps

        fabric = ll.Fabric.star(17, congestion_control=Halve(step=40e6))

    hooks               which of "ack", "sent" and "data" are called: they come once a packet
    echoes_marks        whether ACKs bring marks back, AckEvent.marked
    telemetry           "delay": ACKs bring the round trip back, AckEvent.rtt_ps; None: nothing
    switch_extensions   what switches need, "Type" or "Type[Attribute=value|...]"
    timer_ps            when on_timer() is called next, picoseconds; None: not at all

    flow is a CongestionState, valid while the method runs. An exception ends the run, and is raised
    by what has begun it. doc/python.rst says what a call costs.
    """

    hooks: Sequence[str] = ()
    echoes_marks: bool = False
    telemetry: Optional[str] = None
    switch_extensions: Sequence[str] = ()
    timer_ps: Optional[int] = None

    def __init__(self, **attributes: Any):
        known = self.attributes()
        for name, value in attributes.items():
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known) or 'none'}"
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}; {hint}")
            setattr(self, name, value)

    def __init_subclass__(cls, **arguments: Any):
        super().__init_subclass__(**arguments)
        cls._check_choices(cls.hooks, cls.telemetry)
        for hook, (method, _) in _HOOKS.items():
            if cls._has(method) and hook not in cls.hooks:
                raise TypeError(f"{cls.__name__}.{method}() is never called; name it: "
                                f"hooks = ({hook!r},)")
        known = ["on_cnp", "on_timeout", "on_line_rate", "on_timer", "on_marked_data",
                 *(method for method, _ in _HOOKS.values())]
        for method in dir(cls):
            if (method.lower().startswith("on") and method not in known
                    and inspect.isroutine(getattr(cls, method))):
                near = difflib.get_close_matches(method.lower(), known, 1)
                hint = f"did you mean {near[0]}?" if near else f"what is called is {', '.join(known)}"
                raise TypeError(f"{cls.__name__}.{method}() is never called; {hint}")
        for method in ("init", *known):
            if any(is_kind(getattr(cls, method)) for is_kind in (
                    inspect.iscoroutinefunction, inspect.isgeneratorfunction,
                    inspect.isasyncgenfunction)):
                raise TypeError(f"{cls.__name__}.{method}() is a generator or asynchronous: its body "
                                "would never run")

    # ---- reaction point, at the end that sends

    def init(self, flow: CongestionState, now_ps: int) -> None:
        """The queue pair is connected; flow.rate is the line rate."""

    def on_cnp(self, flow: CongestionState, now_ps: int) -> None:
        """A congestion notification packet came."""

    def on_ack(self, flow: CongestionState, ack: AckEvent) -> None:
        """An ACK or NAK came; hooks must name "ack"."""

    def on_sent(self, flow: CongestionState, wire_bytes: int, now_ps: int) -> None:
        """A data packet leaves; hooks must name "sent"."""

    def on_timeout(self, flow: CongestionState, now_ps: int) -> None:
        """The retransmission timer fired."""

    def on_line_rate(self, flow: CongestionState) -> None:
        """Ports of the queue pair have gone out of service, or are back; flow.line_rate is new."""

    def on_timer(self, flow: CongestionState, now_ps: int) -> None:
        """timer_ps has come, or has passed while there was nothing to send. Sets timer_ps anew, or
        to None: a timer that stays keeps the simulation running."""

    # ---- notification point, at the end that receives

    def on_marked_data(self, now_ps: int) -> bool:
        """A data packet came with CE. Returns whether to send a CNP now."""
        return False

    def on_data(self, data: DataEvent) -> None:
        """A data packet came; hooks must name "data"."""

    # ---- about the class

    @property
    def name(self) -> str:
        """Name for reports."""
        return type(self).__name__

    @classmethod
    def attributes(cls) -> Dict[str, "Attribute[Any]"]:
        """The Attributes of the class, by name."""
        return {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()
                if isinstance(value, Attribute)}

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.attributes())
        return f"{type(self).__name__}({values})"

    # ---- for the C++ side

    @classmethod
    def _has(cls, method: str) -> bool:
        """Whether the class has a method of its own."""
        return getattr(cls, method) is not getattr(CongestionControl, method)

    @property
    def _hooks(self) -> int:
        """Mask of the hooks."""
        return sum(_HOOKS[hook][1] for hook in set(self.hooks))

    @property
    def _wants_delay(self) -> bool:
        return self.telemetry == "delay"

    @classmethod
    def _check_choices(cls, hooks: Sequence[str], telemetry: Optional[str]) -> None:
        """ValueError or TypeError for what hooks and telemetry cannot be."""
        for hook in hooks:
            if hook not in _HOOKS:
                raise ValueError(f"{cls.__name__}.hooks names {hook!r}; it may name "
                                 f"{', '.join(_HOOKS)}")
            if not cls._has(_HOOKS[hook][0]):
                raise TypeError(f"{cls.__name__}.hooks names {hook!r}, and there is no "
                                f"{_HOOKS[hook][0]}()")
        if telemetry not in (None, "delay"):
            raise ValueError(f"{cls.__name__}.telemetry is {telemetry!r}; it may be \"delay\" or "
                             "None")

    def _copy(self) -> "CongestionControl":
        """An object for an end of a queue pair, which shares nothing with others but its class."""
        self._check_choices(self.hooks, self.telemetry)
        made = copy.copy(self)
        memo = {id(self): made}
        for name, value in vars(self).items():
            try:
                vars(made)[name] = copy.deepcopy(value, memo)
            except Exception as error:
                raise TypeError(f"{type(self).__name__}.{name} cannot be copied, and each end of a "
                                f"queue pair has its own: {error}; make it in init(), or an attribute "
                                "of the class, which all share") from error
        return made

    def _as_part(self) -> Part:
        """What a fabric takes."""
        self._copy()  # what cannot be copied is named here, not during the run
        return python_congestion_control(self)
