# SPDX-License-Identifier: GPL-2.0-only
"""RDMA over commodity Ethernet at scale: the incident of the wrong alpha."""

from .. import claims
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..schemes import BY_NAME, Scheme, select

TITLE = "RDMA at scale: alpha 1/16 against 1/64"
SOURCE = ("Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6.2; the number "
          "of pauses is not published for a scenario that could be repeated")
SCHEMES = ("none", "dcqcn")
ALPHAS = (4, 8, 16, 32, 64, 128)  # 1/alpha
SENDERS = {"16 senders": 16, "31 senders": 31}
COLOURS = {"16 senders": "#1f77b4", "31 senders": "#d62728"}


def runs(options):
    alphas = (16, 64) if options.quick else ALPHAS
    return [Run(f"{scheme.name}-{senders}-{alpha}", "guo16-alpha",
                (f"--alpha={1 / alpha}", f"--senders={senders}", *scheme.arguments()))
            for scheme in select(SCHEMES, options.schemes) for senders in SENDERS.values()
            for alpha in alphas]


def evaluate(results, options):
    evaluation = Evaluation(notes=[
        "Four ToRs with eight servers each, two spines, 40 Gb/s, 12 MiB of buffer a switch: servers "
        "answer one of them with 64 KB each, ten times, a millisecond apart. Host ports have the "
        "alpha, and so have the uplinks. In the paper the ToR paused its servers; here pauses stay "
        "between switches, as an uplink carries the answers of many servers and the port of a server "
        "those of one: the claim is about the XOFF frames of all switches."])
    alphas = (16, 64) if options.quick else ALPHAS
    figure = Figure("pauses", "Pause frames against alpha", "alpha", "XOFF frames of all switches",
                    "Full lines: no congestion control; dashed: DCQCN, whose feedback comes after an "
                    "answer of 64 KB has left.")
    rows = []
    for scheme in select(SCHEMES, options.schemes):
        for name, senders in SENDERS.items():
            measured = {alpha: results[f"{scheme.name}-{senders}-{alpha}"].summary
                        for alpha in alphas}
            frames = {alpha: each["pfc_xoff_frames"] for alpha, each in measured.items()}
            rows += [[scheme.label, name, f"1/{alpha}", each["pfc_xoff_frames"],
                      claims.number(results[f"{scheme.name}-{senders}-{alpha}"].pause_fraction()),
                      each["lossless_drops"]] for alpha, each in measured.items()]
            evaluation.claims.append(claims.best(
                f"XOFF frames with alpha 1/16 against 1/64, {name}, {scheme.label}",
                "section 6.2: the smaller alpha pauses more", frames[16], [frames[64]], "frames"))
            evaluation.checks.append(claims.no_drops(
                f"{name}, {scheme.label}", sum(each["lossless_drops"] for each in measured.values())))
            figure.line(Scheme(scheme.name, f"{name}, {BY_NAME[scheme.name].label}", COLOURS[name], "",
                               style="-" if scheme.name == "none" else "--"),
                        range(len(alphas)), list(frames.values()), marker="o")
    figure.axes.set_xticks(range(len(alphas)))
    figure.axes.set_xticklabels([f"1/{alpha}" for alpha in alphas])
    evaluation.tables.append(Table("Measured", [
        "scheme", "incast", "alpha", "XOFF frames", "share of time that a server is paused",
        "lossless drops"], rows))
    evaluation.figures = [figure]
    return evaluation
