// SPDX-License-Identifier: GPL-2.0-only

// QbbHelper: what it installs, what it refuses, and what its traces hold.

#include "refusal-of.h"

#include "ns3/node-container.h"
#include "ns3/pcap-file.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// Two ports at 100 Gb/s and 1 us.
NetDeviceContainer
MakeLink(QbbHelper& helper)
{
    helper.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    helper.SetChannelAttribute("Delay", StringValue("1us"));
    return helper.Install(NodeContainer(2));
}

/// The first port pauses class 3 of the second one, and resumes it.
void
Pause(const NetDeviceContainer& ports)
{
    auto port = DynamicCast<QbbNetDevice>(ports.Get(0));
    Simulator::ScheduleWithContext(0, MicroSeconds(2), [port] {
        port->RequestPause(3, true);
        port->RequestPause(3, false);
    });
    Simulator::Run();
    Simulator::Destroy();
}

std::vector<std::string>
Lines(const std::string& path)
{
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

} // namespace

TEST(QbbHelper, InstallsAPluggedInCable)
{
    QbbHelper helper;
    auto ports = MakeLink(helper);
    ASSERT_EQ(ports.GetN(), 2U);
    auto a = DynamicCast<QbbNetDevice>(ports.Get(0));
    auto b = DynamicCast<QbbNetDevice>(ports.Get(1));
    EXPECT_EQ(a->GetPeer(), b);
    EXPECT_EQ(b->GetPeer(), a);
    EXPECT_NE(a->GetAddress(), b->GetAddress());
    EXPECT_EQ(a->GetNode()->GetDevice(0), a);
    EXPECT_EQ(a->GetDataRate(), DataRate("100Gbps"));
    EXPECT_EQ(DynamicCast<QbbChannel>(a->GetChannel())->GetDelay(), MicroSeconds(1));
    EXPECT_TRUE(a->IsLinkUp());
    Simulator::Destroy();
}

TEST(QbbHelper, RefusesInOneLine)
{
    QbbHelper helper;
    NodeContainer nodes(3);
    EXPECT_EQ(RefusalOf([&] { helper.Install(nodes); }), "QbbHelper: a cable joins 2 nodes, not 3");
    EXPECT_EQ(RefusalOf([&] { helper.Install(nodes.Get(1), nodes.Get(1)); }),
              "QbbHelper: node " + std::to_string(nodes.Get(1)->GetId()) +
                  " cannot be joined to itself");
    EXPECT_EQ(nodes.Get(1)->GetNDevices(), 0U); // nothing half done
    auto ports = MakeLink(helper);
    EXPECT_EQ(
        RefusalOf([&] { helper.EnablePcap("no-such-folder/x.pcap", ports.Get(0), true, true); }),
        "QbbHelper: cannot write the capture no-such-folder/x.pcap");
    Simulator::Destroy();
}

TEST(QbbHelper, CapturesHoldNanoseconds)
{
    const std::string path = testing::TempDir() + "qbb-helper-unit.pcap";
    {
        QbbHelper helper;
        auto ports = MakeLink(helper);
        helper.EnablePcap(path, ports.Get(1), true, true);
        Pause(ports);
    }
    PcapFile file;
    file.Open(path, std::ios::in);
    ASSERT_FALSE(file.Fail());
    EXPECT_TRUE(file.IsNanoSecMode());
    EXPECT_EQ(file.GetDataLinkType(), 1U);
    uint8_t data[100];
    uint32_t sec = 0;
    uint32_t nsec = 0;
    uint32_t included = 0;
    uint32_t original = 0;
    uint32_t read = 0;
    // 84 wire bytes at 100 Gb/s, 6.72 ns, then 1 us of cable.
    file.Read(data, sizeof(data), sec, nsec, included, original, read);
    EXPECT_EQ(nsec, 3006U);
    EXPECT_EQ(read, 60U);
    file.Read(data, sizeof(data), sec, nsec, included, original, read);
    EXPECT_EQ(nsec, 3013U);
    file.Close();
    std::remove(path.c_str());
}

TEST(QbbHelper, AsciiTraces)
{
    const std::string own = testing::TempDir() + "qbb-helper-own.tr";
    const std::string common = testing::TempDir() + "qbb-helper-common.tr";
    {
        QbbHelper helper;
        auto ports = MakeLink(helper);
        helper.EnableAscii(own, ports.Get(1), true);
        AsciiTraceHelper ascii;
        helper.EnableAscii(ascii.CreateFileStream(common), ports.Get(0));
        Pause(ports);
    }
    const std::string sending =
        "- 0.000002006720 /NodeList/0/DeviceList/0/$ns3::QbbNetDevice/FrameTx ";
    const auto received = Lines(own);
    ASSERT_EQ(received.size(), 2U);
    EXPECT_EQ(received[0], "r 0.000003006720 PFC class3=65535 bytes=64");
    const auto sent = Lines(common);
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[1], sending + "PFC class3=0 bytes=64");
    std::remove(own.c_str());
    std::remove(common.c_str());
}
