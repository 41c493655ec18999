// SPDX-License-Identifier: GPL-2.0-only

#include "pfc-watchdog.h"

#include "sonic-storm.h"
#include "watchdog-time.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/fabric-switch.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PfcWatchdog");

NS_OBJECT_ENSURE_REGISTERED(PfcWatchdog);

namespace
{

/// @return a factory without attributes
ObjectFactory
FactoryOf(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory;
}

/// @param tid the TypeId @return the TypeId with one attribute more
TypeId
AddTime(TypeId tid,
        const std::string& name,
        const std::string& help,
        Ptr<const AttributeAccessor> accessor)
{
    return tid.AddAttribute(name, help, TimeValue(Time(0)), accessor, MakeTimeChecker(Time(0)));
}

/// @param ticks a time @return it as text
std::string
Text(int64_t ticks)
{
    constexpr int DIGITS = 10; // with fewer, a second is 1e+06 us
    std::ostringstream text;
    text << std::setprecision(DIGITS) << TimeStep(ticks).GetSeconds() * 1e6 << " us";
    return text.str();
}

/// @param device a port @return mask of the queues that PFC frames can pause
uint8_t
WatchableQueues(const QbbNetDevice& device)
{
    return device.GetPausableQueues() & ~device.GetCbfcClasses();
}

} // namespace

TypeId
PfcWatchdog::GetTypeId()
{
    static TypeId tid = AddTimes(AddChoices(TypeId("ns3::PfcWatchdog")
                                                .SetParent<SwitchExtension>()
                                                .SetGroupName("Lossless")
                                                .AddConstructor<PfcWatchdog>()));
    return tid;
}

TypeId
PfcWatchdog::AddTimes(TypeId tid)
{
    tid = AddTime(tid,
                  "DetectionTime",
                  "How long the storm condition must hold; 0: default of the dialect. SONiC "
                  "accepts 100 ms to 5 s.",
                  UsedWhen(MakeLive(MakeTimeAccessor(&PfcWatchdog::m_detection),
                                    &PfcWatchdog::SettingChanged),
                           &PfcWatchdog::Detects,
                           "BigRedSwitch false"));
    tid = AddTime(tid,
                  "RestorationTime",
                  "How long PAUSE must be absent until the switch obeys it again; 0: default of "
                  "the dialect. SONiC accepts 100 ms to 60 s.",
                  UsedWhen(MakeLive(MakeTimeAccessor(&PfcWatchdog::m_restoration),
                                    &PfcWatchdog::SettingChanged),
                           &PfcWatchdog::Restores,
                           "BigRedSwitch false and another Action than Alert"));
    tid = AddTime(
        tid,
        "PollInterval",
        "Time between two samples of a queue; 0: default of the dialect. After TimeScale "
        "it must exceed the interval at which the peer refreshes a pause.",
        UsedWhen(MakeLive(MakeTimeAccessor(&PfcWatchdog::m_poll), &PfcWatchdog::SettingChanged),
                 &PfcWatchdog::Detects,
                 "BigRedSwitch false"));
    tid = AddTime(
        tid,
        "ClearTime",
        "H3C: how long PFC and detection stay off after a storm; 0: 100 ms",
        UsedWhen(MakeLive(MakeTimeAccessor(&PfcWatchdog::m_clear), &PfcWatchdog::SettingChanged),
                 &PfcWatchdog::Clears,
                 "BigRedSwitch false, another Action than Alert and another Limit than 1"));
    tid = AddTime(
        tid,
        "QuietPeriod",
        "H3C: time without a storm after which the storm count is reset; 0: never",
        UsedWhen(MakeLive(MakeTimeAccessor(&PfcWatchdog::m_quiet), &PfcWatchdog::SettingChanged),
                 &PfcWatchdog::ForgetsStorms,
                 "BigRedSwitch false and Limit above 1"));
    return tid.AddAttribute(
        "TimeScale",
        "Factor of all times above, 1e-9 to 1000, for storms in short simulations. DetectionTime "
        "should stay above 10 times the longest legitimate pause.",
        DoubleValue(1),
        UsedWhen(MakeLive(MakeDoubleAccessor(&PfcWatchdog::m_scale), &PfcWatchdog::SettingChanged),
                 &PfcWatchdog::Detects,
                 "BigRedSwitch false"),
        MakeDoubleChecker<double>(1e-9, 1e3));
}

