// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QBB_HELPER_H
#define LOSSLESS_QBB_HELPER_H

#include "capture-file.h"

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/qbb-net-device.h"
#include "ns3/trace-helper.h"

#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Joins two nodes by a cable: QbbNetDevice, QbbChannel, QbbNetDevice. Used as ns-3's
 * PointToPointHelper is, captures and ASCII traces included:
 *
 * @code
 *   QbbHelper link;
 *   link.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
 *   link.SetChannelAttribute("Delay", StringValue("1us"));
 *   NetDeviceContainer ports = link.Install(a, b);
 *   link.EnablePcap("run", ports);
 * @endcode
 *
 * Captures hold Ethernet frames without FCS and nanosecond times: a frame to 100 Gb/s and more does
 * not even last one microsecond. A frame is captured when its first bit leaves and when its last
 * bit arrives. ASCII traces have a line a frame: '-' sent, 'r' received, 'd' dropped, time in
 * seconds, the trace source where a file has several devices, the frame, and why it was dropped.
 */
class QbbHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    QbbHelper();
    ~QbbHelper() override = default;

    /// @param name attribute of QbbNetDevice @param value its value in devices made from now on
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// @param name attribute of QbbChannel @param value its value in channels made from now on
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /// @param nodes two nodes @return their new devices, in the order of the nodes
    NetDeviceContainer Install(const NodeContainer& nodes);

    /// @param a a node @param b another @return their new devices, that of a first
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b);

    /// Capture the frames of a port. @param device the port @param path of the file
    /// @param promiscuous with frames for others @return the file, to be flushed at the end
    static Ptr<CaptureFile> Capture(QbbNetDevice& device,
                                    const std::string& path,
                                    bool promiscuous);

  private:
    Ptr<QbbNetDevice> MakeDevice(Ptr<Node> node);

    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;

    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> device,
                             bool explicitFilename) override;

    ObjectFactory m_device{"ns3::QbbNetDevice"};
    ObjectFactory m_channel{"ns3::QbbChannel"};
};

} // namespace ns3

#endif // LOSSLESS_QBB_HELPER_H
