// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QBB_PORT_SETTINGS_H
#define LOSSLESS_QBB_PORT_SETTINGS_H

#include "credit-counters.h"
#include "port-llr.h"
#include "qbb-stack-port.h"
#include "traffic-class-map.h"

#include "ns3/data-rate.h"
#include "ns3/fixed-accessor.h"
#include "ns3/frame-format.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The settings of a port: line rate, MTU, class map and PFC, with the attributes of these names.
 * Only QbbNetDevice derives from this class; QbbNetDevice makes the settings work.
 *
 * Each setting may change at any time. It takes effect with the next frame, and PFC at once. A
 * setting that the owner of one of the two ends cannot follow is refused with
 * std::invalid_argument, and stays as it was.
 */
class QbbPortSettings : public QbbStackPort, public FixedWhenUsed
{
  public:
    /// How a pause ends (IEEE 802.3 annex 31D; doc/link.rst).
    enum PfcDialect
    {
        STANDARD,     //!< quanta honoured, refreshed while in force (802.1Qbb)
        ENDLESS_XOFF, //!< an XOFF lasts until XON, no refresh (HPCC simulator)
        SHORT_QUANTA  //!< XOFF of 5 us, sent again at its end if still needed (older simulators)
    };

    /// When the port sends the next frame.
    enum Transmitter
    {
        PROMPT,          //!< as soon as the frame may leave
        HPCC_TRANSMITTER //!< as the HPCC simulator does (doc/replay.rst)
    };

    ~QbbPortSettings() override;

    /// @param rate line rate, 1 kb/s to 1.6 Tb/s
    void SetDataRate(DataRate rate);
    /// @return line rate
    DataRate GetDataRate() const;

    bool SetMtu(const uint16_t mtu) override;

    /// @param map the map from priority to class; null: the map stays
    void SetTrafficClassMap(Ptr<TrafficClassMap> map);
    /// @return the map from priority to class
    Ptr<TrafficClassMap> GetTrafficClassMap() const;

    /// @param enabled whether this port issues and obeys PFC at all
    void SetPfcEnabled(bool enabled);
    /// @return whether this port issues and obeys PFC at all
    bool GetPfcEnabled() const;

    /// @param classes mask of the classes with PFC
    void SetPfcClasses(uint8_t classes);
    /// @return attribute PfcClasses, whether or not PFC is on
    uint8_t GetPfcClasses() const;

    /// @param unit time to a multiple of which serialisation times are cut; 0: they are exact
    void SetSerialisationUnit(Time unit);
    /// @return attribute SerialisationUnit
    Time GetSerialisationUnit() const;

    /// @return the same in ticks; 1: serialisation times are exact
    int64_t SerialisationTicks() const
    {
        return m_serialisationUnit.IsZero() ? 1 : m_serialisationUnit.GetTimeStep();
    }

    /// @param transmitter when the port sends the next frame
    void SetTransmitter(Transmitter transmitter);
    /// @return attribute Transmitter
    Transmitter GetTransmitter() const;

    /// @param format of the frames that arrive, for which headroom is computed
    void SetFrameFormat(FrameFormat format);
    /// @return attribute FrameFormat
    FrameFormat GetFrameFormat() const;

    /// @param dialect how a pause ends
    void SetPfcDialect(PfcDialect dialect);
    /// @return how a pause ends
    PfcDialect GetPfcDialect() const;

    /// @param quanta pause time of an XOFF, in quanta of 512 bit times
    void SetPfcQuanta(uint16_t quanta);
    /// @return attribute PfcQuanta
    uint16_t GetPfcQuanta() const;

    /// @param interval time after which an XOFF in force is sent again; 0: never; negative: half of
    /// the pause time
    void SetPfcRefreshInterval(Time interval);
    /// @return attribute PfcRefreshInterval
    Time GetPfcRefreshInterval() const;

    /// @param delay time between the arrival of a PFC frame and its effect
    void SetPfcReactionDelay(Time delay);
    /// @return time between the arrival of a PFC frame and its effect
    Time GetPfcReactionDelay() const;

    // ---- credits (CBFC), in place of PFC; set before the run

    /// Since when credits are fixed. @return the time, in words; null: they are not yet
    const char* FixedSince() const override;

    /// @param classes mask of the classes with credits, in both directions
    void SetCbfcClasses(uint8_t classes);
    /// @return mask of the classes with credits
    uint8_t GetCbfcClasses() const;

    /// @param credits that the port grants its peer in each class; 0: as many as keep the link full
    void SetCbfcCredits(uint32_t credits);
    /// @return attribute CbfcCredits
    uint32_t GetCbfcCredits() const;

    /// @param bytes of a credit that the port grants
    void SetCreditBytes(uint32_t bytes);
    /// @param bytes that the port stores with each frame, beyond the frame
    void SetCreditOverhead(int32_t bytes);
    /// @return what a credit is that the port grants: CreditBytes and CreditOverhead
    const CreditUnit& GetCreditUnit() const;

    /// @param bytes of line between two CF_Updates of the port, at least
    void SetCfMinSpacing(uint32_t bytes);
    /// @return attribute CfMinSpacing
    uint32_t GetCfMinSpacing() const;

    /// @param interval time between two CC_Updates of the port while it uses credits
    void SetCcTimer(Time interval);
    /// @return attribute CcTimer
    Time GetCcTimer() const;

    // ---- link-level retry, set as attributes before the run

