// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_PART_H
#define LOSSLESS_RUN_PART_H

#include "ns3/fabric-error.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class Fabric;

/**
 * @ingroup lossless
 *
 * What belongs to a run: traffic, faults, reports. FabricRun asks all of them the same few things,
 * and a part never needs to know which other parts there are.
 */
class RunPart
{
  public:
    RunPart() = default;
    virtual ~RunPart();
    RunPart(const RunPart&) = delete;
    RunPart& operator=(const RunPart&) = delete;

    /// @return what messages and summary.json call it, such as "rdma", "faults" or "pfc"
    virtual std::string GetName() const = 0;

    /**
     * Fix its random streams.
     * @param first first stream to use
     * @return number of streams set aside; 0: it draws nothing
     */
    virtual int64_t AssignStreams([[maybe_unused]] int64_t first)
    {
        return 0;
    }

    /// The times that users of the part give from now on count from a time.
    /// @param begin time of the simulation when the run begins
    virtual void SetBegin([[maybe_unused]] Time begin)
    {
    }

    /// The run is over, and another one begins: what has not ended is stopped, and nothing that was
    /// planned happens. Nobody is told. The simulation was not destroyed.
    virtual void Stop()
    {
    }

    /// @return whether it acts on several nodes only where FabricSimulatorImpl::Serially() and
    /// events of no node let it: several threads may run the fabric then
    virtual bool IsDividable() const
    {
        return false;
    }

    /// Takes what makes congestion controls.
    using Controls = std::function<void(const ObjectFactory& congestion)>;

    /// @param visit called with those of the queue pairs that it will make
    virtual void ForEachControl([[maybe_unused]] const Controls& visit) const
    {
    }

    /// @param fabric a fabric @return its parts that have planned something in this simulation, of
    /// a run or not, in the order of their first plan
    static std::vector<const RunPart*> Planned(const Fabric& fabric);

    /// @return number of the last plan of all parts of this process
    static uint64_t GetLastPlan();
    /// Stop() parts of a fabric, of a run or not, that have planned nothing since a plan.
    /// @param fabric the fabric @param last number of the plan
    static void StopPlanned(const Fabric& fabric, uint64_t last);

    /// The run has ended, or failed: what is added from now on would never happen, and is refused.
    void Seal()
    {
        m_isSealed = true;
    }

    /// @return whether the run has ended, or failed
    bool IsSealed() const
    {
        return m_isSealed;
    }

  protected:
    /// FabricError when the run has ended. @param what is being added
    void RequireOpen(const char* what) const
    {
        if (m_isSealed)
        {
            throw FabricError(std::string(what) + " of a run that has ended", "make another run");
        }
    }

    /// Something of the part is to begin at a time: runs of its fabric ask it what has not begun.
    /// @param fabric that it belongs to
    void Plan(const Fabric& fabric);

  private:
    bool m_isSealed{false}; //!< Seal() was called
};

} // namespace ns3

#endif // LOSSLESS_RUN_PART_H
