#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs lossless-replay as users do: good input gives the promised files, bad input one line and exit
# status 2, and no file that could be taken for a result.
#
#   replay-test.py <lossless-replay> <folder of the shipped scenario>
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from checks import check, end  # noqa: E402

# nohup and background jobs of a shell ignore signals, and programs inherit that: tests send them.
for inherited in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(inherited, signal.SIG_DFL)

PROGRAM = os.path.abspath(sys.argv[1])
SCENARIO = os.path.abspath(sys.argv[2])

TOPOLOGY = """4 1 3
3
0 3 100Gbps 1us 0
1 3 100Gbps 1us 0
2 3 100Gbps 1us 0
"""
FLOWS = """3
1 0 3 100 0 0.000001
2 0 3 200 5000 0.000001
0 1 3 100 1 0
"""
CONFIG = """TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
FCT_OUTPUT_FILE fct.txt
PFC_OUTPUT_FILE pfc.txt
SIMULATOR_STOP_TIME 1
CC_MODE 1
HAS_WIN 0
BUFFER_SIZE 4
"""
KEYS = [
    "flows_total", "flows_completed", "lossless_drops", "lossy_drops", "pfc_xoff_frames",
    "pfc_xon_frames", "pause_ns_total", "queue_peak_bytes", "data_packets",
    "data_packet_hops", "events", "sim_seconds", "wall_seconds", "cpu_seconds", "peak_rss_bytes", "seed",
]


def run(folder, *arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True,
                          timeout=300, check=False)


def scenario(folder, topology=TOPOLOGY, flows=FLOWS, config=CONFIG):
    for name, text in (("topology.txt", topology), ("flow.txt", flows), ("config.txt", config)):
        if text is not None:
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)


def bad(name, expected, *arguments, **files):
    """Input that must be refused, with a message that matches."""
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder, **files)
        names = [argument.partition("=")[0] for argument in arguments]
        usual = [argument for argument in ("--config=config.txt", "--outDir=out")
                 if argument.partition("=")[0] not in names]
        result = run(folder, *usual, *arguments)
        lines = result.stderr.splitlines()
        check(name, result.returncode == 2, f"exit status {result.returncode}: {result.stderr}")
        check(name, len(lines) == 1, f"not one line: {result.stderr}")
        check(name, lines and re.search(expected, lines[0]), f"says {lines}")
        left = [os.path.join(path, file) for path, _, names in os.walk(folder) for file in names
                if file not in ("topology.txt", "flow.txt", "config.txt")]
        check(name, not left, f"left {left}")


def test_good_input():
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder)
        result = run(folder, "--config=config.txt", "--outDir=out")
        check("good input", result.returncode == 0 and result.stderr == "", result.stderr)
        check("files", {"fct.txt", "pfc.txt"} <= set(os.listdir(os.path.join(folder, "out"))))
        check("nothing beside it", len(os.listdir(folder)) == 4, os.listdir(folder))
        with open(os.path.join(folder, "out", "fct.txt"), encoding="ascii") as file:
            fct = [line.split() for line in file]
        check("fct.txt", len(fct) == 3 and all(len(line) == 8 for line in fct), fct)
        by_start = {(line[0], line[4]): line for line in fct}
        # 1 byte: 82 B of frame, rounded up by the pad, and 2 us each way.
        tiny = by_start.get(("0b000001", "1"))
        check("one flow alone takes the ideal time", tiny and tiny[6] == tiny[7], tiny)
        check("ports and start", tiny and tiny[1:4] == ["0b000101", "10000", "100"], tiny)
        with open(os.path.join(folder, "out", "fct.csv"), encoding="ascii") as file:
            head = file.readline().strip()
        check("fct.csv", head == "flow,src,dst,class,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown,"
              "verb,data_src,data_dst,label",
              head)
        with open(os.path.join(folder, "out", "summary.json"), encoding="ascii") as file:
            summary = json.load(file)
        check("summary.json", list(summary)[:len(KEYS)] == KEYS, list(summary))
        check("summary.json", summary["end"] == "done", summary)
        check("summary.json", summary["flows_completed"] == 3, summary)
        # 5 packets of 1000 and one each of 0 and 1 byte, over two links.
        check("summary.json", summary["data_packets"] == 7, summary)
        check("summary.json", summary["data_packet_hops"] == 14, summary)


