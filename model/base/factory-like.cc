// SPDX-License-Identifier: GPL-2.0-only
#include "factory-like.h"

#include "exact-text.h"

#include "ns3/pointer.h"

namespace ns3
{

ObjectFactory
FactoryLike(const Object& object)
{
    ObjectFactory factory;
    factory.SetTypeId(object.GetInstanceTypeId());
    TypeId type = object.GetInstanceTypeId();
    for (; type != Object::GetTypeId(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            const auto value = info.checker->Create();
            if (!info.accessor->HasGetter() || !info.accessor->HasSetter() ||
                dynamic_cast<const PointerValue*>(PeekPointer(value)))
            {
                continue;
            }
            object.GetAttribute(info.name, *value);
            const auto usual = info.checker->CreateValidValue(*info.initialValue);
            if (ExactText(*value, info.checker) != ExactText(*usual, info.checker))
            {
                factory.Set(info.name, *ExactValue(*value));
            }
        }
    }
    return factory;
}

} // namespace ns3
