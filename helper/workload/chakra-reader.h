// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_READER_H
#define LOSSLESS_CHAKRA_READER_H

#include "job-graph.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

struct ChakraNode;

/// @ingroup lossless
/// How execution traces of Chakra are meant.
struct ChakraOptions
{
    /// Nodes wait for their ctrl_deps, too. In traces of PyTorch these name nodes that are not
    /// there.
    bool controlDependencies{false};
    /// Nodes of unknown types take their duration.
    bool skipUnknown{false};
    /// Nodes with the same `stream` run one after another, in the order of the file.
    bool useStreams{false};
    /// Sends and collectives of a rank run one after another, as with astra-sim.
    bool serialComm{false};
    /// File with groups in JSON, such as {"1": [0, 1], "2": [2, 3]}; empty: none.
    std::string groupsFile;
    /// Operations/s of a GPU; with memoryBandwidth: COMP with num_ops takes what its operations and
    /// its bytes need, in place of its duration. 0: it takes its duration.
    double peakFlops{0};
    /// Bytes/s of the memory of a GPU.
    double memoryBandwidth{0};
    /// Bytes/s of MEM_LOAD and MEM_STORE; 0: they take no time but the latency.
    double remoteMemoryBandwidth{0};
    /// Nanoseconds of each MEM_LOAD and MEM_STORE.
    uint64_t remoteMemoryLatency{0};
};

/**
 * @ingroup lossless
 *
 * Reads execution traces of Chakra, a file for each rank: prefix.0.et, prefix.1.et and so on,
 * compressed or not. Ids of nodes become the places of operations. comm_size of an all-gather, what
 * one rank gives, becomes the total output.
 *
 * COMP runs on stream GPU_STREAM, those of the CPU on CPU_STREAM, memory on MEMORY_STREAM.
 *
 * @code
 * ChakraReader reader;
 * const JobGraph graph = reader.Read("traces/resnet"); // traces/resnet.0.et, ...
 * @endcode
 */
class ChakraReader
{
  public:
    static constexpr uint32_t GPU_STREAM = 0;             //!< COMP
    static constexpr uint32_t CPU_STREAM = 0x80000000;    //!< COMP with is_cpu_op
    static constexpr uint32_t MEMORY_STREAM = 0x80000001; //!< MEM_LOAD and MEM_STORE
    static constexpr uint32_t IDLE_STREAM = 0x80000002;   //!< what takes no time

    /// @param options how the traces are meant; FabricError when they contradict each other
    explicit ChakraReader(ChakraOptions options = {});
    ~ChakraReader();
    ChakraReader(const ChakraReader&) = delete;
    ChakraReader& operator=(const ChakraReader&) = delete;

    /// @param prefix of the files, with its folder @return what they say; FabricError with file and
    /// byte or node when they make no sense
    JobGraph Read(const std::string& prefix);

    /// @return what the last files have and has no effect, one line each
    const std::set<std::string>& GetWarnings() const
    {
        return m_warnings;
    }

  private:
    static constexpr uint32_t NO_OPERATION = 0xffffffff; //!< a node that is done at once

    /// @return the number of files that follow each other; FabricError when one is missing
    uint32_t CountRanks() const;
    /// @return the file of a rank. @param rank its number
    std::string PathOf(uint32_t rank) const;
    /// Read the file of groups.
    void ReadGroups();
    /// Add a group. @param number by which nodes name it @param ranks its members; none: all
    /// @param where the file and the node that say so @param name of it
    void DefineGroup(const std::string& number,
                     std::vector<uint32_t> ranks,
                     const std::string& where,
                     const std::string& name);
    /// Read the groups of a node of type METADATA, if it has some. @param node it
    void ReadProcessGroups(const ChakraNode& node);
    /// Read the file of rank m_rank.
    void ReadRank();
    /// @return the nodes of the file of m_rank
    std::vector<ChakraNode> ReadNodes() const;
    /// Add what a node does. @param node it
    void AddNode(const ChakraNode& node);
    /// Take what Chakra does not have. @param node that says it @param operation gets it
    void TakeOwn(const ChakraNode& node, JobOperation& operation);
    /// @param node any but of communication @return what it does
    JobOperation CalcOf(const ChakraNode& node);
    /// @param node of type COMP @return its nanoseconds
    uint64_t TimeOf(const ChakraNode& node);
    /// @param node of type COMM_COLL @return what it does
    JobOperation CollectiveOf(const ChakraNode& node);
    /// @param node of type COMM_SEND or COMM_RECV @return what it does
    JobOperation MessageOf(const ChakraNode& node);
    /// @param node of communication @return its group, which has m_rank
    uint32_t GroupOf(const ChakraNode& node);
    /// @param node of communication @param peer a rank of its @param name of the attribute
    /// @return it; FabricError when there is no such rank
    uint32_t PeerOf(const ChakraNode& node,
                    const std::optional<uint64_t>& peer,
                    const char* name) const;
    /// Add what nodes wait for. @param nodes of the file
    void AddDependencies(const std::vector<ChakraNode>& nodes);
    /// Nodes of a stream wait for the ones before. @param nodes of the file
    void SerialiseStreams(const std::vector<ChakraNode>& nodes);
    /// Sends and collectives wait for the ones before.
    void SerialiseMessages();
    /// FabricError if operations wait for each other. @param hint what might help
    void RequireNoCycle(const std::string& hint) const;
    /// Refuse the file of m_rank. @param what is wrong @param right what would be right
    [[noreturn]] void Fail(const std::string& what, const std::string& right = "") const;
    /// Refuse a node. @param node it @param what is wrong @param right what would be right
    [[noreturn]] void Fail(const ChakraNode& node,
                           const std::string& what,
                           const std::string& right = "") const;

    ChakraOptions m_options;
    std::string m_prefix;
    std::unique_ptr<JobGraph> m_graph;
    std::unordered_map<std::string, uint32_t> m_groups;  //!< by name: number
    uint32_t m_rank{0};                                  //!< whose file is read
    std::unordered_map<uint64_t, uint32_t> m_operations; //!< of the file, by id of the node
    std::set<uint32_t> m_ownGroups;                      //!< known to have the rank
    std::set<uint32_t> m_groupsOfFile;                   //!< numbers, of the file of groups
    std::set<std::string> m_warnings;
};

} // namespace ns3

#endif // LOSSLESS_CHAKRA_READER_H
