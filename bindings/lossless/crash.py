# SPDX-License-Identifier: GPL-2.0-only
"""Says where Python was when a memory fault or a check of ns-3 ends the program."""

import faulthandler


def tell_of_faults() -> None:
    """Have faulthandler print the calls of Python at SIGSEGV, SIGABRT and their like."""
    try:
        if not faulthandler.is_enabled():  # else it is as the user wants it
            faulthandler.enable()
    except (AttributeError, OSError, RuntimeError, ValueError):
        pass  # standard error is no file
