#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# utils/reproduce as users run it: files, plots and report of a small run; a run that was stopped goes
# on; nothing is repeated; errors are one line and status 2.
#
#   reproduce-test.py <reproduce> <folder of the programs>
import csv
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

# nohup and background jobs of a shell ignore signals, and programs inherit that: tests send them.
for inherited in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(inherited, signal.SIG_DFL)

REPRODUCE, PROGRAMS = sys.argv[1:3]
failures = []


def check(name, condition, detail=""):
    if not condition:
        failures.append(name)
        print(f"FAILED: {name}: {detail}")


def command(folder, *arguments, programs=PROGRAMS):
    return [sys.executable, REPRODUCE, f"--outDir={folder}", f"--programs={programs}", *arguments]


def run(folder, *arguments, programs=PROGRAMS, timeout=300):
    return subprocess.run(command(folder, *arguments, programs=programs), capture_output=True,
                          text=True, timeout=timeout, check=False)


def stamps(folder):
    return [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names
            if name == "done"]


def check_files(folder):
    """One small reproduction, all that it writes."""
    small = ("dcqcn", "--quick", "--schemes=none", "--samples=2")
    result = run(folder, *small)
    check("run", result.returncode == 0, result.stderr)
    check("quiet in a pipe", result.stderr == "", result.stderr)
    total = len(stamps(folder))
    check("runs", total > 5 and f"dcqcn: {total} runs (0 were there)" in result.stdout,
          result.stdout)
    with open(os.path.join(folder, "dcqcn", "claims.csv"), newline="", encoding="ascii") as file:
        rows = list(csv.reader(file))
    check("columns", ",".join(rows[0]) == "claim,source,published,measured,low,high,samples,unit,"
          "tolerance,verdict", rows[0])
    check("verdicts", len(rows) > 5 and {row[9] for row in rows[1:]} <= {
        "reproduced", "order holds, within a factor 2", "order holds only", "not reproduced",
        "undecided"}, rows)
    check("samples", all(float(row[4]) <= float(row[3]) <= float(row[5]) and row[6] == "2"
                         for row in rows[1:]), rows)
    # Senders that begin at other phases share the line otherwise in detail: samples are no copies.
    check("samples differ", any(row[4] != row[5] for row in rows[1:]), rows)
    # Of 40 Gb/s, two ingress ports get half each: three hosts share one of the halves.
    rates = {row[0]: float(row[3]) for row in rows if "3 + 0" in row[0]}
    check("unfairness", [round(rate) for rate in rates.values()] == [7, 7, 7, 20], rates)
    with open(os.path.join(folder, "dcqcn", "report.html"), encoding="utf-8") as file:
        page = file.read()
    plots = [name for name in os.listdir(os.path.join(folder, "dcqcn")) if name.endswith(".png")]
    for plot in plots:
        size = os.path.getsize(os.path.join(folder, "dcqcn", plot))
        check("plot", size > 5000, f"{plot}: {size} bytes")
    check("plots", len(plots) >= 2 and page.count("data:image/png;base64,") == len(plots), plots)
    check("self-contained", not re.search(r'(src|href)="(?!data:|#)', page))
    check("parameters", "dcqcn-paper --scenario=victim --extra=2" in page)
    titles = re.findall(r'<h2 id="part-\d+">([^<]*)</h2>', page)
    check("contents", titles and titles[0] == "Figures" and re.findall(
        r'<a href="#part-\d+">([^<]*)</a>', page) == titles, titles)
    check("figures first", page.rfind("<img ") < page.find("<table"))

    again = run(folder, *small)
    check("no repetition", f"dcqcn: 0 runs ({total} were there)" in again.stdout, again.stdout)
    os.remove(stamps(folder)[0])
    with open(stamps(folder)[0], "w", encoding="ascii") as file:
        file.write('{"command": "')
    again = run(folder, *small)
    check("two again", f"dcqcn: 2 runs ({total - 2} were there)" in again.stdout, again.stdout)
    for size, stamp in zip((0, 40), sorted(stamps(folder))):
        os.truncate(os.path.join(os.path.dirname(stamp), "fct.csv"), size)
    again = run(folder, *small)
    check("damaged again", f"dcqcn: 2 runs ({total - 2} were there)" in again.stdout,
          again.stdout + again.stderr)


