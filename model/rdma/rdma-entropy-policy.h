// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_ENTROPY_POLICY_H
#define LOSSLESS_RDMA_ENTROPY_POLICY_H

#include "ns3/fixed-accessor.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: the entropy value (EV) of each data packet of a queue pair, chosen by TypeId. Switches
 * hash the EV, which is the low bits of the UDP source port, so that each EV is a path. ACK, NAK
 * and CNP bring the EV of their data packet back. Each end has one object; times are ticks. A
 * policy has no timers: an idle fabric has no events.
 *
 * To add a policy, derive from this class and select it by its TypeId; no other code changes.
 */
class RdmaEntropyPolicy : public Object, public FixedWhenUsed
{
  public:
    /// What became of a packet.
    enum Feedback : uint8_t
    {
        GOOD,    //!< it has arrived without a mark
        MARKED,  //!< it has arrived with CE
        TRIMMED, //!< a switch on the path has cut its payload
        LOST     //!< a timeout expired
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return number of EVs, a power of two: values are below this
    uint32_t GetPaths() const
    {
        return m_paths;
    }

    /// A queue pair uses the policy: attributes are fixed from now on.
    void SetUsed()
    {
        m_isUsed = true;
    }

    const char* FixedSince() const override
    {
        return m_isUsed ? "its queue pair is connected" : nullptr;
    }

    /// A data packet is built, for the first time or again. @param now tick @return its EV
    virtual uint32_t Next(int64_t now) = 0;

    /// An answer has come back. @param ev the EV of the packet that it answers; of LOST, that of
    /// the last packet @param feedback what became of that packet @param now tick
    virtual void OnFeedback(uint32_t ev, Feedback feedback, int64_t now);

    /// Fix the random streams. @param stream first stream number @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /// Draw from another source than the uniform one, as tests do. @param draws EVs, each below
    /// GetPaths()
    void SetDraws(const Ptr<RandomVariableStream>& draws);

  protected:
    /// @return a random EV, all alike
    uint32_t Draw();

  private:
    /// Setter of attribute Paths. @param paths a power of two
    void SetPaths(uint32_t paths);
    /// @return where EVs are drawn from, made by the first call
    RandomVariableStream& Draws();

    uint32_t m_paths{0};               //!< attribute Paths
    bool m_isUsed{false};              //!< SetUsed()
    Ptr<RandomVariableStream> m_draws; //!< Draws()
};

} // namespace ns3

#endif // LOSSLESS_RDMA_ENTROPY_POLICY_H
