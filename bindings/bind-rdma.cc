// SPDX-License-Identifier: GPL-2.0-only
#include "python-attributes.h"
#include "python-callable.h"
#include "python-counters.h"
#include "python-part.h"
#include "python-rdma.h"

#include "ns3/qbb-net-device.h"
#include "ns3/rdma-congestion-ops.h"
#include "ns3/rdma-hw.h"
#include "ns3/rdma-loss-recovery.h"
#include "ns3/rdma-mrc.h"
#include "ns3/rdma-queue-pair.h"

#include <arpa/inet.h>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// Post a work request. @return its id
uint64_t
Post(RdmaQueuePair& queuePair,
     const py::object& verb,
     const py::object& size,
     uint32_t immediate,
     uint64_t id)
{
    if (queuePair.GetState() == RdmaQueuePair::RESET)
    {
        throw std::runtime_error(
            "this queue pair is not connected: nothing would be sent; join two "
            "with RdmaHw.connect_queue_pairs(), or make them with "
            "Fabric.connect()");
    }
    RdmaWorkRequest request;
    request.verb = ToVerb(verb);
    request.bytes = ToBytes(size, "size");
    request.immediate = immediate;
    request.id = id;
    return queuePair.Post(request);
}

/// Set a callback of a queue pair, or take it away. @param set the setter
auto
CallbackSetter(void (RdmaQueuePair::*set)(RdmaQueuePair::CompletionCallback))
{
    return [set](RdmaQueuePair& queuePair, const py::object& function) {
        RdmaQueuePair::CompletionCallback callback;
        if (!function.is_none())
        {
            callback = RdmaQueuePair::CompletionCallback(
                [call = PythonCallable(function)](const RdmaCompletion& done) { call(done); });
        }
        (queuePair.*set)(callback);
    };
}

/// @return where both halves of a queue pair are, by name
py::dict
QueuePairCounters(const RdmaQueuePair& queuePair)
{
    const RdmaRequester& requester = queuePair.GetRequester();
    const RdmaResponder& responder = queuePair.GetResponder();
    py::dict all;
    all["next_packet"] = requester.Next();
    all["unacked_packet"] = requester.Unacked();
    all["bytes_in_flight"] = requester.BytesInFlight();
    all["retries"] = requester.GetRetries();
    all["expected_packet"] = responder.Expected();
    all["messages_received"] = responder.Messages();
    all["receives_posted"] = responder.Receives();
    return all;
}

void
BindVerbs(py::module_& m)
{
    py::enum_<RdmaVerb>(m, "Verb", "What a work request asks for.")
        .value("WRITE", RdmaVerb::WRITE)
        .value("WRITE_IMM", RdmaVerb::WRITE_IMM)
        .value("SEND", RdmaVerb::SEND)
        .value("SEND_IMM", RdmaVerb::SEND_IMM)
        .value("READ", RdmaVerb::READ);
    py::enum_<RdmaStatus>(m, "Status", "How a work request ended.")
        .value("SUCCESS", RdmaStatus::SUCCESS)
        .value("RETRY_EXCEEDED", RdmaStatus::RETRY_EXCEEDED)
        .value("RNR_RETRY_EXCEEDED", RdmaStatus::RNR_RETRY_EXCEEDED)
        .value("REMOTE_INVALID", RdmaStatus::REMOTE_INVALID)
        .value("FLUSHED", RdmaStatus::FLUSHED);
    Class<RdmaCompletion>(m, "Completion", "The end of a work request, or of a message.")
        .def_readonly("id",
                      &RdmaCompletion::id,
                      "Number of the work request, as post() returned it.")
        .def_readonly("verb", &RdmaCompletion::verb, "What it asked for.")
        .def_readonly("status", &RdmaCompletion::status, "How it ended.")
        .def_readonly("immediate", &RdmaCompletion::immediate, "Immediate data, 32 bits.")
        .def_readonly("bytes", &RdmaCompletion::bytes, "Length of the message.")
        .def_readonly("posted", &RdmaCompletion::posted, "When it was posted.")
        .def_readonly("first_sent", &RdmaCompletion::firstSent, "When its first packet was sent.")
        .def_readonly("completed", &RdmaCompletion::completed, "When it ended.")
        .def("__repr__", [](const RdmaCompletion& c) {
            return std::string("<Completion ") + ToString(c.verb) + " of " +
                   std::to_string(c.bytes) + " bytes: " + ToString(c.status) + ">";
        });
}

// ---- MRC