def test_behind_the_announced_count():
    """Comments and spare lines behind the announced count change nothing, as in the original."""
    behind = "9 9 3 100Gbps\n\nFirst line: number of lines\nsrc dst rate\n"
    trace = "5\n0 1 2\n3 347 2\n\nFirst line: tracing node #\nNode IDs...\n"
    outputs = []
    for spare in ("", behind):
        with tempfile.TemporaryDirectory() as folder:
            scenario(folder, TOPOLOGY + spare, FLOWS + spare, CONFIG + "TRACE_FILE trace.txt\n")
            with open(os.path.join(folder, "trace.txt"), "w", encoding="ascii") as file:
                file.write(trace)
            result = run(folder, "--config=config.txt", "--pcap=cap", "--quiet")
            check("spare lines", result.returncode == 0 and result.stderr == "", result.stderr)
            with open(os.path.join(folder, "fct.txt"), encoding="ascii") as file:
                outputs.append(file.read())
            captured = {name.split("-")[1] for name in os.listdir(folder) if name.startswith("cap-")}
            check("spare lines", captured == {"0", "1", "2", "3"}, captured)
    check("spare lines", outputs[0] == outputs[1], outputs)


# Three hosts send to one through two switches, and two of them to a neighbour: three ports are busy.
INCAST_TOPOLOGY = """6 2 5
4 5
0 4 100Gbps 1us 0
1 4 100Gbps 1us 0
2 4 100Gbps 1us 0
3 5 100Gbps 1us 0
4 5 100Gbps 1us 0
"""
INCAST_FLOWS = """5
0 3 3 100 1000000 0
1 3 3 100 1000000 0
2 3 3 100 1000000 0
0 1 3 100 500000 0.00001
2 1 3 100 500000 0.00001
"""
INCAST_CONFIG = """TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
SIMULATOR_STOP_TIME 1
BUFFER_SIZE 4
RATE_AI 40Mb/s
RATE_HAI 200Mb/s
EWMA_GAIN 0.0625
MULTI_RATE 0
KMAX_MAP 1 100000000000 400
KMIN_MAP 1 100000000000 100
PMAX_MAP 1 100000000000 0.2
"""


# Long enough for many round trips of TIMELY, which updates once per round trip.
LONG_FLOWS = INCAST_FLOWS.replace("1000000", "20000000")
LONG_TOPOLOGY = INCAST_TOPOLOGY.replace("1us", "10us")


def incast(mode, *arguments, keys=(), warning="", topology=INCAST_TOPOLOGY):
    """Run the incast without loss. Returns the FCTs of the flows, in ns."""
    name = f"CC_MODE {mode} {' '.join(keys)} {' '.join(arguments)}"
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder, topology, LONG_FLOWS if topology == LONG_TOPOLOGY else INCAST_FLOWS,
                 "\n".join([INCAST_CONFIG, f"CC_MODE {mode}", *keys, ""]))
        result = run(folder, "--config=config.txt", "--outDir=out", *arguments)
        if not check(name, result.returncode == 0, result.stderr):
            return []
        check(name, result.stderr == "" if not warning else
              re.search(warning, result.stderr) and result.stderr.count("\n") == 1, result.stderr)
        with open(os.path.join(folder, "out", "summary.json"), encoding="ascii") as file:
            summary = json.load(file)
        check(name, summary["flows_completed"] == 5 and summary["lossless_drops"] == 0, summary)
        with open(os.path.join(folder, "out", "fct.csv"), encoding="ascii") as file:
            rows = [line.split(",") for line in file][1:]
        return [row[6] for row in sorted(rows, key=lambda row: int(row[0]))]


def test_loss_is_allowed_only_when_asked_for():
    """ACKs that the original lets leave in spite of a pause overflow the headroom of its switches."""
    bad("ACK_HIGH_PRIO", r"config.txt:1: .* port 0 class 3: ACKs of the class wait in queue 6: no pause "
        r"of the class stops them.* allow loss$", config=CONFIG + "ACK_HIGH_PRIO 1\n")
    bad("ACK_HIGH_PRIO, class 5", r"config.txt:1: .* class 5: ACKs",
        config=CONFIG + "ACK_HIGH_PRIO 1\n", flows=FLOWS.replace(" 3 100 ", " 5 100 ").replace(" 3 200 ", " 5 200 "))
    incast(1, "--allowLossy", keys=("ACK_HIGH_PRIO 1",))
    incast(1, "--ns3::RdmaQueuePair::AckClass=6", keys=("ACK_HIGH_PRIO 1",))


def test_modes():
    seen = {}
    for mode in (1, 3, 7, 8, 10):
        times = incast(mode)
        check(f"CC_MODE {mode} is like no other", times not in seen.values(), (times, seen))
        seen[mode] = times
    check("the same again", incast(3) == seen[3])


