// SPDX-License-Identifier: GPL-2.0-only
#include "wred-ecn-marker.h"

#include "ns3/apply-or-undo.h"
#include "ns3/double.h"
#include "ns3/exact-text.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WredEcnMarker");

NS_OBJECT_ENSURE_REGISTERED(WredEcnMarker);

TypeId
WredEcnMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WredEcnMarker")
            .SetParent<EcnMarker>()
            .SetGroupName("Lossless")
            .AddConstructor<WredEcnMarker>()
            .AddAttribute(
                "Kmin",
                "Queue length in bytes, at ReferenceRate, up to which no frame is marked.",
                UintegerValue(100000),
                UsedWhen(MakeLive(MakeUintegerAccessor(&WredEcnMarker::m_kmin),
                                  &WredEcnMarker::SettingChanged),
                         &WredEcnMarker::UsesKmin,
                         "a queue without ECN thresholds of its own"),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "Kmax",
                "Queue length in bytes, at ReferenceRate, beyond which every frame is marked.",
                UintegerValue(400000),
                UsedWhen(MakeLive(MakeUintegerAccessor(&WredEcnMarker::m_kmax),
                                  &WredEcnMarker::SettingChanged),
                         &WredEcnMarker::UsesKmax,
                         "a queue without ECN thresholds of its own"),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("Pmax",
                          "Probability of a mark at Kmax, 0 to 1.",
                          DoubleValue(0.2),
                          UsedWhen(MakeLive(MakeDoubleAccessor(&WredEcnMarker::m_pmax),
                                            &WredEcnMarker::SettingChanged),
                                   &WredEcnMarker::UsesPmax,
                                   "a queue without ECN thresholds of its own"),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ReferenceRate",
                          "Port speed for which Kmin and Kmax are given; both scale linearly with "
                          "the speed. 0bps: the same thresholds at any speed.",
                          DataRateValue(DataRate("25Gbps")),
                          UsedWhen(MakeLive(MakeDataRateAccessor(&WredEcnMarker::m_referenceRate),
                                            &WredEcnMarker::SettingChanged),
                                   &WredEcnMarker::UsesReferenceRate,
                                   "a queue without ECN thresholds of its own"),
                          MakeDataRateChecker())
            .AddAttribute(
                "Classes",
                "Mask of the classes whose frames are marked, whatever thresholds they have. "
                "Bit c stands for class c.",
                UintegerValue(0xff),
                MakeLive(MakeUintegerAccessor(&WredEcnMarker::m_classes),
                         &WredEcnMarker::SettingChanged),
                MakeUintegerChecker<uint8_t>());
    return tid;
}

WredEcnMarker::WredEcnMarker()
    : m_draw(CreateObject<UniformRandomVariable>())
{
}

uint8_t
WredEcnMarker::CurveValueOf(const std::string& attribute)
{
    return attribute == "Kmin" ? KMIN : attribute == "Kmax" ? KMAX : attribute == "Pmax" ? PMAX : 0;
}

WredEcnMarker::Curve
WredEcnMarker::MakeCurve(const std::string& where, uint64_t kmin, uint64_t kmax, double pmax)
{
    const bool goodPmax = pmax >= 0 && pmax <= 1;
    if (kmin > kmax || !goodPmax)
    {
        std::ostringstream message;
        message << "WredEcnMarker: " << where << ": Kmin " << kmin << ", Kmax " << kmax << ", Pmax "
                << pmax << ": need Kmin <= Kmax and 0 <= Pmax <= 1";
        throw std::invalid_argument(message.str());
    }
    // At Kmin == Kmax the curve is a step and has no slope.
    return {kmin, kmax, pmax, kmax > kmin ? pmax / static_cast<double>(kmax - kmin) : 0};
}

WredEcnMarker::Entry&
WredEcnMarker::Store(uint32_t port, uint32_t cls, const Curve& curve)
{
    const std::string where = "port " + std::to_string(port) + " class " + std::to_string(cls);
    if (cls >= TRAFFIC_CLASSES)
    {
        throw std::invalid_argument("WredEcnMarker: " + where + ": need a class from 0 to 7");
    }
    const Curve checked = MakeCurve(where, curve.kmin, curve.kmax, curve.pmax);
    if (m_entries.size() <= port * TRAFFIC_CLASSES + cls)
    {
        m_entries.resize((port + 1) * TRAFFIC_CLASSES);
    }
    Entry& entry = m_entries[port * TRAFFIC_CLASSES + cls];
    entry.curve = checked;
    SetQuiet(port, cls, m_classes & (1U << cls) ? QuietOf(checked) : NEVER);
    return entry;
}

uint64_t
WredEcnMarker::AskAbove(uint32_t /* port */, uint64_t quiet) const
{
    return quiet;
}

void
WredEcnMarker::SetQuiet(uint32_t port, uint32_t cls, uint64_t quiet)
{
    m_entries[port * TRAFFIC_CLASSES + cls].quiet = quiet;
    SetQuietBelow(port, cls, AskAbove(port, quiet));
}

void
WredEcnMarker::Inherit(const WredEcnMarker& before)
{
    const TypeId type = WredEcnMarker::GetTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        const auto value = info.checker->Create();
        GetAttribute(info.name, *value);
        if (ExactText(*value, info.checker) == ExactText(*info.initialValue, info.checker))
        {
            before.GetAttribute(info.name, *value);
            SetAttribute(info.name, *value);
        }
    }
    for (uint32_t index = 0; index < before.m_entries.size(); ++index)
    {
        const Entry& entry = before.m_entries[index];
        const uint32_t port = index / TRAFFIC_CLASSES;
        if (entry.own && (index >= m_entries.size() || !m_entries[index].own))
        {
            Store(port, index % TRAFFIC_CLASSES, entry.curve).own = entry.own;
        }
    }
    m_draw = before.m_draw;
}

