// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz-target.h"
#include "parsers.h"
#include "refusal.h"
#include "wire-test-util.h"

#include "ns3/frame-codec.h"
#include "ns3/frame-printer.h"
#include "ns3/inof-host.h"
#include "ns3/inof-message.h"
#include "ns3/inof-switch.h"
#include "ns3/ip-frame.h"

#include <algorithm>
#include <random>
#include <sstream>

namespace ns3
{
namespace fuzz
{
namespace
{

std::string
Text(const std::vector<uint8_t>& bytes)
{
    return {bytes.begin(), bytes.end()};
}

/// The first byte chooses the options; the rest is a frame. What was read can be written, and means
/// the same when it is read again.
bool
ParseFrame(const std::string& input)
{
    const uint8_t first = input.empty() ? 0 : static_cast<uint8_t>(input[0]);
    const FrameCodec::Options options{(first & 1) != 0, (first & 2) != 0};
    const std::vector<uint8_t> bytes(input.begin() + !input.empty(), input.end());
    const auto result = FrameCodec::Parse(bytes.data(), bytes.size(), options);
    if (!result.frame)
    {
        CheckRefusal(result.error);
        return false;
    }
    if (!result.error.empty())
    {
        Defect("a frame with an error: " + result.error);
    }
    const wiretest::FramePtr frame(result.frame);
    std::ostringstream printed;
    printed << *frame;
    const auto again = FrameCodec::Serialise(*frame, result.source, result.destination, options);
    const auto second = FrameCodec::Parse(again.data(), again.size(), options);
    if (!second.frame)
    {
        Defect("a frame that was read is refused: " + second.error);
    }
    const wiretest::FramePtr owner(second.frame);
    frame->bytes = owner->bytes; // bytes behind the packet are not kept
    if (frame->inner && owner->inner)
    {
        frame->inner->bytes = owner->inner->bytes; // likewise
    }
    if (wiretest::WireFields(*owner) != wiretest::WireFields(*frame))
    {
        Defect("a frame means something else when it is written and read");
    }
    if (frame->kind == FrameKind::IP)
    {
        frame->ttl = static_cast<uint8_t>(frame->ttl - 1); // as a switch does
        TakeIpPacket(*frame);
    }
    return true;
}

std::vector<std::string>
FrameSeeds(const std::string&)
{
    std::mt19937_64 random(1);
    std::vector<std::string> seeds;
    for (int i = 0; i < 96; ++i)
    {
        const FrameCodec::Options options{i % 8 == 1, i % 8 == 2};
        const auto bytes = FrameCodec::Serialise(*wiretest::RandomFrame(random),
                                                 Mac48Address("02:00:00:00:00:0a"),
                                                 Mac48Address("02:00:00:00:00:0b"),
                                                 options);
        seeds.push_back(
            std::string(1, static_cast<char>(options.computeIcrc | options.appendFcs << 1)) +
            Text(bytes));
    }
    return seeds;
}

/// A switch and a host of iNOF that send into the void.
struct Machines : InofSwitchSink, InofHostSink
{
    Machines()
    {
        InofSwitch::Config config;
        config.number = 20;
        config.ports = 4;
        oneSwitch = std::make_unique<InofSwitch>(*this, config);
        oneSwitch->AddSession(10, InofSwitch::REFLECTOR);
        oneSwitch->Start(0);
        oneSwitch->LinkChanged(0, true, 0);
        InofHost::Config host;
        host.info = {1, 0x0a000001, InofRole::SERVER, 8};
        oneHost = std::make_unique<InofHost>(*this, host);
        oneHost->Start(0);
    }

    void SendToHost(uint32_t, const InofDatagram& datagram) override
    {
        datagram.Serialise();
    }

    void SendToPeer(uint32_t, const InofDatagram& datagram) override
    {
        datagram.Serialise();
    }

    void SendToSwitch(const InofDatagram& datagram) override
    {
        datagram.Serialise();
    }

    void Notified(uint32_t, const InofMessage&) override
    {
    }

    void SessionChanged(uint32_t, bool) override
    {
    }

    void PeerUp(const InofHostInfo&) override
    {
    }

    void PeerDown(const InofHostInfo&, InofReason) override
    {
    }

    std::unique_ptr<InofSwitch> oneSwitch;
    std::unique_ptr<InofHost> oneHost;
};

/// Datagrams, each behind its length in a byte and a half; a switch and a host hear all of them.
bool
ParseDatagrams(const std::string& input)
{
    Machines machines;
    int64_t now = 0;
    bool isAny = false;
    for (std::size_t at = 0; at + 2 <= input.size();)
    {
        const auto high = static_cast<uint8_t>(input[at]);
        const std::size_t wanted = (high & 3) << 8 | static_cast<uint8_t>(input[at + 1]);
        at += 2;
        const std::size_t size = std::min(wanted, input.size() - at);
        const std::vector<uint8_t> bytes(input.begin() + static_cast<std::ptrdiff_t>(at),
                                         input.begin() + static_cast<std::ptrdiff_t>(at + size));
        at += size;
        const auto datagram = InofDatagram::Parse(bytes.data(), bytes.size());
        if (!datagram)
        {
            continue;
        }
        isAny = true;
        const auto again = datagram->Serialise();
        const auto second = InofDatagram::Parse(again.data(), again.size());
        if (!second || second->Serialise() != again)
        {
            Defect("a datagram means something else when it is written and read");
        }
        now += int64_t{high >> 2} * 10000000000; // up to 630 ms
        machines.oneHost->Advance(now);
        machines.oneSwitch->Advance(now);
        machines.oneHost->Receive(*datagram, now);
        machines.oneSwitch->HostDatagram(0, *datagram, now);
        machines.oneSwitch->PeerDatagram(*datagram, now);
    }
    return isAny;
}

/// @param datagram any @return an input with it alone
std::string
Alone(const InofDatagram& datagram)
{
    const auto bytes = datagram.Serialise();
    return std::string{static_cast<char>(bytes.size() >> 8), static_cast<char>(bytes.size())} +
           Text(bytes);
}

std::vector<std::string>
DatagramSeeds(const std::string&)
{
    std::vector<std::string> seeds;
    std::string all;
    for (int kind = InofDatagram::HELLO; kind <= InofDatagram::ACK; ++kind)
    {
        for (int type = InofMessage::HOST_EVENT; type <= InofMessage::ZONE_END; ++type)
        {
            InofDatagram datagram;
            datagram.kind = static_cast<InofDatagram::Kind>(kind);
            datagram.sender = kind == InofDatagram::SESSION ? 10 : 1;
            datagram.senderEpoch = 1;
            datagram.receiverEpoch = 1;
            datagram.hello = {1, 0x0a000001, InofRole::DISK, 8};
            if (kind == InofDatagram::NOTICE || kind == InofDatagram::SESSION)
            {
                datagram.sequence = static_cast<uint32_t>(type);
                InofMessage message;
                message.type = static_cast<InofMessage::Type>(type);
                message.up = true;
                message.host = {2, 0x0a000002, InofRole::SERVER, 8};
                message.originator = 10;
                message.clusterList = {1};
                message.version = 1;
                message.zone = 1;
                message.name = "zone";
                message.members = {1, 2, 3};
                datagram.message = message;
            }
            seeds.push_back(Alone(datagram));
            all += seeds.back();
        }
    }
    seeds.push_back(all);
    return seeds;
}

} // namespace

std::vector<Parser>
FrameParsers()
{
    return {{"frames", ParseFrame, FrameSeeds}, {"iNOF datagrams", ParseDatagrams, DatagramSeeds}};
}

} // namespace fuzz
} // namespace ns3
