// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SIMAI_READER_H
#define LOSSLESS_SIMAI_READER_H

#include "job-graph.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class TextFile;

/// @ingroup lossless
/// How a workload of SimAI is run.
struct SimAiOptions
{
    /// Times that the layers are gone through, forward and backward; each pass waits for the
    /// weight gradients of the one before.
    uint32_t passes{1};
    /// Ranks, where the file does not say how many there are; 0: it says so.
    uint32_t ranks{0};
    /// GPUs that there are: a file with more ranks is refused before anything is built.
    uint32_t room{JobGraph::MOST_RANKS};
    /// Operations of all ranks together.
    uint64_t mostOperations{uint64_t{1} << 28};
};

/**
 * @ingroup lossless
 *
 * Reads a workload in the text form of SimAI and AICB: a line with the parallelism, then a line for
 * each layer with the times and collectives of forward, input gradient and weight gradient. All
 * ranks do the same. Groups are named tp0, dp0, ep0, dpep0, ...: ranks of a tensor group follow
 * each other, then those of expert groups, data groups, pipeline stages.
 *
 * A pass: for each layer calculate and wait for the collective; then back, where the collectives of
 * weight gradients are waited for by the next pass only. The update of weights comes behind its
 * collective, on a stream of its own.
 *
 * @code
 * SimAiReader reader;
 * const JobGraph graph = reader.Read("gpt-13b.txt");
 * @endcode
 */
class SimAiReader
{
  public:
    static constexpr uint32_t UPDATE_STREAM = 1; //!< updates of weights; layers are on stream 0

    /// @param options how the workload is run
    explicit SimAiReader(SimAiOptions options = {});
    ~SimAiReader();
    SimAiReader(const SimAiReader&) = delete;
    SimAiReader& operator=(const SimAiReader&) = delete;

    /// @param path a workload @return what its ranks do; FabricError with file and line when it
    /// makes no sense
    JobGraph Read(const std::string& path);

    /// @return what the last file has and has no effect, one line each
    const std::set<std::string>& GetWarnings() const
    {
        return m_warnings;
    }

  private:
    /// Who takes part.
    enum Parallelism : uint8_t
    {
        TENSOR,     //!< ranks that share layers
        DATA,       //!< copies
        EXPERT,     //!< ranks that share experts
        DATA_EXPERT //!< data parallel, within those that have the same experts
    };

    /// Calculation and collective of a layer.
    struct Step
    {
        uint64_t ns{0};
        uint64_t bytes{0};
        std::optional<CollectiveType> type; //!< none: there is no collective
        Parallelism parallelism{TENSOR};
    };

    /// A line of the file.
    struct Layer
    {
        std::string name;
        uint64_t line{0};
        std::array<Step, 3> steps; //!< forward, input gradient, weight gradient
        uint64_t update{0};        //!< ns
    };

    /// What the first line says.
    struct Header
    {
        bool isMicro{false}; //!< a list of tests
        uint64_t tensor{1};  //!< ranks of a tensor group
        uint64_t expert{1};
        uint64_t pipeline{1};
        uint64_t ranks{0};
    };

    /// Read the first line.
    void ReadHeader();
    /// Read what kind of workload it is. @param policy first word of the file
    void ReadPolicy(const std::string& policy);
    /// FabricError unless the numbers of the first line fit together.
    void RequireDivisible();
    /// @return the layers
    std::vector<Layer> ReadLayers();
    /// @return a layer, read from its line
    Layer ReadLayer();
    /// @param field the first of the three fields of a step @param other for a collective without
    /// suffix @return the step
    Step ReadStep(std::size_t field, Parallelism other);
    /// Add the groups.
    void AddGroups();
    /// @param rank its number @param parallelism of a collective @return its group; none: it is
    /// alone
    std::optional<uint32_t> GroupOf(uint32_t rank, Parallelism parallelism) const;
    /// Add what a rank does. @param rank its number @param layers of the file
    void AddRank(uint32_t rank, const std::vector<Layer>& layers);
    /// Add a calculation, if it takes time, and a collective. @param rank its number @param layer
    /// its layer @param step what @param after operations before @return the last operations: those
    /// that what follows waits for
    std::vector<uint32_t> AddStep(uint32_t rank,
                                  const Layer& layer,
                                  const Step& step,
                                  const std::vector<uint32_t>& after);
    /// Add an operation. @param rank its number @param layer its layer @param operation what
    /// @param after operations before @return its index
    uint32_t AddOperation(uint32_t rank,
                          const Layer& layer,
                          JobOperation operation,
                          const std::vector<uint32_t>& after);

    SimAiOptions m_options;
    std::unique_ptr<TextFile> m_file;
    std::unique_ptr<JobGraph> m_graph;
    Header m_header;
    std::array<std::vector<uint32_t>, 4> m_groups; //!< by parallelism and rank; empty: alone
    std::set<std::string> m_warnings;
};

} // namespace ns3

#endif // LOSSLESS_SIMAI_READER_H
