# SPDX-License-Identifier: GPL-2.0-only
"""The congestion controls and their parameters: each one's own published ones, scaled with the link
speed as its paper or the public simulators do. Nothing is tuned for a scenario."""

import math
from dataclasses import dataclass

from .errors import ReproduceError


@dataclass(frozen=True)
class Parameter:
    """An option of the programs, and why it has its value."""

    option: str
    source: str


@dataclass(frozen=True)
class Scheme:
    """A congestion control.

    defaults: what its type's defaults are, for the report. base_rtt_option: takes the longest base
    round trip of a fabric, where the paper wants one for all flows.
    """

    name: str
    label: str
    type: str
    parameters: tuple = ()
    defaults: str = ""
    base_rtt_option: str = ""

    def arguments(self, base_rtt=""):
        """Options of a program. base_rtt: of the fabric, such as 13us."""
        options = (f"--congestion={self.type}",) + tuple(p.option for p in self.parameters)
        if base_rtt and self.base_rtt_option:
            options += (f"{self.base_rtt_option}={base_rtt}",)
        return options


DCQCN_MARKING = (
    Parameter("--ns3::WredEcnMarker::Kmin=5000", "DCQCN, section 5: 5 KB at 40 Gb/s"),
    Parameter("--ns3::WredEcnMarker::Kmax=200000", "DCQCN, section 5: 200 KB at 40 Gb/s"),
    Parameter("--ns3::WredEcnMarker::Pmax=0.01", "DCQCN, section 5: 1 %"),
    Parameter("--ns3::WredEcnMarker::ReferenceRate=40Gbps", "thresholds linear in the speed"),
)
ACKS_APART = Parameter("--ns3::RdmaQueuePair::AckClass=6", "ACKs in a class without pauses: ")


ICC = (Parameter(ACKS_APART.option, "paused ACKs would delay the feedback that they carry"),)
ICC_DEFAULTS = ("re-check 5 us, report timer 15 us, utilisation threshold 70 % (ICC, section 4); starts at "
                "line rate; ECMP is symmetric; what is not published: doc/congestion.rst")


