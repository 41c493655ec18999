# SPDX-License-Identifier: GPL-2.0-only
"""A line that says how far something is: on a terminal, or below a cell of a notebook."""

import importlib
import sys
import time
from typing import Any, Optional, TextIO


def _notebook() -> Optional[Any]:
    """A display of the notebook whose kernel this is, or None."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    display = importlib.import_module("IPython.display").display
    return display({"text/plain": ""}, raw=True, display_id=True)


class Progress:
    """Counts what is done. Nothing is shown where nobody looks: in a file or a pipe."""

    def __init__(self, what: str, total: int, stream: Optional[TextIO] = None):
        self.what, self.total, self.done, self.failed = what, total, 0, 0
        stream = sys.stderr if stream is None else stream
        self._display = _notebook() if total else None
        self._stream = stream if self._display is None and stream.isatty() else None
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
        elif self._display is not None:
            self._show(f"{self._count()} in {time.monotonic() - self._begin:.0f} s")

    def _count(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.what}: {self.done}/{self.total} points{failed}"

    def _show(self, text: str) -> None:
        if self._stream:
            self._stream.write("\r\033[K" + text)
            self._stream.flush()
        elif self._display is not None:
            self._display.update({"text/plain": text}, raw=True)
