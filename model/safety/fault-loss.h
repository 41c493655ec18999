// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAULT_LOSS_H
#define LOSSLESS_FAULT_LOSS_H

#include "ns3/frame-loss.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Nothing arrives, PFC included, though the link is up: a port that has gone silent.
class SilentLoss : public FrameLoss
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsLost(const Frame& frame) override;
};

/**
 * @ingroup lossless
 *
 * The next PFC frames that end a pause of a class (XON, pause time 0) are lost; the pause then ends
 * by its quanta, or never where an XOFF lasts until XON. What the same frame says of other classes
 * is lost with it.
 */
class XonLoss : public FrameLoss
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    XonLoss() = default;
    /// @param cls the class @param count frames that are lost
    XonLoss(uint32_t cls, uint32_t count);

    bool IsLost(const Frame& frame) override;

    /// @return frames still to be lost
    uint32_t GetLeft() const
    {
        return m_left;
    }

  private:
    uint32_t m_class{3}; //!< attribute Class
    uint32_t m_left{1};  //!< attribute Count
};

} // namespace ns3

#endif // LOSSLESS_FAULT_LOSS_H
