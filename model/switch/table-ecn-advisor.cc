// SPDX-License-Identifier: GPL-2.0-only
#include "table-ecn-advisor.h"

#include "factory-like.h"

#include "ns3/double.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TableEcnAdvisor);

namespace
{

/// doc/ecn-table.csv, as utils/train-ecn-table has made it.
constexpr const char* TRAINED = "0.06:2:5000, 0.22:2:14000, 0.6:2:57000, 0.87:2:57000, "
                                "0.01:4:5000, 0.19:4:28000, 0.56:4:80000, 0.87:4:80000, "
                                "0:8:5000, 0.09:8:20000, 0.51:8:226000, 0.86:8:226000, "
                                "0:16:5000, 0.08:16:14000, 0.44:16:269000, 0.86:16:269000, "
                                "0:32:5000, 0.16:32:226000, 0.52:32:320000, 0.79:32:320000";

} // namespace

TypeId
TableEcnAdvisor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TableEcnAdvisor")
            .SetParent<EcnThresholdAdvisor>()
            .SetGroupName("Lossless")
            .AddConstructor<TableEcnAdvisor>()
            .AddAttribute(
                "Table",
                "Known traffic models and the Kmin that is best for each, such as "
                "\"0.1:8:20000, 0.9:1:80000\": byte share of long flows from 0 to 1, hosts "
                "that send to one host from 1, Kmin in bytes at 25 Gb/s, linear in the "
                "speed of the port. The nearest model counts, within MaxDistance.",
                StringValue(TRAINED),
                MakeStringAccessor(&TableEcnAdvisor::SetTable, &TableEcnAdvisor::GetTable),
                MakeStringChecker())
            .AddAttribute("MaxDistance",
                          "Distance of the nearest model above which traffic is unknown: 1 is a "
                          "doubling of the senders, or a quarter of the bytes",
                          DoubleValue(1),
                          MakeDoubleAccessor(&TableEcnAdvisor::m_maxDistance),
                          MakeDoubleChecker<double>(0))
            .AddAttribute(
                "Otherwise",
                "TypeId of the EcnThresholdAdvisor that adapts Kmin to unknown traffic, "
                "with its attributes: Type[Name=Value|...]",
                ObjectFactoryValue(ObjectFactory(RuleEcnThresholdAdvisor::GetTypeId().GetName())),
                MakeObjectFactoryAccessor(&TableEcnAdvisor::SetOtherwise,
                                          &TableEcnAdvisor::GetOtherwise),
                MakeObjectFactoryChecker())
            .AddTraceSource("Lookup",
                            "Traffic was looked up: distance of the nearest model, and whether "
                            "that model has decided.",
                            MakeTraceSourceAccessor(&TableEcnAdvisor::m_lookup),
                            "ns3::TableEcnAdvisor::LookupTracedCallback");
    return tid;
}

std::array<double, 3>
TableEcnAdvisor::Model::Distance(const EcnFeatures& features) const
{
    return {std::abs(std::log2(std::max(1.0, 1.0 * features.senders) / senders)),
            senders,
            std::abs(features.elephantShare - elephantShare)};
}

double
TableEcnAdvisor::Advise(const EcnFeatures& features)
{
    constexpr double REFERENCE_RATE = 25e9;
    constexpr double SHARES = 4; // of the bytes, each as far as a doubling of the senders
    const auto nearest =
        std::min_element(m_models.begin(),
                         m_models.end(),
                         [&features](const Model& one, const Model& other) {
                             return one.Distance(features) < other.Distance(features);
                         });
    const auto [doublings, senders, share] = nearest->Distance(features);
    const double distance = std::hypot(doublings, SHARES * share);
    const bool isKnown = distance <= m_maxDistance;
    m_lookup(distance, isKnown);
    return isKnown ? nearest->kmin * features.bitsPerSecond / REFERENCE_RATE
                   : m_otherwise->Advise(features);
}

void
TableEcnAdvisor::SetTable(const std::string& text)
{
    std::vector<Model> models;
    std::istringstream entries(text);
    for (std::string entry; std::getline(entries, entry, ',');)
    {
        Model model;
        char first = 0;
        char second = 0;
        std::istringstream in(entry);
        in >> model.elephantShare >> first >> model.senders >> second >> model.kmin;
        const bool isWhole = in && first == ':' && second == ':' && (in >> std::ws).eof();
        if (!isWhole || !(model.elephantShare >= 0) || model.elephantShare > 1 ||
            !(model.senders >= 1) || !(model.kmin >= 0) || !std::isfinite(model.kmin))
        {
            throw std::invalid_argument("TableEcnAdvisor: Table: \"" + entry +
                                        "\" cannot be read; a model is share:senders:Kmin, such "
                                        "as 0.1:8:20000, with the share from 0 to 1, 1 or more "
                                        "senders, and Kmin in bytes at 25 Gb/s");
        }
        models.push_back(model);
    }
    if (models.empty())
    {
        throw std::invalid_argument("TableEcnAdvisor: Table is empty; it needs one model or more, "
                                    "such as 0.1:8:20000");
    }
    m_models = models;
    m_text = text;
}

std::string
TableEcnAdvisor::GetTable() const
{
    return m_text;
}

void
TableEcnAdvisor::SetOtherwise(const ObjectFactory& factory)
{
    if (factory.GetTypeId() == GetTypeId())
    {
        throw std::invalid_argument("TableEcnAdvisor: Otherwise is an ns3::TableEcnAdvisor, too; "
                                    "it must be an advisor that adapts");
    }
    m_otherwise = Make(factory);
}

ObjectFactory
TableEcnAdvisor::GetOtherwise() const
{
    return FactoryLike(*m_otherwise);
}

} // namespace ns3
