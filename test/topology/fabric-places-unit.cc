// SPDX-License-Identifier: GPL-2.0-only
#include "helper-test-util.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-places.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return two leaves with two hosts each, and two spines: hosts 0..3, leaves 4 and 5, spines 6, 7
FabricTopology
Graph()
{
    return FabricTopology::LeafSpine(2, 2, 2, FabricLinkSpec(), FabricLinkSpec());
}

/// @return places as "node.port" or "node", with blanks between
std::string
Found(const FabricPlaces& places, const FabricTopology& topology)
{
    std::string text;
    for (const FabricPlace& place : places.In(topology))
    {
        text += (text.empty() ? "" : " ") + std::to_string(place.node.Value()) +
                (place.port ? "." + std::to_string(*place.port) : "");
    }
    return text;
}

} // namespace

TEST(FabricPlaces, Text)
{
    const FabricTopology graph = Graph();
    const std::vector<std::pair<std::string, std::string>> cases{
        {"all", "0 1 2 3 4 5 6 7"},
        {"hosts", "0 1 2 3"},
        {"switches", "4 5 6 7"},
        {"leaf", "4 5"},
        {"spine", "6 7"},
        {"leaf 1", "5"},
        {"switch 2", "6"},
        {"host 3", "3"},
        {"node 7", "7"},
        {"leaf port 3", "4.3 5.3"},
        {"leaf 0 port 2", "4.2"},
        {"leaf to spine", "4.2 4.3 5.2 5.3"},
        {"leaf 1 to host", "5.0 5.1"},
        {"leaf to spine 1", "4.3 5.3"},
        {"hosts to leaf 0", "0.0 1.0"},
        {"  leaf   0  ", "4"},
        {"leaf to spine class 3,4", "4.2 4.3 5.2 5.3"},
    };
    for (const auto& [text, expected] : cases)
    {
        EXPECT_EQ(Found(text, graph), expected) << text;
    }
    EXPECT_EQ(Found("core", FabricTopology::FatTree(4, FabricLinkSpec())), "32 33 34 35");
    EXPECT_EQ(FabricPlaces("leaf class 3,4").GetClasses(), 0x18);
    EXPECT_EQ(FabricPlaces("leaf").GetClasses(), std::nullopt);
}

TEST(FabricPlaces, Indices)
{
    const FabricTopology graph = Graph();
    EXPECT_EQ(Found(HostId(2), graph), "2");
    EXPECT_EQ(Found(SwitchId(2), graph), "6");
    EXPECT_EQ(Found(NodeId(2), graph), "2");
    EXPECT_EQ(Found(FabricPlaces(SwitchId(0)).Port(1), graph), "4.1");
    const auto even = FabricPlaces::Where("even", [](const FabricTopology&, NodeId node) {
        return node.Value() % 2 == 0;
    });
    EXPECT_EQ(Found(even, graph), "0 2 4 6");
    const auto last =
        FabricPlaces::WherePort("last",
                                [](const FabricTopology& topology, NodeId node, uint32_t port) {
                                    return port > 0 && port + 1 == topology.GetLinksOf(node).size();
                                });
    EXPECT_EQ(Found(last, graph), "4.3 5.3 6.1 7.1");
    EXPECT_EQ(Found(FabricPlaces("leaf to spine").Port(2), graph), "4.2 5.2");
    EXPECT_EQ(FabricPlaces("leaf").SwitchesIn(graph), (std::vector<SwitchId>{0, 1}));
    EXPECT_EQ(FabricPlaces("hosts").HostsIn(graph), (std::vector<HostId>{0, 1, 2, 3}));
    EXPECT_EQ(FabricPlaces("leaf to spine").SwitchesIn(graph), (std::vector<SwitchId>{0, 1}));
}

