// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INTRA_LINK_H
#define LOSSLESS_INTRA_LINK_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The links between the ranks of one host, such as NVLink with its switches: a lossless star.
 * A rank sends at a rate to the star and receives at the same rate from it, one message after
 * another, in the order in which they are posted, and in which they come. A message takes a latency
 * more: on an idle link latency + bytes / rate.
 */
class IntraLink
{
  public:
    /// @param ranks how many share it @param rate of a rank, one way @param latency of a message
    IntraLink(uint32_t ranks, DataRate rate, Time latency);

    /// A message is posted. @param now tick @param source position of the sender
    /// @param bytes of the message @return tick at which its first byte comes to the receiver; the
    /// last one that there is: later than that
    int64_t Send(int64_t now, uint32_t source, uint64_t bytes);

    /// The first byte of a message comes: a receiver that is idle until then may take others.
    /// @param now tick @param destination position of the receiver @param bytes of the message
    /// @return tick at which its last byte arrives; the last one that there is: later than that
    int64_t Receive(int64_t now, uint32_t destination, uint64_t bytes);

    /// @param bytes of a message @return ticks that it takes on an idle link
    int64_t Ideal(uint64_t bytes) const;

    /// @return what Ideal() has of latency, ticks
    int64_t GetLatency() const
    {
        return m_latency;
    }

  private:
    /// @param bytes of a message @return ticks that it takes at the rate
    int64_t Serialise(uint64_t bytes) const;
    /// @param bytes of a message @return Serialise(), of which the last answer is known
    int64_t SerialiseAgain(uint64_t bytes);

    uint64_t m_bitsPerSecond;
    int64_t m_latency;                  //!< ticks
    uint64_t m_lastBytes{0};            //!< of the message before
    int64_t m_lastTicks{0};             //!< that it took at the rate
    std::vector<int64_t> m_egressFree;  //!< by position: tick from which it can send
    std::vector<int64_t> m_ingressFree; //!< by position: tick from which it can receive
};

} // namespace ns3

#endif // LOSSLESS_INTRA_LINK_H
