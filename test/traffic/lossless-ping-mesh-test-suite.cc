// SPDX-License-Identifier: GPL-2.0-only

// The ping mesh: round trips of an idle fabric, under faults and under load.

#include "fabric-test-case.h"
#include "run-scene.h"

#include "ns3/fault-helper.h"
#include "ns3/pause-monitor.h"
#include "ns3/ping-stats.h"
#include "ns3/rdma-ping-mesh.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace ns3;

namespace
{

/// @param fabric a fabric @param host which @return its first link
LinkId
LinkOf(const Fabric& fabric, HostId host)
{
    return fabric.GetTopology().GetLinksOf(fabric.GetTopology().NodeOf(host))[0];
}

/// Round trips of an idle fabric are exact, and all pairs are probed.
class IdleMeshTest : public FabricTestCase
{
  public:
    IdleMeshTest()
        : FabricTestCase("Ping mesh of an idle fabric: every pair, every round, the exact time")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.Star(5);
        RdmaPingMesh mesh(fabric);
        PingStats pings(mesh);
        mesh.Run(MicroSeconds(10), MicroSeconds(1010));
        Simulator::Run();
        pings.Finish();
        NS_TEST_EXPECT_MSG_EQ(mesh.GetTotals()[RdmaPingMesh::OK], 5 * 4 * 10, "probes");
        NS_TEST_EXPECT_MSG_EQ(mesh.GetUnreachable().size(), 0, "all are there");
        for (const auto& pair : mesh.GetPairs())
        {
            NS_TEST_EXPECT_MSG_EQ(pair.sent, 10, "rounds");
        }
        // 610 and 86 octets on two links of 100 Gb/s and 1 us each, there and back; the probes of
        // a host stand behind each other: 0 to 3 of 48.8 ns.
        const double alone = 4 + 2 * (610 + 86) * 8 / 100e3;
        NS_TEST_EXPECT_MSG_EQ_TOL(pings.GetRoundTrips().Quantile(0.25), alone, 0.003, "us");
        NS_TEST_EXPECT_MSG_EQ_TOL(pings.GetRoundTrips().Max(), alone + 3 * 0.0488, 1e-6, "us");
        NS_TEST_EXPECT_MSG_EQ(pings.GetWindows().size(), 1, "one window of 1 ms");
        ExpectClean(fabric);
    }
};

/// What is cut off is found, and who.
class FaultMeshTest : public FabricTestCase
{
  public:
    FaultMeshTest()
        : FabricTestCase("Ping mesh finds who is cut off, with the reason, and that he is back")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        const Fabric fabric = helper.LeafSpine(2, 2, 2);
        RdmaPingMesh mesh(fabric);
        PingStats pings(mesh);
        mesh.SetQueuePair("RetransmitTimeout", StringValue("50us"));
        mesh.SetQueuePair("RetryLimit", UintegerValue(2));
        mesh.Run(Time(0), MilliSeconds(6));
        FaultHelper faults(fabric);
        faults.CutLink(LinkOf(fabric, 3), MilliSeconds(2), MilliSeconds(2));
        RunUntil(MicroSeconds(1990));
        NS_TEST_EXPECT_MSG_EQ(mesh.GetUnreachable().size(), 0, "whole");
        RunUntil(MicroSeconds(3990));
        std::set<uint32_t> touched;
        for (const auto& pair : mesh.GetUnreachable())
        {
            touched.insert(pair.source.Value() * 4 + pair.destination.Value());
        }
        const std::set<uint32_t> expected{3, 7, 11, 12, 13, 14};
        NS_TEST_EXPECT_MSG_EQ((touched == expected), true, "the pairs of host 3");
        Simulator::Run();
        pings.Finish();
        NS_TEST_EXPECT_MSG_EQ(mesh.GetUnreachable().size(), 0, "mended");
        const auto& totals = mesh.GetTotals();
        NS_TEST_EXPECT_MSG_EQ(totals[RdmaPingMesh::RETRY_EXCEEDED], 6, "one of each pair");
        NS_TEST_EXPECT_MSG_GT(totals[RdmaPingMesh::NO_ROUTE], 6 * 15, "and then no way");
        uint64_t failed = 0;
        for (const auto& window : pings.GetWindows())
        {
            const uint64_t bad = window.results[RdmaPingMesh::RETRY_EXCEEDED] +
                                 window.results[RdmaPingMesh::NO_ROUTE];
            const bool isIn = window.begin >= MilliSeconds(2) && window.begin < MicroSeconds(4001);
            NS_TEST_EXPECT_MSG_EQ((bad == 0 || isIn), true, "window " << window.begin);
            failed += bad;
        }
        NS_TEST_EXPECT_MSG_EQ(failed,
                              totals[RdmaPingMesh::RETRY_EXCEEDED] + totals[RdmaPingMesh::NO_ROUTE],
                              "all of them are in a window");
        for (uint32_t host = 0; host < 4; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetRdma(host)->GetNQueuePairs(), 0, "given up");
        }
    }
};

