// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_TIMES_H
#define LOSSLESS_FLOW_TIMES_H

#include "result-report.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/traffic-source.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Where the time of some RDMA flows goes: at the source, in queues, paused, on lines, by hop. The
 * parts of the last frame add up to the flow completion time; doc/view.rst defines them. It watches
 * the frames of these flows at all ports, and needs one thread; it changes no result.
 */
class FlowTimes : public TableReport, private TrafficListener
{
  public:
    /// @param fabric where @param flows of which some are watched; must outlive this
    FlowTimes(const Fabric& fabric, RdmaFlowHelper& flows);
    ~FlowTimes() override;
    FlowTimes(const FlowTimes&) = delete;
    FlowTimes& operator=(const FlowTimes&) = delete;

    /// Watch flows that start from now on. @param flows numbers of flows; none: watch nothing
    void Watch(const std::vector<uint64_t>& flows);

    /// @param text numbers of flows @return those; FabricError for what is no number of a flow
    static std::vector<uint64_t> Parse(const std::vector<std::string>& text);

    /// @return flow-hops.csv
    static TableSpec GetTable();

    void Open(const std::vector<RowSink*>& rows) override;
    void Stop() override;

  private:
    /// What the source of a flow did until a time.
    enum Waits : uint8_t
    {
        SENDING, //!< sent frames of the flow
        PAUSED,  //!< was paused by PFC
        WINDOW,  //!< the window was full
        PACED,   //!< waited for its rate
        OTHER,   //!< waited for the line, or for answers
        WAITS    //!< how many there are
    };

    using Spent = std::array<int64_t, WAITS>; //!< ticks

    /// A frame passes a port.
    struct Hop
    {
        NodeId node;       //!< of the port that sends
        uint32_t port{0};  //!< of that node
        int64_t queued{0}; //!< from the arrival at the node to the first bit that leaves, ticks
        int64_t paused{0}; //!< of that: while the queue was paused
        int64_t line{0};   //!< from the first bit that leaves to the last that arrives
    };

    /// The way of a frame.
    struct Way
    {
        Spent spent{};         //!< at the source until it left
        int64_t at{0};         //!< when it left or arrived last
        std::vector<Hop> hops; //!< from the source on
    };

    /// An ACK, and the frame that had arrived last when it was sent.
    struct Answer
    {
        int64_t sent{0};     //!< when
        int64_t received{0}; //!< when; 0: on its way
        Way way;             //!< of that frame
    };

    /// Sums over the frames that passed a port.
    struct Sums
    {
        NodeId node;        //!< of the port
        uint32_t port{0};   //!< of that node
        uint64_t frames{0}; //!< that passed
        int64_t queued{0};  //!< as of Hop
        int64_t paused{0};  //!< as of Hop
        int64_t line{0};    //!< as of Hop
    };

    /// A flow that has started.
    struct Watched
    {
        int64_t posted{0};                   //!< when, ticks
        NodeId from;                         //!< node of its source
        NodeId to;                           //!< node of its destination
        Ptr<RdmaQueuePair> sender;           //!< null: not looked up yet
        uint32_t fromPort{0};                //!< port of the source
        uint8_t cls{0};                      //!< class of its data there
        uint32_t here{0};                    //!< address of the source, as frames have it
        uint32_t there{0};                   //!< address of the destination
        uint32_t localQp{0};                 //!< queue pair at the source
        uint32_t remoteQp{0};                //!< queue pair at the destination
        uint64_t packets{0};                 //!< of its message
        Spent spent{};                       //!< by the source until `last`
        int64_t last{0};                     //!< ticks
        int64_t sendingUntil{0};             //!< ticks
        int64_t pacedUntil{0};               //!< ticks
        bool isPaused{false};                //!< since `last`
        bool isAllSent{false};               //!< it has nothing to send but what is sent again
        std::map<uint64_t, Way> ways;        //!< of frames under way, by PSN
        Way arrived;                         //!< of the frame that has arrived last
        bool hasArrived{false};              //!< there is one
        std::map<uint64_t, Answer> underWay; //!< ACKs, by PSN
        std::vector<Answer> got;             //!< the last ACKs that have come
        std::vector<Sums> sums;              //!< by port, in the order of the first frames
        uint64_t frames{0};                  //!< that have arrived
    };

    void Started(const TrafficSource& source, const TrafficItem& item) override;
    void Ended(const TrafficSource& source, const TrafficItem& item) override;
    void Gone(const TrafficSource& source) override;

    /// No flow that starts is watched any more.
    void StopListening();
    /// Connect the traces of all ports.
    void Connect();
    /// Look the queue pairs of flows up that have just started.
    void Find();
    /// The first bit of a frame leaves. @param node of the port @param port it @param frame it
    void Sent(NodeId node, const QbbNetDevice& port, const Frame& frame);
    /// The last bit of a frame has arrived. @param node of the port @param frame it
    void Arrived(NodeId node, const Frame& frame);
    /// A class of a port was paused or opened. @param node of the port @param port it
    /// @param cls class @param paused which
    void PauseChanged(NodeId node, uint32_t port, uint32_t cls, bool paused);
    /// @param frame a frame @param isAnswer whether it goes to the source @return its flow; null:
    /// it is of none that is watched
    Watched* FlowOf(const Frame& frame, bool isAnswer);
    /// The first bit of a data frame leaves. @param watched its flow @param node of the port
    /// @param port it @param frame it
    void DataSent(Watched& watched, NodeId node, const QbbNetDevice& port, const Frame& frame);
    /// Count what the source of a flow did until now. @param watched it @param isClosed whether its
    /// window was full
    static void Account(Watched& watched, bool isClosed);
    /// @param watched a flow @return whether its window is full
    static bool IsClosed(const Watched& watched);
    /// @param node of a port @param port it @param cls class @param begin tick
    /// @return ticks from then to now in which the port was paused
    int64_t PausedSince(NodeId node, uint32_t port, uint32_t cls, int64_t begin) const;
    /// A frame has arrived at its host: add it to the sums. @param watched its flow @param way it
    static void AddToSums(Watched& watched, const Way& way);
    /// Write a flow. @param index its number @param watched it
    /// @param answer the ACK that completed it
    void Write(uint64_t index, const Watched& watched, const Answer& answer) const;

    using Place = std::pair<uint32_t, uint32_t>; //!< node and port
    /// Begin and end of each pause, by class; an end of -1: it lasts.
    using Pauses = std::array<std::vector<std::pair<int64_t, int64_t>>, TRAFFIC_CLASSES>;

    Fabric m_fabric;
    RdmaFlowHelper* m_flows;
    std::vector<uint64_t> m_wanted;
    bool m_isListening{false};
    bool m_isConnected{false};
    bool m_hasNew{false};                  //!< Find() has something to look up
    std::map<uint64_t, Watched> m_watched; //!< by number of the flow
    std::set<uint64_t> m_active;           //!< numbers of all flows that run
    std::vector<uint64_t> m_seen;          //!< flows to be explained that have started
    std::map<Place, Pauses> m_pauses;      //!< by port
    CallbackGuard m_guard;                 //!< of traces
};

} // namespace ns3

#endif // LOSSLESS_FLOW_TIMES_H