TypeId
PfcWatchdog::AddChoices(TypeId tid)
{
    return tid
        .AddAttribute("Dialect",
                      "Definition of a storm: TypeId of a PfcStormRule, with its attributes: "
                      "Type[Name=Value|...]",
                      ObjectFactoryValue(FactoryOf(SonicBrcmStorm::GetTypeId())),
                      MakeLive(MakeObjectFactoryAccessor(&PfcWatchdog::m_dialect),
                               &PfcWatchdog::SettingChanged),
                      MakeObjectFactoryChecker())
        .AddAttribute("Action",
                      "Action on a stormed queue: Drop (ignore PAUSE and drop frames), Forward "
                      "(ignore PAUSE and send) or Alert (only report)",
                      EnumValue(DROP),
                      UsedWhen(MakeLive(MakeLosslessEnumAccessor<Action>(&PfcWatchdog::m_action),
                                        &PfcWatchdog::SettingChanged),
                               &PfcWatchdog::ChoosesAction,
                               "BigRedSwitch false, and Alert or another Limit than 1"),
                      MakeEnumChecker(DROP, "Drop", FORWARD, "Forward", ALERT, "Alert"))
        .AddAttribute("Limit",
                      "H3C: number of the storm that disables PFC and detection of the queue until "
                      "Restore(); 0: no limit",
                      UintegerValue(0),
                      UsedWhen(MakeLive(MakeUintegerAccessor(&PfcWatchdog::m_limit),
                                        &PfcWatchdog::SettingChanged),
                               &PfcWatchdog::Restores,
                               "BigRedSwitch false and another Action than Alert"),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute(
            "ServerPortsOnly",
            "Whether only ports whose peer is no switch are watched, whatever the dialect",
            BooleanValue(false),
            MakeLive(MakeBooleanAccessor(&PfcWatchdog::m_serverPortsOnly),
                     &PfcWatchdog::SettingChanged),
            MakeBooleanChecker())
        .AddAttribute(
            "Ports",
            "Mask of the ports that are watched. Bit p stands for port p; ports from 64 "
            "on are always watched.",
            UintegerValue(UINT64_MAX),
            MakeLive(MakeUintegerAccessor(&PfcWatchdog::m_portMask), &PfcWatchdog::SettingChanged),
            MakeUintegerChecker<uint64_t>())
        .AddAttribute(
            "Classes",
            "Mask of the classes that are watched on ports where they have PFC. Bit c "
            "stands for class c.",
            UintegerValue(0xff),
            MakeLive(MakeUintegerAccessor(&PfcWatchdog::m_classMask), &PfcWatchdog::SettingChanged),
            MakeUintegerChecker<uint8_t>())
        .AddAttribute(
            "BigRedSwitch",
            "Whether all watched queues are treated as stormed with Action Drop, and detection is "
            "off",
            BooleanValue(false),
            MakeBooleanAccessor(&PfcWatchdog::SetBigRedSwitch, &PfcWatchdog::GetBigRedSwitch),
            MakeBooleanChecker())
        .AddTraceSource("State",
                        "The state of a queue changed: port, class, old state, new state.",
                        MakeTraceSourceAccessor(&PfcWatchdog::m_stateTrace),
                        "ns3::PfcWatchdog::StateTracedCallback");
}

PfcWatchdog::PfcWatchdog()
    : m_wake(Ptr<WakeEvent<PfcWatchdog, &PfcWatchdog::Wake>>(
          new WakeEvent<PfcWatchdog, &PfcWatchdog::Wake>(this),
          false))
{
}

PfcWatchdog::~PfcWatchdog()
{
    m_wake->Detach();
}

void
PfcWatchdog::DoDispose()
{
    m_wake->Detach();
    m_past = GetTotals(); // asked for after the simulation, too
    m_ports.clear();
    m_owner = nullptr;
    SwitchExtension::DoDispose();
}

uint32_t
PfcWatchdog::GetHooks() const
{
    const uint32_t sent = m_rule && m_rule->NeedsTransmissions() ? ON_DEQUEUE : 0U;
    return ON_PAUSE | ON_ROUTE | ON_FORWARD | sent;
}

void
PfcWatchdog::RequireUsed() const
{
    const auto defaults = m_rule->GetDefaults();
    const auto require = [this](const char* name, bool isSet, Time dialects) {
        if (isSet && dialects.IsZero())
        {
            throw std::invalid_argument("PfcWatchdog: " + m_rule->GetInstanceTypeId().GetName() +
                                        " does not use " + name + "; it must be 0, its default");
        }
    };
    require("RestorationTime", !m_restoration.IsZero(), defaults.restoration);
    require("PollInterval", !m_poll.IsZero(), defaults.poll);
    require("ClearTime", !m_clear.IsZero(), defaults.clear);
    require("QuietPeriod", !m_quiet.IsZero(), defaults.clear);
    require("Limit", m_limit != 0, defaults.clear);
}

void
PfcWatchdog::ReadTimes()
{
    const auto defaults = m_rule->GetDefaults();
    const auto scaled = [this](const char* name, Time own, Time dialects, int64_t least) {
        const Time time = own.IsZero() ? dialects : own;
        return time.IsZero()
                   ? least
                   : ScaleWatchdogTime("PfcWatchdog: " + std::string(name), time, m_scale, least);
    };
    m_times.detection = scaled("DetectionTime", m_detection, defaults.detection, 2);
    m_times.restoration = scaled("RestorationTime", m_restoration, defaults.restoration, 1);
    m_times.poll = scaled("PollInterval", m_poll, defaults.poll, 1);
    m_times.clear = scaled("ClearTime", m_clear, defaults.clear, 1);
    m_times.quiet = scaled("QuietPeriod", m_quiet, Time(0), m_quiet.IsZero() ? 0 : 1);
    m_times.alert = m_action == ALERT;
    // What nobody reads must not begin detection anew when it changes.
    const bool isRead = !m_times.alert;
    m_times.limit = isRead ? m_limit : 0;
    m_times.quiet = m_times.limit > 1 ? m_times.quiet : 0; // storms are counted
    m_times.clear = isRead && m_limit != 1 ? m_times.clear : 1;
    m_times.restoration = isRead ? m_times.restoration : 1;
    if (!defaults.poll.IsZero() && m_times.detection < m_times.poll)
    {
        throw std::invalid_argument(
            "PfcWatchdog: " + std::string(m_scale == 1 ? "" : "with TimeScale ") +
            "the DetectionTime is " + Text(m_times.detection) +
            "; it must not be below the PollInterval, " + Text(m_times.poll));
    }
}

void
PfcWatchdog::RequireChoice() const
{
    constexpr uint32_t MASK_BITS = 64;
    uint8_t possible = 0;
    uint8_t chosen = 0;
    for (uint32_t port = 0; port < m_owner->GetNPorts(); ++port)
    {
        const uint8_t active = WatchableQueues(*m_owner->GetPort(port));
        possible |= active;
        if (port >= MASK_BITS || (m_portMask >> port & 1))
        {
            chosen |= active & m_classMask;
        }
    }
    if (possible && !chosen)
    {
        std::ostringstream message;
        message << "PfcWatchdog: Ports 0x" << std::hex << m_portMask << " and Classes 0x"
                << +m_classMask << " leave nothing to watch; the switch has " << std::dec
                << m_owner->GetNPorts() << " ports, with PFC for classes 0x" << std::hex
                << +possible;
        throw std::invalid_argument(message.str());
    }
}

void
PfcWatchdog::RequireSlowPolls(uint32_t port) const
{
    // A PollInterval that is not scaled is what the user says it is.
    if (m_scale == 1 || m_rule->GetDefaults().poll.IsZero() || !ChooseClasses(*m_owner, port))
    {
        return;
    }
    const auto peer = m_owner->GetPort(port)->GetPeer();
    const int64_t refresh = peer ? peer->GetPauseRefresh().GetTimeStep() : 0;
    if (m_times.poll <= refresh)
    {
        throw std::invalid_argument(
            "PfcWatchdog: with TimeScale the PollInterval is " + Text(m_times.poll) +
            ", and no storm is ever seen: it must be longer than the " + Text(refresh) +
            " after which the peer of port " + std::to_string(port) + " sends PAUSE again");
    }
}

int64_t
PfcWatchdog::GetReactionTicks() const
{
    // Samples come once in a poll interval, the first up to one late.
    return std::max({m_times.detection, m_times.restoration, m_times.clear}) + 2 * m_times.poll;
}

uint8_t
PfcWatchdog::ChooseClasses(const FabricSwitch& owner, uint32_t port) const
{
    constexpr uint32_t MASK_BITS = 64;
    const auto device = owner.GetPort(port);
    const auto peer = device->GetPeer();
    if (port < MASK_BITS && !(m_portMask >> port & 1))
    {
        return 0;
    }
    if ((m_serverPortsOnly || (m_rule && m_rule->IsForServerPorts())) && peer && peer->GetNode() &&
        peer->GetNode()->GetObject<FabricSwitch>())
    {
        return 0;
    }
    return WatchableQueues(*device) & m_classMask;
}

uint8_t
PfcWatchdog::GetActedClasses(const FabricSwitch& owner, uint32_t port) const
{
    return m_action == ALERT ? 0 : ChooseClasses(owner, port);
}

void
PfcWatchdog::Check(FabricSwitch& owner)
{
    m_owner = &owner;
    std::ostringstream dialect;
    dialect << m_dialect;
    if (!m_rule || m_ruleText != dialect.str())
    {
        m_rule = DynamicCast<PfcStormRule>(m_dialect.Create()); // Create<> asserts from 3.42 on
        m_ruleText = dialect.str();
    }
    if (!m_rule)
    {
        throw std::invalid_argument("PfcWatchdog: Dialect " + m_dialect.GetTypeId().GetName() +
                                    " is not an ns3::PfcStormRule");
    }
    RequireUsed();
    ReadTimes();
    RequireChoice();
    for (uint32_t port = 0; port < owner.GetNPorts(); ++port)
    {
        RequireSlowPolls(port);
        RequireOneActor(port);
    }
}

void
PfcWatchdog::Start(FabricSwitch& owner)
{
    NS_LOG_FUNCTION(this);
    Check(owner);
    const auto node = owner.GetObject<Node>();
    m_nodeId = node ? node->GetId() : 0;
    LetGoOfMachines();
    const uint32_t before = m_ports.size();
    m_ports.resize(owner.GetNPorts());
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        Port& mine = m_ports[port];
        if (port >= before)
        {
            mine.lastTx.fill(-1);
        }
        StartPort(port);
    }
}

