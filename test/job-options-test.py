#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Each option of lossless-job has an effect: a file or a line of the summary differs with it. What cannot be is refused.
# The options are those of --help, so that a new one needs a row here.
#
#   job-options-test.py <folder of the programs>
import os
import pty
import re
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.join(os.path.abspath(sys.argv[1]), "lossless-job")


def varint(number):
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes(data) + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(number, kind, micros=0, controls=(), data=(), **attributes):
    """A node of Chakra: attributes are whole numbers or text."""
    record = field(1, number) + field(3, kind) + field(7, micros)
    for parents, place in ((controls, 4), (data, 5)):
        record += b"".join(field(place, parent) for parent in parents)
    for name, value in attributes.items():
        record += field(10, field(1, name) + field(29 if isinstance(value, str) else 9, value))
    return record


def trace(*nodes):
    return b"".join(varint(len(record)) + record for record in (field(1, "0.0.4"), *nodes))


def graph(*lines, ranks=2):
    return "\n".join((f'{{"format": "lossless-graph", "version": 1, "ranks": {ranks}}}', *lines)) + "\n"


SEND = '{"rank": 0, "op": "send", "to": 1, "bytes": 100000}\n{"rank": 1, "op": "recv", "from": 0, "bytes": 100000}'
MEM_LOAD, COMP, COMM_COLL = 2, 4, 7
TRACES = {
    "plain": [node(0, COMM_COLL, comm_type=0, comm_size=8192)],
    "controls": [node(0, COMP, 10), node(1, COMP, 20), node(2, COMM_COLL, controls=[0], comm_type=0, comm_size=8192)],
    "unknown": [node(0, 9, 10)],
    "streams": [node(0, COMM_COLL, comm_type=0, comm_size=80000, stream=1), node(1, COMP, 30, stream=1)],
    "serial": [node(0, COMM_COLL, comm_type=0, comm_size=80000, pg_name="1"),
               node(1, COMM_COLL, comm_type=0, comm_size=80000, pg_name="0")],
    "operations": [node(0, COMP, 10, num_ops=10 ** 9, tensor_size=10 ** 6)],
    "memory": [node(0, MEM_LOAD, tensor_size=10 ** 6)],
}
FILES = {
    "p2p.jsonl": graph(SEND),
    "calc.jsonl": graph('{"rank": "all", "op": "calc", "ns": 5000}'),
    "short.jsonl": graph(SEND.replace("100000", "100")),
    "three.jsonl": graph(SEND, SEND, SEND),
    "channels.jsonl": graph('{"rank": "all", "op": "coll", "type": "all-reduce", "bytes": 100000, "channels": 2}'),
    "named.jsonl": graph('{"rank": "all", "op": "coll", "type": "all-reduce", "bytes": 100000, "algorithm": "ring"}'),
    "a.job": "collective=all-reduce:64KiB\nranks=2\n",
    "b.job": "ranks=2\nplacement=round-robin\nstart=1us\n",
    "ranks.job": "ranks=3\n",
    "rails.job": "collective=all-reduce:64KiB\npxn\n",
    "p2p.goal": "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\n}\n",
    "micro.simai": "MICRO\n1\ntest -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 65536 1\n",
    "full.simai": "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 4\n1\n"
                  "layer -1 1000 ALLREDUCE 65536 1000 NONE 0 1000 ALLREDUCE 65536 10\n",
    "topology.txt": "5 1 4\n4\n0 4 25Gbps 1us 0\n1 4 25Gbps 1us 0\n2 4 25Gbps 1us 0\n3 4 25Gbps 1us 0\n",
    "groups.json": '{"1": [1, 0]}',
    "settings.toml": '[all]\nQbbNetDevice.PfcClasses = 24\n',
}

SMALL = "--collective=all-reduce:64KiB"
LLAMA = "--model=llama-2-7b --sequence=16"
RAILS = "--preset=hgx-h100:2"  # two hosts with 8 GPUs and 8 NICs
ONE_HOST = f"--gpus=8 --fabric=star:2 --ranks=8 {SMALL}"  # all messages within it

