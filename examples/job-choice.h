// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_CHOICE_H
#define LOSSLESS_JOB_CHOICE_H

#include "ns3/core-module.h"
#include "ns3/lossless-jobs-module.h"
#include "ns3/lossless-module.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What the user of lossless-job says of a job: what its ranks do, where they are, and how the job
/// runs.
class JobChoice
{
  public:
    /// Make the options of a job. @param program gets them; the choice must outlive it
    void AddTo(ns3::FabricProgram& program);

    /// @return names of the options of a job
    static std::set<std::string> GetNames();

    /// Read what a file says of the job, an option a line, such as "ranks=4", with comments behind
    /// #; the rest stays as it is. The job is called as the file is, unless it says otherwise.
    /// @param path the file; FabricError with its line when it makes no sense
    /// @param ofProgram names of options that are not of a job alone
    void Read(const std::string& path, const std::vector<std::string>& ofProgram);

    /// @param name of an option of a job @return whether the file says it, or implies it
    bool Says(const std::string& name) const;

    /// @param error of the job @return it, with the file and in its words if there is one
    ns3::FabricError InWordsOfFile(const ns3::FabricError& error) const;

    /// Options that name files, and the files; "" where an option is not given.
    using Files = std::vector<std::pair<std::string, std::string>>;

    /// @return files that are written
    Files GetOutputs() const;

    /// Write the graph where the user wants it. @param graph it
    void WriteGraph(const ns3::JobGraph& graph) const;

    /// Make what the ranks do.
    /// @param room how many GPUs are free @return it; FabricError when the options or the files
    /// make no sense
    ns3::JobGraph MakeGraph(uint32_t room);

    /// Put the ranks on GPUs. @param cluster whose @param placement of it, which knows those that
    /// are free @param ranks how many
    /// @param draw of the policy `random` @return their places
    std::vector<ns3::RankPlace> Place(const ns3::GpuCluster& cluster,
                                      const ns3::RankPlacement& placement,
                                      uint32_t ranks,
                                      const ns3::Ptr<ns3::UniformRandomVariable>& draw);

    /// @param cluster on which the job runs @return how it runs
    ns3::JobOptions MakeOptions(const ns3::GpuCluster& cluster) const;

    /// @param text fields with colons between @return the fields
    static std::vector<std::string> SplitAtColons(const std::string& text);

  private:
    /// Make the options of training. @param program gets them
    void AddTraining(ns3::FabricProgram& program);
    /// Make the options of Chakra's traces. @param program gets them
    void AddTraces(ns3::FabricProgram& program);
    /// Make the options of how the job runs. @param program gets them
    void AddRun(ns3::FabricProgram& program);
    /// @param text of a message @return it without the dashes of options of a job
    static std::string WithoutDashes(const std::string& text);
    /// Read a line of a file. @param line it, without comments and blanks @param number which
    /// @param options get what it says @param ofProgram names of options that are not of a job
    /// alone
    void ReadLine(const std::string& line,
                  uint64_t number,
                  ns3::FabricProgram& options,
                  const std::vector<std::string>& ofProgram);
    /// FabricError unless there is one source of the job, or none.
    void RequireOneSource() const;
    /// @param room GPUs that are free @return what the source says that ranks do
    ns3::JobGraph ReadGraph(uint32_t room);
    /// @param room GPUs that are free @return a job of one collective
    ns3::JobGraph MakeCollective(uint32_t room) const;
    /// @return an iteration of training
    ns3::JobGraph MakeTraining(uint32_t room);
    /// @return an iteration of what traces of Chakra say
    ns3::JobGraph ReadChakra();

    std::string m_chakra;
    ns3::ChakraOptions m_traces; //!< how --chakra is meant
    std::string m_goal;
    std::string m_simai;
    std::string m_graph;
    std::string m_collective; //!< empty: all-reduce:1MiB, where there is no other source
    std::string m_model;
    std::string m_dataParallel{"all-reduce"};
    ns3::TrainingOptions m_training;
    std::string m_peakFlops; //!< empty: what --model has, and the durations of --chakra
    std::string m_writeGraph;
    std::string m_writeGoal;
    std::string m_writeChakra;
    std::string m_ranksText;         //!< of --ranks
    std::optional<uint32_t> m_ranks; //!< of --ranks, if given
    std::string m_placement{"packed"};
    std::string m_nic{"rail"};
    ns3::JobOptions m_job;
    std::string m_path;                      //!< of Read(); empty: none
    std::map<std::string, uint64_t> m_given; //!< options of the file, and their lines
};

#endif // LOSSLESS_JOB_CHOICE_H