void
WredEcnMarker::SetThresholds(uint32_t port, uint32_t cls, uint64_t kmin, uint64_t kmax, double pmax)
{
    NS_LOG_FUNCTION(this << port << cls << kmin << kmax << pmax);
    Store(port, cls, Curve{kmin, kmax, pmax, 0}).own = WHOLE_CURVE;
}

void
WredEcnMarker::SetThresholds(uint32_t port, uint64_t kmin, uint64_t kmax, double pmax)
{
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        SetThresholds(port, cls, kmin, kmax, pmax);
    }
}

double
WredEcnMarker::GetScale(uint64_t bitsPerSecond) const
{
    const uint64_t reference = m_referenceRate.GetBitRate();
    return reference ? static_cast<double>(bitsPerSecond) / reference : 1;
}

WredEcnMarker::Curve
WredEcnMarker::GetCurveOf(uint64_t bitsPerSecond) const
{
    const double scale = GetScale(bitsPerSecond);
    return {static_cast<uint64_t>(std::llround(m_kmin * scale)),
            static_cast<uint64_t>(std::llround(m_kmax * scale)),
            m_pmax,
            0};
}

void
WredEcnMarker::SetPort(uint32_t port, uint64_t bitsPerSecond)
{
    NS_LOG_FUNCTION(this << port << bitsPerSecond);
    const Curve usual = GetCurveOf(bitsPerSecond);
    for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
    {
        const uint32_t index = port * TRAFFIC_CLASSES + cls;
        const Entry entry = index < m_entries.size() ? m_entries[index] : Entry();
        if (entry.own == WHOLE_CURVE)
        {
            Store(port, cls, entry.curve); // Classes may have changed, and AskAbove() answer anew
            continue;
        }
        Curve curve;
        curve.kmin = entry.own & KMIN ? entry.curve.kmin : usual.kmin;
        curve.kmax = entry.own & KMAX ? entry.curve.kmax : usual.kmax;
        curve.pmax = entry.own & PMAX ? entry.curve.pmax : usual.pmax;
        Store(port, cls, curve);
    }
}

void
WredEcnMarker::ClearThresholds(uint32_t port, uint32_t cls, uint8_t values)
{
    NS_LOG_FUNCTION(this << port << cls << +values);
    const uint8_t before = GetOwnValues(port, cls);
    if (before & values)
    {
        ApplyOrUndo(before, static_cast<uint8_t>(before & ~values), [&](uint8_t own) {
            m_entries[port * TRAFFIC_CLASSES + cls].own = own;
            SettingChanged();
        });
    }
}

void
WredEcnMarker::SetEntries(const std::vector<Entry>& entries)
{
    NS_LOG_FUNCTION(this);
    ApplyOrUndo(std::vector<Entry>(m_entries), entries, [this](const std::vector<Entry>& next) {
        m_entries = next;
        SettingChanged();
    });
}

bool
WredEcnMarker::HasOwnCurve(uint32_t port, uint32_t cls) const
{
    return GetOwnValues(port, cls) != 0;
}

uint8_t
WredEcnMarker::GetOwnValues(uint32_t port, uint32_t cls) const
{
    const std::size_t index = port * TRAFFIC_CLASSES + cls;
    return index < m_entries.size() ? m_entries[index].own : 0;
}

bool
WredEcnMarker::Uses(uint8_t values) const
{
    return m_entries.empty() ||
           std::any_of(m_entries.begin(), m_entries.end(), [values](const Entry& entry) {
               return (entry.own & values) != values;
           });
}

const WredEcnMarker::Curve&
WredEcnMarker::GetCurve(uint32_t port, uint32_t cls) const
{
    return m_entries.at(port * TRAFFIC_CLASSES + cls).curve;
}

bool
WredEcnMarker::IsMarked(uint32_t port, uint32_t cls) const
{
    return m_entries.at(port * TRAFFIC_CLASSES + cls).quiet != NEVER;
}

double
WredEcnMarker::GetProbability(uint32_t port, uint32_t cls, uint64_t queueBytes) const
{
    const Entry& entry = m_entries.at(port * TRAFFIC_CLASSES + cls);
    return queueBytes <= entry.quiet ? 0 : ProbabilityOf(entry.curve, queueBytes);
}

double
WredEcnMarker::ProbabilityOf(const Curve& curve, uint64_t queueBytes)
{
    if (queueBytes <= curve.kmin)
    {
        return 0;
    }
    return queueBytes > curve.kmax ? 1 : curve.slope * (queueBytes - curve.kmin);
}

bool
WredEcnMarker::ShouldMark(const Frame& frame, uint32_t port, uint64_t queueBytes)
{
    return Draw(GetProbability(port, frame.trafficClass, queueBytes));
}

bool
WredEcnMarker::Draw(double probability) const
{
    if (probability <= 0 || probability >= 1)
    {
        return probability > 0;
    }
    return m_draw->GetValue() < probability;
}

void
WredEcnMarker::SetDraw(Ptr<UniformRandomVariable> draw)
{
    NS_LOG_FUNCTION(this << draw);
    m_draw = draw;
}

int64_t
WredEcnMarker::AssignStreams(int64_t stream)
{
    m_draw->SetStream(stream);
    return 1;
}

} // namespace ns3
