// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_USED_ACCESSOR_H
#define LOSSLESS_USED_ACCESSOR_H

#include "wrapped-accessor.h"

#include "ns3/object-base.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Accessor of an attribute that its object reads only while other attributes of the object allow
 * it. Declare such attributes with UsedWhen(); the code that reads them asks the same predicate.
 */
class UsedAccessor : public WrappedAccessor
{
  public:
    /// @param accessor sets and gets the attribute @param need what the object must be set to for
    /// it to read the attribute, such as "Telemetry Pint"
    UsedAccessor(Ptr<const AttributeAccessor> accessor, const char* need)
        : WrappedAccessor(accessor),
          m_need(need)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        return m_accessor->Set(object, value);
    }

    /// @param object that has the attribute @return whether it reads the attribute, as it is set
    /// now; never asked per frame
    virtual bool IsUsed(const ObjectBase& object) const = 0;

    /// @return what the attribute needs, such as "Telemetry Pint"
    const char* GetNeed() const
    {
        return m_need;
    }

  private:
    const char* m_need;
};

/// @ingroup lossless
/// UsedAccessor of a class.
template <typename T>
class UsedAccessorOf : public UsedAccessor
{
  public:
    /// @param accessor,need as those of UsedAccessor @param isUsed whether an object reads the
    /// attribute
    UsedAccessorOf(Ptr<const AttributeAccessor> accessor,
                   bool (T::*isUsed)() const,
                   const char* need)
        : UsedAccessor(accessor, need),
          m_isUsed(isUsed)
    {
    }

    bool IsUsed(const ObjectBase& object) const override
    {
        const auto* const owner = dynamic_cast<const T*>(&object);
        return !owner || (owner->*m_isUsed)();
    }

  private:
    bool (T::*m_isUsed)() const;
};

/// @ingroup lossless
/// @param accessor sets and gets an attribute; MakeFixed() and MakeLive() stand within
/// @param isUsed member function: whether the object reads the attribute, as it is set now
/// @param need what the attribute needs, such as "Telemetry Pint" @return the accessor
template <typename T>
Ptr<const AttributeAccessor>
UsedWhen(Ptr<const AttributeAccessor> accessor, bool (T::*isUsed)() const, const char* need)
{
    return Ptr<const AttributeAccessor>(new UsedAccessorOf<T>(accessor, isUsed, need), false);
}

} // namespace ns3

#endif // LOSSLESS_USED_ACCESSOR_H
