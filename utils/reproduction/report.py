# SPDX-License-Identifier: GPL-2.0-only
"""report.html: one page, all in one file."""

import base64
import html
import os
from dataclasses import dataclass, field

from . import claims as claims_module

STYLE = """body{font:14px/1.4 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0;font-size:13px}
td,th{border:1px solid #ccc;padding:.2em .5em;text-align:left;vertical-align:top}
th{background:#eee}td.number{text-align:right}img{max-width:100%}code{font-size:12px}
.reproduced{background:#d9f0d3}.ordering{background:#fff3c4}.not{background:#f9d0c9}
figcaption,.small{color:#555;font-size:12px}figure{margin:1.5em 0}"""


@dataclass
class Table:
    """A table of text."""

    title: str
    header: list
    rows: list


@dataclass
class Evaluation:
    """What the runs of a paper show."""

    claims: list = field(default_factory=list)
    checks: list = field(default_factory=list)  # what is no claim of a paper
    figures: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # paragraphs


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
    classes = [claim.verdict.split()[0] for claim in claims]
    header = [column for column in claims_module.COLUMNS] + ["likely reason"]
    return table(header, [claim.row() + [claim.reason] for claim in claims], classes)


def checks_table(checks):
    classes = ["reproduced" if check.holds else "not" for check in checks]
    return table(("check", "expected", "measured"),
                 [(check.name, check.expected, check.measured) for check in checks], classes)


def image(path, caption):
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode("ascii")
    return (f'<figure><img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>")


def parameters(schemes, runs):
    """Every parameter: of the schemes with their sources, and the commands of all runs."""
    rows = []
    for scheme in schemes:
        rows.append((scheme.label, scheme.type, scheme.defaults))
        rows += [("", p.option.lstrip("-"), p.source) for p in scheme.parameters]
    parts = [table(("scheme", "type or option", "value and source"), rows) if rows else "",
             "<h2>Runs</h2><p class=small>What a command does not name has its default: "
             "<code>program --help</code> and doc/attributes.rst.</p>"]
    parts.append("<pre class=small>" + "\n".join(escape(run.command()) for run in runs) + "</pre>")
    return "\n".join(parts)


def write(folder, module, evaluation, schemes, runs):
    """Save figures, claims.csv and report.html."""
    paths = [figure.save(folder) for figure in evaluation.figures]
    claims_module.write(evaluation.claims, folder)
    counts = claims_module.count(evaluation.claims)
    summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    parts = ["<!DOCTYPE html><html lang=en><meta charset=utf-8>",
             f"<title>{escape(module.TITLE)}</title><style>{STYLE}</style>",
             f"<h1>{escape(module.TITLE)}</h1><p>{escape(module.SOURCE)}</p>",
             f"<p><b>{len(evaluation.claims)} claims: {summary}.</b> \"reproduced\": within the "
             "tolerance, or an order that was published without numbers; \"ordering holds\": the number "
             "is another, but what it stands for, such as which is faster, is true.</p>"]
    parts += [f"<p>{escape(note)}</p>" for note in evaluation.notes]
    for each in evaluation.tables:
        parts += [f"<h2>{escape(each.title)}</h2>", table(each.header, each.rows)]
    if evaluation.claims:
        parts += ["<h2>Claims</h2>", claims_table(evaluation.claims)]
    if evaluation.checks:
        parts += ["<h2>Checks</h2><p class=small>What must hold in any run; no claims of the paper, "
                  "and not counted as such.</p>", checks_table(evaluation.checks)]
    parts += ["<h2>Figures</h2>"]
    parts += [image(path, figure.caption) for path, figure in zip(paths, evaluation.figures)]
    parts += ["<h2>Parameters</h2>", parameters(schemes, runs), "</html>"]
    path = os.path.join(folder, "report.html")
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")
    os.replace(path + ".part", path)
    return path
