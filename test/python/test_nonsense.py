# SPDX-License-Identifier: GPL-2.0-only
"""Nothing that a script passes ends the interpreter: see nonsense.py, which calls everything."""

import pathlib
import subprocess
import sys

import budget
import pytest

WORKER = pathlib.Path(__file__).parent / "nonsense.py"


@pytest.mark.parametrize("seed", range(1, 1 + budget.cases("seeds of nonsense", 3)))
@pytest.mark.parametrize("area", ["members", "functions", "attributes", "living", "fabrics"])
def test_nonsense(area, seed, tmp_path):
    journal = tmp_path / "journal"
    result = subprocess.run([sys.executable, WORKER, area, str(seed), journal], cwd=tmp_path,
                            capture_output=True, text=True, check=False, timeout=120,
                            errors="replace")
    last = journal.read_text(errors="replace").strip() if journal.exists() else "nothing was called"
    assert result.returncode == 0, f"{last} ended it with status {result.returncode}: " \
                                   f"{result.stderr[-500:]}"
    assert int(result.stdout.splitlines()[-1].split()[0]) > 100, "too little was called"


EVERY_TYPE = """
import lossless as ll
from lossless import _lossless

for name in _lossless.type_names():
    print(name, flush=True)
    try:
        ll.create(name)
    except (ValueError, RuntimeError):
        pass
print("all")
"""


def test_every_type_of_ns3_can_be_made_and_forgotten_or_is_refused():
    result = subprocess.run([sys.executable, "-c", EVERY_TYPE], capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0 and result.stdout.endswith("all\n"), \
        f"{result.stdout.splitlines()[-1]} ended it: {result.stderr[-500:]}"


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "nan", "many", ""])
def test_a_budget_of_no_cases_is_refused(text):
    with pytest.raises(SystemExit, match="LOSSLESS_BUDGET is the share"):
        budget.share(text)
