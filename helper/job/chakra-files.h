// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_FILES_H
#define LOSSLESS_CHAKRA_FILES_H

#include "ns3/job-graph.h"

#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The files of a Chakra trace: PREFIX.0.et, PREFIX.1.et, ..., and PREFIX.groups.json.
 */
class ChakraFiles
{
  public:
    /**
     * Write a graph. FabricError, before the first file is touched, if Chakra cannot say it, or if
     * there is a file of a rank that the graph does not have: readers would take it for one.
     * @param graph what ranks do @param prefix of the names
     * @return what Chakra cannot say and was left out, one line each
     */
    static std::set<std::string> Write(const JobGraph& graph, const std::string& prefix);
};

} // namespace ns3

#endif // LOSSLESS_CHAKRA_FILES_H
