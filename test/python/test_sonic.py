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
    path = written(tmp_path / "x.json", BGP_NEIGHBOR={})
    fabric = ll.Fabric.star(2, at={"leaf 0": {"sonic": path}})
    assert fabric.switches[0].mmu.buffer_size == 8000000
    assert "1 table of other subsystems, not read: BGP_NEIGHBOR" in capfd.readouterr().err
    built = ll.Fabric.star(2)
    built.at("leaf 0").set(sonic=str(path))
    assert built.switches[0].mmu.buffer_size == 8000000
    settings = tmp_path / "settings.toml"
    settings.write_text(f"[leaf]\nSonicConfig = \"{path}\"\n")
    assert ll.Fabric.star(2, settings=settings).switches[0].mmu.buffer_size == 8000000


def test_what_is_wrong(tmp_path):
    with pytest.raises(TypeError, match="sonic is 3; it must be the path of a config_db.json"):
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


def test_names_that_resemble_known_ones_are_named(tmp_path, capfd):
    path = written(tmp_path / "x.json", PORT={"Ethernet0": {"sped": "100000", "fec": "rs"}, "Ethernet4": {}},
                   BUFER_PG={}, PFCWD={}, DSCP_TO_FC_MAP={}, PORTCHANNEL={})
    ll.Fabric.star(2, at={"leaf 0": {"sonic": path}})
    said = capfd.readouterr().err
    assert "PORT: sped is not known, and has no effect; did you mean speed?" in said
    assert "the table BUFER_PG is not known, and is not read; did you mean BUFFER_PG?" in said
    assert "the table PFCWD is not known, and is not read; did you mean PFC_WD?" in said
    assert said.count("did you mean") == 3 and "fec is not" not in said


@pytest.mark.parametrize("at, what", [
    ({"leaf 0 port 1": {"mmu": {"port_limit": 9000}}}, "PortLimit of ns3::SwitchMmu"),
    ({"leaf": {"mmu": {"egress_port_limit": 9000}}}, "EgressPortLimit of ns3::SwitchMmu"),
    ({"leaf": {"mmu": {"cell_bytes": 144}}}, "CellBytes of ns3::SwitchMmu"),
    ({"leaf": {"switch": {"mark_at": "Enqueue"}}}, "MarkAt of ns3::FabricSwitch"),
    ({"all": {"port": {"pfc_dialect": "EndlessXoff"}}}, "PfcDialect of ns3::QbbNetDevice"),
    ({"leaf": {"extensions": "ns3::IntStamper"}}, "the extension ns3::IntStamper")])
def test_what_a_configuration_cannot_say_is_named(tmp_path, capfd, at, what):
    fabric = ll.Fabric.star(2, at=at)
    capfd.readouterr()
    fabric.switches[0].write_sonic_config(tmp_path / "x.json")
    assert f"a configuration of SONiC cannot say {what}\n" in capfd.readouterr().err
    ll.Fabric.star(2).switches[0].write_sonic_config(tmp_path / "y.json")
    assert what not in capfd.readouterr().err


