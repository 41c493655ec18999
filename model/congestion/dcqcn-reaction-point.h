// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DCQCN_REACTION_POINT_H
#define LOSSLESS_DCQCN_REACTION_POINT_H

#include "rdma-congestion-ops.h"

#include <cstdint>

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
    double haiRate{0};           //!< R_HAI: hyper increase
    double minRate{0};           //!< lower bound of the rate
    double minDecreaseFactor{0}; //!< Nic: one cut leaves at least this share of the rate
    double firstCnpFactor{1};    //!< Nic: the first CNP multiplies the rate by this
    int64_t alphaPs{0};          //!< K (Paper), Ta (Nic): interval of alpha updates
    int64_t increasePs{0};       //!< Ti (Paper), Tr (Nic): interval of increases
    int64_t decreasePs{0};       //!< Td (Nic): interval between cuts
    uint64_t byteCounter{0};     //!< B (Paper): wire bytes between increases; 0: none
    uint32_t threshold{0};       //!< F: increases of fast recovery
    bool clampTarget{false};     //!< Nic: every cut lowers the target
};

/**
 * @ingroup lossless
 *
 * The reaction point of DCQCN: what a sender does on CNPs, without ns3::Object around it. Times
 * are passed in. Alpha decays by elapsed time, not by events.
 */
class DcqcnReactionPoint
{
  public:
    /// No timer runs.
    static constexpr int64_t NEVER = RdmaCongestionOps::NEVER;

    /// @param parameters constants; must outlive this
    /// @param lineRate bit/s: first target, and bound of rate and target
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

    /// Do all that was due until now, in order. @param state shared state @param nowPs time
    virtual void OnTimer(RdmaFlowState& state, int64_t nowPs) = 0;

    /// @param nowPs time, not before the last call @return alpha
    virtual double GetAlpha(int64_t nowPs) const = 0;

    /// @return target rate, bit/s
    double GetTarget() const
    {
        return m_target;
    }

    /// For tests and for a start in the middle. @param target bit/s @param alpha 0..1
    void Force(double target, double alpha)
    {
        m_target = target;
        m_alpha = alpha;
    }

  protected:
    /// Half the way to the target. @param state shared state
    void MoveToTarget(RdmaFlowState& state)
    {
        double line = state.lineRate;
        m_target = m_target < line ? m_target : line;
        state.rate = (state.rate + m_target) / 2;
        // Halving a distance never ends; below 1 bit/s it has, or the timer would run for ever.
        if (line - state.rate < 1)
        {
            state.rate = line;
        }
    }

    /// @param state shared state @return whether no increase can change anything any more
    bool IsFullSpeed(const RdmaFlowState& state) const
    {
        return state.rate >= state.lineRate && m_target >= state.lineRate;
    }

    double m_target;                     //!< RT, bit/s
    double m_alpha;                      //!< alpha, when it was last brought up to date
    const DcqcnParameters& m_parameters; //!< constants
};

} // namespace ns3

#endif // LOSSLESS_DCQCN_REACTION_POINT_H
