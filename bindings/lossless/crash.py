# SPDX-License-Identifier: GPL-2.0-only
"""Says where Python was when a memory fault ends the program, which else ends without a word."""

import faulthandler
import signal


def tell_of_memory_faults() -> None:
    """Have faulthandler print the calls of Python at SIGSEGV and its like. SIGABRT is left out: what
    aborts says why."""
    if faulthandler.is_enabled():
        return  # as the user wants it
    try:
        aborts = signal.getsignal(signal.SIGABRT)
        faulthandler.enable()
        signal.signal(signal.SIGABRT, signal.SIG_DFL if aborts is None else aborts)
    except (AttributeError, OSError, RuntimeError, ValueError):
        pass  # standard error is no file, or this is no main thread