def test_keys_of_other_modes():
    plain = incast(1)
    # What is wrong for HPCC is no error where HPCC does not read it.
    for line in ("U_TARGET 5", "INT_MULTI 0", "PINT_LOG_BASE 1", "DCTCP_RATE_AI 5Gb/s"):
        check(f"{line} with CC_MODE 1", incast(1, keys=(line,)) == plain)
    incast(1, "--cc=ns3::RdmaSwift", keys=("VAR_WIN 1",),
           warning="config.txt: keys without effect here: VAR_WIN$")


def test_cc():
    plain = incast(1)
    hpcc = incast(3)
    check("--cc is as its mode", incast(1, "--cc=ns3::RdmaHpcc") == hpcc)
    check("--cc overrides a mode", incast(10, "--cc=ns3::RdmaHpcc") == hpcc)
    check("--cc overrides any mode", incast(99, "--cc=ns3::RdmaDcqcn") == plain)
    option = "--ns3::RdmaQueuePair::CongestionControl="
    check("so does the option", incast(99, option + "ns3::RdmaHpcc") == hpcc)
    check("none", incast(1, "--cc=none") == incast(1, "--cc=ns3::RdmaFixedRate") != plain)
    for cc in ("RdmaSwift", "RdmaPatchedTimely", "RdmaPcn", "RdmaIcc", "RdmaFixedRate[Rate=9Gbps]"):
        check(f"{cc} is not DCQCN", incast(1, f"--cc=ns3::{cc}") != plain)
    check("an option wins", incast(3, "--ns3::RdmaHpcc::Eta=0.8") ==
          incast(3, keys=("U_TARGET 0.8",)) != hpcc)
    bad("--cc of another base", r"--cc: .*is ns3::SwitchMmu, which is no ns3::RdmaCongestionOps; "
        r"one of: .*ns3::RdmaDcqcn.*ns3::RdmaHpcc", "--cc=ns3::SwitchMmu")
    bad("--cc twice", r"--cc=none and --ns3::RdmaQueuePair::CongestionControl=ns3::RdmaHpcc say different things; give",
        "--cc=none", option + "ns3::RdmaHpcc")


def test_settings():
    """Errors of --settings name that file, not the configuration."""
    with tempfile.TemporaryDirectory() as folder:
        for text, expected in (
                ("[leaf]\nSwitchMmu.Alhpa = 1\n", r"^lossless-replay: b.toml:2: ns3::SwitchMmu .*Alpha"),
                ("[spine]\nSwitchMmu.Alpha = 1\n", r"^lossless-replay: b.toml:2: \"spine\" is nowhere"),
                ("[host]\nSwitchExtension = \"ns3::PfcWatchdog\"\n",
                 r"^lossless-replay: b.toml:2: \"host\" has no switch; a switch extension is of"),
                ("[leaf\n", r"^lossless-replay: b.toml:1: "),
                (None, r"^lossless-replay: missing.toml: cannot be read")):
            scenario(folder)
            with open(os.path.join(folder, "b.toml"), "w", encoding="ascii") as file:
                file.write(text or "")
            name = "b.toml" if text else "missing.toml"
            result = run(folder, "--config=config.txt", f"--settings={name}")
            check("--settings", result.returncode == 2 and re.search(expected, result.stderr),
                  f"says {result.stderr!r}, not {expected!r}")
            check("one line", result.stderr.count("\n") == 1, result.stderr)


def test_warnings():
    """What is probably not meant is named on one line each, and runs."""
    for text, flows, expected in (
            (config("CC_MODE 1", "RATE_AI 20\nCC_MODE 1"), FLOWS,
             "lossless: warning: config.txt:6: RATE_AI is 20 bit/s; was 20Mb/s meant?"),
            (CONFIG, FLOWS.replace("1 0 3 100 0 0.000001", "1 0 3 100 0 2"),
             "lossless: warning: 1 flows, workloads or faults begin after the end of the run, 1000 ms; begin "
             "earlier, or let the run stop later")):
        with tempfile.TemporaryDirectory() as folder:
            scenario(folder, config=text, flows=flows)
            result = run(folder, "--config=config.txt")
            check("warning", result.returncode == 0 and result.stderr == expected + "\n",
                  f"says {result.stderr!r}, not {expected!r}")


