// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_FLOW_SETTINGS_H
#define LOSSLESS_RDMA_FLOW_SETTINGS_H

#include "rdma-flow.h"

#include "ns3/attribute.h"
#include "ns3/fabric.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What flows are like that are added from now on: class, verb, label and queue pairs. What is set
 * holds until it is set again. Only RdmaFlowHelper derives from this class.
 */
class RdmaFlowSettings
{
  public:
    /// What SetClass(), SetVerb(), SetLabel(), SetQueuePair() and SetCongestionControl() have said.
    struct Said
    {
        RdmaFlow flow;                    //!< its class, verb and label
        Fabric::QueuePairOptions options; //!< of queue pairs
        uint64_t changes{0};              //!< of the options so far
        uint64_t calls{0};                //!< that have said something so far
    };

    /// @return what holds for flows added from now on
    const Said& GetSaid() const
    {
        return m_said;
    }

    /// Let hold again what held before. @param said GetSaid() of then
    void Restore(const Said& said);

    /// @param trafficClass class of the data of workloads added from now on, 0..7
    void SetClass(uint32_t trafficClass);
    /// @param verb verb of workloads added from now on
    void SetVerb(RdmaVerb verb);
    /// @param label by which reports tell the workloads added from now on from others, such as
    /// "burst": letters, digits, '-', '_' and '.'; empty: none
    void SetLabel(const std::string& label);
    /// @param name attribute of RdmaQueuePair @param value its value at both ends
    void SetQueuePair(const std::string& name, const AttributeValue& value);
    /// Forget what SetQueuePair() has said: flows added from now on are as the fabric's.
    void ResetQueuePair();
    /// @param congestion factory of an RdmaCongestionOps for flows added from now on, in place of
    /// that of the fabric; without a type: that of the fabric again
    void SetCongestionControl(const ObjectFactory& congestion);

    /// Check the flows added so far against the settings of the fabric, which may have changed
    /// since: FabricError where their packets are too large or their congestion control sets the
    /// window that they have, a warning where they may be lost.
    void CheckAtBegin();

    /// Name what was said for flows when no flow was added any more. At the end of the run.
    void CheckAtEnd() const;

    /// @return a queue pair that is not connected for all flows so far that have one alike
    std::vector<Ptr<RdmaQueuePair>> MakeEnds() const;

    /// @return the fabric
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  protected:
    /// @param fabric where the flows run
    explicit RdmaFlowSettings(const Fabric& fabric);
    ~RdmaFlowSettings();

    /// @return a flow of the class, the verb and the label of workloads
    const RdmaFlow& GetTemplate() const
    {
        return m_said.flow;
    }

    /// FabricError for a label that no report can have. @param label of a flow
    static void RequireLabel(const std::string& label);
    /// Check the options of a flow. @param flow the next flow, or a flow like the next ones
    /// @return number of the options that hold now
    uint32_t Group(const RdmaFlow& flow);
    /// @param group Group() @param flow a flow that starts @return the options of its queue pairs
    Fabric::QueuePairOptions OptionsOf(uint32_t group, const RdmaFlow& flow) const;
    /// Note who sends, and name what is wrong with that: AddIfLossy().
    /// @param sender host of the data of a flow @param trafficClass its class
    void NoteSender(HostId sender, uint8_t trafficClass);
    /// @param visit called with what makes the congestion controls of flows added so far
    void ForEachControlOfFlows(const std::function<void(const ObjectFactory&)>& visit) const;

    Fabric m_fabric; //!< where the flows run

  private:
    /// What flows have in common that are added one after the other.
    struct FlowGroup
    {
        Fabric::QueuePairOptions options; //!< of their queue pairs
        bool hasWindow{false};            //!< some flow has a window of its own
    };

    /// FabricError when the run of the flows has ended.
    virtual void RequireSettable() const = 0;
    /// Refuse a READ whose responses nothing would control. @param flow the next flow
    void RequireReads(const RdmaFlow& flow);
    /// Refuse an Mtu that is, with telemetry, too large for the ports, and packets for which the
    /// headroom of the ports is not made. @param options of flows
    void RequirePorts(const Fabric::QueuePairOptions& options) const;
    /// Give queue pairs the window of a flow, unless an option of the program says what it is.
    /// @param options of the flow @param window bytes; 0: none
    void SetWindow(Fabric::QueuePairOptions& options, uint64_t window) const;

    /// The options have changed.
    void NoteChange();
    /// Something is said of flows to come. @param what "Window of their queue pairs"
    void NoteUntaken(const std::string& what);
    /// A flow takes what is said. @param flow the flow
    void Take(const RdmaFlow& flow);

    Said m_said;                               //!< of workloads and flows added from now on
    uint64_t m_changes{0};                     //!< of m_said.options so far
    bool m_optionsChanged{true};               //!< since the last of m_groups
    bool m_readsChecked{false};                //!< RequireReads(), of m_said.options
    bool m_hasBegun{false};                    //!< CheckAtBegin() was called
    uint64_t m_calls{0};                       //!< of NoteUntaken() so far
    std::vector<FlowGroup> m_groups;           //!< by number
    std::map<std::string, uint64_t> m_untaken; //!< what no flow has, and in which call it was said
    std::vector<uint8_t> m_sent;               //!< classes of data by host, bit i is class i
};

} // namespace ns3

#endif // LOSSLESS_RDMA_FLOW_SETTINGS_H
