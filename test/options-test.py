#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Gives the programs in examples/ options as users do: what is wrong is one line and exit status 2.
#
#   options-test.py <folder of the programs> <examples/CMakeLists.txt>
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.abspath(sys.argv[1])
with open(sys.argv[2], encoding="ascii") as file:
    LISTS = file.read()
REPRODUCTIONS = re.search(r"foreach\(program\s+(.*?)\)", LISTS, re.S)[1].split()
PROGRAMS = re.findall(r"^ +NAME (\w\S+)$", LISTS, re.M) + REPRODUCTIONS

# Program, option, and attributes that the option sets.
STANDS_FOR = [
    ("leaf-spine-incast", "--congestion=none", "RdmaQueuePair::CongestionControl=ns3::RdmaDcqcn"),
    ("leaf-spine-incast", "--threads=3", "FabricSimulatorImpl::Threads=1"),
    ("congestion-comparison", "--threads=0", "FabricSimulatorImpl::Threads=1"),
    ("lossless-replay", "--wire=standard", "RdmaQueuePair::FrameFormat=Hpcc"),
    ("lossless-replay", "--wire=hpcc", "QbbNetDevice::SerialisationUnit=1us"),
    ("deadlock-ring", "--action=Drain", "DeadlockDetector::Action=Report"),
    ("pfc-storm", "--dialect=ns3::H3cStorm", "PfcWatchdog::Dialect=ns3::Guo16Storm"),
    ("pfc-storm", "--scale=5", "PfcWatchdog::TimeScale=1"),
    ("pfc-storm", "--scale=5", "NicWatchdog::TimeScale=1"),
    ("dcqcn-paper", "--rate=10Gbps", "QbbNetDevice::DataRate=25Gbps"),
    ("dcqcn-paper", "--delay=2us", "QbbChannel::Delay=3us"),
    ("guo16-alpha", "--alpha=0.5", "SwitchMmu::Alpha=0.25"),
    ("guo16-alpha", "--buffer=9MB", "SwitchMmu::BufferSize=8MB"),
    ("guo16-alpha", "--rate=10Gbps", "QbbNetDevice::DataRate=25Gbps"),
    ("guo16-latency", "--alpha=0.5", "SwitchMmu::EgressAlpha=0.25"),
    ("guo16-flooding", "--unknownMac=Drop", "L2Tables::UnknownMac=Flood"),
    ("guo16-flooding", "--macTimeout=1s", "L2Tables::MacTimeout=2s"),
    ("guo16-flooding", "--alpha=0.5", "SwitchMmu::Alpha=0.25"),
    ("guo16-livelock", "--recovery=ns3::RdmaIrn", "RdmaQueuePair::LossRecovery=ns3::RdmaGoBack0"),
    ("guo16-livelock", "--rtt=9us", "QbbChannel::Delay=1us"),
    ("guo16-livelock", "--random=0.1", "RandomFrameLoss::Rate=0.2"),
    ("guo16-slow-receiver", "--page=4KiB", "NicReceiveBuffer::PageBytes=8KiB"),
    ("guo16-slow-receiver", "--region=4MiB", "NicReceiveBuffer::RegionBytes=8MiB"),
    ("guo16-slow-receiver", "--alpha=0.5", "SwitchMmu::Alpha=0.25"),
    ("guo16-storm", "--allPorts=true", "PfcWatchdog::ServerPortsOnly=true"),
    ("guo16-storm", "--action=Alert", "PfcWatchdog::Action=Drop"),
    ("guo16-storm", "--rate=10Gbps", "QbbNetDevice::DataRate=25Gbps"),
    ("conweave-paper", "--balancer=ecmp", "FabricSwitch::LoadBalancerType=ns3::LetFlowLoadBalancer"),
    ("conweave-paper", "--pfc=false", "RdmaQueuePair::LossRecovery=ns3::RdmaGoBackN"),
    ("irn-paper", "--recovery=ns3::RdmaIrn", "RdmaQueuePair::LossRecovery=ns3::RdmaGoBackN"),
    ("irn-paper", "--pfc=true", "QbbNetDevice::PfcClasses=0"),
    ("loop-deadlock", "--ttl=9", "RdmaQueuePair::InitialTtl=8"),
    ("loop-deadlock", "--inject=1Gbps", "RdmaFixedRate::Rate=2Gbps"),
    ("loop-deadlock", "--inject=1Gbps", "RdmaQueuePair::CongestionControl=ns3::RdmaDcqcn"),
    ("machines", "--mtu=1024", "RdmaQueuePair::Mtu=2048"),
    ("machines", "--ackInterval=4", "RdmaQueuePair::AckInterval=2"),
    ("microloop-deadlock", "--inject=1Gbps", "RdmaFixedRate::Rate=2Gbps"),
    ("ring-deadlock", "--period=1ms", "DeadlockDetector::Period=2ms"),
    ("timely-paper", "--one=1Gbps", "RdmaTimely::InitialRate=2Gbps"),
    ("timely-paper", "--two=1Gbps", "RdmaQueuePair::CongestionControl=ns3::RdmaDcqcn"),
    ("microloop-deadlock", "--inject=1Gbps", "RdmaQueuePair::CongestionControl=ns3::RdmaDcqcn"),
    ("uet-paths", "--dialect=Ue", "RdmaNscc::Dialect=Htsim"),
    ("uet-paths", "--trim=false", "RdmaNscc::Trimming=true"),
]

