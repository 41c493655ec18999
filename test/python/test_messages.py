# SPDX-License-Identifier: GPL-2.0-only
"""What one-line errors and reprs say, and what a console offers."""

import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest

import lossless as ll

ROOT = pathlib.Path(__file__).parents[2]


def star(**options):
    return ll.Fabric.star(3, **options)


def ends_of(*flows):
    """The completion times of flows of a star, by number."""
    fabric = star()
    for source, destination, options in flows:
        fabric.flow(source, destination, "1MB", **options)
    flows = fabric.run().flows
    ll.Simulator.destroy()
    return dict(zip(flows["source"], flows["fct_s"]))


def test_attributes_of_a_queue_pair_are_of_one_flow():
    alone = ends_of((2, 1, {}))[2]
    small = ends_of((2, 1, {"mtu": 256}))[2]
    assert small > alone * 1.1
    both = ends_of((0, 1, {"mtu": 256, "start": "1ms"}), (2, 1, {}))
    assert both[2] == alone and both[0] == small


def test_attributes_of_a_queue_pair_are_not_of_later_workloads():
    found = []
    for mtu in (None, 256):
        fabric = star()
        if mtu:
            fabric.incast(1, 1, "1MB", start="1ms", mtu=mtu)
        fabric.permutation("1MB")
        found.append(list(fabric.run().flows["fct_s"])[:3])
        ll.Simulator.destroy()
    assert found[0] == found[1]


@pytest.mark.parametrize("add", [
    lambda fabric: fabric.flow(0, 1, "1MB", start="-1us"),
    lambda fabric: fabric.incast(2, 0, "1MB", start="-1us"),
    lambda fabric: fabric.permutation("1MB", start="-1us"),
    lambda fabric: fabric.all_to_all("1MB", start="-1us"),
    lambda fabric: fabric.flows_from({"source": [0], "destination": [1], "size": [9], "start_us": [-1.0]}),
    lambda fabric: fabric.tcp(0, 1, "1MB", start="-1us"),
    lambda fabric: fabric.udp(0, 1, "1Gbps", start="-1us", stop="1ms"),
    lambda fabric: fabric.application(0, "OnOffApplication", start="-1us", stop="1ms"),
    lambda fabric: fabric.faults.cut_link(0, "-1us")])
def test_a_negative_start_is_called_negative(add):
    with pytest.raises(ValueError, match=r"; its (start|begin), -1us, is negative: it counts from the begin of the "
                                         r"run, and must be 0 or more$"):
        add(star())


def test_starts_count_from_the_begin():
    fabric = star()
    starts = []
    ll.Simulator.schedule("2us", lambda: fabric.flow(0, 1, 1000, start="5us"))
    fabric.flow(1, 2, 1000, start="10us")
    fabric.on_flow_end(lambda result: starts.append(result.start))
    fabric.run()
    assert [start.us for start in starts] == [5, 10]


@pytest.mark.parametrize("call", [
    lambda: ll.Fabric.star(-1), lambda: ll.Fabric.star("x"), lambda: ll.Fabric.star(True),
    lambda: star().switches[0].mmu.set_static_threshold(0, 3, -1), lambda: star().flow(0, 1, 1000, traffic_class=3.0),
    lambda: star().connect(0, 1)[0].post("write_imm", 1000, immediate=-1), lambda: star().device(None, -1),
    lambda: ll.Topology().add_link("x"), lambda: ll.Time([]), lambda: ll.Simulator.stop(b=1),
    lambda: star().flow(0, 1, 1000, start=5),
    lambda: star().switches[0].add_extension(ll.Part("BorderPolicy", rules="any permit"))])
def test_arguments_of_wrong_types_are_refused(call):
    with pytest.raises(TypeError):
        call()


def test_the_examples_of_messages_are_right():
    # pylint: disable=import-outside-toplevel, protected-access, eval-used
    from lossless.fabric import _EXAMPLES
    assert star(**{name: eval(text) for name, text in _EXAMPLES.items()})


def test_the_place_of_an_abort_is_the_users(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import ctypes\n"
                      "import lossless as ll\n"
                      "from lossless import run\n\n"
                      "star = ll.Fabric.star(2)\n"
                      "# Something that Fabric.run() calls does what ns-3 does when it gives up.\n"
                      "run.as_time = ctypes.CDLL('libstdc++.so.6')._ZSt9terminatev\n"
                      "star.run('1us')\n")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert f'File "{script}", line 8' in result.stderr
    assert result.returncode == -signal.SIGABRT


def test_a_console_offers_attributes():
    fabric = star()
    port = fabric.device(0)
    assert {"data_rate", "mtu", "counters", "peer", "connect"} <= set(dir(port))
    for name in ("data_rate", "mtu"):
        assert getattr(port, name) is not None
    assert {"dialect"} <= set(dir(ll.create("RdmaDcqcn")))
    assert all(name == name.lower() for name in dir(port) if not name.startswith("_"))


def test_reprs_have_numbers():
    fabric = star()
    pair, peer = fabric.connect(0, 2)
    switch = fabric.switches[0]
    host, other, node = (fabric.topology.hosts[0], fabric.topology.hosts[2],
                         fabric.topology.switches[0])
    assert repr(fabric.device(host)) == f"<lossless.QbbNetDevice of node {host}, port 0>"
    assert repr(switch.ports[2]) == f"<lossless.QbbNetDevice of node {node}, port 2>"
    assert repr(switch) == f"<lossless.FabricSwitch of node {node}>"
    assert repr(fabric.hosts[2]) == f"<lossless.RdmaHw of node {other}>"
    assert repr(pair) == f"<lossless.QueuePair {pair.number} of node {host}, port 0>"
    assert repr(peer) == f"<lossless.QueuePair {peer.number} of node {other}, port 0>"
    ll.Simulator.destroy()
    for thing in (pair, switch, fabric.topology):
        assert "lossless." in repr(thing)


