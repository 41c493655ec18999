// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"
#include "python-counters.h"
#include "python-frame.h"
#include "python-part.h"

#include "ns3/application.h"
#include "ns3/fabric-attributes.h"
#include "ns3/fabric-switch.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-hw.h"
#include "ns3/simulator.h"

#include <cctype>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @param cls a traffic class @return it; IndexError if there is no such class
uint32_t
ClassNumber(uint32_t cls)
{
    if (cls >= TRAFFIC_CLASSES)
    {
        throw py::index_error("traffic class " + std::to_string(cls) + "; there are 0 to 7");
    }
    return cls;
}

/// @return what PFC did to a class of a port
py::dict
Pfc(const QbbNetDevice& port, uint32_t cls)
{
    py::dict all;
    AddCountersTo(all, port.GetIssuer().Get(ClassNumber(cls)));
    AddCountersTo(all, port.GetObeyer().Get(cls));
    all["paused"] = TimeStep(port.GetObeyer().PausedTicks(cls, Simulator::Now().GetTimeStep()));
    return all;
}

/// @return what credits (CBFC) did to a class of a port
py::dict
Cbfc(const QbbNetDevice& port, uint32_t cls)
{
    py::dict all;
    const PortCbfc* const cbfc = port.GetCbfc();
    AddCountersTo(all, cbfc ? cbfc->Get(ClassNumber(cls)) : PortCbfc::Counters());
    all["credits_used"] = cbfc ? cbfc->Used(cls) : 0;
    all["starved"] =
        TimeStep(port.GetCbfcClasses() & (1U << ClassNumber(cls))
                     ? port.GetObeyer().PausedTicks(cls, Simulator::Now().GetTimeStep())
                     : 0);
    return all;
}

/// @return what link-level retry did at a port
py::dict
Llr(const QbbNetDevice& port)
{
    return ToDict(port.GetLlr() ? port.GetLlr()->Get() : PortLlr::Counters());
}

/// Make an object part of a node; ValueError if ns-3 would end the program for it, now or when it
/// takes the node apart.
void
Aggregate(Node& node, const Ptr<Object>& object)
{
    // The protocols of a disposed node would make their sockets anew, which ns-3 does not survive.
    if (node.GetId() >= NodeList::GetNNodes() || NodeList::GetNode(node.GetId()) != &node)
    {
        throw std::runtime_error("Simulator.destroy() has taken this node apart; make another one");
    }
    const TypeId type = object->GetInstanceTypeId();
    const bool belongsElsewhere = type.GetGroupName() == "Lossless" &&
                                  !DynamicCast<FabricSwitch>(object) &&
                                  !DynamicCast<RdmaHw>(object);
    if (belongsElsewhere || DynamicCast<NetDevice>(object) || DynamicCast<Channel>(object) ||
        DynamicCast<Application>(object) || DynamicCast<Node>(object))
    {
        throw py::value_error(
            "a " + type.GetName() +
            " cannot be part of a node in this way; a FabricSwitch or an RdmaHw can");
    }
    auto parts = object->GetAggregateIterator();
    parts.Next();
    if (parts.HasNext())
    {
        throw py::value_error("the " + type.GetName() + " is part of something already");
    }
    if (node.GetObject<Object>(type))
    {
        throw py::value_error("the node has a " + type.GetName() + " already");
    }
    node.AggregateObject(object);
}

} // namespace

