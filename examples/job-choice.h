// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_CHOICE_H
#define LOSSLESS_JOB_CHOICE_H

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What the user of lossless-job says of a job: what its ranks do, where they are, and how the job
/// runs.
class JobChoice
{
  public:
    /// Options that have an effect in some cases alone, as FabricProgram::Needs() takes them.
    struct Need
    {
        std::vector<std::string> names; //!< of options
        std::function<bool()> holds;    //!< whether they have an effect
        std::string need;               //!< when they have
    };

    /// Make the options of a job. @param program gets them; the choice must outlive it
    void AddTo(ns3::FabricProgram& program);

    /// @return which options need what; the choice must outlive it
    std::vector<Need> GetNeeds() const;

    /// Read what a file says of the job, an option a line, such as "ranks=4", with comments behind
    /// #; the rest stays as it is. The job is called as the file is, unless it says otherwise.
    /// @param path the file; FabricError with its line when it makes no sense
    void Read(const std::string& path);

    /// Name the options of the file that have no effect. Once the job is made.
    void WarnOfUnused() const;

    /// @return path of Read(); empty: there is no file
    const std::string& GetPath() const
    {
        return m_path;
    }

    /// Make what the ranks do, and write it where the user wants it.
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

    /// @return whether messages within hosts are of the links between GPUs
    bool UsesIntraLinks() const
    {
        return m_sharesHost || m_job.network.pxn;
    }

    /// @param text fields with colons between @return the fields
    static std::vector<std::string> SplitAtColons(const std::string& text);

  private:
    /// Make the options of training. @param program gets them
    void AddTraining(ns3::FabricProgram& program);
    /// Make the options of Chakra's traces. @param program gets them
    void AddTraces(ns3::FabricProgram& program);
    /// Make the options of how the job runs. @param program gets them
    void AddRun(ns3::FabricProgram& program);
    /// @return which options of training need what
    std::vector<Need> GetNeedsOfTraining() const;
    /// FabricError unless there is one source of the job, or none.
    void RequireOneSource() const;
    /// @param room GPUs that are free @return what the source says that ranks do
    ns3::JobGraph ReadGraph(uint32_t room) const;
    /// @param room GPUs that are free @return a job of one collective
    ns3::JobGraph MakeCollective(uint32_t room) const;
    /// @return an iteration of training
    ns3::JobGraph MakeTraining() const;
    /// Write the graph where the user wants it. @param graph it
    void WriteGraph(const ns3::JobGraph& graph) const;

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
    // Of the job that was made:
    bool m_sharesHost{false};     //!< two ranks have one host
    bool m_hasNics{false};        //!< a host has several ports
    bool m_hasCollectives{false}; //!< a rank has a collective
    bool m_isPlaced{false};       //!< ranks are placed otherwise than packed
};

#endif // LOSSLESS_JOB_CHOICE_H
