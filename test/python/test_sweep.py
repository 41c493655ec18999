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


MODULE = """
FACTOR = {factor}

def helper(x):
    # {comment}
    return {helper} * x

def point(x):
    return {{"y": FACTOR * helper(x)}}
"""


def test_an_edited_function_runs_anew(tmp_path):
    """The function itself, what it calls of its module, and numbers that it reads there."""
    path = tmp_path / "points"

    def run(**parts):
        script = tmp_path / "study.py"
        script.write_text(MODULE.format(**parts) + "import lossless as ll\n"
                          f"print(ll.sweep(point, {{'x': [1, 2]}}, resume={str(path)!r})['y'])\n")
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
        return done.stdout.strip(), len(path.read_text().splitlines())

    first = {"factor": 1, "helper": 1, "comment": "first"}
    assert run(**first) == ("[1, 2]", 2)
    assert run(**dict(first, comment="only a comment")) == ("[1, 2]", 2), "nothing has changed"
    assert run(**dict(first, helper=3)) == ("[3, 6]", 4)
    assert run(**dict(first, factor=5)) == ("[5, 10]", 6)
    assert run(**first) == ("[1, 2]", 6)


def test_what_a_function_reads_is_a_part_of_it(tmp_path, capfd):
    """Values of the module that can change, modules beside it, defaults, and what it is bound to."""
    path, script = tmp_path / "points", tmp_path / "study.py"

    def run(table="[1, 2]", size="1us", module=1, default=1, state=1):
        (tmp_path / "beside.py").write_text(f"def factor():\n    return {module}\n")
        script.write_text(f"""
import beside, sys
import lossless as ll
TABLE = {table}
SIZE = ll.Time("{size}")
DEFAULT = {default}

class Scaled:
    def __init__(self, by):
        self.by = by
    def __call__(self, x, default=DEFAULT):
        return {{"y": beside.factor() * TABLE[0] * SIZE.us * default * self.by * x}}

print(ll.sweep(Scaled({state}), {{"x": [1]}}, resume={str(path)!r})["y"][0])
""")
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
        return float(done.stdout), done.stderr

    assert run() == (1, "")
    assert run() == (1, f"{path} has 1 of 1 points; 0 run anew\n")
    for change, value in (({"table": "[2, 2]"}, 2), ({"size": "3us"}, 3), ({"module": 5}, 5),
                          ({"default": 7}, 7), ({"state": 9}, 9)):
        assert run(**change) == (value, f"{path} has 0 of 1 points; 1 run anew, 1 of them as the "
                                 "function or what it uses is another one\n"), change
    assert run()[0] == 1


SETTINGS = """
import argparse, functools, os, pathlib, sys, types
import lossless as ll
import beside

class Base:
    level = 1

class Limits(Base):
    alpha = 1
    def value(self):
        return SCALE

SCALE = 1
OPTIONS = types.SimpleNamespace(factor=1)
SIZES = ll.FlowSizes([(0, 0), (1000, 100)])
twice = functools.partial(lambda factor, x: factor * x, 1)

@functools.lru_cache
def kept():
    return CALLED

CALLED = 1
FILE = pathlib.Path("input.txt")
{change}

def point(x, path):
    product = x * Limits.alpha * Limits.level * Limits().value() * OPTIONS.factor * twice(1)
    product *= beside.FACTOR * beside.other() * kept() * int(SIZES.mean / 500)
    for name in (FILE, path, "constant.txt", "in/" + open("names.txt").read().split()[1]):
        product *= int(open(name).read())
    open("written.txt", "a").write("a line")
    product += os.path.exists("written.txt") - 1
    seed = ll.Fabric.star(2).switches[0].mmu.get("Alpha")
    return {{"y": product * seed, "pid": os.getpid()}}

for row in ll.sweep(point, {{"x": [1], "path": ["given.txt"]}}, resume="points"):
    print(row["y"], row["pid"])
"""


def test_what_is_set_beside_the_function_is_a_part_of_it(tmp_path):
    """Settings of the process, attributes of classes, modules and objects, and files by name."""
    (tmp_path / "in").mkdir()

    def run(change="", **files):
        for name in ("input", "given", "constant", "in/deep"):
            (tmp_path / f"{name}.txt").write_text(str(files.get(name, 1)))
        (tmp_path / "names.txt").write_text("DEEP deep.txt\n")
        (tmp_path / "beside.py").write_text("FACTOR = 1\nSCALE = 1\ndef other():\n    return SCALE\n")
        script = tmp_path / "study.py"
        script.write_text(SETTINGS.format(change=change))
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True,
                              cwd=tmp_path)
        return done.stdout.split(), "1 run anew" in done.stderr

    first = run()[0]
    assert run() == (first, False), "a file that the function writes is none that it reads"
    changes = ["Limits.alpha = 2", "Base.level = 2", "SCALE = 2", "OPTIONS.factor = 2", "CALLED = 2",
               "beside.FACTOR = 2", "beside.SCALE = 2", "twice = functools.partial(twice.func, 2)",
               "SIZES = ll.FlowSizes([(0, 0), (2000, 100)])"]
    for change in changes:
        (value, _), anew = run(change)
        assert anew and float(value) == 2 * float(first[0]), change
    for change in ("ll.set_seed(5, 5)", "ll.set_seed(1, 2)",
                   "ll.Config.set_default('SwitchMmu::Alpha', 0.5)",
                   "ll.Config.set_default('RdmaDcqcn::Gain', 0.123456789)",
                   "ll.Config.set_default('ns3::TcpSocket::SegmentSize', 1000)"):
        assert run(change)[1] and not run(change)[1], change
    for name in ("input", "given", "constant", "in/deep"):
        (value, _), anew = run(**{name: 3})
        assert anew and float(value) == 3 * float(first[0]), name
    assert run() == (first, False), "results of before are there still"
    assert run("# only a comment") == (first, False)


