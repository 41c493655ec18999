# SPDX-License-Identifier: GPL-2.0-only
"""The page of a folder of results: what it has, and that it works in a browser."""

import base64
import csv
import html
import json
import pathlib
import re
import shutil
import subprocess
from array import array

import pytest

import lossless as ll

VIEW = pathlib.Path(__file__).resolve().parents[2] / "utils" / "view"
BROWSER = next(filter(None, map(shutil.which, (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None)


def view(*arguments):
    return subprocess.run([VIEW, *map(str, arguments)], capture_output=True, text=True, check=False)


def data_of(page):
    """What the page has in it."""
    text = re.search(r"^const D = (.*);$", page.read_text(), re.MULTILINE).group(1)
    return json.loads(text)


@pytest.fixture(name="folder")
def folder_of_a_chain(tmp_path):
    """Results of an incast behind a spine, with all that the page can show."""
    fabric = ll.Fabric.leaf_spine(2, 1, 4, buffer="1MiB", congestion_control=None)
    for source in (4, 5, 6, 7, 1):
        fabric.flow(source, 0, "500kB")
    fabric.run(write_to=tmp_path / "chain", pause_tree=True, link_load=True)
    return tmp_path / "chain"


def test_topology_json_has_what_was_built(tmp_path):
    fabric = ll.Fabric.leaf_spine(2, 1, 2, delay="3us")
    fabric.flow(0, 3, 1000)
    fabric.run(write_to=tmp_path)
    topology = json.loads((tmp_path / "topology.json").read_text())
    assert [node["name"] for node in topology["nodes"]] == list(fabric.names)
    assert [node["tier"] for node in topology["nodes"]] == [0, 0, 0, 0, 1, 1, 2]
    assert len(topology["links"]) == 6 and topology["begin_ns"] == 0 < topology["end_ns"]
    assert topology["links"][0] == {"a": 0, "a_port": 0, "b": 4, "b_port": 0, "a_bps": 10**11,
                                    "b_bps": 10**11, "delay_ns": 3000}


def test_a_page_needs_no_network(folder):
    done = view(folder)
    page = folder / "view.html"
    assert done.returncode == 0 and done.stdout.startswith(f"{page}: "), done
    text = page.read_text()
    outside = [link for link in re.findall(r"https?://[^\"' >]*", text)
               if link != "http://www.w3.org/2000/svg"]
    assert not outside and "<link" not in text and "src=" not in text and "@import" not in text
    data = data_of(page)
    assert [name for name, _ in data["missing"]] == ["flow-hops.csv"] or not data["missing"]
    assert data["tree"]["total"] > 5 and data["flows"]["total"] == 5
    assert data["queue"]["top"] > 10000 and len(data["used"]["ports"]) > 9


def test_queues_of_ports_add_up_to_those_of_the_file(folder, tmp_path):
    page = tmp_path / "few.html"
    assert view("--bins=7", folder, page).returncode == 0
    queue = data_of(page)["queue"]
    shown = sum(array("H", base64.b64decode(queue["data"]))) / 65535 * queue["top"] / 7
    topology = json.loads((folder / "topology.json").read_text())
    with open(folder / "queue.csv", encoding="ascii") as file:
        rows = [(int(row["time_ns"]), int(row["bytes"])) for row in csv.DictReader(file)]
    times = sorted({time for time, _ in rows})
    step, end = times[1] - times[0], topology["end_ns"]
    rest = {times[-1]: end - times[-1]} if end - times[-1] <= step else {}
    wanted = sum(size * (step + rest.get(time, 0)) for time, size in rows)
    assert shown == pytest.approx(wanted / (end - topology["begin_ns"]), rel=1e-3)


def test_files_that_lack_are_named_with_the_option(star, tmp_path):
    star.flow(0, 1, 1000)
    star.run(write_to=tmp_path, files=["fct"])
    page = tmp_path / "page.html"
    assert view(tmp_path, page).returncode == 0
    lacks = dict(data_of(page)["missing"])
    assert "--pauseTree" in lacks["pause-tree.csv"] and "queue" in lacks["queue.csv"]
    assert {"throughput.csv", "link-load.csv", "pause.csv"} <= set(lacks)


def test_what_is_no_folder_of_results_is_one_line(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "topology.json").write_text("{}")
    cut = tmp_path / "cut"
    shutil.copytree(folder, cut)
    (cut / "pause.csv").write_text((cut / "pause.csv").read_text() + "17,3\n")
    hostile = []
    for name, content, text in (
            ("topology.json", b"\xff\xfe", "this is no JSON"),
            ("topology.json", b"[" * 100000, "this is no JSON"),
            ("topology.json", b"{\"nodes\":[],\"links\":[],\"begin_ns\":0,\"end_ns\":NaN}", ""),
            ("pause.csv", b"a\xff\n", "this is no text of a table")):
        hostile.append(([tmp_path / f"hostile-{len(hostile)}"], text))
        shutil.copytree(folder, hostile[-1][0][0])
        (hostile[-1][0][0] / name).write_bytes(content)
    for arguments, text in (*hostile, ([tmp_path / "empty"], "topology.json: No such file"),
                            ([tmp_path / "none"], "name a folder that a run has written"),
                            ([broken], "this is no topology"), ([cut], "a line is cut off"),
                            ([folder, tmp_path / "none" / "page.html"], "name a page that can be"),
                            ([folder, "--bins=0"], "--bins is 0; it must be 1 to 10000")):
        done = view(*arguments)
        assert done.returncode == 2 and text in done.stderr, done
        assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("view: ")


def shown(page, state=""):
    """The page in a browser, with the time and what is chosen: (attributes of body, text)."""
    done = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000",
         "--dump-dom", f"file://{page}#{state}"], capture_output=True, text=True, check=True,
        timeout=120)
    body = re.search(r"<body([^>]*)>", done.stdout).group(1)
    side = re.search(r"<aside[^>]*>(.*?)</aside>", done.stdout, re.DOTALL).group(1)
    return (dict(re.findall(r'data-(\w+)="([^"]*)"', body)),
            html.unescape(re.sub(r"<[^>]*>", "", side)))


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium; apt-get install "
                                            "chromium-headless-shell (about 300 MB)")
