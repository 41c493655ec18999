// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MMU_TEST_UTIL_H
#define LOSSLESS_MMU_TEST_UTIL_H

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/switch-mmu.h"
#include "ns3/uinteger.h"

#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/// Notes what the MMU tells.
class RecordingSink : public MmuPauseSink
{
  public:
    void SetPause(uint32_t port, uint32_t cls, bool xoff) override
    {
        ++calls;
        // A pause is told once, and only what is paused resumes.
        consistent = consistent &&
                     (xoff ? paused.insert({port, cls}).second : paused.erase({port, cls}) == 1);
    }

    void ConfigChanged() override
    {
        if (running)
        {
            running->Finalize();
        }
    }

    SwitchMmu* running{nullptr}; //!< as in a switch that runs: changes are effective at once
    std::set<std::pair<uint32_t, uint32_t>> paused;
    uint32_t calls{0};
    bool consistent{true};
};

/// @return an MMU without guaranteed space, before Finalize()
inline Ptr<SwitchMmu>
MakeMmu(uint32_t ports, uint64_t bufferBytes, uint32_t cellBytes = 1)
{
    auto mmu = CreateObject<SwitchMmu>();
    mmu->SetAttribute("BufferSize", UintegerValue(bufferBytes));
    mmu->SetAttribute("CellBytes", UintegerValue(cellBytes));
    mmu->SetAttribute("GuaranteedBytes", UintegerValue(0));
    mmu->SetAttribute("EgressGuaranteedBytes", UintegerValue(0));
    mmu->SetAttribute("XonOffset", UintegerValue(0));
    mmu->SetPortCount(ports);
    return mmu;
}

} // namespace ns3

#endif // LOSSLESS_MMU_TEST_UTIL_H
