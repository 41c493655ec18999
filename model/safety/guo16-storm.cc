// SPDX-License-Identifier: GPL-2.0-only
#include "guo16-storm.h"

#include "ns3/boolean.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Guo16Storm);

TypeId
Guo16Storm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Guo16Storm")
            .SetParent<PolledStormRule>()
            .SetGroupName("Lossless")
            .AddConstructor<Guo16Storm>()
            .AddAttribute("ServerPortsOnly",
                          "Whether only ports whose peer is no switch are watched, as in the paper",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Guo16Storm::m_serverPortsOnly),
                          MakeBooleanChecker());
    return tid;
}

PfcStormRule::Defaults
Guo16Storm::GetDefaults() const
{
    return {MilliSeconds(100), MilliSeconds(200), MilliSeconds(50), Time(0)};
}

bool
Guo16Storm::IsStorming(const PfcQueueSample& last, const PfcQueueSample& now) const
{
    return now.queueBytes > 0 && now.lastTx <= last.time && now.rxPause > last.rxPause;
}

uint64_t
Guo16Storm::CountPauses(const PfcQueueSample& sample) const
{
    return sample.rxPausePort;
}

bool
Guo16Storm::NeedsTransmissions() const
{
    return true;
}

bool
Guo16Storm::IsForServerPorts() const
{
    return m_serverPortsOnly;
}

bool
Guo16Storm::ActsOnPort() const
{
    return true;
}

} // namespace ns3
