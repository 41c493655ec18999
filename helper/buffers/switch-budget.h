// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_BUDGET_H
#define LOSSLESS_SWITCH_BUDGET_H

#include "headroom-table.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-frame.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Ports of a switch that are alike.
struct BudgetPorts
{
    uint32_t count{0};  //!< how many, 1 or more
    DataRate rate;      //!< line rate
    uint32_t metres{0}; //!< length of the cables, 5 ns a metre
};

/// @ingroup lossless
/// A switch whose buffer is to be divided.
struct BudgetCase
{
    uint64_t bufferBytes{32 * 1024 * 1024}; //!< size of the buffer
    std::vector<BudgetPorts> ports;         //!< its ports, at most 4096
    uint32_t losslessClasses{1};            //!< lossless classes of each port, 0 to 8
    uint64_t guaranteedBytes{1518};         //!< guaranteed to each (port, class), at most 1 GB
    double alpha{0.125};                    //!< alpha of lossless classes, 0 to below 128
    HeadroomCase link; //!< MTU, reaction, cell and format; `ports` have rates and cables
};

/**
 * @ingroup lossless
 *
 * How the buffer of a switch is divided: what SwitchMmu::Finalize() does with a switch of such
 * ports, with separate headrooms, before the switch is built. All sizes are in bytes and whole
 * cells.
 */
class SwitchBudget
{
  public:
    /// @param input the switch; FabricError for what is out of range
    explicit SwitchBudget(const BudgetCase& input);

    /// @return the switch
    const BudgetCase& GetInput() const
    {
        return m_input;
    }

    /// @param group index of a group of ports @return headroom of a lossless class at one of its
    /// ports
    uint64_t GetHeadroomOf(std::size_t group) const
    {
        return m_headrooms[group];
    }

    /// @return headroom of all lossless classes at all ports
    uint64_t GetHeadroom() const;

    /// @return what is guaranteed to all classes, lossless and lossy, at all ports
    uint64_t GetGuaranteed() const;

    /// @param classes number of lossless classes @return whether the buffer holds them
    bool Fits(uint32_t classes) const;

    /// @return whether the buffer holds the lossless classes of the switch
    bool Fits() const
    {
        return Fits(m_input.losslessClasses);
    }

    /// @param classes number of lossless classes @return shared space beside them; 0: none, or they
    /// do not fit
    uint64_t GetShared(uint32_t classes) const;

    /// @return shared space beside the lossless classes of the switch
    uint64_t GetShared() const
    {
        return GetShared(m_input.losslessClasses);
    }

    /// @return bytes by which the buffer is short of guaranteed space and headroom; 0: it fits
    uint64_t GetMissing() const;

    /// @return the most lossless classes that the buffer holds; 0 if even guarantees do not fit
    uint32_t GetMostClasses() const;

    /**
     * The PFC threshold when some (port, class) pairs are congested alike and hold as much as they
     * may: T = alpha P / (1 + alpha n).
     * @param pairs n, 1 or more
     * @return T, bytes
     */
    uint64_t GetThreshold(uint64_t pairs) const;

    /// @return number of (port, class) pairs that are lossless
    uint64_t GetPairs() const;

    /// Print the division for people. A buffer that is too small is one more line, with the missing
    /// bytes. @param stream where to
    void Print(std::ostream& stream) const;

    /**
     * @param text groups of ports, such as "32x100Gbps:100,8x400Gbps:300": number, rate, metres
     * @return the groups; FabricError if the text cannot be read
     */
    static std::vector<BudgetPorts> ToPorts(const std::string& text);

  private:
    /// @param classes number of lossless classes @return cells of guaranteed space and headroom
    uint64_t Needed(uint32_t classes) const;

    BudgetCase m_input;
    std::vector<uint64_t> m_headrooms; //!< GetHeadroomOf()
    uint64_t m_ports{0};               //!< number of ports
};

/**
 * @ingroup lossless
 * @param alpha of each of some congested (port, class) pairs
 * @param sharedBytes shared space P
 * @param pairs number n of them
 * @return T = alpha P / (1 + alpha n), the fixed point of the dynamic threshold, bytes
 */
double ThresholdAtFixedPoint(double alpha, uint64_t sharedBytes, uint64_t pairs);

} // namespace ns3

#endif // LOSSLESS_SWITCH_BUDGET_H
