// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_NUMBER_H
#define LOSSLESS_SWITCH_NUMBER_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The number of a switch in its fabric, aggregated to the switch. Hashes use it: the identifier of
 * the node goes on through all fabrics of a process, and the same fabric built twice would spread
 * its flows in two ways.
 */
class SwitchNumber : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param number of the node in the graph of the fabric
    explicit SwitchNumber(uint32_t number);

    /// @return the number
    uint32_t Get() const
    {
        return m_number;
    }

  private:
    uint32_t m_number;
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_NUMBER_H