def test_files_of_forks():
    """Keys that are not known here, and a stop time that means never."""
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder, config=config("TIME 1\n", "TIME 40000000000000.00\nMON_START 0\nKMAX 20000\nPAUSE_TIME 5\n"))
        result = run(folder, "--config=config.txt", "--allowUnknown", "--outDir=out")
        check("allowed", result.returncode == 0 and result.stderr.splitlines() == [
            "lossless: warning: config.txt: not known here: MON_START (QLEN_MON_START?), KMAX",
            "lossless: warning: config.txt: keys without effect here: PAUSE_TIME"], result.stderr)
        with open(os.path.join(folder, "out", "findings.csv"), encoding="ascii") as file:
            check("findings", [line.split(",")[0] for line in file][1:] == ["unknown-keys", "unused-keys"])
        # A frame of 9000 bytes of payload on two links, with 82 of headers, preamble and gap, and 2 us each way.
        scenario(folder, flows="1\n1 0 3 100 9000 0\n", config=CONFIG + "PACKET_PAYLOAD_SIZE 9000\n")
        result = run(folder, "--config=config.txt")
        check("payload", result.returncode == 0 and result.stderr == "", result.stderr)
        with open(os.path.join(folder, "fct.txt"), encoding="ascii") as file:
            fct = file.read().split()
        check("payload", fct[6] == fct[7] and 4000 + 2 * 726 < int(fct[6]) < 4000 + 2 * 740, fct)


def test_byte_order_mark():
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder)
        for name in ("config.txt", "flow.txt", "topology.txt"):
            with open(os.path.join(folder, name), "r+b") as file:
                text = file.read()
                file.seek(0)
                file.write(b"\xef\xbb\xbf" + text)
        result = run(folder, "--config=config.txt")
        check("byte order mark", result.returncode == 0 and result.stderr == "", result.stderr)


def test_shipped_scenario():
    with tempfile.TemporaryDirectory() as folder:
        outputs = []
        for name in ("one", "two"):
            result = run(folder, f"--config={SCENARIO}/config.txt", f"--outDir={name}")
            check("shipped scenario", result.returncode == 0, result.stderr)
            warnings = result.stderr.splitlines()
            check("shipped scenario warns of nothing", not warnings, warnings)
            texts = []
            for file in (f"{name}/fct.csv", f"{name}/pfc.csv", f"{name}/pause.csv",
                         f"{name}/queue.csv", f"{name}/throughput.csv", f"{name}/fct.txt",
                         f"{name}/pfc.txt", f"{name}/qlen.txt"):
                with open(os.path.join(folder, file), "rb") as stream:
                    texts.append(stream.read())
            outputs.append(texts)
            with open(os.path.join(folder, name, "summary.json"), encoding="ascii") as stream:
                summary = json.load(stream)
            check("shipped scenario", summary["flows_completed"] == summary["flows_total"], summary)
            check("shipped scenario", summary["lossless_drops"] == 0, summary)
            check("shipped scenario", summary["pfc_xoff_frames"] > 0, summary)
        check("same seed, same bytes", outputs[0] == outputs[1])


def topology(find, replace):
    assert find in TOPOLOGY
    return TOPOLOGY.replace(find, replace)


def config(find, replace):
    assert find in CONFIG
    return CONFIG.replace(find, replace)


def test_bad_topology():
    """Each mistake is named with its line."""
    link = "1 3 100Gbps 1us 0"
    bad("missing file", r"config.txt:1: TOPOLOGY_FILE: there is no file", topology=None)
    for text, line, what in (
            ("", "", "the file ends here"), ("\n".join(TOPOLOGY.splitlines()[:4]) + "\n", ":4", "the file ends here"),
            (topology("3\n3\n", "3\n9\n"), ":2", "switch number"), (topology(link, "1 3 10"), ":4", "3 fields"),
            *((topology(link, wrong), ":4", what) for wrong, what in (
                ("x" + link[1:], "node"), ("4" + link[1:], "node"), ("3 3 100Gbps 1us 0", "a link from node 3 to itself"),
                ("1 3 0Gbps 1us 0", "rate"), ("1 3 fast 1us 0", "rate"), ("1 3 1\0\x1b 1us 0", r"rate is \"1\\x00\\x1b"),
                ("1 3 1000000Gbps 1us 0", "rate"), ("1 3 100Gbps -1us 0", "delay"), ("1 3 100Gbps 1us 1.5", "error rate"),
                ("1 3 100Gbps 1us -0.1", "error rate")))):
        bad("topology", f"topology.txt{line}: {what}", topology=text)


