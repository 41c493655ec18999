// SPDX-License-Identifier: GPL-2.0-only
#include "named-once.h"

#include "fabric.h"

#include "ns3/fabric-warning.h"

#include <set>

namespace ns3
{

namespace
{

/// The notes of a fabric; at its first host.
class NamedOnce : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NamedOnce").SetParent<Object>().SetGroupName("Lossless");
        return tid;
    }

    std::set<std::string> notes; //!< of NoteOnce()
};

} // namespace

bool
NoteOnce(const Fabric& fabric, const std::string& what)
{
    const auto host = fabric.GetHost(HostId(0));
    auto named = host->GetObject<NamedOnce>();
    if (!named)
    {
        named = CreateObject<NamedOnce>();
        host->AggregateObject(named);
    }
    return named->notes.insert(what).second;
}

bool
IsNoted(const Fabric& fabric, const std::string& what)
{
    const auto named = fabric.GetHost(HostId(0))->GetObject<NamedOnce>();
    return named && named->notes.count(what);
}

void
WarnOnce(const Fabric& fabric, const std::string& wrong, const std::string& right)
{
    if (NoteOnce(fabric, wrong))
    {
        PrintWarning(wrong, right);
    }
}

} // namespace ns3
