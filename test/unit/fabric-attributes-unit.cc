// SPDX-License-Identifier: GPL-2.0-only

// Attributes from users: good ones take effect, bad ones are errors, never aborts.

#include "helper-test-util.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-attributes.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

/// An object with an attribute of each kind.
class Subject : public Object
{
  public:
    static TypeId GetTypeId();

    Time m_delay;
    uint64_t m_size;
    double m_share;
    DataRate m_rate;
    Ptr<RandomVariableStream> m_stream;
};

NS_OBJECT_ENSURE_REGISTERED(Subject);

TypeId
Subject::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricAttributesSubject")
                            .SetParent<Object>()
                            .AddConstructor<Subject>()
                            .AddAttribute("Delay",
                                          "",
                                          TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&Subject::m_delay),
                                          MakeTimeChecker(Time(0)))
                            .AddAttribute("BufferSize",
                                          "",
                                          UintegerValue(7),
                                          MakeUintegerAccessor(&Subject::m_size),
                                          MakeUintegerChecker<uint64_t>(1, 1 << 30))
                            .AddAttribute("Share",
                                          "",
                                          DoubleValue(0.5),
                                          MakeDoubleAccessor(&Subject::m_share),
                                          MakeDoubleChecker<double>(0, 1))
                            .AddAttribute("Rate",
                                          "",
                                          DataRateValue(DataRate(1000)),
                                          MakeDataRateAccessor(&Subject::m_rate),
                                          MakeDataRateChecker())
                            .AddAttribute("Stream",
                                          "",
                                          StringValue("ns3::UniformRandomVariable"),
                                          MakePointerAccessor(&Subject::m_stream),
                                          MakePointerChecker<RandomVariableStream>());
    return tid;
}

} // namespace

TEST(FabricAttributes, GoodTextTakesEffect)
{
    ObjectFactory factory("ns3::FabricAttributesSubject");
    FabricAttributes::Set(factory, "Delay", StringValue("0.001ms"));
    FabricAttributes::Set(factory, "BufferSize", StringValue("32MiB"));
    FabricAttributes::Set(factory, "Share", StringValue("0.125"));
    FabricAttributes::Set(factory, "Rate", StringValue("100Gbps"));
    FabricAttributes::Set(factory,
                          "Stream",
                          StringValue("ns3::ConstantRandomVariable[Constant=3]"));
    const auto subject = factory.Create<Subject>();
    EXPECT_EQ(subject->m_delay, MicroSeconds(1));
    EXPECT_EQ(subject->m_size, 33554432U);
    EXPECT_EQ(subject->m_share, 0.125);
    EXPECT_EQ(subject->m_rate.GetBitRate(), 100000000000U);
    EXPECT_EQ(subject->m_stream->GetValue(), 3);
    FabricAttributes::Set(factory, "BufferSize", UintegerValue(9));
    EXPECT_EQ(factory.Create<Subject>()->m_size, 9U);
}

TEST(FabricAttributes, BadOnesAreErrors)
{
    ObjectFactory factory("ns3::FabricAttributesSubject");
    const auto set = [&](const char* name, const char* text) {
        FabricAttributes::Set(factory, name, StringValue(text));
    };
    EXPECT_FABRIC_ERROR(set("Dely", "1us"), "has no attribute Dely; did you mean Delay?");
    EXPECT_FABRIC_ERROR(set("Delay", "soon"), "Delay is \"soon\"");
    EXPECT_FABRIC_ERROR(set("Delay", "-1us"), "Delay is \"-1us\"");
    EXPECT_FABRIC_ERROR(set("BufferSize", "many"), "BufferSize is \"many\"");
    EXPECT_FABRIC_ERROR(set("BufferSize", "0"), "BufferSize is \"0\"; it must be ");
    EXPECT_FABRIC_ERROR(set("BufferSize", "4GiB"), "BufferSize is \"4GiB\"; it must be ");
    EXPECT_FABRIC_ERROR(set("Share", "1.5"), "Share is \"1.5\"");
    EXPECT_FABRIC_ERROR(set("Share", "1.5x"), "Share is \"1.5x\"");
    EXPECT_FABRIC_ERROR(set("Rate", "fast"), "Rate is \"fast\"");
    EXPECT_FABRIC_ERROR(set("Stream", "ns3::UniformRandomVariabel"),
                        "did you mean ns3::UniformRandomVariable?");
    EXPECT_FABRIC_ERROR(set("Stream", "ns3::RandomVariableStream"), "abstract");
    EXPECT_FABRIC_ERROR(set("Stream", "ns3::ConstantRandomVariable[Konstant=3]"), "no attribute");
    EXPECT_FABRIC_ERROR(set("Stream", "ns3::ConstantRandomVariable[Constant=x]"), "Constant is");
    EXPECT_FABRIC_ERROR(set("Stream", "ns3::ConstantRandomVariable[Constant=3"), "expected");
    EXPECT_FABRIC_ERROR(FabricAttributes::Set(factory, "Delay", DoubleValue(1)), "another type");
    EXPECT_FABRIC_ERROR(FabricAttributes::FindType("ns3::NoSuchThing"), "there is no type");
}

TEST(FabricAttributes, Defaults)
{
    FabricAttributes::SetDefault("ns3::FabricAttributesSubject::BufferSize", "64KiB");
    EXPECT_EQ(CreateObject<Subject>()->m_size, 65536U);
    FabricAttributes::SetDefault("ns3::FabricAttributesSubject::BufferSize", "7");
    EXPECT_FABRIC_ERROR(FabricAttributes::SetDefault("BufferSize", "7"), "is no attribute");
    EXPECT_FABRIC_ERROR(FabricAttributes::SetDefault("ns3::Nonsense::X", "7"), "there is no type");
    EXPECT_FABRIC_ERROR(FabricAttributes::SetDefault("ns3::FabricAttributesSubject::X", "7"),
                        "has no attribute X");
}
