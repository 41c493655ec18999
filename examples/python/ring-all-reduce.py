#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""An all-reduce of eight ranks: the bus bandwidth by its size, on a star of 100 Gb/s.

  ring-all-reduce.py [--ranks 8] [--algorithm ring] [--channels 1]
"""

import argparse

import lossless as ll

SIZES = ["64KiB", "1MiB", "16MiB"]


def all_reduce(options: argparse.Namespace, size: str) -> ll.Job:
    """A job that does one all-reduce, and has ended."""
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(options.ranks, rate="100Gbps", delay="1us", congestion_control=None)
    graph = ll.JobGraph(options.ranks)
    for rank in range(options.ranks):
        graph.collective(rank, "all-reduce", size, algorithm=options.algorithm)
    run = ll.Run(fabric)
    job = run.job(graph, channels=options.channels, ack_interval=64)
    run.execute()
    return job


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--ranks", type=int, default=8, help="how many (%(default)s)")
    parser.add_argument("--algorithm", default="ring", help="of the all-reduce (%(default)s)")
    parser.add_argument("--channels", type=int, default=1, help="rings at once (%(default)s)")
    options = parser.parse_args()
    print(f"All-reduce of {options.ranks} ranks, {options.algorithm}")
    for size in SIZES:
        job = all_reduce(options, size)
        if not job.is_done:
            raise SystemExit(job.error)
        took = job.iterations[0].time_ns
        sent = sum(rank.bytes for rank in job.carried)
        # As nccl-tests have it: what each rank must send at least, over the time.
        share = 2 * (options.ranks - 1) / options.ranks
        number = int(size[:-3]) * {"KiB": 2**10, "MiB": 2**20}[size[-3:]]
        print(f"{size:>8}: {took / 1e3:10.3f} us, busbw {share * number / took:6.3f} GB/s, "
              f"{sent / options.ranks:.0f} bytes a rank")


if __name__ == "__main__":
    main()
