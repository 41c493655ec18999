// SPDX-License-Identifier: GPL-2.0-only

// How frames read in ASCII traces.

#include "wire-test-util.h"

#include "ns3/frame-printer.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

using namespace ns3;
using namespace wiretest;

namespace
{

std::string
Printed(const Frame& frame)
{
    std::ostringstream os;
    os << frame;
    return os.str();
}

} // namespace

TEST(FramePrinter, OneLineForEachKind)
{
    FramePtr roce(new Frame);
    roce->opcode = RoceOpcode::WRITE_ONLY;
    roce->src = 0x0a000001;
    roce->dst = 0x0a000002;
    roce->srcPort = 50000;
    roce->dstPort = ROCE_UDP_PORT;
    roce->ecn = Ecn::CE;
    roce->dscp = 26;
    roce->psn = 1ULL << 33;
    roce->destQp = 17;
    roce->payloadBytes = 1000;
    roce->dmaBytes = 1000;
    roce->tagged = true;
    roce->pcp = 3;
    roce->bytes = 1082;
    EXPECT_EQ(Printed(*roce),
              "RoCE WRITE_ONLY 10.0.0.1.50000 > 10.0.0.2.4791 dscp=26 ecn=ce ttl=64 qp=17 "
              "psn=8589934592 payload=1000 dma=1000 pcp=3 vlan=0 bytes=1082");

    FramePtr ip(new Frame);
    ip->kind = FrameKind::IP;
    ip->ipVersion = 6;
    ip->srcHigh = ip->dstHigh = {0xfd000000, 0, 0};
    ip->src = 1;
    ip->dst = 2;
    ip->protocol = 58;
    ip->bytes = 100;
    EXPECT_EQ(Printed(*ip),
              "IP protocol=58 fd00::1.0 > fd00::2.0 dscp=0 ecn=not-ect ttl=64 bytes=100");

    FramePtr pfc(new Frame);
    pfc->kind = FrameKind::PFC;
    pfc->pfcEnable = 0x81;
    pfc->pfcQuanta[0] = 65535;
    pfc->pfcQuanta[3] = 7; // not enabled
    pfc->bytes = 64;
    EXPECT_EQ(Printed(*pfc), "PFC class0=65535 class7=0 bytes=64");
}

TEST(FramePrinter, Telemetry)
{
    FramePtr frame(new Frame);
    frame->opcode = RoceOpcode::ACKNOWLEDGE;
    const std::string bare = Printed(*frame);
    const auto printed = [&](TelemetryKind kind) {
        frame->telemetryKind = kind;
        const std::string line = Printed(*frame);
        const auto end = line.rfind(" bytes=");
        const auto begin = bare.rfind(" bytes=");
        EXPECT_EQ(line.substr(0, begin), bare.substr(0, begin));
        return line.substr(begin, end - begin);
    };
    frame->telemetry.delay = {-5, 700, 3};
    EXPECT_EQ(printed(TelemetryKind::DELAY), " delay sent=-5 endpoint=700 hops=3");
    frame->telemetry.hops = {2, 291, {0xab, 0xcd, 0xef}};
    EXPECT_EQ(printed(TelemetryKind::INT), " int hops=2 path=291 hop0=0xab hop1=0xcd");
    frame->telemetry.hops.hops = 9; // four records are missing
    EXPECT_EQ(printed(TelemetryKind::INT_GROWING),
              " int hops=9 path=291 hop0=0xab hop1=0xcd hop2=0xef hop3=0x0 hop4=0x0");
    frame->telemetry.pint = {42};
    EXPECT_EQ(printed(TelemetryKind::PINT), " pint utilisation=42");
    frame->telemetry.icc = {1, 2, -3, 4, 5, 6, 7, 8, 9};
    EXPECT_EQ(printed(TelemetryKind::ICC),
              " icc switch=8 port=9 time=1 queue=2 growth=-3 utilisation=4 flows=5 capacity=6 "
              "target=7");
    frame->opcode = RoceOpcode::CNP;
    frame->telemetryKind = TelemetryKind::RATE;
    frame->telemetry.rate = {40000, true};
    EXPECT_NE(Printed(*frame).find(" report rate=40000 congested=1 bytes="), std::string::npos);
    frame->telemetryKind = TelemetryKind::RECEIVER;
    frame->telemetry.receiver = {77};
    EXPECT_NE(Printed(*frame).find(" receiver qp=77 bytes="), std::string::npos);
}

TEST(FramePrinter, EveryOpcodeHasItsName)
{
    std::set<std::string> names;
    for (RoceOpcode opcode : AllOpcodes())
    {
        names.insert(ToString(opcode));
    }
    EXPECT_EQ(names.size(), AllOpcodes().size());
    EXPECT_EQ(names.count("unknown"), 0U);
    EXPECT_STREQ(ToString(RoceOpcode::ACKNOWLEDGE), "ACKNOWLEDGE");
    EXPECT_STREQ(ToString(RoceOpcode::READ_REQUEST), "READ_REQUEST");
    EXPECT_STREQ(ToString(static_cast<RoceOpcode>(0x12)), "unknown");
}
