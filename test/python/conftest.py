# SPDX-License-Identifier: GPL-2.0-only
"""Every test begins and ends without a simulation."""

import os
import pathlib
import signal
from importlib.util import find_spec

import budget
import pytest

import lossless as ll

# nohup and background jobs of a shell ignore signals, and programs inherit that: tests send them.
signal.signal(signal.SIGINT, signal.default_int_handler)
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)


collect_ignore = [] if find_spec("lossless._lossless_jobs") else ["test_job.py", "test_nonsense.py", "test_stubs.py"]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Where jobs are not built, a test that needs them is skipped."""
    outcome = yield
    if call.excinfo and "jobs are not built" in str(call.excinfo.value):
        report = outcome.get_result()
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, "needs jobs")


@pytest.fixture(autouse=True)
def clean_simulator():
    ll.set_seed(1, 1)
    yield
    ll.Simulator.destroy()
    ll.Config.reset()


@pytest.fixture
def star():
    """Four hosts around a switch."""
    return ll.Fabric.star(4, rate="100Gbps", delay="1us", buffer="2MiB")


@pytest.fixture
def incast_program():
    """The program leaf-spine-incast: in ns-3's tree its name has version and profile, too."""
    return next(pathlib.Path(os.environ["LOSSLESS_PROGRAMS"]).glob("*leaf-spine-incast*"))


def pytest_terminal_summary(terminalreporter):
    for name, (count, everything) in budget.said.items():
        terminalreporter.write_line(f"{name}: {count} of {everything}")
