// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANDOM_FABRIC_H
#define LOSSLESS_RANDOM_FABRIC_H

#include "ns3/fabric-helper.h"
#include "ns3/rdma-flow-helper.h"

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace tests
{

/// Choices that are the same in every build: the standard's distributions may differ by library.
class Dice
{
  public:
    /// @param seed the same seed gives the same choices
    explicit Dice(uint64_t seed)
        : m_engine(seed)
    {
    }

    /// @param bytes decide choice by choice, as long as there are some
    explicit Dice(std::vector<uint8_t> bytes)
        : m_engine(bytes.size()),
          m_bytes(std::move(bytes))
    {
    }

    /// @param n more than 0 @return 0..n-1
    uint64_t Below(uint64_t n)
    {
        return (m_next < m_bytes.size() ? FromBytes(n) : m_engine()) % n;
    }

    /// @param low smallest @param high largest @return one of low..high
    uint64_t Between(uint64_t low, uint64_t high)
    {
        return low + Below(high - low + 1);
    }

    /// @param percent probability @return whether
    bool Chance(uint32_t percent)
    {
        return Below(100) < percent;
    }

    /// @param from values @return one of them
    template <typename T>
    T Pick(std::initializer_list<T> from)
    {
        return from.begin()[Below(from.size())];
    }

    /// @param from values @return one of them
    template <typename T>
    const T& Pick(const std::vector<T>& from)
    {
        return from[Below(from.size())];
    }

  private:
    /// @param n more than 0 @return a number of as few bytes as can make n different ones
    uint64_t FromBytes(uint64_t n)
    {
        uint64_t number = 0;
        for (n -= 1; n > 0 && m_next < m_bytes.size(); n >>= 8)
        {
            number = number << 8 | m_bytes[m_next++];
        }
        return number;
    }

    std::mt19937_64 m_engine;
    std::vector<uint8_t> m_bytes;
    std::size_t m_next{0}; //!< the first byte that has decided nothing
};

/**
 * A fabric and its traffic, drawn from a number: everything that the promise "no frame of a
 * lossless class is dropped" must not depend on. Case by case the number alone decides, so that a
 * case that fails can be run alone.
 */
class RandomFabric
{
  public:
    /// How large cases are.
    enum Size
    {
        SMALL, //!< up to 8 hosts or so; a hundred run in a second
        USUAL
    };

    /// @param index number of the case
    explicit RandomFabric(uint32_t index);
    /// @param dice decide @param size of the case
    RandomFabric(Dice dice, Size size);

    /// Give the switches with hosts VXLAN end points. Call it before Build().
    /// @param dice decide, so that all else stays as it was
    void AddTunnels(Dice& dice);

    /// Give the lossless classes credits in place of PFC. Call it before Build(). @param dice
    /// decide
    void AddCredits(Dice& dice);

    /// Give all links link-level retry. Call it before Build().
    void AddRetry();

    /// Let queue pairs send again what is lost. Call it before Build().
    void SendAgain();

    /// Switches and hosts need time, and switches may cut through. @param dice for the choices
    void AddDelays(Dice& dice);

    /// Make the fabric; the buffers of its switches are cut down to what was drawn. @return it
    Fabric Build();

    /// Add the flows. @param flows of the fabric
    void AddFlows(RdmaFlowHelper& flows);

    /// @return what was drawn, on one line
    std::string Describe() const
    {
        return m_text;
    }

    /// @return classes with PFC
    const std::vector<uint32_t>& GetClasses() const
    {
        return m_classes;
    }

    /// @return payload bytes of all flows
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return whether FabricSimulatorImpl runs it, not ns-3's simulator
    bool UsesEngine() const
    {
        return m_engine;
    }

    /// @return link rate of the slowest link, bit/s
    uint64_t GetSlowestRate() const;

  private:
    /// Draw the graph.
    void DrawTopology();
    /// Draw a graph with parallel links, and hosts that are joined directly. @return the graph
    FabricTopology DrawGraph();
    /// @param shape a graph @return the same nodes and links, each link drawn
    FabricTopology DrawLinks(const FabricTopology& shape);
    /// @return a link
    FabricLinkSpec DrawLink();
    /// Draw what concerns buffers and pauses.
    void DrawSwitches();
    /// Draw what concerns hosts.
    void DrawHosts();
    /// Draw one flow. @param incast who receives, if it is one of an incast
    RdmaFlow DrawFlow(bool incast);
    /// Cut the buffer of a switch. @param fabricSwitch the switch
    void CutBuffer(FabricSwitch& fabricSwitch);
    /// Give some classes static thresholds. @param fabricSwitch the switch
    void DrawThresholds(FabricSwitch& fabricSwitch);

    /// @param small a limit of small cases @param usual that of the others @return the one that
    /// holds
    uint64_t Most(uint64_t small, uint64_t usual) const
    {
        return m_size == SMALL ? small : usual;
    }

    Dice m_dice;
    Size m_size;
    FabricHelper m_helper;
    FabricTopology m_topology;
    std::vector<uint32_t> m_classes;
    std::string m_text;
    uint32_t m_mtu{0};
    uint64_t m_spareBytes{0}; //!< buffer beyond what guarantees and headroom take
    bool m_static{false};     //!< static thresholds
    bool m_engine{false};
    uint32_t m_sink{0}; //!< receiver of the incast
    uint64_t m_bytes{0};
};

/// Run a random fabric by several threads, in canonical order, for 20 ms at the most.
/// @param random decides the flows @param fabric that it has made, in FabricSimulatorImpl
/// @param partitions of the fabric, if its links have a delay @param threads that run them
/// @return when its flows have ended, what its ports have counted, and the number of events
std::vector<uint64_t> RunDivided(RandomFabric& random,
                                 const Fabric& fabric,
                                 uint32_t partitions,
                                 uint32_t threads);

/**
 * Whether pauses can wait for each other in a circle: then a lossless fabric may stop for ever,
 * which no buffer can prevent. Followed over all shortest paths.
 * @param topology a graph
 * @return whether there is such a circle
 */
bool HasCyclicDependency(const FabricTopology& topology);

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_RANDOM_FABRIC_H
