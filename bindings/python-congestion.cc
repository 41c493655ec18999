// SPDX-License-Identifier: GPL-2.0-only
#include "python-congestion.h"

#include "python-arguments.h"
#include "python-callable.h"
#include "python-part.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric-warning.h"
#include "ns3/switch-cnp-sender.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// What Python calls the methods, by PythonCongestionOps::Method.
constexpr const char* NAMES[] = {"init",
                                 "on_cnp",
                                 "on_ack",
                                 "on_sent",
                                 "on_timeout",
                                 "on_line_rate",
                                 "on_timer",
                                 "on_marked_data",
                                 "on_data"};

/// Those that make objects, by number. Never freed: a Part that names a maker may live as long as
/// the process.
std::vector<py::object>&
Makers()
{
    static auto* makers = new std::vector<py::object>;
    return *makers;
}

/// What has become of the objects of a maker.
struct Use
{
    bool isMade{false};  //!< some object is at a queue pair
    bool hadCnp{false};  //!< some object has had a CNP
    bool isNamed{false}; //!< WarnOfIdleMethods() has looked at it
};

/// By number of the maker. @param number of a maker @return its entry
Use&
UseOf(uint32_t number)
{
    static std::vector<Use> uses;
    uses.resize(std::max<std::size_t>(uses.size(), number + std::size_t{1}));
    return uses[number];
}

/// @return the maker of a number; the interpreter's lock is held
const py::object&
MakerOf(uint32_t number)
{
    if (number >= Makers().size())
    {
        throw py::value_error("PythonCongestionOps has no maker " + std::to_string(number) +
                              "; derive from lossless.CongestionControl");
    }
    return Makers()[number];
}

/// Number of a maker, a new one or that of the same object.
uint32_t
AddMaker(const py::object& maker)
{
    auto& makers = Makers();
    for (std::size_t i = 0; i < makers.size(); ++i)
    {
        if (makers[i].is(maker))
        {
            return static_cast<uint32_t>(i);
        }
    }
    makers.push_back(maker);
    return static_cast<uint32_t>(makers.size() - 1);
}

/// @param answer of on_marked_data() @return whether it is True or False, perhaps of numpy; if not,
/// TypeError is set: a forgotten return would say that no CNP is to be sent
bool
RequireTruth(PyObject* answer)
{
    const std::string type = Py_TYPE(answer)->tp_name;
    if (PyBool_Check(answer) || type == "numpy.bool_" || type == "numpy.bool")
    {
        return true;
    }
    PyErr_Format(
        PyExc_TypeError,
        "on_marked_data() returns %s%s; it must return True or False, whether to send a CNP",
        answer == Py_None ? "None" : "an object of type ",
        answer == Py_None ? "" : type.c_str());
    return false;
}

/// An acknowledgement, as methods see it.
struct AckView : RdmaAckEvent
{
    bool bringsDelay; //!< rttPs has a value
    bool bringsMarks; //!< marked has a value
};

/// AttributeError for what ACKs do not bring. @param isThere whether they do @param name of it
/// @param right what the class of the congestion control must say
void
RequireThere(bool isThere, const char* name, const char* right)
{
    if (!isThere)
    {
        throw py::attribute_error(std::string("ACKs do not bring ") + name +
                                  "; let the class say " + right);
    }
}

/// The state of a flow, as methods see it: it is there while they run.
struct FlowView
{
    RdmaFlowState* state{nullptr}; //!< null: no method runs

    /// @return the state; RuntimeError if no method runs
    RdmaFlowState& Get() const
    {
        if (!state)
        {
            throw std::runtime_error("the state of a flow can be read and set while a method of "
                                     "its congestion control runs, not later");
        }
        return *state;
    }
};

