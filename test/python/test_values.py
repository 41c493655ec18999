# SPDX-License-Identifier: GPL-2.0-only
"""Times, rates, attributes and what is wrong with them."""

import pickle

import pytest

import lossless as ll


def test_times_are_exact():
    assert ll.Time("1.5us").ps == 1500000
    assert ll.Time("-2ns").ps == -2000
    assert str(ll.Time("4ms")) == "4ms" and repr(ll.Time("7ps")) == "lossless.Time('7ps')"
    assert ll.Time("1us") + ll.Time("1ns") > ll.Time("1us")
    assert float(ll.Time("4124800ps")) == ll.Time("4124800ps").seconds == 4.1248e-06
    assert ll.Time("3us") / ll.Time("2us") == 1.5
    assert 2 * ll.Time("3us") == ll.Time("6us")
    assert pickle.loads(pickle.dumps(ll.Time("5us"))) == ll.Time("5us")
    with pytest.raises(ZeroDivisionError):
        ll.Time("1us") / ll.Time("0s")


def test_arithmetic_of_times():
    us = ll.Time("1us")
    assert 3 * us == us * 3 == ll.Time("3us") and us * 0.5 == ll.Time("500ns") == us / 2
    assert ll.Time("7us") // ll.Time("2us") == 3 and ll.Time("7us") % ll.Time("2us") == us
    assert abs(-us) == us and sum([us, us], ll.Time()) == 2 * us
    assert f"{ll.Time('1500ns'):.2fus}" == "1.50us" and f"{us:>6}" == "   1us" and f"{us}" == "1us"
    assert len({us, ll.Time("1000ns"), ll.Time("2us")}) == 2
    assert sorted([2 * us, us]) == [us, 2 * us] and not ll.Time() and us
    with pytest.raises(ValueError, match="a time is no number"):
        _ = us * float("nan")
    for action in (lambda: us * 1e30, lambda: us * 10**18,
                   lambda: ll.Time("1h") * 1000 + ll.Time("1h") * 1600):
        with pytest.raises(OverflowError, match="106 days"):
            action()
    with pytest.raises(TypeError):
        us + 1  # pylint: disable=pointless-statement
    assert us != "1us" and us != 1000000


def test_arithmetic_of_rates():
    rate = ll.DataRate("100Gbps")
    assert 0.5 * rate == rate / 2 == ll.DataRate("50Gbps") and rate / ll.DataRate("25Gbps") == 4
    assert rate + rate - rate == rate and float(rate) == 1e11
    assert rate * ll.Time("8us") == 100000
    assert pickle.loads(pickle.dumps(rate)) == rate and hash(rate) == hash(ll.DataRate(10**11))
    for action in (lambda: -1 * rate, lambda: rate - 2 * rate, lambda: ll.DataRate(-1),
                   lambda: rate * float("nan")):
        with pytest.raises(ValueError, match="0 or more"):
            action()
    with pytest.raises(OverflowError):
        rate * 1e10  # pylint: disable=pointless-statement


def test_rates():
    assert ll.DataRate("100Gbps").bits_per_second == 10**11
    assert ll.DataRate(25 * 10**9) == ll.DataRate("25Gb/s")
    assert str(ll.DataRate("2.5Tbps")) == "2500Gbps"


def test_defaults_survive_the_resolution():
    """The module sets picoseconds; a second conversion would make 4 ms 4 s."""
    assert ll.create("RdmaQueuePair").retransmit_timeout == ll.Time("4ms")


def test_attributes_by_name():
    port = ll.create("QbbNetDevice", data_rate="25Gbps", PfcEnabled=False)
    assert port.data_rate == ll.DataRate("25Gbps")
    assert port.get("DataRate") == port.get("data_rate")
    port.mtu = 4096
    assert port.Mtu == 4096 and port.pfc_enabled is False
    assert port.set(mtu=1500, pfc_reaction_delay=ll.Time("250ns")) is port
    assert port.pfc_reaction_delay == ll.Time("250ns")
    assert "PfcQuanta" in port.attributes() and "PauseState" in port.trace_sources()
    assert port.type_name == "ns3::QbbNetDevice"


