// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FIXED_ACCESSOR_H
#define LOSSLESS_FIXED_ACCESSOR_H

#include "wrapped-accessor.h"

#include "ns3/object-base.h"

#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * An object whose attributes are fixed from some time on, because what they have led to cannot be
 * changed any more. Declare such attributes with MakeFixed().
 */
class FixedWhenUsed
{
  public:
    virtual ~FixedWhenUsed() = default;

    /// @return since when the attributes are fixed, such as "its queue pair is connected"; null:
    /// they are not yet
    virtual const char* FixedSince() const = 0;
};

/**
 * @ingroup lossless
 *
 * Accessor of an attribute of a FixedWhenUsed: refuses to set it once it is fixed, with
 * std::invalid_argument.
 */
class FixedAccessor : public WrappedAccessor
{
  public:
    using WrappedAccessor::WrappedAccessor;

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto* owner = dynamic_cast<const FixedWhenUsed*>(object);
        const char* since = owner ? owner->FixedSince() : nullptr;
        if (since)
        {
            throw std::invalid_argument(NameIn(object->GetInstanceTypeId()) + " is fixed since " +
                                        since + "; set it before, such as where it is made");
        }
        return m_accessor->Set(object, value);
    }

  private:
    /// @param type of an object @return the name of the attribute that this accesses
    std::string NameIn(TypeId type) const
    {
        const std::string of = type.GetName() + "::";
        for (;; type = type.GetParent())
        {
            for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                const auto accessor = type.GetAttribute(i).accessor;
                if (FindAccessor<FixedAccessor>(PeekPointer(accessor)) == this)
                {
                    return of + type.GetAttribute(i).name;
                }
            }
            if (!type.HasParent() || type.GetParent() == type)
            {
                return of + "an attribute";
            }
        }
    }
};

/// @ingroup lossless
/// @param accessor sets and gets an attribute of a FixedWhenUsed
/// @return the accessor that refuses to set it once it is fixed
inline Ptr<const AttributeAccessor>
MakeFixed(Ptr<const AttributeAccessor> accessor)
{
    return Ptr<const AttributeAccessor>(new FixedAccessor(accessor), false);
}

} // namespace ns3

#endif // LOSSLESS_FIXED_ACCESSOR_H
