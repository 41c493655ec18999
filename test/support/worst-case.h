// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WORST_CASE_H
#define LOSSLESS_WORST_CASE_H

// The worst traffic for the headroom behind a port: what CheckLossless() must have in mind.

#include "ns3/fabric-switch.h"
#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-net-device.h"
#include "ns3/qbb-port-owner.h"
#include "ns3/rdma-hw.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace tests
{

/// Settings of one end of a link.
struct LinkEnd
{
    DataRate rate{"100Gbps"};            //!< line rate
    uint32_t mtu{1500};                  //!< attribute Mtu
    Time reaction{0};                    //!< attribute PfcReactionDelay
    std::string dialect{"Standard"};     //!< attribute PfcDialect
    uint32_t quanta{65535};              //!< attribute PfcQuanta
    Time refresh{-1};                    //!< attribute PfcRefreshInterval
    uint8_t pfcClasses{1U << 3};         //!< attribute PfcClasses
    FrameFormat format{FRAMES_STANDARD}; //!< attribute FrameFormat
    Time unit{0};                        //!< attribute SerialisationUnit
    int8_t ackClass{-1};                 //!< attribute AckClass of queue pairs
    int8_t ackQueue{-1};                 //!< attribute AckQueue
    uint8_t cnpClass{6};                 //!< attribute CnpClass
};

/// The buffer behind a port, as the worst sender sees it.
class Victim
{
  public:
    /// What a frame would do.
    enum Outcome
    {
        STAYS_OPEN,    //!< fits, and sets off no XOFF
        PAUSES,        //!< sets off an XOFF, and takes no headroom
        TAKES_HEADROOM //!< sets off an XOFF, and takes headroom (or is dropped)
    };

    virtual ~Victim() = default;
    /// @param cls class of a frame @param bytes its length @return what it would do
    virtual Outcome Predict(uint32_t cls, uint32_t bytes) const = 0;
    /// @param cls a class @return whether guaranteed space is left
    virtual bool HasGuaranteedLeft(uint32_t cls) const = 0;
    /// @return bytes of a cell
    virtual uint32_t GetCellBytes() const = 0;
};

/**
 * A sender that makes the most of its link, class after class: one frame at a time up to the
 * threshold of the class; a longest frame, which goes to headroom as a block; at its arrival a
 * longest frame on the way back, which delays the XOFF; until the XOFF takes effect the frames that
 * waste most memory; and a longest frame in the last moment. Whenever a class is open later,
 * longest frames. When an XOFF is due again a longest frame on the way back has just begun.
 */
class WorstSender : public QbbPortOwner
{
  public:
    /// @param nic the sender's port @param victim the buffer behind its peer @param classes that it
    /// fills, in this order @param destination of the frames
    WorstSender(Ptr<QbbNetDevice> nic,
                std::unique_ptr<Victim> victim,
                std::vector<uint32_t> classes,
                uint32_t destination);

    /// Begin now. @param done called when all classes have been filled
    void Start(std::function<void()> done);

    /// It sends ACKs, too, while their queue is open and their class paused. @param end says of
    /// which class, in which queue
    void SetAcks(const LinkEnd& end);

    /// @return longest time between two XOFF frames, or that a pause lasts
    Time GetPeriod() const;

    /// @return frames sent
    uint64_t GetSent() const
    {
        return m_sent;
    }

    void FrameArrived(QbbNetDevice& port, Frame* frame) override;
    Frame* NextFrame(QbbNetDevice& port) override;
    bool HasNext(const QbbNetDevice& port) const override;

  private:
    /// @param bytes of a frame @return ticks on the sender's line
    int64_t TicksOf(uint32_t bytes) const;
    /// @param cls class @param bytes length @return the frame
    Frame* Make(uint32_t cls, uint32_t bytes);
    /// @return the next frame below the threshold, or the one that sets off the XOFF
    Frame* Fill(uint32_t cls, int64_t now);
    /// @return the next frame until the XOFF takes effect
    Frame* Blast(uint32_t cls, int64_t now);
    /// @param wire bytes left until the XOFF takes effect @return length of the next frame
    uint32_t Filler(uint64_t wire);
    /// Find for each number of wire bytes the frame to begin with that wastes most memory.
    void PlanFillers();
    /// A longest frame on the way back. Nothing while the line is busy.
    void Obstruct();
    /// The sink of trace FrameRx of the peer.
    void Arrives(const QbbNetDevice& port, const Frame& frame);
    /// The sink of trace PfcTx of the peer.
    void PfcSent(const QbbNetDevice& port, uint32_t cls, uint16_t quanta);
    /// @return an ACK of a class that is full and paused, from a queue that is open; or null
    Frame* Ack();
    /// Go on with the next class.
    void NextClass(int64_t now);

    Ptr<QbbNetDevice> m_nic;
    Ptr<QbbNetDevice> m_peer;
    std::unique_ptr<Victim> m_victim;
    std::vector<uint32_t> m_classes;
    uint32_t m_destination;
    std::function<void()> m_done;
    bool m_started{false};
    int8_t m_ackClass{-1};  //!< of SetAcks()
    int8_t m_ackQueue{-1};  //!< of SetAcks()
    std::size_t m_at{0};    //!< the class that is being filled
    bool m_blasting{false}; //!< between the frame that sets off the XOFF and its effect
    bool m_obstructed{false};
    int64_t m_notBefore{0}; //!< next frame below the threshold, ticks
    int64_t m_effect{0};    //!< when the XOFF takes effect, ticks
    uint64_t m_sent{0};
    uint32_t m_longest;             //!< longest frame
    uint32_t m_shortest;            //!< shortest frame
    uint32_t m_gap;                 //!< wire bytes of a frame beyond its own
    uint32_t m_wasteful{64};        //!< frame with the most cells for its wire bytes
    std::vector<uint16_t> m_best;   //!< by wire bytes: most cells
    std::vector<uint16_t> m_choice; //!< by wire bytes: frame to begin with
};

/**
 * A switch between worst senders. What they send waits for two sinks that hold their classes
 * paused. The sinks are senders, too.
 */
class WorstCase
{
  public:
    /// @param classes the lossless classes, without 1 (lossy traffic) and 7 (frames on the way
    /// back)
    explicit WorstCase(std::vector<uint32_t> classes);
    ~WorstCase();

    /// @param host the sender's end @param port the end of the switch @param delay of the cable
    /// @return the switch's port
    uint32_t AddSender(const LinkEnd& host, const LinkEnd& port, Time delay);

    /// Two more ports, which send lossy frames to one sink. @param frames each
    void AddLossyTraffic(uint32_t frames);

    /// A sender of its own, and a NIC with a receive buffer whose pipeline has stopped.
    /// @param host the sender's end @param nic the NIC's end @param delay @param bufferBytes size
    /// of the receive buffer
    void AddNic(const LinkEnd& host, const LinkEnd& nic, Time delay, uint64_t bufferBytes);

    /// Give the switch a buffer that holds no more shared space than wanted. @param sharedBytes
    /// shared space
    void CutBuffer(uint64_t sharedBytes);

    /// @return what CheckLossless() of the switch and of the NIC find
    std::vector<std::string> Check() const;

    /// Send until something is lost, or nothing more can be.
    void Run();

    /// @return frames of lossless classes that were dropped; the first one ends Run()
    uint64_t GetDrops() const
    {
        return m_drops;
    }

    Ptr<FabricSwitch> fabricSwitch;       //!< the switch
    std::vector<Ptr<QbbNetDevice>> hosts; //!< by port of the switch
    Ptr<RdmaHw> rdma;                     //!< of AddNic(), or null
    std::vector<Ptr<RdmaHw>> senders;     //!< of AddSender()
    Ptr<QbbNetDevice> nic;                //!< of AddNic(), or null

  private:
    /// @param node of the port @param end its settings @return a port
    static Ptr<QbbNetDevice> MakePort(Ptr<Node> node, const LinkEnd& end);
    /// Join two ports. @param a one @param b other @param delay of the cable
    static void Join(Ptr<QbbNetDevice> a, Ptr<QbbNetDevice> b, Time delay);
    /// Let the sender after this one begin. @param next its index
    void StartSender(std::size_t next);
    /// The sink of trace Drop of the switch.
    void Dropped(uint32_t port, uint32_t cls, uint32_t bytes, DropReason reason);
    /// The sink of trace Drop of the NIC.
    void NicDropped(const QbbNetDevice& port, const Frame& frame, DropReason reason);

    std::vector<uint32_t> m_classes;
    std::vector<std::unique_ptr<WorstSender>> m_senders;
    std::vector<std::unique_ptr<QbbPortOwner>> m_lossy;
    uint32_t m_lossyFrames{0};
    std::vector<Ptr<QbbNetDevice>> m_lossyNics;
    Ptr<Node> m_switchNode;
    uint64_t m_drops{0};
    bool m_allStarted{false};
};

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_WORST_CASE_H
