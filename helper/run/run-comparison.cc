// SPDX-License-Identifier: GPL-2.0-only
#include "run-comparison.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/result-file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <variant>

namespace ns3
{
namespace
{

/// What most ask for.
const std::vector<std::string> USUAL = {"flows_completed",
                                        "slowdown_p50",
                                        "slowdown_p99",
                                        "pfc_xoff_frames",
                                        "pause_ns_total",
                                        "ecn_marks",
                                        "queue_peak_bytes",
                                        "lossless_drops"};

/// @param results of a run @return its values that are numbers, by name
std::map<std::string, double>
ValuesOf(const RunResults& results)
{
    std::map<std::string, double> values;
    for (const NamedTotal& total : results.totals.List())
    {
        std::visit(
            [&](const auto& value) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::string>)
                {
                    values[total.name] = static_cast<double>(value);
                }
            },
            total.value);
    }
    const double none = std::numeric_limits<double>::quiet_NaN();
    const bool any = !results.slowdown.empty() && results.slowdown.back().slowdown.Count() > 0;
    const auto slowdown = [&](const char* name, auto value) {
        values[name] = any ? value(results.slowdown.back().slowdown) : none;
    };
    slowdown("slowdown_mean", [](const LogHistogram& all) { return all.Mean(); });
    slowdown("slowdown_p50", [](const LogHistogram& all) { return all.Quantile(0.50); });
    slowdown("slowdown_p95", [](const LogHistogram& all) { return all.Quantile(0.95); });
    slowdown("slowdown_p99", [](const LogHistogram& all) { return all.Quantile(0.99); });
    slowdown("slowdown_max", [](const LogHistogram& all) { return all.Max(); });
    return values;
}

/// @param value a number @return it in a file and in a table; not a number: empty
std::string
ToText(double value)
{
    char text[64] = "";
    if (!std::isnan(value))
    {
        std::snprintf(text, sizeof(text), "%.9g", value);
    }
    return text;
}

} // namespace

RunComparison::RunComparison(const Runs& runs, const std::vector<std::string>& of)
    : m_names(of.empty() ? USUAL : of)
{
    if (runs.empty())
    {
        throw FabricError("a comparison of no run", "name one or more");
    }
    std::set<std::string> known;
    for (const auto& [name, results] : runs)
    {
        if (name.empty() || name.find_first_of(",\"\n\r") != std::string::npos)
        {
            throw FabricError("a run that is compared has the name \"" + name + "\"",
                              "it must not be empty, and have no comma, quote or line break");
        }
        if (!known.insert(name).second)
        {
            throw FabricError("two runs that are compared have the name \"" + name + "\"",
                              "give each its own");
        }
        const std::map<std::string, double> values = ValuesOf(results);
        Row row{name, {}};
        for (const std::string& wanted : m_names)
        {
            const auto value = values.find(wanted);
            if (value == values.end())
            {
                std::vector<std::string> names;
                std::transform(values.begin(),
                               values.end(),
                               std::back_inserter(names),
                               [](const auto& one) { return one.first; });
                throw FabricError("a run has no value \"" + wanted + "\"",
                                  FabricText::DidYouMean(wanted, names));
            }
            row.values.push_back(value->second);
        }
        m_rows.push_back(std::move(row));
    }
}

void
RunComparison::Print(std::ostream& os) const
{
    std::size_t first = 0;
    for (const Row& row : m_rows)
    {
        first = std::max(first, row.name.size());
    }
    const auto cell = [&os](const std::string& text, std::size_t width) {
        os << std::string(width > text.size() ? width - text.size() : 0, ' ') << text;
    };
    constexpr std::size_t NARROW = 12; // of a column, at least
    os << std::string(first, ' ');
    for (const std::string& name : m_names)
    {
        cell(name, std::max(NARROW, name.size()) + 2);
    }
    os << '\n';
    for (const Row& row : m_rows)
    {
        os << row.name << std::string(first - row.name.size(), ' ');
        for (std::size_t i = 0; i < m_names.size(); ++i)
        {
            const std::string text = ToText(row.values[i]);
            cell(text.empty() ? "-" : text, std::max(NARROW, m_names[i].size()) + 2);
        }
        os << '\n';
    }
}

void
RunComparison::WriteTo(const std::string& folder) const
{
    ResultFile file(std::filesystem::path(folder) / "comparison.csv");
    file.Stream() << "scheme";
    for (const std::string& name : m_names)
    {
        file.Stream() << ',' << name;
    }
    file.Stream() << '\n';
    for (const Row& row : m_rows)
    {
        file.Stream() << row.name;
        for (const double value : row.values)
        {
            file.Stream() << ',' << ToText(value);
        }
        file.Stream() << '\n';
    }
    file.Commit();
}

} // namespace ns3