ALL = (
    Scheme("dcqcn", "DCQCN", "ns3::RdmaDcqcn",
           (Parameter("--ns3::RdmaDcqcn::Dialect=Paper", "DCQCN, section 3"),) + DCQCN_MARKING,
           "g 1/256, timers 55 us, byte counter 10 MB, F 5, CNP interval 50 us, R_AI 40 Mb/s at 40 "
           "Gb/s, linear in the speed (DCQCN, section 5)"),
    Scheme("dcqcn-nic", "DCQCN (simulator)", "ns3::RdmaDcqcn",
           (Parameter("--ns3::RdmaDcqcn::Dialect=Nic", "as in the public HPCC simulator"),),
           "Kmin 100 KB, Kmax 400 KB, Pmax 0.2 at 25 Gb/s, linear in the speed; R_AI 5 Mb/s at 25 "
           "Gb/s; CNP interval 4 us (HPCC simulator)"),
    Scheme("timely", "TIMELY", "ns3::RdmaTimely",
           (Parameter("--ns3::RdmaTimely::StartAtLineRate=true",
                      "all schemes start at line rate, as bursts of the scenarios do"),
            Parameter(ACKS_APART.option, "TIMELY, section 3: ACKs have a high priority")),
           "T_low 50 us, T_high 500 us, minRTT 20 us, beta 0.8, N 5, segment 16 KB, delta 10 Mb/s "
           "at 10 Gb/s, linear in the speed (TIMELY and Zhu 2016)"),
    Scheme("timely-simulator", "TIMELY (simulator)", "ns3::RdmaTimely",
           (Parameter("--ns3::RdmaTimely::UpdatePer=RoundTrip", "HPCC simulator"),
            Parameter("--ns3::RdmaTimely::CountBelowLow=true", "HPCC simulator"),
            Parameter("--ns3::RdmaTimely::SampleSerialisation=true", "HPCC simulator"),
            Parameter("--ns3::RdmaTimely::HyperIncreaseAfter=6", "HPCC simulator"),
            Parameter("--ns3::RdmaTimely::MinRate=100Mbps", "HPCC simulator"),
            Parameter("--ns3::RdmaTimely::StartAtLineRate=true", "HPCC simulator"),
            Parameter(ACKS_APART.option, "TIMELY, section 3: ACKs have a high priority")),
           "as in the public HPCC simulator: a full update in each round trip, delta 10 Mb/s and hyper "
           "increase 50 Mb/s at 10 Gb/s, linear in the speed; otherwise as TIMELY"),
    Scheme("pcn", "PCN", "ns3::RdmaPcn", (),
           "T 50 us, w 1/128 to 1/2, 95 % of packets marked (PCN, section 4)"),
    Scheme("pcn-code", "PCN (public code)", "ns3::RdmaPcn",
           (Parameter("--ns3::RdmaPcn::MaxWeight=0.25", "public code of PCN's authors"),),
           "w 1/128 to 1/4; otherwise as PCN"),
    Scheme("hpcc", "HPCC", "ns3::RdmaHpcc", (),
           "eta 0.95, maxStage 5, W_AI 80 B; T is the longest base round trip of the fabric, in whole "
           "us (HPCC, section 5)", base_rtt_option="--ns3::RdmaHpcc::BaseRtt"),
    Scheme("icc", "ICC", "ns3::RdmaIcc", ICC, "equations (2), (4) and (6); " + ICC_DEFAULTS),
    Scheme("icc-derived", "ICC (derived)", "ns3::RdmaIcc[Variant=Derived]", ICC,
           "mass balance over one round trip, of this module; " + ICC_DEFAULTS),
    Scheme("patched-timely", "patched TIMELY", "ns3::RdmaPatchedTimely",
           (Parameter("--ns3::RdmaPatchedTimely::StartAtLineRate=true", "as TIMELY"),
            Parameter(ACKS_APART.option, "as TIMELY")),
           "beta 0.008, segment 16 KB, otherwise as TIMELY (Zhu 2016)"),
    Scheme("swift", "Swift", "ns3::RdmaSwift",
           (Parameter(ACKS_APART.option, "reverse queues are not part of the delay"),),
           "ai 1, beta 0.8, max_mdf 0.5 (Swift, section 3); targets are not published"),
    Scheme("dctcp", "DCTCP", "ns3::RdmaDctcp",
           (Parameter("--ns3::WredEcnMarker::Kmin=30000", "HPCC simulator: K 30 KB at 10 Gb/s"),
            Parameter("--ns3::WredEcnMarker::Kmax=30000", "one threshold"),
            Parameter("--ns3::WredEcnMarker::Pmax=1", "one threshold"),
            Parameter("--ns3::WredEcnMarker::ReferenceRate=10Gbps", "linear in the speed")),
           "g 1/16, once per round trip (HPCC simulator)"),
    Scheme("fixed-window", "fixed window", "ns3::RdmaFixedWindow", (),
           "one bandwidth-delay product"),
    Scheme("none", "no control", "none", (), "line rate, PFC alone"),
)
BY_NAME = {scheme.name: scheme for scheme in ALL}
ICC_VARIANTS = ("icc", "icc-derived")


@dataclass(frozen=True)
class Choice:
    """Which of the published parameter sets of one algorithm stands for it in a family of figures.

    The rule is declared here and checked in every run: the set whose number is nearest, by ratio, to
    the published one. The same set then stands for the algorithm in all figures of the family; claims
    under the others are reported as sensitivity and not counted.
    """

    taken: str
    others: tuple
    what: str  # the number that decides
    published: float

    def nearest(self, measured):
        """measured: the number by set. The set that the rule takes; None without numbers."""
        known = {name: value for name, value in measured.items() if value}
        return min(known, key=lambda name: abs(math.log(known[name] / self.published)), default=None)


# The paper of ICC does not say which parameters its baselines have: by algorithm.
F1_RECOVERS = "time until F1 recovers (ICC, figure 5), ms"
SETS_OF_ICC = {
    "dcqcn": Choice("dcqcn-nic", ("dcqcn",), F1_RECOVERS, 2.5),
    "timely": Choice("timely-simulator", ("timely",), F1_RECOVERS, 1.8),
    "pcn": Choice("pcn-code", ("pcn",), F1_RECOVERS, 1.4),
}


def by_set(**numbers):
    """Published numbers by algorithm, for each of the sets of the algorithm."""
    return {name: number for algorithm, number in numbers.items()
            for name in (SETS_OF_ICC[algorithm].taken, *SETS_OF_ICC[algorithm].others)}


def select(names, wanted):
    """The schemes of a list; of those the wanted ones, if any are named."""
    return [BY_NAME[name] for name in names if not wanted or name in wanted]


def parse(text):
    """The names of --schemes."""
    names = text.split(",")
    for name in names:
        if name not in BY_NAME:
            raise ReproduceError(f"--schemes: there is no scheme \"{name}\"; known are "
                                 + ", ".join(BY_NAME))
    return names
