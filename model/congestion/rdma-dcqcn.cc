// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-dcqcn.h"

#include "dcqcn-nic.h"
#include "dcqcn-paper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fixed-accessor.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaDcqcn");

NS_OBJECT_ENSURE_REGISTERED(RdmaDcqcn);

namespace
{

/// What each dialect has of its own, in the order of RdmaDcqcn::Dialect.
struct DialectDefaults
{
    const char* name;
    double gain;
    int64_t increaseUs;
    int64_t byteCounter;
};

constexpr DialectDefaults DEFAULTS[] = {{"DCQCN (paper)", 1.0 / 256, 55, 10000000},
                                        {"DCQCN (NIC)", 5.0 / 1024, 300, 0},
                                        {"DCQCN (strawman)", 1.0 / 16, 1500, 150000}};

constexpr double GBPS = 1e9;
constexpr double MBPS = 1e6;

/// @return picoseconds of a time
int64_t
Ps(const Time& time)
{
    return time.GetPicoSeconds();
}

/// @return the first if it is set, else the second
template <typename T>
T
Or(T set, T fallback)
{
    return set > 0 ? set : fallback;
}

} // namespace

/// Attributes, and what they come to.
struct RdmaDcqcn::Settings : public SimpleRefCount<Settings, ObjectBase>
{
    TypeId GetInstanceTypeId() const override
    {
        return ObjectBase::GetTypeId();
    }

    /// @param other of another object, which Init() has resolved as these @return whether all are
    /// equal
    bool operator==(const Settings& other) const
    {
        return dialect == other.dialect && marksInAcks == other.marksInAcks &&
               cnpIntervalPs == other.cnpIntervalPs && parameters == other.parameters;
    }

    Dialect dialect;    //!< attribute
    uint32_t threshold; //!< attribute, 0: default
    double gain;        //!< attribute, 0: default
    double alpha;       //!< attribute, 0: default
    Time alphaTimer;    //!< attribute, 0: default
    Time increaseTimer; //!< attribute, 0: default
    Time cnpInterval;   //!< attribute, negative: default
    int64_t bytes;      //!< attribute, negative: default
    DataRate aiRate;    //!< attribute, 0: default
    DataRate haiRate;   //!< attribute, 0: default
    DataRate minRate;   //!< attribute, 0: default
    Time decreaseTimer; //!< attribute
    double minDecrease; //!< attribute
    double firstCnp;    //!< attribute
    bool clampTarget;   //!< attribute
    bool marksInAcks;   //!< attribute

    DcqcnParameters parameters; //!< constants in use
    int64_t cnpIntervalPs{0};   //!< CNP interval in use, picoseconds
};

/// Accessor of an attribute that is in the Settings of an RdmaDcqcn.
class RdmaDcqcn::SettingsAccessor : public WrappedAccessor
{
  public:
    using WrappedAccessor::WrappedAccessor;

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto* const owner = dynamic_cast<RdmaDcqcn*>(object);
        return owner && m_accessor->Set(PeekPointer(owner->m_settings), value);
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const auto* const owner = dynamic_cast<const RdmaDcqcn*>(object);
        return owner && m_accessor->Get(PeekPointer(owner->m_settings), value);
    }
};

Ptr<const AttributeAccessor>
RdmaDcqcn::InSettings(Ptr<const AttributeAccessor> accessor)
{
    return Ptr<const AttributeAccessor>(new SettingsAccessor(accessor), false);
}

TypeId
RdmaDcqcn::GetTypeId()
{
    static TypeId tid = AddNicOnly(AddTimers(AddRates(
        TypeId("ns3::RdmaDcqcn")
            .SetParent<RdmaCongestionOps>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaDcqcn>()
            .AddAttribute(
                "Dialect",
                "Reaction point: Paper (Zhu et al., SIGCOMM 2015), Nic (of the "
                "public HPCC simulator), or Strawman (Paper with the constants of QCN)",
                EnumValue(NIC),
                MakeFixed(InSettings(MakeLosslessEnumAccessor<Dialect>(&Settings::dialect))),
                MakeEnumChecker(PAPER, "Paper", NIC, "Nic", STRAWMAN, "Strawman")))));
    return tid;
}