def test_bad_flows():
    line = "2 0 3 200 5000 0.000001"

    def flows(replace):
        return FLOWS.replace(line, replace)

    bad("missing file", r"config.txt:2: FLOW_FILE: there is no file", flows=None)
    bad("fewer flows than announced", r"flow.txt:4: the file ends here; expected flow 4 of 4",
        flows=FLOWS.replace("3\n", "4\n", 1))
    bad("no count", r"flow.txt:1: number of flows is \"many\"", flows="many\n")
    for wrong, what in (
            ("7" + line[1:], "source"), ("3" + line[1:], "source 3 is a switch"), ("2 2 3 200 5000 0", "host 2 sends to itself"),
            ("2 3 3 200 5000 0", "destination 3 is a switch"), ("2 0 8 200 5000 0", "class"), ("2 0 3 65536 5000 0", "port"),
            ("2 0 3 200 5k 0", "bytes"), ("2 0 3 200 1099511627777 0", "bytes"), ("2 0 3 200 5000 -1", "start")):
        bad("flow", f"flow.txt:3: {what}", flows=flows(wrong))
    bad("host without a link", r"config.txt:1: host 1 \(node 1\) has no link; give each host a link",
        topology=topology("4 1 3", "4 1 2").replace("1 3 100Gbps 1us 0\n", ""))
    bad("unreachable destination", r"flow.txt:2: host 0 .*cannot be reached from host 1",
        topology="5 2 3\n3 4\n0 3 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 3 100Gbps 1us 0\n")


def test_bad_configuration():
    maps = "KMIN_MAP 1 100000000000 400\nKMAX_MAP 1 100000000000 300\nPMAX_MAP 1 100000000000 0.2\n"
    bad("missing key", r"config.txt: the key FLOW_FILE is missing", config=config("FLOW_FILE flow.txt\n", ""))
    for text, line, what in (
            (config("TOPOLOGY_FILE", "TOPOLOGI_FILE") + "BYTE_COUNTER 5\nBYTE_COUNTER 6\nKMAX 7\n", 1,
             r"not known here: TOPOLOGI_FILE \(TOPOLOGY_FILE\?\), BYTE_COUNTER, KMAX; --allowUnknown"),
            (config("MODE 1", "MODE 12") + "KMAX 5\n", 9, r"not known here: KMAX, CC_MODE 12 \("),
            (CONFIG + maps + "KMIN_MAP 1 100000000000 1 2 3\n", 12, r"not known here: KMIN_MAP \(more values"),
            (config("SIZE 4", "SIZE"), 8, "1 field"), (config("CC_MODE 1", "CC_MODE 4294967297"), 6, "CC_MODE 4294967297"),
            *((config("TIME 1", f"TIME {value}"), 5, "SIMULATOR_STOP_TIME") for value in ("late", "-1", "0")),
            *((CONFIG + lines, 9, what) for lines, what in (
                (maps, "Kmin exceeds Kmax"), ("KMIN_MAP 1 100000000000\n", "3 fields"),
                (maps.replace("300", "1600").replace("1000000", "2500000"), "KMIN_MAP has no value for links of 1000"),
                *((f"{key} 2 100000000000 0.1 100000000000 0.2\n", f"{key} has 100000000000 bit/s twice")
                  for key in ("KMIN_MAP", "KMAX_MAP", "PMAX_MAP")),
                *((f"{key} {value}\n", key) for key, value in (
                    ("ERROR_RATE_PER_LINK", "2"), ("PACKET_PAYLOAD_SIZE", "10"), ("LINK_DOWN", "5 0 1"),
                    ("LINK_DOWN", "99999999999999999 0 3"), ("RP_TIMER", "0"), ("RP_TIMER", "0.0000001"),
                    ("ALPHA_RESUME_INTERVAL", "0.0"))))),
            (CONFIG + "QLEN_MON_START 5\nQLEN_MON_END 4\n", 10, "QLEN_MON_END is before QLEN_MON_START")):
        bad("configuration", f"config.txt:{line}: {what}", config=text)
    bad("no warning before an error", r"^lossless-replay: flow.txt:1: number of flows",
        config=CONFIG + "PAUSE_TIME 5\n", flows="many\n")
    bad("missing configuration", r"nothing.txt: cannot be read", "--config=nothing.txt")


