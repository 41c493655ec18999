// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHED_DEFAULT_H
#define LOSSLESS_WATCHED_DEFAULT_H

#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <map>
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
 * @param said as the user has said it, such as "--ns3::RdmaDcqcn::Gain"
 */
void Watch(const std::string& fullName, const std::string& said);

/// @param fullName as above @return whether the user has given that default
bool IsWatched(const std::string& fullName);

/// @param fullName as above @return whether something has taken that default since Watch()
bool IsTaken(const std::string& fullName);

/// Something else than an object, such as a helper, takes a default. @param fullName as above
void Take(const std::string& fullName);

/**
 * A fabric is built. Its objects take defaults when they are made, and then get what the builder is
 * told: only a default that one of them still has when all are complete is taken.
 */
class Building
{
  public:
    Building();

    /// @return whether no default is watched, so that End() has nothing to find out
    bool IsIdle() const
    {
        return m_before.empty();
    }

    /// The objects are complete. @param kinds base types of all objects of the fabric that defaults
    /// are judged by @param objects all of these objects
    void End(const std::vector<TypeId>& kinds, const std::vector<Ptr<Object>>& objects) const;

  private:
    std::map<std::string, int> m_before; //!< how often each default was taken before
};

/// While one of these is there, nothing takes a default: objects are made to be read, not to run.
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

/// Name those of objects that a fabric has from its building on, in the same way, and watch these
/// no more. At the begin of a run.
void WarnOfUnusedByFabric();

/// Watch none any more.
void EndWatch();

} // namespace WatchedDefaults

} // namespace ns3

#endif // LOSSLESS_WATCHED_DEFAULT_H
