# SPDX-License-Identifier: GPL-2.0-only
"""Flows of data frames and other tables."""

import pytest

import lossless as ll

COLUMNS = {"source": [0, "host 1", -1], "destination": [1, 2, 0], "size": [1000, "64KiB", 3000],
           "start": ["0s", ll.us(2), "5us"]}


def run(star):
    flows = star.run().flows
    order = sorted(range(len(flows)), key=lambda i: flows["index"][i])
    return [tuple(round(row[name], 9) for name in ("source", "destination", "bytes", "start_s"))
            for row in (flows[i] for i in order)]


def test_columns(star):
    assert star.flows_from(COLUMNS) == [0, 1, 2]
    assert run(star) == [(0, 1, 1000, 0), (1, 2, 65536, 2e-6), (3, 0, 3000, 5e-6)]


def test_a_data_frame(star):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": [0, 1], "destination": [2, 3], "size": [1000, 2000],
                              "start_us": [1.5, 3], "traffic_class": [3, 0], "verb": ["write", "read"]})
    star.flows_from(frame, congestion_control=ll.Dcqcn(), mtu=512)
    results = star.run()
    assert sorted(results.flows["traffic_class"]) == [0, 3]
    assert sorted(round(start * 1e9) for start in results.flows["start_s"]) == [1500, 3000]


def test_a_table(star):
    star.flows_from(ll.Table({"source": [0], "destination": [1], "size": [10]}))
    assert run(star) == [(0, 1, 10, 0)]


def test_results_are_flows(star):
    """What one run has carried is carried by another."""
    star.incast(3, 0, "20kB", "1us")
    flows = star.run().flows
    ll.Simulator.destroy()
    again = ll.Fabric.star(4, rate="100Gbps", delay="1us", buffer="2MiB")
    again.flows_from({"source": flows["source"], "destination": flows["destination"],
                      "size": flows["bytes"], "start_s": flows["start_s"]})
    assert sorted(again.run().flows["fct_s"]) == sorted(flows["fct_s"])


@pytest.mark.parametrize("change, error, text", [
    ({"source": None}, ValueError, "there is no column 'source'; flows need"),
    ({"sise": [1, 2, 3]}, ValueError, "'sise' would have no effect; did you mean size"),
    ({"start_us": [1, 2, 3]}, ValueError, "columns start and start_us"),
    ({"size": [1]}, ValueError, "differ in length: source has 3"),
    ({"start": [0, 1, 2]}, TypeError, "row 0: start is 0; .* name the column start_us"),
    ({"source": [0, 1, 9]}, IndexError, "row 2: host 9; there are 4"),
    ({"size": [1, 2.5, 3]}, ValueError, "row 1: size is 2.5"),
])
def test_what_is_wrong_is_told_with_its_row(star, change, error, text):
    columns = {name: values for name, values in {**COLUMNS, **change}.items() if values is not None}
    with pytest.raises(error, match=text):
        star.flows_from(columns)
