// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SKIPPABLE_STATS_H
#define LOSSLESS_SKIPPABLE_STATS_H

#include "result-report.h"
#include "run-totals.h"

#include "ns3/event-id.h"
#include "ns3/fabric.h"
#include "ns3/flow-path.h"
#include "ns3/nstime.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/traffic-source.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What is a steady state, see SkippableStats.
struct SteadyRule
{
    double tolerance{0.05}; //!< packets and allowed rates of equal windows differ by this share
    double slope{0.05};     //!< growth of queues likewise, as a share of what the link carries
    uint32_t rounds{3};     //!< equal windows before those that could be skipped, 1 or more
};

/**
 * @ingroup lossless
 *
 * What share of its packet-hops a run could have skipped, as flows were in a steady state; it only
 * reports, and changes no result. doc/performance.rst defines windows, rows, states and shares.
 *
 * It reads counters at the border of each window, at events of its own: it needs one thread.
 */
class SkippableStats : public TableReport, private TrafficListener
{
  public:
    /// @param fabric where @param flows what is watched; must outlive this
    SkippableStats(const Fabric& fabric, RdmaFlowHelper& flows);
    ~SkippableStats() override;
    SkippableStats(const SkippableStats&) = delete;
    SkippableStats& operator=(const SkippableStats&) = delete;

    /// Watch all flows that start from now on. FabricError for a fabric whose paths are not
    /// known. @param rule what is a steady state
    void Watch(const SteadyRule& rule);

    uint64_t GetEvents() const override
    {
        return m_events;
    }

    /// @return what it found so far
    SkippableTotals GetTotals() const;

    /// @return skippable.csv
    static TableSpec GetTable();

    void Stop() override;
    void Open(const std::vector<RowSink*>& rows) override;
    void Close(Time end) override;
    void AddTotals(RunTotals& totals) const override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// A port of the fabric.
    struct Port
    {
        Ptr<QbbNetDevice> device;
        bool changed{false}; //!< a flow has begun, ended or changed its path here in this window
        uint32_t group{0};   //!< a flow that uses it, by its place; of JoinFlows()
    };

    /// What a flow reads of a port of its path at the border of a window.
    struct Reading
    {
        uint64_t bytes{0};    //!< in the queue of its class
        uint64_t pauses{0};   //!< begun so far
        bool isPaused{false}; //!< now
    };

    /// What windows are compared by.
    struct Window
    {
        uint64_t packets{0};        //!< sent
        double rate{0};             //!< allowed at its end, bit/s
        std::vector<double> growth; //!< of the queues of the path, bytes
    };

    /// A flow that has started and not ended.
    struct Watched
    {
        Time start;                    //!< of the flow
        HostId from{0};                //!< host that sends the data
        uint32_t fromPort{0};          //!< port of that host
        bool isRead{false};            //!< the requester receives the data
        Ptr<RdmaQueuePair> requester;  //!< null: not looked up yet
        Ptr<RdmaQueuePair> sender;     //!< sends the data
        uint32_t links{0};             //!< of its path, or of the last one that there was
        uint64_t message{0};           //!< packets of the message
        std::vector<uint32_t> path;    //!< ports, by number; empty: no way
        std::vector<Reading> readings; //!< at the begin of the window, along the path
        uint64_t packets{0};           //!< sent at the begin of the window
        bool isWhole{false};           //!< it ran at the begin of the window
        Window first;                  //!< of the row
        uint32_t row{0};               //!< length
        uint64_t sent{0};              //!< packets of this window
        bool isSkippable{false};       //!< whether this window is
        uint32_t parent{0};            //!< of JoinFlows(): a flow of its component, by place
        uint64_t windows{0};           //!< whole ones
        uint64_t steadyWindows{0};     //!< those that equal the first of their row
        uint64_t states{0};            //!< steady states
        Time firstState{-1};           //!< when the first began; negative: none
        uint64_t skippable{0};         //!< packets
        uint64_t skippableTogether{0}; //!< packets, where all of its component were
    };

    void Started(const TrafficSource& source, const TrafficItem& item) override;
    void Ended(const TrafficSource& source, const TrafficItem& item) override;
    void Gone(const TrafficSource& source) override;

    /// No flow that starts is watched any more.
    void StopListening();
    /// Look the queue pairs of flows up that have just started.
    void Find();
    /// Take a flow over. @param watched the flow @param flow what was asked for
    /// @param connection its queue pairs
    void Take(Watched& watched, const RdmaFlow& flow, const Fabric::Connection& connection);
    /// All states begin anew, with a window that begins now. @param length of windows from now on
    void Restart(Time length);
    /// The end of a window.
    void Poll();
    /// Follow a change of the path. @param watched the flow
    void FollowPath(Watched& watched);
    /// @param watched a flow @return its path, by numbers of ports
    std::vector<uint32_t> PathOf(const Watched& watched) const;
    /// All ports of a flow have changed. @param watched the flow
    void TouchPorts(const Watched& watched);
    /// Judge the window that ends now. @param watched the flow
    void Judge(Watched& watched);
    /// @param watched a flow @param window gets what this window is @return whether it was
    /// undisturbed
    bool Measure(const Watched& watched, Window& window) const;
    /// @param watched a flow @param window a window @return whether it equals the first of the row
    bool Equals(const Watched& watched, const Window& window) const;
    /// Find out which flows conflicts join, and count what their components could skip.
    void JoinFlows();
    /// Read where the next window begins. @param watched the flow
    void BeginWindow(Watched& watched);
    /// @param watched a flow @return packets that it has sent for the first time so far
    static uint64_t SentBy(const Watched& watched);
    /// @param watched a flow @return PSN of its next packet, which may be one that is sent again
    static uint64_t PacketsOf(const Watched& watched);
    /// @param port number @param watched a flow @return queue of its data at the port
    uint32_t QueueAt(uint32_t port, const Watched& watched) const;
    /// Read a port. @param port number @param cls queue of the flow
    Reading Read(uint32_t port, uint32_t cls) const;
    /// A flow ends, or the run. @param index number of the flow @param watched the flow
    /// @param packets that it has sent
    void AddRow(uint64_t index, const Watched& watched, uint64_t packets);
    /// @param totals get the share of a flow @param watched the flow @param packets that it has
    /// sent
    static void Add(SkippableTotals& totals, const Watched& watched, uint64_t packets);

    Fabric m_fabric;
    RdmaFlowHelper* m_flows;
    SteadyRule m_rule;
    bool m_isWatching{false};  //!< Watch() was called
    bool m_isListening{false}; //!< to m_flows
    std::vector<Port> m_ports;
    std::vector<uint32_t> m_firstPort;     //!< by node: number of its first port
    std::map<uint64_t, Watched> m_watched; //!< by number of the flow
    SkippableTotals m_totals;              //!< of flows that have ended
    Time m_length;                         //!< of a window
    EventId m_find;
    EventId m_next; //!< end of the window
    uint64_t m_events{0};
};

} // namespace ns3

#endif // LOSSLESS_SKIPPABLE_STATS_H