/// @param plane a plane; IndexError unless the queue pair has it
void
RequirePlane(const RdmaMrc& mrc, uint32_t plane)
{
    if (plane >= mrc.GetNPlanes())
    {
        throw py::index_error("plane " + std::to_string(plane) + "; the queue pair has " +
                              std::to_string(mrc.GetNPlanes()));
    }
}

/// RdmaMrc.plane_evs().
py::dict
EvsOf(const RdmaMrc& mrc, uint32_t plane)
{
    RequirePlane(mrc, plane);
    py::list values;
    py::list states;
    py::list slots;
    py::list backups;
    if (const MrcPlaneEvs* evs = mrc.GetEvs(plane))
    {
        for (uint16_t ev = 0; ev < evs->GetN(); ++ev)
        {
            static constexpr const char* NAMES[] = {"GOOD", "SKIP", "ASSUMED_BAD", "DENIED"};
            values.append(evs->GetValue(ev));
            states.append(NAMES[evs->GetState(ev)]);
        }
        slots = py::cast(evs->GetSlots());
        backups = py::cast(evs->GetBackups());
    }
    using namespace py::literals;
    return py::dict("values"_a = values,
                    "states"_a = states,
                    "slots"_a = slots,
                    "backups"_a = backups);
}

void
BindMrc(py::module_& m)
{
    KnownClass<RdmaMrc, Object>(m, "RdmaMrc", "MRC: what a queue pair over several planes does.")
        .def_property_readonly(
            "counters",
            [](const RdmaMrc& mrc) { return ToDict(mrc.GetCounters()); },
            "Packets, frames and times counted by this queue pair, by name.")
        .def_property_readonly(
            "n_planes",
            [](const RdmaMrc& mrc) { return mrc.GetNPlanes(); },
            "Number of planes; 0 when the queue pair is not connected.")
        .def("plane_evs",
             &EvsOf,
             py::arg("plane"),
             "The entropy values (EVs) of a plane, by name: \"values\", what packets carry, and "
             "\"states\", GOOD, SKIP, ASSUMED_BAD or DENIED, both by EV; \"slots\", the EVs in the "
             "rotation, and \"backups\", those that wait. Empty before the first request.")
        .def(
            "set_evs",
            [](RdmaMrc& mrc, uint32_t plane, const std::vector<uint32_t>& values) {
                RequirePlane(mrc, plane);
                mrc.SetEvs(plane, values);
            },
            py::arg("plane"),
            py::arg("values"),
            "Give a plane its EVs, in place of drawn ones, before the first request: those in "
            "rotation, then the backups.")
        .def(
            "set_denied",
            [](RdmaMrc& mrc, uint32_t plane, uint16_t ev, bool deny) {
                RequirePlane(mrc, plane);
                mrc.SetDenied(plane, ev, deny);
            },
            py::arg("plane"),
            py::arg("ev"),
            py::arg("deny") = true,
            "Take an EV out of service, or let packets use the EV again.");
}

} // namespace

RdmaVerb
ToVerb(const py::object& verb)
{
    if (py::isinstance<RdmaVerb>(verb))
    {
        return verb.cast<RdmaVerb>();
    }
    const std::string text = py::str(verb);
    for (const auto known :
         {RdmaVerb::WRITE, RdmaVerb::WRITE_IMM, RdmaVerb::SEND, RdmaVerb::SEND_IMM, RdmaVerb::READ})
    {
        if (SamePlain(ToString(known), text))
        {
            return known;
        }
    }
    throw py::value_error("verb is \"" + text +
                          "\"; it must be write, write_imm, send, send_imm or read");
}

Ipv4Address
ToAddress(const std::string& text)
{
    in_addr address;
    if (inet_pton(AF_INET, text.c_str(), &address) != 1)
    {
        throw py::value_error("\"" + text + "\" is no IPv4 address, such as 10.0.0.1");
    }
    return Ipv4Address(ntohl(address.s_addr));
}

