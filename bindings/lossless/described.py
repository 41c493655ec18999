# SPDX-License-Identifier: GPL-2.0-only
"""Units and meanings of all tables and totals, those of jobs too."""

from importlib import import_module
from importlib.util import find_spec
from typing import Dict, Tuple

from . import _lossless


def _load_jobs() -> None:
    """Jobs, where they are built, list what they have when they are loaded."""
    if find_spec("lossless._lossless_jobs"):
        import_module("lossless._lossless_jobs")


def describe_tables() -> Dict[str, Dict[str, Tuple[str, str]]]:
    """Unit and meaning of the columns of all tables, by name."""
    _load_jobs()
    return _lossless.describe_tables()


def describe_totals() -> Dict[str, Tuple[str, str]]:
    """Unit and meaning of each total of a run, by name; those of watchdogs, of the deadlock detector and
    of steady states are there only where there are such, that of a signal if one came."""
    _load_jobs()
    return _lossless.describe_totals()
