// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_PING_MESH_H
#define LOSSLESS_RDMA_PING_MESH_H

#include "traffic-source.h"

#include "ns3/callback-guard.h"
#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rdma-verbs.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * RDMA ping mesh (C. Guo et al., RDMA over commodity Ethernet at scale, SIGCOMM 2016): every host
 * writes a short message to every other, or to some that are drawn, at an interval, and tells the
 * round trip of each or why there was none; PingStats has percentiles and files.
 *
 * The round trip is that of a WRITE, from posting to the last acknowledgement. Each pair has a
 * connection of its own without congestion control; one that fails is made anew for the next probe.
 * A probe that is still under way when the next is due takes its place: the next is not sent.
 */
class RdmaPingMesh : public TrafficSource
{
  public:
    /// What became of a probe.
    enum Result : uint8_t
    {
        OK,             //!< answered
        RETRY_EXCEEDED, //!< no answer to all retries
        NO_ROUTE,       //!< no way between the hosts when it was due
        OTHER,          //!< the queue pair ended it otherwise
        RESULTS         //!< number of these
    };

    /// A probe that has ended.
    struct Outcome
    {
        HostId source;      //!< probes
        HostId destination; //!< is probed
        Result result;      //!< how it ended
        Time posted;        //!< when it was posted, or due without a way
        Time ended;         //!< when it ended
    };

    /// Two hosts.
    struct Pair
    {
        HostId source;                           //!< probes
        HostId destination;                      //!< is probed
        uint64_t sent{0};                        //!< probes posted, or due without a way
        std::array<uint64_t, RESULTS> results{}; //!< how many ended how
        Result last{OK};                         //!< how the last one ended
        bool waiting{false};                     //!< a probe is under way
        Time since;                              //!< when that was posted
    };

    /// @param fabric where
    explicit RdmaPingMesh(const Fabric& fabric);
    /// It probes no more; probes under way end by themselves, unheard.
    ~RdmaPingMesh() override;

    // ---- before Run()

    /// @param bytes of a message, 512 by default; during the run, of the next ones
    void SetBytes(uint64_t bytes);
    /// @param interval between two probes of a pair, 100 us by default; during the run it counts
    /// from the last probe
    void SetInterval(Time interval);
    /// @param name attribute of the queue pairs, such as RetransmitTimeout @param value its value
    void SetQueuePair(const std::string& name, const AttributeValue& value);
    /// Each host probes some others only. @param targets how many, drawn once
    /// @param stream random stream
    void SetSample(uint32_t targets, int64_t stream);
    /// @param listener called with each probe that ends
    void OnProbe(std::function<void(const Outcome&)> listener);

    /// Times count from the begin of the run that the mesh was added to.
    /// @param begin of the first probes @param end no probe is posted then or later
    void Run(Time begin, Time end);

    // ---- results

    /// @return probes by result, all pairs
    const std::array<uint64_t, RESULTS>& GetTotals() const
    {
        return m_totals;
    }

    /// @return the pairs
    const std::vector<Pair>& GetPairs() const
    {
        return m_pairs;
    }

    /// @return pairs whose last probe failed, or has waited for longer than ten intervals
    std::vector<Pair> GetUnreachable() const;

    /// @param result a result @return its name, such as "retry-exceeded"
    static const char* ToString(Result result);

    /// @return time of the simulation when the first probes begin, valid after Run()
    Time GetBegin() const
    {
        return m_begin;
    }

    // ---- TrafficSource

    std::string GetName() const override;
    bool IsDividable() const override;
    void ForEachControl(const Controls& visit) const override;
    Counts GetCounts() const override;
    bool IsAwaited() const override;
    Time GetNextActivity() const override;
    Time GetFirstStart() const override;
    void ForEachUnfinished(const Unfinished& tell) const override;
    void SetBegin(Time begin) override;
    void Stop() override;

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    /// FabricError after Run(). @param what would have no effect then
    void RequireNotRunning(const char* what) const;
    /// FabricError if the last probe has been sent. @param what would have no effect
    void RequireNotOver(const char* what) const;
    void MakePairs();
    /// @param index of a pair @param state of its last probe @return that probe
    TrafficItem ToItem(uint32_t index, TrafficItem::State state) const;
    /// Plan the next probes of a host. @param host which
    void PlanProbe(HostId host);
    /// The probes of a host are due. @param host which
    void Probe(HostId host);
    /// @param index of a pair whose probe is due
    void Send(uint32_t index);
    void Connect(uint32_t index);
    void Disconnect(uint32_t index);
    void Completed(uint32_t index, uint32_t life, const RdmaCompletion& completion);
    /// A probe has ended. @param index its pair @param result how @param posted when it began
    void End(uint32_t index, Result result, Time posted);

    Fabric m_fabric;
    uint64_t m_bytes{512};
    Time m_interval;
    Time m_origin; //!< from which times of Run() count
    Time m_begin;
    Time m_end;
    uint32_t m_targets{0}; //!< 0: all
    int64_t m_stream{0};
    bool m_running{false};
    Fabric::QueuePairOptions m_options;
    std::vector<Pair> m_pairs;
    std::vector<Fabric::Connection> m_connections; //!< by pair
    std::vector<uint32_t> m_lives;                 //!< by pair: connections made
    std::vector<std::vector<uint32_t>> m_ofHost;   //!< by host: its pairs
    std::array<uint64_t, RESULTS> m_totals{};
    std::vector<EventId> m_next; //!< by host: probes
    std::vector<Time> m_probed;  //!< by host: when it last did; negative: it has not
    CallbackGuard m_guard;       //!< of queue pairs
    std::vector<std::function<void(const Outcome&)>> m_listeners;
};

} // namespace ns3

#endif // LOSSLESS_RDMA_PING_MESH_H
