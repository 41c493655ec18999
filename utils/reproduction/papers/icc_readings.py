# SPDX-License-Identifier: GPL-2.0-only
"""How the paper of ICC is read where its text is ambiguous: every reading, what follows from it, and
the one that agrees with the paper's own numbers. No measurement of ours decides."""

from dataclasses import dataclass

from ..claims import number
from ..report import Table

RATE = 100e9  # bit/s, of all links
KB = 1024  # bytes
BURST_BYTES = 64 * KB
BURST_FLOWS = 60  # from H2..Hn together; as many from Hb
BUFFER_BYTES = 5e6
RECOVERY = {"DCQCN": 2.5, "TIMELY": 1.8, "PCN": 1.4}  # ms, figure 5
ICC_RECOVERY = 0.4  # ms, figure 5
VICTIM = {"DCQCN": 2.3, "TIMELY": 2.2, "PCN": 1.7}  # times, figure 10
LAST_XOFF = 1.1  # ms, figure 4
GAIN = {"DCQCN": 1.51, "TIMELY": 1.55, "PCN": 1.38}  # times, figure 5
GOODPUT = 1024 / 1106  # payload of a frame with its headers and its gap
LONG_BYTES, SHORT_BYTES = 100_000_000, 12_500_000  # 100 MB, and 100 Mbit
BURST_AT = 700  # us
OF_S0 = 8 * BURST_FLOWS * BURST_BYTES / GOODPUT / RATE * 1e3  # ms of a link, with headers


@dataclass(frozen=True)
class Reading:
    """One way to read a sentence. taken: "yes", "no", or for which figures."""

    text: str
    follows: str
    taken: str


@dataclass(frozen=True)
class Ambiguity:
    sentence: str
    readings: tuple


def milliseconds(size):
    """Of bytes on a link, without headers."""
    return size * 8 / RATE * 1e3


def alone(size):
    """ms of F1 without a burst."""
    return milliseconds(size) / GOODPUT


def ratios(size):
    """Completion of F1 under the others over that under ICC, if F1 sends nothing until it recovers."""
    return ", ".join(f"{label} {number((alone(size) + each) / (alone(size) + ICC_RECOVERY))}"
                     for label, each in RECOVERY.items())


def windows():
    """ms over which a mean throughput has the published gain, if nothing is sent until recovery."""
    return ", ".join(f"{label} {number((GAIN[label] * each - ICC_RECOVERY) / (GAIN[label] - 1))}"
                     for label, each in RECOVERY.items())


def published(numbers):
    return ", ".join(f"{label} {number(each)}" for label, each in numbers.items())


