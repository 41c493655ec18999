# SPDX-License-Identifier: GPL-2.0-only
"""What help() shows: every class tells what it is, everything has a docstring and named parameters,
and nothing shows a name of C++."""

import inspect
import re
import subprocess
import sys

import pytest

import lossless as ll
from lossless import _lossless

MODULES = [_lossless, ll]
try:
    from lossless import _lossless_jobs
    MODULES.append(_lossless_jobs)
except ImportError:
    pass  # jobs are not built


def classes():
    """All public classes, and those whose objects a user gets from Fabric, as fabric.flows."""
    return {name: thing for module in MODULES for name, thing in vars(module).items()
            if inspect.isclass(thing) and not name.startswith("_")}


def functions():
    """Name and object of all public functions, methods and properties."""
    for name, thing in ((name, thing) for module in MODULES for name, thing in vars(module).items()):
        if not name.startswith("_") and not inspect.ismodule(thing):
            yield name, thing
    for name, kind in classes().items():
        for member, thing in vars(kind).items():
            if member not in ("name", "value") and not member.startswith("_") \
                    and not isinstance(thing, (int, str, type(None), kind)):
                yield f"{name}.{member}", getattr(kind, member)


def test_jobs_are_loaded_when_they_are_needed():
    """Also that lossless has all names that it says to have."""
    script = ("import sys, lossless as ll; ll.Fabric.star(2).run(); loaded = 'lossless._lossless_jobs' in sys.modules; "
              "print(loaded, all(hasattr(ll, name) for name in ll.__all__))")
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "False True\n"


def test_every_class_has_a_repr_of_its_own():
    # Those that only have static methods are never made; exceptions have Python's.
    never_made = {"Simulator", "Config"}
    plain = [name for name, kind in classes().items()
             if name not in never_made and not issubclass(kind, Exception)
             and not any("__repr__" in vars(base) for base in kind.__mro__
                         if base.__name__ not in ("object", "pybind11_object"))]
    assert plain == []


def test_everything_public_has_a_docstring():
    without = []
    for name, thing in functions():
        text = inspect.getdoc(thing) or ""
        # pybind11 writes signatures itself: what is left must say something.
        said = re.sub(r"^(?:\d+\. )?\w+\(.*\) -> .*$|^Overloaded function\.$", "", text, flags=re.M)
        if not said.strip():
            without.append(name)
    assert without == []


def test_every_parameter_has_a_name():
    unnamed = [name for name, thing in functions()
               if re.search(r"\barg\d+\b", inspect.getdoc(thing) or "")]
    assert unnamed == []


def test_no_names_of_cpp():
    shown = [name for name, thing in functions()
             if re.search(r"ns3::\w+(?:<|&|,|\)| ->)|lossless_python::|std::",
                          "\n".join(line for line in (inspect.getdoc(thing) or "").splitlines()
                                    if re.match(r"^(?:\d+\. )?\w+\(", line)))]
    assert shown == []


def test_classes_of_properties_are_looked_at(star):
    reached = [star.flows, star.sockets, star.faults, star.ping_mesh(), star.pause_monitor(),
               star.config_monitor(), star.inof(), star.hpcc_output(), star.tcp(0, 1, 1000)]
    assert [type(thing).__name__ for thing in reached if type(thing) not in classes().values()] == []


def test_no_object_shows_its_address(star):
    pair, _ = star.connect(0, 1)
    results = ll.Fabric.star(2).run()
    things = [star, star.flows, star.sockets, star.ping_mesh(), star.pause_monitor(),
              star.config_monitor(), star.inof(), star.hpcc_output(), star.tcp(0, 1, 1000),
              star.device(0), star.device(0).peer, star.nodes[0], star.channel(0),
              star.hosts[0], star.switches[0], star.switches[0].mmu, star.topology, pair,
              pair.congestion_control, star.faults, star.detect_deadlocks(),
              star.dependency_graph(), results, results.flows, results.flows["fct_s"],
              ll.Part("RdmaDcqcn"), ll.LinkSpec(), ll.FabricHelper(), ll.Time(), ll.DataRate(1),
              ll.create("UniformRandomVariable"), ll.Simulator.schedule("1us", print),
              star._waiting_run()]  # pylint: disable=protected-access
    assert [repr(thing) for thing in things if "0x" in repr(thing)] == []


@pytest.mark.parametrize("name", ["Fabric", "QueuePair"])
def test_help(name):
    result = subprocess.run([sys.executable, "-c", f"import lossless; help(lossless.{name})"],
                            capture_output=True, text=True, check=True)
    assert name in result.stdout and len(result.stdout.splitlines()) > 20


@pytest.mark.parametrize("classes", [[True], [3.0], ["3"], [-1], [2**70], [[3]]])
def test_classes_are_numbers(classes):
    with pytest.raises(ValueError, match=r"class .*; classes are 0 to 7"):
        ll.Fabric.star(2, lossless_classes=classes)


def test_ecn_thresholds_are_sizes():
    fabric = ll.Fabric.star(2, ecn_thresholds={"100Gbps": ("1KiB", 2048.0, 0.3)})
    assert "1024..2048 bytes" in str(fabric.settings)
    for wrong in (-1, True, "x", 2**70):
        with pytest.raises(ValueError, match="kmin is"):
            ll.Fabric.star(2, ecn_thresholds={"100Gbps": (wrong, 2048, 0.3)})
