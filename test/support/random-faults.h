// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEST_RANDOM_FAULTS_H
#define LOSSLESS_TEST_RANDOM_FAULTS_H

#include "random-fabric.h"

#include "ns3/fault-helper.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{
namespace tests
{

/// A random fabric with random faults of all kinds.
class RandomFaults
{
  public:
    static constexpr uint32_t KINDS = 12;      //!< kinds of faults
    using Kinds = std::array<uint32_t, KINDS>; //!< faults by kind

    /// @param index number of the case
    explicit RandomFaults(uint32_t index);

    /// @return whether the case runs in FabricSimulatorImpl
    bool UsesEngine() const
    {
        return m_random.UsesEngine();
    }

    /// @return fabric and faults, for messages
    std::string Describe() const
    {
        return m_random.Describe() + "; faults:" + m_text;
    }

    /// @return the fabric
    Fabric Build()
    {
        return m_random.Build();
    }

    /// @param flows get the flows
    void AddFlows(RdmaFlowHelper& flows);

    /// @param faults get the faults @param fabric that Build() has made
    void AddFaults(FaultHelper& faults, const Fabric& fabric);

    /// @return faults of AddFaults()
    const Kinds& GetKinds() const
    {
        return m_kinds;
    }

  private:
    /// @param kind which fault, below KINDS
    void AddFault(FaultHelper& faults, const Fabric& fabric, uint64_t kind);

    Dice m_dice;
    RandomFabric m_random;
    std::string m_text;
    Kinds m_kinds{};
};

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_TEST_RANDOM_FAULTS_H
