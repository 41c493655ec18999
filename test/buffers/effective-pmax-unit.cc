// SPDX-License-Identifier: GPL-2.0-only

// The marking probability that the CNPs of a receiver leave, in closed form.

#include "ns3/effective-pmax.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace ns3;

TEST(EffectivePmax, IsCnpsOverPackets)
{
    EXPECT_NEAR(EffectivePmax(2227007, MicroSeconds(50)), 20000.0 / 2227007, 1e-12);
    EXPECT_NEAR(EffectivePmax(2227007, MicroSeconds(4)), 250000.0 / 2227007, 1e-12);
    EXPECT_EQ(EffectivePmax(20000, MicroSeconds(50)), 1); // a packet for each CNP
    EXPECT_EQ(EffectivePmax(1000, MicroSeconds(50)), 1);
    EXPECT_EQ(EffectivePmax(2227007, Time(0)), 1); // a CNP for each mark
}

TEST(EffectivePmax, TheTableHasALineForEachRateAndMtu)
{
    HeadroomTexts texts;
    texts.rates = {"25Gbps", "100Gbps"};
    texts.mtus = {"1500", "4200"};
    std::ostringstream printed;
    PrintEffectivePmax(printed, texts.Read(), 8, MicroSeconds(50));
    std::istringstream lines(printed.str());
    std::string line;
    for (int i = 0; i < 2; ++i)
    {
        std::getline(lines, line);
    }
    for (const double rate : {25e9, 100e9})
    {
        for (const double mtu : {1500, 4200})
        {
            double values[6] = {}; // Gb/s, MTU, flows, packets, CNPs, percent
            for (double& value : values)
            {
                std::string word;
                lines >> word;
                word.erase(std::remove(word.begin(), word.end(), ','), word.end());
                value = std::stod(word);
            }
            const double packets = rate / 8 / (mtu + 42) / 8; // 42: headers, FCS, preamble and gap
            EXPECT_EQ(values[0], rate / 1e9);
            EXPECT_EQ(values[1], mtu);
            EXPECT_EQ(values[2], 8);
            EXPECT_NEAR(values[3], packets, 0.5);
            EXPECT_EQ(values[4], 20000);
            EXPECT_NEAR(values[5], 100 * 20000 / packets, 0.0005);
        }
    }
    EXPECT_EQ(lines >> line ? line : "", "");
}
