// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-draws.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/rng-stream.h"

namespace ns3
{

double
HpccDraws::GetValue()
{
    RngStream stream(RngSeedManager::GetSeed(), m_next++, RngSeedManager::GetRun());
    return stream.RandU01();
}

} // namespace ns3
