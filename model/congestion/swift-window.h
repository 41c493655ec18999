// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWIFT_WINDOW_H
#define LOSSLESS_SWIFT_WINDOW_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Constants of a SwiftWindow.
struct SwiftParameters
{
    double additiveIncrease{1}; //!< ai, packets per round trip
    double beta{0.8};           //!< multiplicative decrease
    double maxDecrease{0.5};    //!< max_mdf, largest share by which one decrease reduces the window
    double minWindow{0.001};    //!< lower bound, packets
    double maxWindow{1000};     //!< upper bound, packets
};

/**
 * @ingroup lossless
 *
 * The target of Swift for the fabric delay (Kumar et al., SIGCOMM 2020, sections 3.1 and 3.5): a
 * base time, a time for each hop (topology scaling), and a time that is the longer the smaller the
 * window is (flow scaling), since many flows make a longer queue.
 */
class SwiftTarget
{
  public:
    SwiftTarget() = default;

    /**
     * @param basePs base time, picoseconds
     * @param hopPs time for each hop, picoseconds
     * @param rangePs largest time that flow scaling adds, picoseconds
     * @param smallWindow window in packets up to which flow scaling adds rangePs
     * @param largeWindow window in packets from which on flow scaling adds no time
     */
    SwiftTarget(double basePs,
                double hopPs,
                double rangePs,
                double smallWindow,
                double largeWindow);

    /// @param hops switches on the path of the data @param window packets @return target,
    /// picoseconds
    double Get(uint32_t hops, double window) const;

  private:
    double m_basePs{0};
    double m_hopPs{0};
    double m_rangePs{0};
    double m_alphaPs{0}; //!< fs_alpha, picoseconds times the root of packets
    double m_betaPs{0};  //!< fs_beta, picoseconds
};

/**
 * @ingroup lossless
 *
 * A window of Swift (Kumar et al., SIGCOMM 2020, algorithm 1): additive increase below the target
 * delay, multiplicative decrease from the target on, at most once per round trip. The window is a
 * real number of packets; below one packet the caller paces.
 */
class SwiftWindow
{
  public:
    /// @param packets the window @param parameters its bounds @param nowPs time, picoseconds
    void Set(double packets, const SwiftParameters& parameters, int64_t nowPs);

    /// Sample of an ACK.
    struct Sample
    {
        double delayPs;      //!< measured delay, picoseconds
        double targetPs;     //!< target of the delay, picoseconds
        double ackedPackets; //!< packets newly acknowledged
        int64_t rttPs;       //!< round trip, picoseconds
        int64_t nowPs;       //!< time, picoseconds
    };

    /// @param sample sample of an ACK @param parameters constants
    void OnSample(const Sample& sample, const SwiftParameters& parameters);

    /// Packets were lost. @param rttPs last round trip @param nowPs time @param parameters
    /// constants
    void OnLoss(int64_t rttPs, int64_t nowPs, const SwiftParameters& parameters);

    /// @return the window, packets
    double Get() const
    {
        return m_packets;
    }

  private:
    double m_packets{1};
    int64_t m_decreasedPs{INT64_MIN / 2}; //!< time of the last decrease, picoseconds
};

} // namespace ns3

#endif // LOSSLESS_SWIFT_WINDOW_H
