// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHED_DEFAULT_H
#define LOSSLESS_WATCHED_DEFAULT_H

#include <string>

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
 * @param said as the user has said it, such as "--ns3::RdmaDcqcn::Gain"
 */
void Watch(const std::string& fullName, const std::string& said);

/// Something else than an object, such as a helper, takes a default. @param fullName as above
void Take(const std::string& fullName);

/// An object that has just been made has taken a default, and gets another value at once.
/// @param fullName as above
void GiveBack(const std::string& fullName);

/// While one of these is there, objects take no default: they are made to be read, not to run.
class Pause
{
  public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
};

/// Name each default that is watched and that nothing has taken on a line of standard error, and
/// watch none any more. At the end of a run: queue pairs and sockets are made during it.
void WarnOfUnused();

/// Watch none any more.
void EndWatch();

} // namespace WatchedDefaults

} // namespace ns3

#endif // LOSSLESS_WATCHED_DEFAULT_H
