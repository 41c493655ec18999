// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BOTTLENECK_RUN_H
#define LOSSLESS_BOTTLENECK_RUN_H

#include "ns3/fabric-helper.h"
#include "ns3/fabric.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulator.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/// Endless flows from all other hosts of a star into host 0, and what is seen of them at regular
/// times: rates, and the queue towards host 0.
class BottleneckRun
{
  public:
    static constexpr uint32_t CLASS = 3; //!< of the data

    /// @param helper what the fabric is like @param senders how many hosts send
    BottleneckRun(const FabricHelper& helper, uint32_t senders)
        : fabric(helper.Star(senders + 1)),
          flows(fabric),
          m_begin(senders, 0)
    {
        fabric.AssignStreams(100);
    }

    /// @param source host of the next flow, 1 to the number of senders
    void Add(uint32_t source)
    {
        flows.Add({source, 0, uint64_t{1} << 39});
    }

    /// Run, and measure from one time to another. @param from begin @param to end
    /// @param interval between two samples
    void Run(Time from, Time to, Time interval)
    {
        Simulator::Schedule(from, [this] {
            for (uint32_t i = 0; i < m_begin.size(); ++i)
            {
                m_begin[i] = Sent(i + 1);
            }
        });
        for (Time at = from + interval; at < to; at += interval)
        {
            Simulator::Schedule(at, [this] { Sample(); });
        }
        Simulator::Schedule(to, [] { Simulator::Stop(); });
        Simulator::Run();
        for (uint32_t i = 0; i < m_begin.size(); ++i)
        {
            const double bits = 8.0 * static_cast<double>(Sent(i + 1) - m_begin[i]);
            rates.push_back(bits / (to - from).GetSeconds() / 1e9);
            timeouts += fabric.GetRdma(i + 1)->GetCounters().timeouts;
        }
        losslessDrops = fabric.GetSwitch(0)->GetLosslessDrops();
    }

    /// @param source a host with flows @param index which of them @return its queue pair
    Ptr<RdmaQueuePair> GetQueuePair(uint32_t source, uint32_t index = 0) const
    {
        return fabric.GetRdma(source)->GetQueuePair(RdmaHw::FIRST_QUEUE_PAIR + index);
    }

    /// @return mean of the queue, bytes of frames
    double MeanQueue() const
    {
        double sum = 0;
        for (const double queue : queues)
        {
            sum += queue;
        }
        return sum / static_cast<double>(queues.size());
    }

    /// @return standard deviation of the queue, bytes of frames
    double QueueDeviation() const
    {
        const double mean = MeanQueue();
        double sum = 0;
        for (const double queue : queues)
        {
            sum += (queue - mean) * (queue - mean);
        }
        return std::sqrt(sum / static_cast<double>(queues.size()));
    }

    /// @return rate of all flows together, Gb/s of wire bits
    double TotalRate() const
    {
        double sum = 0;
        for (const double rate : rates)
        {
            sum += rate;
        }
        return sum;
    }

    Fabric fabric;                  //!< the star
    RdmaFlowHelper flows;           //!< of the flows
    std::vector<double> rates;      //!< by sender, Gb/s of wire bits, while it was measured
    std::vector<double> queues;     //!< samples of the queue towards host 0, bytes of frames
    std::vector<uint64_t> trace;    //!< all samples: the same in each run
    uint64_t losslessDrops{0};      //!< of the switch
    uint64_t timeouts{0};           //!< of all senders
    std::function<void()> onSample; //!< called at each sample

  private:
    /// @return wire bytes that a host has sent so far
    uint64_t Sent(uint32_t host) const
    {
        return fabric.GetDevice(fabric.GetTopology().GetHosts()[host], 0)
            ->GetCounters()
            .txWireBytes;
    }

    void Sample()
    {
        const uint64_t queue = fabric.GetSwitch(0)->GetQueueBytes(0, CLASS);
        queues.push_back(static_cast<double>(queue));
        trace.push_back(queue);
        for (uint32_t i = 0; i < m_begin.size(); ++i)
        {
            trace.push_back(Sent(i + 1));
        }
        if (onSample)
        {
            onSample();
        }
    }

    std::vector<uint64_t> m_begin;
};

} // namespace ns3

#endif // LOSSLESS_BOTTLENECK_RUN_H
