// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_TRANSPORT_H
#define LOSSLESS_RDMA_TRANSPORT_H

#include "rdma-end.h"

#include "ns3/fixed-accessor.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

class RdmaHw;

/// @ingroup lossless
/// What serves the endpoint operations of a host: frames for no queue pair of its NIC.
class RdmaEndpoint : public SimpleRefCount<RdmaEndpoint>
{
  public:
    virtual ~RdmaEndpoint() = default;

    /// A frame has come. @param frame the frame, taken over @param port index of the port
    virtual void Receive(Frame* frame, uint32_t port) = 0;
};

/**
 * @ingroup lossless
 *
 * Policy: the protocol between the two ends of a queue pair, chosen by TypeId. The queue pair keeps
 * the verbs, their callbacks and its state; the transport turns requests into packets, and packets
 * into completions. Times are ticks.
 */
class RdmaTransport : public Object, public FixedWhenUsed
{
  public:
    /// What a queue pair has for its transport. All of it outlives the transport's use.
    struct Site
    {
        RdmaHw* hw{nullptr};                  //!< the NIC
        uint32_t port{0};                     //!< port at which the queue pair was made
        RdmaEnd* end{nullptr};                //!< connection, counters and sink of completions
        RdmaFlowState* flow{nullptr};         //!< shared with the congestion control
        Ptr<RdmaCongestionOps> ops;           //!< the congestion control, not started
        std::function<void(RdmaStatus)> fail; //!< to be called when the queue pair fails
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param hw a NIC @param port at which a queue pair was made @return the ports that the queue
    /// pair uses; std::invalid_argument if the NIC lacks some
    virtual std::vector<uint32_t> GetPorts(const RdmaHw& hw, uint32_t port) const = 0;

    /// @param ports number of ports of a NIC @return number of them that a queue pair uses
    virtual uint32_t CountPlanes(uint32_t ports) const = 0;

    /// @return bytes by which its packets are longer than those of RdmaRc without telemetry
    virtual uint32_t GetHeaderBytes() const = 0;

    /// @return of these, bytes of an outer header, which each of its frames has
    virtual uint32_t GetOuterBytes() const = 0;

    /**
     * The queue pair is connected. Throws std::invalid_argument with a one-line message for terms
     * that the transport cannot keep.
     * @param site what the queue pair has @param remote addresses of the peer's ports, in the order
     * of GetPorts() @param baseRtt round trip of an empty path; 0: unknown
     */
    virtual void Connect(const Site& site,
                         const std::vector<RdmaAddress>& remote,
                         Time baseRtt) = 0;

    /// @param request what to do @param now tick @return its id (RdmaQueuePair::Post)
    virtual uint64_t Post(const RdmaWorkRequest& request, int64_t now) = 0;

    /// @param count number of receives to post
    virtual void PostReceive(uint32_t count) = 0;

    /// A frame has come. @param frame the frame, taken over @param port index of its port
    /// @param now tick
    virtual void Receive(Frame* frame, uint32_t port, int64_t now) = 0;

    /// The link of a port went up or down. @param port its index @param up whether it is up
    /// @param now tick
    virtual void LinkChanged(uint32_t port, bool up, int64_t now) = 0;

    /// A setting of a port has changed. @param port its index
    virtual void PortChanged(uint32_t port) = 0;

    /// The queue pair has failed or was closed: send no more, and end all requests, the oldest with
    /// a status, the others as FLUSHED. @param status of the oldest @param now tick
    virtual void Fail(RdmaStatus status, int64_t now) = 0;

    /// @return whether a request is incomplete
    virtual bool IsBusy() const = 0;

    /// @return whether a packet could be sent by some port, if the port were free
    virtual bool CanSend() const = 0;

    /// @return timeouts since the last progress
    virtual uint32_t GetRetries() const = 0;

    /// @return whether it fails after so many timeouts; else it waits for ever
    virtual bool GivesUp() const = 0;

    /// Fix the random streams. @param stream first stream number @return number of streams used
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

/// @ingroup lossless
/// The reliable connection of InfiniBand over UDP, the default: queue pairs keep no object of this
/// type, and do themselves what it would do.
class RdmaRc final : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
};

} // namespace ns3

#endif // LOSSLESS_RDMA_TRANSPORT_H
