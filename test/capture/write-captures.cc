// SPDX-License-Identifier: GPL-2.0-only

// Writes captures with one frame of every sort that the module can put on a link, and beside each,
// one line a frame, what an independent reader must find in it: the fields of check-capture.sh as
// tshark prints them. The two are compared there.
//
//   write-captures FOLDER      writes all.pcap, all.expected, all.filters, short-sends.pcap,
//   short-sends.expected

#include "ns3/boolean.h"
#include "ns3/frame-codec.h"
#include "ns3/frame-trim.h"
#include "ns3/icmpv4.h"
#include "ns3/icmpv6-header.h"
#include "ns3/ip-frame.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/srv6-frame.h"
#include "ns3/tcp-header.h"
#include "ns3/trace-helper.h"
#include "ns3/udp-header.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

const char* const PFC_NAME = "Class Based Flow Control [CBFC] Pause";
const Mac48Address SOURCE("02:00:00:00:00:01");
const Mac48Address DESTINATION("02:00:00:00:00:02");

/// A capture and the list of what is in it.
class Capture
{
  public:
    explicit Capture(const std::string& prefix)
        : m_expected(prefix + ".expected")
    {
        ObjectFactory factory("ns3::PcapFileWrapper");
        factory.Set("NanosecMode", BooleanValue(true));
        m_pcap = factory.Create<PcapFileWrapper>();
        m_pcap->Open(prefix + ".pcap", std::ios::out);
        m_pcap->Init(PcapHelper::DLT_EN10MB);
    }

    /// @param frame what to write, released here
    /// @param protocol tshark's name of the protocol
    /// @param name tshark's name of the packet, where it gives one
    void Add(Frame* frame, const std::string& protocol, const std::string& name = "")
    {
        auto packet = FrameCodec::ToPacket(*frame, SOURCE, DESTINATION, {true, false});
        m_pcap->Write(MicroSeconds(++m_count), packet);
        m_expected << protocol << "|" << name << "|" << frame->bytes - 4 << "|";
        frame->tagged ? m_expected << +frame->pcp << "|" << frame->vlan : m_expected << "|";
        m_expected << "|" << Ip(*frame, 4) << Ip(*frame, 6) << Roce(*frame) << Pfc(*frame) << "\n";
        frame->Release();
    }

    /// @return whether all was written
    bool Good()
    {
        m_expected.close();
        const bool good = m_expected.good() && !m_pcap->Fail();
        m_pcap->Close();
        return good;
    }

  private:
    static std::string Hex(uint64_t value, int digits)
    {
        std::ostringstream os;
        os << "0x" << std::hex << std::setw(digits) << std::setfill('0') << value;
        return os.str();
    }

    /// TTL, DSCP, ECN and checksum status ("1": good) of one IP version.
    static std::string Ip(const Frame& frame, uint8_t version)
    {
        if (frame.kind == FrameKind::PFC || frame.ipVersion != version)
        {
            return version == 4 ? "||||" : "|||";
        }
        std::ostringstream os;
        os << +frame.ttl << "|" << +frame.dscp << "|" << static_cast<int>(frame.ecn) << "|"
           << (version == 4 ? "1|" : "");
        return os.str();
    }

    /// BTH, then RETH, AETH and ImmDt where they are.
    static std::string Roce(const Frame& frame)
    {
        if (frame.kind != FrameKind::ROCE)
        {
            return "|||||||||||";
        }
        std::ostringstream os;
        os << frame.srcPort << "|" << static_cast<int>(frame.opcode) << "|"
           << (-frame.payloadBytes & 3U) << "|" << Hex(frame.destQp, 6) << "|" << frame.ackRequest
           << "|" << frame.psn % (1U << 24) << "|";
        // tshark does not know what follows the BTH of MRC.
        if (HasReth(frame.opcode) && !IsMrc(frame.opcode))
        {
            os << Hex(frame.remoteAddress, 16) << "|" << Hex(frame.remoteKey, 8) << "|"
               << static_cast<uint32_t>(frame.dmaBytes) << "|";
        }
        else
        {
            os << "|||";
        }
        // tshark shows what follows the BTH of a READ ACK as data of a manufacturer.
        HasAeth(frame.opcode) && frame.opcode < RoceOpcode::CNP
            ? os << +frame.syndrome << "|" << frame.msn << "|"
            : os << "||";
        return os.str();
    }

