// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MMU_REPORT_H
#define LOSSLESS_MMU_REPORT_H

#include "switch-mmu.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// SwitchMmu::Explain(). @param mmu of a switch @param port ingress port @param cls the class
/// @param since counts at the begin of the time that is explained @return the line
std::string ExplainPfc(const SwitchMmu& mmu,
                       uint32_t port,
                       uint32_t cls,
                       const SwitchMmu::Counts& since);

/// @ingroup lossless
/// SwitchMmu::GetWatermarks(). @param mmu of a switch @param view one @return its watermarks that
/// are not 0
std::vector<Watermark> ListWatermarks(const SwitchMmu& mmu, WatermarkView view);

} // namespace ns3

#endif // LOSSLESS_MMU_REPORT_H
