// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-storm-rule.h"

#include "polled-storm-machine.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PfcStormRule);
NS_OBJECT_ENSURE_REGISTERED(PolledStormRule);

const char*
ToString(PfcQueueState state)
{
    static const char* const NAMES[] = {"operational", "stormed", "disabled"};
    return NAMES[static_cast<uint8_t>(state)];
}

TypeId
PfcStormRule::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PfcStormRule").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

bool
PfcStormRule::NeedsTransmissions() const
{
    return false;
}

bool
PfcStormRule::IsForServerPorts() const
{
    return false;
}

bool
PfcStormRule::ActsOnPort() const
{
    return false;
}

TypeId
PolledStormRule::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PolledStormRule").SetParent<PfcStormRule>().SetGroupName("Lossless");
    return tid;
}

std::unique_ptr<PfcStormMachine>
PolledStormRule::MakeMachine(const PfcStormTimes& times) const
{
    return std::make_unique<PolledStormMachine>(*this, times);
}

uint64_t
PolledStormRule::CountPauses(const PfcQueueSample& sample) const
{
    return sample.rxPause;
}

} // namespace ns3
