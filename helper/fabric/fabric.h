// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_H
#define LOSSLESS_FABRIC_H

#include "capture-file.h"
#include "later-streams.h"

#include "ns3/deadlock-detector.h"
#include "ns3/fabric-differences.h"
#include "ns3/fabric-objects.h"
#include "ns3/fabric-places.h"
#include "ns3/fabric-settings.h"
#include "ns3/ideal-fct.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-congestion-ops.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A fabric that FabricHelper has built: finds its objects, connects its hosts, and does what
 * concerns all of it. It is a handle: copies are the same fabric.
 */
class Fabric : public FabricObjects
{
  public:
    /// One way between two hosts.
    struct Ports
    {
        uint32_t source{0};      //!< port of the sending host
        uint32_t destination{0}; //!< port of the receiving host
    };

    /// Both ends of a connection.
    struct Connection
    {
        Ptr<RdmaQueuePair> source;      //!< at the sending host
        Ptr<RdmaQueuePair> destination; //!< at the receiving host
        Ports ports;                    //!< the ports that they use
    };

    /// How queue pairs differ from what FabricHelper was told.
    struct QueuePairOptions
    {
        uint32_t choice{0};       //!< which of the ways between the hosts, modulo their number
        ObjectFactory congestion; //!< congestion control; without a type: that of the fabric
        std::vector<std::pair<std::string, Ptr<AttributeValue>>> attributes; //!< of RdmaQueuePair
        bool isNamed{false}; //!< a lossy class of theirs is named elsewhere, as that of flows
    };

    /// What makes data packets long.
    struct PacketSize
    {
        uint32_t mtu;       //!< payload, bytes
        uint32_t telemetry; //!< RdmaTerms::GetAddedBytes()
        FrameFormat format; //!< whose headers they have
    };

    /// @return what FabricHelper was told after it had built this fabric, its last one, such as
    /// "SetLink DataRate, SetHost"; empty: nothing
    std::string GetLate() const;

    // ---- paths

    /**
     * @param source a host
     * @param destination another host
     * @return the ways between their ports; FabricError if there is none
     */
    std::vector<Ports> GetPortPairs(HostId source, HostId destination) const;

    /**
     * @param source a host
     * @param destination another host
     * @param ports which ports
     * @param framing how messages become packets
     * @return ideal times on the fastest path
     */
    IdealFct GetIdeal(HostId source,
                      HostId destination,
                      const Ports& ports,
                      const IdealFct::Framing& framing) const;

    /// @param connection both ends, of which the source posts @return how messages between them
    /// become packets, and what their hosts need
    IdealFct::Framing GetFraming(const Connection& connection) const;
    /// @param source a host that posts @param destination another host @return the same of new
    /// queue pairs of theirs
    IdealFct::Framing GetFraming(HostId source, HostId destination) const;

    // ---- connections

    /**
     * Make a queue pair at both hosts and connect them.
     * @param source a host
     * @param destination another host
     * @param options what is special about them
     * @return both ends
     */
    Connection Connect(HostId source, HostId destination, const QueuePairOptions& options) const;
    /// @param options what is special about queue pairs; FabricError for a window beside a
    /// congestion control that sets the window itself @return what makes their packets long
    PacketSize GetPacketSize(const QueuePairOptions& options) const;
    /**
     * Check that the switches do what a congestion control needs of them
     * (RdmaCongestionOps::GetSwitchExtensions()); FabricError says what is missing. Connect() does.
     * @param congestion the congestion control
     */
    void RequireExtensions(const RdmaCongestionOps& congestion) const;
    /// FabricError unless a factory makes a congestion control, of which the switches have what it
    /// needs. @param congestion the factory; without a type: there is nothing to check
    void RequireCongestionControl(const ObjectFactory& congestion) const;
    /// @return what became of the settings of places at its build
    const std::vector<SettingDifference>& GetClaims() const;
    /// @return what the run that is under way, or was the last, has had; none: there was no run
    std::optional<SettingUse>& GetSettingUse() const;
    /// @return types of the congestion controls that queue pairs have had
    const std::set<TypeId>& GetConnected() const;
    /// FabricError if nothing would control the responses of READs (RdmaQueuePair::ReadAcks).
    /// @param options what is special about the queue pairs
    void RequireReads(const QueuePairOptions& options) const;
    /// FabricError unless a factory makes a congestion control. @param congestion the factory
    static void RequireCongestionType(const ObjectFactory& congestion);
    /// Connect() without anything special. @param source a host @param destination another host
    /// @return both ends
    Connection Connect(HostId source, HostId destination) const;

    // ---- the whole fabric

    /**
     * What could make a lossless class drop in the worst case, at switches and in the receive
     * buffers of hosts: headroom that exceeds the buffer, and what FabricSwitch::CheckLossless()
     * and RdmaHw::CheckLossless() find. Each line says where, how many bytes are missing or what is
     * wrong, and which setting to change.
     * @return one line a finding; empty: none
     */
    std::vector<std::string> CheckLossless() const;

    /**
     * Set attributes at some places now, before or during the run, as FabricHelper::At() does while
     * it builds:
     *
     * @code
     * fabric.At("core").Set("ns3::SwitchMmu::Alpha", DoubleValue(1.0 / 8));
     * @endcode
     *
     * @param places where, see FabricPlaces; FabricError if there is no such place
     * @return what sets them at once
     */
    FabricAt At(const FabricPlaces& places) const;