    static std::string Pfc(const Frame& frame)
    {
        std::ostringstream os;
        if (frame.kind == FrameKind::PFC)
        {
            os << Hex(frame.pfcEnable, 4);
        }
        for (uint16_t quanta : frame.pfcQuanta)
        {
            os << "|";
            frame.kind == FrameKind::PFC ? os << quanta : os;
        }
        return os.str();
    }

    Ptr<PcapFileWrapper> m_pcap;
    std::ofstream m_expected;
    uint32_t m_count{0};
};

/// What the RoCEv2 frames have in common.
struct Variant
{
    uint8_t ipVersion;
    bool tagged;
    Ecn ecn;
};

void
SetAddresses(Frame& frame)
{
    frame.src = 0x0a000001;
    frame.dst = 0x0a000002;
    if (frame.ipVersion == 6)
    {
        frame.srcHigh = frame.dstHigh = {0xfd000000, 0, 0};
        frame.src = 1;
        frame.dst = 2;
    }
}

Frame*
MakeRoce(const Variant& variant, RoceOpcode opcode, uint32_t payload, uint64_t psn)
{
    auto frame = new Frame;
    frame->ipVersion = variant.ipVersion;
    frame->tagged = variant.tagged;
    frame->pcp = variant.tagged ? 3 : 0;
    frame->vlan = variant.tagged ? 100 : 0;
    frame->ecn = variant.ecn;
    SetAddresses(*frame);
    frame->srcPort = 0xc123;
    frame->dstPort = ROCE_UDP_PORT;
    frame->dscp = 26;
    frame->ttl = 61;
    frame->ipId = variant.ipVersion == 4 ? 0x0102 : 0;
    frame->opcode = opcode;
    frame->payloadBytes = payload;
    frame->psn = psn;
    frame->destQp = 0x123456;
    frame->ackRequest = CarriesData(opcode) && !IsReadResponse(opcode) && IsLast(opcode);
    frame->remoteAddress = 0x7f00deadbeef0010;
    frame->remoteKey = 0x00c0ffee;
    frame->dmaBytes = (1ULL << 40) + 4096; // 32 bits of it fit
    frame->syndrome = 0x1f;
    frame->msn = 0x010203;
    frame->immediate = 0x11223344;
    frame->bytes = RoceFrameBytes(opcode, payload, variant.ipVersion, variant.tagged);
    return frame;
}

