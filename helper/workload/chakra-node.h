// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_NODE_H
#define LOSSLESS_CHAKRA_NODE_H

#include "proto-wire.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A node of an execution trace of Chakra, as far as a job needs it.
struct ChakraNode
{
    /// What it is.
    enum Type : uint8_t
    {
        INVALID,
        METADATA,
        MEM_LOAD,
        MEM_STORE,
        COMP,
        COMM_SEND,
        COMM_RECV,
        COMM_COLL
    };

    /// Read a node. @param wire its message
    explicit ChakraNode(ProtoWire wire);

    uint64_t id{0};
    uint64_t type{INVALID};         //!< other numbers may come
    uint64_t micros{0};             //!< how long it takes, microseconds
    std::string name;               //!< for people
    std::vector<uint64_t> controls; //!< nodes that it waits for, as the one who launches them says
    std::vector<uint64_t> data;     //!< nodes that it waits for
    std::string values;             //!< of its inputs
    std::string group;              //!< pg_name
    bool isCpu{false};              //!< is_cpu_op
    bool hasOtherDimensions{false}; //!< involved_dim leaves some out
    std::optional<uint64_t> collective; //!< comm_type
    std::optional<uint64_t> bytes;      //!< comm_size
    std::optional<uint64_t> source;     //!< comm_src
    std::optional<uint64_t> target;     //!< comm_dst
    std::optional<uint64_t> tag;        //!< comm_tag
    std::optional<uint64_t> priority;   //!< comm_priority
    std::optional<uint64_t> root;       //!< of a collective, a position in the group
    std::optional<uint64_t> operations; //!< num_ops
    std::optional<uint64_t> tensor;     //!< tensor_size, bytes
    std::optional<uint64_t> stream;     //!< of the GPU
    std::optional<uint64_t> nanos;      //!< duration_nanos, ours: as micros, exact

  private:
    /// Read an attribute. @param wire its message
    void ReadAttribute(ProtoWire wire);
};

} // namespace ns3

#endif // LOSSLESS_CHAKRA_NODE_H
