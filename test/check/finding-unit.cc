// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/finding.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/// @param findings some @return what Print() says now
std::string
PrintNew(Findings& findings)
{
    std::ostringstream text;
    findings.Print(text);
    return text.str();
}

TEST(Findings, PrintsOneLineForEachRule)
{
    Findings findings;
    findings.Add({Level::LOSS, "headroom", "leaf 2 port 3", 3, "5 bytes are missing", "set 7"});
    findings.Add({Level::UNUSED, "late", "", {}, "2 flows begin after the end", ""});
    EXPECT_EQ(PrintNew(findings),
              "lossless: warning: leaf 2 port 3 class 3: 5 bytes are missing; set 7\n"
              "lossless: warning: 2 flows begin after the end\n");
    EXPECT_EQ(PrintNew(findings), "") << "once";
    for (const char* const place : {"a", "b", "c", "d"})
    {
        findings.Add({Level::LOSS, "headroom", place, {}, "bytes", "more"});
    }
    findings.Add({Level::INFO, "ecn", "", 3, "late", ""});
    findings.Add({Level::INFO, "ecn", "", 4, "late", ""});
    EXPECT_EQ(PrintNew(findings),
              "lossless: warning: 4 findings of rule headroom: a: bytes, b: bytes, c: bytes, ...; "
              "findings.csv has all\n"
              "lossless: warning: 2 findings of rule ecn: class 3: late, class 4: late; "
              "findings.csv has all\n");
}

TEST(Findings, KeepsEachOnce)
{
    Findings findings;
    findings.Add({Level::LOSS, "lost", "leaf 0", 3, "9 frames", "a"});
    findings.Add({Level::LOSS, "lost", "leaf 0", 3, "9 frames", "b"});
    EXPECT_EQ(findings.Count("lost"), 1U);
    findings.Add({Level::LOSS, "lost", "leaf 0", 4, "9 frames", "a"});
    findings.Add({Level::LOSS, "lost", "leaf 1", 3, "9 frames", "a"});
    findings.Add({Level::LOSS, "map", "leaf 0", 3, "9 frames", "a"});
    EXPECT_EQ(findings.Get().size(), 4U);
}

TEST(Findings, ForgetsThoseOfARun)
{
    Findings findings;
    const Finding ofFabric{Level::INFO, "ecn", "leaf 0", 3, "late", ""};
    const Finding ofRun{Level::LOSS, "lost", "", {}, "9 frames", ""};
    findings.Add(ofFabric);
    findings.Add(ofRun);
    EXPECT_TRUE(findings.IsStrictlyWrong());
    PrintNew(findings);
    findings.Shrink(1);
    EXPECT_FALSE(findings.IsStrictlyWrong());
    findings.Add(ofFabric);
    findings.Add(ofRun);
    EXPECT_EQ(PrintNew(findings), "lossless: warning: 9 frames\n");
}

} // namespace
