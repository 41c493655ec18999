// SPDX-License-Identifier: GPL-2.0-only
#include "qbb-helper.h"

#include "ns3/frame-printer.h"
#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/simulator.h"

#include <iomanip>
#include <stdexcept>

namespace ns3
{

namespace
{

/// One line of an ASCII trace, unfinished. @param event '-', 'r' or 'd' @param context trace source
/// with a space behind it, or nothing
std::ostream&
PrintFrame(const Ptr<OutputStreamWrapper>& stream,
           char event,
           const std::string& context,
           const Frame& frame)
{
    // Picoseconds, whatever the length of the run: as a floating-point number they would be lost.
    constexpr int64_t SECOND = 1000000000000;
    const int64_t now = Simulator::Now().GetPicoSeconds();
    return *stream->GetStream() << event << " " << now / SECOND << "." << std::setw(12)
                                << std::setfill('0') << now % SECOND << " " << context << frame;
}

void
TraceFrame(Ptr<OutputStreamWrapper> stream,
           char event,
           std::string context,
           const QbbNetDevice&,
           const Frame& frame)
{
    PrintFrame(stream, event, context, frame) << "\n";
}

void
TraceDrop(Ptr<OutputStreamWrapper> stream,
          std::string context,
          const QbbNetDevice&,
          const Frame& frame,
          DropReason reason)
{
    PrintFrame(stream, 'd', context, frame) << " reason=" << reason << "\n";
}

/// @return path of a trace source and a space
std::string
Context(const QbbNetDevice& device, const std::string& source)
{
    return "/NodeList/" + std::to_string(device.GetNode()->GetId()) + "/DeviceList/" +
           std::to_string(device.GetIfIndex()) + "/$ns3::QbbNetDevice/" + source + " ";
}

} // namespace

QbbHelper::QbbHelper() = default;

void
QbbHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_device.Set(name, value);
}

void
QbbHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channel.Set(name, value);
}

NetDeviceContainer
QbbHelper::Install(const NodeContainer& nodes)
{
    if (nodes.GetN() != 2)
    {
        throw std::invalid_argument("QbbHelper: a cable joins 2 nodes, not " +
                                    std::to_string(nodes.GetN()));
    }
    return Install(nodes.Get(0), nodes.Get(1));
}

NetDeviceContainer
QbbHelper::Install(Ptr<Node> a, Ptr<Node> b)
{
    if (a == b)
    {
        throw std::invalid_argument("QbbHelper: node " + std::to_string(a->GetId()) +
                                    " cannot be joined to itself");
    }
    auto channel = m_channel.Create<QbbChannel>();
    NetDeviceContainer devices;
    for (const auto& node : {a, b})
    {
        auto device = MakeDevice(node);
        device->Attach(channel);
        devices.Add(device);
    }
    return devices;
}

Ptr<QbbNetDevice>
QbbHelper::MakeDevice(Ptr<Node> node)
{
    auto device = m_device.Create<QbbNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    node->AddDevice(device);
    return device;
}

void
QbbHelper::EnablePcapInternal(std::string prefix,
                              Ptr<NetDevice> device,
                              bool promiscuous,
                              bool explicitFilename)
{
    auto port = DynamicCast<QbbNetDevice>(device);
    if (!port)
    {
        return; // EnablePcapAll() meets devices of all sorts
    }
    PcapHelper pcap;
    const std::string name = explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, device);
    Capture(*port, name, promiscuous);
}

Ptr<CaptureFile>
QbbHelper::Capture(QbbNetDevice& device, const std::string& path, bool promiscuous)
{
    const auto file = Create<CaptureFile>(path);
    device.TraceConnectWithoutContext(promiscuous ? "PromiscSniffer" : "Sniffer",
                                      MakeCallback(&CaptureFile::Write, file));
    return file;
}

void
QbbHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                               std::string prefix,
                               Ptr<NetDevice> device,
                               bool explicitFilename)
{
    auto port = DynamicCast<QbbNetDevice>(device);
    if (!port)
    {
        return;
    }
    const bool ownFile = !stream;
    if (ownFile)
    {
        AsciiTraceHelper ascii;
        stream = ascii.CreateFileStream(
            explicitFilename ? prefix : ascii.GetFilenameFromDevice(prefix, device));
    }
    auto context = [&](const std::string& source) {
        return ownFile ? std::string() : Context(*port, source);
    };
    port->TraceConnectWithoutContext(
        "FrameTx",
        MakeBoundCallback(&TraceFrame, stream, '-', context("FrameTx")));
    port->TraceConnectWithoutContext(
        "FrameRx",
        MakeBoundCallback(&TraceFrame, stream, 'r', context("FrameRx")));
    port->TraceConnectWithoutContext("Drop",
                                     MakeBoundCallback(&TraceDrop, stream, context("Drop")));
}

} // namespace ns3