/// Every opcode, pad of 0 to 3 bytes among them, PSNs across the wrap.
void
AddRoce(Capture& capture, const Variant& variant)
{
    struct Item
    {
        RoceOpcode opcode;
        uint32_t payload;
        const char* name;
    };

    const Item items[] = {
        {RoceOpcode::SEND_FIRST, 1024, "RC Send First"},
        {RoceOpcode::SEND_MIDDLE, 1024, "RC Send Middle"},
        {RoceOpcode::SEND_LAST, 1021, "RC Send Last"},
        {RoceOpcode::SEND_LAST_IMM, 1022, "RC Send Last Immediate"},
        {RoceOpcode::SEND_ONLY, 1024, "RC Send Only"},
        {RoceOpcode::SEND_ONLY, 61, "RC Send Only"},
        {RoceOpcode::SEND_ONLY_IMM, 1023, "RC Send Only Immediate"},
        {RoceOpcode::WRITE_FIRST, 4096, "RC RDMA Write First"},
        {RoceOpcode::WRITE_MIDDLE, 4096, "RC RDMA Write Middle"},
        {RoceOpcode::WRITE_LAST, 333, "RC RDMA Write Last"},
        {RoceOpcode::WRITE_LAST_IMM, 3, "RC RDMA Write Last Immediate"},
        {RoceOpcode::WRITE_ONLY, 1000, "RC RDMA Write Only"},
        {RoceOpcode::WRITE_ONLY_IMM, 2, "RC RDMA Write Only Immediate"},
        {RoceOpcode::READ_REQUEST, 0, "RC RDMA Read Request"},
        {RoceOpcode::READ_RESPONSE_FIRST, 256, "RC RDMA Read Response First"},
        {RoceOpcode::READ_RESPONSE_MIDDLE, 256, "RC RDMA Read Response Middle"},
        {RoceOpcode::READ_RESPONSE_LAST, 5, "RC RDMA Read Response Last"},
        {RoceOpcode::READ_RESPONSE_ONLY, 7, "RC RDMA Read Response Only"},
        {RoceOpcode::ACKNOWLEDGE, 0, "RC Acknowledge"},
    };
    uint64_t psn = 0x5fffffa; // wraps on the way
    for (const Item& item : items)
    {
        capture.Add(MakeRoce(variant, item.opcode, item.payload, psn++), "RRoCE", item.name);
    }

    // NAK of a PSN sequence error and, as tshark does not name it, RNR NAK.
    for (uint8_t syndrome : {0x60, 0x2e})
    {
        const std::string name =
            syndrome == 0x60 ? "RC Acknowledge [PSN Sequence Error]" : "RC Acknowledge";
        auto nak = MakeRoce(variant, RoceOpcode::ACKNOWLEDGE, 0, psn);
        nak->syndrome = syndrome;
        capture.Add(nak, "RRoCE", name);
    }
    auto selective = MakeRoce(variant, RoceOpcode::ACKNOWLEDGE, 0, psn);
    selective->syndrome = 0x60;
    selective->sackFirst = psn + 5;
    selective->sackPackets = 1;
    selective->bytes += SACK_BYTES;
    capture.Add(selective, "RRoCE", "RC Acknowledge [PSN Sequence Error]");

    for (const auto trim : {Trim::ON_PATH, Trim::LAST_HOP})
    {
        for (const Item& item :
             {Item{RoceOpcode::SEND_MIDDLE, 1024, "RC Send Middle"},
              Item{RoceOpcode::WRITE_FIRST, 4096, "RC RDMA Write First"},
              Item{RoceOpcode::WRITE_LAST, 333, "RC RDMA Write Last"},
              Item{RoceOpcode::WRITE_ONLY_IMM, 2, "RC RDMA Write Only Immediate"},
              Item{RoceOpcode::READ_RESPONSE_LAST, 5, "RC RDMA Read Response Last"}})
        {
            auto cut = MakeRoce(variant, item.opcode, item.payload, psn++);
            TrimFrame(*cut, LEAST_TRIM_BYTES, trim);
            capture.Add(cut, "RRoCE", item.name);
        }
        auto told = MakeRoce(variant, RoceOpcode::ACKNOWLEDGE, 0, psn);
        told->syndrome = 0x60;
        told->trim = trim;
        told->sackFirst = psn - 1;
        told->sackPackets = 1;
        told->bytes += SACK_BYTES;
        capture.Add(told, "RRoCE", "RC Acknowledge [PSN Sequence Error]");
    }

    capture.Add(MakeRoce(variant, RoceOpcode::READ_ACKNOWLEDGE, 0, psn), "RRoCE", "READ ACK");

    auto cnp = MakeRoce(variant, RoceOpcode::CNP, 0, 0);
    cnp->becn = true;
    cnp->dscp = 48;
    capture.Add(cnp, "RRoCE", "CNP");
}

/// @param frame gets telemetry of the kind, as it is after three switches
void
SetTelemetry(Frame& frame, TelemetryKind kind)
{
    frame.telemetryKind = kind;
    FrameTelemetry& telemetry = frame.telemetry;
    switch (kind)
    {
    case TelemetryKind::NONE:
        break;
    case TelemetryKind::DELAY:
        telemetry.delay = {123456789, 800, 3};
        break;
    case TelemetryKind::INT:
    case TelemetryKind::INT_GROWING:
        telemetry.hops = {3, 0xabc, {0x4000001000020003, 0x6000001000020003, 0x2000001000020003}};
        break;
    case TelemetryKind::PINT:
        telemetry.pint = {99};
        break;
    case TelemetryKind::ICC:
        telemetry.icc = {1000, 200000, -5000, 9500, 17, 100000, 150000, 3, 4};
        break;
    case TelemetryKind::RATE:
        telemetry.rate = {40000, true};
        break;
    case TelemetryKind::RECEIVER:
        telemetry.receiver = {77};
        break;
    case TelemetryKind::MRC:
        break;
    }
    frame.bytes = RoceFrameBytes(frame.opcode,
                                 frame.payloadBytes,
                                 frame.ipVersion,
                                 frame.tagged,
                                 frame.GetTelemetryBytes());
}

