// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNFINISHED_FLOWS_H
#define LOSSLESS_UNFINISHED_FLOWS_H

#include "result-report.h"

#include "ns3/rdma-flow-helper.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A flow that has not completed with success.
struct UnfinishedFlow
{
    /// How far it came.
    enum State
    {
        NOT_STARTED, //!< its start is still to come
        RUNNING,     //!< it was under way
        FAILED       //!< it has ended without success
    };

    RdmaFlowResult flow;  //!< the flow, without its verb and its result
    State state{RUNNING}; //!< how far it came
    std::string reason;   //!< why, on one line without commas
};

/**
 * @ingroup lossless
 *
 * The flows that did not complete, each with its reason, in the order of their numbers: to be asked
 * for when a run has ended, and before the simulation is destroyed. Flows of Poisson workloads that
 * have not arrived are not listed.
 */
class UnfinishedFlows
{
  public:
    /// @param flows the flows, as they stand now
    explicit UnfinishedFlows(const RdmaFlowHelper& flows);

    /// @return the flows
    const std::vector<UnfinishedFlow>& Get() const
    {
        return m_flows;
    }

    /// Print how many there are and the first of them; nothing if there are none.
    /// @param os where @param most how many
    void Print(std::ostream& os, std::size_t most = 5) const;

    /// @param state a state @return its name
    static const char* NameOf(UnfinishedFlow::State state);

  private:
    std::vector<UnfinishedFlow> m_flows;
};

/// @ingroup lossless
/// Tells the flows that did not complete: unfinished.csv, and lines of the summary.
class UnfinishedStats : public TableReport
{
  public:
    /// @param flows the flows; must outlive this
    explicit UnfinishedStats(const RdmaFlowHelper& flows);

    /// @return unfinished.csv
    static TableSpec GetTable();

    void Close(Time end) override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    const RdmaFlowHelper& m_flows;
};

} // namespace ns3

#endif // LOSSLESS_UNFINISHED_FLOWS_H
