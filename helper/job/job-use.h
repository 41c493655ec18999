// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_USE_H
#define LOSSLESS_JOB_USE_H

#include "job-options.h"
#include "message-network.h"
#include "queue-pair-network.h"

#include "ns3/job-graph.h"
#include "ns3/option-use.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What the messages and collectives of a job are, as far as its options depend on it: which of them
 * have an effect. A JobPlan fills it before the job runs.
 */
class JobUse
{
  public:
    /// An operation of a rank. @param operation it @param ranks of its group
    void Add(const JobOperation& operation, std::size_t ranks);

    /// Messages of two ranks on a connection. @param network that carries them @param pair whose
    /// @param longest bytes of the longest one
    void AddMessages(const QueuePairNetwork& network,
                     const MessageNetwork::Pair& pair,
                     uint64_t longest);

    /// A collective whose ranks add what they receive.
    void AddReduction()
    {
        m_reduces = true;
    }

    /// All has been added. @param messages between hosts, of all iterations @param connections that
    /// carry these
    void SetMessages(double messages, uint64_t connections)
    {
        m_repeats = messages > static_cast<double>(connections);
    }

    /// Two ranks of different hosts send to each other by the same ports.
    void AddWayBack()
    {
        m_hasWayBack = true;
    }

    /// Switches have several paths, of which each queue pair takes one.
    void AddPaths()
    {
        m_hasPaths = true;
    }

    /// How packets are made. @param mtu payload of one, bytes @param ackInterval packets for each
    /// ACK
    void SetPackets(uint64_t mtu, uint64_t ackInterval)
    {
        m_mtu = mtu;
        m_ackInterval = ackInterval;
    }

    /// @return whether there are collectives, and yet no rank sends to another one, or waits for a
    /// message
    bool IsSilent() const
    {
        return m_collects && !m_hasMessages && !m_receives;
    }

    /// @return whether a message leaves its host
    bool LeavesHosts() const
    {
        return m_leaves;
    }

    /// @param options of the job @return of each that has an effect in some cases alone, whether it
    /// has one
    std::vector<OptionUse> Of(const JobOptions& options) const;

  private:
    /// @param options of the job @return those of the collectives
    std::vector<OptionUse> OfCollectives(const JobOptions& options) const;
    /// @param options of the job @return those of the network
    std::vector<OptionUse> OfNetwork(const JobOptions& options) const;
    /// @param options of the job @return those of queue pairs, which the fabric may have, too
    std::vector<OptionUse> OfQueuePairs(const JobOptions& options) const;

    bool m_hasMessages{false};       //!< of two ranks
    bool m_receives{false};          //!< a rank waits for a message
    bool m_collects{false};          //!< there is a collective
    bool m_hasCollectives{false};    //!< of two ranks or more
    bool m_hasData{false};           //!< of these, one with bytes
    bool m_choosesAlgorithm{false};  //!< of these, one that names no algorithm
    bool m_choosesChannels{false};   //!< of these with bytes, one that names no channels
    bool m_choosesDone{false};       //!< a send does not say when it is done
    bool m_reduces{false};           //!< a rank adds what it receives
    bool m_leaves{false};            //!< a message leaves its host
    bool m_repeats{false};           //!< a connection has several messages
    bool m_hasProxies{false};        //!< a message leaves by another GPU
    bool m_choosesNic{false};        //!< ports of a message depend on the choice of NICs
    bool m_hasWayBack{false};        //!< a queue pair could carry both ways
    bool m_hasPaths{false};          //!< switches have several paths
    bool m_staysInHost{false};       //!< a message between GPUs of a host
    uint64_t m_longest{0};           //!< bytes of a message that leaves its host by its own GPU
    uint64_t m_longestByProxy{0};    //!< bytes of a message that leaves by another GPU
    uint64_t m_longestWithinHost{0}; //!< bytes between GPUs of a host
    uint64_t m_mtu{1};               //!< payload of a packet, bytes
    uint64_t m_ackInterval{1};       //!< packets for each ACK
};

} // namespace ns3

#endif // LOSSLESS_JOB_USE_H
