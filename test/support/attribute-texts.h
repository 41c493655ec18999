// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_TEXTS_H
#define LOSSLESS_ATTRIBUTE_TEXTS_H

#include "ns3/exact-text.h"
#include "ns3/object.h"
#include "ns3/pointer.h"

#include <map>
#include <string>

namespace ns3
{
namespace tests
{

/// @param object an object @return the values of its attributes but objects, by name
inline std::map<std::string, std::string>
AttributeTexts(const Object& object)
{
    std::map<std::string, std::string> texts;
    for (TypeId type = object.GetInstanceTypeId(); type != Object::GetTypeId();
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            const auto value = info.checker->Create();
            if (!dynamic_cast<PointerValue*>(PeekPointer(value)))
            {
                object.GetAttribute(info.name, *value);
                texts[info.name] = ExactText(*value, info.checker);
            }
        }
    }
    return texts;
}

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_ATTRIBUTE_TEXTS_H
