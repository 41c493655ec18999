// SPDX-License-Identifier: GPL-2.0-only
#include "table-ecn-advisor.h"

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
constexpr const char* TRAINED = "0.04:2:80000, 0.21:2:80000, 0.62:2:80000, 0.87:2:80000, "
                                "0:8:5000, 0.1:8:80000, 0.52:8:226000, 0.86:8:226000, "
                                "0:32:5000, 0.16:32:160000, 0.57:32:320000, 0.8:32:320000";

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
                "speed of the port. The nearest model counts.",
                StringValue(TRAINED),
                MakeStringAccessor(&TableEcnAdvisor::SetTable, &TableEcnAdvisor::GetTable),
                MakeStringChecker());
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
    const auto nearest =
        std::min_element(m_models.begin(),
                         m_models.end(),
                         [&features](const Model& one, const Model& other) {
                             return one.Distance(features) < other.Distance(features);
                         });
    return nearest->kmin * features.bitsPerSecond / REFERENCE_RATE;
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

} // namespace ns3
