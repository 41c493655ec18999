// SPDX-License-Identifier: GPL-2.0-only

// The first byte of an input chooses between two kinds of fabrics, and the others decide what the
// fabric is like. What passes CheckLossless() drops nothing lossless:
// - a small fabric, whose settings change while it carries flows: all flows complete, no pause
//   stays, and all books are empty at the end;
// - a switch, with the worst traffic for its buffers.

#include "fuzz-target.h"
#include "random-scene.h"
#include "random-settings.h"

#include "ns3/config.h"
#include "ns3/simulator.h"

#include <sstream>

using namespace ns3;
using namespace ns3::fuzz;
using namespace ns3::tests;

namespace
{

/// What all fabrics had in them.
struct Tally
{
    uint64_t fabrics{0};
    uint64_t lossless{0}; //!< by the check, to the end
    uint64_t worst{0};    //!< switches with the worst traffic
    uint64_t passed{0};   //!< those of them that pass the check
    RandomSettings::Changes changes;
};

Tally g_tally;

/// A fabric whose settings change. @param data the first half decides the fabric and its flows, the
/// second half the changes
void
RunSettings(const std::vector<uint8_t>& data)
{
    const auto middle = data.begin() + static_cast<std::ptrdiff_t>(data.size() / 2);
    RandomSettings settings(Dice(std::vector<uint8_t>(data.begin(), middle)),
                            Dice(std::vector<uint8_t>(middle, data.end())),
                            RandomFabric::SMALL);
    const std::string wrong = settings.Run();
    if (!wrong.empty())
    {
        Defect(wrong + ": " + settings.Describe());
    }
    const RandomSettings::Changes& changes = settings.GetChanges();
    ++g_tally.fabrics;
    g_tally.lossless += settings.IsLossless();
    g_tally.changes.made += changes.made;
    g_tally.changes.stored += changes.stored;
    g_tally.changes.paused += changes.paused;
    g_tally.changes.refused += changes.refused;
}

/// A switch with the worst traffic. @param data decides the switch and its links
void
RunWorstCase(const std::vector<uint8_t>& data)
{
    const RandomScene random{Dice(data)};
    const bool passes = random.scene->Check().empty();
    random.scene->Run();
    const std::string wrong = random.scene->fabricSwitch->GetMmu()->CheckInvariants();
    if (!wrong.empty() || (passes && random.scene->GetDrops() > 0))
    {
        Defect((wrong.empty() ? "passes the check, and drops" : wrong) + ": " + random.text);
    }
    ++g_tally.worst;
    g_tally.passed += passes;
}

} // namespace

std::vector<std::string>
ns3::fuzz::GetSeeds(const std::string&)
{
    std::vector<std::string> seeds;
    for (uint64_t seed = 0; seed < 64; ++seed)
    {
        Dice dice(seed);
        std::string bytes(400, '\0');
        for (char& byte : bytes)
        {
            byte = static_cast<char>(dice.Below(256));
        }
        bytes[0] = static_cast<char>(seed & 1);
        seeds.push_back(bytes);
    }
    return seeds;
}

std::vector<std::string>
ns3::fuzz::GetWords()
{
    return {std::string(1, '\0'), "\xff", std::string("\xff\xff\xff", 3)};
}

std::string
ns3::fuzz::GetTally()
{
    std::ostringstream text;
    text << "  " << g_tally.fabrics << " fabrics, " << g_tally.lossless
         << " lossless by the check to the end; " << g_tally.changes.made
         << " changes of settings, " << g_tally.changes.stored << " with frames stored, "
         << g_tally.changes.paused << " under a pause, " << g_tally.changes.refused
         << " refused\n  " << g_tally.worst << " switches with the worst traffic, "
         << g_tally.passed << " of which pass the check\n";
    return text.str();
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (Time::GetResolution() != Time::PS) // by libFuzzer: the driver has set it
    {
        Time::SetResolution(Time::PS);
    }
    if (size > 0)
    {
        const std::vector<uint8_t> rest(data + 1, data + size);
        data[0] & 1 ? RunWorstCase(rest) : RunSettings(rest);
    }
    Simulator::Destroy();
    return 0;
}
