// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GOAL_READER_H
#define LOSSLESS_GOAL_READER_H

#include "job-graph.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class GoalScanner;

/// @ingroup lossless
/// How a file in GOAL is meant.
struct GoalOptions
{
    /// A send of up to so many bytes is done when the NIC has it, a longer one with its last ACK.
    uint64_t eagerBytes{65535};
    /// A message may be shorter than the operation that receives it.
    bool looseSizes{false};
    /// Nanoseconds that each send takes before it starts, and each receive after it has come, on
    /// their cpu.
    uint64_t sendOverhead{0};
    /// The sends of a rank go one after another through each nic, each when the last ACK of the one
    /// before has come.
    bool serialSends{false};
    /// GPUs that there are: a file with more ranks is refused before anything is built.
    uint32_t room{JobGraph::MOST_RANKS};
};

/**
 * @ingroup lossless
 *
 * Reads a schedule in the text form of GOAL, as LogGOPSim and ATLAHS have it: `calc` in
 * nanoseconds, `send`, `recv`, `requires` and `irequires`. cpu n is stream n, nic n is port n of
 * the host; without one the job chooses. Labels become the names of operations, lines their places.
 * The file is not held: it may be as long as the graph has room.
 *
 * @code
 * const JobGraph graph = GoalReader().Read("allreduce.goal");
 * @endcode
 */
class GoalReader
{
  public:
    static constexpr uint64_t MOST_BYTE = 255;       //!< of a cpu and a nic
    static constexpr uint64_t MOST_TAG = 0xffffffff; //!< of a message

    /// @param options how the file is meant
    explicit GoalReader(GoalOptions options = {});
    ~GoalReader();
    GoalReader(const GoalReader&) = delete;
    GoalReader& operator=(const GoalReader&) = delete;

    /// @param path a file in GOAL, compressed or not @return what it says; FabricError with file
    /// and line when it makes no sense
    JobGraph Read(const std::string& path);

  private:
    /// The operations that a label means.
    struct Label
    {
        uint32_t rank{JobOperation::ANY}; //!< where it is; another rank: not there
        uint32_t first{0};                //!< starts when what it requires is done
        uint32_t last{0};                 //!< ends when it is done
    };

    /// Read "num_ranks" and its number. @return it
    uint32_t ReadHeader();
    /// Read the block of a rank. @param rank its number
    void ReadRank(uint32_t rank);
    /// Read a line of a rank. @param rank its number
    void ReadStatement(uint32_t rank);
    /// Read an operation. @param rank its number @param label it, or "" @param word calc, send or
    /// recv
    void ReadOperation(uint32_t rank, const std::string& label, const std::string& word);
    /// @return a calculation, read behind its word
    JobOperation ReadCalc();
    /// @return a send or a receive, read behind its word @param isSend which @param cpu gets its
    /// cpu
    JobOperation ReadMessage(bool isSend, uint32_t& cpu);
    /// Add a send or a receive, with its overhead. @param rank its rank @param operation what
    /// @param cpu where the overhead runs @return what its label means
    Label AddMessage(uint32_t rank, const JobOperation& operation, uint32_t cpu);
    /// Read a dependency. @param rank its number @param label the word before
    void ReadDependency(uint32_t rank, const std::string& label);
    /// @return what a label means. @param rank its number @param label it
    const Label& Find(uint32_t rank, const std::string& label) const;
    /// Read what may come behind a word. @param word such as "cpu" @return whether it came
    bool Take(const char* word);
    /// @return a number, read. @param what its name @param max the largest allowed
    uint64_t TakeNumber(const char* what, uint64_t max);
    /// FabricError if operations of a rank wait for each other. @param rank its number
    void RequireNoCycle(uint32_t rank) const;
    /// Sends of a rank wait for the ones before. @param rank its number
    void SerialiseSends(uint32_t rank);

    GoalOptions m_options;
    std::unique_ptr<GoalScanner> m_scanner;
    std::unique_ptr<JobGraph> m_graph;
    std::vector<Label> m_labels;   //!< by number of the text
    std::vector<uint64_t> m_lines; //!< of the edges of the rank
};

} // namespace ns3

#endif // LOSSLESS_GOAL_READER_H
