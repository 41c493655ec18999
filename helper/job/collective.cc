// SPDX-License-Identifier: GPL-2.0-only
#include "collective.h"

#include "ns3/fabric-error.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveAlgorithm);

namespace
{

/// Short names of the algorithms that there are, and their types.
constexpr std::array<std::pair<const char*, const char*>, 11> NAMES{{
    {"ring", "ns3::RingCollective"},
    {"halving-doubling", "ns3::HalvingDoublingCollective"},
    {"recursive-doubling", "ns3::RecursiveDoublingCollective"},
    {"double-tree", "ns3::DoubleTreeCollective"},
    {"direct", "ns3::DirectCollective"},
    {"pairwise", "ns3::PairwiseCollective"},
    {"bruck", "ns3::BruckCollective"},
    {"binomial", "ns3::BinomialCollective"},
    {"scatter-all-gather", "ns3::ScatterAllGatherCollective"},
    {"dissemination", "ns3::DisseminationCollective"},
    {"hierarchical", "ns3::HierarchicalCollective"},
}};

/// By type of collective: the algorithm where none is named.
constexpr std::array<const char*, COLLECTIVE_TYPES> DEFAULTS{"ring",
                                                             "ring",
                                                             "ring",
                                                             "direct",
                                                             "binomial",
                                                             "binomial",
                                                             "binomial",
                                                             "binomial",
                                                             "dissemination"};

} // namespace

TypeId
CollectiveAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CollectiveAlgorithm").SetParent<Object>().SetGroupName("LosslessJobs");
    return tid;
}

Ptr<CollectiveAlgorithm>
CollectiveAlgorithm::Create(const std::string& name)
{
    std::string typeName = name;
    for (const auto& [shortName, fullName] : NAMES)
    {
        typeName = name == shortName ? fullName : typeName;
    }
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(typeName, &type) || !type.IsChildOf(GetTypeId()) ||
        !type.HasConstructor())
    {
        std::string names;
        for (const std::string& known : GetNames())
        {
            names += known + ", ";
        }
        throw FabricError("there is no collective algorithm \"" + name + "\"",
                          names + "or the name of a type of your own");
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<CollectiveAlgorithm>();
}

const char*
CollectiveAlgorithm::GetDefault(CollectiveType type)
{
    return DEFAULTS.at(static_cast<std::size_t>(type));
}

std::vector<std::string>
CollectiveAlgorithm::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [shortName, fullName] : NAMES)
    {
        names.emplace_back(shortName);
    }
    return names;
}

std::string
CollectiveAlgorithm::NameOf(const CollectiveAlgorithm& algorithm)
{
    const std::string typeName = algorithm.GetInstanceTypeId().GetName();
    const auto known = std::find_if(NAMES.begin(), NAMES.end(), [&typeName](const auto& names) {
        return typeName == names.second;
    });
    return known == NAMES.end() ? typeName : known->first;
}

std::string
CollectiveAlgorithm::DescribeThoseOf(CollectiveType type)
{
    std::string text = std::string(ToString(type)) + " is done by ";
    bool isFirst = true;
    for (const std::string& name : GetNames())
    {
        if (Create(name)->Does(type))
        {
            text += (std::exchange(isFirst, false) ? "" : ", ") + name;
        }
    }
    return text;
}

} // namespace ns3
