// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAULT_LOSS_H
#define LOSSLESS_FAULT_LOSS_H

#include "ns3/frame-loss.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Loses all frames, PFC included, while the link stays up: a silent port.
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
 * Loses the next PFC frames with an XON (pause time 0) for a class. The pause then ends when its
 * quanta expire, or never where an XOFF lasts until XON. The entries of the same frame for other
 * classes are lost, too.
 */
class XonLoss : public FrameLoss
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

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

/// @ingroup lossless
/// Loses each frame with a probability: a cable with bit errors.
class RandomFrameLoss : public FrameLoss
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    RandomFrameLoss();

    bool IsLost(const Frame& frame) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    double m_rate{0};      //!< attribute Rate
    bool m_losesPfc{true}; //!< attribute LosesPfc
    Ptr<UniformRandomVariable> m_random;
};

/**
 * @ingroup lossless
 *
 * Loses IPv4 frames whose identification, masked, has a value: by the low byte one frame in 256, as
 * in the livelock experiment of Guo et al. (SIGCOMM 2016, section 4.1).
 */
class IpIdLoss : public FrameLoss
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsLost(const Frame& frame) override;

  private:
    uint16_t m_mask{0xff};  //!< attribute Mask
    uint16_t m_value{0xff}; //!< attribute Value
};

} // namespace ns3

#endif // LOSSLESS_FAULT_LOSS_H
