#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""How alpha of the dynamic threshold decides about pauses: a sweep, in as many processes as there are
cores, with a plot.

  sweep-alpha.py [points.jsonl [plot.png]]     points.jsonl lets a stopped sweep go on
"""

import sys

import lossless as ll


def point(alpha, senders):
    """One simulation."""
    fabric = ll.Fabric.star(16, alpha=alpha, buffer="4MiB", congestion_control=ll.Dcqcn())
    fabric.incast(senders, 0, "500kB")
    results = fabric.run()
    totals = results.totals
    return {"xoff": totals["pfc_xoff_frames"], "paused_us": totals["pause_ns_total"] / 1e3,
            "slowest_ms": max(results.flows["fct_s"]) * 1e3}


if __name__ == "__main__":
    table = ll.sweep(point, {"senders": [4, 8, 15], "alpha": [1 / 64, 1 / 16, 1 / 4, 1]},
                     resume=sys.argv[1] if len(sys.argv) > 1 else None)
    for row in table:
        print("{senders:2} senders, alpha {alpha:8.6f}: {xoff:4} XOFF, paused {paused_us:8.1f} us, "
              "slowest flow {slowest_ms:.3f} ms".format(**row))
    if len(sys.argv) > 2:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
        for senders in (4, 8, 15):
            rows = [row for row in table if row["senders"] == senders]
            axes.plot([row["alpha"] for row in rows], [row["xoff"] for row in rows], marker="o",
                      label=f"{senders} senders")
        axes.set_xscale("log", base=2)
        axes.set_xticks([1 / 64, 1 / 16, 1 / 4, 1], ["1/64", "1/16", "1/4", "1"])
        axes.set(xlabel="alpha of the dynamic threshold", ylabel="XOFF frames",
                 title="The larger alpha, the fewer pauses")
        axes.legend(frameon=False)
        figure.savefig(sys.argv[2])
