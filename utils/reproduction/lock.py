# SPDX-License-Identifier: GPL-2.0-only
"""One command at a time in a folder of results."""

import contextlib
import fcntl
import os

from .errors import ReproduceError

NAME = "lock"


@contextlib.contextmanager
def locked(folder):
    """Holds the folder, which is made if there is none. Yields the file descriptor of the lock: while
    a program that inherited it runs, the folder stays locked, even if the command was killed."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ReproduceError(f"{folder}: {error.strerror}; --outDir names where results go"
                             ) from error
    descriptor = os.open(os.path.join(folder, NAME), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ReproduceError(f"{folder} is in use by another run; wait for it, or give another "
                                 "--outDir") from error
        yield descriptor
    finally:
        os.close(descriptor)
