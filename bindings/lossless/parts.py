# SPDX-License-Identifier: GPL-2.0-only
"""The congestion controls by their names in the field. Keywords are attributes of the type in ns-3,
in snake case; help(lossless.Dcqcn) lists them."""

import inspect
import re
from typing import Any, Callable

from ._lossless import Part, Time, constructor_attributes


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


class _Default(str):
    """A default as ns-3 prints it, for help()."""

    __repr__ = str.__str__


def _control(name: str, type_name: str, summary: str) -> Callable[..., Part]:
    """A function that makes a Part of one type."""

    def make(**attributes: Any) -> Part:
        return Part(type_name, **attributes)

    parameters, lines = [], [summary, "", "Attributes:"]
    for attribute, value_type, default, text in constructor_attributes(type_name):
        keyword = _snake_case(attribute)
        if value_type == "ns3::TimeValue":
            default = str(Time(default))
        parameters.append(inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY,
                                            default=_Default(default)))
        lines += [f"    {keyword} = {default}", f"        {text}"]
    make.__name__ = make.__qualname__ = name
    make.__doc__ = "\n".join(lines)
    setattr(make, "__signature__", inspect.Signature(parameters, return_annotation=Part))
    return make


Dcqcn = _control("Dcqcn", "RdmaDcqcn", "DCQCN (Zhu et al., SIGCOMM 2015).")
Timely = _control("Timely", "RdmaTimely", "TIMELY (Mittal et al., SIGCOMM 2015).")
PatchedTimely = _control("PatchedTimely", "RdmaPatchedTimely",
                         "Patched TIMELY (Zhu et al., CoNEXT 2016).")
Hpcc = _control("Hpcc", "RdmaHpcc", "HPCC and HPCC-PINT (Li et al., SIGCOMM 2019).")
Icc = _control("Icc", "RdmaIcc", "ICC (Wang et al., CMC 2023); variant Derived: ICC (derived).")
Pcn = _control("Pcn", "RdmaPcn", "PCN (Cheng et al., NSDI 2020).")
Swift = _control("Swift", "RdmaSwift", "Swift (Kumar et al., SIGCOMM 2020).")
Nscc = _control("Nscc", "RdmaNscc", "NSCC (Ultra Ethernet 1.0), for queue pairs.")
Dctcp = _control("Dctcp", "RdmaDctcp", "DCTCP's reaction, for queue pairs.")
FixedRate = _control("FixedRate", "RdmaFixedRate", "Line rate, or any fixed rate.")
FixedWindow = _control("FixedWindow", "RdmaFixedWindow", "A fixed window.")