def with_defaults(values, script):
    """Run a script where NS_ATTRIBUTE_DEFAULT has values."""
    return subprocess.run([sys.executable, "-c", "import lossless as ll\n" + script], check=False,
                          capture_output=True, text=True,
                          env={**os.environ, "NS_ATTRIBUTE_DEFAULT": values})


def test_defaults_of_the_environment_take_effect_or_are_named(incast_program):
    values = "ns3::SwitchMmu::CellBytes=100;ns3::SwitchMmu::BufferSize=9MiB;ns3::RdmaHpcc::Eta=0.5"
    warning = ("lossless: warning: RdmaHpcc.Eta is unused, as it needs an object of ns3::RdmaHpcc; settings.csv "
               "has all\n")
    script = """
f = ll.Fabric.star(2)
mmu = f.switches[0].mmu
print(mmu.cell_bytes, mmu.buffer_size)
f.flow(0, 1, 1000)
f.run()
ll.Config.set_default("SwitchMmu::CellBytes", 300)
print(ll.create("SwitchMmu").cell_bytes)
ll.Config.reset()
print(ll.create("SwitchMmu").cell_bytes)
"""
    result = with_defaults(values, script)
    assert (result.stdout, result.stderr) == (f"100 {9 << 20}\n300\n100\n", warning)
    result = subprocess.run([incast_program, "--ns3::SwitchMmu::CellBytes=300"], check=True,
                            capture_output=True, text=True,
                            env={**os.environ, "NS_ATTRIBUTE_DEFAULT": values})
    assert "SwitchMmu.CellBytes is 300" in result.stdout
    assert result.stderr == warning


def called_in_messages(text):
    """Calls and members of C++, such as "Connect()" or "SwitchMmu::SetLossless", in the texts of
    exceptions that the lines of a file throw."""
    code = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    for thrown in re.findall(r"throw [\w:]+\((.*?)\);", code, re.S):
        message = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', thrown))
        message = re.sub(r"ns3::\w+(::\w+)?", "", message)  # names of types and attributes
        yield from re.findall(r"(?:\w+::)?[A-Z]\w*\(\)|\b[A-Z]\w+::[A-Z]\w+", message)


def test_messages_name_no_call_of_cpp():
    # Python cannot come here: C++ has these, or it refuses what belongs to a destroyed fabric itself.
    known = {"Simulator::Destroy()", "GetOptions()", "Needs()", "SetEcn()", "SetScheduler()",
             "AddSwitchExtension()", "FabricHelper::At()", "FabricSwitch::AddExtension()"}
    found = {(path.name, call) for folder in ("helper", "model") for path in (ROOT / folder).rglob("*.cc")
             for call in called_in_messages(path.read_text(encoding="ascii")) if call not in known}
    assert not found
    assert len(set(called_in_messages('throw Error("call Go() of " + name, "or SwitchMmu::SetLossy");'))) == 2


@pytest.mark.parametrize("ports", [[0, 1], (1, 0), "0,1", " 0 , 1 "])
def test_lists_of_ports_are_the_ports(ports):
    both = ll.Part("BorderPolicy", rules="udp 4791 set dscp 26", ports=ports)
    every = ll.Part("BorderPolicy", rules="udp 4791 set dscp 26")
    fabric = ll.Fabric.star(4, extensions=[both, every])
    for host in range(4):
        fabric.flow(host, (host + 1) % 4, 4000, start=f"{host}us")
    fabric.run()
    of_two, of_all = [sum(policy.matches) for policy in fabric.switches[0].extensions[:2]]
    assert of_two * 2 == of_all > 0


def test_lists_of_pairs_and_of_weights_are_read():
    assert ll.create("PortGroupRemap", groups=["0:1", "1:1"]).groups.replace(" ", "") == "0:1,1:1"
    assert ll.create("DwrrScheduler", weights=[1, 2, 3, 4, 5, 6, 7, 8]).weights == "1 2 3 4 5 6 7 8"


def test_a_memory_fault_says_where_python_was(tmp_path):
    script = tmp_path / "fault.py"
    script.write_text("import ctypes\nimport lossless\n\n\ndef fault():\n    ctypes.string_at(0)\n\n\nfault()\n")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert result.returncode == -signal.SIGSEGV
    assert "Segmentation fault" in result.stderr and f'File "{script}", line 6 in fault' in result.stderr


@pytest.mark.parametrize("values, text", [
    ("ns3::SwitchMmu::Alpa=1", '"ns3::SwitchMmu::Alpa=1": ns3::SwitchMmu has no attribute Alpa; did you '),
])
def test_defaults_of_the_environment_are_checked(values, text, incast_program):
    said = with_defaults(values, "").stderr.splitlines()[-1]
    assert said.startswith(f"ValueError: NS_ATTRIBUTE_DEFAULT has {text}")
    result = subprocess.run([incast_program], capture_output=True, text=True, check=False,
                            env={**os.environ, "NS_ATTRIBUTE_DEFAULT": values})
    assert result.returncode == 2 and result.stderr.count("\n") == 1
    assert f": NS_ATTRIBUTE_DEFAULT has {text}" in result.stderr
