// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVE_H
#define LOSSLESS_COLLECTIVE_H

#include "ns3/job-graph.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What one rank's part of a collective can do: send to and receive from the other ranks of its
 * group, which are named by their positions in it.
 */
class CollectivePort
{
  public:
    virtual ~CollectivePort() = default;

    /// @param to position of another rank @param bytes of the message, 0 is legal
    /// @param label by which the receiver tells it from others of this rank
    /// @param tells whether CollectivePart::Sent() is called once its last ACK is there
    virtual void Send(uint32_t to, uint64_t bytes, uint64_t label, bool tells) = 0;

    /// Wait for a message; CollectivePart::Received() is called once it is there, and reduced.
    /// @param from position of another rank @param bytes that it will have @param label its
    /// @param reduces whether it is added to what is here, which may cost time
    virtual void Receive(uint32_t from, uint64_t bytes, uint64_t label, bool reduces) = 0;
};

/**
 * @ingroup lossless
 *
 * One rank's part of a collective while it runs. It ends when it has no receive left, and does not
 * wait to send.
 */
class CollectivePart
{
  public:
    virtual ~CollectivePart() = default;

    /// The rank has come to the collective. @param port of this rank
    virtual void Start(CollectivePort& port) = 0;

    /// A message is there. @param port of this rank @param from position of the sender
    /// @param label of the message
    virtual void Received(CollectivePort& port, uint32_t from, uint64_t label) = 0;

    /// A message was sent that tells so. @param port of this rank @param to position of its
    /// receiver
    /// @param label of the message
    virtual void Sent([[maybe_unused]] CollectivePort& port,
                      [[maybe_unused]] uint32_t to,
                      [[maybe_unused]] uint64_t label)
    {
    }

    /// @return whether it goes on when Sent() is called
    virtual bool WaitsToSend() const
    {
        return false;
    }

    /// @return messages that it may send at most, where this is known before; else 0
    virtual uint64_t GetMostMessages() const
    {
        return 0;
    }
};

/// @ingroup lossless
/// @param bytes that are divided @param index of a share @param count of shares
/// @return its length: the first ones are 1 byte longer if there is a rest
inline uint64_t
ShareOf(uint64_t bytes, uint64_t index, uint64_t count)
{
    return count == 1 ? bytes : bytes / count + (index < bytes % count ? 1 : 0);
}

/// @ingroup lossless
/// What a collective is to one of its ranks.
struct CollectiveShape
{
    CollectiveType type{CollectiveType::ALL_REDUCE}; //!< what it does
    uint32_t ranks{1};                               //!< how many take part, 2 or more
    uint32_t position{0};                            //!< of this rank
    uint32_t root{0};                                //!< position of the root
    uint64_t bytes{0};                               //!< as JobOperation::bytes, of this channel
    /// By position: a number of its host; null: each has its own.
    std::shared_ptr<const std::vector<uint32_t>> hosts;

    /// @param other another shape @return whether all parts are the same by both
    bool IsLike(const CollectiveShape& other) const
    {
        return type == other.type && ranks == other.ranks && root == other.root &&
               bytes == other.bytes &&
               (hosts == other.hosts || (hosts && other.hosts && *hosts == *other.hosts));
    }

    /// @param index of a chunk, modulo the number of ranks @return its length: bytes / ranks, and
    /// the first ones are 1 byte longer if there is a rest
    uint64_t Chunk(uint64_t index) const
    {
        return ShareOf(bytes, index % ranks, ranks);
    }

    /// @param offset from this rank, may be negative @return the position there, in a ring
    uint32_t At(int64_t offset) const
    {
        const int64_t at = (static_cast<int64_t>(position) + offset) % ranks;
        return static_cast<uint32_t>(at < 0 ? at + ranks : at);
    }
};

/**
 * @ingroup lossless
 *
 * A way to do collectives: makes the part of each rank. Its state is that of the parts; one
 * algorithm makes all parts of a job. To write one of one's own, derive from this class, and from
 * SteppedPart or CollectivePart, and give jobs the name of its type.
 */
class CollectiveAlgorithm : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param type of a collective @return whether this can do it
    virtual bool Does(CollectiveType type) const = 0;

    /// @param shape of a collective that this can do, of 2 ranks or more @return a rank's part
    virtual std::unique_ptr<CollectivePart> Make(const CollectiveShape& shape) const = 0;

    /// @param name "ring", or the name of a TypeId; FabricError if there is none
    /// @return the algorithm, with the attributes of its type
    static Ptr<CollectiveAlgorithm> Create(const std::string& name);

    /// @param type of a collective @return name of the algorithm where none is named
    static const char* GetDefault(CollectiveType type);

    /// @return the short names of Create(), such as "ring"
    static std::vector<std::string> GetNames();

    /// @param algorithm any @return what users call it: a short name, or that of its type
    static std::string NameOf(const CollectiveAlgorithm& algorithm);

    /// @param type of a collective @return for messages: which of GetNames() do it
    static std::string DescribeThoseOf(CollectiveType type);
};

} // namespace ns3

#endif // LOSSLESS_COLLECTIVE_H