void
BindFlowView(py::module_& m)
{
    Class<FlowView>(m,
                    "CongestionState",
                    "What a congestion control reads and sets of its flow. Rates are bit/s and "
                    "count wire bytes, so that line_rate fills the link.")
        .def_property_readonly(
            "line_rate",
            [](const FlowView& v) { return v.Get().lineRate; },
            "Rate of the port, bit/s.")
        .def_property(
            "rate",
            [](const FlowView& v) { return v.Get().rate; },
            [](FlowView& v, double rate) {
                if (!std::isfinite(rate) || rate < 0)
                {
                    throw py::value_error("rate is " + ExactText(rate) +
                                          "; it must be a number of bit/s, 0 or more");
                }
                v.Get().rate = rate;
            },
            "Sending rate, bit/s; more than line_rate is line_rate.")
        .def_property(
            "window",
            [](const FlowView& v) { return v.Get().window; },
            [](FlowView& v, double bytes) {
                if (!(bytes >= 0 && bytes < 0x1p63))
                {
                    throw py::value_error("window is " + std::to_string(bytes) +
                                          "; it must be a number of bytes, 0 or more");
                }
                v.Get().window = static_cast<uint64_t>(bytes);
            },
            "Payload bytes in flight at most; 0: no limit.")
        .def_property_readonly(
            "base_rtt_ps",
            [](const FlowView& v) { return v.Get().baseRttPs; },
            "Round trip of an empty path, picoseconds; 0: unknown.")
        .def_property_readonly(
            "mtu_bytes",
            [](const FlowView& v) { return v.Get().mtuBytes; },
            "Payload of a full packet, bytes.")
        .def_property_readonly(
            "packet_wire_bytes",
            [](const FlowView& v) { return v.Get().packetWireBytes; },
            "Wire bytes of a full packet.")
        .def_property_readonly(
            "active_flows",
            [](const FlowView& v) { return v.Get().activeFlows; },
            "Other queue pairs of the port that had requests under way at init().")
        .def("__repr__", [](const FlowView& v) {
            return v.state ? "<lossless.CongestionState, rate " + std::to_string(v.state->rate) +
                                 " bit/s, window " + std::to_string(v.state->window) + " bytes>"
                           : std::string("<lossless.CongestionState, no method runs>");
        });
}

