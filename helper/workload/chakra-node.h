// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_NODE_H
#define LOSSLESS_CHAKRA_NODE_H

#include "job-graph.h"
#include "proto-wire.h"

#include <array>
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
        INVALID,   //!< done at once
        METADATA,  //!< perhaps groups
        MEM_LOAD,  //!< memory that is far
        MEM_STORE, //!< memory that is far
        COMP,      //!< a calculation
        COMM_SEND, //!< a message to another rank
        COMM_RECV, //!< a message of another rank
        COMM_COLL  //!< a collective
    };

    static constexpr uint64_t NS_PER_US = 1000; //!< nanoseconds of a microsecond

    /// Numbers of the fields of an attribute: a name, and one of the values. Behind each value is a
    /// list of such.
    enum AttributeField : uint32_t
    {
        NAME = 1,       //!< name
        DOUBLE = 3,     //!< double
        FLOAT = 5,      //!< float
        INT32 = 7,      //!< int32
        INT64 = 9,      //!< int64
        UINT64 = 13,    //!< uint64
        SINT32 = 15,    //!< sint32
        SINT64 = 17,    //!< sint64
        FIXED32 = 19,   //!< fixed32
        SFIXED32 = 23,  //!< sfixed32
        BOOL = 27,      //!< bool
        BOOL_LIST = 28, //!< list of bool
        STRING = 29,    //!< string
        BYTES = 31      //!< bytes
    };

    /// comm_type, by its number.
    static constexpr std::array<CollectiveType, 10> COLLECTIVES{CollectiveType::ALL_REDUCE,
                                                                CollectiveType::REDUCE,
                                                                CollectiveType::ALL_GATHER,
                                                                CollectiveType::GATHER,
                                                                CollectiveType::SCATTER,
                                                                CollectiveType::BROADCAST,
                                                                CollectiveType::ALL_TO_ALL,
                                                                CollectiveType::REDUCE_SCATTER,
                                                                CollectiveType::REDUCE_SCATTER,
                                                                CollectiveType::BARRIER};

    /// Read a node. @param wire its message
    explicit ChakraNode(ProtoWire wire);

    uint64_t id{0};                 //!< unique in its file
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
    // What JobGraph has and Chakra has not, ours.
    std::string algorithm;             //!< lossless_algorithm: of a collective
    std::optional<uint64_t> channels;  //!< lossless_channels: likewise
    std::optional<uint64_t> ownStream; //!< lossless_stream: of JobOperation
    std::optional<uint64_t> nic;       //!< lossless_nic: of a message
    std::optional<uint64_t> sendDone;  //!< lossless_send_done: JobOperation::SendDone

  private:
    /// Read an attribute. @param wire its message
    void ReadAttribute(ProtoWire wire);
    /// @param attribute its name @return the number that it gives; null: it is none of these
    std::optional<uint64_t>* NumberOf(const std::string& attribute);
};

} // namespace ns3

#endif // LOSSLESS_CHAKRA_NODE_H
