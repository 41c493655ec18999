# SPDX-License-Identifier: GPL-2.0-only
"""matplotlib, without a display and without warnings about its folders; None where there is none."""

import atexit
import os
import shutil
import tempfile


def writable(folder):
    """Whether matplotlib can make a folder, or write into it."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def ensure_folders():
    """matplotlib warns if its folders belong to another user: then it gets one for this run."""
    own = os.environ.get("MPLCONFIGDIR")
    home = os.path.expanduser("~")
    folders = [own] if own else [
        os.path.join(os.environ.get(name) or os.path.join(home, default), "matplotlib")
        for name, default in (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache"))]
    if not all(writable(folder) for folder in folders):
        folder = tempfile.mkdtemp(prefix="matplotlib-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["MPLCONFIGDIR"] = folder


ensure_folders()
try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    plt = None


def size_name(size):
    """Bytes, as people write them: 323 B, 9.9 MB."""
    for limit, unit in ((1e6, "MB"), (1e3, "KB")):
        if size >= limit:
            return f"{size / limit:.{1 if size < 9.95 * limit else 0}f}".removesuffix(".0") + f" {unit}"
    return f"{size:.0f} B"