LOSSLESS = {"BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "p"}}, "CABLE_LENGTH": {"A": {"Ethernet0": "5m", "Ethernet4": "5m"}}}


@pytest.mark.parametrize("profile, pool, words", [
    ({"headroom_type": "dynamic", "xoff": "100", "size": "77"}, {},
     "BUFFER_PROFILE: xoff and size of p have no effect; headroom_type dynamic computes them"),
    ({"xoff": "70000", "size": "1248"}, {}, "BUFFER_PROFILE: size of p is below xoff, and no pool has an xoff"),
    ({"headroom_type": "dynamic"}, {}, None),
    ({"xoff": "70000", "size": "71248"}, {}, None),
    ({"xoff": "70000", "size": "1248"}, {"xoff": "200000"}, None),
])
def test_sizes_of_profiles_without_effect_are_named(tmp_path, capfd, profile, pool, words):
    path = written(tmp_path / "x.json", **LOSSLESS,
                   BUFFER_POOL={"in": {"size": "8000000", "type": "ingress", **pool}},
                   BUFFER_PROFILE={"p": {"pool": "in", "dynamic_th": "-3", **profile}})
    ll.Fabric.star(2, at={"leaf 0": {"sonic": path}}, delay="25ns")
    said = capfd.readouterr().err
    assert words in said if words else "xoff" not in said


@pytest.mark.parametrize("more, words", [
    ({"BUFFER_PROFILE": {"a": {"size": "0", "dynamic_th": "0"}}, "BUFFER_PG": {"Ethernet0|3": {"profile": "a"}}},
     'BUFFER_PROFILE "a": there is no pool; name a pool of ingress, such as in'),
    ({"BUFFER_PROFILE": {"a": {"pool": "in", "size": "0", "dynamic_th": "0"}},
      "BUFFER_QUEUE": {"Ethernet8|3": {"profile": "a"}}},
     'BUFFER_QUEUE "Ethernet8|3": there is no port Ethernet8 in PORT'),
    ({"QUEUE": {"Ethernet8|3": {"scheduler": "s"}}, "SCHEDULER": {"s": {"type": "DWRR", "weight": "10"}}},
     'QUEUE "Ethernet8|3": there is no port Ethernet8 in PORT'),
    ({"PFC_WD": {"Ethernet8": {"action": "drop", "detection_time": "200", "restoration_time": "200"}}},
     'PFC_WD "Ethernet8": there is no port Ethernet8 in PORT'),
])
def test_profiles_without_pools_and_queues_of_unknown_ports_are_refused(tmp_path, more, words):
    with pytest.raises(ValueError) as error:
        ll.Fabric.star(2, at={"leaf": {"sonic": written(tmp_path / "x.json", **more)}})
    assert words in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("lossy, named", [(True, True), (False, False)])
def test_a_pool_without_a_profile_is_of_lossy_classes_or_is_named(tmp_path, capfd, lossy, named):
    ports = ("Ethernet0", "Ethernet4")
    profiles = {"a": {"pool": "in", "size": "100000", "dynamic_th": "0", "xoff": "80000"},
                **({"l": {"pool": "in", "size": "0", "dynamic_th": "0"}} if lossy else {})}
    groups = {f"{port}|3": {"profile": "a"} for port in ports}
    if lossy:
        groups.update({f"{port}|{some}": {"profile": "l"} for port in ports for some in ("0-2", "4-7")})
    path = written(tmp_path / "x.json", BUFFER_PROFILE=profiles, BUFFER_PG=groups,
                   BUFFER_POOL={"in": {"size": "8000000", "type": "ingress"},
                                "spare": {"size": "1000000", "type": "ingress"}})
    fabric = ll.Fabric.star(2, at={"leaf": {"sonic": path}})
    fabric.flow(0, 1, 1000)
    fabric.run(progress=False)
    said = capfd.readouterr().err
    assert ("the service pool spare of leaf 0 has no effect" in said) == named
    assert "LossyShare" not in said, "nobody has set it"


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
        profile = {"p": {"ecn": "ecn_all", "green_min_threshold": str(least), "green_max_threshold": "1600000",
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
def test_what_a_place_says_wins_over_its_file(tmp_path, capfd, tables, own, read, twice):
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
    assert "has no effect; narrower" not in capfd.readouterr().err


@pytest.mark.parametrize("at, ports, line", [
    ({"all": {"scheduler": "StrictPriorityScheduler"}}, "Ethernet0,Ethernet4", False),  # hosts have it
    ({"switches": {"scheduler": "StrictPriorityScheduler"}}, "Ethernet0,Ethernet4", True),
    ({"switches": {"scheduler": "StrictPriorityScheduler"}}, "Ethernet0", False),
    ({"switches": {"mmu": {"buffer_size": 5000000}}}, "Ethernet0", True),
    ({"leaf 0": {"scheduler": "StrictPriorityScheduler"}}, "Ethernet0,Ethernet4", False),
])
def test_a_wide_setting_that_files_replace_everywhere_is_named(tmp_path, capfd, at, ports, line):
    path = written(tmp_path / "x.json", SCHEDULER=SCHEDULER["SCHEDULER"], QUEUE={f"{ports}|3": {"scheduler": "d"}})
    ll.Fabric.star(2, at={"leaf 0": {"sonic": path}, **at} if "leaf 0" not in at else {
        "leaf 0": {"sonic": path, **at["leaf 0"]}})
    assert ('at "switches" has no effect; narrower places say what it is everywhere there\n'
            in capfd.readouterr().err) == line


def test_curves_of_a_file_are_those_of_the_marker_of_the_place(tmp_path):
    path = written(tmp_path / "x.json", WRED_PROFILE={"p": {
        "ecn": "ecn_all", "wred_green_enable": "false", "green_min_threshold": "70000", "green_max_threshold": "90000",
        "green_drop_probability": "20"}}, QUEUE={"Ethernet0|3": {"wred_profile": "p"}})
    fabric = ll.Fabric.star(2, at={"leaf 0": {"sonic": path, "ecn": ll.Part("WredEcnMarker", kmin=5000, kmax=6000)}})
    assert fabric.switches[0].sonic_config()["WRED_PROFILE"]
    assert "70000..90000 bytes, 0.2" in [each.value for each in fabric.settings]


GROUPS = {"BUFFER_PROFILE": {"p": {"pool": "in", "dynamic_th": "-3", "size": "71248", "xoff": "70000", "xon_offset": "9000"},
                             "q": {"pool": "in", "dynamic_th": "1", "size": "0"}},
          "BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "p"}, "Ethernet0,Ethernet4|0": {"profile": "q"}}}


def changed(**fields):
    """GROUPS with more fields of the profile q."""
    return {**GROUPS, "BUFFER_PROFILE": {**GROUPS["BUFFER_PROFILE"], "q": {**GROUPS["BUFFER_PROFILE"]["q"], **fields}}}


def wred(**fields):
    """A profile of a queue."""
    return {"WRED_PROFILE": {"w": fields}, "QUEUE": {"Ethernet0|3": {"wred_profile": "w"}}}


def scheduler(**fields):
    """A scheduler of a queue."""
    return {"SCHEDULER": {"s": fields}, "QUEUE": {"Ethernet0|3": {"scheduler": "s"}}}


MAPS = {"DSCP_TO_TC_MAP": {"A": {"1": "1"}, "B": {"1": "2"}}}


@pytest.mark.parametrize("tables, line", [
    (GROUPS, ""),
    (changed(xon_offset="5000", xon="1"),
     "BUFFER_PROFILE: xon, xon_offset of q have no effect; queues and lossy groups send no pause"),
    (changed(xon="0"), ""),
    ({**changed(xoff="1000"), "BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "p"}},
      "BUFFER_QUEUE": {"Ethernet0|0": {"profile": "q"}}},
     "BUFFER_PROFILE: xoff of q has no effect; queues and lossy groups send no pause"),
    (wred(ecn="ecn_none", wred_green_enable="false", green_min_threshold="1000", green_max_threshold="2000"),
     "WRED_PROFILE: thresholds of w have no effect; there are neither marks nor drops; give an ecn that has green"),
    (wred(ecn="ecn_none"), ""),
    (wred(ecn="ecn_all", green_min_threshold="1000", green_max_threshold="2000"), ""),
    (scheduler(type="DWRR", weight="20", meter_type="bytes"),
     "SCHEDULER: meter_type of s has no effect; it needs cir or pir"),
    (scheduler(type="STRICT", weight="20"), "SCHEDULER: weight of s has no effect; type STRICT has no weight"),
    (scheduler(type="STRICT", meter_type="bytes", pir="1000000000", pbs="5000"), ""),
    ({**MAPS, "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "A"}, "Ethernet0,Ethernet4": {"dscp_to_tc_map": "B"}}},
     'PORT_QOS_MAP "global": dscp_to_tc_map has no effect; each port has its own'),
    ({**MAPS, "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "A"}, "Ethernet0": {"dscp_to_tc_map": "B"}}}, ""),
])
def test_fields_that_change_nothing_are_named(tmp_path, capfd, tables, line):
    path = written(tmp_path / "x.json", **tables)
    ll.Fabric.star(2, at={"leaf 0": {"sonic": path}}, allow_lossy=True)
    said = [each for each in capfd.readouterr().err.splitlines() if "x.json" in each]
    assert said == ([f"lossless: warning: {path}: {line}"] if line else [])


WIDE = {"BUFFER_PROFILE": {"p": {"pool": "in", "size": "60000", "xoff": "40000", "dynamic_th": "-4", "xon_offset": "2288"}},
        "BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "p"}},
        "WRED_PROFILE": {"w": {"ecn": "ecn_all", "green_min_threshold": "1000", "green_max_threshold": "2000"}},
        "QUEUE": {"Ethernet0,Ethernet4|3": {"wred_profile": "w"}}}


@pytest.mark.parametrize("place", ["switches", "switches class 3", "all", "all class 3"])
@pytest.mark.parametrize("values, name", [
    ({"alpha": .5}, "SwitchMmu::Alpha"), ({"headroom": "100kB"}, "SwitchMmu::Headroom"),
    ({"mmu": {"xon_offset": "20kB"}}, "SwitchMmu::XonOffset"), ({"SwitchMmu.static_threshold": "30kB"}, "SwitchMmu::StaticThreshold"),
    ({"mmu": {"guaranteed_bytes": 50000}}, "SwitchMmu::GuaranteedBytes"), ({"WredEcnMarker.kmin": 700}, "WredEcnMarker::Kmin"),
])
def test_values_of_classes_that_files_replace_everywhere_are_named(tmp_path, capfd, place, values, name):
    path = written(tmp_path / "x.json", **WIDE)
    ll.Fabric.star(2, at={"leaf 0": {"sonic": path}, place: values}, delay="25ns")
    assert (f'ns3::{name} at "{place}" has no effect; narrower places say what it is everywhere there\n'
            in capfd.readouterr().err)


def test_attributes_of_a_wider_place_do_not_win_over_a_file(tmp_path, capfd):
    path = written(tmp_path / "x.json", SCHEDULER={"d": {"type": "DWRR", "weight": "30"}},
                   QUEUE={"Ethernet0,Ethernet4|3": {"scheduler": "d"}})
    wide = {"DwrrScheduler.weights": "1 1 1 7 1 1 1 1"}
    fabric = ll.Fabric.star(2, scheduler="DwrrScheduler", at={"leaf 0": {"sonic": path}, "switches": wide})
    assert [port.egress_scheduler.weights for port in fabric.switches[0].ports] == ["1 1 1 30 1 1 1 1"] * 2
    assert 'ns3::DwrrScheduler::Weights at "switches" has no effect; narrower' in capfd.readouterr().err
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(2, scheduler="DwrrScheduler", at={"leaf 0": {"sonic": path, **wide}})
    assert fabric.switches[0].ports[0].egress_scheduler.weights == "1 1 1 7 1 1 1 1"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("more, named", [({}, False), ({"xon": "9000", "xoff": "40000", "headroom_type": "static"}, True)])
def test_a_xon_that_the_file_does_not_have_is_not_named(tmp_path, capfd, more, named):
    path = written(tmp_path / "x.json", **{**LOSSLESS, "BUFFER_PROFILE": {
        "p": {"pool": "in", "dynamic_th": "-2", "headroom_type": "dynamic", **more}}})
    ll.Fabric.star(2, at={"leaf 0": {"sonic": path}}, delay="25ns")
    assert ("xon of p has no effect" in capfd.readouterr().err) == named


def test_the_type_of_a_scheduler_of_a_port_is_named(tmp_path, capfd):
    path = written(tmp_path / "x.json", SCHEDULER={"s": {"type": "STRICT", "pir": "5000000000"}},
                   PORT_QOS_MAP={"Ethernet0": {"scheduler": "s"}})
    ll.Fabric.star(2, at={"leaf 0": {"sonic": path}}, allow_lossy=True)
    assert 'SCHEDULER "s": type has no effect on a port; a port has a highest rate alone' in capfd.readouterr().err


@pytest.mark.parametrize("narrow, named", [({}, True), ({"PORT": {"Ethernet0": {"mtu": "9100"}, "Ethernet4": {}}}, False)])
def test_a_file_that_narrower_files_replace_everywhere_is_named(tmp_path, capfd, narrow, named):
    wide = written(tmp_path / "wide.json", PORT={"Ethernet0": {"mtu": "2000"}, "Ethernet4": {"mtu": "2000"}},
                   BUFFER_POOL={"in": {"size": "700000", "type": "ingress"}})
    path = written(tmp_path / "narrow.json", **{
        "PORT": {"Ethernet0": {"mtu": "9100"}, "Ethernet4": {"mtu": "9100"}}, **narrow})
    ll.Fabric.star(2, at={"leaf": {"sonic": wide}, "leaf 0": {"sonic": path}})
    assert (f'{wide} at "leaf" has no effect; files of narrower places replace all that it has set\n'
            in capfd.readouterr().err) == named


def test_a_xon_offset_stays_where_a_file_says_none(tmp_path, capfd):
    path = written(tmp_path / "x.json", CABLE_LENGTH={"A": {"Ethernet0": "200m", "Ethernet4": "200m"}})
    fabric = ll.Fabric.star(2, at={"leaf": {"mmu": {"xon_offset": 9000}}, "switch 0": {"sonic": path}}, delay="1us")
    assert fabric.switches[0].mmu.in_force(0, 3)["xon_offset"] >= 9000
    ll.Simulator.destroy()
    fabric = ll.Fabric.star(2, at={"leaf class 3": {"mmu": {"xon_offset": 9000}}, "switch 0": {"sonic": path}}, delay="1us")
    assert fabric.switches[0].mmu.in_force(0, 3)["xon_offset"] >= 9000
    assert "XonOffset" not in capfd.readouterr().err
