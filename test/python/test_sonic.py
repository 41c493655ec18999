# SPDX-License-Identifier: GPL-2.0-only
"""Configurations of SONiC on the switches of a fabric."""

import json
import pathlib

import lossless as ll
import pytest

FILES = pathlib.Path(__file__).parents[2] / "examples" / "sonic"


def tables(**more):
    """A configuration for a switch with two ports."""
    return {"PORT": {"Ethernet0": {"speed": "100000"}, "Ethernet4": {"speed": "100000"}},
            "BUFFER_POOL": {"in": {"size": "8000000", "type": "ingress"}}, **more}


def written(path, **more):
    path.write_text(json.dumps(tables(**more)))
    return path


def test_files_of_switches(tmp_path, capfd):
    path = written(tmp_path / "x.json", TC_TO_DOT1P_MAP={"m": {"0": "0"}})
    fabric = ll.Fabric.star(2, at={"leaf 0": {"sonic": path}})
    assert fabric.switches[0].mmu.buffer_size == 8000000
    fabric.incast(1, 0, "1kB")
    fabric.run()
    assert 'TC_TO_DOT1P_MAP "m" has no effect' in capfd.readouterr().err
    ll.Simulator.destroy()
    built = ll.Fabric.star(2)
    built.at("leaf 0").set(sonic=str(path))
    assert built.switches[0].mmu.buffer_size == 8000000
    settings = tmp_path / "settings.toml"
    settings.write_text(f"[leaf]\nSonicConfig = \"{path}\"\n")
    assert ll.Fabric.star(2, settings=settings).switches[0].mmu.buffer_size == 8000000


def test_what_is_wrong(tmp_path):
    with pytest.raises(TypeError):
        ll.Fabric.star(2, at={"leaf": {"sonic": 3}})
    with pytest.raises(ValueError, match="cannot be read; expected a config_db.json of SONiC"):
        ll.Fabric.star(2, at={"leaf": {"sonic": "/nonexistent.json"}})
    path = written(tmp_path / "x.json")
    with pytest.raises(ValueError, match="PORT has 2 ports that are not down, and leaf 0 has 3"):
        ll.Fabric.star(3, at={"leaf": {"sonic": path}})
    fabric = ll.Fabric.star(2)
    with pytest.raises(TypeError, match="sonic is set with other settings; set it alone"):
        fabric.at("leaf").set(sonic=path, alpha=0.5)
    with pytest.raises(ValueError, match="such configurations are of whole switches"):
        fabric.at("leaf 0 port 1").set(sonic=path)
    with pytest.raises(TypeError, match="unknown setting 'sonc'; known are .*sonic"):
        fabric.at("leaf").set(sonc=path)
    fabric.incast(1, 0, "1kB")
    fabric.run()
    with pytest.raises(ValueError, match="leaf 0 is running; a configuration of SONiC is set before"):
        fabric.at("leaf 0").set(sonic=path)


def test_round_trip(tmp_path):
    fabric = ll.Fabric.star(2, at={"leaf 0": {"sonic": written(tmp_path / "x.json")}})
    config = fabric.switches[0].sonic_config()
    assert config["BUFFER_POOL"]["ingress_lossless_pool"]["size"] == "8000000"
    path = tmp_path / "written.json"
    fabric.switches[0].write_sonic_config(path)
    assert json.loads(path.read_text()) == config
    again = ll.Fabric.star(2, at={"leaf 0": {"sonic": path}})
    assert again.switches[0].sonic_config() == config


def test_tables_of_show():
    fabric = ll.Fabric.star(3)
    fabric.incast(2, 0, "100kB")
    fabric.run()
    text = fabric.switches[0].sonic_show()
    assert "show queue watermark unicast" in text and "Ethernet8" in text
    most = fabric.switches[0].mmu.watermarks("user")["SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"]
    assert most[0, 3] > 0


