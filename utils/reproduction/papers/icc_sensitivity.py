# SPDX-License-Identifier: GPL-2.0-only
"""What the claims about ICC's burst depend on: parameters that the paper does not publish."""

from dataclasses import dataclass, replace

from .. import claims
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import median
from ..schemes import BY_NAME, select
from .icc_burst import BASELINES, BURST, SOURCE, Burst, check  # noqa: F401, SOURCE is part of the module

TITLE = "ICC: what the claims of the burst depend on"
ICC = "icc"
SCHEMES = (ICC, *BASELINES)
TOPOLOGY = "2sw"
LINKS = 6  # of a round trip of F1
DELAY = 5  # us
DEFAULT = "default"
QUANTITIES = {"recovery": "F1 recovers", "burst_p99": "p99 FCT of H2..H16",
              "xoffs": "PFC pauses of all links"}
UNITS = dict(zip(QUANTITIES.values(), ("ms", "ms", "XOFF frames")))


@dataclass(frozen=True)
class Parameter:
    """values: by text, the options; empty: the defaults of all runs. of_icc: others do not have it."""

    name: str
    values: dict
    of_icc: bool = False


PARAMETERS = {
    "minrate": Parameter("MinRate of ICC", {
        f"{rate} Mb/s": (f"--ns3::RdmaIcc::MinRate={rate}Mbps",) for rate in (100, 300, 1000)}, True),
    "hold": Parameter("HoldRoundTrips of ICC", {
        "0": ("--ns3::RdmaIcc::HoldRoundTrips=0",), "1": ()}, True),
    "alpha": Parameter("alpha of the switches", {
        text: (f"--ns3::SwitchMmu::Alpha={value}",) if value else ()
        for text, value in (("1/32", 0.03125), ("1/8", None), ("1/2", 0.5))}),
    "n": Parameter("n, hosts H2..Hn", {
        str(n): (f"--hosts={n}",) if n != 16 else () for n in (3, 5, 9, 16, 61)}),
    "buffer": Parameter("buffer of a switch", {
        f"{size} MB": (f"--buffer={size}MB",) if size != 5 else () for size in (3, 5, 10)}),
    "delay": Parameter("delay of a link", {
        f"{delay} us": (f"--delay={delay}us",) if delay != DELAY else () for delay in (1, DELAY, 10)}),
}


def samples(options):
    return 3 if options.quick else 10


def folder_name(key, text):
    """What a value is called in names of runs."""
    return f"{key}-{text.replace(' ', '').replace('/', '-').lower()}"


def vary(arguments, sample):
    """The burst is shifted over a round trip, of which the delay of links decides."""
    delay = next((int(a[8:-2]) for a in arguments if a.startswith("--delay=")), DELAY)
    return (f"--burst={BURST + sample.phase(LINKS * delay):g}us", *sample.option("run"))


def runs(options, sample):
    listed = []
    chosen = select(SCHEMES, options.schemes)
    settings = [(DEFAULT, (), chosen)] + [
        (folder_name(key, text), arguments, [s for s in chosen if s.name == ICC or not p.of_icc])
        for key, p in PARAMETERS.items() for text, arguments in p.values.items() if arguments]
    for name, arguments, schemes in settings:
        listed += [Run(f"{name}-{scheme.name}", "icc-burst",
                       (f"--topology={TOPOLOGY}", *scheme.arguments(), *arguments,
                        *vary(arguments, sample)), refusable=name != DEFAULT)
                   for scheme in schemes]
    return listed if ICC in (scheme.name for scheme in chosen) else []


def measure(results, _):
    """By name of the run: a Burst, or why the program refused it."""
    return {name: result.refusal or Burst(result) for name, result in results.items()}


def schemes_at(measured, key, text):
    """By scheme: what is measured with a value of a parameter; empty where it is refused."""
    found = {}
    for scheme in SCHEMES:
        name = f"{folder_name(key, text)}-{scheme}"
        one = measured.get(name, measured.get(f"{DEFAULT}-{scheme}"))
        if isinstance(one, str):
            return {}
        if one is not None:
            found[scheme] = one
    return found