void
PfcWatchdog::LetGoOfMachines()
{
    if (m_machines.dialect == m_ruleText && m_machines.times == m_times)
    {
        m_rule = m_machines.rule; // to which they refer
        return;
    }
    for (Port& port : m_ports)
    {
        for (auto& machine : port.machines)
        {
            machine.reset();
        }
    }
    m_machines = {m_rule, m_ruleText, m_times};
}

void
PfcWatchdog::RequireOneActor(uint32_t port) const
{
    const uint8_t mine = GetActedClasses(*m_owner, port);
    for (uint32_t each = 0; each < m_owner->GetNExtensions(); ++each)
    {
        const auto other = DynamicCast<PfcWatchdog>(m_owner->GetExtension(each));
        if (PeekPointer(other) == this)
        {
            return; // those that follow are started later, and look themselves
        }
        const uint8_t both = other ? mine & other->GetActedClasses(*m_owner, port) : 0;
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if (both & (1U << cls))
            {
                throw std::invalid_argument("PfcWatchdog: another one acts on port " +
                                            std::to_string(port) + " class " + std::to_string(cls) +
                                            " already; one of the two must have Action Alert");
            }
        }
    }
}

void
PfcWatchdog::Restarted()
{
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        m_ports[port].lastTx.fill(-1);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            Restore(port, cls);
        }
    }
}

