// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JSON_LINES_WRITER_H
#define LOSSLESS_JSON_LINES_WRITER_H

#include "job-graph.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Writes a graph as JSON lines, all that it has, such that JsonLinesReader reads the same. The id
 * of an operation is its number in its rank, from 1.
 *
 * @code
 * std::ofstream file("job.jsonl");
 * JsonLinesWriter(graph).Write(file);
 * @endcode
 */
class JsonLinesWriter
{
  public:
    /// @param graph it must live as long as the writer
    explicit JsonLinesWriter(const JobGraph& graph);

    /// Write the graph. @param to gets the text
    void Write(std::ostream& to) const;

  private:
    /// Write the first line. @param to gets it
    void WriteHeader(std::ostream& to) const;
    /// @param operation what @return its keys and values
    std::string TextOf(const JobOperation& operation) const;
    /// @param operation a send or a receive @return its keys and values
    static std::string MessageOf(const JobOperation& operation);
    /// @param operation a collective @return its keys and values
    std::string CollectiveOf(const JobOperation& operation) const;

    const JobGraph& m_graph;
};

} // namespace ns3

#endif // LOSSLESS_JSON_LINES_WRITER_H