def test_outputs():
    bad("output twice", r"config.txt:4: PFC_OUTPUT_FILE: out/fct.txt is FCT_OUTPUT_FILE, too",
        config=config("pfc.txt", "./fct.txt"))
    for name, what in (("config.txt", "the configuration"), ("flow.txt", "FLOW_FILE"),
                       ("topology.txt", "TOPOLOGY_FILE")):
        bad("output is an input", rf"config.txt:3: FCT_OUTPUT_FILE: {name} is {what}, too",
            "--outDir=", config=config("fct.txt", name))
    bad("output is an input", r"config.txt:3: FCT_OUTPUT_FILE: fct.txt is TRACE_FILE, too",
        "--outDir=", config=CONFIG + "TRACE_FILE ./fct.txt\n")
    bad("output twice", r"config.txt:3: FCT_OUTPUT_FILE: out/fct.csv is out/fct.csv, too",
        config=config("fct.txt", "fct.csv"))
    with tempfile.TemporaryDirectory() as folder:
        # By a link, so that a program that is wrong replaces the link and not the device.
        text = config("fct.txt", "null.txt").replace("pfc.txt", "link.txt")
        scenario(folder, config=text)
        os.symlink("/dev/null", os.path.join(folder, "null.txt"))
        os.symlink("real.txt", os.path.join(folder, "link.txt"))
        result = run(folder, "--config=config.txt")
        check("device and link", result.returncode == 0 and result.stderr == "", result.stderr)
        check("link to a device stays", os.path.islink(os.path.join(folder, "null.txt")))
        check("link stays", os.path.islink(os.path.join(folder, "link.txt")))
        check("link is followed", os.path.isfile(os.path.join(folder, "real.txt")))


def test_full_output():
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder)
        for argument in ("--config=config.txt", "--help"):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([PROGRAM, argument], cwd=folder, stdout=full, timeout=300,
                                        stderr=subprocess.PIPE, text=True, check=False)
            check("full output", result.returncode == 2, result.returncode)
            check("full output", result.stderr.count("\n") == 1 and "standard output" in
                  result.stderr, result.stderr)


def test_interrupt():
    flows = "2\n1 0 3 100 1000 0\n1 0 3 100 1000000000000 0\n"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with tempfile.TemporaryDirectory() as folder:
            scenario(folder, flows=flows)
            with subprocess.Popen([PROGRAM, "--config=config.txt", "--outDir=out"], cwd=folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as process:
                part = os.path.join(folder, "out", "throughput.csv.part")
                while not os.path.exists(part) and process.poll() is None:
                    time.sleep(0.05)
                time.sleep(0.2)
                process.send_signal(number)
                for _ in range(20):  # what stops a job may send more
                    time.sleep(0.001)
                    process.send_signal(number)
                output, error = process.communicate(timeout=60)
            # The last of them may come when the files are complete: they end the program then.
            if process.returncode != -number:
                check("status of the signal", process.returncode == 128 + number, process.returncode)
                check("summary up to it", "1 of 2 flows completed" in output, output)
                check("one line", error.count("\n") == 1 and "interrupted by SIG" in error, error)
            left = [name for _, _, names in os.walk(folder) for name in names]
            check("files are complete", not [name for name in left if name.endswith(".part")], left)
            with open(os.path.join(folder, "out", "fct.csv"), encoding="ascii") as file:
                check("flows up to it", len(file.readlines()) == 2, "fct.csv")
            with open(os.path.join(folder, "out", "fct.txt"), encoding="ascii") as file:
                check("flows up to it", len(file.readlines()) == 1, "fct.txt")
            with open(os.path.join(folder, "out", "summary.json"), encoding="ascii") as file:
                summary = json.load(file)
            check("its end", summary["end"] == "interrupted" and
                  summary["interrupted_at_ns"] > 0, summary)


def test_options_of_ns3():
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder)
        for environment, arguments, seed in (({"NS_GLOBAL_VALUE": "RngSeed=7"}, (), 7),
                                             ({"NS_GLOBAL_VALUE": "RngSeed=7"}, ("--seed=8",), 8),
                                             ({}, ("--RngSeed=9", "--RngRun=2"), 9),
                                             ({}, (), 1)):
            result = subprocess.run([PROGRAM, "--config=config.txt", "--outDir=out", *arguments],
                                    cwd=folder, env={**os.environ, **environment}, timeout=300,
                                    capture_output=True, text=True, check=False)
            check("seed", result.returncode == 0, result.stderr)
            with open(os.path.join(folder, "out", "summary.json"), encoding="ascii") as file:
                check("seed", json.load(file)["seed"] == seed, (environment, arguments))
        flows = []
        for value, warning in (("RngRun=1", ""), ("SimulatorImplementationType=ns3::DefaultSimulatorImpl", ""),
                               ("SimulatorImplementationType=ns3::FabricSimulatorImpl", ""),
                               ("SchedulerType=ns3::HeapScheduler", "ns3::HeapScheduler has no effect")):
            result = subprocess.run([PROGRAM, "--config=config.txt"], cwd=folder, timeout=300,
                                    env={**os.environ, "NS_GLOBAL_VALUE": value},
                                    capture_output=True, text=True, check=False)
            check(value, result.returncode == 0 and warning in result.stderr and
                  result.stderr.count("\n") == (1 if warning else 0), result.stderr)
            with open(os.path.join(folder, "fct.txt"), encoding="ascii") as file:
                flows.append(file.read())
        check("any simulator", len(set(flows)) == 1, flows)


