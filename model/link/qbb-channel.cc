// SPDX-License-Identifier: GPL-2.0-only
#include "qbb-channel.h"

#include "qbb-net-device.h"

#include "ns3/apply-or-undo.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbChannel");

NS_OBJECT_ENSURE_REGISTERED(QbbChannel);

TypeId
QbbChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbChannel")
            .SetParent<Channel>()
            .SetGroupName("Lossless")
            .AddConstructor<QbbChannel>()
            .AddAttribute("Delay",
                          "Propagation delay of the cable, one way",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&QbbChannel::SetDelay, &QbbChannel::GetDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

QbbChannel::QbbChannel() = default;

void
QbbChannel::Attach(Ptr<QbbNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    for (auto& end : m_ends)
    {
        if (!end)
        {
            end = device;
            if (GetNDevices() == 2 && m_up)
            {
                m_ends[0]->LinkChanged(true);
                m_ends[1]->LinkChanged(true);
            }
            return;
        }
    }
    throw std::invalid_argument(
        "QbbChannel: both ends of the cable are plugged in already; use another channel");
}

void
QbbChannel::RequireLookahead(Time delay) const
{
    if (GetNDevices() < 2 || delay >= m_delay)
    {
        return;
    }
    const auto simulator = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation());
    if (simulator && delay < simulator->GetSoonest() && !simulator->Undivide())
    {
        throw std::invalid_argument("QbbChannel: Delay of channel " + std::to_string(GetId()) +
                                    " becomes " + ExactText(delay) +
                                    ", and the shortest link of a run on several threads stays " +
                                    ExactText(simulator->GetSoonest()) +
                                    "; set the delay before the run, or leave threads out");
    }
}

void
QbbChannel::SetDelay(Time delay)
{
    NS_LOG_FUNCTION(this << delay);
    RequireLookahead(delay);
    ApplyOrUndo(m_delay, delay, [this](Time next) {
        m_delay = next;
        for (const auto& end : m_ends)
        {
            if (end)
            {
                end->SettingChanged();
            }
        }
    });
}

Time
QbbChannel::GetDelay() const
{
    return m_delay;
}

Ptr<QbbNetDevice>
QbbChannel::GetPeer(const QbbNetDevice* device) const
{
    return PeekPointer(m_ends[0]) == device ? m_ends[1] : m_ends[0];
}

FrameReceiver*
QbbChannel::GetRemote(QbbNetDevice& device)
{
    return nullptr;
}

void
QbbChannel::SetUp(bool up)
{
    NS_LOG_FUNCTION(this << up);
    if (up == m_up)
    {
        return;
    }
    m_up = up;
    for (const auto& end : m_ends)
    {
        if (end)
        {
            end->LinkChanged(up);
        }
    }
}

bool
QbbChannel::IsUp() const
{
    return m_up;
}

std::size_t
QbbChannel::GetNDevices() const
{
    return (m_ends[0] ? 1 : 0) + (m_ends[1] ? 1 : 0);
}

Ptr<NetDevice>
QbbChannel::GetDevice(std::size_t i) const
{
    return m_ends.at(i);
}

void
QbbChannel::DoDispose()
{
    m_ends = {};
    Channel::DoDispose();
}

} // namespace ns3
