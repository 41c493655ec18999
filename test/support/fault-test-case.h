// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAULT_TEST_CASE_H
#define LOSSLESS_FAULT_TEST_CASE_H

#include "fabric-ports.h"
#include "fabric-test-case.h"
#include "fault-watch.h"

#include "ns3/fault-helper.h"
#include "ns3/unfinished-flows.h"

#include <memory>
#include <string>

namespace ns3
{

/// A test of faults: what all of them must leave behind.
class FaultTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// Each flow completed, or is listed with a reason.
    void ExpectListed(const RdmaFlowHelper& flows, const std::string& where = "")
    {
        const UnfinishedFlows unfinished(flows);
        NS_TEST_EXPECT_MSG_EQ(flows.GetNCompleted() + unfinished.Get().size(),
                              flows.GetNFlows(),
                              "flows completed or listed, " << where);
        for (const UnfinishedFlow& flow : unfinished.Get())
        {
            NS_TEST_EXPECT_MSG_EQ(flow.reason.empty(), false, "a reason, " << where);
            NS_TEST_EXPECT_MSG_EQ(flow.reason.find(','), std::string::npos, flow.reason);
        }
    }

    /// @return the reason of the first unfinished flow; empty: there is none
    static std::string FirstReason(const RdmaFlowHelper& flows)
    {
        const UnfinishedFlows unfinished(flows);
        return unfinished.Get().empty() ? "" : unfinished.Get().front().reason;
    }

    /// Expect a text in the reason of the first unfinished flow.
    void ExpectReason(const RdmaFlowHelper& flows, const std::string& text)
    {
        const std::string reason = FirstReason(flows);
        NS_TEST_EXPECT_MSG_NE(reason.find(text),
                              std::string::npos,
                              "says \"" << reason << "\", not \"" << text << "\"");
    }
};

/// A fabric, flows and faults. Retransmission after 200 us, 7 times; no congestion control.
struct FaultRun
{
    explicit FaultRun(const FabricTopology& topology, const std::string& dialect = "Standard")
    {
        helper.SetCongestionControl("none");
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", StringValue("2MiB"));
        helper.SetLink("PfcDialect", StringValue(dialect));
        helper.AllowLossy(dialect == "ShortQuanta"); // its pauses run out before they are refreshed
        helper.SetQueuePair("RetransmitTimeout", TimeValue(MicroSeconds(200)));
        fabric = std::make_unique<Fabric>(helper.FromTopology(topology));
        flows = std::make_unique<RdmaFlowHelper>(*fabric);
        faults = std::make_unique<FaultHelper>(*fabric);
        watch = std::make_unique<FaultWatch>(*fabric, *flows, *faults);
        watch->SetPatience(MilliSeconds(2));
        flows->AssignStreams(100 + fabric->AssignStreams(100));
    }

    void Flow(uint32_t from, uint32_t to, uint64_t bytes, Time start = Time(0))
    {
        flows->Add({from, to, bytes, start});
    }

    uint64_t Drops(DropReason reason) const
    {
        uint64_t sum = 0;
        for (const FabricPort& each : PortsOf(*fabric))
        {
            sum += each.device->GetCounters().drops[static_cast<std::size_t>(reason)];
        }
        return sum;
    }

    FabricHelper helper;
    std::unique_ptr<Fabric> fabric;
    std::unique_ptr<RdmaFlowHelper> flows;
    std::unique_ptr<FaultHelper> faults;
    std::unique_ptr<FaultWatch> watch;
};

} // namespace ns3

#endif // LOSSLESS_FAULT_TEST_CASE_H
