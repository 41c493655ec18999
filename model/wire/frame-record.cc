// SPDX-License-Identifier: GPL-2.0-only
#include "frame-record.h"

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace ns3
{
namespace
{

constexpr std::size_t LENGTH_AT = 1; //!< behind the version

/// Appends values to bytes.
class RecordWriter
{
  public:
    explicit RecordWriter(std::vector<uint8_t>& bytes)
        : m_bytes(bytes)
    {
    }

    /// Append values. @param values integers, enums, booleans, or arrays of such
    template <typename... T>
    void operator()(const T&... values)
    {
        (Put(values), ...);
    }

    /// Append a packet. @param packet it, or null
    void operator()(const Ptr<Packet>& packet)
    {
        const uint32_t size = packet ? packet->GetSerializedSize() : 0;
        Put(size);
        if (size)
        {
            m_bytes.resize(m_bytes.size() + size);
            packet->Serialize(m_bytes.data() + m_bytes.size() - size, size);
        }
    }

    /// Append the record of an inner frame. @param inner the frame
    void operator()(Frame* const& inner)
    {
        std::vector<uint8_t> record;
        FrameRecord::Write(*inner, record);
        Put(static_cast<uint32_t>(record.size()));
        m_bytes.insert(m_bytes.end(), record.begin(), record.end());
    }

  private:
    template <typename T>
    void Put(const T& value)
    {
        using Octets = std::make_unsigned_t<std::conditional_t<std::is_same_v<T, bool>, char, T>>;
        const auto rest = static_cast<Octets>(value);
        for (std::size_t i = 0; i < sizeof(T); ++i)
        {
            m_bytes.push_back(static_cast<uint8_t>(rest >> (8 * i)));
        }
    }

    template <typename T, std::size_t N>
    void Put(const std::array<T, N>& values)
    {
        for (const T& value : values)
        {
            Put(value);
        }
    }

    std::vector<uint8_t>& m_bytes;
};

/// Takes values from bytes, in the order in which they were appended.
class Reader
{
  public:
    Reader(const uint8_t* data, std::size_t size)
        : m_next(data),
          m_end(data + size)
    {
    }

    /// Take values. @param values integers, enums, booleans, or arrays of such
    template <typename... T>
    void operator()(T&... values)
    {
        (Get(values), ...);
    }

    /// Take a packet. @param packet becomes it, or null
    void operator()(Ptr<Packet>& packet)
    {
        uint32_t size = 0;
        Get(size);
        Require(size);
        packet = size ? Create<Packet>(m_next, size, true) : nullptr;
        m_next += size;
    }

    /// Take the record of an inner frame. @param inner becomes the frame
    void operator()(Frame*& inner)
    {
        uint32_t size = 0;
        Get(size);
        Require(size);
        inner = FrameRecord::Read(m_next, size);
        m_next += size;
    }

    /// @return bytes that nobody has taken
    std::size_t Left() const
    {
        return static_cast<std::size_t>(m_end - m_next);
    }

  private:
    void Require(std::size_t size) const
    {
        if (Left() < size)
        {
            throw std::runtime_error("a record of a frame ends too early");
        }
    }

    template <typename T>
    void Get(T& value)
    {
        Require(sizeof(T));
        uint64_t octets = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i)
        {
            octets |= uint64_t{m_next[i]} << (8 * i);
        }
        m_next += sizeof(T);
        value = static_cast<T>(octets);
    }

    template <typename T, std::size_t N>
    void Get(std::array<T, N>& values)
    {
        for (T& value : values)
        {
            Get(value);
        }
    }

    const uint8_t* m_next;
    const uint8_t* m_end;
};

/// @param stream a RecordWriter or a Reader @param frame whose telemetry passes, by its kind
template <typename Stream, typename AnyFrame>
void
PassTelemetry(Stream& stream, AnyFrame& frame)
{
    auto& telemetry = frame.telemetry;
    switch (frame.telemetryKind)
    {
    case TelemetryKind::NONE:
        break;
    case TelemetryKind::DELAY:
        stream(telemetry.delay.sentTick, telemetry.delay.endpointDelayNs, telemetry.delay.hops);
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING:
        stream(telemetry.hops.hops, telemetry.hops.pathId, telemetry.hops.records);
        break;
    case TelemetryKind::PINT:
        stream(telemetry.pint.utilisation);
        break;
    case TelemetryKind::ICC: {
        auto& icc = telemetry.icc;
        stream(icc.timeNs, icc.queueBytes, icc.queueRateMbps, icc.utilisation, icc.flows);
        stream(icc.capacityMbps, icc.targetBytes, icc.switchId, icc.port);
        break;
    }
    case TelemetryKind::RATE:
        stream(telemetry.rate.rateMbps, telemetry.rate.congested);
        break;
    case TelemetryKind::RECEIVER:
        stream(telemetry.receiver.queuePair);
        break;
    case TelemetryKind::MRC: {
        auto& mrc = telemetry.mrc;
        stream(mrc.stamped, mrc.coarse, mrc.repeated, mrc.time, mrc.msn, mrc.rqMsn);
        stream(mrc.sourceContext, mrc.destinationContext, mrc.ev, mrc.mark, mrc.answersProbe);
        stream(mrc.restore, mrc.penalty, mrc.window, mrc.probe, mrc.acked, mrc.base);
        stream(mrc.outOfOrder, mrc.received, mrc.bitmap, mrc.reason, mrc.operation, mrc.ports);
        break;
    }
    default:
        throw std::runtime_error("a record of a frame has an unknown kind of telemetry");
    }
}

/// The one list of fields. @param stream a RecordWriter or a Reader @param frame whose fields pass
template <typename Stream, typename AnyFrame>
void
PassFields(Stream& stream, AnyFrame& frame)
{
    stream(frame.kind, frame.ipVersion, frame.telemetryKind);
    stream(frame.bytes, frame.gapBytes, frame.trafficClass, frame.tagged, frame.flooded);
    if (frame.kind == FrameKind::PFC)
    {
        stream(frame.pfcEnable, frame.pfcQuanta);
        return;
    }
    stream(frame.src, frame.dst, frame.srcPort, frame.dstPort, frame.ecn, frame.ttl, frame.dscp);
    stream(frame.protocol, frame.ipId, frame.pcp, frame.vlan, frame.shimKind);
    if (frame.shimKind == ShimKind::PATH)
    {
        auto& shim = frame.pathShim;
        stream(shim.path, shim.feedbackPath, shim.congestion, shim.feedback);
    }
    else if (frame.shimKind == ShimKind::CONWEAVE)
    {
        auto& shim = frame.conWeaveShim;
        stream(shim.txTime, shim.tailTime, shim.epoch, shim.path, shim.phase, shim.kind, shim.cls);
    }
    if (frame.ipVersion != 4)
    {
        stream(frame.srcHigh, frame.dstHigh, frame.flowLabel);
    }
    if (frame.kind == FrameKind::ROCE)
    {
        stream(frame.opcode, frame.psn, frame.destQp, frame.payloadBytes, frame.ackRequest);
        stream(frame.sentClass, frame.trim, frame.isSrv6);
        if (frame.isSrv6)
        {
            stream(frame.innerEcn, frame.innerDst, frame.innerDstHigh);
        }
        stream(frame.becn, frame.syndrome, frame.msn, frame.immediate, frame.remoteAddress);
        stream(frame.dmaBytes, frame.remoteKey, frame.sackFirst, frame.sackPackets);
        PassTelemetry(stream, frame);
    }
    else if (frame.kind == FrameKind::VXLAN)
    {
        stream(frame.vni);
        stream(frame.inner);
    }
    else
    {
        stream(frame.sentClass);
        stream(frame.packet);
    }
}

} // namespace