void
PfcWatchdog::StartPort(uint32_t port)
{
    Port& mine = m_ports[port];
    const uint8_t watched = ChooseClasses(*m_owner, port);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (!(watched & (1U << cls)))
        {
            mine.machines[cls].reset();
        }
    }
    Apply(port); // lets go of what is not watched any more
    mine.watched = watched;
    mine.paused = m_owner->GetPort(port)->PausedMask();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        auto& machine = mine.machines[cls];
        if ((watched & (1U << cls)) && !machine) // what runs already goes on
        {
            machine = m_rule->MakeMachine(m_times);
            machine->Reset(TakeSample(port, cls, SimulationClock::Now()));
            Arm(SimulationClock::Now(), machine->NextSample());
        }
    }
    Apply(port);
}

// ---- state

void
PfcWatchdog::RequireQueue(uint32_t port, uint32_t cls) const
{
    if (port >= m_ports.size())
    {
        throw std::invalid_argument("PfcWatchdog: there is no port " + std::to_string(port) +
                                    "; the switch has " + std::to_string(m_ports.size()) +
                                    " (0 before its start), counted from 0");
    }
    if (cls >= TRAFFIC_CLASSES)
    {
        throw std::invalid_argument("PfcWatchdog: there is no class " + std::to_string(cls) +
                                    "; classes are 0 to 7");
    }
}

