# SPDX-License-Identifier: GPL-2.0-only
"""Traffic models of utils/train-ecn-table, how a Kmin does under each, and which is best.

A star at 25 Gb/s, DCQCN of the paper, Kmax 400 KB, Pmax 0.2. At random times, 2 to 32 hosts at once send 20 KB
each to one host, at a load of its link; up to four of them also send a long message, and these take the rest.
An EcnTuner measures what the table is keyed on.
"""

import math
import random

import lossless as ll

KMINS = tuple(round(5_000 * 2 ** (half / 2)) for half in range(13))  # bytes, 5 to 320 KB
SENDERS = (2, 4, 8, 16, 32)
LOADS = (0.9, 0.6, 0.3, 0.1)  # of short messages; without long ones at the first
KMAX, PMAX = 400_000, 0.2
SHORT = 20_000                # bytes
SHORT_WIRE = SHORT + 20 * 82  # bytes of its 20 packets, with headers, preambles and gaps
RATE = 25e9
LONG = 4                      # long messages at most
WARM_US, END_US = 5000.0, 25000.0


def run(senders, load, kmin, seed):
    """One model with one Kmin. The FCT in us; a message that has not arrived counts as late."""
    ll.Simulator.destroy()  # what an earlier run in this process has left: times count from 0
    ll.set_seed(seed)
    draw = random.Random(f"{senders} {load} {seed}")
    fabric = ll.Fabric.star(
        senders + 1, rate="25Gbps", delay="1us", buffer="12MiB", congestion_control=ll.Dcqcn(dialect="Paper"),
        ecn=ll.Part("WredEcnMarker", kmin=kmin, kmax=KMAX, pmax=PMAX, reference_rate="25Gbps"),
        extensions=[ll.Part("EcnTuner",  # measures; this Kmin for all traffic
                            advisor_type=f"ns3::TableEcnAdvisor[Table=0:1:{kmin}|MaxDistance=1e9]")])
    seen = []

    def measured(port, share, hosts, utilisation, _delay):
        if port == 0 and ll.Simulator.now() > ll.us(WARM_US):
            seen.append((share, hosts, utilisation))

    fabric.switches[0].extensions[0].connect("Features", measured)
    mean_us = senders * SHORT * 8e6 / (load * RATE)
    now, last = draw.expovariate(1 / mean_us), END_US - 1000
    late = 0
    while now < last:
        for sender in range(senders):
            fabric.flow(1 + sender, 0, SHORT, ll.us(now))
        late += senders if now >= WARM_US else 0
        now += draw.expovariate(1 / mean_us)
    for sender in range(min(senders, LONG) if load < LOADS[0] else 0):
        fabric.flow(1 + sender, 0, "1GB", ll.us(sender))
    flows = fabric.run(stop=ll.us(END_US), progress=False).flows
    fcts = sorted(1e6 * fct for fct, size, start, status in
                  zip(flows["fct_s"], flows["bytes"], flows["start_s"], flows["status"])
                  if size == SHORT and status == 0 and start >= 1e-6 * WARM_US)
    fcts += [END_US] * (late - len(fcts))
    shares, hosts, utilisations = zip(*seen)
    utilisation = sum(utilisations) / len(seen)
    return {"share": sum(shares) / len(seen), "hosts": max(hosts), "utilisation": utilisation,
            "long": utilisation - late * SHORT_WIRE * 8e6 / ((END_US - WARM_US) * RATE),
            "fct_p99_us": fcts[int(0.99 * (len(fcts) - 1))]}


def best(rows, share):
    """The Kmin, of rows of one model with one row a Kmin, with the greatest power, that is throughput over
    delay (Kleinrock, 1979), where long messages want the one and short ones the other, each as much as its
    share of the bytes: share * ln(throughput of long ones) - (1 - share) * ln(p99 of the FCT of short ones).
    Of equals the lowest."""
    def power(row):
        return (share * math.log(row["long"]) if share > 0 else 0) - (1 - share) * math.log(row["fct_p99_us"])

    return max(rows, key=lambda row: (power(row), -row["kmin"]))["kmin"]


def rising(values):
    """Values that do not fall: neighbours that do become their geometric mean (isotonic regression of the
    logarithms by pooling adjacent violators)."""
    pools = []
    for value in values:
        pools.append([math.log(value), 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean, count = pools.pop()
            before = pools[-1]
            before[0] = (before[0] * before[1] + mean * count) / (before[1] + count)
            before[1] += count
    return [math.exp(mean) for mean, count in pools for _ in range(count)]


def table(rows):
    """The table of means over seeds: (share of long flows, senders, Kmin), by senders and then share."""
    models = []
    for senders in SENDERS:
        column = []
        for load in LOADS:
            mine = [row for row in rows if row["senders"] == senders and row["load"] == load]
            means = []
            for kmin in KMINS:
                same = [row for row in mine if row["kmin"] == kmin]
                means.append({name: sum(row[name] for row in same) / len(same)
                              for name in ("kmin", "long", "fct_p99_us")})
            share = sum(row["share"] for row in mine) / len(mine)
            # Numbers of queue pairs come back: the tuner takes some short messages for a long one.
            weight = share if load < LOADS[0] else 0
            column.append((share, max(row["hosts"] for row in mine), best(means, weight)))
        column.sort()
        kmins = rising([kmin for _, _, kmin in column])
        models += [(round(share, 2), hosts, int(round(kmin, -3)))
                   for (share, hosts, _), kmin in zip(column, kmins)]
    return models