# Of each option: a command, and with what the option has an effect there; then, of some, options that the program
# refuses, and what it says.
OPTIONS = {
    "seed": ("--placement=random", "2", "--seed=0", "from 1 to 4294944442"),
    "run": ("--placement=random", "2", "--run=-1", "a whole number"),
    "RngSeed": ("--placement=random", "2", "--RngSeed=0", "from 1 to 4294944442"),
    "RngRun": ("--placement=random", "2", "--RngRun=-1", "a whole number"),
    "settings": ("", "settings.toml", "--settings=none.toml", "none.toml"),
    "jobs": ("", "a.job", "--jobs=", "is empty"),
    "chakra": ("", "plain", "--chakra=none", "none.0.et: is missing"),
    "goal": ("", "p2p.goal", "--goal=p2p.goal --graph=p2p.jsonl", "one source of the job"),
    "simai": ("", "full.simai", "--simai=micro.simai", "--ranks=N"),
    "graph": ("", "p2p.jsonl", "--graph=none.jsonl", "none.jsonl: cannot be read"),
    "collective": ("", "all-to-all:1MiB"),
    "model": ("", "llama-2-7b --sequence=16", "--model=llama", "there is no model"),
    "tp": (LLAMA, "2"),
    "pp": (LLAMA, "2"),
    "vp": (f"{LLAMA} --pp=2 --microBatches=2", "2"),
    "dp": (LLAMA, "2 --stop=1ms"),
    "ep": ("--model=mixtral-8x7b --sequence=16 --dp=2 --stop=20ms", "2"),
    "cp": (LLAMA, "2 --stop=1ms"),
    "microBatches": (LLAMA, "2"),
    "microBatch": (LLAMA, "2"),
    "sequence": ("--model=llama-2-7b", "16"),
    "sequenceParallel": (f"{LLAMA} --tp=2", "true"),
    "dataParallel": (f"{LLAMA} --dp=2 --stop=1ms", "fully-sharded"),
    "efficiency": (LLAMA, "0.5"),
    "peakFlops": (LLAMA, "1e15"),
    "expertSkew": ("--model=mixtral-8x7b --sequence=16 --dp=2 --ep=2 --stop=20ms", "1"),
    "writeGraph": ("", "job.jsonl", "--writeGraph=/dev/null/x", "cannot be written"),
    "writeGoal": ("--graph=p2p.jsonl", "job.goal", "--writeGoal=job.goal", "GOAL"),
    "writeChakra": ("", "job", "--writeChakra=/dev/null/x", "cannot be written"),
    "controlDependencies": ("--chakra=controls", "true"),
    "skipUnknown": ("--chakra=unknown", "true"),
    "useStreams": ("--chakra=streams", "true"),
    "serialComm": ("--chakra=serial --groupsFile=groups.json", "true"),
    "groupsFile": ("--chakra=serial", "groups.json"),
    "memoryBandwidth": ("--chakra=operations", "1e12 --peakFlops=1e12"),
    "remoteMemoryBandwidth": ("--chakra=memory", "1e9"),
    "remoteMemoryLatency": ("--chakra=memory", "1000"),
    "ranks": ("", "4"),
    "placement": ("--fabric=leaf-spine:2:1:4 --ranks=4", "spread"),
    "algorithm": ("", "double-tree"),
    "channels": ("", "2"),
    "queuePairs": ("--fabric=leaf-spine:2:2:4 --placement=spread", "4"),
    "splitData": ("--fabric=leaf-spine:2:2:4 --placement=spread --queuePairs=4", "true"),
    "bothWays": ("--collective=all-to-all:64KiB", "true"),
    "nic": (f"{RAILS} --collective=all-to-all:1MiB", "channel"),
    "pxn": (f"{RAILS} --collective=all-to-all:1MiB", "true"),
    "rendezvous": ("", "true"),
    "name": ("", "other"),
    "start": ("", "1ms", "--start=-1ms", "not negative"),
    "iterations": ("", "2", "--iterations=0", "from 1 to 1000000"),
    "warmUp": ("--iterations=2 --start=1us", "1", "--warmUp=1", "one or more that count"),
    "topology": ("", "topology.txt", "--topology=none.txt", "none.txt"),
    "fabric": ("", "star:4"),
    "preset": ("", "hgx-h100:1", "--preset=hgx", "hgx"),
    "gpus": ("", "2"),
    "intraRate": (ONE_HOST, "10Gbps"),
    "intraLatency": (ONE_HOST, "10us"),
    "rate": ("", "25Gbps"),
    "delay": ("", "5us"),
    "mtu": ("", "4096"),
    "ackInterval": ("", "16"),
    "cc": ("", "hpcc"),
    "messages": ("", "true"),
    "timeline": ("", "timeline.json", "--timeline=/dev/null/x", "cannot be"),
    "report": ("", "report.md", "--report=/dev/null/x", "cannot be"),
    "outDir": ("", "other", "--outDir=/dev/null/x", "/dev/null/x"),
    "files": ("", "pfc", "--files=pfc", "no folder for them"),
    "sample": ("", "1us"),
    "watermarks": ("", "10us"),
    "stop": ("", "50us", "--stop=-1us", "--stop"),
    "patience": ("", "1us", "--patience=-1us", "--patience"),
    "threads": ("--collective=all-reduce:32MiB --fabric=fat-tree:4", "2",
                "--threads=2 --ns3::FabricSimulatorImpl::Order=Uid", "no threads keep"),
    "pauseTree": ("", "true", "--pauseTree=maybe", "--pauseTree"),
    "linkLoad": ("", "true"),
    "allowReordering": ("--fabric=leaf-spine:2:2:4 --ns3::RdmaQueuePair::Entropy=ns3::RdmaEntropyMixed", "true",
                        "--allowReordering=maybe", "--allowReordering"),
    "strict": ("--start=1ms --stop=1us", "true", "--strict=maybe", "--strict"),
    "progress": ("--collective=all-reduce:256MiB", "false"),
}

