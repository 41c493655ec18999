// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DWRR_SCHEDULER_H
#define LOSSLESS_DWRR_SCHEDULER_H

#include "egress-scheduler.h"

#include "ns3/fabric-frame.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Strict priority for some classes, deficit weighted round robin among the others (Shreedhar and
 * Varghese, SIGCOMM 1995). A class earns weight * Quantum wire bytes when the round comes to it,
 * and sends while its deficit covers the next frame. A class that runs empty loses its deficit. The
 * round passes over a paused class, which keeps its deficit and earns nothing. A class that was
 * paused during its visit resumes the visit at its next turn, without new credit: so a deficit
 * never exceeds weight * Quantum and one frame, and no pause lets a class send more than its share
 * later.
 *
 * Over time backlogged classes share the line, in wire bytes, in proportion to their weights,
 * whatever the lengths of their frames. With RoundUnit Frames they share it in frames: a class of
 * weight w sends w frames a round, of any lengths.
 */
class DwrrScheduler : public EgressScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    DwrrScheduler();

    /// @param cls a class 0..7 @param weight its weight, at least 1; else throws
    /// std::invalid_argument
    void SetWeight(uint32_t cls, uint32_t weight);

    /// @param cls a class @return its weight
    uint32_t GetWeight(uint32_t cls) const;

    /// @param cls a class @return its deficit: wire bytes that the class may still send in this
    /// round
    uint64_t GetDeficit(uint32_t cls) const;

    uint32_t Pick(uint8_t eligible, const ClassHeads& heads) override;
    void ClassEmptied(uint32_t cls) override;

  protected:
    /// What a turn of the round is counted in.
    enum RoundUnit
    {
        BYTES, //!< wire bytes: deficit weighted round robin
        FRAMES //!< frames, whatever their lengths: weighted round robin
    };

    /// @return mask of the classes with strict priority
    uint8_t GetStrict() const
    {
        return m_strict;
    }

    /// @return whether some class takes turns
    virtual bool HasRound() const;

    /// Choose among classes without strict priority. @param eligible mask, never 0 @param heads
    /// lengths of their next frames @return the class whose turn it is
    uint32_t PickByTurns(uint8_t eligible, const ClassHeads& heads);

    /// @param mask never 0 @return its highest class
    static uint32_t HighestOf(uint8_t mask);

  private:
    /// @return whether classes earn a quantum
    bool UsesQuantum() const
    {
        return m_unit == BYTES && HasRound();
    }

    /// Go on to the next eligible class of the round. @param eligible mask, not 0
    void Advance(uint32_t eligible);
    /// Setter of attribute Weights. @param weights eight numbers; else throws std::invalid_argument
    void SetWeights(std::string weights);
    /// Getter of attribute Weights. @return eight numbers
    std::string GetWeights() const;

    uint8_t m_strict{0};     //!< attribute StrictClasses
    RoundUnit m_unit{BYTES}; //!< attribute RoundUnit
    uint32_t m_quantum{0};   //!< attribute Quantum
    uint32_t m_current{0};   //!< class whose turn it is
    uint32_t m_credited{0};  //!< mask of the classes that have earned the quantum of their visit
    std::array<uint32_t, TRAFFIC_CLASSES> m_weight;
    std::array<uint64_t, TRAFFIC_CLASSES> m_deficit{};
};

} // namespace ns3

#endif // LOSSLESS_DWRR_SCHEDULER_H
