# SPDX-License-Identifier: GPL-2.0-only
"""Extensions that cannot work are refused where they are named or added, in one line."""

import pytest

import lossless as ll


@pytest.mark.parametrize("text, line, words", [
    ('[leaf]\nSwitchExtension = [\n  "ns3::BorderPolicy[Rules=udp 4791 permit]",\n'
     '  "ns3::BorderPolicy[Rules=any allow]",\n]\n', 4, 'entry 2 of SwitchExtension: BorderPolicy: rule 1 "any allow"'),
    ('[leaf]\nSwitchExtension = ["ns3::PfcWatchdog", "ns3::BorderPolicy[Ports=3-1]"]\n', 2,
     "entry 2 of SwitchExtension: BorderPolicy: Ports"),
    ('[leaf]\nSwitchExtension = "ns3::BorderPolicy[Rules=any allow]"\n', 2, 'BorderPolicy: rule 1 "any allow"'),
])
def test_rules_of_a_settings_file_are_refused_with_file_and_line(tmp_path, text, line, words):
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(ValueError) as error:
        ll.Fabric.star(2, settings=path)
    assert str(error.value).startswith(f"{path}:{line}: {words}") and "\n" not in str(error.value)


@pytest.mark.parametrize("kind", ["ElephantSeparator", "Tagger"])
def test_extensions_that_cannot_work_are_refused_when_they_are_added(capfd, kind):
    fabric = ll.Fabric.star(3)
    said = []

    def add():
        with pytest.raises(ValueError) as error:
            fabric.switches[0].add_extension(ll.create(kind))
        said.append((str(error.value), len(fabric.switches[0].extensions)))

    ll.Simulator.schedule("1us", add)
    fabric.flow(1, 0, 1000)
    fabric.run(progress=False)
    assert capfd.readouterr().err == ""
    assert len(said) == 1 and said[0][0].startswith(f"{kind}: ") and "\n" not in said[0][0]
    assert said[0][1] == 0, "none is left"


def test_an_extension_that_was_refused_may_be_mended_and_added():
    fabric = ll.Fabric.star(3, lossless_classes=[3, 4])
    separator = ll.create("ElephantSeparator", elephant_class=3)
    said = []

    def add():
        with pytest.raises(ValueError):
            fabric.switches[0].add_extension(separator)
        separator.elephant_class = 4
        fabric.switches[0].add_extension(separator)
        said.append(len(fabric.switches[0].extensions))

    ll.Simulator.schedule("1us", add)
    fabric.flow(1, 0, 1000)
    fabric.run(progress=False)
    assert said == [1]


def stormy(storm="3ms"):
    fabric = ll.Fabric.star(4, buffer="4MiB")
    fabric.faults.storm_host(0, "20us", storm)
    fabric.incast(3, 0, "2MB")
    return fabric


@pytest.mark.parametrize("add", [
    lambda fabric: fabric.watch_switches(time_scale=.005),
    lambda fabric: fabric.switches[0].add_extension(ll.create("PfcWatchdog", time_scale=.005))])
@pytest.mark.parametrize("late", [False, True])
def test_a_watchdog_that_comes_during_the_run_has_its_rows(add, late, tmp_path):
    fabric = stormy("5ms")
    if late:
        ll.Simulator.schedule("1us", add, fabric)
    else:
        add(fabric)
    results = fabric.run("10ms", write_to=tmp_path, stop_when_done=False)
    rows = (tmp_path / "watchdog.csv").read_text().splitlines()
    assert results.totals["watchdog_storms"] == 1
    assert [row.split(",")[5:7] for row in rows[1:]] == [["operational", "stormed"], ["stormed", "operational"]]


def test_a_watchdog_beside_one_that_was_there_counts(tmp_path):
    def rows(name, late):
        fabric = ll.Fabric.leaf_spine(2, 1, 2, buffer="4MiB")
        fabric.watch_switches([1], time_scale=.005)
        if late:
            ll.Simulator.schedule("1us", lambda: fabric.watch_switches([0], time_scale=.005))
        else:
            fabric.watch_switches([0], time_scale=.005)
        fabric.faults.storm_host(0, "20us", "5ms")
        fabric.incast(3, 0, "2MB")
        results = fabric.run("10ms", write_to=tmp_path / name, stop_when_done=False)
        ll.Simulator.destroy()
        return results.totals["watchdog_storms"], sorted((tmp_path / name / "watchdog.csv").read_text().splitlines())

    assert rows("late", True) == rows("early", False)


def test_a_nic_watchdog_that_comes_during_the_run_has_its_rows(tmp_path):
    fabric = ll.Fabric.star(3)
    ll.Simulator.schedule("1us", lambda: fabric.watch_nics([0], time_scale=.001))
    fabric.faults.stop_receiver(0, "10us")
    fabric.incast(2, 0, "2MB")
    results = fabric.run("5ms", write_to=tmp_path, stop_when_done=False)
    assert results.totals["nics_stopped"] == 1
    assert [row.split(",")[2] for row in (tmp_path / "watchdog.csv").read_text().splitlines()[1:]] == ["host"]


@pytest.mark.parametrize("late", [False, True])
def test_extensions_that_come_during_the_run_are_counted(late):
    def with_extension(*extensions):
        fabric = ll.Fabric.star(4, buffer="4MiB", lossless_classes=[3, 4])
        for extension in extensions:
            if late:
                ll.Simulator.schedule("1us", fabric.switches[0].add_extension, extension)
            else:
                fabric.switches[0].add_extension(extension)
        return fabric

    policy = ll.create("BorderPolicy", rules="protocol 17 drop")
    fabric = with_extension(policy)
    fabric.udp(1, 0, "5Gbps", stop="300us")
    results = fabric.run("1ms")
    assert results.totals["border_dropped"] == policy.matches[0] > 100
    assert "Border policies: " in results.summary()
    ll.Simulator.destroy()
    fabric = with_extension(ll.create("ElephantSeparator", elephant_bytes=10000, elephant_class=4))
    fabric.flow(1, 0, "1MB")
    results = fabric.run()
    assert results.totals["elephants_found"] == 1
    assert "Elephants at switches: " in results.summary()


@pytest.mark.parametrize("name, value", [("action", None), ("classes", 0x08), ("server_ports_only", True),
                                         ("detection_time", None), ("time_scale", None), ("ports", None)])
def test_a_watchdog_goes_on_whatever_else_is_set(name, value):
    def storms(sets):
        ll.Simulator.destroy()
        fabric = stormy()
        dog, = fabric.watch_switches(time_scale=.005, dialect="H3cStorm")
        for i in range(1, 30) if sets else ():
            ll.Simulator.schedule(f"{i * 100}us", lambda: dog.set(**{name: dog.get(name) if value is None else value}))
        fabric.run("20ms", stop_when_done=False)
        return dog.totals

    assert storms(True) == storms(False)
    assert storms(True)["storms"] == 3


def test_other_times_let_detection_begin_anew():
    fabric = stormy()
    dog, = fabric.watch_switches(time_scale=.005, dialect="H3cStorm")
    for i in range(1, 30):
        ll.Simulator.schedule(f"{i * 100}us", lambda i=i: dog.set(detection_time=f"{100 + i % 2}ms"))
    fabric.run("20ms", stop_when_done=False)
    assert dog.totals["storms"] == 0
