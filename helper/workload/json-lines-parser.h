// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JSON_LINES_PARSER_H
#define LOSSLESS_JSON_LINES_PARSER_H

#include "job-graph.h"
#include "json-lines-reader.h"

#include <boost/property_tree/ptree_fwd.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Reads one file of JSON lines; JsonLinesReader makes it.
class JsonLinesParser
{
  public:
    /// @param options how much the file may ask for
    explicit JsonLinesParser(JsonLinesOptions options);

    /// @param path the file @return what it says
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

#endif // LOSSLESS_JSON_LINES_PARSER_H
