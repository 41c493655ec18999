// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_PARTS_H
#define LOSSLESS_SWITCH_PARTS_H

#include "ecn-marker.h"
#include "extension-hooks.h"
#include "load-balancer.h"
#include "switch-mmu.h"

#include "ns3/fabric-frame.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What a switch is made of, with the attributes of these names: its buffer, ECN marker, load
 * balancer and extensions, and how its pipeline uses them. Only FabricSwitch derives from this
 * class; FabricSwitch starts the parts and is the pipeline.
 */
class SwitchParts : public Object
{
  public:
    /// When a frame's buffer is free again.
    enum ReleaseTime : uint8_t
    {
        DEQUEUE_START, //!< when its transmission starts
        LAST_BIT       //!< when its last bit has left; costs an event a frame
    };

    /// When the ECN decision is taken.
    enum MarkTime : uint8_t
    {
        MARK_ENQUEUE, //!< on arrival, on the queue with the frame
        MARK_DEQUEUE  //!< on departure, on the queue behind the frame (Fast ECN)
    };

    ~SwitchParts() override;

    /// @return the buffer
    Ptr<SwitchMmu> GetMmu() const;

    /// @param marker the ECN marker, in place of the one before; null: no ECN
    void SetEcnMarker(Ptr<EcnMarker> marker);
    /// @return the ECN marker, or null
    Ptr<EcnMarker> GetEcnMarker() const;

    /// @param balancer the load balancer
    void SetLoadBalancer(Ptr<LoadBalancer> balancer);
    /// @return the load balancer
    Ptr<LoadBalancer> GetLoadBalancer() const;

    /**
     * An EcnMarker takes the place of the ECN marker (EcnMarker::TakeOver()); throws
     * std::invalid_argument where another one was added before.
     * @param extension called from now on, after those added before
     */
    void AddExtension(Ptr<SwitchExtension> extension);
    /// @return number of extensions
    uint32_t GetNExtensions() const;
    /// @param index counted from 0, in the order of adding @return an extension
    Ptr<SwitchExtension> GetExtension(uint32_t index) const;

    /**
     * @param stream first random stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /// Parts that come from now on, such as an ECN marker during a run, get streams at once: as if
    /// AssignStreams() had known them. @param stream first random stream that nobody else uses
    void SetLaterStreams(int64_t stream);

    /**
     * Something changed that FabricSwitch::Start() takes over: does so at once while the simulation
     * runs, and then throws what that throws, so that whoever made the change can take it back.
     * Before the run a mistake is left to the start, as another change may mend it.
     */
    virtual void ConfigChanged() = 0;

    /// @return attribute SwitchDelay
    Time GetSwitchDelay() const
    {
        return m_switchDelay;
    }

    /// @return bytes of a frame after which the switch may begin to send the frame (CutThrough); 0:
    /// the switch stores frames and forwards them
    uint16_t GetCutThroughBytes() const
    {
        return m_cutThrough ? m_cutThroughBytes : 0;
    }

    /// @return attribute EcnEnabled: whether the switch marks at all
    bool IsEcnEnabled() const
    {
        return m_ecnEnabled;
    }

  protected:
    SwitchParts();

    /// @param tid the TypeId @return the TypeId with the attributes of the parts
    static TypeId AddParts(TypeId tid);

    void NotifyConstructionCompleted() override;
    void DoDispose() override;

  private:
    /// @return attribute CutThrough
    bool GetCutThrough() const
    {
        return m_cutThrough;
    }

    /// The attributes of the way to the egress queue. @param tid the TypeId @return the same
    static TypeId AddDelays(TypeId tid);
    /// The attributes that are objects. @param tid the TypeId @return the same
    static TypeId AddObjects(TypeId tid);
    /// @param type of a new ECN marker
    void SetMarkerType(TypeId type);
    /// @return type of the ECN marker
    TypeId GetMarkerType() const;
    /// @param type of a new load balancer
    void SetBalancerType(TypeId type);
    /// @return type of the load balancer
    TypeId GetBalancerType() const;
    /// A part has come. @param part it
    template <typename Part>
    void AssignLater(Part& part);
    /// An extension has come, which may be what a congestion control needs.
    void TellOfExtension() const;

    Ptr<SwitchMmu> m_mmu;         //!< attribute Mmu
    Ptr<EcnMarker> m_marker;      //!< attribute EcnMarker
    Ptr<LoadBalancer> m_balancer; //!< attribute LoadBalancer
    TypeId m_markerType;          //!< attribute EcnMarkerType, while the switch is being made
    TypeId m_balancerType;        //!< attribute LoadBalancerType, while the switch is being made
    int64_t m_laterStream{-1};    //!< of the next part that comes; -1: as ns-3 says
    bool m_isMade{false};         //!< NotifyConstructionCompleted() has been called
    bool m_ecnEnabled{true};      //!< attribute EcnEnabled
    Time m_switchDelay;           //!< attribute SwitchDelay
    bool m_cutThrough{false};     //!< attribute CutThrough
    uint16_t m_cutThroughBytes{ETHERNET_MIN_FRAME_BYTES}; //!< attribute CutThroughBytes

  protected:
    ExtensionHooks m_hooks; //!< extensions

    // For the pipeline. Last, so that these share a cache line with what FabricSwitch adds.
    alignas(64) EcnMarker* m_markerHot{nullptr}; //!< the ECN marker, while it is to be asked
    MarkTime m_markTime;                         //!< attribute MarkAt
    ReleaseTime m_releaseTime{DEQUEUE_START};    //!< attribute ReleaseAt
    bool m_dropNonEct;                           //!< attribute DropNonEct
    bool m_started{false};                       //!< FabricSwitch::Start() has taken all parts over
    bool m_hooked{false};     //!< some extension has a hook; as of the last Start()
    bool m_shares{false};     //!< some DSCP has a BufferShare below 1; as of the last Start()
    bool m_watched{false};    //!< somebody has connected to a trace source of queues
    bool m_isDelayed{false};  //!< frames pass a pipeline before their queue; as of the last Start()
    bool m_mapsQueues{false}; //!< some port maps a class to another queue; as of the last Start()
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_PARTS_H
