// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSS_WARNING_H
#define LOSSLESS_LOSS_WARNING_H

#include <string>
#include <vector>

namespace ns3
{

class Fabric;

/// @ingroup lossless
/// @param findings one or more @return the first, and how many more there are
std::string FirstOf(const std::vector<std::string>& findings);

/// @ingroup lossless
/// @param fabric a fabric @return what keeps its switches from starting, by their names, such as a
/// buffer that is too small for the headroom; switches that run have started
std::vector<std::string> FindUnstartable(const Fabric& fabric);

/// @ingroup lossless
/// @param fabric a fabric @return whether ForbidLoss() was called: it is built, and checked
bool IsLossForbidden(const Fabric& fabric);

/// @ingroup lossless
/// Let FindLoss() and WarnOfLoss() check a fabric, as loss is not allowed. @param fabric built
void ForbidLoss(const Fabric& fabric);

/// @ingroup lossless
/// @param fabric a fabric @return what Fabric::CheckLossless() finds; nothing where loss is allowed
std::vector<std::string> FindLoss(const Fabric& fabric);

/// @ingroup lossless
/// Name in one warning what FindLoss() finds, except what an earlier warning has named.
/// @param fabric a fabric @param before findings that are not named
void WarnOfLoss(const Fabric& fabric, const std::vector<std::string>& before = {});

} // namespace ns3

#endif // LOSSLESS_LOSS_WARNING_H
