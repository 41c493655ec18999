# SPDX-License-Identifier: GPL-2.0-only
"""Parameter studies."""

import functools
import os
import subprocess
import sys
import time

import pytest

import lossless as ll


def incast(senders, alpha=0.125):
    fabric = ll.Fabric.star(8, alpha=alpha, buffer="4MiB", congestion_control=None)
    fabric.incast(senders, 0, "500kB")
    totals = fabric.run().totals
    return {"xoff": totals["pfc_xoff_frames"], "pid": os.getpid()}


def test_every_point_in_a_process_of_its_own():
    table = ll.sweep(incast, {"senders": [2, 7], "alpha": [0.0625, 1]}, workers=2)
    assert table.columns == ["senders", "alpha", "xoff", "pid"]
    assert table["senders"] == [2, 2, 7, 7] and table["alpha"] == [0.0625, 1, 0.0625, 1]
    assert len(set(table["pid"])) == 4 and os.getpid() not in table["pid"]
    assert table["xoff"][2] > table["xoff"][3]
    assert ll.Simulator.event_count() == 0


def test_a_failed_point_does_not_lose_the_others(tmp_path):
    def point(x):
        if x == 2:
            raise ValueError("two is too many")
        if x == 3:
            os._exit(5)
        return {"y": x * x}

    with pytest.raises(ll.SweepError, match="x=2: ValueError: two is too many") as caught:
        ll.sweep(point, {"x": [1, 2, 3, 4]}, workers=2, resume=tmp_path / "points")
    assert caught.value.table["y"] == [1, 16]
    assert [point["x"] for point, _ in caught.value.failures] == [2, 3]
    assert "status 5" in caught.value.failures[1][1]
    assert len((tmp_path / "points").read_text().splitlines()) == 2


def test_a_sweep_goes_on(tmp_path, monkeypatch):
    def point(x):
        if os.environ.get("FAIL") and x > 2:
            raise ValueError("stopped")
        return {"y": os.environ["SIGN"] + str(x)}

    monkeypatch.setenv("SIGN", "+")
    monkeypatch.setenv("FAIL", "1")
    with pytest.raises(ll.SweepError):
        ll.sweep(point, {"x": [1, 2, 3, 4]}, resume=tmp_path / "points")
    monkeypatch.delenv("FAIL")
    monkeypatch.setenv("SIGN", "-")
    table = ll.sweep(point, {"x": [1, 2, 3, 4]}, resume=tmp_path / "points")
    assert table["y"] == ["+1", "+2", "-3", "-4"], "what was there is not run again"


def test_a_cut_off_file_is_read(tmp_path, monkeypatch):
    def point(x):
        return {"y": int(os.environ["SIGN"]) * x}

    path = tmp_path / "points"
    monkeypatch.setenv("SIGN", "1")
    ll.sweep(point, {"x": [1, 2]}, workers=1, resume=path)
    path.write_text(path.read_text()[:-10])
    for sign in (-1, 5):  # what was run again is not lost again
        monkeypatch.setenv("SIGN", str(sign))
        assert ll.sweep(point, {"x": [1, 2]}, resume=path)["y"] == [1, -2]


STUDY = """
import argparse, functools, sys
import lossless as ll
import beside

NAME, VALUE = "K", 1
OPTIONS = argparse.Namespace(factor=1)
{change}

class Scaled:
    def __init__(self, by):
        self.by = by
    def __call__(self, x, default=1):
        return {{"y": beside.factor() * OPTIONS.factor * default * helper(self.by) * x}}

def helper(x):
    return {helper} * x

for by in {by}:
    print(ll.sweep(Scaled(by), {{"x": [1]}}, resume="points")["y"][0])
"""


def study(folder, module=1, change="", helper=1, by=(1,)):
    """Run a program of a sweep. Returns its results, and how many points it ran."""
    (folder / "beside.py").write_text(f"def factor():\n    return {module}\n")
    (folder / "study.py").write_text(STUDY.format(change=change, helper=helper, by=by))
    kept = folder / "points"
    before = len(kept.read_text().splitlines()) if kept.exists() else 0
    done = subprocess.run([sys.executable, "study.py"], capture_output=True, text=True, check=True,
                          cwd=folder)
    return [int(line) for line in done.stdout.split()], len(kept.read_text().splitlines()) - before