/// Data and the ACK that brings the telemetry back, for each kind, and CNPs with each of theirs. A
/// reader that does not know telemetry takes it for payload.
void
AddTelemetry(Capture& capture, const Variant& variant)
{
    uint64_t psn = 0;
    for (const auto kind : {TelemetryKind::DELAY,
                            TelemetryKind::INT,
                            TelemetryKind::INT_GROWING,
                            TelemetryKind::PINT,
                            TelemetryKind::ICC})
    {
        struct Item
        {
            RoceOpcode opcode;
            uint32_t payload;
            const char* name;
        };

        for (const Item& item :
             {Item{RoceOpcode::WRITE_MIDDLE, 1024, "RC RDMA Write Middle"},
              Item{RoceOpcode::WRITE_LAST_IMM, 61, "RC RDMA Write Last Immediate"},
              Item{RoceOpcode::SEND_ONLY, 1024, "RC Send Only"},
              Item{RoceOpcode::READ_RESPONSE_MIDDLE, 1024, "RC RDMA Read Response Middle"},
              Item{RoceOpcode::READ_ACKNOWLEDGE, 0, "READ ACK"},
              Item{RoceOpcode::ACKNOWLEDGE, 0, "RC Acknowledge"}})
        {
            auto frame = MakeRoce(variant, item.opcode, item.payload, psn++);
            SetTelemetry(*frame, kind);
            capture.Add(frame, "RRoCE", item.name);
        }
    }
    for (const auto kind : {TelemetryKind::RATE, TelemetryKind::RECEIVER})
    {
        auto cnp = MakeRoce(variant, RoceOpcode::CNP, 0, 0);
        cnp->becn = true;
        SetTelemetry(*cnp, kind);
        capture.Add(cnp, "RRoCE", "CNP");
    }
}

/// Every packet kind of MRC. A reader that does not know MRC shows an unknown opcode. @param isSrv6
/// whether the packets are in SRv6, and have been marked there
void
AddMrc(Capture& capture, const Variant& variant, bool isSrv6)
{
    uint64_t psn = 0x5fffffa;
    const auto make = [&](RoceOpcode opcode, uint32_t payload, bool stamped) {
        auto frame = MakeRoce(variant, opcode, payload, psn++);
        frame->flowLabel = 0x1234;
        frame->telemetryKind = TelemetryKind::MRC;
        MrcHeader& header = frame->telemetry.mrc = {};
        header.stamped = stamped;
        header.repeated = stamped;
        header.time = 0x1234;
        header.msn = 7;
        header.rqMsn = 3;
        header.sourceContext = 0x4567;
        header.destinationContext = 0x3456;
        header.ev = 0x1234c123;
        header.mark = MrcMark::SKIP_ONCE;
        header.window = 8;
        header.probe = 9;
        header.acked = 7;
        header.base = 1;
        header.outOfOrder = 5;
        header.received = 164;
        header.bitmap = 0x76;
        header.ports = 0x7f;
        frame->bytes = RoceFrameBytes(opcode,
                                      payload,
                                      variant.ipVersion,
                                      variant.tagged,
                                      frame->GetTelemetryBytes());
        if (isSrv6)
        {
            frame->ecn = Ecn::ECT0;
            EnterSrv6(*frame, {0xfcbbbb00, 0x54115803, 0x54225007, 0});
            frame->ecn = variant.ecn;
        }
        return frame;
    };
    const char* const name = "Unknown OpCode";
    for (const auto opcode : {RoceOpcode::MRC_WRITE_FIRST,
                              RoceOpcode::MRC_WRITE_MIDDLE,
                              RoceOpcode::MRC_WRITE_LAST,
                              RoceOpcode::MRC_WRITE_LAST_IMM,
                              RoceOpcode::MRC_WRITE_ONLY,
                              RoceOpcode::MRC_WRITE_ONLY_IMM})
    {
        for (const bool stamped : {true, false})
        {
            capture.Add(make(opcode, 1021, stamped), "RRoCE", name);
            for (const auto trim : {Trim::ON_PATH, Trim::LAST_HOP})
            {
                auto cut = make(opcode, 1021, stamped);
                TrimFrame(*cut, LEAST_TRIM_BYTES, trim);
                capture.Add(cut, "RRoCE", name);
            }
        }
    }
    for (const auto opcode : {RoceOpcode::MRC_ACKNOWLEDGE,
                              RoceOpcode::MRC_ENDPOINT_REQUEST,
                              RoceOpcode::MRC_ENDPOINT_RESPONSE,
                              RoceOpcode::MRC_SACK,
                              RoceOpcode::MRC_NACK,
                              RoceOpcode::MRC_PROBE})
    {
        capture.Add(make(opcode, 0, false), "RRoCE", name);
    }
}