@pytest.mark.parametrize("action, error, text", [
    (lambda: ll.create("QbbNetDevice", datarate="fast"), ValueError, "such as 100Gbps"),
    (lambda: ll.create("QbbNetDevice", rate="1Gbps"), AttributeError, "no attribute \"rate\""),
    (lambda: ll.create("QbbNetDevic"), ValueError, "did you mean ns3::QbbNetDevice?"),
    (lambda: ll.create("QbbNetDevice").colour, AttributeError, "no attribute \"colour\""),
    (lambda: setattr(ll.create("QbbNetDevice"), "colour", 1), AttributeError, "colour"),
    (lambda: ll.create("QbbNetDevice").connect("PauseStat", print), AttributeError, "PauseState"),
    (lambda: ll.create("SwitchMmu", alpha=-1), ValueError, "Alpha"),
    (lambda: ll.create("RdmaCongestionOps"), ValueError, "abstract"),
    (lambda: ll.Dcqcn(dialect="Nix"), ValueError, "must be one of Paper, Nic, Strawman"),
    (lambda: ll.Dcqcn(cnp_interval=5), ValueError, "no unit"),
    (lambda: ll.Dcqcn(cnp_interval="5"), ValueError, "no unit"),
    (lambda: ll.Dcqcn(cnp_interval=None), ValueError, "None"),
    (lambda: ll.Time("1"), ValueError, "no unit"),
    (lambda: ll.Fabric.star(4, delay="1"), ValueError, "no unit"),
    (lambda: ll.Fabric.star(4).connect(0, 1, "TcpCubic"), ValueError, "RdmaCongestionOps"),
    (lambda: ll.Time("5 apples"), ValueError, "5 apples"),
    (lambda: ll.DataRate("quick"), ValueError, "quick"),
    (lambda: ll.Config.set_default("RdmaQueuePair::Mtu", "x"), ValueError, "Mtu"),
    (lambda: ll.Config.set_default("Mtu", 1), ValueError, "no attribute"),
    (lambda: ll.set_seed(0), ValueError, "seed"),
    (lambda: ll.set_seed(4294944443), ValueError, "4294944442"),
    (lambda: ll.set_seed(2**32), ValueError, "the seed is 4294967296; it must be 1 to 4294944442"),
    (lambda: ll.set_seed(2**70), ValueError, "it must be 1 to 4294944442"),
    (lambda: ll.set_seed(-1), ValueError, "the seed is -1; it must be 1 to 4294944442"),
    (lambda: ll.Time("1fs"), ValueError, "a whole number of picoseconds"),
    (lambda: ll.Time("-0.5ps"), ValueError, "a whole number of picoseconds"),
    (lambda: ll.Fabric.star(4, delay="0.5ps"), ValueError, "a whole number of picoseconds"),
    (lambda: ll.Fabric.star(4, rate="1000.5bps"), ValueError, "a whole number of bit/s"),
    (lambda: ll.Simulator.schedule("-1us", print), ValueError, "past"),
    (lambda: ll.Simulator.stop("-1us"), ValueError, "past"),
    (lambda: ll.Fabric.star(0), ValueError, "hosts"),
    (lambda: ll.Fabric.star(4, colour="red"), TypeError, "colour"),
    (lambda: ll.Fabric.star(4, buffer="1KiB"), ValueError, "buffer"),
    (lambda: ll.Fabric.star(4).flow(0, 9, 1), IndexError, "host 9"),
    (lambda: ll.Fabric.star(4).flow(0, 1, -1), ValueError, "size"),
    (lambda: ll.Fabric.star(4).flow(0, 1, 1.5), ValueError, "whole number"),
    (lambda: ll.Fabric.star(4).flow(0, 1, 1, verb="fetch"), ValueError, "write, write_imm"),
    (lambda: ll.Fabric.star(4).poisson("fb", 0.5, "1ms"), ValueError, "fb-hadoop"),
    (lambda: ll.Fabric.star(4).device(77), IndexError, "node 77"),
    (lambda: ll.Fabric.star(4).switches[0].mmu.explain(0, 8), IndexError, "class 8"),
    (lambda: ll.create("RdmaHw").create_queue_pair(0), IndexError, "port 0"),
])
def test_what_is_wrong_is_said(action, error, text):
    with pytest.raises(error) as caught:
        action()
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_enumerations_in_any_case():
    assert str(ll.Dcqcn(dialect="nic")) == str(ll.Dcqcn(dialect="Nic"))
    assert ll.Dcqcn(dialect="nic") == ll.Part("ns3::RdmaDcqcn", Dialect="Nic")
    assert "dialect = Nic" in ll.Dcqcn.__doc__
