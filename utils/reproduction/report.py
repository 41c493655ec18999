# SPDX-License-Identifier: GPL-2.0-only
"""report.html: one page, all in one file."""

import base64
import html
import os
from dataclasses import dataclass, field

from . import claims as claims_module
from .samples import coverage, describe, interval

STYLE = """body{font:14px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0;font-size:13px;display:block;max-width:100%;overflow-x:auto}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
td,th{border:1px solid #ccc;padding:.2em .5em;text-align:left;vertical-align:top}
th{background:#eee}img{max-width:100%}code{font-size:12px}
.reproduced{background:#cfe4f2}.factor{background:#e6f0f7}.only{background:#fdf3d8}
.not{background:#f6d2bd}.undecided{background:#e8e8e8}
figcaption,.small{color:#555;font-size:12px}figure{margin:1.5em 0}nav{columns:2;margin:1em 0}
nav a{display:block}"""

CLASSES = {claims_module.REPRODUCED: "reproduced", claims_module.FACTOR: "factor",
           claims_module.ORDER_ONLY: "only", claims_module.NOT_REPRODUCED: "not",
           claims_module.UNDECIDED: "undecided"}
VERDICTS = (
    "A claim has a number for each sample; low and high are the interval that covers its median: with "
    "95 % or more from six samples on, five cover it with 93.8 %, three with 75 %. A "
    "verdict is the strongest statement that holds for all of the interval. \"reproduced\": within the "
    "tolerance, or an order that was published without numbers. \"order holds, within a factor 2\" and "
    "\"order holds only\": the number is another, but what it stands for, such as which is faster, is "
    "true in the whole interval. \"not reproduced\": that is not true, or no order is published and "
    "the number is another. \"undecided\": the interval has both.")


@dataclass
class Table:
    """A table. Cells are text, or numbers: of these a report gives the median over the samples."""

    title: str
    header: list
    rows: list


@dataclass
class Evaluation:
    """What the runs of a paper show. claims and others are statements as long as it is about one
    sample; merge() makes claims of them."""

    claims: list = field(default_factory=list)
    others: list = field(default_factory=list)  # claims under other parameters: not counted
    checks: list = field(default_factory=list)  # what is no claim of a paper
    tables: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # paragraphs
    figures: list = field(default_factory=list)
    samples: int = 1
    deterministic: bool = False


def merge(evaluations):
    """The Evaluation of all samples; notes are those of the first one."""
    return Evaluation(claims_module.judge_all([each.claims for each in evaluations]),
                      claims_module.judge_all([each.others for each in evaluations]),
                      claims_module.merge_checks([each.checks for each in evaluations]),
                      merge_tables([each.tables for each in evaluations]), evaluations[0].notes,
                      samples=len(evaluations))


def merge_tables(samples):
    """samples: the tables of each sample. Rows with the same texts are one row."""
    merged = []
    for table in samples[0]:
        rows = {}
        for tables in samples:
            for other in tables:
                if other.title == table.title:
                    for index, row in enumerate(other.rows):
                        rows.setdefault(label(row, index), []).append(row)
        merged.append(Table(table.title, table.header,
                            [[spread(cells) for cells in zip(*same)] for same in rows.values()]))
    return merged


def label(row, index):
    """What tells a row from others: its first texts, or its place if it has none."""
    texts = []
    for cell in row:
        if not isinstance(cell, str):
            break
        texts.append(cell)
    return tuple(texts) or index


def middle(cells):
    """The median of a cell over the samples; text stays."""
    if isinstance(cells[0], str):
        return cells[0]
    known = [cell for cell in cells if claims_module.usable(cell)]
    return interval(known).median if len(known) == len(cells) else None


def spread(cells):
    """A cell of all samples as text: the median, and the interval in which it is."""
    if isinstance(cells[0], str):
        return cells[0]
    found = interval(cells)
    if found is None:
        return "none" + (f" in {sum(not claims_module.usable(c) for c in cells)} of {len(cells)}"
                         if any(claims_module.usable(c) for c in cells) else "")
    text = claims_module.number(found.median)
    low, high = claims_module.number(found.low), claims_module.number(found.high)
    return text if low == high else f"{text} ({low} to {high})"


def escape(text):
    return html.escape(str(text))