def ambiguities():
    """All of them, with what follows computed from the paper's numbers."""
    both = 2 * BURST_FLOWS * BURST_BYTES
    return (
        Ambiguity("\"link delay of five seconds\", \"5.4 s\", \"every 15 s\"", (
            Reading("seconds", "no flow could complete in the milliseconds of the figures", "no"),
            Reading("microseconds", "section 4.2 prints \"15 us\"", "yes"))),
        Ambiguity("\"a long flow of 100 M\"", (
            Reading("100 MB", f"{number(alone(LONG_BYTES))} ms alone; from figure 5 follow completion "
                    f"ratios of {ratios(LONG_BYTES)}; figure 10 says {published(VICTIM)}. The gains of "
                    f"figure 5 are means over {windows()} ms, for which F1 must last",
                    "figures 4, 5, 9, 11"),
            Reading("100 Mbit, 12.5 MB", f"{number(alone(SHORT_BYTES))} ms alone; completion ratios of "
                    f"{ratios(SHORT_BYTES)}, as in figure 10", "figure 10, F1"))),
        Ambiguity("\"60 bursts of 64 Kb\"", (
            Reading("64 Kbit each", f"{number(both / 8 / 1e6)} MB in all: less than the buffer of "
                    f"{number(BUFFER_BYTES / 1e6)} MB, which the text says the burst fills", "no"),
            Reading("64 KB each, 60 from each host",
                    f"{number(milliseconds(15 * BURST_FLOWS * BURST_BYTES))} ms of P0 with 15 hosts: F1 "
                    f"cannot have recovered after {number(ICC_RECOVERY)} ms", "no"),
            Reading("64 KB each, 60 from H2..Hn together, 60 from Hb",
                    f"{number(both / 1e6)} MB fill the buffer; "
                    f"{number(milliseconds(BURST_FLOWS * BURST_BYTES))} ms of P0", "yes"))),
        Ambiguity("figure 3: F1 and the burst \"are routed through the same ports, P0 and P1\"", (
            Reading("receivers behind a third switch (3sw): F1 shares P1, too",
                    f"P1 carries both bursts for {number(milliseconds(both))} ms: F1 cannot have "
                    f"recovered after {number(ICC_RECOVERY)} ms", "as sensitivity"),
            Reading("receivers at S1 (2sw): P1 is the port to R1, and pauses of S1 reach F1 at P0",
                    f"P0 is free after {number(milliseconds(BURST_FLOWS * BURST_BYTES))} ms; F1 is the "
                    "victim that the text calls it", "yes"))),
        Ambiguity("\"H2 to Hn\": n is not given", (
            Reading("n = 61, one flow each", "the headroom of 63 ports exceeds the buffer of 5 MB: the "
                    "network could not be lossless (refused)", "no"),
            Reading("n = 16, four flows each", "headroom fits", "yes; others as sensitivity"))),
        Ambiguity("\"ICC stops sending pause frames at 1.1 milliseconds\"; when the burst begins is not "
                  "said", (
            Reading("1.1 ms after the burst", "F1 would be paused 0.7 ms after it has recovered "
                    "(figure 5)", "no"),
            Reading("1.1 ms of simulated time", f"the burst begins {number(LAST_XOFF - ICC_RECOVERY)} ms "
                    f"after F1 or later, and before F1 of 12.5 MB ends at {number(alone(SHORT_BYTES))} "
                    f"ms; at {number(LAST_XOFF - ICC_RECOVERY)} ms F1 has most left to recover in",
                    "yes, from 0.7 ms on"))),
        Ambiguity("\"Server H0 sends a long flow F0 to receiver R0 for comparison\"", (
            Reading("beside F1, to the same R0", "each has half of the link of R0; figure 5 shows F1 at "
                    "100 Gb/s before the burst", "no"),
            Reading("not together with F1", "F1 has the link", "yes"))),
        Ambiguity("pauses avoided: 47, 56, 34 % (abstract), 56, 63, 38 % (section 5.1), 47, 56, 34 % "
                  "(section 5.2)", (
            Reading("the abstract's are those of the burst", "contradicts section 5.1", "no"),
            Reading("section 5.1 is the burst; abstract and section 5.2 are the workload",
                    "all agree, but for the order of the names in the list of contributions", "yes"))),
        Ambiguity("\"15.3x, 14.8x, and 11.2x\" in completion time (abstract)", (
            Reading("of some figure", "no figure and no text of the evaluation has these numbers; the "
                    "largest are 3.5 and 2.83", "no claim"),)),
        Ambiguity("\"lower the rate to the highest rate Vmax\", \"lower the rate to ... Vmin\"", (
            Reading("a minimum: the bound, if the rate is above it", "a reduction lowers; a flow that "
                    "sends less keeps its rate", "yes"),
            Reading("the bound is assigned", "a record of a queue at a busy link (lu 1) raises each of 2 "
                    f"flows to {number(printed_min(2) / 1e9)} Gb/s and more, the line rate, and of 4 to "
                    f"{number(printed_min(4) / 1e9)} Gb/s: no reduction", "no"))),
        Ambiguity("\"if t1 < T, there is no need to slow down\"", (
            Reading("the rate stays", "a queue that is empty after a round trip costs no throughput",
                    "yes"),
            Reading("Vmin by (4) all the same", "contradicts the sentence", "no"))),
        Ambiguity("(4) and (5): 1/n qlen", (
            Reading("as printed", "bits and bits per second cannot be added", "no"),
            Reading("qlen / (n T)", "(3) solved for Vmin", "yes"))),
        Ambiguity("(2) where the queue reaches Qd before the source hears of it (tm <= 0)", (
            Reading("Vmin by (4)", "at lu 1 the flows of a full link go on with twice its rate: the queue "
                    "that the text wants empty grows", "no"),
            Reading("(3) with -qlen, of which the sign is lost, and with nothing in flight: (C - qlen / "
                    "T) / n", "\"the purpose is to empty the accumulated queue\"", "yes"))),
        Ambiguity("\"a conservative threshold of Qd\": no number", (
            Reading("half of the PFC threshold", "is below it, and leaves room for (2)", "yes"),)),
        Ambiguity("which record counts when switches disagree", (
            Reading("each, as it comes (HoldRoundTrips 0)", "an idle switch raises the rate by (6) between "
                    "two records of a congested one: figure 11 shows a queue near zero",
                    "as sensitivity"),
            Reading("the lowest of the last round trip and report timer (HoldRoundTrips 1)",
                    "the congested switch decides, as with one switch", "yes"))))


def printed_min(flows):
    """Vmin of (4), with 1/T, of an empty queue at a full link, bit/s: the least that it can be."""
    return (RATE + RATE) / flows


def table():
    rows = []
    for ambiguity in ambiguities():
        for i, reading in enumerate(ambiguity.readings):
            rows.append([ambiguity.sentence if i == 0 else "", reading.text, reading.follows,
                         reading.taken])
    return Table("Readings: how ambiguous sentences are read, by what follows from the paper's own "
                 "numbers", ["sentence", "reading", "what follows", "taken"], rows)