void
FrameRecord::Write(const Frame& frame, std::vector<uint8_t>& bytes)
{
    bytes.clear();
    RecordWriter writer(bytes);
    writer(VERSION, uint32_t{0});
    PassFields(writer, frame);
    for (std::size_t i = 0; i < sizeof(uint32_t); ++i)
    {
        bytes[LENGTH_AT + i] = static_cast<uint8_t>(bytes.size() >> (8 * i));
    }
}

Frame*
FrameRecord::Read(const uint8_t* data, std::size_t size)
{
    Reader reader(data, size);
    uint8_t version = 0;
    uint32_t length = 0;
    reader(version);
    if (version != VERSION)
    {
        throw std::runtime_error("a record of a frame has version " + std::to_string(version) +
                                 ", this build knows " + std::to_string(VERSION) +
                                 "; run the same build on all ranks");
    }
    reader(length);
    const auto release = [](Frame* frame) { frame->Release(); };
    std::unique_ptr<Frame, decltype(release)> frame(new Frame, release);
    PassFields(reader, *frame);
    if (length != size || reader.Left() != 0)
    {
        throw std::runtime_error("a record of a frame of " + std::to_string(length) +
                                 " bytes has " + std::to_string(size));
    }
    return frame.release();
}

} // namespace ns3