void
BindRdma(py::module_& m)
{
    BindVerbs(m);
    BindMrc(m);
    KnownClass<RdmaCongestionOps, Object>(m,
                                          "RdmaCongestionOps",
                                          "The congestion control of one queue pair.");
    KnownClass<RdmaLossRecovery, Object>(m, "LossRecovery", "Of one queue pair.");
    py::enum_<RdmaQueuePair::State>(m, "QueuePairState")
        .value("RESET", RdmaQueuePair::RESET)
        .value("READY", RdmaQueuePair::READY)
        .value("ERROR", RdmaQueuePair::ERROR);
    KnownClass<RdmaQueuePair, Object>(m, "QueuePair", "One end of a reliable connection.")
        .def("post",
             &Post,
             py::arg("verb"),
             py::arg("size"),
             py::arg("immediate") = 0,
             py::arg("id") = 0,
             "Post a work request: post(\"write\", \"1MB\"). Returns its id.")
        .def(
            "post_receive",
            [](RdmaQueuePair& queuePair, uint32_t count) { queuePair.PostReceive(count); },
            py::arg("count") = 1,
            "Post receives, each for one SEND or WRITE_IMM of the peer.")
        .def("close", &RdmaQueuePair::Close, "Flush what is not complete.")
        .def("on_completion",
             CallbackSetter(&RdmaQueuePair::SetCompletionCallback),
             py::arg("callable"),
             "Call a callable with the Completion of each request posted here; None: nobody.")
        .def("on_receive",
             CallbackSetter(&RdmaQueuePair::SetReceiveCallback),
             py::arg("callable"),
             "Call a callable with the Completion of each message of the peer; None: nobody.")
        .def_property_readonly("number", &RdmaQueuePair::GetNumber, "Its number at its NIC.")
        .def_property_readonly("remote_number",
                               &RdmaQueuePair::GetRemoteNumber,
                               "The number of its peer.")
        .def_property_readonly("state", &RdmaQueuePair::GetState, "Whether it can be used.")
        .def_property_readonly("is_idle",
                               &RdmaQueuePair::IsIdle,
                               "Whether nothing is left to be sent or acknowledged.")
        .def_property_readonly(
            "counters",
            &QueuePairCounters,
            "What this end sends and receives, by name: packet numbers count from 0, in packets.")
        .def_property_readonly(
            "rate",
            [](const RdmaQueuePair& q) { return q.GetFlowState().rate; },
            "Sending rate, bit/s.")
        .def_property_readonly(
            "window",
            [](const RdmaQueuePair& q) { return q.GetFlowState().window; },
            "Payload bytes in flight at most; 0: no limit.")
        .def_property_readonly(
            "congestion_control",
            [](const RdmaQueuePair& q) { return Wrap(q.GetCongestionControl()); },
            "Its congestion control.")
        .def_property_readonly(
            "transport",
            [](const RdmaQueuePair& q) { return Wrap(q.GetTransport()); },
            "Its RdmaMrc; None: a reliable connection, or it is not connected.")
        .def_property_readonly("device", &RdmaQueuePair::GetDevice, "The port that it uses.")
        .def("__repr__", ObjectRepr<RdmaQueuePair>([](const RdmaQueuePair& q) {
                 return "<lossless.QueuePair " + std::to_string(q.GetNumber()) +
                        PlaceOf(PeekPointer(q.GetDevice())) + ">";
             }));
    KnownClass<RdmaHw, Object>(m, "RdmaHw", "The RDMA side of a host.")
        .def(py::init([] { return CreateObject<RdmaHw>(); }))
        .def(
            "add_port",
            [](RdmaHw& hw, const Ptr<QbbNetDevice>& device, const std::string& address) {
                return hw.AddPort(device, ToAddress(address));
            },
            py::arg("device"),
            py::arg("address"),
            "Take a port over. Returns its index.")
        .def(
            "create_queue_pair",
            [](RdmaHw& hw, uint32_t port) {
                if (port >= hw.GetNPorts())
                {
                    throw py::index_error("port " + std::to_string(port) + "; the NIC has " +
                                          std::to_string(hw.GetNPorts()));
                }
                return hw.CreateQueuePair(port);
            },
            py::arg("port") = 0,
            "A new queue pair, not connected.")
        .def_static("connect_queue_pairs",
                    &RdmaHw::Connect,
                    py::arg("one"),
                    py::arg("other"),
                    py::arg("base_rtt") = Time(0),
                    "Join two queue pairs.")
        .def("destroy_queue_pair",
             &RdmaHw::DestroyQueuePair,
             py::arg("queue_pair"),
             "Take a queue pair away.")
        .def_property_readonly("n_ports", &RdmaHw::GetNPorts, "Number of ports.")
        .def_property_readonly("n_queue_pairs", &RdmaHw::GetNQueuePairs, "Number of queue pairs.")
        .def_property_readonly(
            "counters",
            [](const RdmaHw& hw) { return ToDict(hw.GetCounters()); },
            "Counters, as a dict.");
}

} // namespace lossless_python
