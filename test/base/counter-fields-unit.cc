// SPDX-License-Identifier: GPL-2.0-only

// Counters that are listed once, and what is made from the lists.

#include "ns3/border-policy.h"
#include "ns3/counter-fields.h"
#include "ns3/elephant-separator.h"
#include "ns3/fabric-switch.h"
#include "ns3/icc-switch.h"
#include "ns3/inof-switch.h"
#include "ns3/l2-tables.h"
#include "ns3/nic-receive-buffer.h"
#include "ns3/qbb-net-device.h"
#include "ns3/run-totals.h"
#include "ns3/trim-switch.h"
#include "ns3/vlan-ports.h"
#include "ns3/vxlan-endpoint.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

/// All kinds of members.
struct Sample
{
    uint64_t frames{0};
    uint32_t peak{0};
    uint32_t other{0};
    std::array<uint64_t, 2> drops{};

    template <typename Visit>
    static constexpr void ForEach(Visit&& visit)
    {
        visit(&Sample::frames, {"frames", "frames", "frames seen"});
        visit(&Sample::peak, {"peak", "cells", "most cells", CounterField::MAX});
        visit(&Sample::other, {"other", "", "something else"});
        visit(&Sample::drops, {"drops", "frames", "drops", CounterField::SUM, &DropReasonLabel});
    }
};

static_assert(AreAllCountersVisited<Sample>(), "all have lines");

/// A member without a line.
struct Forgetful
{
    uint64_t frames{0};
    uint64_t forgotten{0};

    template <typename Visit>
    static constexpr void ForEach(Visit&& visit)
    {
        visit(&Forgetful::frames, {"frames", "frames", "frames seen"});
    }
};

static_assert(!AreAllCountersVisited<Forgetful>(), "one is missing");

/// Names are unique and words, and there is help.
template <typename C>
void
ExpectGoodNames()
{
    std::set<std::string> names;
    for (const CounterField& field : ListCounters<C>())
    {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_EQ(
            std::string(field.name).find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"),
            std::string::npos)
            << field.name;
        EXPECT_FALSE(std::string(field.help).empty()) << field.name;
    }
}

} // namespace

TEST(CounterFields, Add)
{
    Sample one{1, 7, 2, {3, 4}};
    const Sample more{10, 5, 20, {30, 40}};
    AddCounters(one, more);
    EXPECT_EQ(one.frames, 11U);
    EXPECT_EQ(one.peak, 7U) << "the larger one";
    EXPECT_EQ(one.other, 22U);
    EXPECT_EQ(one.drops, (std::array<uint64_t, 2>{33, 44}));
}

TEST(CounterFields, Since)
{
    const Sample since = CountersSince(Sample{11, 7, 22, {33, 44}}, Sample{1, 6, 2, {3, 4}});
    EXPECT_EQ(since.frames, 10U);
    EXPECT_EQ(since.peak, 7U) << "a peak has no difference";
    EXPECT_EQ(since.other, 20U);
    EXPECT_EQ(since.drops, (std::array<uint64_t, 2>{30, 40}));
}

TEST(CounterFields, Names)
{
    EXPECT_EQ(NameOfCounter(ListCounters<Sample>()[3], 1), "drops_headroom_pool_full");
    EXPECT_EQ(NameOfCounter(ListCounters<QbbNetDevice::Counters>()[4], 3), "tx_class_bytes_3");
    ExpectGoodNames<RdmaCounters>();
    ExpectGoodNames<QbbNetDevice::Counters>();
    ExpectGoodNames<PfcIssuer::Counters>();
    ExpectGoodNames<PfcObeyer::Counters>();
    ExpectGoodNames<FabricSwitch::Counters>();
    ExpectGoodNames<MmuIngress>();
    ExpectGoodNames<MmuEgress>();
    ExpectGoodNames<NicReceiveBuffer::Counters>();
    ExpectGoodNames<PfcWatchdog::Counters>();
    ExpectGoodNames<IccSwitch::Counters>();
    ExpectGoodNames<InofSwitch::Counters>();
    ExpectGoodNames<L2Tables::Counters>();
    ExpectGoodNames<ElephantSeparator::Counters>();
    ExpectGoodNames<TrimSwitch::Counters>();
    ExpectGoodNames<BorderPolicy::Counters>();
    ExpectGoodNames<VlanPorts::Counters>();
    ExpectGoodNames<VxlanEndpoint::Counters>();
}

TEST(RunTotals, KeysOfTheFirstFilesComeFirst)
{
    RunTotals totals;
    RunTotals::ForEachPart([&totals](auto member, const char*) { (totals.*member).emplace(); });
    totals.ecnMarks = 5;
    totals.simulated = MicroSeconds(1500);
    totals.pfc.paused = NanoSeconds(77);
    const char* const first[] = {"flows_total",
                                 "flows_completed",
                                 "lossless_drops",
                                 "lossy_drops",
                                 "pfc_xoff_frames",
                                 "pfc_xon_frames",
                                 "pause_ns_total",
                                 "queue_peak_bytes",
                                 "data_packets",
                                 "data_packet_hops",
                                 "events",
                                 "sim_seconds",
                                 "wall_seconds",
                                 "cpu_seconds",
                                 "peak_rss_bytes",
                                 "seed",
                                 "watchdog_storms",
                                 "watchdog_restored",
                                 "watchdog_disabled",
                                 "watchdog_queue_drops",
                                 "watchdog_ingress_drops",
                                 "nics_stopped",
                                 "deadlocks",
                                 "deadlocks_open",
                                 "deadlock_first_ns",
                                 "deadlock_flushed_frames",
                                 "headroom_drops"};
    const auto list = totals.List();
    std::set<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        EXPECT_TRUE(names.insert(list[i].name).second) << list[i].name;
        if (i < std::size(first))
        {
            EXPECT_EQ(list[i].name, first[i]);
        }
    }
    EXPECT_TRUE(names.count("ecn_marks"));
    EXPECT_TRUE(names.count("drops_no_route"));
    std::ostringstream os;
    totals.PrintJson(os);
    for (const char* line : {"{\n  \"flows_total\": 0,\n",
                             "  \"pause_ns_total\": 77,\n",
                             "  \"sim_seconds\": 0.0015,\n",
                             "  \"deadlock_first_ns\": -1,\n",
                             "  \"ecn_marks\": 5,\n"})
    {
        EXPECT_NE(os.str().find(line), std::string::npos) << line << os.str();
    }
}
