// SPDX-License-Identifier: GPL-2.0-only
#include "chakra-node.h"

#include <cmath>
#include <cstring>

namespace ns3
{

namespace
{

/// The value of an attribute.
struct Value
{
    bool isText{false};
    bool isWhole{false};  //!< a number, 0 or more
    uint64_t number{0};   //!< if it is one
    std::string text;     //!< if it is one
    bool hasFalse{false}; //!< a list of truths has a false one
};

/// @param real a number @return it as a value
Value
OfReal(double real)
{
    constexpr double exact = 0x1p53;
    Value value;
    value.isWhole = real >= 0 && real <= exact && real == std::floor(real);
    value.number = value.isWhole ? static_cast<uint64_t>(real) : 0;
    return value;
}

/// @param number two's complement, or not negative @param isSigned which @return it as a value
Value
OfNumber(uint64_t number, bool isSigned)
{
    Value value;
    value.isWhole = !isSigned || number >> 63 == 0;
    value.number = number;
    return value;
}

/// @param wire at a field with the value of an attribute @return it
Value
ReadValue(const ProtoWire& wire)
{
    Value value;
    const uint32_t field = wire.GetField();
    if (field == ChakraNode::STRING || field == ChakraNode::BYTES)
    {
        value.isText = true;
        value.text = wire.GetText();
        return value;
    }
    if (field % 2 == 0) // a list
    {
        std::vector<uint64_t> truths;
        for (ProtoWire list = wire.GetMessage(); field == ChakraNode::BOOL_LIST && list.Next();)
        {
            list.AppendNumbers(truths);
        }
        for (const uint64_t truth : truths)
        {
            value.hasFalse = value.hasFalse || truth == 0;
        }
        return value;
    }
    const uint64_t bits = wire.GetNumber();
    if (field == ChakraNode::DOUBLE)
    {
        double real = 0;
        std::memcpy(&real, &bits, sizeof real);
        return OfReal(real);
    }
    if (field == ChakraNode::FLOAT)
    {
        const auto half = static_cast<uint32_t>(bits);
        float real = 0;
        std::memcpy(&real, &half, sizeof real);
        return OfReal(real);
    }
    if (field == ChakraNode::SINT32 || field == ChakraNode::SINT64)
    {
        value = OfNumber(bits >> 1, false);
        value.isWhole = (bits & 1) == 0;
        return value;
    }
    if (field == ChakraNode::SFIXED32)
    {
        value = OfNumber(bits, false);
        value.isWhole = bits >> 31 == 0;
        return value;
    }
    const bool isUnsigned = field == 11 || field == 13 || field == 19 || field == 21;
    return OfNumber(bits, !isUnsigned);
}

} // namespace

ChakraNode::ChakraNode(ProtoWire wire)
{
    enum Field : uint32_t
    {
        ID = 1,
        NODE_NAME = 2,
        TYPE = 3,
        CONTROLS = 4,
        DATA = 5,
        DURATION = 7,
        INPUTS = 8,
        ATTRIBUTE = 10
    };

    while (wire.Next())
    {
        switch (wire.GetField())
        {
        case ID:
            id = wire.GetNumber();
            break;
        case NODE_NAME:
            name = wire.GetText();
            break;
        case TYPE:
            type = wire.GetNumber();
            break;
        case CONTROLS:
            wire.AppendNumbers(controls);
            break;
        case DATA:
            wire.AppendNumbers(data);
            break;
        case DURATION:
            micros = wire.GetNumber();
            break;
        case INPUTS:
            for (ProtoWire inputs = wire.GetMessage(); inputs.Next();)
            {
                values = inputs.GetField() == 1 ? inputs.GetText() : values;
            }
            break;
        case ATTRIBUTE:
            ReadAttribute(wire.GetMessage());
            break;
        default:
            break;
        }
    }
}

void
ChakraNode::ReadAttribute(ProtoWire wire)
{
    std::string attribute;
    Value value;
    while (wire.Next())
    {
        if (wire.GetField() == ChakraNode::NAME)
        {
            attribute = wire.GetText();
        }
        else if (wire.GetField() >= ChakraNode::DOUBLE && wire.GetField() <= ChakraNode::BYTES)
        {
            value = ReadValue(wire);
        }
    }
    if (attribute == "pg_name")
    {
        group = value.isText ? value.text : std::to_string(value.number);
        return;
    }
    if (attribute == "lossless_algorithm")
    {
        algorithm = value.text;
        return;
    }
    if (attribute == "involved_dim")
    {
        hasOtherDimensions = value.hasFalse;
        return;
    }

    std::optional<uint64_t> cpu;
    std::optional<uint64_t>* const number = attribute == "is_cpu_op" ? &cpu : NumberOf(attribute);
    if (number && !value.isWhole)
    {
        wire.Fail("attribute " + attribute + " of node " + std::to_string(id) +
                  " is no whole number, 0 or more");
    }
    if (number)
    {
        *number = value.number;
    }
    isCpu = cpu ? *cpu != 0 : isCpu;
}

std::optional<uint64_t>*
ChakraNode::NumberOf(const std::string& attribute)
{
    struct Number
    {
        const char* name;
        std::optional<uint64_t>* to;
    };

    const Number numbers[] = {{"comm_type", &collective},
                              {"comm_size", &bytes},
                              {"comm_src", &source},
                              {"comm_dst", &target},
                              {"comm_tag", &tag},
                              {"comm_priority", &priority},
                              {"root", &root},
                              {"num_ops", &operations},
                              {"tensor_size", &tensor},
                              {"stream", &stream},
                              {"duration_nanos", &nanos},
                              {"lossless_channels", &channels},
                              {"lossless_stream", &ownStream},
                              {"lossless_nic", &nic},
                              {"lossless_send_done", &sendDone}};
    for (const Number& number : numbers)
    {
        if (attribute == number.name)
        {
            return number.to;
        }
    }
    return nullptr;
}

} // namespace ns3