def check_document(folder):
    """What doc/reproductions.rst shows of a whole experiment is what its command gives."""
    result = run(folder, "timely")
    check("timely", result.returncode == 0, result.stderr)
    path = os.path.join(os.path.dirname(REPRODUCE), "..", "doc", "reproduced", "timely.csv")
    with open(path, newline="", encoding="ascii") as file:
        shown = [(row["claim"], row["measured"].partition(" ")[0], row["verdict"])
                 for row in csv.DictReader(file)]
    given = [(row["claim"], row["measured"], row["verdict"]) for row in claims_of(folder, "timely")]
    check("the document", shown == given, f"{shown} {given}")


def check_stop(folder):
    """Stop it after its first runs, go on."""
    arguments = ("dcqcn", "--quick", "--jobs=1", "--samples=1")
    with subprocess.Popen(command(folder, *arguments), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as child:
        while len(stamps(folder)) < 2 and child.poll() is None:
            time.sleep(0.01)
        second = run(folder, *arguments)
        check("second at once", second.returncode == 2 and len(second.stderr.splitlines()) == 1
              and "in use" in second.stderr, f"{second.returncode}: {second.stderr}")
        child.send_signal(signal.SIGTERM)
        message = child.communicate(timeout=60)[1]
    check("stopped", child.returncode == 130 and len(message.splitlines()) == 1, message)
    finished = len(stamps(folder))
    result = run(folder, *arguments)
    match = re.search(r"dcqcn: (\d+) runs \((\d+) were there\)", result.stdout)
    check("goes on", match and int(match[2]) == finished and int(match[1]) > 0,
          f"{finished} finished; {result.stdout}{result.stderr}")


def check_early_stop(folder):
    """Ctrl-C while it starts: one line at any time."""
    def ready(child):
        """Whether it catches SIGTERM: before, Python itself is still starting."""
        with open(f"/proc/{child.pid}/status", encoding="ascii") as file:
            caught = next(line for line in file if line.startswith("SigCgt:")).split()[1]
        return int(caught, 16) >> (signal.SIGTERM - 1) & 1

    for delay in (0, 0.1, 0.2, 0.4):
        with subprocess.Popen(command(folder, "dcqcn", "--jobs=1"), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as child:
            while child.poll() is None and not ready(child):
                time.sleep(0.005)
            time.sleep(delay)
            child.send_signal(signal.SIGINT)
            message = child.communicate(timeout=60)[1]
        check("early stop", child.returncode == 130 and len(message.splitlines()) == 1
              and "stopped" in message, f"{delay} s: {child.returncode}: {message}")


def claims_of(folder, name):
    with open(os.path.join(folder, name, "claims.csv"), newline="", encoding="ascii") as file:
        return list(csv.DictReader(file))


def check_groups(folder):
    """A member of each group of failures and recoveries: claims, page and plots; what is known."""
    listed = run(folder, "--list").stdout
    for name in ("guo16-livelock", "guo16-storm", "guo16-flooding", "guo16-slow-receiver",
                 "guo16-alpha", "deadlock-loop", "deadlock-ring", "deadlock-microloop", "irn", "inof",
                 "guo16", "deadlock"):
        check("list", re.search(rf"^{name} +\S", listed, re.MULTILINE), f"{name}: {listed}")
    names = ("guo16-alpha", "deadlock-ring", "irn", "inof")
    result = run(folder, *names, "--quick", "--jobs=2", "--samples=2", timeout=1200)  # of debug builds
    check("groups", result.returncode == 0 and not result.stderr, result.stderr)
    for name in names:
        rows = claims_of(folder, name)
        check("sources and tolerances", rows and all(
            row["source"] and row["tolerance"] for row in rows), f"{name}: {rows}")
        with open(os.path.join(folder, name, "report.html"), encoding="utf-8") as file:
            page = file.read()
        plots = [each for each in os.listdir(os.path.join(folder, name)) if each.endswith(".png")]
        check("plots of groups", plots and page.count("data:image/png;base64,") == len(plots), name)
        check("no check fails", 'class="not"' not in page[page.find(">Checks</h2>"):], name)

    # Nothing is random there but ECMP, of which samples have other draws.
    drawn = [row for row in claims_of(folder, "guo16-alpha") if row["claim"].endswith("no control")]
    check("draws of ECMP", drawn and all(row["low"] != row["high"] for row in drawn), drawn)

    def measured(name, claim):
        return next((float(row["measured"]) for row in claims_of(folder, name)
                     if row["claim"] == claim), None)

    ring = "H3C auto-clear, discard"
    check("ring", measured("deadlock-ring", "deadlocks, nothing done") == 1
          and measured("deadlock-ring", "flows completed, port groups") == 16
          and (measured("deadlock-ring", f"deadlocks ended, {ring}") or 0) >= 1,
          claims_of(folder, "deadlock-ring"))
    # Two messages between switches of 1 ms each.
    cut = measured("inof", "interruption of I/O when the link of a disk is cut")
    check("failover", cut is not None and 2 < cut < 2.1, cut)
    better = measured("irn", "average FCT, IRN without PFC against RoCE with PFC: less by")
    check("irn", better is not None and better > 0, better)


def check_errors(folder):
    def refused(name, arguments, text, outdir=folder, programs=PROGRAMS):
        result = run(outdir, *arguments, programs=programs)
        check(name, result.returncode == 2 and len(result.stderr.splitlines()) == 1
              and text in result.stderr, f"{result.returncode}: {result.stderr}")

    refused("name", ("nobody",), "nobody")
    refused("jobs 0", ("dcqcn", "--jobs=0"), "--jobs")
    refused("samples 0", ("dcqcn", "--samples=0"), "--samples")
    refused("jobs x", ("dcqcn", "--jobs=x"), "--jobs")
    refused("option", ("dcqcn", "--fast"), "--fast")
    refused("documentation", ("timely", "--quick", "--update-docs"), "--update-docs")
    refused("scheme", ("dcqcn", "--schemes=nobody"), "nobody")
    refused("no programs", ("pcn", "--schemes=none"), "pcn-paper",
            programs=os.path.join(folder, "nothing"))
    blocked = os.path.join(folder, "file")
    with open(blocked, "w", encoding="ascii") as file:
        file.write("x")
    refused("folder", ("pcn", "--quick", "--schemes=none"), "file", outdir=blocked)

    broken = os.path.join(folder, "programs")
    os.makedirs(broken)
    path = os.path.join(broken, "pcn-paper")
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\necho first >&2\necho 'pcn-paper: too small' >&2\nexit 2\n")
    os.chmod(path, 0o755)
    refused("program fails", ("pcn", "--schemes=none"), "pcn-paper: too small",
            outdir=os.path.join(folder, "broken"), programs=broken)
    check("no stamp", stamps(os.path.join(folder, "broken")) == [])
    result = run(folder, "--list")
    check("list", result.returncode == 0 and "icc-burst" in result.stdout, result.stderr)


if subprocess.run([sys.executable, "-c", "import matplotlib"], capture_output=True,
                  check=False).returncode:
    print("skipped: no matplotlib")
    sys.exit(77)
for part in (check_files, check_document, check_groups, check_stop, check_early_stop, check_errors):
    with tempfile.TemporaryDirectory() as place:
        part(place)
print(f"reproduce-test: {'failed' if failures else 'passed'}")
sys.exit(1 if failures else 0)
