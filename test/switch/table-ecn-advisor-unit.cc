// SPDX-License-Identifier: GPL-2.0-only

// The table of known traffic models: the nearest counts, if that is near.

#include "refusal-of.h"

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/table-ecn-advisor.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

/// @return measurements of traffic at 25 Gb/s, or at another speed
EcnFeatures
Features(double share, uint32_t senders, double bitsPerSecond = 25e9)
{
    EcnFeatures features;
    features.kmin = 50000; // which does not count where a model is near
    features.bitsPerSecond = bitsPerSecond;
    features.elephantShare = share;
    features.senders = senders;
    return features;
}

/// @return what a table advises for traffic, however far
double
Advice(const std::string& table, double share, uint32_t senders, double bitsPerSecond = 25e9)
{
    return CreateObjectWithAttributes<TableEcnAdvisor>("Table",
                                                       StringValue(table),
                                                       "MaxDistance",
                                                       DoubleValue(1e9))
        ->Advise(Features(share, senders, bitsPerSecond));
}

/// @return what the shipped table advises at 25 Gb/s
double
Trained(double share, uint32_t senders)
{
    StringValue table;
    CreateObject<TableEcnAdvisor>()->GetAttribute("Table", table);
    return Advice(table.Get(), share, senders);
}

/// @return why a table is refused; empty: it is not
std::string
Refusal(const std::string& table)
{
    return RefusalOf(
        [&] { CreateObject<TableEcnAdvisor>()->SetAttribute("Table", StringValue(table)); });
}

} // namespace

TEST(TableEcnAdvisor, TheNearestModelCounts)
{
    const std::string table = "0.1:1:10000, 0.1:16:20000, 0.9:1:30000, 0.9:16:40000";
    EXPECT_EQ(Advice(table, 0, 1), 10000);
    EXPECT_EQ(Advice(table, 0.49, 1), 10000);
    EXPECT_EQ(Advice(table, 0.51, 1), 30000);
    EXPECT_EQ(Advice(table, 0.1, 3), 10000); // 4 is the middle of 1 and 16
    EXPECT_EQ(Advice(table, 0.1, 5), 20000);
    EXPECT_EQ(Advice(table, 1, 1000), 40000);
    EXPECT_EQ(Advice(table, 0.5, 4), 10000); // as far from all: the first
}

TEST(TableEcnAdvisor, TheSendersDecideFirst)
{
    const std::string table = "0.1:2:10000, 0.9:8:20000";
    EXPECT_EQ(Advice(table, 0.9, 3), 10000);
    EXPECT_EQ(Advice(table, 0.1, 5), 20000);
    EXPECT_EQ(Advice(table, 0.9, 4), 10000); // the middle: the lower
    EXPECT_EQ(Advice(table, 0.9, 0), 10000); // an interval without senders counts as one
}

TEST(TableEcnAdvisor, IsLinearInTheSpeed)
{
    EXPECT_EQ(Advice("0.5:4:10000", 0.2, 9, 100e9), 40000);
}

TEST(TableEcnAdvisor, TheTrainedTableIsMonotonic)
{
    for (const uint32_t senders : {1, 2, 4, 8, 16, 32})
    {
        double before = 0;
        for (int tenths = 0; tenths <= 10; ++tenths)
        {
            const double kmin = Trained(0.1 * tenths, senders);
            EXPECT_GE(kmin, before) << senders << " senders, share " << 0.1 * tenths;
            before = kmin;
        }
    }
    for (const uint32_t senders : {2, 8, 32})
    {
        EXPECT_LT(Trained(0, senders), Trained(1, senders)) << senders << " senders"; // not flat
    }
}

TEST(TableEcnAdvisor, AdaptsToTrafficThatIsFar)
{
    const auto advisor =
        CreateObjectWithAttributes<TableEcnAdvisor>("Table", StringValue("0.5:8:10000"));
    double distance = -1;
    bool isKnown = false;
    advisor->TraceConnectWithoutContext("Lookup",
                                        Callback<void, double, bool>([&](double far, bool known) {
                                            distance = far;
                                            isKnown = known;
                                        }));
    const auto rule = CreateObject<RuleEcnThresholdAdvisor>();

    EXPECT_EQ(advisor->Advise(Features(0.5, 16)), 10000);
    EXPECT_NEAR(distance, 1, 1e-12); // a doubling
    EXPECT_TRUE(isKnown);
    EXPECT_EQ(advisor->Advise(Features(0.75, 8)), 10000);
    EXPECT_NEAR(distance, 1, 1e-12); // a quarter of the bytes
    EXPECT_TRUE(isKnown);

    const EcnFeatures both = Features(0.25, 4);
    EXPECT_EQ(advisor->Advise(both), rule->Advise(both));
    EXPECT_NEAR(distance, std::sqrt(2), 1e-12);
    EXPECT_FALSE(isKnown);
    advisor->SetAttribute("MaxDistance", DoubleValue(1.42));
    EXPECT_EQ(advisor->Advise(both), 10000);
    EXPECT_TRUE(isKnown);
    advisor->SetAttribute("MaxDistance", DoubleValue(0));
    EXPECT_EQ(advisor->Advise(Features(0.5, 8)), 10000); // the model itself
    EXPECT_EQ(advisor->Advise(both), rule->Advise(both));
}

TEST(TableEcnAdvisor, OtherwiseIsAnAdvisorThatAdapts)
{
    const auto advisor =
        CreateObjectWithAttributes<TableEcnAdvisor>("Table", StringValue("1:1:10000"));
    ObjectFactory factory("ns3::RuleEcnThresholdAdvisor", "BaseKmin", UintegerValue(40000));
    advisor->SetAttribute("Otherwise", ObjectFactoryValue(factory));
    const auto rule =
        CreateObjectWithAttributes<RuleEcnThresholdAdvisor>("BaseKmin", UintegerValue(40000));
    EXPECT_EQ(advisor->Advise(Features(0, 8)), rule->Advise(Features(0, 8)));
    for (const char* type : {"ns3::TableEcnAdvisor", "ns3::WredEcnMarker"})
    {
        const ObjectFactoryValue wrong((ObjectFactory(type)));
        EXPECT_NE(RefusalOf([&] { advisor->SetAttribute("Otherwise", wrong); }), "") << type;
    }
}

TEST(TableEcnAdvisor, RefusesWhatIsNoTable)
{
    EXPECT_EQ(Refusal(""),
              "TableEcnAdvisor: Table is empty; it needs one model or more, such as "
              "0.1:8:20000");
    for (const std::string model : {"x",
                                    "0.5:4",
                                    "0.5:4:",
                                    "1.1:4:1",
                                    "-0.1:4:1",
                                    "nan:4:1",
                                    "0.5:0:1",
                                    "0.5:4:-1",
                                    "0.5:4:inf",
                                    "0.5;4;1",
                                    "0.5:4:1 x",
                                    " "})
    {
        const std::string refusal = Refusal("0.5:4:1000," + model);
        EXPECT_EQ(refusal.find("TableEcnAdvisor: Table: \"" + model + "\" cannot be read"), 0U)
            << model << ": " << refusal;
    }
    EXPECT_EQ(Refusal(" 0.5:4:1000 , 1:1:0 "), "");
}
