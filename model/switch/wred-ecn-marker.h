// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WRED_ECN_MARKER_H
#define LOSSLESS_WRED_ECN_MARKER_H

#include "ecn-marker.h"

#include "ns3/data-rate.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The WRED curve of the DCQCN paper (Zhu et al., SIGCOMM 2015): no marks up to Kmin, a probability
 * that rises to Pmax at Kmax, and a mark on every frame beyond Kmax. Kmin == Kmax is a step. The
 * default thresholds, 100 KB and 400 KB at 25 Gb/s, are those of the HPCC and DCQCN studies; they
 * are linear in the speed of the port.
 *
 * Each marker has one random stream and draws from it only between Kmin and Kmax.
 */
class WredEcnMarker : public EcnMarker
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    WredEcnMarker();

    /// Thresholds of a queue.
    struct Curve
    {
        uint64_t kmin{0}; //!< bytes
        uint64_t kmax{0}; //!< bytes
        double pmax{0};   //!< probability at kmax
        double slope{0};  //!< pmax / (kmax - kmin), per byte; derived
    };

    /// Values of a curve that may be of its own; a mask has several.
    enum CurveValue : uint8_t
    {
        KMIN = 1,        //!< Kmin
        KMAX = 2,        //!< Kmax
        PMAX = 4,        //!< Pmax
        WHOLE_CURVE = 7, //!< all three
    };

    /// A curve and what of it was set by hand.
    struct Entry
    {
        Curve curve;           //!< in force for the queue
        uint64_t quiet{NEVER}; //!< bytes up to and including which the curve marks nothing
        uint8_t own{0};        //!< mask of CurveValue that was set by hand
    };

    /// @param attribute "Kmin", "Kmax" or "Pmax" @return its CurveValue; 0 for other attributes
    static uint8_t CurveValueOf(const std::string& attribute);

    /**
     * Set the curve of one queue, which no longer depends on the attributes. Throws
     * std::invalid_argument when kmin > kmax or pmax is not in 0..1.
     * @param port egress port
     * @param cls the queue
     * @param kmin bytes
     * @param kmax bytes
     * @param pmax probability at kmax
     */
    void SetThresholds(uint32_t port, uint32_t cls, uint64_t kmin, uint64_t kmax, double pmax);

    /// As above, for all queues of a port.
    /// @param port egress port @param kmin bytes @param kmax bytes @param pmax probability at kmax
    void SetThresholds(uint32_t port, uint64_t kmin, uint64_t kmax, double pmax);

    /// @return all queues, by port * 8 + class; those that are left out have nothing of their own
    const std::vector<Entry>& GetEntries() const
    {
        return m_entries;
    }

    /// Replace what queues have of their own; the rest follows from it. @param entries as
    /// GetEntries()
    void SetEntries(const std::vector<Entry>& entries);

    /**
     * The attributes hold for a queue again, from now on. Throws std::invalid_argument, and changes
     * nothing, when kmin would exceed kmax.
     * @param port egress port
     * @param cls the queue
     * @param values mask of CurveValue; the others stay the queue's own
     */
    void ClearThresholds(uint32_t port, uint32_t cls, uint8_t values = WHOLE_CURVE);
    /// @param port egress port @param cls the queue @return whether SetThresholds() has set values
    /// of its curve, for which the attributes do not hold
    bool HasOwnCurve(uint32_t port, uint32_t cls) const;
    /// @param port egress port @param cls the queue @return mask of those values
    uint8_t GetOwnValues(uint32_t port, uint32_t cls) const;
    /// @param port egress port @param cls the queue @return its curve
    const Curve& GetCurve(uint32_t port, uint32_t cls) const;
    /// @param bitsPerSecond speed of a port @return the curve of its queues by the attributes; its
    /// slope is not computed
    Curve GetCurveOf(uint64_t bitsPerSecond) const;

    /// @param port egress port @param cls the queue @param queueBytes its length
    /// @return probability of a mark
    double GetProbability(uint32_t port, uint32_t cls, uint64_t queueBytes) const;

    /// @param port egress port @param cls the queue @return whether frames of the queue are marked
    /// at some length
    bool IsMarked(uint32_t port, uint32_t cls) const;

    /// @param draw random numbers from 0 to 1, in place of those of its stream; several markers may
    /// share them
    void SetDraw(Ptr<UniformRandomVariable> draw);

    void SetPort(uint32_t port, uint64_t bitsPerSecond) override;
    bool ShouldMark(const Frame& frame, uint32_t port, uint64_t queueBytes) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    /**
     * @param probability of an event
     * @return whether it happens; draws a random number unless it is sure or impossible
     */
    bool Draw(double probability) const;

    /// @param bitsPerSecond speed of a port @return factor of thresholds there: they are given for
    /// ReferenceRate
    double GetScale(uint64_t bitsPerSecond) const;

    /**
     * @param where port and, maybe, queue, for the error message @param kmin bytes @param kmax
     * bytes
     * @param pmax probability at kmax
     * @return the curve; throws std::invalid_argument when kmin > kmax or pmax is not in 0..1
     */
    static Curve MakeCurve(const std::string& where, uint64_t kmin, uint64_t kmax, double pmax);

    /// @param curve a curve @return bytes up to and including which it marks nothing
    static uint64_t QuietOf(const Curve& curve)
    {
        // Without a ramp worth a draw, nothing happens up to Kmax.
        return curve.pmax > 0 ? curve.kmin : curve.kmax;
    }

    /// @param curve a curve @param queueBytes length of the queue @return probability of a mark
    static double ProbabilityOf(const Curve& curve, uint64_t queueBytes);

    /**
     * Take over the curves and the random stream of another marker. An attribute that was set on
     * this marker takes precedence.
     * @param before the other marker
     */
    void Inherit(const WredEcnMarker& before);

  private:
    /// @param values mask of CurveValue @return whether some queue has not all of them by hand
    bool Uses(uint8_t values) const;

    /// @return whether a queue takes Kmin
    bool UsesKmin() const
    {
        return Uses(KMIN);
    }

    /// @return whether a queue takes Kmax
    bool UsesKmax() const
    {
        return Uses(KMAX);
    }

    /// @return whether a queue takes Pmax
    bool UsesPmax() const
    {
        return Uses(PMAX);
    }

    /// @return whether the thresholds of a queue follow its speed
    bool UsesReferenceRate() const
    {
        return Uses(KMIN | KMAX);
    }

    /// @param port egress port @param quiet bytes up to and including which the curve of a queue
    /// marks nothing @return bytes up to and including which the switch need not call ShouldMark()
    virtual uint64_t AskAbove(uint32_t port, uint64_t quiet) const;
    /// @param port egress port @param cls the queue @param quiet bytes up to and including which no
    /// frame is marked
    void SetQuiet(uint32_t port, uint32_t cls, uint64_t quiet);

    /// Check and store a curve. @param port egress port @param cls the queue @param curve the
    /// curve; its slope is computed @return the entry
    Entry& Store(uint32_t port, uint32_t cls, const Curve& curve);

    uint64_t m_kmin{0};                //!< attribute Kmin
    uint64_t m_kmax{0};                //!< attribute Kmax
    double m_pmax{0};                  //!< attribute Pmax
    DataRate m_referenceRate;          //!< attribute ReferenceRate
    uint8_t m_classes{0};              //!< attribute Classes
    std::vector<Entry> m_entries;      //!< by port * 8 + class
    Ptr<UniformRandomVariable> m_draw; //!< the stream
};

} // namespace ns3

#endif // LOSSLESS_WRED_ECN_MARKER_H
