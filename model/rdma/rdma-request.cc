// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-request.h"

#include <algorithm>

namespace ns3
{

RdmaRequest::Head
RdmaRequest::HeadOf(uint64_t mtu, uint64_t psn) const
{
    if (verb == RdmaVerb::READ)
    {
        return {RoceOpcode::READ_REQUEST, 0};
    }
    // FIRST, MIDDLE, LAST, LAST_IMM, ONLY, ONLY_IMM, in this order, for SEND and for WRITE.
    const bool write = verb == RdmaVerb::WRITE || verb == RdmaVerb::WRITE_IMM;
    const bool withImmediate = verb == RdmaVerb::WRITE_IMM || verb == RdmaVerb::SEND_IMM;
    const auto base =
        static_cast<uint8_t>(write ? RoceOpcode::WRITE_FIRST : RoceOpcode::SEND_FIRST);
    const uint64_t index = psn - first;
    if (psn + 1 != end)
    {
        const uint8_t middle = index == 0 ? 0 : 1;
        return {static_cast<RoceOpcode>(base + middle), static_cast<uint32_t>(mtu)};
    }
    const uint8_t last = (index == 0 ? 4 : 2) + (withImmediate ? 1 : 0);
    return {static_cast<RoceOpcode>(base + last), static_cast<uint32_t>(bytes - index * mtu)};
}

RdmaCompletion
RdmaRequest::Complete(RdmaStatus status, int64_t now) const
{
    RdmaCompletion completion;
    completion.id = id;
    completion.verb = verb;
    completion.status = status;
    completion.immediate = immediate;
    completion.bytes = bytes;
    completion.posted = TimeStep(posted);
    completion.firstSent = TimeStep(firstSent < 0 ? now : firstSent);
    completion.completed = TimeStep(now);
    return completion;
}

uint32_t
RdmaRequest::WireBytes(const RdmaConnection& connection, uint64_t psn) const
{
    const Head head = HeadOf(connection.mtu, psn);
    return connection.WireBytes(head.opcode, head.payload, connection.telemetry);
}

Frame*
RdmaRequest::MakeData(const RdmaConnection& connection, uint64_t psn, int64_t now) const
{
    const Head head = HeadOf(connection.mtu, psn);
    auto frame = new Frame;
    frame->payloadBytes = head.payload;
    RdmaConnection::StartTelemetry(*frame, connection.telemetry, now);
    connection.Address(*frame, head.opcode, connection.data);
    frame->ecn = connection.dataEcn;
    frame->psn = psn;
    frame->remoteAddress = remoteAddress;
    frame->remoteKey = remoteKey;
    frame->dmaBytes = bytes;
    frame->immediate = immediate;
    return frame;
}

Frame*
RdmaRequest::MakeRead(const RdmaConnection& connection, RdmaPsnRange range) const
{
    const uint64_t offset = (range.first - first) * connection.mtu;
    auto frame = new Frame;
    connection.Address(*frame, RoceOpcode::READ_REQUEST, connection.data);
    frame->ecn = connection.dataEcn;
    frame->psn = range.first;
    frame->remoteAddress = remoteAddress + offset;
    frame->remoteKey = remoteKey;
    frame->dmaBytes = std::min(bytes - offset, (range.end - range.first) * connection.mtu);
    frame->ackRequest = range.end == end; // the message ends with it
    return frame;
}

} // namespace ns3