TEST(FabricPlaces, Planes)
{
    // Hosts 0..3; plane 0: leaves 4 and 5, spine 6; plane 1: leaves 7 and 8, spine 9.
    const auto graph = FabricTopology::MultiPlane(2, 2, 1, 2, {}, {});
    const std::vector<std::pair<std::string, std::string>> cases{
        {"plane 0", "4 5 6"},
        {"switches plane 1", "7 8 9"},
        {"leaf plane 1", "7 8"},
        {"spine plane 0 class 3", "6"},
        {"leaf 2 plane 1", "7"},
        {"plane 1 port 0", "7.0 8.0 9.0"},
        {"leaf plane 1 to host", "7.0 7.1 8.0 8.1"},
        {"plane 1 to spine", "7.2 8.2"},
        {"spine to plane 1", "9.0 9.1"},
        {"hosts to plane 1", "0.1 1.1 2.1 3.1"},
        {"hosts to leaf plane 0", "0.0 1.0 2.0 3.0"},
    };
    for (const auto& [text, expected] : cases)
    {
        EXPECT_EQ(Found(text, graph), expected) << text;
    }
    EXPECT_EQ(Found(FabricPlaces("leaf").Plane(0), graph), "4 5");
    EXPECT_EQ(Found("plane 0", Graph()), "4 5 6 7");
    EXPECT_FABRIC_ERROR(FabricPlaces("plane 2").In(graph), "\"plane 2\" is nowhere");
    FabricTopology joined = graph;
    joined.AddLink(6, 9, {});
    EXPECT_FABRIC_ERROR(FabricPlaces("plane 0").In(joined), "planes share no switch");
}

TEST(FabricPlaces, NarrowerPlacesRankHigher)
{
    const std::vector<std::string> widening{"leaf 2 port 3 class 3",
                                            "leaf 2 port 3",
                                            "leaf to spine class 3",
                                            "leaf to spine",
                                            "switches port 1",
                                            "leaf 2 class 3",
                                            "leaf 2",
                                            "leaf plane 3",
                                            "leaf class 3",
                                            "leaf",
                                            "all class 3",
                                            "all"};
    for (std::size_t i = 1; i < widening.size(); ++i)
    {
        EXPECT_GT(FabricPlaces(widening[i - 1]).GetRank(), FabricPlaces(widening[i]).GetRank())
            << widening[i - 1] << " and " << widening[i];
    }
    EXPECT_EQ(FabricPlaces("all").GetRank(), FabricPlaces("switches").GetRank());
    EXPECT_EQ(FabricPlaces("leaf").GetRank(), FabricPlaces("core").GetRank());
    EXPECT_EQ(FabricPlaces("leaf").GetRank(), FabricPlaces("plane 3").GetRank());
    EXPECT_EQ(FabricPlaces("leaf 2").GetRank(), FabricPlaces("leaf 2 plane 3").GetRank());
}

TEST(FabricPlaces, TextThatNamesNone)
{
    for (const char* wrong : {"",
                              "leafs",
                              "leaf x",
                              "leaf 2 port",
                              "leaf port x",
                              "leaf to",
                              "leaf to x",
                              "node",
                              "leaf 1 2",
                              "leaf class 8",
                              "leaf class",
                              "leaf class ,",
                              "port 3",
                              "leaf -1",
                              "leaf 99999999999",
                              "leaf port 3 to spine",
                              "leaf port 70000",
                              "plane",
                              "plane x",
                              "plane leaf",
                              "plane 1 leaf",
                              "leaf plane"})
    {
        const std::string error = ErrorOf([&] { FabricPlaces{wrong}; });
        EXPECT_NE(error, "") << wrong;
        EXPECT_EQ(error.find('\n'), std::string::npos) << wrong;
    }
    EXPECT_NE(ErrorOf([] { FabricPlaces("leafs"); }).find("did you mean leaf?"), std::string::npos);
    const FabricTopology graph = Graph();
    EXPECT_EQ(ErrorOf([&] { FabricPlaces("core").In(graph); }),
              "\"core\" is nowhere in this fabric; it has 2 of leaf, 2 of spine, 4 of host");
    EXPECT_EQ(
        ErrorOf([&] { FabricPlaces("leaf 2").In(graph); }),
        "there is no leaf 2; the fabric has 2 of leaf, 2 of spine, 4 of host, counted from 0");
    EXPECT_NE(ErrorOf([&] { FabricPlaces("leaf port 4").In(graph); }), "");
    EXPECT_NE(ErrorOf([&] { FabricPlaces("hosts").SwitchesIn(graph); }), "");
}

TEST(FabricPlaces, Names)
{
    const auto names = FabricPlaces::NamesOf(Graph());
    EXPECT_EQ(names,
              (std::vector<std::string>{"host 0",
                                        "host 1",
                                        "host 2",
                                        "host 3",
                                        "leaf 0",
                                        "leaf 1",
                                        "spine 0",
                                        "spine 1"}));
}
