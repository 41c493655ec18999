// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCQCN_REACTION_POINT_H
#define LOSSLESS_DCQCN_REACTION_POINT_H

#include "rdma-congestion-ops.h"

#include <cstdint>
#include <tuple>

namespace ns3
{

/// @ingroup lossless
/// Constants of DCQCN (Zhu et al., SIGCOMM 2015; doc/congestion.rst). Rates in bit/s, times in
/// picoseconds.
struct DcqcnParameters
{
    double gain{0};              //!< g: weight of a CNP in alpha
    double initialAlpha{0};      //!< alpha at the first CNP
    double aiRate{0};            //!< R_AI: additive increase of the target
    double haiRate{0};           //!< R_HAI: hyper increase of the target
    double minRate{0};           //!< lower bound of the rate
    double minDecreaseFactor{0}; //!< Nic: least share of the rate that one cut leaves
    double firstCnpFactor{1};    //!< Nic: factor by which the first CNP multiplies the rate
    int64_t alphaPs{0};          //!< K (Paper), Ta (Nic): interval of alpha updates
    int64_t increasePs{0};       //!< Ti (Paper), Tr (Nic): interval of increases
    int64_t decreasePs{0};       //!< Td (Nic): interval between cuts
    uint64_t byteCounter{0};     //!< B (Paper): wire bytes between increases; 0: none
    uint32_t threshold{0};       //!< F: number of increases in fast recovery
    bool clampTarget{false};     //!< Nic: whether every cut lowers the target
    bool cnpBeforeAlpha{false};  //!< Nic: whether a CNP counts for the expiry of Ta at its time

    /// @param other other constants @return whether all are equal
    bool operator==(const DcqcnParameters& other) const
    {
        const auto all = [](const DcqcnParameters& p) {
            return std::tie(p.gain,
                            p.initialAlpha,
                            p.aiRate,
                            p.haiRate,
                            p.minRate,
                            p.minDecreaseFactor,
                            p.firstCnpFactor,
                            p.alphaPs,
                            p.increasePs,
                            p.decreasePs,
                            p.byteCounter,
                            p.threshold,
                            p.clampTarget,
                            p.cnpBeforeAlpha);
        };
        return all(*this) == all(other);
    }
};

/**
 * @ingroup lossless
 *
 * The reaction point of DCQCN: how a sender reacts to CNPs. Callers pass times, in picoseconds.
 * Alpha is computed from the elapsed time, without events.
 */
class DcqcnReactionPoint
{
  public:
    /// No timer runs.
    static constexpr int64_t NEVER = RdmaCongestionOps::NEVER;

    /// @param parameters constants; must outlive this object
    /// @param lineRate bit/s: initial target, and upper bound of rate and target
    DcqcnReactionPoint(const DcqcnParameters& parameters, double lineRate)
        : m_target(lineRate),
          m_alpha(parameters.initialAlpha),
          m_parameters(parameters)
    {
    }

    virtual ~DcqcnReactionPoint() = default;
    DcqcnReactionPoint(const DcqcnReactionPoint&) = delete;
    DcqcnReactionPoint& operator=(const DcqcnReactionPoint&) = delete;

    /// A CNP came. @param state shared state @param nowPs time
    virtual void OnCnp(RdmaFlowState& state, int64_t nowPs) = 0;

    /// A packet leaves. @param state shared state @param wireBytes its length @param nowPs time
    virtual void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs) = 0;

    /// @return when OnTimer() is due, or NEVER
    virtual int64_t NextTimer() const = 0;

    /// Execute all timers that are due, in order. @param state shared state @param nowPs time
    virtual void OnTimer(RdmaFlowState& state, int64_t nowPs) = 0;

    /// @param nowPs time, not before that of the last call @return alpha, 0..1
    virtual double GetAlpha(int64_t nowPs) const = 0;

    /// @return target rate, bit/s
    double GetTarget() const
    {
        return m_target;
    }

    /// Set the state, for tests. @param target bit/s @param alpha 0..1
    void Force(double target, double alpha)
    {
        m_target = target;
        m_alpha = alpha;
    }

  protected:
    /// Move the rate halfway to the target. @param state shared state
    void MoveToTarget(RdmaFlowState& state)
    {
        double line = state.lineRate;
        m_target = m_target < line ? m_target : line;
        state.rate = (state.rate + m_target) / 2;
        // Halving a distance never ends: below 1 bit/s the rate jumps, or the timer would run for
        // ever.
        if (line - state.rate < 1)
        {
            state.rate = line;
        }
    }

    /// @param state shared state @return whether rate and target have reached the line rate
    bool IsFullSpeed(const RdmaFlowState& state) const
    {
        return state.rate >= state.lineRate && m_target >= state.lineRate;
    }

    double m_target;                     //!< RT, bit/s
    double m_alpha;                      //!< alpha at its last update
    const DcqcnParameters& m_parameters; //!< constants
};

} // namespace ns3

#endif // LOSSLESS_DCQCN_REACTION_POINT_H