# What is wrong, and its line.
WRONG = [
    ("guo16-storm --storm=3ms --end=2ms", "the storm ends before it begins; --end must be after --storm"),
    ("guo16-flooding --revive=2ms", "the hosts come back before they die; --revive must be after --die"),
    ("guo16-slow-receiver --stop=0", "--stop is 0, and the flows do not end; it must be above 0"),
    ("guo16-slow-receiver --burstBytes=1KB --burstEvery=0", "--burstEvery is 0; it must be above 0"),
    ("guo16-livelock --stop=0", "--stop is 0; it must be above 0"),
    ("guo16-livelock --sample=0", "--sample is 0; it must be above 0"),
    ("fat-tree-permutation --rounds=0", "--rounds is 0; it must be 1 to 1000"),
    ("fat-tree-permutation --threads=2 --ns3::FabricSimulatorImpl::Order=Uid",
     "threads of the run is 2, and ns3::FabricSimulatorImpl::Order is Uid, which no threads keep; give one of them"),
    ("dcqcn-paper --first=4", "--first is 4; it must be 0 to 3"),
    ("dcqcn-paper --scenario=victim --extra=3", "--extra is 3; it must be 0 to 2"),
    ("lossless-buffers --ports=8x100Gbps", 'ports are "8x100Gbps"; write number, rate and metres, such as 32x100Gbps:100'),
    ("lossless-buffers --ports=8x100Gbps:9 --mtu=1500,9000", "--mtu, --reaction or --cell has several values; a switch has one"),
    ("lossless-buffers --ports=8x100Gbps:9 --classes=9", "9 lossless classes; a port has 8 classes"),
    ("lossless-buffers --rate=", "--rate is empty; give a value, or several with commas between"),
    ("lossless-buffers --rate=10Gbps,x", '--rate is "x"; it must be a rate above 0, such as 100Gbps or 25Gb/s'),
    ("lossless-buffers --metres=100001", "the length of the cable in metres is 100001; it must be 0 to 100000"),
    ("lossless-buffers --csv=/dev/null/x", "/dev/null/x: cannot be written: Not a directory"),
    ("lossless-scheduler-example --pending=x", '--pending is "x"; it must be a whole number from 0 to 4294967295'),
    ("lossless-scheduler-example --scheduler=ns3::SwitchMmu", "the object is ns3::SwitchMmu, which is no "
     "ns3::Scheduler; one of: ns3::CalendarScheduler, ns3::HeapScheduler, ns3::ListScheduler, "
     "ns3::MapScheduler, ns3::PriorityQueueScheduler, ns3::WheelScheduler"),
    ("lossless-scheduler-example --meanDelay=1h",
     "--events of --meanDelay last longer than the clock; take fewer, or a shorter delay"),
    ("dcqcn-paper --scenario=incast --senders=0", "--senders is 0; it must be 1 or more"),
    ("guo16-flooding --stop=0", "--stop is 0, and the flows do not end; it must be above 0"),
    ("guo16-storm --stop=0", "--stop is 0, and the flows do not end; it must be above 0"),
    ("pfc-storm --stop=0", "--stop is 0, and the storm does not end; it must be above 0"),
    ("guo16-storm --k=2", "--k is 2; it must be 4 or more: 16 hosts"),
    ("guo16-alpha --repeats=1 --ecmpDraw=65536",
     "--ecmpDraw is 65536; a seed is below 2^32, of which 2^16 are of a draw"),
    ("guo16-alpha --rate=-5Gbps",
     '--rate is "-5Gbps"; it must be a rate above 0, such as 100Gbps or 25Gb/s, and not negative'),
    ("guo16-alpha --alpha=128", "leaf 0 (node 32): SwitchMmu: alpha 128; it must be 0 or more and below 128 "
     "(and 5 more findings)"),
    ("guo16-livelock --random=2", "--random is 2; it must be a number from 0 to 1"),
    ("guo16-slow-receiver --page=0",
     "--page is 0; it must be a whole number, 1 or more"),
    ("timely-paper --congestion=none", "there is no type none; known: ns3::RdmaPatchedTimely, ns3::RdmaTimely"),
    ("loop-deadlock --ttl=0",
     "--ttl is 0; it must be a whole number from 1 to 255"),
    ("loop-deadlock --switches=0", "--switches is 0; it must be 2 or more"),
    ("uet-paths --lines=incast-16", '--lines has "incast-16"; did you mean incast-15?'),
    ("pfc-or-not --ranks=32", "--ranks is 32; it must be a square, such as 16, 64, 256 or 1024: as many leaves as "
     "spines, and as hosts of a leaf"),
    ("pfc-or-not --faults=cut-plane", '--faults has "cut-plane"; none, slow-link, cut-link, loss:0.01 or, of several '
     "--planes, cut-plane"),
    ("pfc-or-not --schemes=pfc", '--schemes has "pfc"; pfc:N with N queue pairs of each pair of ranks, spray, nscc or mrc'),
    ("pfc-or-not --collectives=all-reduce", '--collectives has "all-reduce"; a type and a size, such as all-to-all:1MiB '
     "or all-reduce:4MiB"),
    ("pfc-or-not --converge=1us --faults=none", "--converge has no effect; it needs cut-link or cut-plane of --faults"),
    ("pfc-or-not --faults=loss:2", 'a loss of --faults is "2"; it must be a number, 0 to 1'),
    ("conweave-paper --balancer=spray", "--balancer=spray is unknown; take ecmp, letflow, conga, drill or conweave"),
    ("irn-paper --pfc --pfcThreshold=300KB", "--pfcThreshold is above --portBuffer; it is a part of it"),
    ("icc-workload --load=1e300", "--load is 1e+300; it must be above 0 and at most 10"),
    ("icc-workload --load=1e-300 --flows=10",
     "flows start after the last time that there is; --load must be higher, or --flows lower"),
    ("sonic-fabric --leaf=x.json", "x.json: cannot be read; expected a config_db.json of SONiC"),
    *((f"{program} --{option}=/dev/zero", line) for program, option, line in (
        ("leaf-spine-incast", "settings", "/dev/zero: file is longer than 64 MiB"),
        ("sonic-fabric", "leaf", "/dev/zero: file is longer than 64 MiB"),
        ("lossless-job", "jobs", "/dev/zero: file is longer than 64 MiB"),
        ("lossless-job", "simai", "/dev/zero:1: a line of more than 67108864 bytes"))),
    ("operations --stop=0", "--stop is 0; it must be above 0"),
    ("own-congestion-control --ns3::RdmaQueuePair::CongestionControl=ns3::RdmaHpcc",
     "--ns3::RdmaQueuePair::CongestionControl is the same for both runs; leave it out: this program compares two"),
    ("inof-failover --outDir=/dev/null/x", "/dev/null/x: is no folder and cannot be made one; name another one"),
    ("inof-latency --outDir=/dev/null/x", "/dev/null/x: is no folder and cannot be made one; name another one"),
    ("guo16-livelock --outDir=/dev/null/x", "/dev/null/x: is no folder and cannot be made one; name another one"),
    ("inof-failover --stop=1ms", "--stop is 1ms; it must be more than 30 ms, when the I/Os begin"),
    ("inof-failover --fault=fire --at=2s",
     '--fault is "fire"; it must be link, leaf, crash or reflector'),
    ("lossless-job --simai=micro.simai", "micro.simai:1: nothing says how many ranks there are; write all_gpus: N in "
     "this line, or set ranks (lossless-job --ranks=N), 1 to 1048576"),
    ("lossless-job --graph=braces.jsonl", 'braces.jsonl:1: "format" is no "lossless-graph"; the first line has format, '
     "version and ranks"),
    ("lossless-job --ns3::RingCollective::ChunkBytes=1 --collective=all-reduce:64MiB",
     "job job: --collective: operation 0 of rank 0: ring: 939524096 messages of a collective of 8 ranks on one "
     "channel; at most 16777216: longer chunks, fewer slices, or fewer ranks"),
    ("lossless-job --collective=all-to-all:1MiB --channels=256 --queuePairs=1024",
     "job job: --collective: operation 0 of rank 0: 14680064 queue pairs: 56 pairs of ranks on 256 channels, with "
     "1024 each; at most 4194304: fewer channels, queue pairs for each, or ranks"),
    *((f"lossless-job --{option}=", f"--{option} is empty; name one, or leave it out") for option in (
        "chakra", "goal", "simai", "graph", "model", "collective", "jobs", "ranks", "preset", "topology")),
    ("lossless-job --sample=999ps", '--sample is "999ps"; it must be 1ns or more, for no frame is shorter'),
    ("lossless-job --model=llama-2-7b --tp=8 --microBatches=1048576",
     "training: some 2147483648 operations of all ranks; at most 67108864: fewer microBatches, layers or ranks"),
    ("lossless-job --graph=nic.jsonl", "job job: nic.jsonl: line 3 of rank 0: NIC 5 of host 0; it has 1, from 0"),
    ("lossless-job --chakra=none --memoryBandwidth=1e12",
     "of peakFlops and memoryBandwidth one is 0; set both, or none"),
    ('lossless-job --name=a"b', '--name is "a"b"; it must be text on one line, without commas, semicolons and quotes'),
    ("lossless-job --cc=hpc", '--cc is "hpc"; did you mean hpcc?'),
    ("lossless-job --model=llama-2-7b --tp=0", '--tp is "0"; it must be a whole number from 1 to 1048576'),
    ("lossless-job --collective=barrier --algorithm=ring",
     "job job: none of its collectives is done by the algorithm ring; barrier is done by dissemination"),
    ("lossless-job --mtu=9001", '--mtu is "9001"; it must be a whole number from 256 to 9000'),
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
    with open(os.path.join(scratch, "p2p.jsonl"), "w", encoding="ascii") as file:
        file.write('{"format": "lossless-graph", "version": 1, "ranks": 2}\n'
                   '{"rank": 0, "op": "send", "to": 1, "bytes": 1000, "nic": 0}\n'
                   '{"rank": 1, "op": "recv", "from": 0, "bytes": 1000}\n')
    with open(os.path.join(scratch, "braces.jsonl"), "w", encoding="ascii") as file:
        file.write("{}\n")
    with open(os.path.join(scratch, "micro.simai"), "w", encoding="ascii") as file:
        file.write("MICRO\n1\ntest -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 65536 1\n")
    with open(os.path.join(scratch, "nic.jsonl"), "w", encoding="ascii") as file:
        file.write('{"format": "lossless-graph", "version": 1, "ranks": 2}\n\n'
                   '{"rank": 0, "op": "send", "to": 1, "bytes": 1000, "nic": 5}\n'
                   '{"rank": 1, "op": "recv", "from": 0, "bytes": 1000}\n')
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
    for program, option, attribute in STANDS_FOR:
        result = run(f"{program} {option} --ns3::{attribute}", scratch)
        says = "the same" if option.split("=")[1] == attribute.split("=")[1] else "different things"
        check(f"{program} {option} --ns3::{attribute}", result.returncode == 2 and not result.stdout
              and result.stderr == f"{program}: {option} and --ns3::{attribute} say {says}; give one of them\n",
              result)
    for command, line in WRONG:
        result = run(command, scratch)
        check(command, result.returncode == 2 and not result.stdout and
              result.stderr == f"{command.split()[0]}: {line}\n", result)
    result = run("first-fabric --bytes=1MB --ns3::QbbNetDevice::DataRate=25Gbps", scratch)
    check("options of first-fabric", "1000000 bytes in +746" in result.stdout and not result.stderr, result)
    for name, value, line in (
            ("QbbNetDevice::DataRate", "25Gbps", "DataRate"), ("QbbChannel::Delay", "3us", "Delay"),
            ("RateErrorModel::ErrorRate", "0.1", "ErrorRate")):
        result = run(f"dcqcn-paper --stop=10us --ns3::{name}={value}", scratch)
        check(name, result.returncode == 0 and result.stderr == f"lossless: warning: {line} of the links has no effect; "
              "the topology says it of each of its links\n", result)
    late = "link-failure --stop=900us --outDir=late"
    for option, status in (("", 0), ("--strict", 2)):
        result = run(f"{late} {option}", scratch)
        with open(os.path.join(scratch, "late", "findings.csv"), encoding="ascii") as file:
            rules = [line.split(",")[0] for line in file.readlines()[1:]]
        with open(os.path.join(scratch, "late", "summary.json"), encoding="ascii") as file:
            counts = json.load(file)["findings"]
        check(f"findings {option}", result.returncode == status and "flows completed" in result.stdout and
              "late" in rules and counts == {rule: rules.count(rule) for rule in rules}, (result, rules, counts))
        shutil.rmtree(os.path.join(scratch, "late"))
    result = run("leaf-spine-incast --bytes=10KB --duration=10us --progress=false", scratch)
    check("no progress, and no terminal", result.returncode == 0 and not result.stderr, result)
    result = subprocess.run(
        ["bash", "-c", 'ulimit -f 1; exec "$0" --bytes=10KB --duration=10us --outDir=short',
         os.path.join(FOLDER, "leaf-spine-incast")], cwd=scratch, timeout=300, capture_output=True, text=True, check=False)
    check("files longer than ulimit -f", result.returncode == 2 and re.fullmatch(
        r"leaf-spine-incast: short/[a-z.-]+: cannot be written to its end; is the disk full\?\n", result.stderr), result)
    result = run("leaf-spine-incast --bytes=10KB --duration=10us --ns3::RdmaDcqcn::ByteCounter=20000", scratch)
    check("an attribute that its congestion control does not read", result.returncode == 0 and
          result.stderr == "lossless: warning: host: RdmaDcqcn.ByteCounter is unused, as it needs Dialect Paper or "
          "Strawman; settings.csv has all\n", result)
    # Several jobs: each has GPUs of its own, and rows of its own.
    jobs = {"a": "collective=all-reduce:256KiB # of a\n\nranks=4\n", "b": "ranks=4\nname=other\n",
            "c": "ranks=1\n", "twice": "ranks=4\nranks=4\n", "seed": "seed=3\n",
            "odd": "ranks=4\nrank=3\n", "empty": "# nothing\n", "blanks": " ranks = 4 \ncollective = all-reduce:64KiB # small\n",
            "dashes": "--ranks=4\n", "cc": "cc=hpcc\n", "bare": "ranks=4\n=4\n", "zero": "channels=0\n", "list": "ranks=4\nplacement=list:0,1,2,3\n", "none": "graph=none.jsonl\n"}
    for name, text in jobs.items():
        with open(os.path.join(scratch, name + ".job"), "w", encoding="ascii") as file:
            file.write(text)
    result = run("lossless-job --jobs=a.job,b.job --outDir=two", scratch)
    check("two jobs", result.returncode == 0 and not result.stderr and
          "ranks      a: host 0: 0; host 1: 1; host 2: 2; host 3: 3\n"
          "ranks      other: host 4: 0; host 5: 1; host 6: 2; host 7: 3\n" in result.stdout, result)
    with open(os.path.join(scratch, "two", "collectives.csv"), encoding="ascii") as file:
        rows = [line.split(",") for line in file.readlines()[1:]]
    check("rows of two jobs", {(row[0], row[9]) for row in rows} == {("a", "262144"), ("other", "1048576")}, rows)
    for files, line in (
            ("a.job,b.job,c.job", "c.job: no GPU is free; a GPU for each rank: fewer ranks of the jobs before"),
            ("twice.job", "twice.job:2: ranks is there twice; say it once"),
            ("seed.job", 'seed.job:1: "seed" is no option of a job; --seed of lossless-job itself sets it for the run'),
            ("dashes.job", "dashes.job:1: the options of a job have no dashes in front; ranks=4"),
            ("empty.job,b.job", "empty.job: there is no option in it; write one on each line, such as "
             "collective=all-reduce:1MiB"),
            ("odd.job", 'odd.job:2: "rank" is no option of a job; did you mean ranks?'),
            ("cc.job", 'cc.job:1: "cc" is no option of a job; --cc of lossless-job itself sets it for the run'),
            ("bare.job", 'bare.job:2: "=4" names no option; such as collective=all-reduce:1MiB'),
            ("zero.job", 'zero.job:1: channels is "0"; it must be a whole number from 1 to 256'),
            ("a.job,b.job --fabric=star:7", 'b.job:1: ranks is "4"; it must be a whole number from 1 to 3, a GPU for '
             "each, which no job before it has"),
            ("a.job,b.job --placement=list:0,1,2,3", "b.job: --placement=list:0,1,2,3, of all jobs that say none: the "
             "placement has more than 0 ranks on host 0; as many as it has GPUs that no other job has"),
            ("a.job,list.job", "list.job: the placement has more than 0 ranks on host 0; as many as it has GPUs that "
             "no other job has"),
            ("none.job", "none.job: none.jsonl: cannot be read: No such file or directory"),
            ("missing.job", "missing.job: cannot be read"),
            ("a.job,,b.job", "--jobs has an empty name; files with one comma between two of them"),
            ("a.job --writeGraph=x", "--jobs and one of --writeGraph, --writeGoal and --writeChakra; the file of a job "
             "says where the job is written"),
            ("a.job,a.job", "")):
        result = run(f"lossless-job --jobs={files}", scratch)
        check(f"--jobs={files}", result.returncode == 2 and result.stderr.count("\n") == 1 and
              result.stderr.startswith(f"lossless-job: {line}"), result)
    result = run("lossless-job --jobs=blanks.job", scratch)
    check("blanks around the values of a file", result.returncode == 0 and not result.stderr, result)
    # A run that fails says so first, and last.
    with open(os.path.join(scratch, "unwanted.jsonl"), "w", encoding="ascii") as file:
        file.write('{"format": "lossless-graph", "version": 1, "ranks": 2}\n'
                   '{"rank": 0, "op": "send", "to": 1, "bytes": 1000}\n')
    result = run("lossless-job --graph=unwanted.jsonl", scratch)
    error = "job job: rank 1 got 1000 B from rank 0, tag 0, that no recv takes\n"
    check("a run that fails", result.returncode == 2 and result.stdout.startswith(f"Failed: {error}") and
          "Job job did not end well: 1 of 1 iterations" in result.stdout and
          result.stderr == f"lossless-job: {error}", result)
    result = run("lossless-job --collective=all-reduce:1TiB --stop=1us", scratch)
    lines = result.stderr.splitlines()
    check("a job of hours", result.returncode == 0 and len(lines) == 1 and
          "job job: 3.01e+10 packets, ACKs included, over 2 links each, some 8.35 hours if it runs to its end" in lines[0],
          result)
    result = run("lossless-job --collective=all-reduce:0", scratch)
    check("a collective of nothing", result.returncode == 0 and
          "  all-reduce: 1 of 0 MiB in all\n" in result.stdout, result)
    # A job written as traces is read again, with the options of ChakraReader.
    result = run("lossless-job --collective=all-reduce:8KiB --writeChakra=trace", scratch)
    check("--writeChakra", result.returncode == 0, result)
    traces = "lossless-job --chakra=trace"
    result = run(traces, scratch)
    check(traces, result.returncode == 0 and not result.stderr, result)
    result = run(f"{traces} --groupsFile=none.json", scratch)
    check("--groupsFile", result.returncode == 2 and "none.json" in result.stderr, result)
    # --cc knows each type that the attribute of queue pairs takes.
    result = run("leaf-spine-incast --congestion=ns3::None", scratch)
    types = set(re.findall(r"ns3::Rdma(\w+)", result.stderr))
    result = run("lossless-job --cc=xxxxxxxxxxxx", scratch)
    names = {name[0].upper() + name[1:] for name in re.findall(r"\w+", result.stderr.partition(";")[2])}
    check("--cc", len(types) >= 10 and types <= names, (types, names))
    for both, job in (("a ring", "lossless-job"), ("one way", "lossless-job --graph=p2p.jsonl")):
        result = run(f"{job} --bothWays", scratch)
        check(both, result.returncode == 0 and not result.stderr, result)
    result = run("lossless-job --collective=all-to-all:8KiB --bothWays", scratch)
    check("both ways", result.returncode == 0 and not result.stderr, result)
    result = run("lossless-job --collective=reduce-scatter:8KiB --rendezvous --bothWays", scratch)
    check("readiness goes back", result.returncode == 0 and not result.stderr, result)
    with open(os.path.join(scratch, "kept.jsonl"), "w", encoding="ascii") as file:
        file.write(open(os.path.join(scratch, "p2p.jsonl"), encoding="ascii").read())
    shutil.copy(os.path.join(scratch, "kept.jsonl"), os.path.join(scratch, "messages.csv"))
    shutil.copy(os.path.join(scratch, "kept.jsonl"), os.path.join(scratch, "kept.svg"))
    replaced = "is an input, and results would replace it; write them elsewhere"
    for graph, output, why in (("kept.jsonl", "--report=kept.jsonl", f"kept.jsonl: {replaced}"),
                               ("kept.jsonl", "--writeGoal=./kept.jsonl", f"./kept.jsonl: {replaced}"),
                               ("./kept.svg", "--report=kept.md", f"kept.svg: {replaced}"),
                               ("messages.csv", "--outDir=.", f"./messages.csv: {replaced}"),
                               ("messages.csv", "--outDir=. --messages", f"./messages.csv: {replaced}"),
                               ("kept.jsonl", "--outDir=z --writeGraph=z/ranks.csv", "--writeGraph=z/ranks.csv would "
                                "replace the file of --outDir; give each output its own file"),
                               ("kept.jsonl", "--writeGraph=z --report=z", "--writeGraph=z would replace the file of "
                                "--report; give each output its own file"),
                               ("kept.jsonl", "--writeGraph=z --writeGoal=z", "--writeGoal=z would replace the file of "
                                "--writeGraph; give each output its own file")):
        result = run(f"lossless-job --graph={graph} {output}", scratch)
        check(output, result.returncode == 2 and not os.path.exists(os.path.join(scratch, "z")) and
              why in result.stderr, result)
    for name in ("messages.csv", "kept.svg"):
        check(f"{name} stays", open(os.path.join(scratch, name), encoding="ascii").read() ==
              open(os.path.join(scratch, "p2p.jsonl"), encoding="ascii").read(), name)
        os.remove(os.path.join(scratch, name))
    for name in ("kept.md", "summary.json"):
        check(f"no {name}", not os.path.exists(os.path.join(scratch, name)), name)
    with open(os.path.join(scratch, "empty.toml"), "w", encoding="ascii"):
        pass
    result = run("leaf-spine-incast --settings=empty.toml", scratch)
    check("empty.toml", result.returncode == 0 and result.stderr == "lossless: warning: empty.toml has no effect: it has "
          "no settings; such as [leaf], and SwitchMmu.Alpha = 0.5\n", result)
    result = run("leaf-spine-incast --settings=", scratch)
    check("no settings", result.returncode == 2 and
          result.stderr == "leaf-spine-incast: --settings is empty; name a file, or leave it out\n", result)
    with_folder = dict(os.environ, LOSSLESS_DATA_DIR="nowhere")
    program = os.path.join(FOLDER, "leaf-spine-incast")
    result = subprocess.run([program], cwd=scratch, env=with_folder, capture_output=True, text=True, check=False)
    check("LOSSLESS_DATA_DIR", result.returncode == 2 and result.stderr ==
          'leaf-spine-incast: the variable LOSSLESS_DATA_DIR is "nowhere", which is no folder; name one that has '
          "flow-sizes, or unset it\n", result)
    with open(os.path.join(scratch, "fct.csv"), "w", encoding="ascii") as file:
        file.write("[leaf]\n\"ns3::SwitchMmu::BufferSize\" = \"32MiB\"\n")
    result = run("leaf-spine-incast --settings=fct.csv --outDir=.", scratch)
    check("settings stay", result.returncode == 2 and f"./fct.csv: {replaced}" in result.stderr and
          "BufferSize" in open(os.path.join(scratch, "fct.csv"), encoding="ascii").read(), result)
    os.remove(os.path.join(scratch, "fct.csv"))
    check("inputs stay", open(os.path.join(scratch, "kept.jsonl"), encoding="ascii").read() ==
          open(os.path.join(scratch, "p2p.jsonl"), encoding="ascii").read(), "kept.jsonl")
    for refused in ("--algorithm=pairwise", "--placement=list:1", "--warmUp=4"):
        result = run(f"lossless-job --collective=all-reduce:8KiB --writeGraph=left.jsonl --writeChakra=left {refused}",
                     scratch)
        check(f"{refused} leaves no file", result.returncode == 2 and
              not any(name.startswith("left") for name in os.listdir(scratch)), result)
    with open(os.path.join(scratch, "any.jsonl"), "w", encoding="ascii") as file:
        file.write('{"format": "lossless-graph", "version": 1, "ranks": 2}\n'
                   '{"rank": 0, "op": "send", "to": 1, "bytes": 1000}\n'
                   '{"rank": 1, "op": "recv", "from": "any", "bytes": 1000}\n')
    result = run("lossless-job --graph=any.jsonl --writeChakra=half", scratch)
    check("no half a trace", result.returncode == 2 and not os.path.exists(os.path.join(scratch, "half.0.et")), result)
    result = run("lossless-job --collective=all-reduce:8KiB --ranks=4 --writeChakra=ranks", scratch)
    check("four ranks", result.returncode == 0, result)
    for output in ("--report=ranks.1.et", "--writeChakra=ranks"):
        result = run(f"lossless-job --chakra=ranks {output}", scratch)
        check(output, result.returncode == 2 and f".et: {replaced}" in result.stderr, result)
    result = run("lossless-job --collective=all-reduce:8KiB --start=50us --stop=50us", scratch)
    check("a job that begins at the stop", "the last ACKs" not in result.stderr, result)
    result = run("lossless-job --collective=all-reduce:8KiB --ranks=2 --writeChakra=ranks", scratch)
    check("two of four ranks", result.returncode == 2 and "ranks.2.et: is of another trace, of more than 2 ranks; "
          "remove that trace, or choose another prefix" in result.stderr, result)
    one = "--model=gpt-3-13b --sequence=32 --tp=8 --fabric=star:1 --gpus=8 --peakFlops=1e17"
    graphs = []
    for option in ("", "--dataParallel=fully-sharded"):
        result = run(f"lossless-job {one} --writeGraph=training.jsonl {option}", scratch)
        with open(os.path.join(scratch, "training.jsonl"), encoding="ascii") as file:
            graphs.append(file.read())
        check("--dataParallel", result.returncode == 0, result)
    check("fully-sharded without copies", graphs[0] == graphs[1], "training.jsonl")
    result = run("lossless-job --explain=0", scratch)
    check("jobs have no flows", result.returncode == 2 and "there is no option --explain" in result.stderr, result)
    result = run("lossless-job --collective=all-reduce:8KiB", scratch)
    check("a run without flows counts none", "flows completed" not in result.stdout and
          result.stdout.splitlines()[0].endswith(" ms; 8 hosts, 1 switches"), result)
    result = run("leaf-spine-incast --bytes=10KB --duration=10us", scratch)
    check("a run with flows counts them", " flows completed, 0 failed, in " in result.stdout, result)
    with open(os.path.join(scratch, "stuck.jsonl"), "w", encoding="ascii") as file:
        file.write('{"format": "lossless-graph", "version": 1, "ranks": 2}\n'
                   '{"rank": 0, "op": "recv", "from": 1, "bytes": 1000}\n')
    result = run("lossless-job --graph=stuck.jsonl", scratch)
    line = "job job stuck at 0 us: rank 0 waits for 1000 B from rank 1, tag 0; rank 1 has finished\n"
    check("a job that fails", result.returncode == 2 and result.stderr == f"lossless-job: {line}" and
          f"  Error: {line}" in result.stdout, result)
    result = run("lossless-job --graph=p2p.jsonl --writeGoal=p2p.goal", scratch)
    check("what GOAL cannot say", result.returncode == 0 and "warning: --writeGoal: " in result.stderr, result)
    result = run("first-fabric --help=yes", scratch)
    check("--help=yes", result.returncode == 0 and "--bytes=" in result.stdout, result)
    with open(os.path.join(scratch, "settings"), "w", encoding="ascii") as file:
        file.write("[leaf]\n")
    result = run("first-fabric --settings=settings", scratch)
    check("settings that nobody reads", "--settings has no effect" in result.stderr, result)
print(f"{len(PROGRAMS)} programs, {len(STANDS_FOR) + len(WRONG)} cases, {failed} failed")
sys.exit(1 if failed else 0)
