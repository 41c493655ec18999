// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STORAGE_INITIATOR_H
#define LOSSLESS_STORAGE_INITIATOR_H

#include "inof-helper.h"
#include "traffic-source.h"

#include "ns3/callback-guard.h"
#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A server that uses storage: keeps a number of I/Os going, each an RDMA message, over one of
 * several paths to redundant targets, or to ports of one. When the path fails, what is outstanding
 * is issued again on the next.
 *
 * How it learns of a failure is what it is there to compare. On its own it waits until a queue pair
 * has exhausted its retries, and opens the next path then. With UseInof() queue pairs are opened
 * when iNOF says that the target has come, on all paths ahead of time, and torn down at once when
 * iNOF says that it has gone. A disk of a common zone that is no target of AddPath() is a path,
 * too, from when iNOF first names it to one of the server's ports.
 *
 * Where no path can be opened, the server tries again at an interval. Both ends of a queue pair are
 * torn down together. What is destroyed issues no more. As traffic of a run it is one item, from
 * the first I/O to the end of the last.
 */
class StorageInitiator : public TrafficSource
{
  public:
    /// What the I/Os are like.
    struct Options
    {
        uint64_t ioBytes{4096};              //!< length of each
        uint32_t depth{8};                   //!< how many at a time
        RdmaVerb verb{RdmaVerb::WRITE};      //!< WRITE, SEND or READ
        Fabric::QueuePairOptions queuePair;  //!< what is special about queue pairs; not `choice`
        Time retryInterval{MilliSeconds(1)}; //!< until paths are tried again when none is open
    };

    /// A change of the path.
    struct Failover
    {
        Time when;       //!< when I/Os were issued on the new path
        uint32_t from;   //!< number of the path before
        uint32_t to;     //!< number of the path after
        std::string why; //!< status of the queue pair, or reason of iNOF
    };

    /// I/Os outstanding at most: what a queue pair of a NIC can hold.
    static constexpr uint32_t MOST_DEPTH = 65536;

    /// Path of a Failover when there is none.
    static constexpr uint32_t NONE = 0xffffffff;

    /// @param fabric where @param host the server @param options what I/Os are like
    StorageInitiator(const Fabric& fabric, HostId host, const Options& options);
    ~StorageInitiator() override;

    /// @param target a host @param choice which of the ways between the ports of the two, see
    /// Fabric::GetPortPairs() @return number of the path; the lower, the better
    uint32_t AddPath(HostId target, uint32_t choice = 0);

    /// Do as iNOF says, and use the disks that it names: after the paths of AddPath(), the one with
    /// the lowest identifier in iNOF is best. @param inof installed on the fabric
    void UseInof(const InofHelper& inof);

    /// @param listener called at the end of each I/O, with the number of its path
    void OnCompletion(std::function<void(uint32_t path)> listener);

    /// Times count from the begin of the run that the server was added to.
    /// @param begin when I/Os begin @param end when no more are issued
    void Run(Time begin, Time end);

    // ---- results

    /// @return I/Os completed
    uint64_t GetCompleted() const
    {
        return m_completed;
    }

    /// @return I/Os issued again because their path failed
    uint64_t GetReissued() const
    {
        return m_reissued;
    }

    /// @return longest time between two completions, or since the last one while more are to come:
    /// the interruption of service
    Time GetLongestGap() const;

    /// @return the begin of that
    Time GetLongestGapBegin() const;

    /// @return changes of the path, in order; the first is from NONE
    const std::vector<Failover>& GetFailovers() const
    {
        return m_failovers;
    }

    /// @return how many paths have queue pairs now
    uint32_t GetNOpenPaths() const;

    /// @param path number of a path @return the host to which it leads
    HostId GetTarget(uint32_t path) const;

    // ---- TrafficSource

    std::string GetName() const override;
    Counts GetCounts() const override;
    bool IsAwaited() const override;
    Time GetNextActivity() const override;
    Time GetFirstStart() const override;
    bool MayActByItself() const override;
    void ForEachUnfinished(const Unfinished& tell) const override;
    void SetBegin(Time begin) override;
    void Stop() override;

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    /// A way to a target.
    struct Path
    {
        HostId target;
        Fabric::Ports ports;           //!< one of Fabric::GetPortPairs()
        uint32_t peerId;               //!< of the target's port in iNOF
        bool found{false};             //!< by iNOF, not by AddPath()
        bool open{false};              //!< there are queue pairs
        bool told{false};              //!< iNOF says that the target is there
        uint32_t life{0};              //!< counts openings, so that late callbacks are known
        Fabric::Connection connection; //!< valid while open
    };

    void Begin();
    /// Open paths to targets that had come before this listened.
    void LearnPeers();
    void Open(uint32_t path);
    /// Open the first that can be, from one on. @param first number of a path
    void OpenAny(uint32_t first);
    /// No path was open: open what can be.
    void Retry();
    /// @return how long there has been no completion while there should be one
    Time GetCurrentGap() const;
    /// @return all that it does, as one item
    TrafficItem ToItem() const;
    /// It is over if its time is, and nothing is outstanding: tell so, once.
    void EndIfOver();
    /// Tear down. @param path which @param why for the record
    void Close(uint32_t path, const std::string& why);
    /// @param target a host @param ports of it and of this one @return the path
    Path ToPath(HostId target, const Fabric::Ports& ports) const;
    /// Make a path to a disk of iNOF, unless there is one. @param port own port @param peer it
    void AddFound(uint32_t port, const InofHostInfo& peer);
    /// @param one number of a path @param other another @return whether the one is better
    bool IsBetter(uint32_t one, uint32_t other) const;
    /// Move to the best open path. @param why for the record
    void Choose(const std::string& why);
    /// Issue I/Os until `depth` are outstanding.
    void Issue();
    void Completed(uint32_t path, uint32_t life, const RdmaCompletion& completion);
    /// iNOF of a port says that a host has come. @param port own port @param peer it
    void PeerUp(uint32_t port, const InofHostInfo& peer);
    /// iNOF of a port says that a host has gone. @param port own port @param peer it
    void PeerDown(uint32_t port, const InofHostInfo& peer, InofReason reason);

    Fabric m_fabric;
    HostId m_host;
    Options m_options;
    std::vector<Path> m_paths;
    uint32_t m_current{NONE};
    uint32_t m_outstanding{0};
    std::vector<Ptr<InofHostAgent>> m_agents; //!< iNOF of the own ports; none: without iNOF
    bool m_running{false};
    bool m_over{false};    //!< the end was told
    bool m_stopped{false}; //!< no path opens any more
    EventId m_next;        //!< the begin, or Retry()
    Time m_origin;         //!< from which times of Run() count
    Time m_begin;
    Time m_end;
    uint64_t m_completed{0};
    uint64_t m_reissued{0};
    Time m_lastCompletion;
    Time m_longestGap;
    Time m_longestGapBegin;
    std::vector<Failover> m_failovers;
    std::function<void(uint32_t)> m_onCompletion;
    CallbackGuard m_guard; //!< of queue pairs and traces
};

} // namespace ns3

#endif // LOSSLESS_STORAGE_INITIATOR_H
