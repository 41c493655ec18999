// SPDX-License-Identifier: GPL-2.0-only
#include "run-options.h"

#include "ns3/fabric-program.h"

namespace ns3
{

void
RunOptions::AddTo(FabricProgram& program)
{
    ForEachOption([&program](auto& value, const ProgramOption& field, const auto& check) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, int64_t>) // has no name
        {
            if (field.name)
            {
                program.AddOption(field, value, check);
            }
        }
    });
    program.StandsFor("threads", {"ns3::FabricSimulatorImpl::Threads"});
    program.AddMpi();
}

} // namespace ns3
