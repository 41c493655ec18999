#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Each key of a configuration changes what lossless-replay writes, is refused, or is named as unused.
# The keys are those of helper/replay/hpcc-keys.cc: a new one needs a row here.
#
#   keys-test.py <lossless-replay> <hpcc-keys.cc>
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])

# Three hosts at switch 4, two at switch 5; host 0 is further away than the others.
TOPOLOGY = """7 2 6
4 5
0 4 100Gbps 3us 0
1 4 100Gbps 1us 0
2 4 100Gbps 1us 0
4 5 100Gbps 1us 0
3 5 100Gbps 1us 0
6 5 100Gbps 1us 0
"""
FLOWS = """6
0 3 3 100 300000 2
1 3 3 100 300000 2
2 3 3 100 300000 2
6 3 3 100 300000 2
2 6 3 200 300000 2
3 0 3 100 300000 2
"""
BASE = {
    "TOPOLOGY_FILE": "topology.txt", "FLOW_FILE": "flow.txt", "FCT_OUTPUT_FILE": "fct.txt",
    "PFC_OUTPUT_FILE": "pfc.txt", "QLEN_MON_FILE": "qlen.txt", "QLEN_MON_START": "2000000000",
    "QLEN_MON_END": "2000300000", "SIMULATOR_STOP_TIME": "2.02", "CC_MODE": "1", "HAS_WIN": "0",
    "BUFFER_SIZE": "0.6", "KMAX_MAP": "1 100000000000 100", "KMIN_MAP": "1 100000000000 20",
    "PMAX_MAP": "1 100000000000 0.2",
}
HPCC, TIMELY, DCTCP, PINT = ({"CC_MODE": mode, "HAS_WIN": "1"} for mode in ("3", "7", "8", "10"))
EFFECT, NAMED = "effect", "named"
# Key: its value, what else is set in both runs, and what the key does.
ROWS = {
    "ENABLE_QCN": ("0", {}, EFFECT),
    "USE_DYNAMIC_PFC_THRESHOLD": ("0", {}, NAMED),
    "CLAMP_TARGET_RATE": ("1", {"RP_TIMER": "5"}, EFFECT),
    "PAUSE_TIME": ("5", {}, NAMED),
    "DATA_RATE": ("40Gbps", {}, NAMED),
    "LINK_DELAY": ("5us", {}, NAMED),
    "PACKET_PAYLOAD_SIZE": ("512", {}, EFFECT),
    "L2_CHUNK_SIZE": ("16000", {"L2_BACK_TO_ZERO": "1", "ERROR_RATE_PER_LINK": "0.002"}, EFFECT),
    "L2_ACK_INTERVAL": ("8", {}, EFFECT),
    "L2_BACK_TO_ZERO": ("1", {"ERROR_RATE_PER_LINK": "0.002"}, EFFECT),
    "TOPOLOGY_FILE": ("other-topology.txt", {}, EFFECT),
    "FLOW_FILE": ("other-flow.txt", {}, EFFECT),
    "TRACE_FILE": ("trace.txt", {}, NAMED),
    "TRACE_OUTPUT_FILE": ("mix.tr", {}, NAMED),
    "ENABLE_TRACE": ("1", {}, NAMED),
    "FCT_OUTPUT_FILE": ("other-fct.txt", {}, EFFECT),
    "PFC_OUTPUT_FILE": ("other-pfc.txt", {}, EFFECT),
    "SIMULATOR_STOP_TIME": ("2.00005", {}, EFFECT),
    "CC_MODE": ("7", {}, EFFECT),
    "ALPHA_RESUME_INTERVAL": ("20", {}, EFFECT),
    "RATE_DECREASE_INTERVAL": ("20", {}, EFFECT),
    "RP_TIMER": ("10", {}, EFFECT),
    "EWMA_GAIN": ("0.5", {}, EFFECT),
    "FAST_RECOVERY_TIMES": ("4", {"RP_TIMER": "2", "CLAMP_TARGET_RATE": "1"}, EFFECT),
    "RATE_AI": ("5Gb/s", {"RP_TIMER": "2", "CLAMP_TARGET_RATE": "1"}, EFFECT),
    "RATE_HAI": ("9Gb/s", {"RP_TIMER": "2", "CLAMP_TARGET_RATE": "1"}, EFFECT),
    "MIN_RATE": ("20Gb/s", {}, EFFECT),
    "DCTCP_RATE_AI": ("9Gb/s", DCTCP, EFFECT),
    "ERROR_RATE_PER_LINK": ("0.01", {}, EFFECT),
    "HAS_WIN": ("1", {}, EFFECT),
    "GLOBAL_T": ("0", HPCC, EFFECT),
    "VAR_WIN": ("1", {"HAS_WIN": "1"}, EFFECT),
    "FAST_REACT": ("0", HPCC, EFFECT),
    "U_TARGET": ("0.5", HPCC, EFFECT),
    "MI_THRESH": ("0", HPCC, EFFECT),
    "INT_MULTI": ("16", HPCC, EFFECT),
    "MULTI_RATE": ("0", HPCC, EFFECT),
    "SAMPLE_FEEDBACK": ("1", HPCC, EFFECT),
    "PINT_LOG_BASE": ("1.5", PINT, EFFECT),
    "PINT_PROB": ("0.1", PINT, EFFECT),
    "RATE_BOUND": ("0", {}, EFFECT),
    "ACK_HIGH_PRIO": ("1", {}, EFFECT),
    "LINK_DOWN": ("20 0 4", {}, EFFECT),
    "KMAX_MAP": ("1 100000000000 30", {}, EFFECT),
    "KMIN_MAP": ("1 100000000000 90", {}, EFFECT),
    "PMAX_MAP": ("1 100000000000 1", {}, EFFECT),
    "BUFFER_SIZE": ("0.5", {}, EFFECT),
    "QLEN_MON_FILE": ("other-qlen.txt", {}, EFFECT),
    "QLEN_MON_START": ("2000100000", {}, EFFECT),
    "QLEN_MON_END": ("2000020000", {}, EFFECT),
    "QLEN_MON_DUMP_INTERVAL": ("1000", {}, NAMED),
    "QLEN_MON_INTERVAL": ("50", {}, NAMED),
}
INPUTS = {
    "topology.txt": TOPOLOGY, "flow.txt": FLOWS, "trace.txt": "1\n0\n",
    "other-topology.txt": TOPOLOGY.replace("3us", "9us"),
    "other-flow.txt": FLOWS.replace("300000", "200000"),
}


