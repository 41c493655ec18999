// SPDX-License-Identifier: GPL-2.0-only

// Which congestion control a queue pair of a fabric has, however the queue pair was made.

#include "fabric-test-case.h"

#include "ns3/object-factory.h"
#include "ns3/rdma-fixed-rate.h"
#include "ns3/rdma-hpcc.h"
#include "ns3/rdma-hw.h"

#include <stdexcept>
#include <string>

using namespace ns3;

namespace
{

/// @param call something @return the message of what it throws, empty if nothing
template <typename F>
std::string
Refusal(F call)
{
    try
    {
        call();
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
    return "";
}

/// Two queue pairs of a fabric that were made without its Connect().
struct ByHand
{
    explicit ByHand(const Fabric& fabric)
        : one(fabric.GetRdma(0)->CreateQueuePair(0)),
          other(fabric.GetRdma(1)->CreateQueuePair(0))
    {
    }

    /// @return type of the congestion control in use after Connect()
    std::string Connect() const
    {
        RdmaHw::Connect(one, other, MicroSeconds(10));
        return one->GetCongestionControl()->GetInstanceTypeId().GetName();
    }

    /// @param queuePair a queue pair @return its attribute CongestionControl
    static ObjectFactory Factory(const Ptr<RdmaQueuePair>& queuePair)
    {
        ObjectFactoryValue factory;
        queuePair->GetAttribute("CongestionControl", factory);
        return factory.Get();
    }

    /// @param queuePair a queue pair @return the type that its attribute CongestionControl names
    static std::string Attribute(const Ptr<RdmaQueuePair>& queuePair)
    {
        return Factory(queuePair).GetTypeId().GetName();
    }

    Ptr<RdmaQueuePair> one;
    Ptr<RdmaQueuePair> other;
};

/// The congestion control of the fabric reaches every queue pair.
class EveryQueuePairTest : public FabricTestCase
{
  public:
    EveryQueuePairTest()
        : FabricTestCase("Every queue pair has the congestion control of the fabric")
    {
    }

  private:
    void DoRun() override
    {
        CheckHelper();
        CheckAttribute();
        CheckNeeds();
        CheckLate();
    }

    /// Expect HPCC with three stages in the attribute of a queue pair.
    void ExpectStages(const Ptr<RdmaQueuePair>& queuePair, const std::string& when)
    {
        const auto made = ByHand::Factory(queuePair).Create<Object>();
        NS_TEST_ASSERT_MSG_EQ(made->GetInstanceTypeId().GetName(), "ns3::RdmaHpcc", when);
        UintegerValue stages;
        made->GetAttribute("MaxStage", stages);
        NS_TEST_EXPECT_MSG_EQ(stages.Get(), 3, when);
    }

    /// What SetCongestionControl() of the helper says.
    void CheckHelper()
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RdmaHpcc", "MaxStage", UintegerValue(3));
        const Fabric fabric = helper.Star(2);
        const ByHand hpcc(fabric);
        ExpectStages(hpcc.one, "new");
        NS_TEST_EXPECT_MSG_EQ(hpcc.Connect(), "ns3::RdmaHpcc", "by hand");
        ExpectStages(hpcc.one, "in use");
        FabricHelper none;
        none.SetCongestionControl("none");
        const Fabric free = none.Star(2);
        NS_TEST_EXPECT_MSG_EQ(ByHand(free).Connect(), "ns3::RdmaFixedRate", "none");
        NS_TEST_EXPECT_MSG_EQ(ByHand(FabricHelper().Star(2)).Connect(), "ns3::RdmaDcqcn", "unset");
    }

    /// The attribute of queue pairs is another way to say the same.
    void CheckAttribute()
    {
        FabricHelper helper;
        helper.SetQueuePair("CongestionControl", StringValue("ns3::RdmaHpcc"));
        const Fabric fabric = helper.Star(2);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetNExtensions(), 1, "what HPCC needs");
        const auto connection = fabric.Connect(0, 1);
        NS_TEST_EXPECT_MSG_EQ(ByHand::Attribute(connection.source), "ns3::RdmaHpcc", "Connect()");
        Fabric::QueuePairOptions options;
        options.attributes.emplace_back(
            "CongestionControl",
            Create<ObjectFactoryValue>(ObjectFactory("ns3::RdmaFixedRate")));
        NS_TEST_EXPECT_MSG_EQ(ByHand::Attribute(fabric.Connect(0, 1, options).source),
                              "ns3::RdmaFixedRate",
                              "an attribute of one connection");
        options.congestion = ObjectFactory("ns3::RdmaDcqcn");
        NS_TEST_EXPECT_MSG_EQ(ByHand::Attribute(fabric.Connect(0, 1, options).source),
                              "ns3::RdmaDcqcn",
                              "the congestion control of one connection");
        fabric.GetRdma(0)->SetQueuePairAttribute("CongestionControl",
                                                 StringValue("ns3::RdmaFixedRate"));
        NS_TEST_EXPECT_MSG_EQ(ByHand::Attribute(fabric.Connect(0, 1).source),
                              "ns3::RdmaFixedRate",
                              "of one host");

        RdmaFlowHelper flows(fabric);
        flows.SetQueuePair("CongestionControl", StringValue("ns3::RdmaDcqcn"));
        RdmaFlow flow;
        flow.source = 1;
        flow.destination = 0;
        flow.bytes = 100000;
        flows.Add(flow);
        RunUntil(MicroSeconds(5));
        std::string used;
        for (uint32_t number = 0; number < 64 && used.empty(); ++number)
        {
            const auto queuePair = fabric.GetRdma(1)->GetQueuePair(number);
            used =
                queuePair && queuePair->GetRequester().IsBusy() ? ByHand::Attribute(queuePair) : "";
        }
        NS_TEST_EXPECT_MSG_EQ(used, "ns3::RdmaDcqcn", "of a flow");
        FabricHelper wrong;
        ExpectError([&] { wrong.SetQueuePair("CongestionControl", StringValue("ns3::RdmaHw")); },
                    "ns3::RdmaHw, which is no ns3::RdmaCongestionOps");
    }

