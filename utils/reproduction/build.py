# SPDX-License-Identifier: GPL-2.0-only
"""Builds the programs, as utils/quickstart does."""

import glob
import os
import subprocess

from .errors import ReproduceError


def build(root, programs):
    """Build programs in build/release. Returns their folder."""
    folder = os.path.join(root, "build", "release")
    log = os.path.join(root, "build", "reproduce.log")
    try:
        os.makedirs(os.path.join(root, "build"), exist_ok=True)
        with open(log, "w", encoding="utf-8") as output:
            for command in (["cmake", "-S", root, "-B", folder, "-G", "Ninja",
                             "-DCMAKE_BUILD_TYPE=Release"],
                            ["cmake", "--build", folder, "--target", *programs]):
                done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT,
                                      stdin=subprocess.DEVNULL, check=False)
                if done.returncode:
                    raise ReproduceError(f"the build failed; all output: {log}")
    except OSError as error:
        raise ReproduceError(f"cannot build: {error}; utils/setup installs what is needed"
                             ) from error
    return os.path.join(folder, "bin")


def libraries(programs):
    """The libraries of a build, from the folder of its programs."""
    return sorted(glob.glob(os.path.join(os.path.dirname(programs), "libns3-lossless*.so")))
