// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVE_RUN_H
#define LOSSLESS_COLLECTIVE_RUN_H

#include "collective.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class JobRank;

/**
 * @ingroup lossless
 *
 * One rank's part of a collective on one channel, while it runs.
 */
class CollectiveRun : public CollectivePort
{
  public:
    /// @param rank whose part @param operation index of the collective in its graph
    /// @param scope of its messages @param channel which @param ring the ranks, by position
    /// @param part what it does
    CollectiveRun(JobRank& rank,
                  uint32_t operation,
                  uint64_t scope,
                  uint32_t channel,
                  const std::vector<uint32_t>& ring,
                  std::unique_ptr<CollectivePart> part);

    /// The rank has come to the collective.
    void Start();

    /// A message is there, and reduced. @param from position of its sender @param label its
    /// @param cause of what follows
    void Received(uint32_t from, uint64_t label, uint32_t cause);

    /// A message that tells so was sent. @param to position of its receiver @param label its
    /// @param cause of what follows
    void Sent(uint32_t to, uint64_t label, uint32_t cause);

    /// @return whether nothing is left to be received or sent
    bool HasEnded() const
    {
        return m_receives == 0 && !m_part->WaitsToSend();
    }

    /// It ends now, if nothing is left. An ACK that comes later is no second end of it: the other
    /// channels of the collective may go on. @return whether it does
    bool EndsNow()
    {
        return !m_isOver && (m_isOver = HasEnded());
    }

    /// @return index of the collective in the graph of the rank
    uint32_t GetOperation() const
    {
        return m_operation;
    }

    /// @return scope of its messages
    uint64_t GetScope() const
    {
        return m_scope;
    }

    /// @return which channel it is on
    uint32_t GetChannel() const
    {
        return m_channel;
    }

    /// @param position in the group @return the rank there
    uint32_t GetRankAt(uint32_t position) const
    {
        return m_ring[position];
    }

    /// @return cause of what follows: the message that was received last, or the operation
    uint32_t GetCause() const
    {
        return m_cause;
    }

    void Send(uint32_t to, uint64_t bytes, uint64_t label, bool tells) override;
    void Receive(uint32_t from, uint64_t bytes, uint64_t label, bool reduces) override;

  private:
    JobRank& m_rank;
    const std::vector<uint32_t>& m_ring;
    std::unique_ptr<CollectivePart> m_part;
    uint64_t m_receives{0}; //!< that are not there
    uint64_t m_scope;
    uint32_t m_operation;
    uint32_t m_channel;
    uint32_t m_cause;
    bool m_isOver{false}; //!< EndsNow() has said so
};

} // namespace ns3

#endif // LOSSLESS_COLLECTIVE_RUN_H
