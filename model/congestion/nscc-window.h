// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NSCC_WINDOW_H
#define LOSSLESS_NSCC_WINDOW_H

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Constants of a NsccWindow, by their names in the text (Ultra Ethernet 1.0, section 3.6.13).
 */
struct NsccParameters
{
    /// How the delay is averaged, which the text leaves open.
    enum Average
    {
        EWMA, //!< 1/80 of each sample; a high delay without a mark counts as base RTT / 4, as in
              //!< uet-htsim
        TIME  //!< the share of a sample is the time since the last one / base RTT
    };

    /// Whose NSCC.
    enum Dialect
    {
        UE,   //!< the text of Ultra Ethernet 1.0
        HTSIM //!< uet-htsim, where that differs
    };

    /// Never, as a delay.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// What the other values follow from.
    struct Network
    {
        double bitsPerSecond; //!< rate of the port, C
        int64_t baseRttPs;    //!< longest round trip of the empty network, R, picoseconds
        uint32_t mtuBytes;    //!< largest payload of a packet
        bool trimming;        //!< whether switches trim packets
        int64_t targetPs{0};  //!< target_delay, picoseconds; 0: default
        Dialect dialect{UE};  //!< whose NSCC
    };

    /// @param network what is known @return the values, which scale with the bandwidth-delay
    /// product by a = C R / (100 Gb/s * 12 us)
    static NsccParameters Of(const Network& network);

    /// @return bandwidth-delay product C R, bytes
    double ProductBytes() const
    {
        return bytesPerPs * static_cast<double>(baseRttPs);
    }

    double bytesPerPs{0};      //!< rate of the port, C
    int64_t baseRttPs{0};      //!< longest round trip of the empty network, R
    double mtu{0};             //!< largest payload of a packet, bytes; least window
    int64_t targetPs{0};       //!< target_delay, of the queues; 0.75 R with trimming, else R
    double windows{1.5};       //!< max_cwnd / (C * base RTT of the pair)
    double alpha{0};           //!< proportional increase, bytes per picosecond: 4 MTU a / 12 us
    double fi{0};              //!< fair increase, bytes for a window of answers: 5 MTU a
    double eta{0};             //!< increase in each adjustPeriodPs, bytes: 0.15 MTU a
    double fiScale{0};         //!< fast increase, share of the delivered bytes: a / 4
    double gamma{0.8};         //!< multiplicative decrease
    double maxMdJump{0.5};     //!< share of the window that a decrease leaves at least
    bool quickAdapt{true};     //!< whether the window falls to what has arrived (disable_qa 0)
    uint32_t qaGate{3};        //!< qa_gate: if that is below max_cwnd / 2^qaGate
    int64_t qaThresholdPs{0};  //!< delay that triggers it; never with trimming, else 4 targetPs
    double adjustBytes{0};     //!< adjust_bytes_threshold: 8 MTU
    int64_t adjustPeriodPs{0}; //!< adjust_period_threshold: R
    Average average{EWMA};     //!< of the delay
    Dialect dialect{UE};       //!< whose NSCC
};

/**
 * @ingroup lossless
 *
 * The window of NSCC, the network-signalled congestion control of Ultra Ethernet (Ultra Ethernet
 * Specification 1.0, section 3.6.13; the consortium's simulator uet-htsim): from the mark and the
 * queueing delay of each answer, with the bytes that have arrived as the way out of an overload
 * (quick adapt). The window is a real number of bytes; one byte more may be sent while the bytes in
 * flight and an MTU fit into it.
 */
class NsccWindow
{
  public:
    NsccWindow() = default;

    /// @param parameters constants @param baseRttPs round trip of this pair's empty path, at most R
    /// @param nowPs time, picoseconds
    NsccWindow(const NsccParameters& parameters, int64_t baseRttPs, int64_t nowPs);

    /// What an answer of the peer says.
    struct Answer
    {
        int64_t bytes{0};    //!< newly delivered, or trimmed
        int64_t inFlight{0}; //!< bytes in flight without them
        int64_t nowPs{0};    //!< time, picoseconds
        int64_t rttPs{0};    //!< round trip of one transmission, picoseconds; 0: unknown
        bool marked{false};  //!< whether it tells of CE
        uint32_t penalty{0}; //!< rcv_cwnd_pen of the receiver, 0 to 127; 0: none
        bool restore{false}; //!< whether the penalty is over
    };

