// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHOSEN_PATHS_H
#define LOSSLESS_CHOSEN_PATHS_H

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

/// Paths that a scenario chooses, where ECMP would take what its hash gives: the first hosts (by
/// address) take the first port of each group, all others the second. Or, with a draw, a hash that
/// is different for each draw: many draws show the distribution over ECMP's choices.
class ChosenPaths : public ns3::LoadBalancer
{
  public:
    /// @return the TypeId
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId tid =
            ns3::TypeId("ChosenPaths")
                .SetParent<ns3::LoadBalancer>()
                .AddConstructor<ChosenPaths>()
                .AddAttribute("First",
                              "How many hosts take the first port, by address; 0: by hash.",
                              ns3::UintegerValue(0),
                              ns3::MakeUintegerAccessor(&ChosenPaths::m_first),
                              ns3::MakeUintegerChecker<uint32_t>())
                .AddAttribute("Draw",
                              "Which draw of the hash.",
                              ns3::UintegerValue(1),
                              ns3::MakeUintegerAccessor(&ChosenPaths::m_draw),
                              ns3::MakeUintegerChecker<uint32_t>());
        return tid;
    }

    uint16_t Pick(const ns3::Frame& frame,
                  uint16_t /* inPort */,
                  const ns3::NextHopGroup& group,
                  const ns3::SwitchPorts& /* view */) override
    {
        if (m_first > 0)
        {
            // Addresses begin at 10.0.0.1.
            return group.ports[(frame.src & 0xffff) <= m_first ? 0 : 1];
        }
        const uint32_t hash = ns3::EcmpLoadBalancer::Hash(frame.src, frame.dst, m_switchId, m_draw);
        return group.ports[hash % static_cast<uint32_t>(group.ports.size())];
    }

    void SetSwitchId(uint32_t id) override
    {
        m_switchId = id;
    }

  private:
    uint32_t m_first{0}; //!< attribute First
    uint32_t m_draw{1};  //!< attribute Draw
    uint32_t m_switchId{0};
};

NS_OBJECT_ENSURE_REGISTERED(ChosenPaths);

#endif // LOSSLESS_CHOSEN_PATHS_H
