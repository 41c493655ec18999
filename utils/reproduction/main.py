# SPDX-License-Identifier: GPL-2.0-only
"""The command: options, and the way from runs to reports."""

import argparse
import os
import sys
from dataclasses import dataclass, replace

from . import build, document, figures, lock, report, schemes
from .errors import ReproduceError
from .papers import (
    comparison,
    conweave,
    dcqcn,
    deadlock_loop,
    deadlock_microloop,
    deadlock_ring,
    guo16_alpha,
    guo16_flooding,
    guo16_latency,
    guo16_livelock,
    guo16_slow_receiver,
    guo16_storm,
    hpcc,
    icc_burst,
    icc_sensitivity,
    icc_workload,
    inof,
    irn,
    machines,
    mrc,
    pcn,
    timely,
    uet_paths,
)
from .results import Results
from .runs import Runner
from .samples import Sample

PAPERS = {
    "icc-burst": icc_burst,
    "icc-workload": icc_workload,
    "icc-sensitivity": icc_sensitivity,
    "dcqcn": dcqcn,
    "hpcc": hpcc,
    "pcn": pcn,
    "timely": timely,
    "guo16-livelock": guo16_livelock,
    "guo16-storm": guo16_storm,
    "guo16-flooding": guo16_flooding,
    "guo16-slow-receiver": guo16_slow_receiver,
    "guo16-alpha": guo16_alpha,
    "guo16-latency": guo16_latency,
    "deadlock-loop": deadlock_loop,
    "deadlock-ring": deadlock_ring,
    "deadlock-microloop": deadlock_microloop,
    "irn": irn,
    "inof": inof,
    "uet-paths": uet_paths,
    "mrc": mrc,
    "conweave": conweave,
    "machines": machines,
    "comparison": comparison,
}
GROUPS = {
    "icc": ("icc-burst", "icc-workload", "icc-sensitivity"),
    "guo16": ("guo16-livelock", "guo16-storm", "guo16-flooding", "guo16-slow-receiver",
              "guo16-alpha", "guo16-latency"),
    "deadlock": ("deadlock-loop", "deadlock-ring", "deadlock-microloop"),
    "all": tuple(PAPERS),
}


@dataclass
class Options:
    """What the runs of a paper depend on."""

    quick: bool = False
    schemes: tuple = ()  # names; empty: all that the paper needs
    samples: int = 0  # of each claim; 0: as the paper's module says


class Parser(argparse.ArgumentParser):
    """Errors in one line."""

    def error(self, message):
        raise ReproduceError(f"{message}; --help lists the options")


def parse(arguments):
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = Parser(prog="reproduce", allow_abbrev=False,
                    description="Repeats the experiments of papers.")
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="what to reproduce; without: all. --list lists the names")
    parser.add_argument("--outDir", default=os.path.join("results", "reproduce"),
                        help="folder of results [%(default)s]")
    parser.add_argument("--jobs", default=str(os.cpu_count() or 1),
                        help="runs at a time [%(default)s]")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter runs")
    parser.add_argument("--schemes", default="", help="only these congestion controls, such as "
                        "dcqcn,icc")
    parser.add_argument("--samples", default="", help="samples of each claim, where there is more than "
                        "one; without: as each experiment declares")
    parser.add_argument("--programs", default="", help="folder of programs that are built already")
    parser.add_argument("--update-docs", action="store_true", help="also write the tables that "
                        "doc/reproductions.rst shows")
    parser.add_argument("--list", action="store_true", help="list the names, and end")
    options = parser.parse_args(arguments)
    options.root = root
    options.jobs = positive("jobs", options.jobs)
    samples = positive("samples", options.samples) if options.samples else 0
    wanted = tuple(schemes.parse(options.schemes)) if options.schemes else ()
    options.paper = Options(options.quick, wanted, samples)
    options.selected = select(options.names or ["all"])
    if options.update_docs and (options.quick or wanted):
        raise ReproduceError("--update-docs needs whole experiments, without --quick and --schemes")
    return options


