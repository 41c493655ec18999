// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LATER_STREAMS_H
#define LOSSLESS_LATER_STREAMS_H

#include "ns3/fabric-index.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Random streams of what comes after AssignStreams(): far above those that AssignStreams() uses,
 * and numbered by the place in the fabric. So what is drawn depends neither on other parts nor on
 * what the process did before.
 */
class LaterStreams
{
  public:
    /// None: what comes later draws as ns-3 says.
    LaterStreams() = default;

    /// @param first that AssignStreams() of a fabric, or of a run, was given
    explicit LaterStreams(int64_t first)
        : m_first(first)
    {
    }

    /// @return whether there are any
    bool IsSet() const
    {
        return m_first >= 0;
    }

    /// @param node a switch @return first stream of its parts
    int64_t OfSwitch(NodeId node) const
    {
        return At((int64_t{1} << 52) + (int64_t{node.Value()} << BITS));
    }

    /// @param node any @param port of it @return first stream of the receive error models
    int64_t OfPort(NodeId node, uint32_t port) const
    {
        return At((int64_t{2} << 52) + (int64_t{node.Value()} << BITS) + (int64_t{port} << 12));
    }

    /// @param host a host @param number of a queue pair of it @return first stream of its
    /// congestion control and entropy policy
    int64_t OfQueuePair(HostId host, uint32_t number) const
    {
        return At((int64_t{3} << 52) + (int64_t{host.Value()} << BITS) + (int64_t{number} << 2));
    }

    /// @return first stream of the fabric's own parts in a run, where they draw more than a stream
    /// for each switch
    int64_t OfFabric() const
    {
        return At(int64_t{5} << 52);
    }

    /// @return first stream of the applications of TCP and UDP
    int64_t OfApplications() const
    {
        return At(int64_t{4} << 52);
    }

  private:
    static constexpr int BITS = 28; //!< of the streams of a node

    /// @param offset of a stream @return the stream; huge first streams are no overflow
    int64_t At(int64_t offset) const
    {
        return static_cast<int64_t>((static_cast<uint64_t>(m_first) + offset) & INT64_MAX);
    }

    int64_t m_first{-1}; //!< first stream; -1: none
};

} // namespace ns3

#endif // LOSSLESS_LATER_STREAMS_H
