// SPDX-License-Identifier: GPL-2.0-only
#include "refusal.h"

#include "fuzz-target.h"

#include <algorithm>

namespace ns3
{
namespace fuzz
{

void
CheckRefusal(const std::string& said, const std::string& file)
{
    constexpr std::size_t longest = 2600; // a path, and what FabricError shortens
    const bool isPlain = std::none_of(said.begin(), said.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    if (said.empty() || said.size() > longest || !isPlain)
    {
        Defect("a refusal is not one line: \"" + said + "\"");
    }
    if (file.empty())
    {
        return;
    }
    const std::string place = file + ":";
    const bool isPlaced = said.compare(0, place.size(), place) == 0;
    // Of a whole file, only that something is missing.
    const std::string rest = isPlaced ? said.substr(place.size()) : "";
    const bool hasLine = !rest.empty() && rest[0] >= '1' && rest[0] <= '9';
    if (!isPlaced || (!hasLine && rest.find("is missing") == std::string::npos &&
                      rest.find("the file ends here") == std::string::npos &&
                      rest.find("does not reach 100 percent") == std::string::npos))
    {
        Defect("a refusal does not say where: \"" + said + "\"");
    }
}

} // namespace fuzz
} // namespace ns3