def test_the_page_works_in_a_browser(folder):
    assert view(folder).returncode == 0
    page = folder / "view.html"
    names = [node[0] for node in data_of(page)["nodes"]]
    worst = data_of(page)["tree"]["worst"]
    body, side = shown(page)
    assert body["errors"] == "0" and body["ready"] == "1" and body["selected"] == f"chain:{worst}"
    assert "Root: leaf 0 port 0 is congested, towards host 0" in side
    assert side.index("spine 0 port 0leaf 0") < side.index("leaf 1 port 4spine 0") < side.index("host ", side.index("leaf 1 port 4"))
    body, side = shown(page, "t=1")
    assert body["selected"] == "" and "leaf 0 port 0 class 3" in side and "slowest first (5)" in side
    early, _ = shown(page, "t=0.1")
    late, _ = shown(page, "t=60")
    assert early["bin"] == "0" and float(early["paused"]) == 0 < float(late["paused"])
    spine = names.index("spine 0")
    uplink = next(i for i, link in enumerate(data_of(page)["links"])
                  if spine in (link[0], link[2]) and names.index("leaf 1") in (link[0], link[2]))
    body, side = shown(page, f"t=60&sel=link:{uplink}")
    assert body["errors"] == "0" and body["selected"] == f"link:{uplink}"
    assert "Root: leaf 0 port 0 is congested" in side and "PFC fired" in side
    for chosen, text in ((f"node:{spine}", "Bytes queued"), ("node:1", "Flows"),
                         ("flow:2", "slowdown"), ("flow:77", "The whole fabric"),
                         ("link:x", "The whole fabric")):
        body, side = shown(page, f"t=60&sel={chosen}")
        assert body["errors"] == "0" and text in side, chosen
    (folder / "link-load.csv").unlink()
    assert view(folder).returncode == 0
    _, side = shown(page, f"t=60&sel=link:{uplink}")
    assert "Sent, share of the rateunknown" in side, "what no file tells is not 0 %"


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium; apt-get install "
                                            "chromium-headless-shell (about 300 MB)")
def test_a_page_without_any_file_works_in_a_browser(star, tmp_path):
    star.flow(0, 1, 1000)
    star.run(write_to=tmp_path, files=["fct"])
    for name in ("fct", "unfinished"):
        (tmp_path / f"{name}.csv").unlink()
    assert view(tmp_path).returncode == 0
    for state in ("", "sel=link:0", "sel=node:4", "sel=node:0"):
        body, side = shown(tmp_path / "view.html", state)
        assert body["errors"] == "0", side
    assert "It needs" in side or "it needs" in side
