# SPDX-License-Identifier: GPL-2.0-only
"""The style sheet: what every figure looks like, and that there is one."""

import math
import pathlib
import re

import pytest

import lossless as ll
from lossless import drawing, style

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).parents[2]

# What a picture becomes for people who lack one kind of cone: linear RGB by a matrix (Vienot,
# Brettel, Mollon 1999).
DEFICIENCIES = {"protanopia": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
                "deuteranopia": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0),
                                 (-0.02234, 0.02234, 1))}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def lab(colour, matrix):
    """CIE L*a*b* of a colour as somebody sees it."""
    linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04045 else c / 12.92
              for c in matplotlib.colors.to_rgb(colour)]
    red, green, blue = (min(1, max(0, sum(m * c for m, c in zip(row, linear)))) for row in matrix)
    xyz = ((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
           0.2126 * red + 0.7152 * green + 0.0722 * blue,
           (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_colours_differ_for_every_colour_vision(deficiency):
    seen = [lab(colour, DEFICIENCIES[deficiency]) for colour in style.PALETTE]
    for i, one in enumerate(seen):
        for other in seen[:i]:
            distance = sum((a - b) ** 2 for a, b in zip(one, other)) ** 0.5
            assert distance > 10, (style.PALETTE[i], distance)  # 2.3 is just noticeable


def test_lines_differ_in_more_than_colour():
    looks = [style.look(i) for i in range(7)]
    for key in ("color", "marker"):
        assert len({look[key] for look in looks}) == 7
    assert len({str(look["linestyle"]) for look in looks}) == 7
    assert len({tuple(map(str, style.look(i).values())) for i in range(49)}) == 49


@pytest.mark.parametrize("size, inches, points", [("column", (3.4, 2.3), 8), ("wide", (7.0, 3.4), 9),
                                                  ("slide", (10, 5.6), 18)])
def test_sizes(size, inches, points):
    flows = {"bytes": [1000, 2000, 3000], "slowdown": [1, 2, 3], "status": [0] * 3}
    before = dict(matplotlib.rcParams)
    axes = drawing.slowdown(flows, size=size)
    assert tuple(axes.figure.get_size_inches()) == inches
    assert axes.xaxis.label.get_size() == points
    assert (axes.get_title(loc="left") == "") == (size == "column"), "a caption is the title"
    axes.figure.canvas.draw()
    for label in axes.get_yticklabels() + axes.get_legend().get_texts():
        assert label.get_size() == pytest.approx(0.9 * points)
    assert dict(matplotlib.rcParams) == before, "a script's own figures stay as they are"


def test_sizes_are_checked():
    flows = {"bytes": [1], "slowdown": [1], "status": [0]}
    with pytest.raises(ValueError, match="it must be column, wide or slide"):
        drawing.slowdown(flows, size="poster")
    _, axes = pyplot.subplots()
    with pytest.raises(ValueError, match="give axes or size"):
        drawing.slowdown(flows, axes, size="column")
    assert drawing.slowdown(flows, axes) is axes


def test_no_colour_stands_elsewhere():
    """One place for colours: neither the plots nor the program that draws files have any."""
    for path in (ROOT / "utils" / "plot.py", *(ROOT / "bindings" / "lossless").glob("*.py")):
        if path.name != "style.py":
            assert not re.findall(r"#[0-9a-fA-F]{6}\b|\brcParams\[.*\] =", path.read_text()), path


def test_a_cdf_begins_at_0_and_ends_at_1():
    axes = drawing.cdf({"a": [3, 1, 2], "b": [1, 900]}, title="", xlabel="x")
    assert axes.lines[0].get_xdata().tolist() == [1, 1, 2, 3]
    assert axes.lines[0].get_ydata().tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert axes.get_xscale() == "log"
    assert drawing.cdf({"a": [1, 2]}, title="", xlabel="x").get_xscale() == "linear"


SAMPLES = {"time_ns": [10, 20, 20, 50, 60, 63], "node": [1, 1, 2, 1, 1, 1], "port": [0] * 6,
           "class": [3] * 6, "bytes": [1000, 2000, 500, 3000, 1000, 1000],
           "rx_bps": [1e9, 2e9, 4e9, 3e9, 1e9, 1e9], "tx_bps": [0.0] * 6}


def test_a_line_is_of_the_rows():
    line = drawing.sums(SAMPLES, "rx_bps", 1e9)
    axes = drawing.over_time({"": line}, **drawing.THROUGHPUT)
    assert list(zip(*axes.lines[0].get_data())) == [
        (10e-6, 1), (20e-6, 6), (50e-6, 3), (60e-6, 1), (63e-6, 1)]
    axes = drawing.rates(SAMPLES, "rx", [(2, 0)])
    assert list(axes.lines[0].get_ydata()) == [0, 4, 0, 0, 0]


def test_a_heat_map_has_a_row_a_port():
    axes = drawing.heat_map(SAMPLES, "queues", [10, 20, 30, 40, 50, 60, 63],
                            names=lambda node, port: f"n{node}p{port}")
    drawn = [[None if math.isnan(cell) else cell for cell in row]
             for row in axes.images[0].get_array().filled(math.nan)]
    assert drawn == [[1, 2, None, None, 3, 1, 1], [None, 0.5, *[None] * 5]], "nothing has no colour"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["n1p0", "n2p0"]
    assert axes.figure.axes[1].get_ylabel() == "queued (KB)"
    with pytest.raises(ValueError, match="one of queues, rx, tx"):
        drawing.heat_map(SAMPLES, "drops", [10])


def test_schemes_have_intervals():
    values = {"DCQCN": {"fct_p99": (3.0, 2.0, 5.0)}, "HPCC": {"fct_p99": (1.0, 0.5, 1.5)}}
    axes = drawing.comparison(values, units={"fct_p99": "us"})
    assert axes.get_ylabel() == "fct_p99 (us)"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["DCQCN", "HPCC"]
    low, high = sorted(y for _, y in axes.collections[0].get_segments()[0])
    assert (low, high) == (2, 5)
