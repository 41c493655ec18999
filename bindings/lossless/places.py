# SPDX-License-Identifier: GPL-2.0-only
"""Settings for some places of a fabric: tiers, nodes, ports."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, Callable, Dict, List, SupportsIndex, Tuple, Union

from . import _lossless
from .types import as_attributes, as_list, as_mapping, as_part

# Text such as "leaf", "leaf 2 port 3" or "leaf to spine class 3", or a function of a node's name.
Places = Union[str, Callable[[str], bool]]

_NAMES = {
    "buffer": "SwitchMmu.buffer_size",
    "alpha": "SwitchMmu.alpha",
    "headroom": "SwitchMmu.headroom",
    "ecn": "FabricSwitch.ecn_marker",
    "load_balancer": "FabricSwitch.load_balancer",
    "scheduler": "QbbNetDevice.egress_scheduler",
    "class_map": "QbbNetDevice.traffic_class_map",
}
_GROUPS = {"mmu": "SwitchMmu", "switch": "FabricSwitch", "port": "QbbNetDevice",
           "watchdog": "PfcWatchdog"}
# Options that are Parts, with an example of each.
EXAMPLES = {"ecn": "WredEcnMarker", "load_balancer": "EcmpLoadBalancer",
            "scheduler": "DwrrScheduler", "class_map": "TrafficClassMap"}


def class_list(value: Any, name: str = "lossless_classes") -> List[int]:
    """An option that is a list of classes."""
    classes = as_list(value, name, "a list of classes, such as [3]")
    for cls in classes:
        if isinstance(cls, bool) or not isinstance(cls, SupportsIndex) or not 0 <= index(cls) <= 7:
            raise ValueError(f"class {cls!r}; classes are 0 to 7")
    return [index(cls) for cls in classes]


def class_mask(value: Any) -> int:
    """The option lossless_classes, as a mask: bit c stands for class c."""
    return sum(1 << cls for cls in set(class_list(value)))


def extension_list(value: Any) -> List[_lossless.Part]:
    """The option extensions: a list, or one of them."""
    if isinstance(value, (str, _lossless.Part)):
        value = [value]
    return [as_part(one, "IntStamper")
            for one in as_list(value, "extensions", "a list of Parts, such as [ll.Part(\"IntStamper\")]")]


def preset_values(name: Any) -> Dict[str, int]:
    """The option preset: attributes of SwitchMmu of a published switch."""
    return _lossless.switch_preset(name)


def require_once(names: Iterable[Tuple[str, Any]]) -> None:
    """ValueError where an attribute is given twice. names: where, and the name in any spelling."""
    seen: Dict[str, str] = {}
    for where, name in names:
        plain = str(name).replace("ns3::", "").replace("::", ".").replace("_", "").lower()
        if plain in seen:
            raise ValueError(f"{seen[plain]} and {where} say the same; give one of them")
        seen[plain] = where


def full_names(options: Mapping[str, Any]) -> Dict[str, Any]:
    """The values of at() by the names of attributes, such as "SwitchMmu.alpha"."""
    if not isinstance(options, Mapping):
        raise TypeError(f"{options!r} is no dictionary of settings, such as {{\"alpha\": 1 / 32}}")
    values: Dict[str, Any] = {}
    said: List[Tuple[str, str]] = []
    for name, value in options.items():
        if not isinstance(name, str):
            raise TypeError(f"{name!r} names no setting, such as \"alpha\"")
        if name == "lossless_classes":
            said.append((name, "QbbNetDevice.pfc_classes"))
            values["QbbNetDevice.pfc_classes"] = class_mask(value)
        elif name == "preset":
            for attribute, each in preset_values(value).items():
                said.append((name, f"SwitchMmu.{attribute}"))
                values[f"SwitchMmu.{attribute}"] = each
        elif name in _NAMES:
            said.append((name, _NAMES[name]))
            values[_NAMES[name]] = as_part(value, EXAMPLES[name]) if name in EXAMPLES else value
        elif name in _GROUPS:
            for attribute, each in as_attributes(value, name, "a dictionary of attributes").items():
                said.append((f"{name}[{attribute!r}]", f"{_GROUPS[name]}.{attribute}"))
                values[f"{_GROUPS[name]}.{attribute}"] = each
        elif "." in name or "::" in name:
            said.append((name, name))
            values[name] = value
        else:
            known = ", ".join(sorted([*_NAMES, *_GROUPS, "lossless_classes", "preset", "sonic"]))
            raise TypeError(f"unknown setting {name!r}; known are {known}, and names of attributes "
                            "such as \"WredEcnMarker.pmax\"")
    require_once(said)
    return values


def set_at(helper: _lossless.FabricHelper, at: Any) -> None:
    """The option at: settings by places, {"leaf": {"alpha": 1 / 32}}."""
    at = as_mapping(at, "at", "a dictionary of places, such as at={\"leaf\": {\"alpha\": 1 / 32}}")
    for places, options in at.items():
        rest = dict(as_mapping(options, f"at[{places!r}]",
                               "a dictionary of settings, such as {\"alpha\": 1 / 32}"))
        extensions = extension_list(rest.pop("extensions", ()))
        if not extensions and not rest:
            raise TypeError(f"at[{places!r}] sets nothing; name a setting and its value, such as {{\"alpha\": 1 / 32}}")
        for extension in extensions:
            helper.add_switch_extension_at(places, extension)
        if "sonic" in rest:
            helper.set_sonic_at(places, os.fspath(rest.pop("sonic")))
        helper.set_at(places, full_names(rest))


class At:
    """Some places of a fabric that is built; see Fabric.at."""

    __slots__ = ("_fabric", "_places")  # at("leaf").alpha = 1 is an error: set() sets

    def __init__(self, fabric: _lossless.Fabric, places: Places):
        self._fabric = fabric
        self._places = places

    def set(self, **values: Any) -> None:
        """Set values at these places now, before or during the run: all of them or none.

        sonic                      path of a config_db.json of SONiC for switches, before the run
        preset                     name of a published switch, whose buffer and cells it takes
        buffer, alpha, headroom    of the buffer of switches; alpha and headroom also at ports
        ecn, load_balancer         Parts of switches, one for each
        scheduler, class_map       Parts of ports, one for each
        lossless_classes           classes with PFC at ports, [3]; []: no PFC
        mmu, switch, port, watchdog    dictionaries of attributes of SwitchMmu, FabricSwitch,
                                       QbbNetDevice, PfcWatchdog
        **{"Type.attribute": value}    attributes of other types, such as those of ECN markers
        """
        if "extensions" in values:
            raise TypeError("extensions are given with at= when the fabric is built; a switch takes later ones with "
                            "add_extension()")
        if not values:
            raise TypeError("set() sets nothing; name a setting and its value, such as alpha=1 / 32")
        rest = dict(values)
        path = rest.pop("sonic", None)
        names = full_names(rest)
        if "sonic" in values:
            if names:
                raise TypeError("sonic is set with other settings; set it alone, before them")
            self._fabric.set_sonic_at(self._places, os.fspath(path))
            return
        self._fabric.set_at(self._places, names)

    def __repr__(self) -> str:
        return f"<lossless.At {self._places!r}>"


@dataclass(frozen=True)
class Setting:
    """A setting that is not its type's default."""

    places: str   # "all", "leaf, spine 2", "leaf to spine"
    name: str     # "SwitchMmu.Alpha"
    default: str  # of the type
    value: str    # in force; of a size that cells round by more than 1 %, both: "100 (208 in force)"