    /// Switches must do what the congestion control of any queue pair needs.
    void CheckNeeds()
    {
        const Fabric fabric = FabricHelper().Star(2);
        const std::string missing = "ns3::RdmaHpcc needs ns3::IntStamper in all switches";
        ByHand byAttribute(fabric);
        byAttribute.one->SetAttribute("CongestionControl", StringValue("ns3::RdmaHpcc"));
        std::string said = Refusal([&] { byAttribute.Connect(); });
        NS_TEST_EXPECT_MSG_NE(said.find(missing), std::string::npos, "says " << said);
        byAttribute.one->SetAttribute("CongestionControl", StringValue("ns3::RdmaDcqcn"));
        NS_TEST_EXPECT_MSG_EQ(byAttribute.Connect(), "ns3::RdmaDcqcn", "another try");
        ByHand byObject(fabric);
        byObject.one->SetCongestionControl(CreateObject<RdmaHpcc>());
        said = Refusal([&] { byObject.Connect(); });
        NS_TEST_EXPECT_MSG_NE(said.find(missing), std::string::npos, "says " << said);
        RdmaFlowHelper flows(fabric);
        ExpectError([&] { flows.SetQueuePair("CongestionControl", StringValue("ns3::RdmaHpcc")); },
                    missing);
    }

    /// What would have no effect is refused.
    void CheckLate()
    {
        const Fabric fabric = FabricHelper().Star(2);
        const ByHand pair(fabric);
        pair.Connect();
        const std::string said =
            Refusal([&] { pair.one->SetCongestionControl(CreateObject<RdmaFixedRate>()); });
        NS_TEST_EXPECT_MSG_NE(said.find("is connected already"), std::string::npos, said);
        NS_TEST_EXPECT_MSG_NE(Refusal([&] {
                                  pair.one->SetAttribute("LossRecovery",
                                                         StringValue("ns3::RdmaIrn"));
                              }).find("LossRecovery is set when"),
                              std::string::npos,
                              "loss recovery");
    }
};

class CongestionTestSuite : public TestSuite
{
  public:
    CongestionTestSuite()
        : TestSuite("lossless-congestion", Type::SYSTEM)
    {
        AddTestCase(new EveryQueuePairTest);
    }
};

CongestionTestSuite g_congestionTestSuite; //!< registers the suite

} // namespace
