# SPDX-License-Identifier: GPL-2.0-only
"""Where a script of utils/ finds the Python package."""

import os
import sys


def find(parser, build):
    """Let `import lossless` find the package of a build folder, its library included."""
    python = os.path.join(build, "python")
    if not os.path.isdir(os.path.join(python, "lossless")):
        parser.error(f"{build} has no python/lossless; build it with utils/quickstart, or name another folder "
                     "with --build")
    if os.environ.get("LOSSLESS_UTILS_BUILD") != build:  # the loader reads LD_LIBRARY_PATH once
        paths = [build, os.environ.get("LD_LIBRARY_PATH", "")]
        os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(path for path in paths if path)
        os.environ["LOSSLESS_UTILS_BUILD"] = build
        os.execv(sys.executable, [sys.executable, *sys.argv])
    sys.path.insert(0, python)
