// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOST_DATA_H
#define LOSSLESS_LOST_DATA_H

#include "ns3/fabric.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Names, at the end of a run, frames of RDMA data for which switches had no room, though hosts send
 * them in lossless classes and no other warning has said that they may be lost. It is the last
 * resort: what the checks before and during a run look at is named there, with its cause.
 */
class LostData
{
  public:
    /// @param fabric that begins to run
    explicit LostData(const Fabric& fabric);

    /// The run has ended: name what was lost.
    void Warn() const;

  private:
    /// @return the classes that hosts send RDMA data in and that should not lose any; 0: none, or
    /// there are others beside them, whose frames may be lost
    uint8_t FindPromised() const;
    /// @return frames of all switches
    uint64_t Count() const;
    /// @return frames that links or faults have destroyed, such as an XOFF
    uint64_t CountDestroyed() const;

    Fabric m_fabric;
    uint8_t m_lossless;   //!< classes that were lossless at hosts when it began
    uint64_t m_before;    //!< Count() then
    uint64_t m_destroyed; //!< CountDestroyed() then
};

} // namespace ns3

#endif // LOSSLESS_LOST_DATA_H