    /// @return attribute LlrEnabled
    bool GetLlrEnabled() const
    {
        return m_llrOn;
    }

    /// @return attribute LlrReplayBytes
    uint32_t GetLlrReplayBytes() const
    {
        return m_llrReplayBytes;
    }

    /// @return pause time that an XOFF of this port carries, in quanta of 512 bit times of the
    /// peer: attribute PfcQuanta, or what the dialect says
    uint16_t GetPauseQuanta() const;

    /// A setting of the port, its class map or the delay of its cable has changed: both ends take
    /// it over. Throws what an owner throws.
    virtual void SettingChanged() = 0;

  protected:
    /// @param peer the other end @param delay of the cable @return what PortLlr needs to know
    PortLlr::Settings LlrSettingsFor(const QbbPortSettings& peer, Time delay) const;

    QbbPortSettings();
    /// @param like the port whose settings the new one has, and whose class map, if that serves
    /// others, too; else the new one has a map that is like it
    QbbPortSettings(const QbbPortSettings& like);

    /// @param tid the TypeId @return the TypeId with the attributes of the settings
    static TypeId AddSettings(TypeId tid);

    /// @return mask of the classes with PFC, 0 where PFC is off
    uint8_t PfcClassesInForce() const;
    /// @return what QbbNetDevice::GetPauseRefresh() returns @param peerRate line rate of the peer
    Time GetPauseRefresh(DataRate peerRate) const;

    /// @return limit of a transmit queue for packets of the IP stack, frame bytes
    uint32_t IpQueueBytes() const
    {
        return m_ipQueueBytes;
    }

    /// @return whether captures hold the ICRC
    bool ComputesIcrc() const
    {
        return m_computeIcrc;
    }

  private:
    /// @return whether the port issues and obeys PFC for a class
    bool UsesPfc() const
    {
        return GetPfcEnabled() && GetPfcClasses() != 0;
    }

    /// @return whether PfcQuanta says how long a pause lasts
    bool SendsQuanta() const
    {
        return UsesPfc() && m_dialect != SHORT_QUANTA;
    }

    /// @return whether pauses may be refreshed at any time
    bool ChoosesRefresh() const
    {
        return UsesPfc() && m_dialect == STANDARD;
    }

    /// @return whether the port has credits
    bool UsesCbfc() const
    {
        return m_cbfcClasses != 0;
    }

    /// @return attribute CreditBytes
    uint32_t GetCreditBytes() const;
    /// @return attribute CreditOverhead
    int32_t GetCreditOverhead() const;

    /// The attributes of link-level retry. @param tid the TypeId @return the same
    static TypeId AddLlrSettings(TypeId tid);
    /// The attributes of credits. @param tid the TypeId @return the same
    static TypeId AddCbfcSettings(TypeId tid);
    /// Change a setting that is FixedSince(). @param setting the setting @param value its new value
    template <typename T>
    void ChangeUnused(T& setting, T value);

    /// The attributes of PFC. @param tid the TypeId @return the same
    static TypeId AddPfcSettings(TypeId tid);
    /// Change a setting, and undo the change if an owner refuses it.
    /// @param setting the setting @param value its new value
    template <typename T>
    void Change(T& setting, T value);

    Ptr<TrafficClassMap> m_classMap;            //!< attribute TrafficClassMap
    DataRate m_rate;                            //!< attribute DataRate
    Time m_serialisationUnit;                   //!< attribute SerialisationUnit
    Time m_reactionDelay;                       //!< attribute PfcReactionDelay
    Time m_refreshInterval;                     //!< attribute PfcRefreshInterval
    PfcDialect m_dialect{STANDARD};             //!< attribute PfcDialect
    FrameFormat m_frameFormat{FRAMES_STANDARD}; //!< attribute FrameFormat
    Transmitter m_transmitter{PROMPT};          //!< attribute Transmitter
    uint16_t m_quanta{65535};                   //!< attribute PfcQuanta
    uint8_t m_pfcClasses{0};                    //!< attribute PfcClasses
    bool m_pfcOn{true};                         //!< attribute PfcEnabled
    uint8_t m_cbfcClasses{0};                   //!< attribute CbfcClasses
    uint32_t m_cbfcCredits{0};                  //!< attribute CbfcCredits
    CreditUnit m_creditUnit;                    //!< attributes CreditBytes and CreditOverhead
    uint32_t m_cfMinSpacing{6400};              //!< attribute CfMinSpacing
    Time m_ccTimer;                             //!< attribute CcTimer
    bool m_llrOn{false};                        //!< attribute LlrEnabled
    uint32_t m_llrReplayBytes{0};               //!< attribute LlrReplayBytes
    uint32_t m_llrReplayCount{3};               //!< attribute LlrReplayCount
    uint32_t m_llrAckSpacing{2048};             //!< attribute LlrAckSpacing
    Time m_llrReplayTimer;                      //!< attribute LlrReplayTimer
    LlrFlush m_llrFlush{LLR_BEST_EFFORT};       //!< attribute LlrFlushAction
    bool m_llrBeginsAnew{false};                //!< attribute LlrReInitOnFlush
    uint32_t m_ipQueueBytes{1 << 20};           //!< attribute IpQueueBytes
    bool m_computeIcrc{false};                  //!< attribute ComputeIcrc
};

} // namespace ns3

#endif // LOSSLESS_QBB_PORT_SETTINGS_H
