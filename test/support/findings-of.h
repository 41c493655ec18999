// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FINDINGS_OF_H
#define LOSSLESS_FINDINGS_OF_H

#include "ns3/finding.h"

#include <string>
#include <vector>

namespace ns3
{

/// @param findings some @param rule which of them; empty: all @return their lines; empty: none
inline std::string
FindingsOf(const std::vector<Finding>& findings, const std::string& rule = "")
{
    std::string lines;
    for (const Finding& finding : findings)
    {
        if (rule.empty() || finding.rule == rule)
        {
            lines += "[" + finding.rule + "] " + finding.ToLine() + "\n";
        }
    }
    return lines;
}

} // namespace ns3

#endif // LOSSLESS_FINDINGS_OF_H