def test_shipped_files_have_both_forms():
    assert "[BUFFER_PROFILE|" in (FILES / "leaf.json").read_text()
    assert "[BUFFER_PROFILE|" not in (FILES / "spine.json").read_text()


@pytest.mark.parametrize("at, what", [
    ({"leaf 0 port 1": {"mmu": {"port_limit": 9000}}}, "limits of ports"),
    ({"leaf": {"mmu": {"egress_port_limit": 9000}}}, "EgressPortLimit of ns3::SwitchMmu"),
    ({"leaf": {"mmu": {"cell_bytes": 144}}}, "CellBytes of ns3::SwitchMmu"),
    ({"leaf": {"switch": {"mark_at": "Enqueue"}}}, "MarkAt of ns3::FabricSwitch"),
    ({"all": {"port": {"pfc_dialect": "EndlessXoff"}}}, "PfcDialect of ns3::QbbNetDevice"),
    ({"leaf": {"extensions": "ns3::IntStamper"}}, "the extension ns3::IntStamper")])
def test_what_a_configuration_cannot_say_is_named(tmp_path, capfd, at, what):
    fabric = ll.Fabric.star(2, at=at)
    capfd.readouterr()
    fabric.switches[0].write_sonic_config(tmp_path / "x.json")
    err = capfd.readouterr().err
    assert err.count("a configuration of SONiC cannot say") == 1 and what in err
    ll.Fabric.star(2).switches[0].write_sonic_config(tmp_path / "y.json")
    assert what not in capfd.readouterr().err


def own(fabric):
    """Settings of the buffer of switches that classes have of their own."""
    return {setting.name.split(".")[1]: setting.value for setting in fabric.settings
            if setting.name.startswith("SwitchMmu") and setting.name.endswith(" of ports")}


def test_values_that_are_those_of_the_switch_are_no_settings(tmp_path):
    ll.Fabric.star(2).switches[0].write_sonic_config(tmp_path / "x.json")
    ll.Simulator.destroy()
    assert own(ll.Fabric.star(2, at={"leaf 0": {"sonic": tmp_path / "x.json"}})) == {}
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(2, at={"leaf 0": {"mmu": {"xon_offset": 4096}},
                                   "leaf 0 port 1": {"SwitchMmu.lossy_alpha": 0.25}})
    fabric.switches[0].write_sonic_config(tmp_path / "y.json")
    ll.Simulator.destroy()
    again = ll.Fabric.star(2, at={"leaf 0": {"sonic": tmp_path / "y.json"}})
    assert own(again) == {"LossyAlpha of ports": "0.25", "XonOffset of ports": "4096 (4160 in force)"}
    again.at("leaf 0").set(mmu={"xon_offset": 4096})
    assert own(again) == {"LossyAlpha of ports": "0.25"}


def test_a_curve_that_is_that_of_the_switch_is_no_difference(tmp_path):
    def curves(least):
        profile = {"p": {"ecn": "ecn_all", "wred_green_enable": "true", "green_min_threshold": str(least),
                         "green_max_threshold": "1600000",
                         "green_drop_probability": "20"}}
        queues = {f"Ethernet{port}|{queue}": {"wred_profile": "p"} for port in (0, 4) for queue in range(8)}
        fabric = ll.Fabric.star(2, rate="100Gbps", at={"leaf 0": {"sonic": written(
            tmp_path / "x.json", WRED_PROFILE=profile, QUEUE=queues)}})
        return [each for each in fabric.settings if "Kmin" in str(each)]

    assert curves(400001)
    assert curves(400000) == []


SCHEDULER = {"SCHEDULER": {"d": {"type": "DWRR", "weight": "30"}}, "QUEUE": {"Ethernet0,Ethernet4|3": {"scheduler": "d"}}}
MAP = {"DSCP_TO_TC_MAP": {"m": {"10": "5"}}, "PORT_QOS_MAP": {"Ethernet0,Ethernet4": {"dscp_to_tc_map": "m"}}}


