// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LIVE_ACCESSOR_H
#define LOSSLESS_LIVE_ACCESSOR_H

#include "apply-or-undo.h"
#include "wrapped-accessor.h"

namespace ns3
{

/// @ingroup lossless
/// Base of all LiveAccessors, by which a test recognises them.
class LiveAttributeAccessor : public WrappedAccessor
{
  public:
    using WrappedAccessor::WrappedAccessor;
};

/**
 * @ingroup lossless
 *
 * Accessor of an attribute from which its object derives other values: sets the attribute, and
 * tells the object, which derives those values anew or refuses the change with an exception; then
 * the attribute stays as it was. Members behind such attributes need initial values.
 */
template <typename T>
class LiveAccessor : public LiveAttributeAccessor
{
  public:
    /// @param accessor sets and gets the attribute @param changed called after each change
    LiveAccessor(Ptr<const AttributeAccessor> accessor, void (T::*changed)())
        : LiveAttributeAccessor(accessor),
          m_changed(changed)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto* target = dynamic_cast<T*>(object);
        const Ptr<AttributeValue> before = value.Copy();
        if (!target || !m_accessor->Get(object, *before))
        {
            return false;
        }
        bool isSet = false;
        ApplyOrUndo<const AttributeValue*>(PeekPointer(before), &value, [&](const auto* next) {
            isSet = m_accessor->Set(object, *next);
            (target->*m_changed)();
        });
        return isSet;
    }

  private:
    void (T::*m_changed)();
};

/// @ingroup lossless
/// @param accessor sets and gets the attribute, with a getter
/// @param changed member function, called after each change
/// @return the accessor
template <typename T>
Ptr<const AttributeAccessor>
MakeLive(Ptr<const AttributeAccessor> accessor, void (T::*changed)())
{
    return Ptr<const AttributeAccessor>(new LiveAccessor<T>(accessor, changed), false);
}

} // namespace ns3

#endif // LOSSLESS_LIVE_ACCESSOR_H
