# SPDX-License-Identifier: GPL-2.0-only
"""A line that says how far something is: on a terminal, or below a cell of a notebook."""

import importlib
import sys
import time
from typing import Any, Callable, Optional, TextIO


_shown = [True]  # False in a process of a sweep, which has a line of its own


def hide() -> None:
    """Runs of this process show no progress from now on."""
    _shown[0] = False


def is_shown() -> bool:
    """Whether runs of this process show progress."""
    return _shown[0]


class _Notebook:
    """A line below a cell of a notebook, from the first call on."""

    def __init__(self) -> None:
        self._display: Any = None

    def __call__(self, line: str) -> None:
        if self._display is None:
            display = importlib.import_module("IPython.display").display
            self._display = display({"text/plain": line}, raw=True, display_id=True)
        else:
            self._display.update({"text/plain": line}, raw=True)


def notebook_line() -> Optional[Callable[[str], None]]:
    """What shows a line below the cell of the notebook whose kernel this is; None: it is none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return _Notebook() if shell is not None and hasattr(shell, "kernel") else None


class Progress:
    """Counts what is done. Nothing is shown where nobody looks: in a file or a pipe."""

    def __init__(self, what: str, total: int, stream: Optional[TextIO] = None):
        self.what, self.total, self.done, self.failed = what, total, 0, 0
        stream = sys.stderr if stream is None else stream
        self._line = notebook_line() if total else None
        self._stream = stream if self._line is None and stream.isatty() else None
        self._begin = time.monotonic()

    def step(self, succeeded: bool) -> None:
        """One more is done."""
        self.done += 1
        self.failed += not succeeded
        left = (time.monotonic() - self._begin) / self.done * (self.total - self.done)
        self._show(f"{self._count()}, {left:.0f} s left")

    def finish(self) -> None:
        """All is done, or it was ended: the line of a terminal goes, that of a notebook says so."""
        if self._stream:
            self._stream.write("\r\033[K")
            self._stream.flush()
        elif self._line is not None:
            self._show(f"{self._count()} in {time.monotonic() - self._begin:.0f} s")

    def _count(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.what}: {self.done}/{self.total} points{failed}"

    def _show(self, text: str) -> None:
        if self._stream:
            self._stream.write("\r\033[K" + text)
            self._stream.flush()
        elif self._line is not None:
            self._line(text)
