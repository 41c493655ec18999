// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OTHER_TRAFFIC_H
#define LOSSLESS_OTHER_TRAFFIC_H

#include "ns3/nstime.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Traffic beside the flows of an RdmaFlowHelper that a run has to wait for and statistics have to
 * tell of; see RdmaFlowHelper::WaitFor().
 */
class OtherTraffic
{
  public:
    virtual ~OtherTraffic() = default;

    /// @return whether none of it is to be waited for
    virtual bool IsDone() const = 0;

    /// @return when statistics have something to see: now, or the next start
    virtual Time GetNextActivity() const = 0;

    /// @return when the first of it starts
    virtual Time GetFirstStart() const = 0;
};

} // namespace ns3

#endif // LOSSLESS_OTHER_TRAFFIC_H