@pytest.mark.parametrize("tables, own, read", [
    (SCHEDULER, {"scheduler": "StrictPriorityScheduler"}, lambda port: type(port.egress_scheduler).__name__),
    (SCHEDULER, {"QbbNetDevice.mtu": 3000}, lambda port: port.mtu),
    (MAP, {"class_map": ll.Part("TrafficClassMap", queue="3:4")}, lambda port: port.traffic_class_map.queue),
])
@pytest.mark.parametrize("twice", [False, True])
def test_what_a_place_says_wins_over_its_file(tmp_path, tables, own, read, twice):
    """The same place, in either order; and a narrower one."""
    path = written(tmp_path / "x.json", **tables)
    plain = ll.Fabric.star(2, at={"leaf": own}, allow_lossy=True)
    wanted = read(plain.switches[0].ports[0])
    ll.Simulator.destroy()
    first, second = ({"leaf": {"sonic": path}, "leaf 0": own}, None) if twice else ({"leaf": {"sonic": path, **own}}, {
        "leaf": {**own, "sonic": path}})
    for at in filter(None, (first, second)):
        fabric = ll.Fabric.star(2, at=at, allow_lossy=True)
        assert read(fabric.switches[0].ports[0]) == wanted
        ll.Simulator.destroy()


def test_curves_of_a_file_are_those_of_the_marker_of_the_place(tmp_path):
    path = written(tmp_path / "x.json", WRED_PROFILE={"p": {
        "ecn": "ecn_all", "wred_green_enable": "true", "green_min_threshold": "70000", "green_max_threshold": "90000",
        "green_drop_probability": "20"}}, QUEUE={"Ethernet0|3": {"wred_profile": "p"}})
    fabric = ll.Fabric.star(2, at={"leaf 0": {"sonic": path, "ecn": ll.Part("WredEcnMarker", kmin=5000, kmax=6000)}})
    assert fabric.switches[0].sonic_config()["WRED_PROFILE"]
    assert "70000..90000 bytes, 0.2" in [each.value for each in fabric.settings]


def test_attributes_of_a_wider_place_do_not_win_over_a_file(tmp_path, capfd):
    path = written(tmp_path / "x.json", SCHEDULER={"d": {"type": "DWRR", "weight": "30"}},
                   QUEUE={"Ethernet0,Ethernet4|3": {"scheduler": "d"}})
    wide = {"DwrrScheduler.weights": "1 1 1 7 1 1 1 1"}
    fabric = ll.Fabric.star(2, scheduler="DwrrScheduler", at={"leaf 0": {"sonic": path}, "switches": wide})
    assert [port.egress_scheduler.weights for port in fabric.switches[0].ports] == ["1 1 1 30 1 1 1 1"] * 2
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(2, scheduler="DwrrScheduler", at={"leaf 0": {"sonic": path, **wide}})
    assert fabric.switches[0].ports[0].egress_scheduler.weights == "1 1 1 7 1 1 1 1"
    assert capfd.readouterr().err == ""


def test_a_xon_offset_stays_where_a_file_says_none(tmp_path, capfd):
    path = written(tmp_path / "x.json", CABLE_LENGTH={"A": {"Ethernet0": "200m", "Ethernet4": "200m"}})
    fabric = ll.Fabric.star(2, at={"leaf": {"mmu": {"xon_offset": 9000}}, "switch 0": {"sonic": path}}, delay="1us")
    assert fabric.switches[0].mmu.in_force(0, 3)["xon_offset"] >= 9000
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(2, at={"leaf class 3": {"mmu": {"xon_offset": 9000}}, "switch 0": {"sonic": path}}, delay="1us")
    assert fabric.switches[0].mmu.in_force(0, 3)["xon_offset"] >= 9000
    assert "XonOffset" not in capfd.readouterr().err
