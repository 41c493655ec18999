// SPDX-License-Identifier: GPL-2.0-only
#include "finding.h"

#include "ns3/fabric-ranks.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace
{

/// @param finding a finding @return what it says, and of what
std::string
KeyOf(const Finding& finding)
{
    return finding.rule + '\n' + finding.ToText();
}

} // namespace

const char*
ToString(Level level)
{
    static const char* const names[] = {"refused", "loss", "unused", "info"};
    return names[static_cast<int>(level)];
}

std::string
Finding::ToText() const
{
    const std::string where =
        place + (cls ? (place.empty() ? "class " : " class ") + std::to_string(*cls) : "");
    return where + (where.empty() ? "" : ": ") + what;
}

std::string
Finding::ToLine() const
{
    return ToText() + (right.empty() ? "" : "; " + right);
}

void
Findings::Add(Finding finding)
{
    if (m_known.insert(KeyOf(finding)).second)
    {
        m_findings.push_back(std::move(finding));
    }
}

void
Findings::Print(std::ostream& os)
{
    constexpr std::size_t NAMED = 3; // of a rule
    const auto first = m_findings.begin() + static_cast<std::ptrdiff_t>(m_printed);
    m_printed = m_findings.size();
    if (FabricRanks::Own() != 0)
    {
        return; // rank 0 says the same
    }
    std::vector<std::string> rules;
    for (auto finding = first; finding != m_findings.end(); ++finding)
    {
        if (std::find(rules.begin(), rules.end(), finding->rule) != rules.end())
        {
            continue;
        }
        rules.push_back(finding->rule);
        std::vector<const Finding*> all;
        std::for_each(finding, m_findings.end(), [&](const Finding& other) {
            if (other.rule == finding->rule)
            {
                all.push_back(&other);
            }
        });
        std::string line = finding->ToLine();
        if (all.size() > 1)
        {
            line = std::to_string(all.size()) + " findings of rule " + finding->rule + ": ";
            for (std::size_t i = 0; i < std::min(all.size(), NAMED); ++i)
            {
                line += (i > 0 ? ", " : "") + all[i]->ToText();
            }
            line += all.size() > NAMED ? ", ...; findings.csv has all" : "; findings.csv has all";
        }
        // One write, so that processes that share standard error mix no lines.
        os << "lossless: warning: " + line + "\n" << std::flush;
    }
}

std::size_t
Findings::Count(const std::string& rule) const
{
    return static_cast<std::size_t>(
        std::count_if(m_findings.begin(), m_findings.end(), [&rule](const Finding& finding) {
            return finding.rule == rule;
        }));
}

bool
Findings::IsStrictlyWrong() const
{
    return std::any_of(m_findings.begin(), m_findings.end(), [](const Finding& finding) {
        return finding.level == Level::LOSS || finding.level == Level::UNUSED;
    });
}

void
Findings::Shrink(std::size_t count)
{
    for (; m_findings.size() > count; m_findings.pop_back())
    {
        m_known.erase(KeyOf(m_findings.back()));
    }
    m_printed = std::min(m_printed, m_findings.size());
}

} // namespace ns3
