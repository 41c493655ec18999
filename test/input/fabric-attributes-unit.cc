// SPDX-License-Identifier: GPL-2.0-only

// Attributes from users: good ones take effect, bad ones are errors, never aborts.

#include "helper-test-util.h"
#include "value-text.h"

#include "ns3/attribute-words.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-options.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Calls its values as other versions of ns-3 do.
class NamedChecker : public AttributeChecker
{
  public:
    explicit NamedChecker(std::string name)
        : m_name(std::move(name))
    {
    }

    bool Check(const AttributeValue&) const override
    {
        return false;
    }

    std::string GetValueTypeName() const override
    {
        return m_name;
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return false;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "";
    }

    Ptr<AttributeValue> Create() const override
    {
        return nullptr;
    }

    bool Copy(const AttributeValue&, AttributeValue&) const override
    {
        return false;
    }

  private:
    std::string m_name;
};

/// An object with an attribute of each kind.
class Subject : public Object
{
  public:
    static TypeId GetTypeId();
    static TypeId AddRanges(TypeId tid);

    enum Color
    {
        RED,
        BLUE
    };

    Time m_wait;
    uint64_t m_count;
    double m_least;
    int32_t m_level;
    bool m_flag;
    Color m_color;
    Time m_delay;
    uint64_t m_size;
    double m_share;
    DataRate m_rate;
    Ptr<RandomVariableStream> m_stream;
};

NS_OBJECT_ENSURE_REGISTERED(Subject);

