# SPDX-License-Identifier: GPL-2.0-only
"""Micro-loops while routing converges after a link failure: when they end in a deadlock."""

from dataclasses import replace

from .. import claims
from ..figures import Figure
from ..report import Evaluation, Table
from ..runs import Run
from ..samples import median

TITLE = "Deadlock: micro-loops after a link failure"
SOURCE = ("UCloud, Lossless networks in practice: micro-loops during convergence, and the measures "
          "against them: order of convergence, detection, a larger share of the buffer")
LOOP_TIMES = (50, 100, 150, 200, 300, 400, 500, 700, 1000, 1400, 2000, 2800, 4000)  # us
ALPHAS = ("0.0625", "0.125", "0.5", "1", "4")
TTLS = (32, 16, 8)  # beside 64
DELAY_A = 200  # us
FAILURE, PERIOD = 1000.0, 10.0  # us
DCQCN = ("--congestion=ns3::RdmaDcqcn",)


def samples(options):
    return 3 if options.quick else 10


def vary(sample):
    """The link fails at other phases of the senders' packets."""
    if not sample.number:
        return ()
    return (f"--failure={FAILURE + sample.phase(PERIOD):g}us", *sample.option("run"))


def arguments(delay_a=DELAY_A, delay_b=2000, ttl=64, alpha="0.125", extra=()):
    return (f"--delayA={delay_a}us", f"--delayB={delay_b}us", f"--ttl={ttl}",
            f"--ns3::SwitchMmu::Alpha={alpha}", *extra)


def loop_run(alpha, time):
    return f"alpha-{alpha}-loop-{time}"


def runs(options, sample):
    if options.schemes:
        return []
    times, alphas = LOOP_TIMES, ALPHAS
    if options.quick:
        times, alphas = times[::3], alphas[::2]
    if sample.number > 2:
        alphas = (ALPHAS[0], ALPHAS[-1])  # those of the claim
    listed = [Run("a-first", "microloop-deadlock", arguments()),
              Run("b-first", "microloop-deadlock", arguments(2000, DELAY_A)),
              Run("together", "microloop-deadlock", arguments(DELAY_A, DELAY_A)),
              Run("drain", "microloop-deadlock", arguments(extra=("--action=Drain",))),
              Run("dcqcn", "microloop-deadlock", arguments(extra=DCQCN)),
              Run("dcqcn-share", "microloop-deadlock", arguments(alpha=ALPHAS[-1], extra=DCQCN))]
    listed += [Run(f"ttl-{ttl}", "microloop-deadlock", arguments(ttl=ttl)) for ttl in TTLS]
    listed += [Run(loop_run(alpha, time), "microloop-deadlock",
                   arguments(DELAY_A, DELAY_A + time, alpha=alpha))
               for alpha in alphas for time in times]
    return [replace(run, arguments=(*run.arguments, *vary(sample))) for run in listed]


LABELS = {"a-first": "A converges 1.8 ms before B", "b-first": "B converges 1.8 ms before A",
          "together": "A and B converge together", "drain": "A before B, the detector drains",
          "dcqcn": "A before B, DCQCN",
          "dcqcn-share": f"A before B, DCQCN, alpha {ALPHAS[-1]}", **{f"ttl-{t}": f"A before B, TTL {t}" for t in TTLS}}


def measure(results, _):
    return {name: result.summary for name, result in results.items()}


