// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_DIAGNOSIS_H
#define LOSSLESS_FLOW_DIAGNOSIS_H

#include "ns3/fabric.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Tells why a flow does not go on, from the state of the fabric now: links, routes, pauses, silent
 * ports, stopped NICs and retransmissions on the way of the data, and of the answers. The first
 * obstacle counts. A pause is followed to the port where it begins. The reason of retransmissions
 * includes the drops of watchdogs and of full receive buffers on the way.
 */
class FlowDiagnosis
{
  public:
    /// @param fabric where the flow runs
    explicit FlowDiagnosis(const Fabric& fabric);

    /**
     * @param verb verb of the flow; the data of a READ comes from the destination
     * @param connection its queue pairs
     * @return what stops it, on one line without commas
     */
    std::string GetReason(RdmaVerb verb, const Fabric::Connection& connection) const;

  private:
    /// A port of the fabric by its numbers in the topology.
    struct Place
    {
        NodeId node;
        uint32_t port;
    };

    /// What is wrong on the way from one queue pair to the other.
    struct Obstacles
    {
        std::string broken;  //!< a link that is down, no route, a loop
        std::string paused;  //!< the first paused port
        std::string silent;  //!< a port that loses all
        std::string stopped; //!< a NIC that receives nothing more
        std::string
            dropped; //!< a port where a watchdog or a full receive buffer has dropped frames

        /// What was found at one more port; the first of its kind counts. @param here what was
        /// found @param prefix of what it says
        void Add(const Obstacles& here, const std::string& prefix);
    };

    /// A port by which frames of the flow may leave.
    struct Branch
    {
        Ptr<QbbNetDevice> out;     //!< the port
        uint32_t cls;              //!< the queue there
        std::string prefix;        //!< says that it is one of several ways; else empty
        std::set<uint32_t> passed; //!< nodes of the switches on the way to it
    };

    /// @return where a port is
    Place PlaceOf(const QbbNetDevice& device) const;
    /// @return a port in words
    std::string NameOf(const QbbNetDevice& device) const;
    /// @return the switch of a node, or null
    Ptr<FabricSwitch> SwitchOf(const QbbNetDevice& device) const;
    /// Look at all ports on the way, on all ways where frames of the flow may take several.
    /// @param from sending end @param answers whether ACKs are meant
    Obstacles Follow(const RdmaQueuePair& from, bool answers) const;
    /// Go on at the switch behind a port. @param branch the port @param frame of the flow
    /// @param here gets why frames do not go on @param branches get the ports by which they do
    void Fork(const Branch& branch,
              const Frame& frame,
              Obstacles& here,
              std::vector<Branch>& branches) const;
    /// Look at a hop. @param out the port that sends @param cls its queue @return whether to go on
    bool Look(const QbbNetDevice& out, uint32_t cls, Obstacles& found) const;
    /// Look for frames that were dropped. @param device a port on the way
    void LookForDrops(const QbbNetDevice& device, Obstacles& found) const;
    /// @param device a port @return whether it is of a NIC whose receive pipeline is stopped
    static bool IsStopped(const QbbNetDevice& device);
    /// @param out a paused port @param cls the queue @return where the pause comes from
    std::string RootOf(const QbbNetDevice& out, uint32_t cls) const;
    /// @param fabricSwitch a switch @param inPort ingress port @param groups mask of its priority
    /// groups @param cls gets the queue there
    /// @return the paused port that frames of the ingress port wait for; null: none
    static Ptr<QbbNetDevice> WaitsFor(const FabricSwitch& fabricSwitch,
                                      uint16_t inPort,
                                      uint8_t groups,
                                      uint32_t& cls);
    /// @return what the sending end waits for, where nothing is in its way
    static std::string StateOf(const RdmaQueuePair& source);

    Fabric m_fabric;
    uint32_t m_firstNode; //!< ns-3's number of the fabric's first node
};

} // namespace ns3

#endif // LOSSLESS_FLOW_DIAGNOSIS_H
