// SPDX-License-Identifier: GPL-2.0-only
#include "random-settings.h"

#include "fabric-ports.h"
#include "fabric-state.h"

#include "ns3/double.h"
#include "ns3/dwrr-scheduler.h"
#include "ns3/shaped-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/strict-priority-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <exception>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3
{
namespace tests
{

/// Changes the settings of a fabric at random.
class RandomSettings::Change
{
  public:
    Change(Dice& dice, const Fabric& fabric, const std::vector<uint32_t>& lossless)
        : m_dice(dice),
          m_fabric(fabric)
    {
        for (const uint32_t cls : lossless)
        {
            m_lossless |= 1U << cls;
        }
    }

    /// Change something. @return what
    std::string operator()()
    {
        const std::vector<std::function<std::string()>> changes{
            [this] { return Link("PfcReactionDelay", Nanoseconds(m_dice.Below(4000))); },
            [this] { return Link("PfcQuanta", std::to_string(m_dice.Between(20000, 65535))); },
            [this] { return Link("Mtu", std::to_string(m_dice.Between(5000, 9216))); },
            [this] { return Classes(); },
            [this] { return Dialect(); },
            [this] { return Delay(); },
            [this] { return Rate(); },
            [this] { return Map(); },
            [this] { return Scheduler(); },
            [this] { return Buffer(); },
            [this] { return Mmu("Alpha", std::to_string(0.001 * m_dice.Between(1, 2000))); },
            [this] { return Mmu("XonOffset", std::to_string(m_dice.Below(50000))); },
            [this] { return Mmu("GuaranteedBytes", std::to_string(m_dice.Below(5000))); },
            [this] { return Mmu("LossyShare", std::to_string(0.01 * m_dice.Below(100))); },
            [this] { return Pools(); },
            [this] { return Switch("ReleaseAt", m_dice.Chance(50) ? "LastBit" : "DequeueStart"); },
            [this] { return Switch("MarkAt", m_dice.Chance(50) ? "Enqueue" : "Dequeue"); },
            [this] { return Switch("EcnEnabled", m_dice.Chance(50) ? "true" : "false"); },
            [this] {
                return Switch("EcnMarkerType",
                              m_dice.Chance(50) ? "ns3::WredEcnMarker" : "ns3::PcnMarker");
            },
            [this] { return Switch("LoadBalancerType", "ns3::EcmpLoadBalancer"); },
        };
        return m_dice.Pick(changes)();
    }

    /// @return whether data got another class while it was on its way
    bool IsRemapped() const
    {
        return m_isRemapped;
    }

  private:
    static std::string Nanoseconds(uint64_t ns)
    {
        return std::to_string(ns) + "ns";
    }

    LinkId RandomLink()
    {
        const auto links = m_fabric.GetTopology().GetLinks().size();
        return LinkId(m_dice.Below(links));
    }

    Ptr<FabricSwitch> RandomSwitch()
    {
        return m_fabric.GetSwitch(SwitchId(m_dice.Below(m_fabric.GetNSwitches())));
    }

    /// Call a function with both ports of a link; when it throws, with what was before at both.
    template <typename T, typename Get, typename Set>
    void BothEnds(LinkId link, const T& value, Get get, Set set)
    {
        const auto channel = m_fabric.GetChannel(link);
        std::vector<T> before;
        try
        {
            for (const std::size_t end : {0, 1})
            {
                auto& port = dynamic_cast<QbbNetDevice&>(*channel->GetDevice(end));
                before.push_back(get(port));
                set(port, value);
            }
        }
        catch (const std::invalid_argument&)
        {
            for (std::size_t end = 0; end < before.size(); ++end)
            {
                set(dynamic_cast<QbbNetDevice&>(*channel->GetDevice(end)), before[end]);
            }
            throw;
        }
    }

    /// Set an attribute at both ends of a link.
    std::string Link(const std::string& attribute, const std::string& value)
    {
        const LinkId link = RandomLink();
        const auto get = [&](QbbNetDevice& port) {
            StringValue text;
            port.GetAttribute(attribute, text);
            return text.Get();
        };
        BothEnds(link, value, get, [&](QbbNetDevice& port, const std::string& text) {
            port.SetAttribute(attribute, StringValue(text));
        });
        return link.Name() + " " + attribute + " " + value;
    }

    /// Give a link PFC for more classes, or take it from all of them for a while.
    std::string Classes()
    {
        const uint64_t classes = m_lossless | m_dice.Below(256);
        const bool without = m_dice.Chance(50);
        if (!without)
        {
            return Link("PfcClasses", std::to_string(classes));
        }
        const LinkId link = RandomLink();
        SetPfc(link, false);
        Simulator::Schedule(MicroSeconds(m_dice.Below(50)), [this, link] {
            try
            {
                SetPfc(link, true);
            }
            catch (const std::invalid_argument&) // a buffer has become too small for it
            {
                EnlargeBuffers();
                SetPfc(link, true);
            }
        });
        return link.Name() + " without PFC for a while";
    }

    /// Give all switches four times the buffer.
    void EnlargeBuffers()
    {
        for (const SwitchId which : m_fabric.Switches())
        {
            const auto mmu = m_fabric.GetSwitch(which)->GetMmu();
            mmu->SetAttribute("BufferSize", UintegerValue(4 * mmu->GetBufferSize()));
        }
    }

    void SetPfc(LinkId link, bool enabled)
    {
        for (const std::size_t end : {0, 1})
        {
            const auto device = m_fabric.GetChannel(link)->GetDevice(end);
            dynamic_cast<QbbNetDevice&>(*device).SetPfcEnabled(enabled);
        }
    }

    std::string Dialect()
    {
        return Link("PfcDialect", m_dice.Chance(50) ? "EndlessXoff" : "Standard");
    }

    std::string Delay()
    {
        const LinkId link = RandomLink();
        const Time delay = NanoSeconds(m_dice.Below(8000));
        m_fabric.GetChannel(link)->SetDelay(delay);
        return link.Name() + " Delay " + Nanoseconds(delay.GetNanoSeconds());
    }

    std::string Rate()
    {
        return Link("DataRate", m_dice.Pick({"10Gbps", "25Gbps", "100Gbps", "400Gbps"}));
    }

    /// A DSCP gets another class at all ports, or goes back to its own. What is queued stays in its
    /// queue, which a pause of the new class does not stop.
    std::string Map()
    {
        const uint32_t dscp = m_dice.Below(64);
        const uint32_t cls = m_dice.Chance(50) ? dscp >> 3 : m_dice.Below(8);
        const auto first = m_fabric.GetDevice(NodeId(0), 0)->GetTrafficClassMap();
        const bool isSent = dscp % TRAFFIC_CLASSES == 0; // of data: the lowest of a class
        m_isRemapped = m_isRemapped || (isSent && first->ClassOfDscp(dscp) != cls);
        for (const FabricPort& each : PortsOf(m_fabric))
        {
            each.device->GetTrafficClassMap()->SetDscp(dscp, cls);
        }
        return "DSCP " + std::to_string(dscp) + " to class " + std::to_string(cls);
    }

    std::string Scheduler()
    {
        const auto fabricSwitch = RandomSwitch();
        const uint32_t port = m_dice.Below(fabricSwitch->GetNPorts());
        Ptr<EgressScheduler> scheduler = CreateObject<StrictPriorityScheduler>();
        if (m_dice.Chance(30))
        {
            const std::string rate = std::to_string(m_dice.Between(5, 100)) + "%";
            scheduler = CreateObjectWithAttributes<ShapedScheduler>("StrictClasses",
                                                                    UintegerValue(1 << 6),
                                                                    "PortRate",
                                                                    StringValue(rate));
        }
        else if (m_dice.Chance(70))
        {
            const auto dwrr = CreateObject<DwrrScheduler>();
            dwrr->SetWeight(3, m_dice.Between(1, 9));
            scheduler = dwrr;
        }
        fabricSwitch->GetPort(port)->SetScheduler(scheduler);
        return "scheduler of port " + std::to_string(port);
    }

    std::string Buffer()
    {
        const auto fabricSwitch = RandomSwitch();
        const uint64_t bytes = fabricSwitch->GetMmu()->GetBufferSize() * m_dice.Between(5, 18) / 10;
        fabricSwitch->GetMmu()->SetAttribute("BufferSize", UintegerValue(bytes));
        return "BufferSize " + std::to_string(bytes);
    }

    std::string Pools()
    {
        const uint32_t lossless = m_dice.Between(10, 80);
        const uint32_t any = m_dice.Between(1, 100 - lossless - 5);
        return Mmu("ServicePools",
                   m_dice.Chance(30)
                       ? ""
                       : "roce lossless " + std::to_string(lossless) + "%; bulk any " +
                             std::to_string(any) + "% " + std::to_string(m_dice.Below(100)) + "%");
    }

    std::string Mmu(const std::string& attribute, const std::string& value)
    {
        RandomSwitch()->GetMmu()->SetAttribute(attribute, StringValue(value));
        return attribute + " " + value;
    }

    std::string Switch(const std::string& attribute, const std::string& value)
    {
        RandomSwitch()->SetAttribute(attribute, StringValue(value));
        return attribute + " " + value;
    }

    Dice& m_dice;
    Fabric m_fabric;
    uint64_t m_lossless{0}; //!< classes of the flows
    bool m_isRemapped{false};
};

RandomSettings::RandomSettings(Dice fabric, Dice settings, RandomFabric::Size size)
    : m_fabric(std::move(fabric), size),
      m_dice(std::move(settings))
{
}

void
RandomSettings::Prepare(const Fabric& fabric)
{
    for (const SwitchId which : fabric.Switches())
    {
        const auto mmu = fabric.GetSwitch(which)->GetMmu();
        mmu->SetAttribute("BufferSize", UintegerValue(mmu->GetBufferSize() * m_dice.Between(1, 4)));
    }
    for (const HostId host : fabric.Hosts())
    {
        fabric.GetRdma(host)->SetQueuePairAttribute("RetransmitTimeout",
                                                    TimeValue(MilliSeconds(4)));
        fabric.GetRdma(host)->SetQueuePairAttribute("RetryLimit", UintegerValue(254));
    }
}

std::string
RandomSettings::Run()
{
    try
    {
        const Fabric fabric = m_fabric.Build();
        Prepare(fabric);
        RdmaFlowHelper flows(fabric);
        m_fabric.AddFlows(flows);
        Change change(m_dice, fabric, m_fabric.GetClasses());
        for (uint32_t i = 0; i < CHANGES; ++i)
        {
            Simulator::Schedule(NanoSeconds(m_dice.Below(300000)), [&] { Make(change, fabric); });
        }
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        if (m_wrong.empty() && flows.GetNCompleted() != flows.GetNFlows())
        {
            m_wrong = std::to_string(flows.GetNFlows() - flows.GetNCompleted()) + " of " +
                      std::to_string(flows.GetNFlows()) + " flows have not completed";
        }
        return m_wrong.empty() ? Judge(fabric) : m_wrong;
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
}

std::string
RandomSettings::Judge(const Fabric& fabric) const
{
    for (const SwitchId which : fabric.Switches())
    {
        const uint64_t drops = fabric.GetSwitch(which)->GetLosslessDrops();
        if (m_isLossless && drops > 0)
        {
            return which.Name() + " has dropped " + std::to_string(drops) + " lossless frames";
        }
    }
    return FindUnsettled(fabric);
}

void
RandomSettings::Make(Change& change, const Fabric& fabric)
{
    uint32_t stored = 0;
    bool paused = false;
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        stored += fabricSwitch->GetMmu()->GetTotalUsed();
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            paused = paused || fabricSwitch->GetPausedMask(port);
        }
    }
    try
    {
        m_text += "; " + std::to_string(Simulator::Now().GetNanoSeconds()) + " ns ";
        m_text += change();
        ++m_changes.made;
        m_changes.stored += stored > 0;
        m_changes.paused += paused;
    }
    catch (const std::invalid_argument& refusal)
    {
        m_text += std::string("refused: ") + refusal.what();
        ++m_changes.refused;
    }
    m_isLossless = m_isLossless && !change.IsRemapped() && fabric.CheckLossless().empty();
    if (m_wrong.empty())
    {
        m_wrong = FindDisagreement(fabric);
    }
}

} // namespace tests
} // namespace ns3
