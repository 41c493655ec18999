// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JSON_LINES_READER_H
#define LOSSLESS_JSON_LINES_READER_H

#include "job-graph.h"

#include <boost/property_tree/ptree_fwd.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// How much a file of JSON lines may ask for.
struct JsonLinesOptions
{
    /// Operations of all ranks together; `"rank": "all"` makes many of a line.
    uint64_t mostOperations{uint64_t{1} << 28};
};

/**
 * @ingroup lossless
 *
 * Reads a graph as JSON lines: an object a line, the first one about the job, each other one an
 * operation of a rank, or of all.
 *
 * @code{.json}
 * {"format": "lossless-graph", "version": 1, "ranks": 8, "groups": {"tp0": [0, 1, 2, 3]}}
 * {"rank": 0, "id": 1, "op": "calc", "ns": 100000, "stream": 0}
 * {"rank": 0, "id": 2, "op": "coll", "type": "all-reduce", "bytes": 1048576, "group": "tp0",
 * "after": [1]}
 * {"rank": 0, "id": 3, "op": "send", "to": 4, "bytes": 65536, "tag": 7, "after": [2]}
 * {"rank": 4, "id": 1, "op": "recv", "from": 0, "bytes": 65536, "tag": 7}
 * {"rank": "all", "id": 9, "op": "coll", "type": "barrier"}
 * @endcode
 *
 * `after` and `afterStart` have ids of the same rank, above or below. Unknown keys are refused.
 */
class JsonLinesReader
{
  public:
    /// @param options how much a file may ask for
    explicit JsonLinesReader(JsonLinesOptions options = {});
    ~JsonLinesReader();
    JsonLinesReader(const JsonLinesReader&) = delete;
    JsonLinesReader& operator=(const JsonLinesReader&) = delete;

    /// @param path a file, compressed or not @return what it says; FabricError with file and line
    /// when it makes no sense
    JobGraph Read(const std::string& path);

  private:
    using Tree = boost::property_tree::ptree;

    /// An operation that waits for others.
    struct Wait
    {
        uint32_t rank{0};
        uint32_t index{0};
        uint64_t id{0}; //!< of the other
        uint64_t line{0};
        bool atStart{false};
    };

    /// Read the first line. @param path of the file @param line it
    void ReadHeader(const std::string& path, const Tree& line);
    /// Read an operation. @param line it @param number of the line
    void ReadOperation(const Tree& line, uint64_t number);
    /// Add an operation to a rank. @param rank its number @param line it @param operation what it
    /// says
    void AddTo(uint32_t rank, const Tree& line, const JobOperation& operation);
    /// @param line an operation @return what it does
    JobOperation OperationOf(const Tree& line);
    /// @param line a calculation @return what it does
    JobOperation CalcOf(const Tree& line) const;
    /// @param line a send or a receive @param isSend which @return what it does
    JobOperation MessageOf(const Tree& line, bool isSend) const;
    /// @param line a collective @return what it does
    JobOperation CollectiveOf(const Tree& line);
    /// Add what operations wait for.
    void AddWaits();
    /// FabricError if operations of a rank wait for each other. @param rank its number
    void RequireNoCycle(uint32_t rank) const;

    JsonLinesOptions m_options;
    std::unique_ptr<JobGraph> m_graph;
    uint64_t m_operations{0};                                  //!< so far
    std::vector<std::unordered_map<uint64_t, uint32_t>> m_ids; //!< by rank
    std::vector<Wait> m_waits;
};

} // namespace ns3

#endif // LOSSLESS_JSON_LINES_READER_H