/// Percentiles against the probes themselves; load; samples.
class LoadMeshTest : public FabricTestCase
{
  public:
    LoadMeshTest()
        : FabricTestCase("Ping mesh under load: windows agree with the probes in the file")
    {
    }

  private:
    /// @param path of ping.csv @param from ns @param to ns
    /// @return the round trips that ended then, us, in order
    static std::vector<double> RoundTrips(const std::string& path, int64_t from, int64_t to)
    {
        std::vector<double> trips;
        for (auto& row : tests::RowsOf(path))
        {
            const int64_t rtt = row["result"] == "ok" ? std::stoll(row["rtt_ns"]) : 0;
            const int64_t ended = std::stoll(row["time_ns"]) + rtt;
            if (row["result"] == "ok" && ended >= from && ended < to)
            {
                trips.push_back(static_cast<double>(rtt) / 1e3);
            }
        }
        std::sort(trips.begin(), trips.end());
        return trips;
    }

    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("ping");
        FabricHelper helper;
        const Fabric fabric = helper.Star(8);
        RdmaPingMesh mesh(fabric);
        PingStats pings(mesh);
        mesh.SetSample(3, 7);
        mesh.SetInterval(MicroSeconds(20));
        pings.WriteTo(folder + "/ping.csv", folder + "/ping-window.csv");
        mesh.Run(Time(0), MilliSeconds(3));
        RdmaFlowHelper flows(fabric);
        flows.Incast(7, 0, 1000000, MilliSeconds(1));
        Simulator::Run();
        pings.Finish();
        NS_TEST_EXPECT_MSG_EQ(mesh.GetPairs().size(), 24, "three targets each");
        std::set<std::pair<HostId, HostId>> distinct;
        for (const auto& pair : mesh.GetPairs())
        {
            NS_TEST_EXPECT_MSG_NE(pair.source, pair.destination, "itself");
            distinct.insert({pair.source, pair.destination});
        }
        NS_TEST_EXPECT_MSG_EQ(distinct.size(), 24, "each once");
        const auto& windows = pings.GetWindows();
        NS_TEST_ASSERT_MSG_EQ((windows.size() >= 3), true, "1 ms each");
        for (const auto& window : windows)
        {
            const int64_t from = window.begin.GetNanoSeconds();
            const auto trips = RoundTrips(folder + "/ping.csv", from, from + 1000000);
            NS_TEST_ASSERT_MSG_EQ(trips.size(), window.results[RdmaPingMesh::OK], "as many");
            for (const auto& [share, value] : {std::pair(0.5, window.p50Us),
                                               std::pair(0.99, window.p99Us),
                                               std::pair(0.999, window.p999Us)})
            {
                const auto rank =
                    static_cast<std::size_t>(std::ceil(share * static_cast<double>(trips.size())));
                const double exact = trips[std::max<std::size_t>(rank, 1) - 1];
                NS_TEST_EXPECT_MSG_EQ_TOL(value, exact, 0.001 * exact + 0.001, "quantile");
            }
        }
        NS_TEST_EXPECT_MSG_GT(windows[1].p99Us, 2 * windows[0].p99Us, "the incast is seen");
        ExpectClean(fabric);
    }
};

/// What is set during the run holds for the next probes, or is refused.
class SettingsTest : public FabricTestCase
{
  public:
    SettingsTest()
        : FabricTestCase("Ping mesh: settings during the run take effect or are refused")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = FabricHelper().Star(2);
        RdmaPingMesh mesh(fabric);
        PingStats pings(mesh);
        PauseMonitor pauses(fabric);
        mesh.SetBytes(100);
        mesh.SetInterval(MicroSeconds(100));
        mesh.Run(Time(0), MicroSeconds(1000));
        pauses.Run(Time(0), MicroSeconds(1000));
        const auto sent = [&] { return fabric.GetRdma(1)->GetCounters().payloadDelivered; };
        RunUntil(MicroSeconds(490));
        NS_TEST_EXPECT_MSG_EQ(sent(), 5 * 100, "five probes");
        mesh.SetBytes(1000);
        mesh.SetInterval(MicroSeconds(50)); // from 400 us on: at once
        ExpectError([&] { mesh.SetSample(1, 1); }, "set it before");
        ExpectError([&] { mesh.SetQueuePair("RetryLimit", UintegerValue(1)); }, "set it before");
        ExpectError([&] { pings.SetWindow(MicroSeconds(10)); }, "set it before the run");
        ExpectError([&] { pauses.SetInterval(MicroSeconds(10)); }, "set it before");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sent(), 5 * 100 + 11 * 1000, "longer probes, the first at 490 us");
    }
};

/// The suite.
class PingMeshSuite : public TestSuite
{
  public:
    PingMeshSuite()
        : TestSuite("lossless-ping-mesh", Type::UNIT)
    {
        AddTestCase(new IdleMeshTest);
        AddTestCase(new FaultMeshTest);
        AddTestCase(new LoadMeshTest);
        AddTestCase(new SettingsTest);
    }
};

PingMeshSuite g_pingMeshSuite; //!< registers itself

} // namespace