void
BindEvents(py::module_& m)
{
    Class<AckView>(m, "AckEvent", "What an acknowledgement tells a congestion control.")
        .def_readonly("now_ps", &AckView::nowPs, "Time, picoseconds.")
        .def_readonly("acked_bytes", &AckView::ackedBytes, "Payload bytes newly acknowledged.")
        .def_readonly("unacked_psn",
                      &AckView::unackedPsn,
                      "First sequence number that is not acknowledged.")
        .def_readonly("next_psn", &AckView::nextPsn, "Next sequence number to be sent.")
        .def_readonly("nak", &AckView::nak, "Whether it is a NAK: packets were lost.")
        .def_property_readonly(
            "marked",
            [](const AckView& ack) {
                RequireThere(ack.bringsMarks, "marked", "echoes_marks = True");
                return ack.marked;
            },
            "Whether data came with CE since the last ACK; needs echoes_marks.")
        .def_property_readonly(
            "rtt_ps",
            [](const AckView& ack) {
                RequireThere(ack.bringsDelay, "rtt_ps", "telemetry = \"delay\"");
                return ack.rttPs;
            },
            "From the start of the data packet on the wire to now, picoseconds; needs "
            "telemetry = \"delay\".")
        .def("__repr__", [](const AckView& ack) {
            return "<lossless.AckEvent of " + std::to_string(ack.ackedBytes) + " bytes>";
        });
    Class<RdmaDataEvent>(m, "DataEvent", "A data packet has arrived.")
        .def_readonly("now_ps", &RdmaDataEvent::nowPs, "Time, picoseconds.")
        .def_readonly("wire_bytes", &RdmaDataEvent::wireBytes, "Its length on the wire, bytes.")
        .def_readonly("marked", &RdmaDataEvent::marked, "Whether it came with CE.")
        .def("__repr__", [](const RdmaDataEvent& data) {
            return "<lossless.DataEvent of " + std::to_string(data.wireBytes) + " bytes>";
        });
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(PythonCongestionOps);

TypeId
PythonCongestionOps::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PythonCongestionOps")
            .SetParent<RdmaCongestionOps>()
            .SetGroupName("Lossless")
            .AddConstructor<PythonCongestionOps>()
            .AddAttribute("Maker",
                          "Number of what makes objects; lossless.CongestionControl sets it",
                          UintegerValue(UINT32_MAX),
                          MakeUintegerAccessor(&PythonCongestionOps::m_maker),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

PythonCongestionOps::PythonCongestionOps() = default;

PythonCongestionOps::~PythonCongestionOps()
{
    if (!Py_IsInitialized())
    {
        m_object.release(); // the interpreter is gone, and its objects with it
        m_flow.release();
        for (auto& method : m_methods)
        {
            method.release();
        }
        return;
    }
    py::gil_scoped_acquire lock;
    m_object = py::object();
    m_flow = py::object();
    m_methods = {};
}

template <typename T>
T
PythonCongestionOps::Ask(const char* name) const
{
    py::gil_scoped_acquire lock;
    return MakerOf(m_maker).attr(name).template cast<T>();
}

std::string
PythonCongestionOps::GetName() const
{
    return Ask<std::string>("name");
}

uint32_t
PythonCongestionOps::GetHooks() const
{
    return m_hooks;
}

TelemetryKind
PythonCongestionOps::GetTelemetry() const
{
    return Ask<bool>("_wants_delay") ? TelemetryKind::DELAY : TelemetryKind::NONE;
}

bool
PythonCongestionOps::EchoesMarks() const
{
    return Ask<bool>("echoes_marks");
}

bool
PythonCongestionOps::SendsCnps() const
{
    py::gil_scoped_acquire lock;
    return MakerOf(m_maker).attr("_has")(NAMES[ON_MARKED_DATA]).cast<bool>();
}

std::vector<std::string>
PythonCongestionOps::GetSwitchExtensions() const
{
    return Ask<std::vector<std::string>>("switch_extensions");
}

template <typename... Args>
bool
PythonCongestionOps::Call(Method method, RdmaFlowState* state, const Args&... args)
{
    if (!m_methods[method] || PythonCallable::HasFailed())
    {
        return false;
    }
    const PyGILState_STATE lock = PyGILState_Ensure();
    // Vectorcall may write to the place before the first argument.
    std::array<PyObject*, sizeof...(Args) + 2> stack{nullptr, m_flow.ptr(), ToPython(args)...};
    PyObject* const* first = stack.data() + (state ? 1 : 2);
    const std::size_t count = sizeof...(Args) + (state ? 1 : 0);
    auto* view = state ? m_flow.cast<FlowView*>() : nullptr;
    // A method may post a request, which calls another one.
    RdmaFlowState* const outer = view ? std::exchange(view->state, state) : nullptr;
    PyObject* result = nullptr;
    bool isComplete = true;
    for (std::size_t i = 2; i < stack.size(); ++i)
    {
        isComplete = isComplete && stack[i];
    }
    if (isComplete)
    {
        result = PyObject_Vectorcall(m_methods[method].ptr(),
                                     first,
                                     count | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                     nullptr);
    }
    if (view)
    {
        view->state = outer;
    }
    std::size_t i = 2;
    (GiveBack<Args>(stack[i++]), ...);
    const bool isGood = result && (method != ON_MARKED_DATA || RequireTruth(result));
    const bool isTrue = isGood && method == ON_MARKED_DATA && PyObject_IsTrue(result) == 1;
    Py_XDECREF(result);
    if (!isGood || !ReadTimer())
    {
        Fail(method, lock);
        return false;
    }
    PyGILState_Release(lock);
    return isTrue;
}

void
PythonCongestionOps::Fail(Method method, PyGILState_STATE lock)
{
    if (PythonCallable::IsRunning())
    {
        PythonCallable::Keep(m_methods[method].ptr());
        PyGILState_Release(lock);
        return;
    }
    const py::error_already_set error; // before a run, who connects the queue pair gets it
    PyGILState_Release(lock);
    throw error;
}

bool
PythonCongestionOps::ReadTimer()
{
    if (!m_methods[ON_TIMER])
    {
        return true;
    }
    PyObject* timer = PyObject_GetAttrString(m_object.ptr(), "timer_ps");
    if (!timer)
    {
        return false;
    }
    m_timerPs = NEVER;
    if (timer != Py_None)
    {
        PyObject* number = PyNumber_Long(timer);
        m_timerPs = number ? PyLong_AsLongLong(number) : NEVER;
        Py_XDECREF(number);
    }
    Py_DECREF(timer);
    return !PyErr_Occurred();
}

void
PythonCongestionOps::Init(RdmaFlowState& state, int64_t nowPs)
{
    {
        py::gil_scoped_acquire lock;
        const py::object& maker = MakerOf(m_maker);
        m_object = maker.attr("_copy")();
        m_flow = py::cast(FlowView());
        m_hooks = maker.attr("_hooks").cast<uint32_t>();
        m_bringsDelay = maker.attr("_wants_delay").cast<bool>();
        m_bringsMarks = maker.attr("echoes_marks").cast<bool>();
        UseOf(m_maker).isMade = true;
        for (std::size_t i = 0; i < m_methods.size(); ++i)
        {
            m_methods[i] =
                maker.attr("_has")(NAMES[i]).cast<bool>() ? m_object.attr(NAMES[i]) : py::object();
        }
    }
    Call(INIT, &state, nowPs);
}

void
PythonCongestionOps::OnCnp(RdmaFlowState& state, int64_t nowPs)
{
    UseOf(m_maker).hadCnp = true;
    Call(ON_CNP, &state, nowPs);
}

void
PythonCongestionOps::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    AckView plain{ack, m_bringsDelay, m_bringsMarks};
    plain.telemetry = nullptr; // of a frame that will be gone
    Call(ON_ACK_METHOD, &state, plain);
}

void
PythonCongestionOps::OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs)
{
    Call(ON_SENT_METHOD, &state, wireBytes, nowPs);
}

