// SPDX-License-Identifier: GPL-2.0-only

// CONGA in leaf-spine fabrics: flowlets avoid links that this leaf or others load.

#include "fabric-test-case.h"
#include "wire-digest.h"

#include "ns3/conga-switch.h"
#include "ns3/fabric-run.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @param rate of each flow @param conga with attributes @return what builds fabrics with CONGA
FabricHelper
CongaHelper(const std::string& rate, const std::string& conga = "CongaSwitch")
{
    FabricHelper helper;
    helper.SetLoadBalancer("ns3::CongaLoadBalancer");
    helper.AddSwitchExtension("ns3::" + conga);
    helper.SetCongestionControl("ns3::RdmaFixedRate[Rate=" + rate + "]");
    return helper;
}

/// Counts the data frames of each flow that each port of a switch sends.
class UplinkWatch
{
  public:
    /// @param fabric a fabric @param which a switch of it
    UplinkWatch(const Fabric& fabric, SwitchId which)
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            fabricSwitch->GetPort(port)->TraceConnectWithoutContext(
                "FrameTx",
                Callback<void, const QbbNetDevice&, const Frame&>(
                    [this, port](const QbbNetDevice&, const Frame& frame) {
                        if (frame.kind == FrameKind::ROCE && CarriesData(frame.opcode))
                        {
                            ++frames[{frame.src, frame.destQp}][port];
                        }
                    }));
        }
    }

    std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, uint64_t>> frames; //!< by flow, port
};

/// Flows that begin one after the other take an uplink each.
class OwnLinksTest : public FabricTestCase
{
  public:
    OwnLinksTest()
        : FabricTestCase("A flow takes an uplink that no other one loads")
    {
    }

  private:
    void DoRun() override
    {
        for (int64_t stream = 1; stream < 400; stream += 100)
        {
            const Fabric fabric = CongaHelper("60Gbps").LeafSpine(2, 4, 4);
            RdmaFlowHelper flows(fabric);
            fabric.AssignStreams(flows.AssignStreams(stream) + stream);
            UplinkWatch watch(fabric, SwitchId(0));
            for (uint32_t host = 0; host < 4; ++host)
            {
                // A load of 0.6 has a level after three periods of 50 us.
                flows.Add({host, 4 + host, 15000000, MicroSeconds(200 * host)});
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(Simulator::IsFinished(), true, "no events are left");
            std::set<uint32_t> used;
            for (const auto& [flow, ports] : watch.frames)
            {
                NS_TEST_EXPECT_MSG_EQ(ports.size(), 1, "a flow without gaps has one flowlet");
                used.insert(ports.begin()->first);
            }
            NS_TEST_EXPECT_MSG_EQ(used.size(), 4, "uplinks, stream " << stream);
            ExpectClean(fabric);
            Simulator::Destroy();
        }
    }
};

/// Leaf 2 loads the link of one spine to leaf 1. Leaf 0 hears of it and avoids this spine.
class FarLinksTest : public FabricTestCase
{
  public:
    FarLinksTest()
        : FabricTestCase("Flowlets avoid a far link that others load")
    {
    }