void
AddPfc(Capture& capture)
{
    auto make = [](uint8_t enable) {
        auto frame = new Frame;
        frame->kind = FrameKind::PFC;
        frame->bytes = ETHERNET_MIN_FRAME_BYTES;
        frame->pfcEnable = enable;
        return frame;
    };
    auto xoff = make(1 << 3);
    xoff->pfcQuanta[3] = 65535;
    capture.Add(xoff, "MAC CTRL", PFC_NAME);
    capture.Add(make(1 << 3), "MAC CTRL", PFC_NAME); // XON
    auto several = make(0xff);
    for (uint16_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        several->pfcQuanta[cls] = static_cast<uint16_t>(1000 + cls);
    }
    capture.Add(several, "MAC CTRL", PFC_NAME);
}

/// @return a packet of the stock stack with its checksums off, which is how ns-3 makes them
Ptr<Packet>
MakeTransport(const std::string& name, uint32_t payload)
{
    auto packet = Create<Packet>(payload);
    if (name == "TCP")
    {
        TcpHeader header;
        header.SetSourcePort(49200);
        header.SetDestinationPort(5001);
        header.SetFlags(TcpHeader::ACK);
        header.SetSequenceNumber(SequenceNumber32(1000));
        packet->AddHeader(header);
    }
    else if (name == "UDP")
    {
        UdpHeader header;
        header.SetSourcePort(49201);
        header.SetDestinationPort(5002);
        packet->AddHeader(header);
    }
    else if (name == "ICMP")
    {
        Icmpv4Echo echo;
        echo.SetIdentifier(1);
        echo.SetSequenceNumber(2);
        echo.SetData(Create<Packet>(56));
        packet = Create<Packet>();
        packet->AddHeader(echo);
        Icmpv4Header header;
        header.SetType(Icmpv4Header::ICMPV4_ECHO);
        packet->AddHeader(header);
    }
    return packet;
}

Ptr<Packet>
MakeIpv4(const std::string& name, uint32_t payload)
{
    auto packet = MakeTransport(name, payload);
    Ipv4Header header;
    header.SetSource("10.0.0.1");
    header.SetDestination("10.0.0.2");
    header.SetProtocol(name == "TCP" ? 6 : name == "UDP" ? 17 : 1);
    header.SetTtl(64);
    header.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    packet->AddHeader(header);
    return packet;
}

Ptr<Packet>
MakeIpv6(const std::string& name, uint32_t payload)
{
    auto packet = MakeTransport(name, payload);
    const Ipv6Address source("fd00::1");
    const Ipv6Address destination("fd00::2");
    Ipv6Header header;
    if (name == "ICMPv6")
    {
        Icmpv6Echo echo(true);
        echo.SetId(1);
        echo.SetSeq(2);
        echo.CalculatePseudoHeaderChecksum(source,
                                           destination,
                                           packet->GetSize() + echo.GetSerializedSize(),
                                           58);
        packet->AddHeader(echo);
    }
    header.SetSource(source);
    header.SetDestination(destination);
    header.SetNextHeader(name == "TCP" ? 6 : name == "UDP" ? 17 : 58);
    header.SetHopLimit(64);
    header.SetPayloadLength(static_cast<uint16_t>(packet->GetSize()));
    packet->AddHeader(header);
    return packet;
}

