#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs lossless-buffers as users do: tables of headroom, the budget of a switch, the check of whole
# configurations, and its exit status.
#
#   buffers-test.py <lossless-buffers> <folder of the shipped scenario>
import csv
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from checks import check, end  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SCENARIO = os.path.abspath(sys.argv[2])
CONFIG = f"--config={SCENARIO}/config.txt"
TOPOLOGY = f"--topology={SCENARIO}/topology.txt"


def run(folder, *arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True,
                          timeout=300, check=False)


def good(folder, *arguments, status=0):
    result = run(folder, *arguments)
    check(" ".join(arguments), result.returncode == status and not result.stderr, result)
    return result.stdout.splitlines()


def bad(folder, line, *arguments):
    result = run(folder, *arguments)
    check(" ".join(arguments), result.returncode == 2 and not result.stdout
          and result.stderr.count("\n") == 1 and re.match(f"lossless-buffers: {line}", result.stderr),
          result)


def rows_of(path):
    with open(path, encoding="ascii") as file:
        return list(csv.DictReader(file))


def tables(folder):
    lines = good(folder)
    check("eight rates, four cables", len(lines) == 2 + 8 * 4, lines)
    check("a line as wide as the others", len({len(line) for line in lines}) == 1, lines)
    lines = good(folder, "--rate=100Gbps,800Gbps", "--metres=100", "--mtu=1496", "--reaction=0,1us",
                 "--csv=out/table.csv")
    check("values", [line.split()[5:9] for line in lines[2:]] ==
          [["15,660", "187", "38,896", "71,596"], ["28,160", "336", "69,888", "71,596"],
           ["103,160", "1,229", "255,632", "-"], ["203,160", "2,419", "503,152", "-"]], lines)
    rows = rows_of(os.path.join(folder, "out", "table.csv"))
    check("the file", [row["bytes"] for row in rows] == ["38896", "69888", "255632", "503152"]
          and rows[1]["reaction_ns"] == "1000" and rows[2]["standard_bytes"] == ""
          and rows[0]["deployment_cells"] == "408", rows)


def budgets(folder):
    lines = good(folder, "--buffer=4MB", "--ports=8x100Gbps:100,2x400Gbps:300", "--classes=2")
    text = "\n".join(lines)
    check("budget", "    shared  1,726,816  B" in lines, text)
    check("thresholds", lines[-1].split() == ["20", "61,672"], text)
    lines = good(folder, "--buffer=1MB", "--ports=8x100Gbps:100,2x400Gbps:300", "--classes=2")
    check("too small", lines[-1].startswith("the buffer is ") and " bytes short of " in lines[-1], lines)
    more = re.search(r"must have ([\d,]+) at least", lines[-1])[1].replace(",", "")
    lines = good(folder, f"--buffer={more}", "--ports=8x100Gbps:100,2x400Gbps:300", "--classes=2")
    check("just enough", "shared" in lines[8] and lines[8].split()[1] == "0", lines)


def configurations(folder):
    # By default Kmin is 32 us of line rate, and a round trip takes 8.24 us.
    lines = good(folder, TOPOLOGY, status=1)
    found = [re.search(r"above Kmin of (\d+), and the bandwidth-delay product is (\d+) bytes, (\d+) Gb/s times", line)
             for line in lines]
    check("Kmin by rate", [match.groups() for match in found]
          == [("400000", "103020", "100"), ("1600000", "412080", "400")], lines)
    check("no findings", good(folder, TOPOLOGY, "--ns3::WredEcnMarker::Kmin=25KB")
          == ["no findings: 6 switches, 80 ports"])
    # The shipped scenario has a buffer so shallow that five hosts are paused before their uplink is
    # marked; Kmin of the uplinks is 1600 KB.
    lines = good(folder, CONFIG, "--csv=findings.csv", status=1)
    kmins = [line for line in lines if "bandwidth-delay product" in line]
    lines = [line for line in lines if line not in kmins]
    check("all uplinks", [line.split(" class")[0] for line in lines] ==
          [f"leaf {leaf} port {port}" for leaf in range(4) for port in (8, 9)], lines)
    found = re.search(r"5 ports that send into the queue are paused when together they hold (\d+) bytes, "
                      r"and marks begin above Kmin of 1600000; set Kmin there to (\d+) at most", lines[0])
    check("values", found and int(found[1]) == int(found[2]) + 1, lines[0])
    rows = rows_of(os.path.join(folder, "findings.csv"))
    check("the file", [row["rule"] for row in rows] == 2 * ["kmin"] + 8 * ["ecn"] and rows[2]["class"] == "3"
          and rows[9]["place"] == "leaf 3 port 9", rows)
    with open(os.path.join(folder, "mended.toml"), "w", encoding="ascii") as file:
        file.write(f'["leaf to spine"]\nWredEcnMarker.Kmin = {found[2]}\n')
    check("mended", all("bandwidth-delay product" in line
                        for line in good(folder, CONFIG, "--settings=mended.toml", status=1)))
    host, spine = (re.search(r"set Kmin there to (\d+) at most", line)[1] for line in kmins)
    with open(os.path.join(folder, "mended.toml"), "w", encoding="ascii") as file:
        file.write("".join(f'["{place}"]\nWredEcnMarker.Kmin = {kmin}\n' for place, kmin in
                           (("leaf to host", host), ("leaf to spine", spine), ("spine to leaf", spine))))
    check("all mended", good(folder, CONFIG, "--settings=mended.toml")
          == ["no findings: 6 switches, 80 ports"])
    lines = good(folder, TOPOLOGY, "--ns3::SwitchMmu::BufferSize=1MB", status=1)
    size = re.search(r"set BufferSize to (\d+) at least", lines[0])
    check("a small buffer", size and lines[0].startswith("leaf 0: "), lines)
    lines = good(folder, TOPOLOGY, "--ns3::SwitchMmu::BufferSize=" + size[1], status=1)
    check("just enough for headroom", all("PFC acts before ECN" in line or "bandwidth-delay product" in line
                                          for line in lines), lines)


def pmax(folder):
    lines = good(folder, "--cnp=50us", "--rate=25Gbps,100Gbps", "--flows=2")
    check("effective Pmax", [line.split() for line in lines[2:]] ==
          [["25", "1500", "2", "1,013,294", "20,000", "1.974"], ["100", "1500", "2", "4,053,178", "20,000", "0.493"]],
          lines)


def mistakes(folder):
    bad(folder, "nix.txt: ", "--topology=nix.txt")
    bad(folder, "nix.txt: ", "--config=nix.txt")
    bad(folder, "--config, --topology, --ports and --cnp ask for different things; give one of them\n",
        CONFIG, TOPOLOGY)
    bad(folder, "--config, --topology, --ports and --cnp ask", TOPOLOGY, "--cnp=4us")
    bad(folder, "--settings and --ns3::Type::Attribute have no effect here; they need --config or "
        "--topology\n", "--ns3::SwitchMmu::Alpha=0.5")
    bad(folder, "alpha is 128; it must be 0 or more and below 128\n", "--ports=1x1Gbps:1", "--alpha=128")
    bad(folder, '--mtu is "big"; ', "--mtu=big")
    bad(folder, "the MTU is 9999; it must be 68 to 9216\n", "--mtu=9999")
    help_text = "\n".join(good(folder, "--help"))
    check("--help", "exit status 1" in help_text and "frames have 22 more" in help_text, help_text)


with tempfile.TemporaryDirectory() as scratch:
    tables(scratch)
    budgets(scratch)
    configurations(scratch)
    pmax(scratch)
    mistakes(scratch)
end("buffers-test")
