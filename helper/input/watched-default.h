// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHED_DEFAULT_H
#define LOSSLESS_WATCHED_DEFAULT_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Which of the defaults that a user has given is taken by an object. Defaults belong to the process
 * in ns-3, and so do these. ns-3 copies a default when it makes an object of the type or of a child
 * of it, and only then: what only reads or compares a default does not count.
 */
namespace WatchedDefaults
{

/**
 * Watch the default of an attribute that is in force now; a later one is watched only by another
 * call.
 * @param fullName type that declares the attribute, and attribute, such as "ns3::RdmaDcqcn::Gain"
 */
void Watch(const std::string& fullName);

/// Something else than an object, such as a helper, takes a default. @param fullName as above
void Take(const std::string& fullName);

/// @return the defaults that are watched and that nothing has taken; from now on none is watched
std::vector<std::string> EndWatch();

} // namespace WatchedDefaults

} // namespace ns3

#endif // LOSSLESS_WATCHED_DEFAULT_H
