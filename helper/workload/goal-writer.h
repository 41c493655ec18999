// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GOAL_WRITER_H
#define LOSSLESS_GOAL_WRITER_H

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
 * Writes a graph in the text form of GOAL, such that GoalReader reads the same. Collectives are
 * refused: GOAL has messages only. Names that can be labels are labels.
 *
 * @code
 * std::ofstream file("job.goal");
 * GoalWriter(graph).Write(file);
 * @endcode
 */
class GoalWriter
{
  public:
    /// @param graph it must live as long as the writer
    explicit GoalWriter(const JobGraph& graph);

    /// Write the graph; FabricError for what GOAL cannot say and a run cannot do without.
    /// @param to gets the text
    void Write(std::ostream& to);

    /// @return what GOAL cannot say and was left out, one line each
    const std::set<std::string>& GetUnsaid() const
    {
        return m_unsaid;
    }

  private:
    /// Write the block of a rank. @param rank its number @param to gets the text
    void WriteRank(uint32_t rank, std::ostream& to);
    /// @param operation what @return it, without its label; FabricError when GOAL has none such
    std::string TextOf(const JobOperation& operation);
    /// @param rank its number @return the label of each operation; "": it needs none
    std::vector<std::string> LabelsOf(uint32_t rank);
    /// Refuse an operation. @param operation which @param why what is wrong
    [[noreturn]] void Fail(const JobOperation& operation, const std::string& why) const;

    const JobGraph& m_graph;
    uint32_t m_rank{0}; //!< that is written
    std::set<std::string> m_unsaid;
};

} // namespace ns3

#endif // LOSSLESS_GOAL_WRITER_H
