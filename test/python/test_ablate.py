# SPDX-License-Identifier: GPL-2.0-only
"""Which settings of a run matter."""

import pathlib
import subprocess

ABLATE = pathlib.Path(__file__).resolve().parents[2] / "utils" / "ablate"


def test_a_setting_that_changes_nothing_is_found(incast_program, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text("[leaf]\nSwitchMmu.GuaranteedBytes = 9000\n")
    done = subprocess.run([ABLATE, incast_program, "--bytes=10KB", "--duration=10us", f"--settings={settings}",
                           "--ns3::QbbChannel::Delay=3us", "--ns3::RdmaDcqcn::ByteCounter=20000"],
                          capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert any(line.startswith("changes  --ns3::QbbChannel::Delay=3us: fct.csv") for line in lines), done.stdout
    assert "same     --ns3::RdmaDcqcn::ByteCounter=20000" in lines
    assert any(line.endswith("At leaf ns3::SwitchMmu::GuaranteedBytes") for line in lines), done.stdout
