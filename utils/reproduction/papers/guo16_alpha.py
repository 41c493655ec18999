# SPDX-License-Identifier: GPL-2.0-only
"""RDMA over commodity Ethernet at scale: the incident of the wrong alpha."""

from .. import claims
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import median
from ..schemes import select

TITLE = "RDMA at scale: alpha 1/16 against 1/64"
SOURCE = ("Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6.2; the number "
          "of pauses is not published for a scenario that could be repeated")
SCHEMES = ("none", "dcqcn")
ALPHAS = (4, 8, 16, 32, 64, 128)  # 1/alpha
SENDERS = {"16 senders": 16, "31 senders": 31}


def samples(options):
    return 3 if options.quick else 10


def alphas_of(options):
    return (16, 64) if options.quick else ALPHAS


def runs(options, sample):
    return [Run(f"{scheme.name}-{senders}-{alpha}", "guo16-alpha",
                (f"--alpha={1 / alpha}", f"--senders={senders}", *scheme.arguments(),
                 *sample.option("ecmpDraw", 0), *sample.option("run")))
            for scheme in select(SCHEMES, options.schemes) for senders in SENDERS.values()
            for alpha in alphas_of(options)]


class Measured:
    """What is measured of one run."""

    def __init__(self, result):
        self.xoffs = result.summary["pfc_xoff_frames"]
        self.drops = result.summary["lossless_drops"]
        self.paused = result.pause_fraction()


def measure(results, _):
    return {name: Measured(result) for name, result in results.items()}


def curves(options):
    """(scheme, incast): the names of its runs by alpha."""
    return {(scheme, name): {alpha: f"{scheme.name}-{senders}-{alpha}"
                             for alpha in alphas_of(options)}
            for scheme in select(SCHEMES, options.schemes) for name, senders in SENDERS.items()}


def evaluate(measured, options):
    evaluation = Evaluation(notes=[
        "Four ToRs with eight servers each, two spines, 40 Gb/s, 12 MiB of buffer a switch: servers "
        "answer one of them with 64 KB each, ten times, a millisecond apart. Host ports have the "
        "alpha, and so have the uplinks. In the paper the ToR paused its servers; here pauses stay "
        "between switches, as an uplink carries the answers of many servers and the port of a server "
        "those of one: the claim is about the XOFF frames of all switches. Samples: other draws of "
        "ECMP."])
    rows = []
    for (scheme, name), names in curves(options).items():
        at = {alpha: measured[each] for alpha, each in names.items()}
        rows += [[scheme.label, name, f"1/{alpha}", m.xoffs, m.paused, m.drops]
                 for alpha, m in at.items()]
        evaluation.claims.append(claims.best(
            f"XOFF frames with alpha 1/16 against 1/64, {name}, {scheme.label}",
            "section 6.2: the smaller alpha pauses more", at[16].xoffs, [at[64].xoffs], "frames"))
        evaluation.checks.append(claims.no_drops(f"{name}, {scheme.label}",
                                                 sum(m.drops for m in at.values())))
    evaluation.tables.append(Table("Measured", [
        "scheme", "incast", "alpha", "XOFF frames", "share of time that a server is paused",
        "lossless drops"], rows))
    return evaluation


def draw(measured, options):
    alphas = alphas_of(options)
    figure = Figure("pauses", "Pause frames against alpha", "XOFF frames of all switches, medians of the "
                    "samples. DCQCN's feedback comes after an answer of 64 KB has left. The paper has "
                    "no numbers for a scenario that could be repeated.", tuple(SENDERS), 2, 2.2)
    figure.labels("alpha", "XOFF frames")
    for (scheme, name), names in curves(options).items():
        figure.line(range(len(alphas)), [median(sample[each].xoffs for sample in measured)
                                         for each in names.values()], name,
                    SCHEMES.index(scheme.name), scheme.label, marks=True)
    for axes in figure.each():
        axes.set_xticks(range(len(alphas)), [f"1/{alpha}" for alpha in alphas])
    return [figure]
