# SPDX-License-Identifier: GPL-2.0-only
"""The congestion controls by their names in the field. Keywords are attributes of the type in ns-3,
in snake case or as ns-3 writes them; help(lossless.Dcqcn) lists them."""

from ._lossless import Part, describe_attributes


def as_part(value):
    """A Part, from a Part or the name of a type."""
    return value if isinstance(value, Part) else Part(value)


def _control(name, type_name, summary):
    """A function that makes a Part of one type."""

    def make(**attributes):
        return Part(type_name, **attributes)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"{summary}\n\nAttributes:\n{describe_attributes(type_name)}"
    return make


Dcqcn = _control("Dcqcn", "RdmaDcqcn", "DCQCN (Zhu et al., SIGCOMM 2015).")
Timely = _control("Timely", "RdmaTimely", "TIMELY (Mittal et al., SIGCOMM 2015).")
PatchedTimely = _control("PatchedTimely", "RdmaPatchedTimely",
                         "Patched TIMELY (Zhu et al., CoNEXT 2016).")
Hpcc = _control("Hpcc", "RdmaHpcc", "HPCC and HPCC-PINT (Li et al., SIGCOMM 2019).")
Icc = _control("Icc", "RdmaIcc", "ICC (Wang et al., CMC 2023).")
Pcn = _control("Pcn", "RdmaPcn", "PCN (Cheng et al., NSDI 2020).")
Swift = _control("Swift", "RdmaSwift", "Swift (Kumar et al., SIGCOMM 2020).")
Dctcp = _control("Dctcp", "RdmaDctcp", "DCTCP's reaction, for queue pairs.")
FixedRate = _control("FixedRate", "RdmaFixedRate", "Line rate, or any fixed rate.")
FixedWindow = _control("FixedWindow", "RdmaFixedWindow", "A fixed window.")