def test_wire_without_gaps_is_lossless():
    """The headroom of ports counted on preamble and gap: 20 frames of the shipped scenario were lost."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [f"--config={SCENARIO}/config.txt", "--wire=hpcc"]
        result = run(folder, *arguments, "--outDir=out")
        check("shipped scenario", result.returncode == 0 and not result.stderr, result.stderr)
        with open(os.path.join(folder, "out", "summary.json"), encoding="ascii") as file:
            check("shipped scenario", json.load(file)["lossless_drops"] == 0, result.stdout)
        result = run(folder, *arguments, "--ns3::QbbNetDevice::FrameFormat=Standard")
        check("headroom of others", result.returncode == 2 and re.search(
            r"FrameFormat Hpcc need more headroom than port \d+ of .* has with FrameFormat Standard; "
            "set FrameFormat of the links at FabricHelper to Hpcc", result.stderr), result.stderr)


def test_wire():
    packets = [f"--wire={wire}" for wire in ("standard", "hpcc")]
    check("--wire=standard is the default", incast(1, packets[0]) == incast(1) != incast(1, packets[1]))
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder, flows="1\n1 0 3 100 1500 0\n")
        result = run(folder, "--config=config.txt", packets[1])
        check("--wire=hpcc", result.returncode == 0 and result.stderr == "", result.stderr)
        with open(os.path.join(folder, "fct.txt"), encoding="ascii") as file:
            fct = file.read().split()
        # Two packets of 1048 B and 548 B over two links, and an ACK of 60 B back: 83, 43 and 4 ns.
        check("--wire=hpcc", fct[6:] == [str(2 * 83 + 43 + 2 * 4 + 4000)] * 2, fct)
        # A packet of 100 B takes 8 ns, of which the HPCC simulator cuts one.
        scenario(folder, flows="1\n1 0 3 100 52 0\n")
        run(folder, "--config=config.txt", packets[1])
        with open(os.path.join(folder, "fct.txt"), encoding="ascii") as file:
            fct = file.read().split()
        check("whole nanoseconds", fct[6:] == [str(2 * 7 + 2 * 4 + 4000)] * 2, fct)
        # The second flow starts as the second packet of the other ends: the third one goes first.
        scenario(folder, flows="2\n1 0 3 100 5000 0\n1 2 3 101 100 0.0000001665\n")
        run(folder, "--config=config.txt", packets[1])
        with open(os.path.join(folder, "fct.txt"), encoding="ascii") as file:
            fct = {row.split()[3]: row.split()[5:7] for row in file}
        check("flows start last", fct["101"] == ["166", str(83 + 2 * 11 + 2 * 4 + 4000)], fct)
    bad("--wire", r'--wire is "wide"; it must be standard or hpcc', "--wire=wide")


# Two racks of two hosts, and two ways between them.
PATHS_TOPOLOGY = "8 4 8\n4 5 6 7\n" + "".join(
    f"{a} {b} 100Gbps 1us 0\n" for a, b in ((0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (4, 7), (5, 6), (5, 7)))


def replay_paths(*arguments, flows):
    """Run flows between two racks. Returns the rows of fct.txt."""
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder, PATHS_TOPOLOGY, flows, CONFIG.replace("CC_MODE 1", "CC_MODE 7"))
        result = run(folder, "--config=config.txt", *arguments)
        check("two ways", result.returncode == 0 and result.stderr == "", result.stderr)
        with open(os.path.join(folder, "fct.txt"), encoding="ascii") as file:
            return [line.split() for line in file]


def test_paths():
    """Flows that start together, of two hosts to two hosts: the hashes of the files' names say who shares a link."""
    def flows(port):
        return f"2\n0 2 3 {port} 1000000 0\n1 3 3 {port} 1000000 0\n"
    shared = {}
    for port in (100, 101, 102, 103):
        rows = replay_paths("--wire=hpcc", flows=flows(port))
        check("sport", [row[2] for row in rows] == ["10000", "10000"], rows)
        shared[port] = max(int(row[6]) for row in rows) > 120000  # alone: 85 us and the way
    # By another program: murmur3, with the number of the leaf as seed, of 0b000001 and 0b000201, and of 0b000101
    # and 0b000301, and 10000 | port << 16, modulo 2.
    check("who shares a link", shared == {100: True, 101: False, 102: False, 103: True}, shared)
    twice = "2\n0 2 3 100 1000 0\n0 2 3 100 1000 0.00001\n"
    check("sport of a second flow", [row[2] for row in replay_paths("--wire=hpcc", flows=twice)] == ["10000", "10001"])


