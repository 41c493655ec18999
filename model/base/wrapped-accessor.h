// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WRAPPED_ACCESSOR_H
#define LOSSLESS_WRAPPED_ACCESSOR_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

namespace ns3
{

/// @ingroup lossless
/// An accessor that gets an attribute by another accessor; how it sets the attribute is its own.
class WrappedAccessor : public AttributeAccessor
{
  public:
    /// @param accessor sets and gets the attribute
    explicit WrappedAccessor(Ptr<const AttributeAccessor> accessor)
        : m_accessor(accessor)
    {
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        return m_accessor->Get(object, value);
    }

    bool HasGetter() const override
    {
        return m_accessor->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_accessor->HasSetter();
    }

    /// @return the accessor that sets and gets the attribute
    const AttributeAccessor* GetInner() const
    {
        return PeekPointer(m_accessor);
    }

  protected:
    Ptr<const AttributeAccessor> m_accessor; //!< sets and gets the attribute
};

/// @ingroup lossless
/// @tparam Accessor a WrappedAccessor @param accessor of an attribute @return the first of that
/// kind among it and those that it wraps; null: there is none
template <typename Accessor>
const Accessor*
FindAccessor(const AttributeAccessor* accessor)
{
    while (accessor)
    {
        if (const auto* const found = dynamic_cast<const Accessor*>(accessor))
        {
            return found;
        }
        const auto* const wrapped = dynamic_cast<const WrappedAccessor*>(accessor);
        accessor = wrapped ? wrapped->GetInner() : nullptr;
    }
    return nullptr;
}

} // namespace ns3

#endif // LOSSLESS_WRAPPED_ACCESSOR_H
