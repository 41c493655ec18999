// SPDX-License-Identifier: GPL-2.0-only
#include "chakra-files.h"

#include "ns3/chakra-writer.h"
#include "ns3/fabric-error.h"
#include "ns3/result-file.h"

#include <filesystem>
#include <ostream>

namespace ns3
{

std::set<std::string>
ChakraFiles::Write(const JobGraph& graph, const std::string& prefix)
{
    const auto nameOf = [&prefix](uint32_t rank) {
        return prefix + "." + std::to_string(rank) + ".et";
    };
    ChakraWriter writer(graph);
    std::ostream nowhere(nullptr);
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        writer.Write(rank, nowhere);
    }
    if (const std::string more = nameOf(graph.GetNRanks()); std::filesystem::exists(more))
    {
        throw FabricError(more,
                          0,
                          "is of another trace, of more than " + std::to_string(graph.GetNRanks()) +
                              " ranks; remove that trace, or choose another prefix");
    }
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        ResultFile::Make(nameOf(rank), [&](std::ostream& to) { writer.Write(rank, to); });
    }
    ResultFile::Make(prefix + ".groups.json", [&](std::ostream& to) { writer.WriteGroups(to); });
    return writer.GetUnsaid();
}

} // namespace ns3