    /// Bytes are delivered. @param ack what is known
    void OnAck(const Answer& ack);

    /// A switch has trimmed a packet: it must be sent again. @param nak what is known
    void OnTrim(const Answer& nak);

    /// Packets are taken for lost. @param bytes of them
    void OnLoss(int64_t bytes);

    /// @return the window, bytes
    double Get() const
    {
        return m_window;
    }

    /// The rate of the sender has changed: max_cwnd and all constants that scale with it follow;
    /// the window shrinks to max_cwnd, and grows by its law (sheet 16, section 6).
    /// @param bitsPerSecond C
    void SetRate(double bitsPerSecond);

    /// Force the window, for tests. @param bytes the window
    void Force(double bytes)
    {
        m_window = bytes;
    }

    /// @return largest window, bytes
    double GetMax() const;

    /// @return increase that waits for the next adjustment, bytes * bytes in the window
    double GetIncrease() const
    {
        return m_increase;
    }

    /// @return averaged queueing delay, picoseconds
    double GetDelay() const
    {
        return m_delayPs;
    }

    /// @return whether it increases fast, because queues are empty
    bool IsFast() const
    {
        return m_fast;
    }

    /// @return bytes whose answers a quick adaptation ignores
    int64_t GetToIgnore() const
    {
        return m_toIgnore;
    }

  private:
    /// Why quick adapt might act.
    struct Cause
    {
        bool loss;       //!< a packet is missing
        bool marked;     //!< CE, or trimmed
        int64_t delayPs; //!< queueing delay
    };

    /// Shorten the base round trip. @param rttPs round trip @return queueing delay, picoseconds
    int64_t QueueingDelay(int64_t rttPs);
    /// @param delayPs sample @param marked whether it came with a mark @param nowPs time
    void AverageDelay(int64_t delayPs, bool marked, int64_t nowPs);
    /// The receiver's part. @param ack what is known @return whether it asks for a penalty
    bool ApplyPenalty(const Answer& ack);
    /// @param cause why it might act @param answer what is known @return whether the answer is
    /// dealt with: the window has been adapted, or the answer is of before that
    bool QuickAdapt(const Cause& cause, const Answer& answer);
    /// @param cause as QuickAdapt() @return whether the window must fall to what has arrived
    bool MustAdapt(const Cause& cause) const;
    /// The queues are short, and there is no mark. @param bytes delivered @param delayPs queueing
    void Increase(int64_t bytes, int64_t delayPs);
    /// The queues are long, with a mark. @param nowPs time
    void Decrease(int64_t nowPs);
    /// Take the increase into the window now and then. @param nowPs time
    void Adjust(int64_t nowPs);
    /// @param nowPs time @param thenPs time @return whether it has come; not yet at the very time
    /// in uet-htsim
    bool HasCome(int64_t nowPs, int64_t thenPs) const;
    /// Take bytes off the window. @param bytes how many
    void Shrink(double bytes);

    NsccParameters m_parameters;
    double m_window{0};
    int64_t m_baseRttPs{0};
    double m_increase{0};
    double m_delayPs{0};      //!< average
    int64_t m_sampledPs{0};   //!< time of the last sample
    int64_t m_received{0};    //!< bytes since the last adjustment
    int64_t m_achieved{0};    //!< bytes since the period began
    int64_t m_periodEndPs{0}; //!< of m_achieved; 0: none has begun
    int64_t m_toIgnore{0};    //!< bytes in flight when the window was adapted
    int64_t m_ignored{0};     //!< of them answered
    int64_t m_fastBytes{0};   //!< delivered while queues were empty
    int64_t m_adjustedPs{0};  //!< time of the last adjustment by time
    int64_t m_decreasedPs{0}; //!< time of the last decrease
    double m_saved{0};        //!< window before penalties; 0: none
    bool m_trimmed{false};    //!< a packet was trimmed since the last adaptation
    bool m_fast{false};
};

} // namespace ns3

#endif // LOSSLESS_NSCC_WINDOW_H
