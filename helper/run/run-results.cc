// SPDX-License-Identifier: GPL-2.0-only
#include "run-results.h"

namespace ns3
{

const char*
RunResults::NameOf(End end)
{
    static const char* const names[] =
        {"done", "stopped", "stuck", "interrupted", "deadlock", "ended-by-part"};
    return names[static_cast<int>(end)];
}

} // namespace ns3
