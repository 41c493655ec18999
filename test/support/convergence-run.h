// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONVERGENCE_RUN_H
#define LOSSLESS_CONVERGENCE_RUN_H

#include "ns3/fabric-switch.h"
#include "ns3/fabric.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/// What a run of long flows into host 0 shows, from one time to another.
struct Measured
{
    double utilisation{0};           //!< wire bits received by host 0, of its line
    double jain{0};                  //!< Jain's index of what the flows delivered
    double meanQueue{0};             //!< of the port to host 0, bytes
    uint64_t maxQueue{0};            //!< likewise
    uint64_t pauses{0};              //!< of senders, in the window
    uint64_t allPauses{0};           //!< from the start
    std::vector<uint64_t> delivered; //!< packets of each flow that were acknowledged

    /// @return all figures
    std::string Text() const
    {
        std::ostringstream os;
        os << "utilisation " << utilisation << ", Jain's index " << jain << ", mean queue "
           << meanQueue << " B, longest " << maxQueue << " B, pauses " << pauses << " of "
           << allPauses;
        return os.str();
    }
};

/// Long flows from all other hosts into host 0.
class ConvergenceRun
{
  public:
    /// @param fabric where @param sources hosts that send
    ConvergenceRun(const Fabric& fabric, const std::vector<uint32_t>& sources)
        : m_fabric(fabric)
    {
        fabric.AssignStreams(100);
        for (const uint32_t source : sources)
        {
            const auto pair = fabric.Connect(source, 0);
            pair.source->Post({RdmaVerb::WRITE, uint64_t{1} << 40});
            m_pairs.push_back(pair.source);
        }
        const NodeId node = fabric.GetTopology().GetHosts()[0];
        m_port = fabric.GetDevice(node, 0);
        const auto peer = m_port->GetPeer();
        m_switch = peer->GetNode()->GetObject<FabricSwitch>();
        m_switchPort = peer->GetPortIndex();
    }

    /// @param from begin @param to end of the window @return what it shows
    Measured Run(Time from, Time to)
    {
        Simulator::Schedule(from, [this] {
            m_result.delivered = Delivered();
            m_received = m_port->GetCounters().rxWireBytes;
            m_result.pauses = Pauses();
            Sample();
        });
        Simulator::Schedule(to, [] { Simulator::Stop(); });
        Simulator::Run();
        const std::vector<uint64_t> now = Delivered();
        double sum = 0;
        double squares = 0;
        for (std::size_t i = 0; i < now.size(); ++i)
        {
            m_result.delivered[i] = now[i] - m_result.delivered[i];
            const auto packets = static_cast<double>(m_result.delivered[i]);
            sum += packets;
            squares += packets * packets;
        }
        m_result.jain = sum * sum / (static_cast<double>(now.size()) * squares);
        const double bits =
            8.0 * static_cast<double>(m_port->GetCounters().rxWireBytes - m_received);
        m_result.utilisation = bits / (to - from).GetSeconds() /
                               static_cast<double>(m_port->GetDataRate().GetBitRate());
        m_result.meanQueue = m_queueSum / m_samples;
        m_result.allPauses = Pauses();
        m_result.pauses = m_result.allPauses - m_result.pauses;
        return m_result;
    }

    /// @param index a flow @return its congestion control
    template <typename T>
    Ptr<T> Control(uint32_t index) const
    {
        return DynamicCast<T>(m_pairs[index]->GetCongestionControl());
    }

  private:
    void Sample()
    {
        const uint64_t bytes = m_switch->GetQueueBytes(m_switchPort);
        m_queueSum += static_cast<double>(bytes);
        m_samples += 1;
        m_result.maxQueue = std::max(m_result.maxQueue, bytes);
        Simulator::Schedule(NanoSeconds(1003), [this] { Sample(); });
    }

    std::vector<uint64_t> Delivered() const
    {
        std::vector<uint64_t> packets;
        for (const auto& pair : m_pairs)
        {
            packets.push_back(pair->GetRequester().Unacked());
        }
        return packets;
    }

    /// @return pauses of the RDMA class at hosts
    uint64_t Pauses() const
    {
        uint64_t pauses = 0;
        for (const NodeId node : m_fabric.GetTopology().GetHosts())
        {
            pauses += m_fabric.GetDevice(node, 0)->GetObeyer().Get(3).pauses;
        }
        return pauses;
    }

    Fabric m_fabric;
    std::vector<Ptr<RdmaQueuePair>> m_pairs;
    Ptr<QbbNetDevice> m_port;
    Ptr<FabricSwitch> m_switch;
    uint16_t m_switchPort{0};
    Measured m_result;
    uint64_t m_received{0};
    double m_queueSum{0};
    double m_samples{0};
};

} // namespace ns3

#endif // LOSSLESS_CONVERGENCE_RUN_H