def table(header, rows, classes=None):
    lines = ["<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in header) + "</tr>"]
    for index, row in enumerate(rows):
        style = f' class="{classes[index]}"' if classes else ""
        lines.append(f"<tr{style}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>")
    lines.append("</table>")
    return "\n".join(lines)


def claims_table(claims):
    header = [*claims_module.COLUMNS, "likely reason"]
    return table(header, [claim.row() + [claim.reason] for claim in claims],
                 [CLASSES[claim.verdict] for claim in claims])


def checks_table(checks):
    classes = ["reproduced" if check.holds else "not" for check in checks]
    return table(("check", "expected", "measured"),
                 [(check.name, check.expected, check.measured) for check in checks], classes)


def image(path, caption):
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode("ascii")
    return (f'<figure><img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>")


def parameters(schemes):
    """Every parameter of the schemes with its source."""
    rows = []
    for scheme in schemes:
        rows.append((scheme.label, scheme.type, scheme.defaults))
        rows += [("", p.option.lstrip("-"), p.source) for p in scheme.parameters]
    return table(("scheme", "type or option", "value and source"), rows) if rows else ""


def commands(runs):
    """The commands of all runs."""
    return ("<p class=small>What a command does not name has its default: <code>program "
            "--help</code> and doc/attributes.rst.</p><pre class=small>"
            + "\n".join(escape(run.command()) for run in runs) + "</pre>")


def sections(evaluation, images, schemes, runs):
    """(title, content) of the parts of the page, in their order."""
    def part(title, rows, text, draw):
        return [(title, f"<p class=small>{escape(text)}</p>" + draw(rows))] if rows else []

    return [
        ("Figures", "".join(images)),
        ("What was run", "".join(f"<p>{escape(note)}</p>" for note in evaluation.notes)),
        *part("Claims", evaluation.claims, VERDICTS, claims_table),
        *((each.title, table(each.header, each.rows)) for each in evaluation.tables if each.rows),
        *part("Claims under other parameters", evaluation.others, "Not counted, and in sensitivity.csv "
              "instead of claims.csv. " + VERDICTS, claims_table),
        *part("Checks", evaluation.checks, "What must hold in any run; no claims of the paper, and not "
              "counted as such.", checks_table),
        ("Parameters", parameters(schemes)), ("Runs", commands(runs))]


def write(folder, module, evaluation, schemes, runs):
    """Save figures, claims.csv and report.html."""
    images = [image(figure.save(folder), figure.caption) for figure in evaluation.figures]
    claims_module.write(evaluation.claims, folder)
    if evaluation.others:
        claims_module.write(evaluation.others, folder, "sensitivity.csv")
    shown = [part for part in sections(evaluation, images, schemes, runs) if part[1]]
    contents = "".join(f'<a href="#part-{i}">{escape(title)}</a>'
                       for i, (title, _) in enumerate(shown))
    parts = ["<!DOCTYPE html><html lang=en><meta charset=utf-8>",
             f"<title>{escape(module.TITLE)}</title><style>{STYLE}</style>",
             f"<h1>{escape(module.TITLE)}</h1><p>{escape(module.SOURCE)}</p>",
             f"<p><b>{headline(evaluation.claims)}.</b> "
             f"{escape(describe(evaluation.samples, evaluation.deterministic))}. "
             f"{escape(multiplicity(evaluation))}</p>", f"<nav>{contents}</nav>"]
    for index, (title, content) in enumerate(shown):
        parts += [f'<h2 id="part-{index}">{escape(title)}</h2>', content]
    path = os.path.join(folder, "report.html")
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write("\n".join([*parts, "</html>"]) + "\n")
    os.replace(path + ".part", path)
    return path


def multiplicity(evaluation):
    """How many of the intervals are expected to miss what they are about."""
    missed = sum(1 - coverage(claim.samples) for claim in evaluation.claims if claim.samples > 1)
    return (f"Of {len(evaluation.claims)} intervals {claims_module.number(missed)} are expected to miss "
            "their median by chance; verdicts do not correct for that." if missed else "")


def headline(claims):
    """How many claims there are, and what became of them."""
    if not claims:
        return "No claims of a paper are counted here"
    return f"{len(claims)} claims: {summary(claims)}"


def summary(claims):
    """How many claims have each verdict, as text; verdicts that none has are left out."""
    counts = claims_module.count(claims)
    return "; ".join(f"{number} {verdict}" for verdict, number in counts.items() if number) or "none"
