// SPDX-License-Identifier: GPL-2.0-only
#include "run-division.h"

#include "fabric-ports.h"

#include "ns3/enum.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-partitions.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Congestion controls of a run, each looked at once.
class SharedControl
{
  public:
    /// @param control of an end, or null
    void Look(const Ptr<RdmaCongestionOps>& control)
    {
        if (control && m_found.empty() && !control->KeepsToItsEnd())
        {
            m_found = "the congestion control " + control->GetName();
        }
    }

    /// @param factory makes congestion controls
    void Look(const ObjectFactory& factory)
    {
        std::ostringstream text;
        text << factory;
        if (m_looked.insert(text.str()).second)
        {
            Look(factory.Create<RdmaCongestionOps>());
        }
    }

    /// @return the first that shares something with other ends; empty: none
    const std::string& GetFound() const
    {
        return m_found;
    }

  private:
    std::set<std::string> m_looked; //!< factories
    std::string m_found;            //!< what is shared
};

/// @param fabric what runs @param parts of the run @return a congestion control of queue pairs, or
/// of those that parts will make, that shares something with other ends; empty: none. Who connects
/// others during the run is refused then
std::string
FindSharedControl(const Fabric& fabric, const std::vector<const RunPart*>& parts)
{
    SharedControl look;
    ForEachQueuePair(fabric, [&look](HostId, const RdmaQueuePair& end) {
        look.Look(end.GetState() == RdmaQueuePair::ERROR ? nullptr : end.GetCongestionControl());
    });
    const auto lookAt = [&look](const ObjectFactory& congestion) { look.Look(congestion); };
    for (const RunPart* part : parts)
    {
        part->ForEachControl(lookAt);
    }
    for (const RunPart* part : RunPart::Planned(fabric))
    {
        part->ForEachControl(lookAt);
    }
    return look.GetFound();
}

/// @param simulator of a run for which nobody has chosen threads @param options of the run
/// @return whether its events leave in the order of ns-3: somebody has chosen that, or it has run
/// so
bool
StaysInUidOrder(const FabricSimulatorImpl& simulator, const RunOptions& options)
{
    const auto order = simulator.GetOrder();
    return order == FabricSimulatorImpl::UID ||
           (order == FabricSimulatorImpl::OPEN &&
            (options.order == RunOptions::EventOrder::NS3 || simulator.GetEventCount() > 0));
}

/// Refuse a number of threads. @param simulator of the run @param threads that it is to have
void
RequireThreads(const FabricSimulatorImpl& simulator, uint32_t threads)
{
    constexpr uint32_t MOST_THREADS = 1024; // of the attribute
    if (threads > MOST_THREADS)
    {
        throw FabricError(std::to_string(threads) + " threads",
                          "choose " + std::to_string(MOST_THREADS) + " or fewer, or 0");
    }
    if (FabricAttributes::DefaultChanged(FabricSimulatorImpl::GetTypeId(), "Threads") &&
        simulator.GetThreads() != threads)
    {
        throw FabricError("threads of the run is " + std::to_string(threads) +
                              ", and ns3::FabricSimulatorImpl::Threads is " +
                              std::to_string(simulator.GetThreads()),
                          "give one of them");
    }
    if (simulator.GetOrder() == FabricSimulatorImpl::UID)
    {
        throw FabricError("threads of the run is " + std::to_string(threads) +
                              ", and ns3::FabricSimulatorImpl::Order is Uid, which no threads keep",
                          "give one of them");
    }
}

} // namespace

std::string
FindUndividable(const Fabric& fabric,
                const RunOptions& options,
                const std::vector<const RunPart*>& parts)
{
    std::string found = options.undivided;
    for (const RunPart* part : parts)
    {
        if (found.empty() && !part->IsDividable())
        {
            found = part->GetName();
        }
    }
    for (const RunPart* part : RunPart::Planned(fabric)) // such as a storage server of no run
    {
        if (found.empty() && !part->IsDividable())
        {
            found = part->GetName();
        }
    }
    if (found.empty() && GetShortestDelay(fabric).IsZero())
    {
        found = "a link without delay";
    }
    if (found.empty() && fabric.GetDeadlockDetector())
    {
        found = "the deadlock detector";
    }
    for (uint32_t i = 0; found.empty() && i < fabric.GetNSwitches(); ++i)
    {
        const auto fabricSwitch = fabric.GetSwitch(i);
        for (uint32_t j = 0; j < fabricSwitch->GetNExtensions(); ++j)
        {
            const auto extension = fabricSwitch->GetExtension(j);
            if (!extension->KeepsToItsSwitch())
            {
                found = extension->GetInstanceTypeId().GetName();
            }
        }
    }
    return found.empty() ? FindSharedControl(fabric, parts) : found;
}

std::optional<uint32_t>
ChooseThreads(const Fabric& fabric,
              const RunOptions& options,
              const std::vector<const RunPart*>& parts)
{
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    if (!options.threads && (!simulator || StaysInUidOrder(*simulator, options)))
    {
        return std::nullopt;
    }
    if (!simulator)
    {
        throw FabricError("threads need ns3::FabricSimulatorImpl",
                          "name no other simulator, or leave threads out");
    }
    const uint32_t threads = options.threads.value_or(simulator->GetThreads());
    RequireThreads(*simulator, threads);
    const std::string undividable = FindUndividable(fabric, options, parts);
    if (threads != 1 && !undividable.empty())
    {
        throw FabricError("several threads cannot run " + undividable +
                              ", because of effects on several nodes at once",
                          "choose 1 thread: the results are those of any number");
    }
    try
    {
        simulator->SetAttribute("Order", EnumValue(FabricSimulatorImpl::CANONICAL));
    }
    catch (const std::invalid_argument&)
    {
        throw FabricError("threads are chosen for a simulation that has run in the order of ns-3",
                          "choose them for the first run of the process, too");
    }
    simulator->SetAttribute("Threads", UintegerValue(threads));
    return undividable.empty() ? 0 : 1;
}

} // namespace ns3