PfcQueueState
PfcWatchdog::GetState(uint32_t port, uint32_t cls) const
{
    RequireQueue(port, cls);
    const auto& machine = m_ports[port].machines[cls];
    return machine ? machine->GetState() : PfcQueueState::OPERATIONAL;
}

uint8_t
PfcWatchdog::GetWatchedClasses(uint32_t port) const
{
    RequireQueue(port, 0);
    return m_ports[port].watched;
}

const PfcWatchdog::Counters&
PfcWatchdog::GetCounters(uint32_t port, uint32_t cls) const
{
    RequireQueue(port, cls);
    return m_ports[port].counters[cls];
}

PfcWatchdog::Counters
PfcWatchdog::GetTotals() const
{
    Counters sum = m_past;
    for (const Port& port : m_ports)
    {
        for (const Counters& one : port.counters)
        {
            AddCounters(sum, one);
        }
    }
    return sum;
}

// ---- the operator

void
PfcWatchdog::Restore(uint32_t port, uint32_t cls)
{
    RequireQueue(port, cls);
    const auto& machine = m_ports[port].machines[cls];
    if (!machine)
    {
        return;
    }
    const PfcQueueState before = machine->GetState();
    const int64_t now = SimulationClock::Now();
    machine->Reset(TakeSample(port, cls, now));
    Settle(port, cls, before);
    Arm(now, machine->NextSample());
}

void
PfcWatchdog::SetBigRedSwitch(bool on)
{
    NS_LOG_FUNCTION(this << on);
    if (on == m_bigRedSwitch)
    {
        return;
    }
    m_bigRedSwitch = on;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        Apply(port);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            // What was disabled by hand is restored by hand.
            if (!on && m_ports[port].machines[cls] &&
                GetState(port, cls) != PfcQueueState::DISABLED)
            {
                Restore(port, cls);
            }
        }
    }
}

bool
PfcWatchdog::GetBigRedSwitch() const
{
    return m_bigRedSwitch;
}

// ---- detection

PfcQueueSample
PfcWatchdog::TakeSample(uint32_t port, uint32_t cls, int64_t now)
{
    const QbbNetDevice& device = *m_owner->GetPort(port);
    const PfcObeyer& obeyer = device.GetObeyer();
    const PfcObeyer::Counters& counters = obeyer.Get(cls);
    const auto map = device.GetTrafficClassMap()->GetTable();
    PfcQueueSample sample;
    sample.time = now;
    sample.paused = obeyer.PausedMask() & (1U << cls);
    for (uint32_t priority = 0; priority < TRAFFIC_CLASSES; ++priority)
    {
        const uint64_t xoffs = obeyer.Get(priority).rxXoff;
        sample.rxPause += map->pfcQueues[priority] & (1U << cls) ? xoffs : 0;
        sample.rxPausePort += map->pfcQueues[priority] & m_ports[port].watched ? xoffs : 0;
    }
    sample.resumptions = counters.pauses - (sample.paused ? 1 : 0);
    sample.pausedTicks = obeyer.PausedTicks(cls, now);
    sample.lastTx = m_ports[port].lastTx[cls];
    sample.queueBytes = device.Queues().Bytes(cls);
    ++m_samples;
    return sample;
}

void
PfcWatchdog::PauseChanged(uint32_t port, uint8_t pausedMask)
{
    Port& mine = m_ports[port];
    const uint8_t changed = (mine.paused ^ pausedMask) & mine.watched;
    mine.paused = pausedMask;
    if (!changed || m_bigRedSwitch)
    {
        return;
    }
    const int64_t now = SimulationClock::Now();
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (changed & (1U << cls))
        {
            PfcStormMachine& machine = *mine.machines[cls];
            const PfcQueueState before = machine.GetState();
            machine.PauseChanged(TakeSample(port, cls, now));
            Settle(port, cls, before);
            Arm(now, machine.NextSample());
        }
    }
}

void
PfcWatchdog::Dequeued(Frame& frame, uint32_t outPort, uint64_t /* queueBytes */)
{
    m_ports[outPort].lastTx[frame.trafficClass] = SimulationClock::Now();
}

