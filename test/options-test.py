#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Gives the programs in examples/ options as users do: what is wrong is one line and exit status 2,
# and an option that has no effect beside another one is named in one line.
#
#   options-test.py <folder of the programs> <examples/CMakeLists.txt>
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.abspath(sys.argv[1])
with open(sys.argv[2], encoding="ascii") as file:
    LISTS = file.read()
REPRODUCTIONS = re.search(r"foreach\(program\s+(.*?)\)", LISTS, re.S)[1].split()
PROGRAMS = [name for name in re.findall(r"^  NAME (\w\S+)$", LISTS, re.M) + REPRODUCTIONS
            # It shows ns-3's own CommandLine.
            if name != "lossless-scheduler-example"]

# Option without effect, what it needs, and the program with the other options.
UNUSED = [
    ("--dialect=ns3::H3cStorm", "--watchdog=tor", "pfc-storm --stop=10us"),
    ("--dialect=ns3::H3cStorm", "--watchdog=tor", "pfc-storm --stop=10us --watchdog=nic"),
    ("--scale=5", "--watchdog=nic or tor", "pfc-storm --stop=10us"),
    ("--bytes=1MB", "--senders above 0", "leaf-spine-incast --senders=0 --duration=20us"),
    ("--perHop=1us", "--flaps above 0", "link-failure --flaps=0 --stop=1ms"),
    ("--dialect=ns3::H3cStorm", "--watchdog=tor", "guo16-storm --stop=2ms"),
    ("--action=Alert", "--watchdog=tor", "guo16-storm --stop=2ms --watchdog=nic"),
    ("--allPorts", "--watchdog=tor", "guo16-storm --stop=2ms"),
    ("--scale=5", "--watchdog=nic or tor", "guo16-storm --stop=2ms"),
    ("--storm=5ms", "a time before --stop", "guo16-storm --stop=10us"),
    ("--end=5ms", "a time before --stop", "guo16-storm --stop=10us"),
    ("--senders=3", "--pattern=incast", "congestion-comparison --k=2 --pattern=permutation --bytes=1KB"),
    ("--first=1", "--scenario=unfairness", "dcqcn-paper --scenario=pair --stop=10us"),
    ("--extra=1", "--scenario=victim", "dcqcn-paper --stop=10us"),
    ("--draw=2", "--scenario=victim", "dcqcn-paper --stop=10us"),
    ("--senders=4", "--scenario=incast", "dcqcn-paper --stop=10us"),
    ("--bytes=1MB", "--senders above 0", "hpcc-paper --senders=0 --duration=20us"),
    ("--incastShare=1", "--senders above 0", "hpcc-paper --senders=0 --duration=20us"),
    ("--burst=1us", "--remote or --local above 0", "icc-burst --remote=0 --local=0 --stop=10us"),
    ("--burst=1ms", "a time before --stop", "icc-burst --stop=10us"),
    ("--burst=1ms", "a time before --stop", "pcn-paper --stop=10us"),
    ("--flowsPerHost=2", "--hosts above 0", "pcn-paper --hosts=0 --stop=10us"),
    ("--load=0.1", "--flows above 0", "icc-workload --flows=0"),
    ("--interval=2ms", "--repeats above 1", "guo16-alpha --repeats=1"),
    ("--pfcThreshold=9KB", "--pfc=true", "irn-paper --k=4 --duration=20us"),
    ("--inject=1Gbps", "--congestion=none", "microloop-deadlock --congestion=ns3::RdmaDcqcn --stop=2500us"),
    ("--failure=3ms", "a time before --stop", "microloop-deadlock --stop=10us"),
    ("--delayA=1us", "--failure and --delayA before --stop", "microloop-deadlock --stop=10us"),
    ("--delayB=1us", "--failure and --delayB before --stop", "microloop-deadlock --stop=10us"),
    ("--revive=9ms", "--die above 0", "guo16-flooding --die=0 --stop=10us"),
    ("--burstEvery=1ms", "--burstBytes above 0", "guo16-slow-receiver --stop=10us"),
    ("--alpha=0.5", "--staticBytes=0", "guo16-slow-receiver --staticBytes=100KB --stop=10us"),
    ("--sample=1us", "--outDir", "guo16-livelock --stop=10us"),
    ("--dataAlone", "--loss=true, or --random above 0", "guo16-livelock --loss=false --stop=10us"),
    ("--at=2s", "a time before --stop", "inof-failover --stop=40ms"),
    ("--leaves=2", "--k=0", "inof-latency --k=4"),
    ("--hosts=2", "--k=0", "inof-latency --k=4"),
]

# What is wrong, and its line.
WRONG = [
    ("guo16-storm --storm=3ms --end=2ms", "the storm ends before it begins; --end must be after --storm"),
    ("guo16-flooding --revive=2ms", "the hosts come back before they die; --revive must be after --die"),
    ("guo16-slow-receiver --stop=0", "--stop is 0, and the flows do not end; it must be above 0"),
    ("guo16-slow-receiver --burstBytes=1KB --burstEvery=0", "--burstEvery is 0; it must be above 0"),
    ("guo16-livelock --stop=0", "--stop is 0; it must be above 0"),
    ("guo16-livelock --sample=0", "--sample is 0; it must be above 0"),
    ("inof-failover --fault=fire --at=2s",
     '--fault is "fire"; it must be link, leaf, crash or reflector'),
]
failed = 0


def check(name, condition, detail):
    global failed
    if not condition:
        failed += 1
        print(f"FAILED: {name}: {detail}")


def run(command, folder):
    name, *arguments = command.split()
    return subprocess.run([os.path.join(FOLDER, name), *arguments], cwd=folder, timeout=300,
                          capture_output=True, text=True, check=False)


with tempfile.TemporaryDirectory() as scratch:
    for program in PROGRAMS:
        for argument, line in (("nonsense", 'argument "nonsense"; options look like --name=value'),
                               ("--rat=25Gbps", "there is no option --rat")):
            result = run(f"{program} {argument}", scratch)
            check(f"{program} {argument}",
                  result.returncode == 2 and not result.stdout and result.stderr.count("\n") == 1
                  and result.stderr.startswith(f"{program}: {line}"), result)
        result = run(f"{program} --help", scratch)
        check(f"{program} --help", result.returncode == 0 and not result.stderr and
              result.stdout.startswith(f"{program}: "), result)
    for option, need, command in UNUSED:
        result = run(f"{command} {option}", scratch)
        line = f"lossless: warning: {option.split('=')[0]} has no effect; it needs {need}"
        check(f"{command} {option}",
              result.returncode == 0 and line in result.stderr.splitlines(), result)
        result = run(command, scratch)
        check(command, result.returncode == 0 and "it needs" not in result.stderr, result)
    for command, line in WRONG:
        result = run(command, scratch)
        check(command, result.returncode == 2 and not result.stdout and
              result.stderr == f"{command.split()[0]}: {line}\n", result)
    result = run("first-fabric --bytes=1MB --ns3::QbbNetDevice::DataRate=25Gbps", scratch)
    check("options of first-fabric", "1000000 bytes in +746" in result.stdout and not result.stderr, result)
    with open(os.path.join(scratch, "settings"), "w", encoding="ascii") as file:
        file.write("[leaf]\n")
    result = run("first-fabric --settings=settings", scratch)
    check("settings that nobody reads", "--settings has no effect" in result.stderr, result)
print(f"{len(PROGRAMS)} programs, {len(UNUSED) + len(WRONG)} cases, {failed} failed")
sys.exit(1 if failed else 0)
