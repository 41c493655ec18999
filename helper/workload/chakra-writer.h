// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_WRITER_H
#define LOSSLESS_CHAKRA_WRITER_H

#include "job-graph.h"

#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Writes a graph as execution traces of Chakra, such that ChakraReader reads the same. Times that
 * are no whole microseconds also stand in an attribute of ours, duration_nanos. What Chakra has no
 * word for and the run needs, such as receives from any rank, is refused; groups have numbers.
 *
 * @code
 * ChakraWriter writer(graph);
 * for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
 * {
 *     std::ofstream file("job." + std::to_string(rank) + ".et", std::ios::binary);
 *     writer.Write(rank, file);
 * }
 * @endcode
 */
class ChakraWriter
{
  public:
    /// @param graph it must live as long as the writer
    explicit ChakraWriter(const JobGraph& graph);

    /// Write the file of a rank. FabricError for what Chakra cannot say. @param rank its number
    /// @param to gets the bytes
    void Write(uint32_t rank, std::ostream& to);

    /// Write the groups in JSON, as astra-sim reads them. @param to gets the text
    void WriteGroups(std::ostream& to) const;

    /// @return what Chakra cannot say and was left out, one line each
    const std::set<std::string>& GetUnsaid() const
    {
        return m_unsaid;
    }

  private:
    /// @return the number of a group for pg_name. @param group of the graph
    std::string NameOf(uint32_t group) const;
    /// @param rank its number @return the node with its groups; "": it has none
    std::string GroupsOf(uint32_t rank) const;
    /// @param rank its number @param index of an operation @param parents of it @return its node
    std::string NodeOf(uint32_t rank, uint32_t index, const std::vector<uint32_t>& parents);
    /// @param operation with a stream of its own @return its attributes of that
    static std::string StreamOf(const JobOperation& operation);
    /// @param operation a collective @return its attributes
    std::string CollectiveOf(const JobOperation& operation);
    /// @param operation a send or a receive @return its attributes
    std::string MessageOf(const JobOperation& operation);
    /// Refuse an operation. @param operation it @param why what is wrong
    [[noreturn]] void Fail(const JobOperation& operation, const std::string& why) const;

    const JobGraph& m_graph;
    std::vector<uint64_t> m_firstId; //!< of the nodes of each rank
    bool m_hasNumbers{true};         //!< the names of all groups are numbers
    uint32_t m_rank{0};              //!< that is written
    std::set<std::string> m_unsaid;
};

} // namespace ns3

#endif // LOSSLESS_CHAKRA_WRITER_H