def evaluate(measured, _):
    evaluation = Evaluation(notes=notes())
    for key, parameter in PARAMETERS.items():
        for text in parameter.values:
            at = schemes_at(measured, key, text)
            found = check(TOPOLOGY, ICC, at, BASELINES) if at else []
            evaluation.others += [replace(each, claim=title(each.claim, parameter, text))
                                  for each in found]
    evaluation.checks = [claims.no_drops(name, one.drops) for name, one in measured.items()
                         if not isinstance(one, str)]
    return evaluation


SUFFIX, OVER = (f"{word} {BY_NAME[ICC].label}, {TOPOLOGY}" for word in (",", " over"))


def title(claim, parameter, text):
    return f"{claim.replace(SUFFIX, '').replace(OVER, '')}; {parameter.name}: {text}"


def conclude(evaluation, measured, _):
    """Tables of verdicts by value, those that flip first."""
    by_title = {claim.claim: claim for claim in evaluation.others}
    names = list(dict.fromkeys(each.partition("; ")[0] for each in by_title))
    flips, tables = [], []
    for key, parameter in PARAMETERS.items():
        shown = [text for text in parameter.values if schemes_at(measured[0], key, text)]
        found = {name: [by_title[f"{name}; {parameter.name}: {text}"] for text in shown]
                 for name in names}
        tables.append(Table(f"Claims by {parameter.name}", ["claim", "published", *shown], [
            [name, at[0].published, *(f"{each.measured} {each.unit}: {each.verdict}" for each in at)]
            for name, at in found.items()]))
        flips += [[parameter.name, name, "; ".join(f"{text}: {each.verdict} ({each.measured})"
                                                   for text, each in zip(shown, at))]
                  for name, at in found.items() if len({each.verdict for each in at}) > 1]
    evaluation.tables = [Table("Claims that flip", ["parameter", "claim", "verdicts (medians)"], flips),
                         refused(measured[0]), *tables]


def refused(first):
    """Values with which the program does not run."""
    rows = [[PARAMETERS[key].name, text, reason] for key, parameter in PARAMETERS.items()
            for text in parameter.values
            if isinstance(reason := first.get(f"{folder_name(key, text)}-{ICC}"), str)]
    return Table("Refused", ["parameter", "value", "what the program says"], rows)


def draw(measured, _):
    figures = []
    for key, parameter in PARAMETERS.items():
        shown = [text for text in parameter.values if schemes_at(measured[0], key, text)]
        figure = Figure(key, parameter.name, "Medians of the samples. Nothing of this is published.",
                        list(QUANTITIES.values()), 3, 2.0, sharey=False)
        figure.labels(parameter.name, "")
        for attribute, panel in QUANTITIES.items():
            for index, scheme in enumerate(schemes_at(measured[0], key, shown[0])):
                figure.line(range(len(shown)), [
                    middle([getattr(schemes_at(sample, key, text)[scheme], attribute)
                            for sample in measured]) for text in shown], panel, index,
                    BY_NAME[scheme].label, marks=True)
        for panel, axes in figure.panels.items():
            axes.set_xticks(range(len(shown)), shown)
            axes.set_ylim(bottom=0)
            axes.set_ylabel(UNITS[panel])
        figures.append(figure)
    return figures


def middle(values):
    """Their median; nan if one is missing."""
    return median(values) if all(claims.usable(value) for value in values) else float("nan")


def notes():
    return [
        "The paper publishes none of these parameters but the buffer of 5 MB and the delay of 5 us. All "
        f"runs are those of icc-burst with {TOPOLOGY} and {BY_NAME[ICC].label}; a parameter changes, "
        "the others keep their defaults. Statements here are no further claims of the paper: they "
        "are not counted, and in sensitivity.csv.",
        "With n the 60 flows of the burst come from n - 1 hosts. A fabric whose headroom does not fit "
        "into the buffer is refused."]