TypeId
Subject::AddRanges(TypeId tid)
{
    return tid
        .AddAttribute("Wait",
                      "",
                      TimeValue(MicroSeconds(5)),
                      MakeTimeAccessor(&Subject::m_wait),
                      MakeTimeChecker(MicroSeconds(5), MilliSeconds(2)))
        .AddAttribute("Count",
                      "",
                      UintegerValue(1),
                      MakeUintegerAccessor(&Subject::m_count),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("Least",
                      "",
                      DoubleValue(1),
                      MakeDoubleAccessor(&Subject::m_least),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("Level",
                      "",
                      IntegerValue(1),
                      MakeIntegerAccessor(&Subject::m_level),
                      MakeIntegerChecker<int32_t>(-5))
        .AddAttribute("Flag",
                      "",
                      BooleanValue(true),
                      MakeBooleanAccessor(&Subject::m_flag),
                      MakeBooleanChecker())
        .AddAttribute("Color",
                      "",
                      EnumValue(RED),
                      MakeLosslessEnumAccessor<Color>(&Subject::m_color),
                      MakeEnumChecker(RED, "Red", BLUE, "Blue"))
        .AddAttribute("Late",
                      "",
                      TypeId::ATTR_GET | TypeId::ATTR_SET,
                      UintegerValue(1),
                      MakeUintegerAccessor(&Subject::m_count),
                      MakeUintegerChecker<uint64_t>());
}

TypeId
Subject::GetTypeId()
{
    static TypeId tid = AddRanges(TypeId("ns3::FabricAttributesSubject")
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
                                                    MakePointerChecker<RandomVariableStream>()));
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
    EXPECT_FABRIC_ERROR(set("Delay", "-1us"), "Delay is \"-1us\"; it must be a time, 0 or more");
    EXPECT_FABRIC_ERROR(set("Wait", "1ns"), "Wait is \"1ns\"; it must be a time from 5us to 2ms");
    EXPECT_FABRIC_ERROR(set("Count", "0"), "Count is \"0\"; it must be a whole number, 1 or more");
    EXPECT_FABRIC_ERROR(set("Least", "-1"), "Least is \"-1\"; it must be a number, 0 or more");
    EXPECT_FABRIC_ERROR(set("Level", "-6"),
                        "Level is \"-6\"; it must be a whole number from -5 to ");
    EXPECT_FABRIC_ERROR(set("Flag", "maybe"),
                        "Flag is \"maybe\"; it must be 1 or 0, true or false");
    EXPECT_FABRIC_ERROR(FabricAttributes::Set(factory, "Rate", DoubleValue(1)),
                        "it must be a rate");
    EXPECT_FABRIC_ERROR(FabricAttributes::Set(factory, "Flag", DoubleValue(1)),
                        "Flag has another type; it must be true or false");
    EXPECT_FABRIC_ERROR(FabricAttributes::Set(factory, "Color", DoubleValue(1)),
                        "Color has another type; it must be one of Red, Blue");
    EXPECT_FABRIC_ERROR(set("BufferSize", "many"), "BufferSize is \"many\"");
    EXPECT_FABRIC_ERROR(set("BufferSize", "0"),
                        "BufferSize is \"0\"; it must be a whole number from 1 to 1073741824");
    EXPECT_FABRIC_ERROR(set("BufferSize", "4GiB"), "BufferSize is \"4GiB\"; it must be ");
    EXPECT_FABRIC_ERROR(set("Share", "1.5"), "Share is \"1.5\"; it must be a number from 0 to 1");
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

TEST(FabricAttributes, WhatNs3WouldNotComeBackFrom)
{
    ObjectFactory port("ns3::QbbChannel");
    EXPECT_FABRIC_ERROR(FabricAttributes::Set(port, "Id", UintegerValue(0)), "when it is made");
    const auto check = [](const char* type, const char* name, const char* text) {
        FabricAttributes::Check(TypeId::LookupByName(type), name, StringValue(text));
    };
    EXPECT_FABRIC_ERROR(check("ns3::Node", "DeviceList", "x"), "is a list of objects");
    for (const char* text : {"", "255", "01-04", "01-05-0a:00:00:01", "01-04-0a:0:00:01"})
    {
        EXPECT_FABRIC_ERROR(check("ns3::PacketSink", "Local", text), "expected for example");
    }
    check("ns3::PacketSink", "Local", "01-04-0a:00:00:01");
    for (const char* text : {"", "1 2", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 ", "x"})
    {
        EXPECT_FABRIC_ERROR(check("ns3::PrioQueueDisc", "Priomap", text), "expected for example");
    }
    check("ns3::PrioQueueDisc", "Priomap", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1");
    for (const char* text : {"", "p", "100p 1", "100p ", " 100p", "99999999999p", "100x"})
    {
        EXPECT_FABRIC_ERROR(check("ns3::TbfQueueDisc", "MaxSize", text), "100p");
    }
    check("ns3::TbfQueueDisc", "MaxSize", "100p");
    check("ns3::TbfQueueDisc", "MaxSize", "64KiB");
}

TEST(FabricAttributes, TextOfAddresses)
{
    const std::map<std::string, std::pair<std::string, std::vector<std::string>>> cases{
        {"Ipv4Address", {"10.0.0.1", {"", "10.0.0", "10.0.0.256", "10.0.0.1 ", "x"}}},
        {"Ipv4Mask", {"255.255.0.0", {"", "/33", "/", "/1 ", "255.0"}}},
        {"Ipv6Address", {"2001:db8::1", {"", "2001:db8::1 1", ":::", "10.0.0.1"}}},
        {"Ipv6Prefix", {"/128", {"", "64", "/129", "/64 "}}},
        {"Mac48Address", {"00:00:00:00:00:0a", {"", "00:00:00:00:00", "0:0:0:0:0:1"}}},
    };
    for (const auto& [kind, texts] : cases)
    {
        const std::string value = "ns3::" + kind + "Value";
        EXPECT_EQ(ValueText::Expected(value, texts.first), "");
        for (const std::string& text : texts.second)
        {
            EXPECT_EQ(ValueText::Expected(value, text).find("expected for example"), 0U) << text;
        }
    }
    EXPECT_EQ(ValueText::Expected("ns3::Ipv4MaskValue", "/24"), "");
    EXPECT_EQ(ValueText::Expected("ns3::Vector3DValue", "1:2:3"),
              "a Vector3DValue cannot be set from text");
}

TEST(FabricAttributes, Defaults)
{
    FabricAttributes::SetDefault("ns3::FabricAttributesSubject::BufferSize", StringValue("64KiB"));
    EXPECT_EQ(CreateObject<Subject>()->m_size, 65536U);
    FabricAttributes::SetDefault("ns3::FabricAttributesSubject::BufferSize", StringValue("7"));
    EXPECT_FABRIC_ERROR(FabricAttributes::SetDefault("BufferSize", StringValue("7")),
                        "is no attribute");
    EXPECT_FABRIC_ERROR(FabricAttributes::SetDefault("ns3::Nonsense::X", StringValue("7")),
                        "there is no type");
    EXPECT_FABRIC_ERROR(
        FabricAttributes::SetDefault("ns3::FabricAttributesSubject::X", StringValue("7")),
        "has no attribute X");
    EXPECT_FABRIC_ERROR(
        FabricAttributes::SetDefault("ns3::FabricAttributesSubject::Late", StringValue("7")),
        "has no default");
}

TEST(FabricAttributes, OptionsStay)
{
    const char* name = "ns3::FabricAttributesSubject::BufferSize";
    const TypeId type = TypeId::LookupByName("ns3::FabricAttributesSubject");
    const FabricOptions options;
    const FabricOptions copy = options;
    EXPECT_EQ(options.Get(type, "BufferSize"), "");
    EXPECT_FALSE(options.Has(type, "BufferSize"));
    EXPECT_TRUE(copy.IsEmpty());
    options.Add(name, "5");
    EXPECT_EQ(copy.Get(type, "BufferSize"), "5");
    EXPECT_TRUE(copy.Has(type, "BufferSize"));
    EXPECT_FALSE(copy.IsEmpty());
    copy.SetDefault(name, "6");
    EXPECT_EQ(CreateObject<Subject>()->m_size, 5U);
    EXPECT_FABRIC_ERROR(copy.SetDefault(name, "0"), "it must be");
    EXPECT_FABRIC_ERROR(copy.Get(type, "X"), "has no attribute X");
    Config::SetDefault(name, UintegerValue(6));
    copy.Apply();
    EXPECT_EQ(CreateObject<Subject>()->m_size, 5U);
    FabricOptions().SetDefault(name, "7"); // the options of another program
    EXPECT_EQ(CreateObject<Subject>()->m_size, 7U);
}

TEST(FabricAttributes, ValuesHaveOneNameInAllVersionsOfNs3)
{
    EXPECT_EQ(AttributeWords::ValueType(*Create<NamedChecker>("ns3::EnumValue")), "ns3::EnumValue");
    EXPECT_EQ(AttributeWords::ValueType(*Create<NamedChecker>("ns3::EnumValue<ns3::A::B>")),
              "ns3::EnumValue");
    EXPECT_EQ(AttributeWords::ValueType(*Create<NamedChecker>("AddressValue")),
              "ns3::AddressValue");
}

TEST(FabricAttributes, OptionsWinInFactories)
{
    const char* name = "ns3::FabricAttributesSubject::BufferSize";
    const TypeId type = TypeId::LookupByName("ns3::FabricAttributesSubject");
    const FabricOptions options;
    options.Add(name, "5");
    ObjectFactory factory("ns3::FabricAttributesSubject");
    options.Set(factory, "BufferSize", UintegerValue(6));
    EXPECT_EQ(factory.Create<Subject>()->m_size, 5U);
    EXPECT_FABRIC_ERROR(options.Set(factory, "BufferSize", UintegerValue(0)), "it must be");
    const std::string text = "ns3::FabricAttributesSubject[BufferSize=6]";
    EXPECT_EQ(options.ToFactory(text, type).Create<Subject>()->m_size, 5U);
    EXPECT_EQ(FabricAttributes::ToFactory(text, type).Create<Subject>()->m_size, 6U);
    EXPECT_FABRIC_ERROR(options.ToFactory("ns3::FabricAttributesSubject[BufferSize=0]", type),
                        "it must be");
    FabricAttributes::SetDefault(name, StringValue("7"));
}

TEST(FabricAttributes, ValuesOutOfRange)
{
    const auto check = [](const char* name, const AttributeValue& value) {
        FabricAttributes::Check(Subject::GetTypeId(), name, value);
    };
    EXPECT_FABRIC_ERROR(check("Share", DoubleValue(1.5)),
                        "Share is 1.5; it must be a number from 0 to 1");
    EXPECT_FABRIC_ERROR(check("BufferSize", UintegerValue(0)),
                        "BufferSize is 0; it must be a whole number from 1 to 1073741824");
    EXPECT_FABRIC_ERROR(check("Wait", TimeValue(MicroSeconds(1))),
                        "Wait is 1us; it must be a time");
    EXPECT_FABRIC_ERROR(check("Color", EnumValue(Subject::Color(7))),
                        "Color is no value of its enumeration; it must be one of Red, Blue");
}

TEST(FabricAttributes, PartsDeriveFromTheBaseOfTheDefault)
{
    const TypeId pair = TypeId::LookupByName("ns3::RdmaQueuePair");
    const auto check = [&](const AttributeValue& value) {
        FabricAttributes::Check(pair, "CongestionControl", value);
    };
    check(StringValue("ns3::RdmaFixedRate[Rate=2.5Tbps]"));
    check(ObjectFactoryValue(ObjectFactory("ns3::RdmaDcqcn")));
    EXPECT_FABRIC_ERROR(check(StringValue("ns3::RdmaGoBackN")), "is no ns3::RdmaCongestionOps");
    EXPECT_FABRIC_ERROR(check(ObjectFactoryValue(ObjectFactory("ns3::RdmaGoBackN"))),
                        "is no ns3::RdmaCongestionOps; one of: ns3::Rdma");
    EXPECT_FABRIC_ERROR(check(StringValue("ns3::RdmaDcqcn[AiRate=Gbps]")), "AiRate is \"Gbps\"");
    const TypeId type = TypeId::LookupByName("ns3::FabricSwitch");
    EXPECT_FABRIC_ERROR(
        FabricAttributes::Check(type, "EcnMarkerType", TypeIdValue(Subject::GetTypeId())),
        "is no ns3::EcnMarker; one of: ns3::ColouredWredMarker, ns3::PcnMarker, "
        "ns3::PolledWredMarker, ns3::WredEcnMarker");
}

TEST(FabricAttributes, FactoryFromText)
{
    auto factory =
        FabricAttributes::ToFactory("ns3::FabricAttributesSubject[BufferSize=2KiB|Flag=0]");
    EXPECT_EQ(factory.Create<Subject>()->m_size, 2048U);
    EXPECT_FALSE(factory.Create<Subject>()->m_flag);
    EXPECT_FABRIC_ERROR(FabricAttributes::ToFactory("ns3::FabricAttributesSubject[X=2]"), "X");
    // Headers have types and constructors, and are no objects: ns-3 crashes when it makes one.
    EXPECT_FABRIC_ERROR(FabricAttributes::ToFactory("ns3::Ipv4Header"), "is no ns3::Object");
}
