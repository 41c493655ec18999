# SPDX-License-Identifier: GPL-2.0-only
"""Runs of programs: several at a time, each once. A finished run has a stamp with its command and
the build of its program, and with the sizes of its files; it is not repeated while these stay the
same."""

import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

from .errors import ReproduceError

# In canonical order, the default of programs, events of one moment leave in another order than in
# that of ns-3, in which the documented results were made.
ORDER = "--ns3::FabricSimulatorImpl::Order=Uid"
STAMP = "done"
REFUSED = "refused.txt"  # why a program refused a run


@dataclass(frozen=True)
class Run:
    """A run of a program.

    refusable: whether the program may refuse it (status 2), which is then what the run has found.
    """

    name: str  # what it is; the same in all samples
    program: str
    arguments: tuple  # without --outDir
    sample: int = 0
    refusable: bool = False

    @property
    def folder(self):
        """Where its results are, below the folder of the paper."""
        return f"{self.name}.{self.sample + 1}" if self.sample else self.name

    def command(self):
        """As text, without folders, for stamps and reports."""
        return " ".join((self.program,) + self.arguments + (ORDER,))


def build_id(files):
    """Identifies a build of a program: a hash of the contents of its files."""
    digest = hashlib.sha256()
    for path in files:
        try:
            with open(path, "rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise ReproduceError(f"{path}: {error.strerror}; was the build removed?") from error
    return digest.hexdigest()


def is_finished(folder, run, build):
    """Whether the folder holds the results of this run, by this build, as the run left them."""
    try:
        with open(os.path.join(folder, STAMP), encoding="ascii") as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return False
    if not isinstance(stamp, dict) or not isinstance(stamp.get("files"), dict):
        return False
    return (stamp.get("command") == run.command() and stamp.get("build") == build
            and stamp["files"].items() <= sizes(folder).items())


def sizes(folder):
    """The bytes of each file of a run, but for its stamp."""
    with os.scandir(folder) as entries:
        return {entry.name: entry.stat().st_size for entry in entries
                if entry.is_file() and not entry.name.startswith(STAMP)}


def write_stamp(folder, run, build):
    """The run is finished. The stamp appears whole or not at all."""
    path = os.path.join(folder, STAMP)
    with open(path + ".part", "w", encoding="ascii") as file:
        json.dump({"command": run.command(), "build": build, "files": sizes(folder)}, file)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)


class Progress:
    """One line on a terminal: runs done, wall time left. Nothing where there is no terminal."""

    def __init__(self, title, total, stream=sys.stderr):
        self.title, self.total, self.done = title, total, 0
        self.stream = stream
        self.enabled = stream.isatty()
        self.begin = time.monotonic()

    def line(self, elapsed):
        text = f"{self.title}: {self.done}/{self.total} runs"
        if self.done and self.done < self.total:
            left = elapsed / self.done * (self.total - self.done)
            text += f", {left / 60:.0f} min left" if left >= 90 else f", {left:.0f} s left"
        return text

    def show(self):
        if self.enabled:
            self.stream.write("\r\033[K" + self.line(time.monotonic() - self.begin))
            self.stream.flush()

    def step(self):
        self.done += 1
        self.show()

    def finish(self):
        if self.enabled:
            self.stream.write("\r\033[K")
            self.stream.flush()


class Runner:
    """Executes runs.

    programs: folder of the programs; libraries: files that are part of every program's build;
    inherited: file descriptors that the programs keep open.
    """

    def __init__(self, programs, libraries, folder, jobs, inherited=()):
        self.inherited = inherited
        self.programs, self.libraries, self.folder, self.jobs = programs, libraries, folder, jobs
        self.children = set()
        self.lock = threading.Lock()
        self.stopped = False
        self.builds = {}

    def build_of(self, program):
        if program not in self.builds:
            path = os.path.join(self.programs, program)
            self.builds[program] = build_id([path] + self.libraries)
        return self.builds[program]

    def folder_of(self, run):
        return os.path.join(self.folder, "runs", run.folder)

    def execute(self, runs, title):
        """Do what is not finished. Returns how many runs that were."""
        pending = [run for run in runs
                if not is_finished(self.folder_of(run), run, self.build_of(run.program))]
        progress = Progress(title, len(pending))
        progress.show()
        pool = concurrent.futures.ThreadPoolExecutor(self.jobs)
        try:
            futures = [pool.submit(self.execute_one, run) for run in pending]
            for future in concurrent.futures.as_completed(futures):
                future.result()
                progress.step()
        finally:
            self.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            progress.finish()
            self.stopped = False
        return len(pending)

    def execute_one(self, run):
        if self.stopped:
            return
        folder = self.folder_of(run)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            os.makedirs(folder)
        except OSError as error:
            raise ReproduceError(f"{folder}: {error.strerror}; --outDir names where results go"
                                 ) from error
        command = [os.path.join(self.programs, run.program), *run.arguments, ORDER,
                   f"--outDir={folder}"]
        with open(os.path.join(folder, "summary.txt"), "w", encoding="ascii") as output:
            with self.lock:
                if self.stopped:
                    return
                # pylint: disable=consider-using-with
                child = subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, text=True,
                                         start_new_session=True, pass_fds=self.inherited)
                self.children.add(child)
            message = child.communicate()[1]
        with self.lock:
            self.children.discard(child)
        if self.stopped:
            return
        last = message.strip().splitlines()[-1:] or [f"ended with status {child.returncode}"]
        if child.returncode == 2 and run.refusable:
            with open(os.path.join(folder, REFUSED), "w", encoding="utf-8") as file:
                file.write(last[0] + "\n")
        elif child.returncode != 0:
            raise ReproduceError(f"run {run.folder} failed: {last[0]} (command: {run.command()})")
        write_stamp(folder, run, self.build_of(run.program))

    def stop(self):
        """End what still runs; what was not finished will be repeated."""
        with self.lock:
            self.stopped = True
            for child in self.children:
                if child.poll() is None:
                    child.terminate()