def positive(name, text):
    """The value of an option that is a number."""
    if not text.isdecimal() or int(text) < 1:
        raise ReproduceError(f"--{name} is \"{text}\"; it must be a number, 1 or more")
    return int(text)


def select(names):
    """The papers that names and groups stand for, each once, in the order of PAPERS."""
    chosen = set()
    for name in names:
        if name not in PAPERS and name not in GROUPS:
            raise ReproduceError(f"there is nothing called \"{name}\" to reproduce; known are "
                                 + ", ".join((*PAPERS, *GROUPS)))
        chosen.update(GROUPS.get(name, (name,)))
    return [name for name in PAPERS if name in chosen]


def list_names():
    for name, module in PAPERS.items():
        print(f"{name:14} {module.TITLE}")
    for name, members in GROUPS.items():
        print(f"{name:14} {', '.join(members)}")


def used_schemes(runs):
    """The schemes whose options the runs have, in the order of the list."""
    return [scheme for scheme in schemes.ALL
            if any(set(scheme.arguments()) <= set(run.arguments) for run in runs)]


def reproduce(name, options, programs):
    module = PAPERS[name]
    folder = os.path.join(options.outDir, name)
    samples = plan(module, options.paper)
    if not samples[0]:
        print(f"{name}: none of its runs uses the schemes of --schemes")
        return
    with lock.locked(folder) as descriptor:
        runner = Runner(programs, build.libraries(programs), folder, options.jobs, (descriptor,))
        execute(name, module, samples, runner, options)


def plan(module, options):
    """The runs of each sample; the first sample has all of them."""
    count = module.samples(options)
    if options.samples and count > 1:
        count = options.samples
    return [[replace(run, sample=number) for run in module.runs(options, Sample(number, count))]
            for number in range(count)]


def measure(module, samples, runner, options):
    """What the module measures of each sample. Only that is kept: the files of runs are large."""
    return [module.measure({run.name: Results(runner.folder_of(run), run) for run in runs}, options)
            for runs in samples]


def execute(name, module, samples, runner, options):
    """The runs of a paper, and its report."""
    folder = runner.folder
    runs = [run for sample in samples for run in sample]
    done = runner.execute(runs, name)
    measured = measure(module, samples, runner, options.paper)
    evaluation = report.merge([module.evaluate(sample, options.paper) for sample in measured])
    evaluation.deterministic = module.samples(options.paper) == 1
    evaluation.figures = [*module.draw(measured, options.paper),
                          *figures.overview(evaluation.claims)]
    if hasattr(module, "conclude"):
        module.conclude(evaluation, measured, options.paper)
    path = report.write(folder, module, evaluation, used_schemes(runs), runs)
    text = report.summary(evaluation.claims)
    if not evaluation.claims:
        text = "no claims"
    failed = [check for check in evaluation.checks if not check.holds]
    if failed:
        text += f"; {len(failed)} of {len(evaluation.checks)} CHECKS FAILED ({failed[0].name})"
    print(f"{name}: {done} runs ({len(runs) - done} were there): {text}. {path}", flush=True)
    for headline in getattr(module, "headlines", lambda *_: ())(evaluation):
        print(f"  {headline}")
    if options.update_docs:
        document.update(options.root, name, evaluation)


def stopped():
    print("reproduce: stopped; the same command goes on with what is left", file=sys.stderr)
    return 130


def main(arguments):
    try:
        options = parse(arguments)
        if options.list:
            list_names()
            return 0
        figures.require()
        needed = sorted({run.program for name in options.selected
                         for sample in plan(PAPERS[name], options.paper) for run in sample})
        programs = options.programs or build.build(options.root, needed)
        for name in options.selected:
            reproduce(name, options, programs)
        return 0
    except ReproduceError as error:
        print(f"reproduce: {error}", file=sys.stderr)
    except OSError as error:
        print(f"reproduce: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
    except KeyboardInterrupt:
        return stopped()
    return 2
