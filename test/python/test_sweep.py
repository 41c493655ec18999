# SPDX-License-Identifier: GPL-2.0-only
"""Parameter studies."""

import os
import time

import pytest

import lossless as ll


def incast(senders, alpha=0.125):
    fabric = ll.Fabric.star(8, alpha=alpha, buffer="4MiB", congestion_control=None)
    fabric.incast(senders, 0, "500kB")
    totals = fabric.run().totals
    return {"xoff": totals["pfc"]["xoff_frames"], "pid": os.getpid()}


def test_every_point_in_a_process_of_its_own():
    table = ll.sweep(incast, {"senders": [2, 7], "alpha": [0.0625, 1]}, workers=2)
    assert table.names == ["senders", "alpha", "xoff", "pid"]
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
    calls = []

    def later(x):
        calls.append(x)
        return {"y": -x}

    table = ll.sweep(later, {"x": [1, 2, 3, 4]}, workers=1, resume=tmp_path / "points")
    assert table["y"] == [1, -2, -3, 16], "what was there is not run again"


def test_a_cut_off_file_is_read(tmp_path):
    path = tmp_path / "points"
    ll.sweep(lambda x: {"y": x}, {"x": [1, 2]}, workers=1, resume=path)
    path.write_text(path.read_text()[:-10])
    assert ll.sweep(lambda x: {"y": -x}, {"x": [1, 2]}, resume=path)["y"] == [1, -2]


@pytest.mark.parametrize("grid, workers", [({"x": 5}, 1), ({"x": "ab"}, 1), ([1], 1), ({"x": [1]}, 0)])
def test_wrong_arguments(grid, workers):
    with pytest.raises(ValueError):
        ll.sweep(lambda x: {}, grid, workers=workers or -1)


def test_points_run_at_the_same_time(tmp_path):
    """Each of two points waits for the other."""

    def meet(mine, other):
        (tmp_path / mine).touch()
        while not (tmp_path / other).exists():
            time.sleep(0.01)
        return {"met": 1}

    points = [{"mine": "a", "other": "b"}, {"mine": "b", "other": "a"}]
    assert ll.sweep(meet, points, workers=2)["met"] == [1, 1]
