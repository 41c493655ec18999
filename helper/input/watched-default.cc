// SPDX-License-Identifier: GPL-2.0-only
#include "watched-default.h"

#include "fabric-warning.h"
#include "type-relation.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/exact-text.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <type_traits>

namespace ns3
{
namespace WatchedDefaults
{
namespace
{

/// What is known of a default that is watched.
struct Default
{
    std::string said;           //!< as the user has said it
    std::shared_ptr<int> taken; //!< how often
    bool isOfFabric{false};     //!< of objects that are made when a fabric is built
};

/// By the attribute's name.
std::map<std::string, Default>&
All()
{
    static std::map<std::string, Default> all;
    return all;
}

int g_pauses = 0; //!< that are there

/// @param name of an attribute @param watched its default @return whether nothing has taken it,
/// which a warning says then
bool
WarnOf(const std::string& name, const Default& watched)
{
    const bool isUnused = *watched.taken <= 0;
    if (isUnused)
    {
        PrintWarning(watched.said + " has no effect",
                     "no " + name.substr(0, name.rfind("::")) +
                         " of this run has taken that default");
    }
    return isUnused;
}

/// In releases of ns-3 where EnumValue is a template, those of other types than int are not
/// watched.
using AnyEnumValue = decltype(EnumValue(0));

/// A value that notes when it is copied.
template <typename Value>
class Watched : public Value
{
  public:
    Watched(const Value& value, const std::shared_ptr<int>& copies)
        : Value(value),
          m_copies(copies)
    {
    }

    Ptr<AttributeValue> Copy() const override
    {
        *m_copies += g_pauses == 0;
        return Value::Copy();
    }

  private:
    std::shared_ptr<int> m_copies;
};

/// @return a value as one of these kinds that is watched; null: it is of another kind
template <typename... Values>
Ptr<const AttributeValue>
WatchedCopy(const AttributeValue& value, const std::shared_ptr<int>& copies)
{
    Ptr<const AttributeValue> watched;
    const auto tryOne = [&](const auto* one) {
        using Value = std::remove_const_t<std::remove_pointer_t<decltype(one)>>;
        if (one)
        {
            watched = Create<Watched<Value>>(*one, copies);
        }
    };
    (tryOne(dynamic_cast<const Values*>(&value)), ...);
    return watched;
}

} // namespace

void
Watch(const std::string& fullName, const std::string& said)
{
    Default& watchedDefault = All()[fullName];
    if (watchedDefault.said != said)
    {
        watchedDefault = {said, std::make_shared<int>(), false};
    }
    const std::shared_ptr<int>& taken = watchedDefault.taken;
    const std::size_t colons = fullName.rfind("::");
    TypeId type = TypeId::LookupByName(fullName.substr(0, colons));
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        if (info.name != fullName.substr(colons + 2))
        {
            continue;
        }
        const auto watched = WatchedCopy<BooleanValue,
                                         DataRateValue,
                                         DoubleValue,
                                         AnyEnumValue,
                                         IntegerValue,
                                         ObjectFactoryValue,
                                         QueueSizeValue,
                                         StringValue,
                                         TimeValue,
                                         TypeIdValue,
                                         UintegerValue>(*info.initialValue, taken);
        if (watched)
        {
            type.SetAttributeInitialValue(i, watched);
        }
        else
        {
            ++*taken; // nobody can say
        }
    }
}

bool
IsWatched(const std::string& fullName)
{
    return All().count(fullName) != 0;
}

bool
IsTaken(const std::string& fullName)
{
    const auto found = All().find(fullName);
    return found != All().end() && *found->second.taken > 0;
}

void
Take(const std::string& fullName)
{
    const auto found = All().find(fullName);
    if (found != All().end() && g_pauses == 0)
    {
        ++*found->second.taken;
    }
}

Building::Building()
{
    for (const auto& [name, watched] : All())
    {
        m_before[name] = *watched.taken;
    }
}

void
Building::End(const std::vector<TypeId>& kinds, const std::vector<Ptr<Object>>& objects) const
{
    for (auto& [name, watched] : All())
    {
        const std::size_t colons = name.rfind("::");
        const TypeId type = TypeId::LookupByName(name.substr(0, colons));
        TypeId::AttributeInformation info;
        type.LookupAttributeByName(name.substr(colons + 2), &info);
        const bool isJudged =
            std::any_of(kinds.begin(), kinds.end(), [&](TypeId kind) { return IsA(type, kind); });
        if (!isJudged || dynamic_cast<const StringValue*>(PeekPointer(info.initialValue)))
        {
            continue; // text may read back in other words
        }
        watched.isOfFabric = true;
        const std::string value = ExactText(*info.initialValue, info.checker);
        const auto before = m_before.find(name);
        *watched.taken = before == m_before.end() ? 0 : before->second;
        *watched.taken += std::any_of(objects.begin(), objects.end(), [&](const auto& object) {
            const Ptr<AttributeValue> has = info.checker->Create();
            return IsA(object->GetInstanceTypeId(), type) &&
                   object->GetAttributeFailSafe(info.name, *has) &&
                   ExactText(*has, info.checker) == value;
        });
    }
}

Pause::Pause()
{
    ++g_pauses;
}

Pause::~Pause()
{
    --g_pauses;
}

void
WarnOfUnused()
{
    for (const auto& [name, watched] : All())
    {
        WarnOf(name, watched);
    }
    EndWatch();
}

void
WarnOfUnusedByFabric()
{
    for (auto each = All().begin(); each != All().end();)
    {
        const bool isNamed = each->second.isOfFabric && WarnOf(each->first, each->second);
        each = isNamed ? All().erase(each) : std::next(each);
    }
}

void
EndWatch()
{
    All().clear();
}

} // namespace WatchedDefaults
} // namespace ns3