/// Short SEND messages. tshark guesses what they hold: it takes some of 0 to 12 bytes for RPC over
/// RDMA and calls them malformed (it reads 16 bytes before it looks at the length), and 17 to 20
/// zeros for SMB Direct. A capture of their own, to be read with these two guesses switched off.
void
AddShortSends(Capture& capture)
{
    uint64_t psn = 0;
    for (uint32_t payload = 0; payload <= 64; ++payload)
    {
        capture.Add(MakeRoce({4, false, Ecn::ECT0}, RoceOpcode::SEND_ONLY, payload, psn++),
                    "RRoCE",
                    "RC Send Only");
        capture.Add(MakeRoce({6, true, Ecn::CE}, RoceOpcode::SEND_LAST, payload, psn++),
                    "RRoCE",
                    "RC Send Last");
    }
}

/// Stock traffic after two hops and a mark.
void
AddStock(Capture& capture)
{
    const char* const sorts[] = {"TCP", "UDP", "ICMP", "TCP", "UDP", "ICMPv6"};
    for (uint32_t payload : {0, 1, 2, 57, 1400})
    {
        for (bool tagged : {false, true})
        {
            for (int sort = 0; sort < 6; ++sort)
            {
                const bool v6 = sort >= 3;
                const std::string protocol = sorts[sort];
                auto frame = v6 ? FrameFromIpPacket(MakeIpv6(protocol, payload), 0x86dd)
                                : FrameFromIpPacket(MakeIpv4(protocol, payload), 0x0800);
                frame->tagged = tagged;
                frame->pcp = tagged ? 1 : 0;
                frame->vlan = tagged ? 4090 : 0;
                frame->bytes =
                    std::max(ETHERNET_MIN_FRAME_BYTES,
                             ETHERNET_OVERHEAD_BYTES + (tagged ? 4 : 0) + frame->packet->GetSize());
                frame->ttl -= 2;
                frame->ecn = payload == 57 ? Ecn::CE : Ecn::NOT_ECT;
                capture.Add(frame, protocol);
            }
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "write-captures: one argument, the folder to write to\n";
        return 2;
    }
    const std::string folder = argv[1];
    Capture all(folder + "/all");
    AddPfc(all);
    for (uint8_t ipVersion : {4, 6})
    {
        for (bool tagged : {false, true})
        {
            for (Ecn ecn : {Ecn::ECT0, Ecn::CE})
            {
                AddRoce(all, {ipVersion, tagged, ecn});
                AddTelemetry(all, {ipVersion, tagged, ecn});
                AddMrc(all, {ipVersion, tagged, ecn}, false);
            }
        }
    }
    for (bool tagged : {false, true})
    {
        for (Ecn ecn : {Ecn::ECT0, Ecn::CE})
        {
            AddMrc(all, {6, tagged, ecn}, true);
        }
    }
    AddStock(all);
    // 42 packets of MRC, four variants over IPv6: half of the entropy value is in the label; and as
    // many in SRv6, half of which are marked on the outer header alone
    std::ofstream(folder + "/all.filters")
        << "336 ipv6.flow == 0x01234\n168 ipv6.nxt == 41 && ipv6.dst == fd00::2\n"
        << "168 ipv6.dst == fcbb:bb00:5411:5803:5422:5007:0:0\n"
        << "84 ipv6.nxt == 41 && ipv6.tclass.ecn == 3 && ipv6.tclass.ecn == 2\n";
    Capture shortSends(folder + "/short-sends");
    AddShortSends(shortSends);
    if (!all.Good() || !shortSends.Good())
    {
        std::cerr << "write-captures: cannot write to " << folder << "\n";
        return 1;
    }
    return 0;
}
