// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLOURED_WRED_MARKER_H
#define LOSSLESS_COLOURED_WRED_MARKER_H

#include "drop-precedence.h"
#include "wred-ecn-marker.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * WRED with a curve for each drop precedence (sheet 13, section 4): green frames follow the curve
 * of WredEcnMarker, yellow and red frames have curves of their own, which usually begin earlier. A
 * frame that is not ECN-capable is dropped by its curve in a lossy class; a frame that is
 * ECN-capable is marked by its curve, in lossless classes, too. All curves see the length of the
 * whole queue.
 *
 * In lossy classes yellow and red frames, ECN-capable or not, may fill but a share of what green
 * ones may (YellowShare, RedShare): where marks have not helped and the buffer fills up, the frames
 * of higher drop precedence go first (RFC 2597).
 *
 * Kmin and Kmax of all colours are given at ReferenceRate and linear in the speed of the port.
 * Curves of single queues, WredEcnMarker::SetThresholds(), are those of green frames. A queue that
 * is not marked (Classes) has no curve of any colour.
 */
class ColouredWredMarker : public WredEcnMarker
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void SetPort(uint32_t port, uint64_t bitsPerSecond) override;
    void TakeOver(const EcnMarker& before) override;
    bool ShouldMark(const Frame& frame, uint32_t port, uint64_t queueBytes) override;
    double GetBufferShare(uint8_t dscp) const override;

    /// @param colour a colour @param port egress port @param cls the queue @param queueBytes its
    /// length @return probability of a mark or a drop
    double GetColourProbability(DropPrecedence::Colour colour,
                                uint32_t port,
                                uint32_t cls,
                                uint64_t queueBytes) const;

  private:
    /// Curves of a port but for the green one, which may differ by queue.
    struct PortCurves
    {
        Curve yellow; //!< of yellow frames
        Curve red;    //!< of red frames
    };

    uint64_t AskAbove(uint32_t port, uint64_t quiet) const override;

    uint64_t m_yellowKmin{0};          //!< attribute YellowKmin
    uint64_t m_yellowKmax{0};          //!< attribute YellowKmax
    double m_yellowPmax{0};            //!< attribute YellowPmax
    double m_yellowShare{1};           //!< attribute YellowShare
    uint64_t m_redKmin{0};             //!< attribute RedKmin
    uint64_t m_redKmax{0};             //!< attribute RedKmax
    double m_redPmax{0};               //!< attribute RedPmax
    double m_redShare{1};              //!< attribute RedShare
    std::vector<PortCurves> m_colours; //!< by port
};

} // namespace ns3

#endif // LOSSLESS_COLOURED_WRED_MARKER_H
