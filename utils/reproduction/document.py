# SPDX-License-Identifier: GPL-2.0-only
"""The tables of results in doc/reproductions.rst. They are files of doc/reproduced, which only this
writes: NAME.csv has the claims of an experiment, NAME-TITLE.csv a table of its report, as far as the
chapter shows them, and verdicts.csv the verdicts of all claims."""

import csv
import os
import re

from . import claims

FOLDER = os.path.join("doc", "reproduced")
CHAPTER = os.path.join("doc", "reproductions.rst")
COLUMNS = ("claim", "published", "measured", "unit", "samples", "verdict")
VERDICTS = "verdicts.csv"


def shown(root):
    """The names of files that the chapter shows."""
    with open(os.path.join(root, CHAPTER), encoding="ascii") as file:
        return re.findall(r":file: reproduced/(\S+)", file.read())


def file_of(name, title=""):
    """What the file of a table is called; without a title, of claims."""
    words = re.findall("[a-z0-9]+", re.split("[:;]", title)[0].lower())
    return "-".join([name, *words]) + ".csv"


def claim_row(claim):
    measured = claim.measured
    if claim.low != claim.high:
        measured += f" ({claim.low} to {claim.high})"
    return [claim.claim, claim.published, measured, claim.unit, claim.samples, claim.verdict]


def medians(table):
    """Rows of a table, without the intervals of the report."""
    return [[re.sub(r" \(\S+ to \S+\)$", "", str(cell)) for cell in row] for row in table.rows]


def update(root, name, evaluation):
    """Write the files of an experiment, and the table of all verdicts."""
    files = {file_of(name): (COLUMNS, [claim_row(claim) for claim in evaluation.claims])}
    for table in evaluation.tables:
        files[file_of(name, table.title)] = (table.header, medians(table))
    for file in set(shown(root)) & set(files):
        write(root, file, *files[file])
    write(root, VERDICTS, *verdicts(root))


def verdicts(root):
    """Header and rows of the table of verdicts, of the claims that are in files."""
    rows = []
    for file in shown(root):
        header, *found = read(root, file)
        if header == list(COLUMNS):
            counts = [sum(row[-1] == verdict for row in found) for verdict in claims.VERDICTS]
            rows.append([file.removesuffix(".csv"), *counts])
    rows.append(["all", *(sum(column) for column in zip(*(row[1:] for row in rows)))])
    return ["experiment", *claims.VERDICTS], [[str(cell) for cell in row] for row in rows]


def read(root, file):
    """The rows of a file, its header first; of none, nothing."""
    try:
        with open(os.path.join(root, FOLDER, file), newline="", encoding="ascii") as stream:
            return list(csv.reader(stream))
    except FileNotFoundError:
        return [[]]


def write(root, file, header, rows):
    path = os.path.join(root, FOLDER, file)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w", newline="", encoding="ascii") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    os.replace(path + ".part", path)