  private:
    /// @param helper builds the fabric @return part of the frames of leaf 0 that take the spine
    /// that leaf 2 loads, once leaf 0 can know
    double Run(const FabricHelper& helper)
    {
        const Fabric fabric = helper.LeafSpine(3, 2, 4);
        RdmaFlowHelper flows(fabric);
        fabric.AssignStreams(flows.AssignStreams(1) + 1);
        flows.Add({8, 4, 10000000}); // 0.9 ms of 90 Gb/s
        for (uint32_t i = 0; i < 100; ++i)
        {
            flows.Add({i % 4, 5 + i % 3, 3000, MicroSeconds(300 + 5 * i)});
        }
        UplinkWatch near(fabric, SwitchId(0));
        UplinkWatch far(fabric, SwitchId(2));
        Simulator::Run();
        const auto& loaded = far.frames.begin()->second;
        NS_TEST_EXPECT_MSG_EQ(loaded.size(), 1, "one path");
        const uint32_t spine = loaded.begin()->first; // the uplinks of all leaves are in one order
        double with = 0;
        double all = 0;
        for (const auto& [flow, ports] : near.frames)
        {
            for (const auto& [port, frames] : ports)
            {
                with += port == spine ? static_cast<double>(frames) : 0;
                all += static_cast<double>(frames);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(all, 300, "frames");
        ExpectClean(fabric);
        Simulator::Destroy();
        return with / all;
    }

    void DoRun() override
    {
        const double conga = Run(CongaHelper("90Gbps"));
        NS_TEST_EXPECT_MSG_LT(conga, 0.2, "the first ones");
        NS_TEST_EXPECT_MSG_GT(conga, 0, "nobody has told before");
        // What was told is forgotten at once.
        NS_TEST_EXPECT_MSG_GT(Run(CongaHelper("90Gbps", "CongaSwitch[AgingTime=1ns]")), 0.3, "");
    }
};

/// The shim is on the links between switches alone.
class ShimTest : public FabricTestCase
{
  public:
    ShimTest()
        : FabricTestCase("Frames have the bytes of the shim from leaf to leaf")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = CongaHelper("50Gbps", "CongaSwitch[ShimBytes=16]").LeafSpine(2, 2, 2);
        std::map<bool, std::set<uint32_t>> sizes; // whether to a host: bytes of whole data frames
        for (const SwitchId which : fabric.Switches())
        {
            const auto fabricSwitch = fabric.GetSwitch(which);
            for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
            {
                const bool toHost =
                    !fabricSwitch->GetPort(port)->GetPeer()->GetNode()->GetObject<FabricSwitch>();
                fabricSwitch->GetPort(port)->TraceConnectWithoutContext(
                    "FrameTx",
                    Callback<void, const QbbNetDevice&, const Frame&>(
                        [&sizes, toHost](const QbbNetDevice&, const Frame& frame) {
                            if (frame.kind == FrameKind::ROCE && frame.payloadBytes == 1024)
                            {
                                sizes[toHost].insert(frame.bytes -
                                                     RoceFrameBytes(frame.opcode, 1024));
                            }
                        }));
            }
        }
        RdmaFlowHelper flows(fabric);
        flows.Add({0, 1, 100000}); // on one leaf
        flows.Add({0, 2, 100000});
        flows.Add({3, 1, 100000});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((sizes[true] == std::set<uint32_t>{0}), true, "to hosts");
        NS_TEST_EXPECT_MSG_EQ((sizes[false] == std::set<uint32_t>{16}), true, "to switches");
        const auto leaf = DynamicCast<CongaSwitch>(fabric.GetSwitch(0)->GetExtension(0));
        NS_TEST_EXPECT_MSG_GT(leaf->GetNFeedbacks(), 90, "each frame from leaf 1 has one");
        ExpectClean(fabric);
    }
};

/// What cannot be is refused; several threads do the same as one.
class CongaRunTest : public FabricTestCase
{
  public:
    CongaRunTest()
        : FabricTestCase("CONGA needs two tiers and its load balancer, and writes the same bytes")
    {
    }

  private:
    /// @param threads how many @return a file of a run
    std::string Run(uint32_t threads)
    {
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RunOptions options;
        options.progress = false;
        options.threads = threads;
        options.linkLoad = true;
        options.outDir = CreateTempDirFilename("conga-run");
        FabricHelper helper;
        helper.SetLoadBalancer("ns3::CongaLoadBalancer");
        helper.AddSwitchExtension("ns3::CongaSwitch");
        FabricRun run(helper.LeafSpine(4, 4, 4), options);
        run.Rdma().Poisson("fb-hadoop", 0.5, MicroSeconds(300));
        run.Execute();
        std::ostringstream files;
        for (const char* name : {"fct.csv", "balance.csv"})
        {
            files << std::ifstream(options.outDir + "/" + name).rdbuf();
        }
        return files.str();
    }

    void DoRun() override
    {
        ExpectError([] { CongaHelper("50Gbps").FatTree(4); }, "two tiers");
        FabricHelper helper;
        helper.AddSwitchExtension("ns3::CongaSwitch");
        ExpectError([&] { helper.LeafSpine(2, 2, 2); }, "use ns3::CongaLoadBalancer");
        helper.Star(3); // no choice
        const std::string one = Run(1);
        NS_TEST_EXPECT_MSG_GT(one.size(), 2000, "files");
        NS_TEST_EXPECT_MSG_EQ((Run(2) == one), true, "2 threads");
    }
};

/// The suite.
class CongaTestSuite : public TestSuite
{
  public:
    CongaTestSuite()
        : TestSuite("lossless-conga", Type::SYSTEM)
    {
        AddTestCase(new OwnLinksTest);
        AddTestCase(new FarLinksTest);
        AddTestCase(new ShimTest);
        AddTestCase(new CongaRunTest);
    }
};

CongaTestSuite g_congaTestSuite; //!< registers the suite

} // namespace
