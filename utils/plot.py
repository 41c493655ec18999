#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the CSV files of runs: plot.py [options] [LABEL=]FOLDER ...

Of one folder, as a run writes it, the plots that its files allow: fct-slowdown.png, fct-cdf.png,
queue-length.png, queue-map.png, pause.png, throughput.png and rate-map.png; ping.png and
pause-monitor.png of monitors; comparison.png of comparison.csv of RunComparison. Of several folders
the plots that compare them, a line for each label: fct-slowdown.png and fct.png with p50, p95 and
p99 by flow size, fct-cdf.png, queue-length.png, throughput.png and pause.png. lossless.plot draws.
"""
import argparse
import os
import pathlib
import sys
import types

sys.dont_write_bytecode = True

from reproduction.drawing import plt  # noqa: E402, without a cache in the sources

# The plots of the package need no build of it: they are found below a package of that name which
# imports nothing.
package = types.ModuleType("lossless")
package.__path__ = [str(pathlib.Path(__file__).resolve().parents[1] / "bindings" / "lossless")]
sys.modules["lossless"] = package

from lossless import plot  # noqa: E402


def fail(message):
    """End with one line."""
    print(f"plot.py: {message}", file=sys.stderr)
    sys.exit(2)


class Parser(argparse.ArgumentParser):
    """Errors in one line."""

    def error(self, message):
        fail(f"{message}; plot.py --help says what there is")


def labels_of(arguments):
    """Folders by label: what stands before "=", or else the parts in which the paths differ."""
    split = [("", text) if os.path.isdir(text) else text.rpartition("=")[::2] for text in arguments]
    parts = [os.path.abspath(path).split(os.sep) for _, path in split]
    while len({tuple(path[:1]) for path in parts}) == 1 and len(parts) > 1 and min(map(len, parts)) > 1:
        parts = [path[1:] for path in parts]
    while len({tuple(path[-1:]) for path in parts}) == 1 and len(parts) > 1 and min(map(len, parts)) > 1:
        parts = [path[:-1] for path in parts]
    folders = {}
    for (label, path), differing in zip(split, parts):
        label = label or "/".join(differing)
        if not os.path.isdir(path):
            fail(f"{path}: there is no such folder; name one with results of a run")
        if label in folders:
            fail(f"two folders are {label!r}; give each a label, LABEL=FOLDER")
        folders[label] = path
    return folders


def main():
    """The program."""
    parser = Parser(prog="plot.py", description=__doc__.split("\n\n", maxsplit=1)[1],
                    allow_abbrev=False)
    parser.add_argument("folders", metavar="[LABEL=]FOLDER", nargs="+", help="with CSV files of a run")
    parser.add_argument("--outDir", metavar="FOLDER",
                        help="where plots go (default: the folder; of several: comparison)")
    parser.add_argument("--size", choices=("column", "wide", "slide"), default="wide",
                        help="column of a paper, both columns, or slide (default: %(default)s)")
    parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png",
                        help="of the files (default: %(default)s)")
    arguments = parser.parse_args()
    if plt is None:
        fail(f"{sys.executable} has no matplotlib; /usr/bin/python3 has it after utils/setup")
    folders = labels_of(arguments.folders)
    output = arguments.outDir or (*folders.values(), "comparison")[0 if len(folders) == 1 else -1]
    try:
        for path in plot.draw_folders(folders, output, size=arguments.size, ending=arguments.format):
            print(path)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}; --outDir names where plots go")
    except KeyError as error:
        fail(f"{', '.join(folders.values())}: a file has no column {error}; these are no results of a "
             "run")
    except (TypeError, ValueError) as error:
        fail(f"{error}")


if __name__ == "__main__":
    main()
