# SPDX-License-Identifier: GPL-2.0-only
"""RDMA over Commodity Ethernet at Scale: the live-lock of go-back-0, and what cures it."""

import math

from .. import claims
from ..figures import Dots, Figure
from ..report import Evaluation, Table
from ..runs import Run

TITLE = "Live-lock: one packet in 256 lost, with three loss recoveries"
SOURCE = ("Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.1; IRN: Mittal "
          "et al., Revisiting Network Support for RDMA, SIGCOMM 2018")
VERBS = ("SEND", "WRITE", "READ")
RECOVERIES = {"gb0": "go-back-0", "gbn": "go-back-N", "irn": "IRN"}
TYPES = {"gb0": "ns3::RdmaGoBack0", "gbn": "ns3::RdmaGoBackN", "irn": "ns3::RdmaIrn"}
# What the switch drops: all that matches, as in the experiment; data alone, as in the closed form;
# each packet with a probability of 1/256; nothing.
LOSSES = {"all": (), "data": ("--dataAlone=true",),
          "random": ("--loss=false", "--random=0.00390625", "--dataAlone=true"),
          "none": ("--loss=false",)}
LABELS = {"all": "0xff, both directions", "data": "0xff, data alone", "random": "random, data alone",
          "none": "none"}
PAYLOAD = 1024 / 1106  # of a packet's wire bytes
LINE = 40.0
WASTE = 19  # packets that leave between a loss and its NAK: 4 us / 221.2 ns, and the lost one
ROUND_TRIP = 4 / 0.2212  # in packets
CAP = 21  # packets in flight (BDP-FC): 40 Gb/s for 4 us and a packet, in units of 1024 B
PATH = ("--rate=40Gbps", "--rtt=4us")


def name_of(verb, recovery, loss):
    return f"{verb.lower()}-{recovery}-{loss}"


def samples(_):
    """Deterministic: the switch drops by IP identification, and nothing else is sent."""
    return 1


def runs(options, _):
    if options.schemes:
        return []
    stop = 10 if options.quick else 100
    return [Run(name_of(verb, recovery, loss), "guo16-livelock",
                (f"--verb={verb}", f"--recovery={kind}", f"--stop={stop}ms", *PATH, *arguments))
            for verb in VERBS for recovery, kind in TYPES.items()
            for loss, arguments in LOSSES.items()]


def row_of(results, verb, recovery, loss):
    return results[name_of(verb, recovery, loss)].rows("livelock.csv")[0]


def goodput(results, verb, recovery, loss):
    """Gb/s. With go-back-0, messages that are whole: the rest is thrown away again and again. Else
    payload delivered, which does not round down to whole messages of 4 MB."""
    row = row_of(results, verb, recovery, loss)
    return float(row["goodput_gbps" if recovery == "gb0" else "delivered_gbps"])


def closed_form():
    """Goodput of go-back-N: each lost packet takes the WASTE that follow it along."""
    return LINE * PAYLOAD * (255 - WASTE) / 256


def closed_form_irn():
    """Goodput of IRN as a share of that without loss. SACKed packets count as in flight: of each 256
    packets one is lost, and CAP packets and the repeated one leave; then the line is idle until the
    repeated one, which left when its NAK had come, is acknowledged."""
    repeated = math.ceil(1 + ROUND_TRIP)
    idle = repeated + 1 + ROUND_TRIP - (CAP + 1)
    return 255 / (256 + idle)


def add_claims(evaluation, results):
    for verb in VERBS:
        evaluation.claims.append(claims.value(
            f"goodput of {verb} with go-back-0", "section 4.1: zero", 0.0,
            goodput(results, verb, "gb0", "all"), "Gb/s"))
    busy = min(float(row_of(results, verb, "gb0", "all")["busy"]) for verb in VERBS)
    evaluation.claims.append(claims.at_least(
        "link used meanwhile, least of the verbs", "section 4.1: the link is fully utilised; 95 % is ours",
        95, 100 * busy, "%"))
    for verb in VERBS:
        evaluation.claims.append(claims.at_least(
            f"messages that {verb} completes with go-back-N",
            "section 4.1: go-back-N ends the live-lock", 1, int(row_of(results, verb, "gbn", "all")["messages"]), "messages"))


def add_checks(evaluation, results):
    for verb in VERBS:
        measured = goodput(results, verb, "gbn", "data")
        evaluation.checks.append(claims.Check(
            f"go-back-N, {verb}, data alone lost: closed form C (255 - W) / 256",
            f"{claims.number(closed_form())} Gb/s within 1.5 %", claims.number(measured),
            claims.near(closed_form(), measured, 0.015)))
        share = claims.quotient(goodput(results, verb, "irn", "data"),
                                goodput(results, verb, "irn", "none"))
        evaluation.checks.append(claims.Check(
            f"IRN, {verb}, data alone lost: share of loss-free, closed form",
            f"{claims.number(closed_form_irn())} within 1 %", claims.number(share),
            claims.near(closed_form_irn(), share, 0.01)))


def measure(results, _):
    return results


def evaluate(results, _):
    evaluation = Evaluation(notes=[
        "A - W - B at 40 Gb/s, a NAK comes 4 us after its packet; messages of 4 MB (4096 packets) one "
        "behind the other, no congestion control. W drops packets whose IP identification ends with "
        "0xff: each sender numbers its packets, so that one in 256 is lost. A message with go-back-0 "
        "needs 4096 survivors in a row.",
        "Where both directions are lossy, NAKs and READ requests are lost, too. Go-back-N then waits "
        "for NackInterval (500 us) or, with READ, for the retransmission timeout (4 ms); IRN executes "
        "READ requests in order, so that a lost one idles the responder for a round trip."])
    add_claims(evaluation, results)
    add_checks(evaluation, results)
    rows = []
    for loss in LOSSES:
        for verb in VERBS:
            cells = [row_of(results, verb, name, loss) for name in RECOVERIES]
            rows.append([LABELS[loss], verb]
                        + [goodput(results, verb, name, loss) for name in RECOVERIES]
                        + [int(cell["messages"]) for cell in cells]
                        + [100 * float(cells[0]["busy"])])
    evaluation.tables.append(Table(
        "Goodput", ["loss", "verb"] + [f"{label} (Gb/s)" for label in RECOVERIES.values()]
        + [f"{label}, messages" for label in RECOVERIES.values()] + ["link used, go-back-0 (%)"],
        rows))
    return evaluation


def draw(samples_, _):
    results = samples_[0]
    dots = Dots("livelock", "Goodput at a loss of one packet in 256",
                "Goodput of whole messages (go-back-0) or payload delivered. Diamonds: published, zero "
                "with go-back-0.", {
                    f"{verb} (Gb/s)": ({label: [goodput(results, verb, name, "all")]
                                        for name, label in RECOVERIES.items()},
                                       {RECOVERIES["gb0"]: 0.0}) for verb in VERBS}, columns=3)
    return [dots, over_time(results)]


def over_time(results):
    figure = Figure("delivered", "WRITE: payload delivered", "What is in order at the receiver and will not be sent again. With go-back-0 it "
                    "falls back to whole messages, of which there are none.")
    figure.labels("time (ms)", "MB")
    for index, (name, label) in enumerate(RECOVERIES.items()):
        rows = results[name_of("WRITE", name, "all")].rows("goodput.csv")
        figure.line([int(row["time_ns"]) / 1e6 for row in rows],
                    [int(row["delivered_bytes"]) / 1e6 for row in rows], "", index, label)
    return figure
