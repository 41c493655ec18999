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
    double additiveIncrease{1}; //!< ai, packets a round trip
    double beta{0.8};           //!< multiplicative decrease
    double maxDecrease{0.5};    //!< max_mdf, largest share that one decrease takes
    double minWindow{0.001};    //!< packets
    double maxWindow{1000};     //!< packets
};

/**
 * @ingroup lossless
 *
 * The target of Swift for the delay of the fabric (SIGCOMM 2020, section 3.1 and 3.5): a base, a
 * share for each hop (topology scaling), and the more the smaller the window is (flow scaling),
 * since many flows make a longer queue.
 */
class SwiftTarget
{
  public:
    SwiftTarget() = default;

    /**
     * @param basePs target of a large window without hops, picoseconds
     * @param hopPs for each hop, picoseconds
     * @param rangePs what flow scaling adds at most, picoseconds
     * @param smallWindow packets at and below which it adds all of it
     * @param largeWindow packets at and above which it adds nothing
     */
    SwiftTarget(double basePs,
                double hopPs,
                double rangePs,
                double smallWindow,
                double largeWindow);

    /// @param hops on the way of the data @param window packets @return target, picoseconds
    double Get(uint32_t hops, double window) const;

  private:
    double m_basePs{0};
    double m_hopPs{0};
    double m_rangePs{0};
    double m_alphaPs{0}; //!< fs_alpha, picoseconds times the root of packets
    double m_betaPs{0};  //!< fs_beta
};

/**
 * @ingroup lossless
 *
 * One window of Swift (SIGCOMM 2020, algorithm 1): additive increase below the target delay,
 * multiplicative decrease from it on, at most once a round trip. Real-valued, in packets; below one
 * packet the caller paces.
 */
class SwiftWindow
{
  public:
    /// @param packets window @param parameters limits @param nowPs time, picoseconds
    void Set(double packets, const SwiftParameters& parameters, int64_t nowPs);

    /// What an ACK tells.
    struct Sample
    {
        double delayPs;      //!< picoseconds
        double targetPs;     //!< picoseconds
        double ackedPackets; //!< newly acknowledged
        int64_t rttPs;       //!< round trip, picoseconds
        int64_t nowPs;       //!< time, picoseconds
    };

    /// @param sample of an ACK @param parameters constants
    void OnSample(const Sample& sample, const SwiftParameters& parameters);

    /// Packets were lost. @param rttPs last round trip @param nowPs time @param parameters
    /// constants
    void OnLoss(int64_t rttPs, int64_t nowPs, const SwiftParameters& parameters);

    /// @return packets
    double Get() const
    {
        return m_packets;
    }

  private:
    double m_packets{1};
    int64_t m_decreasedPs{INT64_MIN / 2}; //!< last decrease
};

} // namespace ns3

#endif // LOSSLESS_SWIFT_WINDOW_H
