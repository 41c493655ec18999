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