@pytest.mark.parametrize("edit, value", [({"helper": 3}, 3), ({"module": 5}, 5), ({"by": [7]}, 7),
                                         ({"change": "OPTIONS.factor = int('9')"}, 9),
                                         ({"change": "ll.set_seed(5, 5)"}, 1)])
def test_a_program_that_is_edited_runs_anew(tmp_path, edit, value):
    assert study(tmp_path) == ([1], 1)
    assert study(tmp_path) == ([1], 0), "nothing has changed"
    assert study(tmp_path, **edit) == ([value], 1)
    assert study(tmp_path, **edit) == ([value], 0)
    assert study(tmp_path) == ([1], 0), "results of before are there still"


def test_one_program_has_several_sweeps_in_a_file(tmp_path):
    """The text is the same; what the function holds, or reads of its file, is not."""
    assert study(tmp_path, by=[1, 2, 3]) == ([1, 2, 3], 3)
    assert study(tmp_path, by=[1, 2, 3])[1] == 0
    (tmp_path / "study.py").write_text("""
import lossless as ll
import logging
log = logging.getLogger("study")
for k in (1, 2):
    print(ll.sweep(lambda x: {"y": k * x}, {"x": [1]}, resume="points")["y"][0])
def point(x):
    return {"y": scheme(x)}
for scheme in [lambda x: 3 * x, lambda x: 4 * x]:
    print(ll.sweep(point, {"x": [1]}, resume="points")["y"][0])
""")
    for _ in range(2):
        assert subprocess.check_output([sys.executable, "study.py"], cwd=tmp_path) == b"1\n2\n3\n4\n"
    assert len((tmp_path / "points").read_text().splitlines()) == 7


@pytest.mark.parametrize("change", ["ll.Config.set_default('SwitchMmu::Alpha', 0.5)",
                                    "ll.Config.set_default('RdmaDcqcn::Gain', 0.123456789)"])
def test_settings_of_the_process_are_a_part(tmp_path, change):
    def point(x):
        return {"y": x}

    for runs in (1, 2, 2):
        ll.sweep(point, {"x": [1]}, resume=tmp_path / "points")
        assert len((tmp_path / "points").read_text().splitlines()) == runs
        exec(change)  # pylint: disable=exec-used
    ll.Config.reset()


def test_what_was_typed_in_cannot_go_on(tmp_path):
    scope = {}
    exec("def point(x):\n    return {'y': x}\n", scope)  # pylint: disable=exec-used
    assert ll.sweep(scope["point"], {"x": [1]})["y"] == [1]
    with pytest.raises(ValueError, match="^resume: the text of point is in no file [^\n]*$"):
        ll.sweep(scope["point"], {"x": [1]}, resume=tmp_path / "points")


def test_points_that_run_anew_are_told(tmp_path, capfd):
    path = tmp_path / "points"
    for factor, said in ((1, ""), (1, f"{path} has 1 of 1 points; 0 run anew\n"),
                         (2, f"{path} has 0 of 1 points; 1 run anew, 1 of them as the function, or what it "
                          "reads, is another one\n")):
        ll.sweep(signed(factor), {"x": [1]}, resume=path)
        assert capfd.readouterr().err == said


def test_a_callable_object_may_hold_itself(tmp_path):
    class Held:
        def __init__(self, by):
            self.by, self.itself = by, self

        def __call__(self, x):
            return {"y": self.itself.by * x}

    for by in (2, 3):
        assert ll.sweep(Held(by), {"x": [1]}, resume=tmp_path / "points")["y"] == [by]


def test_values_that_hold_themselves_and_functions_of_one_name(tmp_path):
    ring = [1]
    ring.append(ring)
    factors = [lambda x: x, lambda x: 2 * x]

    def point(x):
        return {"y": sum(factor(x) for factor in factors) + len(ring), "pid": os.getpid()}

    def run():
        return ll.sweep(point, {"x": [1]}, resume=tmp_path / "points")[0]

    first = run()
    assert run() == first and first["y"] == 5
    factors[0] = lambda x: 7 * x
    assert run()["y"] == 11
    ring.append(1)
    assert run()["y"] == 12


async def asynchronous(x):
    return {"y": x}


def generator(x):
    yield {"y": x}


class Callable:
    def __call__(self, x):
        yield {"y": x}


@pytest.mark.parametrize("function", [asynchronous, generator, Callable(),
                                      functools.partial(generator, x=1)])