    /// Throw the first finding of CheckLossless() as FabricError, if there is one; what keeps a
    /// switch from running at all comes first.
    void RequireLossless() const;

    /// Cut or mend a link now, and give all switches their new routes. FaultHelper::CutLink() does
    /// so at a time. @param link the link @param up new state
    void SetLinkUp(LinkId link, bool up) const;
    /// @param link a link @return whether it is whole
    bool IsLinkUp(LinkId link) const;

    /**
     * Give all switches routes to the addresses of each other (GetSwitchAddress() and
     * GetSwitchIpv6Address()), now and whenever routes change. What arrives there is for
     * SwitchExtension::Unrouted().
     */
    void RouteToSwitches() const;

    /**
     * Put the stock IP stack on all hosts, IPv4 and IPv6, with the addresses of the fabric and the
     * routes that they need; ns-3's own applications then run over the fabric in lossy classes.
     * Nothing where it is there already.
     */
    void InstallInternet() const;
    /// @return whether the hosts have an IP stack; FabricError if only some of them have
    bool HasInternet() const;

    /**
     * Capture the frames of ports as pcap files, `prefix-node-port.pcap`.
     * @param prefix folder and start of the names
     * @param nodes which; empty: all nodes
     */
    void EnablePcap(const std::string& prefix, const std::vector<NodeId>& nodes = {}) const;

    /// What was captured so far is in the files; a FabricRun calls this at its end. FabricError if
    /// the disk is full.
    void FlushCaptures() const;

    /**
     * Fix all random streams of the fabric: ECN markers, load balancers, error models and the
     * congestion controls of queue pairs. What comes later, such as an ECN marker that is set
     * during a run, gets streams when it comes, by its place (LaterStreams).
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream) const;

    /// @return the first stream that AssignStreams() was given last, once; a run takes it, which is
    /// to give streams of its own
    std::optional<int64_t> TakeOwnStreams() const;

    /// @param detector that watches the switches of this fabric, in their order; see DeadlockHelper
    void SetDeadlockDetector(const Ptr<DeadlockDetector>& detector) const;
    /// @return the deadlock detector, or null
    Ptr<DeadlockDetector> GetDeadlockDetector() const;

  private:
    friend class FabricBuilder;
    friend class FaultHelper;
    friend class Convergence;
    friend class VxlanOverlay;

    // What SetLinkUp() does in one go, step by step: between a change of links and new routes at
    // all switches a fabric has micro-loops. A switch leaves its own dead ports out at once.

    /// Cut or mend a link now, and change no routes. @param link the link @param up new state
    void SetLinkState(LinkId link, bool up) const;
    /// Compute the paths over the links that are whole now; they become those in use. No switch is
    /// told. @return the paths
    std::shared_ptr<const FabricRoutes> ComputeRoutes() const;
    /// Give a switch its routes. @param which a switch @param routes the paths
    void InstallRoutesAt(SwitchId which, const FabricRoutes& routes) const;

    /// CheckLossless(). @param fatal how many findings, the first ones, keep a switch from running
    std::vector<std::string> FindMistakes(std::size_t& fatal) const;

    /// All that belongs to a fabric; shared by its handles.
    struct Parts : Objects
    {
        explicit Parts(const FabricTopology& graph);

        std::shared_ptr<const std::vector<std::string>> late; //!< GetLate(); null: nobody tells
        std::vector<bool> linkDown;                           //!< by link
        bool routesToSwitches{false};                         //!< RouteToSwitches()
        bool hasTunnels{false};                //!< VxlanOverlay has joined end points
        std::set<std::string> met;             //!< needs of congestion controls that switches meet
        std::set<TypeId> connected;            //!< GetConnected()
        std::vector<SettingDifference> claims; //!< GetClaims()
        std::optional<SettingUse> use;         //!< GetSettingUse()
        /// Changes of the extensions of switches. Atomic as several threads may run the fabric.
        std::atomic<uint64_t> changes{0};
        LaterStreams later;                //!< AssignStreams()
        std::optional<int64_t> ownStreams; //!< TakeOwnStreams()
        Ptr<DeadlockDetector> deadlockDetector;
        std::vector<Ptr<CaptureFile>> captures; //!< of EnablePcap()
    };

    explicit Fabric(const std::shared_ptr<Parts>& parts);

    /// The fastest path from a port of a host to a port of another one.
    struct Way
    {
        HostId source;
        HostId destination;
        Ports ports;
        std::vector<LinkId> links;
    };

    /// @param source a host @param destination another one @param ports which ports @return the way
    Way GetWay(HostId source, HostId destination, const Ports& ports) const;
    /// @param way where @param ipVersion of the packets @return the links as one packet meets them
    std::vector<IdealHop> GetHops(const Way& way, uint8_t ipVersion) const;
    /// Say which links are some of several. @param way where @param framing whether an end deals
    /// packets among paths @param hops of the way
    void AddWays(const Way& way,
                 const IdealFct::Framing& framing,
                 std::vector<IdealHop>& hops) const;
    /// Say what tunnels add to frames. @param way where @param ipVersion of the packets
    /// @param hops of the way
    void AddTunnels(const Way& way, uint8_t ipVersion, std::vector<IdealHop>& hops) const;
    /// Give all switches the routes in use.
    void InstallRoutes() const;

    std::shared_ptr<Parts> m_parts;
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_H