def evaluate(summaries, options):
    evaluation = Evaluation(notes=[
        "Switches A B C E D form a ring of 100 Gb/s. Two hosts of A send 10 MB each at 10 Gb/s to hosts "
        "of D; a third sends 20 MB to a host of B and has nothing to do with D. The link A-D fails at 1 "
        "ms. In the loop A-B a packet takes up to 63 links, so that 20 Gb/s make 20 x 63 / 2 = 630 Gb/s "
        "for each direction: 100 Gb/s are full at once, and the buffers fill. With TTL 8 they make 70 "
        "Gb/s. 4 MB of buffer, alpha 1/8, unless said otherwise. A deadlock counts if the detector finds "
        "it (100 us period) and it is there at the end, 30 ms. Samples: the link fails at other phases of "
        "10 us; alphas between the least and the greatest have three."])
    evaluation.claims = check(summaries, options)
    evaluation.checks = [claims.headroom(list(summaries.values()))]
    rows = []
    for name, label in LABELS.items():
        s = summaries[name]
        first = s["deadlock_first_ns"]
        rows.append([label, s["deadlocks"], s["deadlocks_open"], first / 1e6 if first >= 0 else None,
                     s["flows_completed"], s["lossless_drops"]])
    evaluation.tables.append(Table("Order, TTL, congestion control", [
        "run", "deadlocks", "not broken", "first found (ms)", "flows completed of 3",
        "lossless frames dropped"], rows))
    rows = []
    for alpha in ALPHAS:
        stays = [summaries[loop_run(alpha, time)]["deadlocks_open"] > 0 for time in LOOP_TIMES
                 if loop_run(alpha, time) in summaries]
        rows.append([f"alpha {alpha}", *(int(s) for s in stays)])
    rows = [row for row in rows if len(row) > 1]
    shown = [time for time in LOOP_TIMES if loop_run(ALPHAS[0], time) in summaries]
    evaluation.tables.append(Table("Deadlocks at the end, by alpha and time of the loop",
                                   ["alpha"] + [f"{time} us" for time in shown], rows))
    return evaluation


def draw(measured, _):
    figure = Figure("alpha", "Shortest loop that ends in a deadlock", "By alpha; 4 MB of buffer, 20 Gb/s "
                    "into the loop; medians of the samples. Where there is no point, no loop of up to "
                    f"{max(LOOP_TIMES)} us did. The source gives no numbers.")
    figure.labels("alpha", "time of the loop (us)")
    known = [(float(alpha), median(found)) for alpha in ALPHAS
             if (found := [time for sample in measured if (time := shortest(sample, alpha))])]
    figure.line([alpha for alpha, _ in known], [time for _, time in known], marks=True)
    figure.axes.set_xscale("log", base=2)
    figure.axes.set_xlim(1 / 32, 8)
    figure.plain_ticks("x", [float(alpha) for alpha in ALPHAS], ["1/16", "1/8", "1/2", "1", "4"])
    figure.axes.set_ylim(bottom=0)
    return [figure]


def shortest(summaries, alpha):
    """The shortest loop that ends in a deadlock, us; None: none did."""
    return min((time for time in LOOP_TIMES
                if summaries.get(loop_run(alpha, time), {}).get("deadlocks_open")), default=None)


def check(summaries, options):
    """The claims; all are qualitative."""
    def stays(name):
        return summaries[name]["deadlocks_open"]
    found = [
        claims.at_least("deadlock, A converges first", "a micro-loop deadlocks", 1, stays("a-first"),
                        "deadlocks"),
        claims.at_most("deadlock, B converges first", "measure 1: order of convergence", 0,
                       stays("b-first"), "deadlocks"),
        claims.at_least("flows completed, A converges first, detector drains",
                        "measure 2: detection in the switch", 3, summaries["drain"]["flows_completed"],
                        "flows"),
        claims.at_most("deadlock, TTL 8", "n B / TTL is above the rate", 0, stays("ttl-8"),
                       "deadlocks")]
    small, large = ALPHAS[0], ALPHAS[-1]
    one, other = shortest(summaries, small), shortest(summaries, large)
    tolerated = other if other is not None else max(LOOP_TIMES)
    found.append(claims.greatest(
        f"shortest loop that deadlocks, alpha {large} against {small}",
        "measure 3: a larger share tolerates more", tolerated, [one or 0], "us",
        "the buffer of 4 MB fills before the loop ends, whatever the share"))
    found.append(claims.at_most(
        f"deadlock, alpha {large}, DCQCN", "measure 3: a larger share, and congestion control acts", 0,
        stays("dcqcn-share"), "deadlocks",
        reason="packets in the loop never reach D, so that no CNP comes back: the senders are not told"))
    return found