def test_what_would_never_run_is_refused(function):
    for call in (lambda: ll.sweep(function, {"x": [1]}), lambda: ll.compare(function, {"a": 1}),
                 lambda: ll.Simulator.schedule("1us", function),
                 lambda: ll.Fabric.star(2).on_flow_end(function)):
        with pytest.raises(TypeError, match="would never run") as raised:
            call()
        assert len(str(raised.value).splitlines()) == 1


def signed(sign):
    """A function of a name that is the same for each sign."""

    def point(x):
        return {"y": sign * x}

    return point


def test_results_of_another_function_are_not_taken(tmp_path):
    def double(x):
        return {"y": 2 * x}

    def scaled(x, factor):
        return {"y": factor * x}

    grid, path = {"x": [1, 2]}, tmp_path / "points"
    functions = [double, signed(3), functools.partial(scaled, factor=4),
                 functools.partial(scaled, factor=5), lambda x: {"y": 6 * x}, lambda x: {"y": 7 * x}]
    for _ in range(2):
        found = [ll.sweep(function, grid, resume=path)["y"][1] for function in functions]
        assert found == [4, 6, 8, 10, 12, 14]
    assert len(path.read_text().splitlines()) == 12


def test_results_cannot_hide_the_point():
    assert list(ll.sweep(lambda x: {"x": x, "y": 2 * x}, {"x": [1, 2]})["y"]) == [2, 4]
    with pytest.raises(ll.SweepError, match="returned another 'x'"):
        ll.sweep(lambda x: {"x": -x}, {"x": [1]})


def test_scalars_of_numpy_and_times_are_numbers(tmp_path):
    numpy = pytest.importorskip("numpy")

    def point(x):
        return {"n": numpy.int64(x), "f": numpy.float32(0.5), "b": numpy.bool_(True),
                "t": ll.Time("5us"), "r": ll.DataRate("1Gbps"), "list": [numpy.uint8(3)]}

    for _ in range(2):
        table = ll.sweep(point, {"x": numpy.arange(2)}, resume=tmp_path / "points")
        assert table["n"] == [0, 1] and table["f"] == [0.5, 0.5] and table["b"] == [True, True]
        assert table["t"] == [5e-6] * 2 and table["r"] == [1e9] * 2 and table["list"] == [[3]] * 2


def test_what_is_no_number_is_named():
    with pytest.raises(ll.SweepError) as caught:
        ll.sweep(lambda x: {"y": 1, "z": object()}, {"x": [1]})
    assert str(caught.value) == ("x=1: TypeError: result['z'] holds 'object'; it must be a number, "
                                 "text, Time or DataRate, or a list of them")


def test_the_place_of_an_error_is_the_users():
    with pytest.raises(ll.SweepError, match=r"\(test_sweep.py:\d+\)$"):
        ll.sweep(lambda x: ll.Fabric.star(x, buffer="much"), {"x": [2]})


@pytest.mark.parametrize("grid, workers", [({"x": 5}, 1), ({"x": "ab"}, 1), ([1], 1),
                                           ({"x": [1]}, 0), ({"x": [1]}, -1), ({"x": [1]}, 1.5)])
def test_wrong_arguments(grid, workers):
    with pytest.raises(ValueError):
        ll.sweep(lambda x: {}, grid, workers=workers)


def test_points_run_at_the_same_time(tmp_path):
    """Each of two points waits for the other."""

    def meet(mine, other):
        (tmp_path / mine).touch()
        while not (tmp_path / other).exists():
            time.sleep(0.01)
        return {"met": 1}

    points = [{"mine": "a", "other": "b"}, {"mine": "b", "other": "a"}]
    assert ll.sweep(meet, points, workers=2)["met"] == [1, 1]


@pytest.mark.parametrize("text", [b"flow,bytes\n1,2\n", b"\xff\xfe\n", b'{"x": 1}\n', None])
def test_a_file_that_is_no_sweep_is_one_line(tmp_path, text):
    def point(x):
        return {"y": x}

    path = tmp_path / "points"
    if text is None:
        path.mkdir()
    else:
        path.write_bytes(text)
    with pytest.raises(ValueError, match="^resume: [^\n]*; name [^\n]*$"):
        ll.sweep(point, {"x": [1]}, resume=path)
    assert text is None or path.read_bytes() == text
    with pytest.raises(ValueError, match="^resume: [^\n]*; name [^\n]*$"):
        ll.sweep(point, {"x": [1]}, resume=tmp_path / "none" / "points")
