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
 * Policy: which frames of an egress queue get a CE mark (RFC 3168). A switch has one marker, set by
 * FabricSwitch::SetEcnMarker() or AddExtension(). The switch calls ShouldMark() only when the queue
 * is longer than QuietBelow(), so that a short queue costs one comparison.
 *
 * A marker that decides by more than the length of the queue names hooks, as every SwitchExtension
 * does, marks with FabricSwitch::MarkCe(), and leaves QuietBelow() at NEVER.
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
     * Announces a port. The switch calls this before the first frame, and again when the speed of a
     * port changes. The base class sets QuietBelow() of all queues of the port to NEVER.
     * @param port index of the port
     * @param bitsPerSecond its speed
     */
    virtual void SetPort(uint32_t port, uint64_t bitsPerSecond);

    /**
     * FabricSwitch::AddExtension() replaces another marker with this one. A marker may take over
     * the configuration of the other; the base class does nothing.
     * @param before the marker so far
     */
    virtual void TakeOver(const EcnMarker& before);

    /**
     * @param port egress port
     * @param cls the queue
     * @return length in bytes up to and including which no frame is marked
     */
    uint64_t QuietBelow(uint32_t port, uint32_t cls) const
    {
        return m_quiet[port * TRAFFIC_CLASSES + cls];
    }

    /// @param port egress port @return length in bytes up to and including which no frame of any of
    /// its queues is marked
    uint64_t QuietBelow(uint32_t port) const;

    /**
     * Decide on one frame. Draws a random number only if the probability is neither 0 nor 1.
     * @param frame the frame; Frame::trafficClass is its queue
     * @param port egress port
     * @param queueBytes frame bytes in the queue: without the frame if the switch marks on
     * departure, with the frame if it marks on arrival (doc/ecn.rst)
     * @return whether to mark the frame; the base class returns false
     */
    virtual bool ShouldMark(const Frame& frame, uint32_t port, uint64_t queueBytes);

    /**
     * The drop precedence of a frame. The switch asks after Start(), and drops frames of lossy
     * classes, ECN-capable ones, too, that would exceed this share of the limits of the buffer.
     * @param dscp DSCP of the frame @return share, 0 to 1; the base class returns 1
     */
    virtual double GetBufferShare(uint8_t dscp) const;

    uint32_t GetHooks() const override;
    void Start(FabricSwitch& owner) override;

  protected:
    /// @param port a port @param cls its queue @param bytes value of QuietBelow() from now on
    void SetQuietBelow(uint32_t port, uint32_t cls, uint64_t bytes);

  private:
    std::vector<uint64_t> m_quiet; //!< QuietBelow(), by port * 8 + class
};

} // namespace ns3

#endif // LOSSLESS_ECN_MARKER_H