SLOTS = """
class Base:
    __slots__ = ("k",)
class Scaled(Base):
    __slots__ = ("__hidden", "unset")
    def __init__(self, k, hidden):
        self.k = k
        self.__hidden = hidden
    def __call__(self, x):
        return {{"y": self.k * self.__hidden * x}}
scaled = Scaled({k}, {hidden})
def point(x):
    return scaled(x)
"""
META = """
class Meta(type):
    def __getitem__(cls, x):
        return {factor} * x
class Table(metaclass=Meta):
    pass
def point(x):
    return {{"y": Table[x]}}
"""
RELATIVE = "def point(x):\n    from . import r\n    return {'y': r.K * x}\n"


def body(*lines, head=""):
    return f"{head}\ndef point(x):\n" + "".join(f"    {line}\n" for line in lines)


KINDS = """
import collections
class {kind}({base}):
    pass
held = {kind}({contents})
held.factor = {factor}
def point(x):
    return {{"y": held.factor * x}}
"""
DEFAULTED = """
import collections
held = collections.defaultdict({factory})
def point(x):
    return {{"y": len(str(held[x]))}}
"""


def kinds(base, contents, factor):
    return KINDS.format(kind="Kind", base=base, contents=contents, factor=factor)


@pytest.mark.parametrize("script, file, first, second", [
    (body("import m", "return {'y': m.K * x}"), "m.py", "K = 1", "K = 2"),
    (body("from m import g", "return {'y': g(x)}"), "m.py", "def g(x): return x",
     "def g(x): return 2 * x"),
    (body("return {'y': (lambda: inner())() * x}", head="""
def inner():
    from m import n
    return n.o.K
"""), "o.py", "K = 1", "K = 2"),
    (body("import p.q as q", "return {'y': q.K * x}"), "p/q.py", "K = 1", "K = 2"),
    (body("import bare.q", "return {'y': bare.q.K * x}"), "bare/q.py", "K = 1", "K = 2"),
    (body("import m", "return {'y': int(open(m.NAME).read()) * x}"), "data.txt", "1", "2"),
    (body("return {'y': g(x)}", head="from p.q import g"), "p/q.py", "def g(x): return x",
     "def g(x): return 2 * x"),
    (body("return {'y': p.q.K * x}", head="import p.q"), "p/q.py", "K = 1", "K = 2"),
    (body("return {'y': bare.q.K * x}", head="import bare.q"), "bare/q.py", "K = 1", "K = 2"),
    (body("return {'y': a.k * x}", head="from p.q import A\na = A()"), "p/q.py",
     "class A:\n    def __init__(self): self.k = 1", "class A:\n    def __init__(self): self.k = 2"),
    ("from p.study import point", "p/r.py", "K = 1", "K = 2"),
    (None, "study.py", SLOTS.format(k=1, hidden=1), SLOTS.format(k=2, hidden=1)),
    (None, "study.py", SLOTS.format(k=1, hidden=1), SLOTS.format(k=1, hidden=2)),
    (None, "study.py", SLOTS.format(k=1, hidden=1) + "point = scaled\n",
     SLOTS.format(k=2, hidden=1) + "point = scaled\n"),
    (None, "study.py", META.format(factor=1), META.format(factor=2)),
    *((None, "study.py", kinds(base, contents, 1), kinds(base, contents, 2)) for base, contents in (
        ("dict", "a=1"), ("list", "[1]"), ("str", "'a'"), ("set", "[1]"), ("tuple", "[1]"),
        ("collections.OrderedDict", "a=1"))),
    (None, "study.py", DEFAULTED.format(factory="lambda: 1"), DEFAULTED.format(factory="lambda: 10"))])
def test_imports_packages_slots_and_metaclasses_are_a_part_of_it(tmp_path, script, file, first,
                                                                 second):
    files = {"m.py": "import n\nNAME = 'data.txt'\n", "n.py": "import o\n", "o.py": "K = 1\n",
             "p/__init__.py": "", "p/study.py": RELATIVE, "study.py": script}

    def run(text):
        for name, content in {**files, file: text}.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            if name == "study.py":
                content += ("\nimport lossless as ll\nprint(ll.sweep(point, {'x': [1]}, "
                            "resume='points')['y'][0])\n")
            (tmp_path / name).write_text(content)
        done = subprocess.run([sys.executable, "study.py"], capture_output=True, text=True, check=True,
                              cwd=tmp_path)
        return done.stdout.strip(), "0 run anew" not in done.stderr

    assert run(first)[0] == "1"
    assert run(first) == ("1", False)
    assert run(second) == ("2", True)
    if file.endswith(".py"):
        assert run("# only a comment\n" + second) == ("2", False)


def test_what_is_installed_below_the_function_is_not_a_part_of_it(tmp_path):
    """Nor is a module that only a function imports imported by the sweep itself."""
    installed = tmp_path / "env" / "site-packages"
    installed.mkdir(parents=True)
    (tmp_path / "beside.py").write_text("K = 1\n")
    (tmp_path / "study.py").write_text("""
import sys
sys.path.append("env/site-packages")
import installed
import lossless as ll
def point(x):
    import beside, installed, json
    return {"y": installed.K * beside.K * x}
print(ll.sweep(point, {"x": [1]}, resume="points")["y"][0], "beside" in sys.modules)
""")
    for factor in (1, 2):
        (installed / "installed.py").write_text(f"K = {factor}\n")
        done = subprocess.run([sys.executable, "study.py"], capture_output=True, text=True, check=True,
                              cwd=tmp_path)
        assert done.stdout == "1 False\n"


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