void
PfcWatchdog::Wake()
{
    if (m_bigRedSwitch)
    {
        return; // the switch going off plans the next samples
    }
    const int64_t now = SimulationClock::Now();
    int64_t next = PfcStormMachine::NEVER;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            PfcStormMachine* machine = m_ports[port].machines[cls].get();
            if (!machine)
            {
                continue;
            }
            if (machine->NextSample() <= now)
            {
                const PfcQueueState before = machine->GetState();
                machine->Sampled(TakeSample(port, cls, now));
                Settle(port, cls, before);
            }
            next = std::min(next, machine->NextSample());
        }
    }
    Arm(now, next);
}

void
PfcWatchdog::Arm(int64_t now, int64_t next)
{
    m_wake->Arm(m_nodeId, now, std::max(next, now));
}

// ---- action

void
PfcWatchdog::Settle(uint32_t port, uint32_t cls, PfcQueueState before)
{
    const PfcQueueState after = m_ports[port].machines[cls]->GetState();
    if (after == before)
    {
        return;
    }
    Counters& counters = m_ports[port].counters[cls];
    counters.storms += before == PfcQueueState::OPERATIONAL;
    NS_LOG_DEBUG("port " << port << " class " << cls << ": state " << static_cast<int>(before)
                         << " -> " << static_cast<int>(after));
    counters.restored += after == PfcQueueState::OPERATIONAL;
    counters.disabled += after == PfcQueueState::DISABLED;
    Apply(port);
    m_changes.push_back({SimulationClock::Now(),
                         port,
                         cls,
                         before,
                         after,
                         counters.queueDrops + counters.ingressDrops});
    m_stateTrace(port, cls, before, after);
}

void
PfcWatchdog::Apply(uint32_t index)
{
    Port& port = m_ports[index];
    uint8_t ignored = m_bigRedSwitch ? port.watched : 0;
    uint8_t dropped = ignored;
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint8_t bit = 1U << cls;
        const PfcQueueState state = GetState(index, cls);
        if (state == PfcQueueState::DISABLED)
        {
            ignored |= bit; // PFC is off; frames pass
        }
        else if (state == PfcQueueState::STORMED && m_action != ALERT)
        {
            const uint8_t classes = m_rule->ActsOnPort() ? port.watched : bit;
            ignored |= classes;
            dropped |= m_action == DROP ? classes : 0;
        }
    }
    const uint8_t fresh = dropped & ~port.dropped;
    m_droppingPorts += (dropped != 0) - (port.dropped != 0);
    port.dropped = dropped; // first: what comes while the queue is flushed must not join it
    QbbNetDevice& device = *m_owner->GetPort(index);
    const auto map = device.GetTrafficClassMap()->GetTable();
    port.droppedGroups = map->GroupsOfClasses(map->ClassesOfQueues(dropped));
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        if (fresh & (1U << cls))
        {
            port.counters[cls].queueDrops += device.FlushClass(cls, DropReason::WATCHDOG);
        }
    }
    // Only now: an open queue would send.
    const uint8_t released = port.ignored & ~ignored & ~IgnoredByOthers(index);
    port.ignored = ignored;
    const uint8_t all = (device.GetObeyer().Ignored() & ~released) | ignored;
    if (device.GetObeyer().Ignored() != all)
    {
        device.SetPfcIgnored(all);
    }
}

uint8_t
PfcWatchdog::IgnoredByOthers(uint32_t index) const
{
    uint8_t classes = 0;
    for (uint32_t each = 0; each < m_owner->GetNExtensions(); ++each)
    {
        const auto other = DynamicCast<PfcWatchdog>(m_owner->GetExtension(each));
        if (other && PeekPointer(other) != this && index < other->m_ports.size())
        {
            classes |= other->m_ports[index].ignored;
        }
    }
    return classes;
}

SwitchExtension::Verdict
PfcWatchdog::Routed(Frame& frame, uint32_t outPort)
{
    if (m_droppingPorts == 0)
    {
        return {};
    }
    Port& out = m_ports[outPort];
    Port& in = m_ports[frame.inPort];
    if (out.dropped & (1U << frame.trafficClass))
    {
        ++out.counters[frame.trafficClass].queueDrops;
    }
    else if (in.droppedGroups & (1U << frame.inClass))
    {
        ++in.counters[frame.inClass].ingressDrops;
    }
    else
    {
        return {};
    }
    return {Verdict::DROP, DropReason::WATCHDOG};
}

} // namespace ns3