void
PythonCongestionOps::OnTimeout(RdmaFlowState& state, int64_t nowPs)
{
    Call(ON_TIMEOUT, &state, nowPs);
}

void
PythonCongestionOps::OnLineRate(RdmaFlowState& state)
{
    Call(ON_LINE_RATE, &state);
}

int64_t
PythonCongestionOps::NextTimer() const
{
    return m_timerPs;
}

void
PythonCongestionOps::OnTimer(RdmaFlowState& state, int64_t nowPs)
{
    const int64_t before = m_timerPs;
    Call(ON_TIMER, &state, nowPs);
    if (PythonCallable::HasFailed() || (m_timerPs == before && m_timerPs <= nowPs))
    {
        m_timerPs = NEVER; // it would fire again at once, and for ever
    }
}

bool
PythonCongestionOps::OnMarkedData(int64_t nowPs)
{
    return Call(ON_MARKED_DATA, nullptr, nowPs);
}

void
PythonCongestionOps::OnData(const RdmaDataEvent& data)
{
    Call(ON_DATA_METHOD, nullptr, data);
}

void
WarnOfIdleMethods(const Fabric& fabric)
{
    bool sendsCnps = false;
    for (const SwitchId which : fabric.Switches())
    {
        const auto fabricSwitch = fabric.GetSwitch(which);
        for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
        {
            sendsCnps = sendsCnps || DynamicCast<SwitchCnpSender>(fabricSwitch->GetExtension(i));
        }
    }
    for (uint32_t number = 0; number < Makers().size(); ++number)
    {
        Use& use = UseOf(number);
        if (!use.isMade || use.isNamed)
        {
            continue;
        }
        use.isNamed = true;
        const py::object maker = Makers()[number]; // a method may make another one
        const auto has = [&maker](const char* name) {
            return maker.attr("_has")(name).cast<bool>();
        };
        if (has("on_cnp") && !has("on_marked_data") && !use.hadCnp && !sendsCnps)
        {
            PrintWarning(py::cast<std::string>(maker.attr("name")) +
                             ".on_cnp() is never called: receivers send no CNPs",
                         "define on_marked_data(), which says when they do");
        }
    }
}

void
BindCongestion(py::module_& m)
{
    PythonCongestionOps::GetTypeId();
    BindFlowView(m);
    BindEvents(m);
    m.def(
        "python_congestion_control",
        [](const py::object& maker) {
            py::kwargs attributes;
            attributes["maker"] = AddMaker(maker);
            return Part("PythonCongestionOps", attributes);
        },
        py::arg("maker"),
        "The Part of a congestion control of Python; see CongestionControl.");
}

} // namespace lossless_python