def run(keys):
    """What a run writes: {file: bytes}, and its messages."""
    with tempfile.TemporaryDirectory() as folder:
        files = dict(INPUTS, **{"config.txt": "".join(f"{k} {v}\n" for k, v in keys.items())})
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
        done = subprocess.run([PROGRAM, "--allowLossy", "--config=config.txt"], cwd=folder,
                              capture_output=True, text=True, timeout=300, check=False)
        written = {}
        for name in sorted(set(os.listdir(folder)) - set(files)):
            with open(os.path.join(folder, name), "rb") as file:
                written[name] = file.read()
        return done.returncode, written, done.stderr


def main():
    with open(SOURCE, encoding="ascii") as file:
        known = re.findall(r'\{"([A-Z0-9_]+)", Kind::', file.read())
    mistakes = [f"{key} has no row" for key in known if key not in ROWS]
    mistakes += [f"{key} is no key" for key in ROWS if key not in known]
    bases = {}
    for key, (value, other, does) in ROWS.items():
        keys = dict(BASE, **other)
        name = repr(sorted(keys.items()))
        if name not in bases:
            bases[name] = run(keys)
        code, written, said = bases[name]
        if code != 0 or not written:
            mistakes.append(f"{key}: without it, exit {code}: {said}")
            continue
        code, now, now_said = run(dict(keys, **{key: value}))
        if code != 0:
            mistakes.append(f"{key}: exit {code}: {now_said}")
        elif does == EFFECT and now == written:
            mistakes.append(f"{key} {value} has no effect")
        elif does == NAMED and (key not in now_said or key in said):
            mistakes.append(f"{key} is not named as unused: {now_said}")
        elif does == NAMED and now != written:
            mistakes.append(f"{key} is named as unused, and has an effect")
    for mistake in mistakes:
        print(f"keys-test: {mistake}")
    print(f"keys-test: {len(known)} keys, {len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