def test_threads():
    """The same results whatever the number of threads, with congestion controls other than HPCC, too."""
    for mode in (1, 3):
        one, two = (incast(mode, "--wire=hpcc", f"--threads={threads}") for threads in (1, 2))
        check(f"CC_MODE {mode}: threads", one and one == two, (one, two))
        by_attribute = incast(mode, "--wire=hpcc", "--ns3::FabricSimulatorImpl::Order=Canonical",
                              "--ns3::FabricSimulatorImpl::Threads=2")
        check(f"CC_MODE {mode}: Threads", by_attribute == one, (by_attribute, one))


def test_pauses():
    """pfc.txt: each pause begins and ends once, however often it is refreshed."""
    def lines(*arguments):
        with tempfile.TemporaryDirectory() as folder:
            scenario(folder, INCAST_TOPOLOGY, INCAST_FLOWS, INCAST_CONFIG.replace(
                "BUFFER_SIZE 4", "BUFFER_SIZE 1\nCC_MODE 7\nPFC_OUTPUT_FILE pfc.txt"))
            result = run(folder, "--config=config.txt", *arguments)
            check("pauses", result.returncode == 0, result.stderr)
            with open(os.path.join(folder, "pfc.txt"), encoding="ascii") as file:
                return [line.split() for line in file]
    refreshed = lines("--ns3::QbbNetDevice::PfcRefreshInterval=500ns")
    ports = {tuple(line[1:4]) for line in refreshed}
    for port in ports:
        kinds = [line[4] for line in refreshed if tuple(line[1:4]) == port]
        check("pauses", kinds == ["1", "0"] * (len(kinds) // 2), (port, kinds))
    check("pauses", ports, refreshed)


def test_buffers():
    small = config("SIZE 4", "SIZE 0.0625")
    bad("no shared space", r"config.txt:8: switch 3: BUFFER_SIZE of 65536 bytes leaves no shared space "
        r"beside 124788 bytes of headroom and reserve; raise BUFFER_SIZE, or allow loss", config=small)
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder, config=small)
        result = run(folder, "--config=config.txt", "--allowLossy")
        check("--allowLossy", result.returncode == 0, result.stderr)
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder, config=config("SIZE 4", "SIZE 5000"))
        result = run(folder, "--config=config.txt")
        check("5 GB", result.returncode == 0 and result.stderr == "", result.stderr)
    bad("long links", r"BUFFER_SIZE of 4194304 bytes leaves no shared space beside 225000012288 bytes",
        topology=TOPOLOGY.replace("1us", "2s"))
    # 64 ports with their headroom leave half of 5 MB.
    wide = "65 1 64\n64\n" + "".join(f"{host} 64 100Gbps 1us 0\n" for host in range(64))
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder, topology=wide, flows="1\n1 0 3 100 100000 0\n", config=config("SIZE 4", "SIZE 5"))
        result = run(folder, "--config=config.txt")
        check("5 MB and 64 ports", result.returncode == 0 and result.stderr == "", result.stderr)
    bad("a buffer of the user's is all of it", r"config.txt:1: leaf 0 \(node 3\): .*short",
        "--ns3::SwitchMmu::BufferSize=65536")


def test_options_win():
    with tempfile.TemporaryDirectory() as folder:
        scenario(folder)
        result = run(folder, "--config=config.txt", "--ns3::RdmaQueuePair::Mtu=500", "--outDir=out")
        check("option", result.returncode == 0, result.stderr)
        with open(os.path.join(folder, "out", "summary.json"), encoding="ascii") as file:
            check("option", json.load(file)["data_packets"] == 12, "MTU of 500")
    bad("option without effect", r"--ns3::QbbNetDevice::DataRate has no effect; the topology",
        "--ns3::QbbNetDevice::DataRate=1Gbps")


def test_bad_command_line():
    bad("unknown option", r"there is no option --outdir; did you mean --outDir", "--outdir=x")
    bad("output folder", r"/dev/null/x: is no folder and cannot be made one", "--outDir=/dev/null/x")
    with tempfile.TemporaryDirectory() as folder:
        result = run(folder)
        check("no configuration", result.returncode == 2 and "--config is missing" in result.stderr,
              result.stderr)
        result = run(folder, "--help")
        check("help", result.returncode == 0 and "--config=" in result.stdout, result.stdout)


for test in [value for key, value in list(globals().items()) if key.startswith("test_")]:
    test()
end("replay-test")
