// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOST_STATS_H
#define LOSSLESS_LOST_STATS_H

#include "result-report.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/lost-frames.h"

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
 * What a run has lost: lost.csv, read at its end from the counters of ports, with what IP stacks of
 * hosts have dropped. Nothing where each rank has some of the queue pairs.
 */
class LostStats : public TableReport
{
  public:
    /// @param fabric that is about to run
    explicit LostStats(const Fabric& fabric);

    /// The run begins: what was lost before is not of it.
    void Watch();

    /// The run has ended: find frames that should not have been lost, and timeouts without a loss.
    void Find() const;

    /// @return lost.csv
    static TableSpec GetTable();

    void Close(Time end) override;

  private:
    /// Frames of one sort that one port has dropped.
    struct Loss
    {
        NodeId node;      //!< node of the port
        uint32_t port;    //!< number of the port at the node
        LostFrames frame; //!< what was dropped, and how much
    };

    /// What was dropped for one reason.
    struct Count
    {
        uint64_t frames{0};
        uint64_t bytes{0};
    };

    /// Each is written by the thread of its host alone.
    struct Stack
    {
        std::map<std::string, Count> drops; //!< by reason
        std::set<uint16_t> met;             //!< ports of UDP to which datagrams came
        std::set<Ptr<Object>> sockets;      //!< of UDP, whose drops count
    };

    /// @return what all ports have lost so far; the order of entries stays
    std::vector<Loss> Read() const;
    /// @return what ports have lost in the run
    std::vector<Loss> ReadRun() const;
    /// @param frame lost in the run @return whether it should not have been
    bool IsWrong(const LostFrames& frame) const;
    /// @return retransmission timeouts so far
    uint64_t CountTimeouts() const;
    /// Look at a stack. @param node that has it @param stack counts what it drops
    void WatchStack(const Node& node, Stack& stack);
    /// Look at IPv4 or IPv6. @tparam Protocol of ns-3 @tparam Ip its base @tparam Header of its
    /// packets @param node with a stack @param stack counts what it drops
    template <typename Protocol, typename Ip, typename Header>
    void WatchIp(const Node& node, Stack& stack);
    /// A datagram has come: look at the sockets of UDP, if it is the first to its port.
    /// @param packet it @param node with a stack @param stack counts what sockets drop
    void WatchSockets(const Packet& packet, const Node& node, Stack& stack);
    /// @param object with a trace source "Drop" of packets @param stack counts them
    /// @param reason what they are called
    void WatchDrop(const Ptr<Object>& object, Stack& stack, const char* reason);

    Fabric m_fabric;
    std::vector<Loss> m_before;   //!< Read(), when the run began
    uint8_t m_lossless{0};        //!< classes that were lossless at hosts then
    uint64_t m_timeoutsBefore{0}; //!< CountTimeouts() then
    std::vector<Stack> m_stacks;  //!< by host
    CallbackGuard m_guard;
};

} // namespace ns3

#endif // LOSSLESS_LOST_STATS_H