TypeId
RdmaDcqcn::AddRates(TypeId tid)
{
    return tid
        .AddAttribute("Gain",
                      "g, the weight of a CNP in alpha, 0 to 1; 0: 1/256 (Paper), 5/1024 (Nic), "
                      "1/16 (Strawman)",
                      DoubleValue(0),
                      MakeFixed(InSettings(MakeDoubleAccessor(&Settings::gain))),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("InitialAlpha",
                      "Alpha at the first CNP, 0 to 1; 0: 1 (Paper, Strawman), 1023/1024 (Nic)",
                      DoubleValue(0),
                      MakeFixed(InSettings(MakeDoubleAccessor(&Settings::alpha))),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("AiRate",
                      "Additive increase, R_AI; 0: 40 Mb/s at 40 Gb/s (Paper, Strawman), 5 Mb/s at "
                      "25 Gb/s (Nic), in proportion to the line rate",
                      DataRateValue(DataRate(0)),
                      MakeFixed(InSettings(MakeDataRateAccessor(&Settings::aiRate))),
                      MakeDataRateChecker())
        .AddAttribute("HaiRate",
                      "Hyper increase, R_HAI; 0: ten times R_AI",
                      DataRateValue(DataRate(0)),
                      MakeFixed(InSettings(MakeDataRateAccessor(&Settings::haiRate))),
                      MakeDataRateChecker())
        .AddAttribute(
            "MinRate",
            "Lower bound of the rate; 0: 1/1000 of the line rate (Paper, Strawman), 1 Mb/s (Nic)",
            DataRateValue(DataRate(0)),
            MakeFixed(InSettings(MakeDataRateAccessor(&Settings::minRate))),
            MakeDataRateChecker());
}

TypeId
RdmaDcqcn::AddTimers(TypeId tid)
{
    return tid
        .AddAttribute("CnpInterval",
                      "Least time between two CNPs of a queue pair; 0: a CNP for every marked "
                      "packet; negative: 50 us (Paper, Strawman), 4 us (Nic)",
                      TimeValue(NanoSeconds(-1)),
                      UsedWhen(MakeFixed(InSettings(MakeTimeAccessor(&Settings::cnpInterval))),
                               &RdmaDcqcn::SendsCnps,
                               "MarksInAcks false"),
                      MakeTimeChecker())
        .AddAttribute("MarksInAcks",
                      "Whether ACKs bring the marks back, each as a CNP would, and no CNPs are "
                      "sent, as in the HPCC simulator",
                      BooleanValue(false),
                      MakeFixed(InSettings(MakeBooleanAccessor(&Settings::marksInAcks))),
                      MakeBooleanChecker())
        .AddAttribute("AlphaTimer",
                      "Interval of alpha updates, K or Ta; 0: 55 us (Paper, Strawman), 1 us (Nic)",
                      TimeValue(Time(0)),
                      MakeFixed(InSettings(MakeTimeAccessor(&Settings::alphaTimer))),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("IncreaseTimer",
                      "Interval of increases, Ti or Tr; 0: 55 us (Paper), 300 us (Nic), "
                      "1.5 ms (Strawman)",
                      TimeValue(Time(0)),
                      MakeFixed(InSettings(MakeTimeAccessor(&Settings::increaseTimer))),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ByteCounter",
                      "Paper, Strawman: wire bytes between two increases, B; 0: no byte counter; "
                      "negative: 10 MB (Paper), 150 KB (Strawman)",
                      IntegerValue(-1),
                      UsedWhen(MakeFixed(InSettings(MakeIntegerAccessor(&Settings::bytes))),
                               &RdmaDcqcn::CountsBytes,
                               "Dialect Paper or Strawman"),
                      MakeIntegerChecker<int64_t>())
        .AddAttribute("FastRecoveryTimes",
                      "Number of increases in fast recovery, F; 0: 5 (Paper, Strawman), 1 (Nic)",
                      UintegerValue(0),
                      MakeFixed(InSettings(MakeUintegerAccessor(&Settings::threshold))),
                      MakeUintegerChecker<uint32_t>());
}

TypeId
RdmaDcqcn::AddNicOnly(TypeId tid)
{
    return tid
        .AddAttribute("DecreaseTimer",
                      "Nic: least time between two cuts of the rate, Td; at least 2 ns",
                      TimeValue(MicroSeconds(4)),
                      UsedWhen(MakeFixed(InSettings(MakeTimeAccessor(&Settings::decreaseTimer))),
                               &RdmaDcqcn::IsNic,
                               "Dialect Nic"),
                      MakeTimeChecker(NanoSeconds(2)))
        .AddAttribute("MinDecreaseFactor",
                      "Nic: least share of the rate that one cut leaves, 0 to 1",
                      DoubleValue(0.5),
                      UsedWhen(MakeFixed(InSettings(MakeDoubleAccessor(&Settings::minDecrease))),
                               &RdmaDcqcn::IsNic,
                               "Dialect Nic"),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("FirstCnpFactor",
                      "Nic: factor, 0 to 1, by which the first CNP multiplies the rate",
                      DoubleValue(1),
                      UsedWhen(MakeFixed(InSettings(MakeDoubleAccessor(&Settings::firstCnp))),
                               &RdmaDcqcn::IsNic,
                               "Dialect Nic"),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute(
            "ClampTarget",
            "Nic: whether every cut lowers the target, not only the first cut after an increase",
            BooleanValue(false),
            UsedWhen(MakeFixed(InSettings(MakeBooleanAccessor(&Settings::clampTarget))),
                     &RdmaDcqcn::IsNic,
                     "Dialect Nic"),
            MakeBooleanChecker());
}

RdmaDcqcn::RdmaDcqcn()
    : m_settings(Create<Settings>())
{
}

RdmaDcqcn::~RdmaDcqcn() = default;

std::string
RdmaDcqcn::GetName() const
{
    return DEFAULTS[m_settings->dialect].name;
}

const DcqcnParameters&
RdmaDcqcn::GetParameters() const
{
    return m_settings->parameters;
}

bool
RdmaDcqcn::IsNic() const
{
    return m_settings->dialect == NIC;
}

bool
RdmaDcqcn::CountsBytes() const
{
    return !IsNic();
}

uint32_t
RdmaDcqcn::GetHooks() const
{
    bool counts = CountsBytes() && m_settings->parameters.byteCounter;
    return (counts ? static_cast<uint32_t>(ON_SENT) : 0) |
           (m_settings->marksInAcks ? static_cast<uint32_t>(ON_ACK) : 0);
}

bool
RdmaDcqcn::EchoesMarks() const
{
    return m_settings->marksInAcks;
}

bool
RdmaDcqcn::SendsCnps() const
{
    return !m_settings->marksInAcks;
}

void
RdmaDcqcn::Resolve(double lineRate)
{
    m_settings = Create<Settings>(*m_settings); // it may be shared
    Settings& s = *m_settings;
    bool paper = s.dialect != NIC;
    const DialectDefaults& defaults = DEFAULTS[s.dialect];
    DcqcnParameters& p = s.parameters;
    p.gain = Or(s.gain, defaults.gain);
    p.initialAlpha = Or(s.alpha, paper ? 1.0 : 1023.0 / 1024);
    double aiDefault =
        paper ? 40 * MBPS * lineRate / (40 * GBPS) : 5 * MBPS * lineRate / (25 * GBPS);
    p.aiRate = Or(static_cast<double>(s.aiRate.GetBitRate()), aiDefault);
    p.haiRate = Or(static_cast<double>(s.haiRate.GetBitRate()), 10 * p.aiRate);
    p.minRate = Or(static_cast<double>(s.minRate.GetBitRate()), paper ? lineRate / 1000 : MBPS);
    p.minRate = std::min(p.minRate, lineRate);
    p.alphaPs = Or(Ps(s.alphaTimer), Ps(MicroSeconds(paper ? 55 : 1)));
    p.increasePs = Or(Ps(s.increaseTimer), Ps(MicroSeconds(defaults.increaseUs)));
    p.decreasePs = Ps(s.decreaseTimer);
    p.byteCounter = s.bytes >= 0 ? s.bytes : defaults.byteCounter;
    p.threshold = Or(s.threshold, paper ? 5U : 1U);
    p.minDecreaseFactor = s.minDecrease;
    p.firstCnpFactor = s.firstCnp;
    p.clampTarget = s.clampTarget;
    // So it is in the HPCC simulator: an ACK is on its way for longer than its Ta of 1 us.
    p.cnpBeforeAlpha = s.marksInAcks;
    s.cnpIntervalPs = Ps(s.cnpInterval < Time(0) ? MicroSeconds(paper ? 50 : 4) : s.cnpInterval);
    if (FixedSince())
    {
        ReadBack();
    }
}

void
RdmaDcqcn::ReadBack()
{
    Settings& s = *m_settings;
    const DcqcnParameters& p = s.parameters;
    s.gain = p.gain;
    s.alpha = p.initialAlpha;
    s.aiRate = ToDataRate(p.aiRate);
    s.haiRate = ToDataRate(p.haiRate);
    s.minRate = ToDataRate(p.minRate);
    s.alphaTimer = PicoSeconds(p.alphaPs);
    s.increaseTimer = PicoSeconds(p.increasePs);
    s.bytes = static_cast<int64_t>(p.byteCounter);
    s.threshold = p.threshold;
    s.cnpInterval = PicoSeconds(s.cnpIntervalPs);
}

bool
RdmaDcqcn::ShareWith(const RdmaCongestionOps* last)
{
    const auto* const like = dynamic_cast<const RdmaDcqcn*>(last);
    if (like && *like->m_settings == *m_settings)
    {
        m_settings = like->m_settings;
    }
    return true;
}

void
RdmaDcqcn::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    Resolve(state.lineRate);
    state.rate = state.lineRate;
    m_reaction = nullptr;
}

void
RdmaDcqcn::OnCnp(RdmaFlowState& state, int64_t nowPs)
{
    if (!m_reaction && IsNic())
    {
        m_reaction = std::make_unique<DcqcnNic>(m_settings->parameters, state.lineRate);
    }
    else if (!m_reaction)
    {
        m_reaction = std::make_unique<DcqcnPaper>(m_settings->parameters, state.lineRate);
    }
    m_reaction->OnCnp(state, nowPs);
    NS_LOG_DEBUG("CNP: rate " << state.rate << " bit/s");
}

void
RdmaDcqcn::OnAck(RdmaFlowState& state, const RdmaAckEvent& ack)
{
    if (ack.marked)
    {
        OnCnp(state, ack.nowPs);
    }
}

void
RdmaDcqcn::OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs)
{
    if (m_reaction)
    {
        m_reaction->OnSent(state, wireBytes, nowPs);
    }
}

int64_t
RdmaDcqcn::NextTimer() const
{
    return m_reaction ? m_reaction->NextTimer() : NEVER;
}

void
RdmaDcqcn::OnTimer(RdmaFlowState& state, int64_t nowPs)
{
    if (m_reaction)
    {
        m_reaction->OnTimer(state, nowPs);
    }
}

bool
RdmaDcqcn::OnMarkedData(int64_t nowPs)
{
    if (m_settings->marksInAcks || nowPs - m_lastCnpPs < m_settings->cnpIntervalPs)
    {
        return false;
    }
    m_lastCnpPs = nowPs;
    return true;
}

double
RdmaDcqcn::GetAlpha(int64_t nowPs) const
{
    return m_reaction ? m_reaction->GetAlpha(nowPs) : m_settings->parameters.initialAlpha;
}

} // namespace ns3
