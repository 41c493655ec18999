// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_MARKER_H
#define LOSSLESS_ECN_MARKER_H

#include "switch-extension.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Policy: which frames of an egress queue get a CE mark (RFC 3168). A switch has one, in a slot of
 * its own (FabricSwitch::SetEcnMarker(); AddExtension() puts it there, too). The switch asks only
 * when the queue is longer than QuietBelow(), so that an idle marker costs a comparison.
 *
 * A marker that goes by more than the length of the queue names hooks as every SwitchExtension
 * does, marks by FabricSwitch::MarkCe(), and leaves QuietBelow() at NEVER.
 */
class EcnMarker : public SwitchExtension
{
  public:
    /// QuietBelow() of a queue that is never marked.
    static constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max();

    /// @return the TypeId
    static TypeId GetTypeId();

    EcnMarker();

    /**
     * A port exists. Called by the switch before the first frame, and again when a port's speed
     * changes. Here: no queue of it is marked by its length.
     * @param port index of the port
     * @param bitsPerSecond its speed
     */
    virtual void SetPort(uint32_t port, uint64_t bitsPerSecond);

    /**
     * FabricSwitch::AddExtension() puts this marker in the place of another. Here: that leaves
     * nothing behind.
     * @param before the marker so far
     */
    virtual void TakeOver(const EcnMarker& before);

    /**
     * @param port egress port
     * @param cls the queue
     * @return bytes up to and including which nothing is marked
     */
    uint64_t QuietBelow(uint32_t port, uint32_t cls) const
    {
        return m_quiet[port * TRAFFIC_CLASSES + cls];
    }

    /**
     * Decide on one frame. May draw a random number, and only when the outcome is open.
     * @param port egress port
     * @param cls the queue
     * @param queueBytes frame bytes in the queue, without the frame in question when it leaves,
     * with it when it arrives (doc/switch.rst)
     * @return whether to mark it; here: no
     */
    virtual bool ShouldMark(uint32_t port, uint32_t cls, uint64_t queueBytes);

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;

  protected:
    /// @param port a port @param cls its queue @param bytes what QuietBelow() answers from now on
    void SetQuietBelow(uint32_t port, uint32_t cls, uint64_t bytes);

  private:
    std::vector<uint64_t> m_quiet; //!< by port * 8 + class
};

} // namespace ns3

#endif // LOSSLESS_ECN_MARKER_H
