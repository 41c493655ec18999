// SPDX-License-Identifier: GPL-2.0-only
#include "random-chain.h"

#include "fabric-ports.h"

#include "ns3/qbb-net-device.h"
#include "ns3/traffic-class-map.h"

#include <array>
#include <utility>

namespace ns3
{
namespace tests
{

namespace
{

using Numbers = std::array<uint8_t, TRAFFIC_CLASSES>;

/// Draws maps that keep what is lossless apart from the rest.
class ChainDice
{
  public:
    /// @param dice decide @param lossless mask of the lossless classes
    ChainDice(Dice& dice, uint8_t lossless)
        : m_dice(dice),
          m_lossless(lossless)
    {
    }

    /// @return a mask of as many numbers as there are lossless classes
    uint8_t Subset()
    {
        Numbers numbers{0, 1, 2, 3, 4, 5, 6, 7};
        for (uint32_t i = 7; i > 0; --i)
        {
            std::swap(numbers[i], numbers[m_dice.Below(i + 1)]);
        }
        uint8_t mask = 0;
        for (int i = 0; i < __builtin_popcount(m_lossless); ++i)
        {
            mask |= 1U << numbers[i];
        }
        return mask;
    }

    /// @param from mask of lossless numbers @param to mask of as many @return a map that leads from
    /// these to those, and from the others to the others
    Numbers Map(uint8_t from, uint8_t to)
    {
        Numbers map{};
        for (uint32_t number = 0; number < map.size(); ++number)
        {
            map[number] = OneOf(from & (1U << number) ? to : ~to);
        }
        return map;
    }

  private:
    /// @param mask of numbers, not 0 @return one of them
    uint8_t OneOf(uint8_t mask)
    {
        for (uint64_t left = m_dice.Below(__builtin_popcount(mask)); left > 0; --left)
        {
            mask &= mask - 1;
        }
        return static_cast<uint8_t>(__builtin_ctz(mask));
    }

    Dice& m_dice;
    uint8_t m_lossless;
};

/// @param sender a port @param receiver its peer @param lossless mask of classes
/// @return which queues of the sender each PFC priority of the receiver must pause
Numbers
QueuesToPause(const QbbNetDevice& sender, const QbbNetDevice& receiver, uint8_t lossless)
{
    const auto out = sender.GetTrafficClassMap();
    const auto in = receiver.GetTrafficClassMap();
    Numbers queues{};
    for (uint8_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (lossless & (1U << cls))
        {
            queues[in->PfcPriorityOf(in->GroupOf(cls))] |= 1U << out->QueueOf(cls);
        }
    }
    return queues;
}

} // namespace

void
DrawClassChains(Dice& dice, const Fabric& fabric, const std::vector<uint32_t>& lossless)
{
    uint8_t mask = 0;
    for (const uint32_t cls : lossless)
    {
        mask |= 1U << cls;
    }
    ChainDice chains(dice, mask);
    for (const FabricPort& each : PortsOf(fabric))
    {
        const auto map = CreateObject<TrafficClassMap>();
        const uint8_t groups = chains.Subset();
        const Numbers queue = chains.Map(mask, chains.Subset());
        const Numbers group = chains.Map(mask, groups);
        const Numbers priority = chains.Map(groups, mask);
        for (uint32_t number = 0; number < TRAFFIC_CLASSES; ++number)
        {
            map->SetQueue(number, queue[number]);
            map->SetPriorityGroup(number, group[number]);
            map->SetPfcPriority(number, priority[number]);
        }
        each.device->SetTrafficClassMap(map);
    }
    for (const FabricPort& each : PortsOf(fabric))
    {
        const QbbNetDevice& port = *each.device;
        const auto peer = port.GetPeer();
        const Numbers queues = peer ? QueuesToPause(port, *peer, mask) : Numbers{};
        for (uint32_t priority = 0; priority < TRAFFIC_CLASSES; ++priority)
        {
            if (mask & (1U << priority))
            {
                // One that no group of the peer has pauses a queue of a lossless class, too: the
                // check would take the class of another queue for lossless.
                const uint8_t any = 1U << port.GetTrafficClassMap()->QueueOf(lossless.front());
                port.GetTrafficClassMap()->SetPfcQueues(priority,
                                                        queues[priority] ? queues[priority] : any);
            }
        }
    }
}

} // namespace tests
} // namespace ns3
