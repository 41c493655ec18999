// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-planes.h"

#include "ns3/rdma-hw.h"
#include "ns3/srv6-frame.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{

void
MrcPlane::Address(Frame& frame, uint32_t ev) const
{
    const RdmaAddress& local = port.Address();
    frame.src = local.low;
    frame.srcHigh = local.high;
    frame.dst = remote.low;
    frame.dstHigh = remote.high;
    frame.srcPort = static_cast<uint16_t>(ev);
    frame.flowLabel = static_cast<uint16_t>(ev >> 16);
    MrcHeader& header = frame.telemetry.mrc;
    header.sourceContext = static_cast<uint16_t>(m_connection.localQp);
    header.destinationContext = static_cast<uint16_t>(m_connection.remoteQp);
    if (way)
    {
        EnterSrv6(frame, way->By(ev));
    }
}

void
MrcPlane::Answer(Frame* frame, uint32_t ev)
{
    m_connection.Address(*frame, frame->opcode, controlMarking);
    Address(*frame, ev);
    port.SendControl(frame);
}

bool
MrcPlane::Probe(uint32_t ev, uint16_t number, uint16_t time)
{
    if (!linkUp || !peerUp)
    {
        return false;
    }
    auto frame = new Frame;
    frame->telemetryKind = TelemetryKind::MRC;
    frame->telemetry.mrc = {};
    frame->telemetry.mrc.probe = number;
    frame->telemetry.mrc.time = time;
    m_connection.Address(*frame, RoceOpcode::MRC_PROBE, dataMarking);
    frame->ecn = m_connection.dataEcn;
    Address(*frame, ev);
    port.SendControl(frame);
    return true;
}

MrcPlanes::MrcPlanes(RdmaMrc& mrc,
                     const RdmaTransport::Site& site,
                     const std::vector<uint32_t>& ports,
                     const std::vector<RdmaAddress>& remote,
                     uint32_t lead)
    : turns(ports.size(), lead),
      m_connection(site.end->connection),
      m_first(ports.front())
{
    for (uint32_t plane = 0; plane < ports.size(); ++plane)
    {
        RdmaPort& port = site.hw->Port(ports[plane]);
        all.push_back(std::make_unique<MrcPlane>(mrc, plane, port, remote[plane], m_connection));
    }
}

void
MrcPlanes::Follow(uint8_t repeats, uint8_t answers, uint32_t longest)
{
    for (auto& plane : all)
    {
        const TrafficClassMap& map = *plane->port.Device().GetTrafficClassMap();
        const uint8_t queue = plane->dataMarking.trafficClass;
        plane->dataMarking = RdmaMarking::FromMap(map, m_connection.data.sentClass);
        plane->repeatMarking = RdmaMarking::FromMap(map, repeats);
        // The plane has one turn at the port.
        plane->repeatMarking.trafficClass = plane->dataMarking.trafficClass;
        plane->controlMarking = RdmaMarking::FromMap(map, answers);
        if (plane->slot != QpScheduler::NONE && plane->dataMarking.trafficClass != queue)
        {
            plane->SetQueue();
        }
    }
    for (const auto& plane : all)
    {
        const QbbNetDevice& device = plane->port.Device();
        if (static_cast<double>(device.GetDataRate().GetBitRate()) != plane->rate)
        {
            throw std::invalid_argument(
                "RdmaMrc: the congestion control of a queue pair has started at another rate of "
                "the ports; set their DataRate before queue pairs are connected");
        }
        for (const RdmaMarking& marking :
             {plane->dataMarking, plane->repeatMarking, plane->controlMarking})
        {
            if (device.GetActivePfcClasses() & (1U << marking.sentClass))
            {
                throw std::invalid_argument(
                    "RdmaMrc: MRC runs over lossy classes: class " +
                    std::to_string(marking.sentClass) +
                    " has PFC; turn PFC off, or set TrafficClass, RepeatClass and ControlClass to "
                    "classes without it");
            }
        }
        if (longest > device.GetMtu())
        {
            throw std::invalid_argument(
                "RdmaMrc: Mtu " + std::to_string(m_connection.mtu) + " needs IP packets of " +
                std::to_string(longest) + " bytes, and the MTU of the port is " +
                std::to_string(device.GetMtu()) + "; lower the first or raise the second");
        }
    }
}

void
MrcPlanes::Join()
{
    for (auto& plane : all)
    {
        plane->slot = plane->port.Add(plane.get(), plane->dataMarking.trafficClass);
    }
}

void
MrcPlanes::Leave()
{
    for (auto& plane : all)
    {
        plane->port.Remove(plane->slot);
    }
}

void
MrcPlanes::SetLink(uint32_t index, bool up)
{
    if (PlaneOf(index) < all.size())
    {
        all[PlaneOf(index)]->linkUp = up;
    }
}

bool
MrcPlanes::SetPeer(const RdmaAddress& source, uint32_t up)
{
    const auto isFrom = [&source](const auto& plane) { return plane->remote == source; };
    if (std::none_of(all.begin(), all.end(), isFrom))
    {
        return false;
    }
    for (auto& plane : all)
    {
        plane->peerUp = up >> plane->port.Device().GetPortIndex() & 1;
    }
    return true;
}

double
MrcPlanes::Update(const MrcEvs& evs, uint64_t& lost)
{
    double rate = 0;
    for (const auto& plane : all)
    {
        const bool up = plane->linkUp && plane->peerUp && evs.HasEv(plane->index);
        if (up != turns.IsUp(plane->index))
        {
            lost += !up;
            turns.SetUp(plane->index, up);
        }
        rate += up ? plane->rate : 0;
    }
    return rate;
}

MrcPlane&
MrcPlanes::ForAnswer(uint32_t cause) const
{
    uint32_t which = cause;
    for (uint32_t i = 0; i < all.size() && !turns.IsUp(which); ++i)
    {
        which = (which + 1) % all.size();
    }
    return *all[which];
}

} // namespace ns3