failed = 0


def check(name, condition, detail):
    global failed
    if not condition:
        failed += 1
        print(f"FAILED: {name}: {detail}", flush=True)


def write_inputs(folder):
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    for name, nodes in TRACES.items():
        for rank in range(2):
            with open(os.path.join(folder, f"{name}.{rank}.et"), "wb") as file:
                file.write(trace(*nodes))


class Outcome:
    """What a run has printed and written."""

    def __init__(self, options):
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(folder)
            inputs = set(os.listdir(folder))
            result = subprocess.run([PROGRAM, *options.split()], cwd=folder, timeout=300, capture_output=True, text=True,
                                    check=False)
            self.status, self.error = result.returncode, result.stderr
            self.files = {"summary": without_clock(result.stdout)}
            for place, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(place, name)
                    if os.path.relpath(path, folder) not in inputs:
                        with open(path, encoding="utf-8", errors="replace") as file:
                            self.files[os.path.relpath(path, folder)] = without_clock(file.read())


def without_clock(text):
    """Text without what a clock on the wall says of a run."""
    return "\n".join(line for line in text.splitlines()
                     if not re.match(r'  "(wall_seconds|cpu_seconds|peak_rss_bytes)": ', line))


def shows_progress(options):
    """Whether a run writes to a terminal as standard error."""
    own, other = pty.openpty()
    with subprocess.Popen([PROGRAM, *options.split()], stdout=subprocess.DEVNULL, stderr=other) as process:
        os.close(other)
        shown = b""
        try:
            while part := os.read(own, 4096):
                shown += part
        except OSError:
            pass  # the end of a terminal
    os.close(own)
    return process.returncode == 0 and b"\r" in shown


def has_threads(options):
    """Whether a run has several threads: with the same results, so that nothing else shows it."""
    most = 0
    with subprocess.Popen([PROGRAM, *options.split()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                most = max(most, len(os.listdir(f"/proc/{process.pid}/task")))
            except OSError:
                break  # it has just ended
            time.sleep(0.01)
    return process.returncode == 0 and most > 1


# Options whose effect is on no file and no line of the summary, and what shows it.
SHOWN_BY = {"progress": shows_progress, "threads": has_threads, "strict": lambda options: Outcome(options).status}


def options_of_help():
    help_text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    return [name for name in re.findall(r"^  --(\w+)=", help_text, re.M) if name not in ("ns3", "mpi")]


def check_row(option, row):
    base, value, *refused = row
    folder = "" if option == "outDir" else "--outDir=out "
    outcome = Outcome(f"{folder}{base} --{option}={value}")
    shown = SHOWN_BY.get(option, lambda options: Outcome(folder + options).files)
    differs = shown(base) != shown(f"{base} --{option}={value}")
    # A run that its patience has ended has run, too.
    check(f"{base} --{option}={value}", differs and outcome.files["summary"], outcome.error)
    if refused:
        wrong, says = refused
        outcome = Outcome(wrong)
        check(wrong, outcome.status == 2 and outcome.error.count("\n") == 1 and says in outcome.error, outcome.error)


def check_memory():
    """What there is no memory for is one line, whether it was estimated or not; the limit of the process counts."""
    for options, begin in (
            ("--collective=all-to-all:512KiB --fabric=star:512 --ns3::SwitchMmu::BufferSize=4GiB", "lossless-job: job job: 261632 connections of ranks with "
             "261632 queue pairs take about 1.36 GB of memory, and the limit of the process (ulimit -v), 0.9 GB, leaves "),
            ("--fabric=leaf-spine:4000:1:40", "lossless-job: a fabric of 160000 hosts, 4001 switches and 164000 links takes "
             "about "),
            ("--model=llama-2-70b --tp=8 --pp=4 --fabric=star:32 --microBatches=8192", "lossless-job: out of memory while making the graph "
             "of job job: the limit of the process (ulimit -v) is 0.9 GB; fewer ranks or operations\n")):
        limit = 900000000
        result = subprocess.run([PROGRAM, *options.split()], capture_output=True, text=True, timeout=300, check=False,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        check(options, result.returncode == 2 and result.stderr.count("\n") == 1 and result.stderr.startswith(begin), result)


if __name__ == "__main__":
    names = options_of_help()
    check("options of --help", set(names) == set(OPTIONS), set(names) ^ set(OPTIONS))
    for option in names:
        if option in OPTIONS:
            check_row(option, OPTIONS[option])
    check_memory()
    print(f"{len(names)} options, {failed} failed")
    sys.exit(1 if failed else 0)