void
BindLink(py::module_& m)
{
    py::enum_<FrameKind>(m, "FrameKind", "What a frame carries.")
        .value("ROCE", FrameKind::ROCE)
        .value("IP", FrameKind::IP)
        .value("PFC", FrameKind::PFC)
        .value("VXLAN", FrameKind::VXLAN);
    py::enum_<DropReason> reasons(m, "DropReason", "Why a frame was dropped.");
    for (int i = 0; i < static_cast<int>(DropReason::COUNT); ++i)
    {
        std::string name = ToString(static_cast<DropReason>(i));
        for (char& c : name)
        {
            c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        }
        reasons.value(name.c_str(), static_cast<DropReason>(i));
    }

    Class<FrameCopy>(m, "Frame", "A frame as a trace source saw it.")
        .def_readonly("kind", &FrameCopy::kind, "What it carries.")
        .def_readonly("bytes", &FrameCopy::bytes, "Ethernet frame with FCS.")
        .def_readonly("payload_bytes", &FrameCopy::payloadBytes, "RoCE payload.")
        .def_readonly("src", &FrameCopy::src, "Source address, last 32 bits.")
        .def_readonly("dst", &FrameCopy::dst, "Destination address, last 32 bits.")
        .def_readonly("src_port", &FrameCopy::srcPort, "Source port of UDP or TCP.")
        .def_readonly("dst_port", &FrameCopy::dstPort, "Destination port of UDP or TCP.")
        .def_readonly("traffic_class", &FrameCopy::trafficClass, "Class at the port, 0 to 7.")
        .def_readonly("ecn", &FrameCopy::ecn, "3: congestion experienced.")
        .def_readonly("dscp", &FrameCopy::dscp, "DSCP, 0 to 63.")
        .def_readonly("ttl", &FrameCopy::ttl, "TTL or hop limit.")
        .def_readonly("ip_version", &FrameCopy::ipVersion, "4 or 6.")
        .def_readonly("opcode", &FrameCopy::opcode, "BTH opcode.")
        .def_readonly("psn", &FrameCopy::psn, "Sequence number, 64 bits.")
        .def_readonly("dest_qp", &FrameCopy::destQp, "Number of the destination queue pair.")
        .def_readonly("pfc_enable", &FrameCopy::pfcEnable, "PFC: mask of the classes.")
        .def_readonly("pfc_quanta", &FrameCopy::pfcQuanta, "PFC: pause times.")
        .def("__repr__", [](const FrameCopy& f) {
            return "<Frame " + std::to_string(f.bytes) + " bytes, class " +
                   std::to_string(f.trafficClass) + ">";
        });

    KnownClass<Node, Object>(m, "Node", "A stock node of ns-3.")
        .def(py::init([] { return CreateObject<Node>(); }))
        .def_property_readonly("id", &Node::GetId, "Its number in ns-3.")
        .def_property_readonly(
            "devices",
            [](const Node& n) {
                py::list devices;
                for (uint32_t i = 0; i < n.GetNDevices(); ++i)
                {
                    devices.append(Wrap(n.GetDevice(i)));
                }
                return devices;
            },
            "Its ports and other devices.")
        .def("aggregate",
             &Aggregate,
             py::arg("object"),
             "Make an object, such as a FabricSwitch or an RdmaHw, part of the node.")
        .def("__repr__", ObjectRepr<Node>([](const Node& n) {
                 return "<lossless.Node " + std::to_string(n.GetId()) + ">";
             }));
    KnownClass<NetDevice, Object>(m, "NetDevice", "A network device of ns-3.");
    KnownClass<Channel, Object>(m, "Channel", "A channel of ns-3.");
    KnownClass<QbbChannel, Channel>(m, "QbbChannel", "A cable between two ports.")
        .def("set_up", &QbbChannel::SetUp, py::arg("up"), "Cut (False) or mend (True) the cable.")
        .def_property_readonly("is_up", &QbbChannel::IsUp, "Whether it is whole.");
    KnownClass<QbbNetDevice, NetDevice>(m,
                                        "QbbNetDevice",
                                        "An Ethernet port with eight classes and PFC.")
        .def_property_readonly("node", &QbbNetDevice::GetNode, "The node that it is a port of.")
        .def_property_readonly("peer", &QbbNetDevice::GetPeer, "The port at the other end.")
        .def_property_readonly("is_link_up", &QbbNetDevice::IsLinkUp, "Whether the cable is whole.")
        .def_property_readonly(
            "counters",
            [](const QbbNetDevice& port) { return ToDict(port.GetCounters()); },
            "Counters, as a dict.")
        .def_property_readonly("paused_mask",
                               &QbbNetDevice::PausedMask,
                               "Bit c: the peer has paused class c.")
        .def("pfc",
             &Pfc,
             py::arg("traffic_class"),
             "PFC frames of a class sent and received, and time paused.")
        .def("cbfc",
             &Cbfc,
             py::arg("traffic_class"),
             "Credits (CBFC) of a class consumed, stored and told, and time without enough.")
        .def("llr", &Llr, "Counters of link-level retry, as a dict.")
        .def(
            "queue_bytes",
            [](const QbbNetDevice& d, uint32_t cls) { return d.Queues().Bytes(ClassNumber(cls)); },
            py::arg("traffic_class"),
            "Frame bytes queued in a class.");
    m.def(
        "connect_nodes",
        [](const Ptr<Node>& a,
           const Ptr<Node>& b,
           const DataRate& rate,
           const Time& delay,
           const py::kwargs& attributes) {
            for (const auto& [name, value] : CheckAttributes(QbbNetDevice::GetTypeId(), attributes))
            {
                if (name == "DataRate")
                {
                    throw py::value_error("rate= and data_rate= say the same; give rate=");
                }
            }
            QbbHelper cable;
            cable.SetDeviceAttribute("DataRate",
                                     *FabricAttributes::Check(QbbNetDevice::GetTypeId(),
                                                              "DataRate",
                                                              DataRateValue(rate)));
            cable.SetChannelAttribute(
                "Delay",
                *FabricAttributes::Check(QbbChannel::GetTypeId(), "Delay", TimeValue(delay)));
            auto ends = cable.Install(a, b);
            const auto one = DynamicCast<QbbNetDevice>(ends.Get(0));
            const auto other = DynamicCast<QbbNetDevice>(ends.Get(1));
            SetAttributes({one, other}, attributes);
            return std::pair{one, other};
        },
        py::arg("a"),
        py::arg("b"),
        py::arg("rate") = DataRate(100000000000ULL),
        py::arg("delay") = MicroSeconds(1),
        "Join two nodes by a cable; further keywords are attributes of both ports. Returns the "
        "ports.");
}

} // namespace lossless_python
