// SPDX-License-Identifier: GPL-2.0-only
#include "switch-parts.h"

#include "ecmp-load-balancer.h"
#include "fabric-switch.h"
#include "switch-settings-check.h"
#include "wred-ecn-marker.h"

#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/live-accessor.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <stdexcept>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SwitchParts");

namespace
{

/// @return an object of a policy; throws std::invalid_argument when the type is not one of it
template <typename Policy>
Ptr<Policy>
CreatePolicy(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    auto policy = DynamicCast<Policy>(factory.Create()); // Create<> asserts from 3.42 on
    if (!policy)
    {
        throw std::invalid_argument("FabricSwitch: " + type.GetName() + " is not an " +
                                    Policy::GetTypeId().GetName());
    }
    return policy;
}

/// A part of a switch becomes another one. @param owner the switch @param before,now null: none
void
Replace(const Object& owner, SoleOwner* before, SoleOwner* now)
{
    if (now)
    {
        now->Take(owner);
    }
    if (before && before != now)
    {
        before->Leave(owner);
    }
}

/// Another switch may use the parts of a switch. @param parts the switch
void
LeaveParts(const SwitchParts& parts)
{
    for (uint32_t i = 0; i < parts.GetNExtensions(); ++i)
    {
        parts.GetExtension(i)->Leave(parts);
    }
    Replace(parts, PeekPointer(parts.GetEcnMarker()), nullptr);
    Replace(parts, PeekPointer(parts.GetLoadBalancer()), nullptr);
}

} // namespace

TypeId
SwitchParts::AddParts(TypeId tid)
{
    return AddObjects(
        AddDelays(tid)
            .AddAttribute("EcnEnabled",
                          "Whether the switch marks and, in lossy classes, drops by WRED.",
                          BooleanValue(true),
                          MakeLive(MakeBooleanAccessor(&SwitchParts::m_ecnEnabled),
                                   &SwitchParts::ConfigChanged),
                          MakeBooleanChecker())
            .AddAttribute(
                "EcnMarkerType",
                "Type of the ECN marker: use it for defaults and on the command line. "
                "Setting it makes a new marker; EcnMarker is the object.",
                TypeIdValue(WredEcnMarker::GetTypeId()),
                MakeTypeIdAccessor(&SwitchParts::SetMarkerType, &SwitchParts::GetMarkerType),
                MakeTypeIdChecker())
            .AddAttribute(
                "LoadBalancerType",
                "Type of the load balancer: use it for defaults and on the command line. Setting "
                "it makes a new balancer; LoadBalancer is the object.",
                TypeIdValue(EcmpLoadBalancer::GetTypeId()),
                MakeTypeIdAccessor(&SwitchParts::SetBalancerType, &SwitchParts::GetBalancerType),
                MakeTypeIdChecker())
            .AddAttribute("MarkAt",
                          "When the ECN decision is taken: on arrival, or on departure, which "
                          "tells the sender one queueing delay earlier.",
                          EnumValue(MARK_DEQUEUE),
                          UsedWhen(MakeLosslessEnumAccessor<MarkTime>(&SwitchParts::m_markTime),
                                   &SwitchParts::IsEcnEnabled,
                                   "EcnEnabled"),
                          MakeEnumChecker(MARK_ENQUEUE, "Enqueue", MARK_DEQUEUE, "Dequeue"))
            .AddAttribute(
                "ReleaseAt",
                "When the buffer of a frame is free again: when its transmission "
                "starts, or when its last bit has left.",
                EnumValue(DEQUEUE_START),
                MakeLive(MakeLosslessEnumAccessor<ReleaseTime>(&SwitchParts::m_releaseTime),
                         &SwitchParts::ConfigChanged),
                MakeEnumChecker(DEQUEUE_START, "DequeueStart", LAST_BIT, "LastBit"))
            .AddAttribute("DropNonEct",
                          "In lossy classes, drop data that cannot be marked where it would have "
                          "been marked (WRED). Lossless classes never do.",
                          BooleanValue(true),
                          UsedWhen(MakeBooleanAccessor(&SwitchParts::m_dropNonEct),
                                   &SwitchParts::IsEcnEnabled,
                                   "EcnEnabled"),
                          MakeBooleanChecker()));
}

TypeId
SwitchParts::AddDelays(TypeId tid)
{
    return tid
        .AddAttribute(
            "SwitchDelay",
            "Time from the arrival of a frame to the first bit that leaves by an idle "
            "port. PFC frames, which the switch makes, are not delayed.",
            TimeValue(Time(0)),
            MakeLive(MakeTimeAccessor(&SwitchParts::m_switchDelay), &SwitchParts::ConfigChanged),
            MakeTimeChecker(Time(0)))
        .AddAttribute(
            "CutThrough",
            "Whether the switch begins to send a frame before its last bit has arrived, "
            "where the egress port is not faster than the ingress port.",
            BooleanValue(false),
            MakeLive(MakeBooleanAccessor(&SwitchParts::m_cutThrough), &SwitchParts::ConfigChanged),
            MakeBooleanChecker())
        .AddAttribute("CutThroughBytes",
                      "Bytes of a frame that must have arrived before the switch sends the frame.",
                      UintegerValue(ETHERNET_MIN_FRAME_BYTES),
                      UsedWhen(MakeLive(MakeUintegerAccessor(&SwitchParts::m_cutThroughBytes),
                                        &SwitchParts::ConfigChanged),
                               &SwitchParts::GetCutThrough,
                               "CutThrough"),
                      MakeUintegerChecker<uint16_t>(ETHERNET_MIN_FRAME_BYTES));
}

TypeId
SwitchParts::AddObjects(TypeId tid)
{
    return tid
        .AddAttribute("Mmu",
                      "The buffer.",
                      TypeId::ATTR_GET,
                      PointerValue(),
                      MakePointerAccessor(&SwitchParts::GetMmu),
                      MakePointerChecker<SwitchMmu>())
        .AddAttribute(
            "EcnMarker",
            "The ECN marker in use: use it to read or replace that of one switch. New switches "
            "make theirs by EcnMarkerType.",
            TypeId::ATTR_GET | TypeId::ATTR_SET,
            PointerValue(),
            MakePointerAccessor(&SwitchParts::SetEcnMarker, &SwitchParts::GetEcnMarker),
            MakePointerChecker<EcnMarker>())
        .AddAttribute(
            "LoadBalancer",
            "The load balancer in use: use it to read or replace that of one switch. New switches "
            "make theirs by LoadBalancerType.",
            TypeId::ATTR_GET | TypeId::ATTR_SET,
            PointerValue(),
            MakePointerAccessor(&SwitchParts::SetLoadBalancer, &SwitchParts::GetLoadBalancer),
            MakePointerChecker<LoadBalancer>());
}

SwitchParts::SwitchParts()
    : m_mmu(CreateObject<SwitchMmu>())
{
}

SwitchParts::~SwitchParts()
{
    LeaveParts(*this);
}

void
SwitchParts::NotifyConstructionCompleted()
{
    Object::NotifyConstructionCompleted();
    // Here, not in Start(), so that a script can configure them.
    if (!m_marker)
    {
        SetEcnMarker(CreatePolicy<EcnMarker>(m_markerType));
    }
    if (!m_balancer)
    {
        SetLoadBalancer(CreatePolicy<LoadBalancer>(m_balancerType));
    }
    m_isMade = true;
}

void
SwitchParts::DoDispose()
{
    LeaveParts(*this);
    m_markerHot = nullptr;
    m_marker = nullptr;
    m_balancer = nullptr;
    m_hooks.Dispose();
    Object::DoDispose();
}

void
SwitchParts::SetMarkerType(TypeId type)
{
    m_markerType = type;
    if (m_isMade)
    {
        SetEcnMarker(CreatePolicy<EcnMarker>(type));
    }
}

TypeId
SwitchParts::GetMarkerType() const
{
    return m_marker ? m_marker->GetInstanceTypeId() : m_markerType;
}

void
SwitchParts::SetBalancerType(TypeId type)
{
    m_balancerType = type;
    if (m_isMade)
    {
        SetLoadBalancer(CreatePolicy<LoadBalancer>(type));
    }
}

TypeId
SwitchParts::GetBalancerType() const
{
    return m_balancer ? m_balancer->GetInstanceTypeId() : m_balancerType;
}

Ptr<SwitchMmu>
SwitchParts::GetMmu() const
{
    return m_mmu;
}

void
SwitchParts::SetEcnMarker(Ptr<EcnMarker> marker)
{
    NS_LOG_FUNCTION(this << marker);
    Replace(*this, PeekPointer(m_marker), PeekPointer(marker));
    m_marker = marker;
    m_markerHot = nullptr;
    m_hooks.SetMarker(marker);
    m_started = false; // the marker must be told of the ports
    if (marker)
    {
        AssignLater(*marker);
    }
    TellOfExtension();
}

Ptr<EcnMarker>
SwitchParts::GetEcnMarker() const
{
    return m_marker;
}

void
SwitchParts::SetLoadBalancer(Ptr<LoadBalancer> balancer)
{
    NS_LOG_FUNCTION(this << balancer);
    if (!balancer)
    {
        throw std::invalid_argument("FabricSwitch: a switch needs a load balancer");
    }
    Replace(*this, PeekPointer(m_balancer), PeekPointer(balancer));
    m_balancer = balancer;
    m_started = false;
    AssignLater(*balancer);
}

Ptr<LoadBalancer>
SwitchParts::GetLoadBalancer() const
{
    return m_balancer;
}

void
SwitchParts::AddExtension(Ptr<SwitchExtension> extension)
{
    NS_LOG_FUNCTION(this << extension);
    if (!extension)
    {
        throw std::invalid_argument("FabricSwitch: the extension is missing");
    }
    if (const auto marker = DynamicCast<EcnMarker>(extension))
    {
        if (m_hooks.Has(m_marker))
        {
            throw std::invalid_argument("FabricSwitch: " + m_marker->GetInstanceTypeId().GetName() +
                                        " and " + marker->GetInstanceTypeId().GetName() +
                                        " cannot both mark: a switch has one ECN marker");
        }
        extension->Take(*this);
        if (m_marker && m_marker != marker)
        {
            marker->TakeOver(*m_marker);
        }
        SetEcnMarker(marker);
    }
    if (m_hooks.Has(extension))
    {
        throw std::invalid_argument("FabricSwitch: the switch has this " +
                                    extension->GetInstanceTypeId().GetName() + " already");
    }
    extension->Take(*this);
    if (extension == m_marker) // SetEcnMarker() has done the rest
    {
        m_hooks.Add(extension);
        m_started = false;
        return;
    }
    const int64_t stream = m_laterStream;
    AssignLater(*extension);
    if (IsInitialized()) // else more may be set before the run, which lets it work
    {
        try
        {
            auto& owner = dynamic_cast<FabricSwitch&>(*this);
            extension->Check(owner);
            extension->Start(owner); // else the next frame would find what cannot work
        }
        catch (const std::invalid_argument&)
        {
            m_laterStream = stream;
            extension->Leave(*this);
            throw;
        }
    }
    m_hooks.Add(extension);
    m_started = false;
    TellOfExtension();
}

uint32_t
SwitchParts::GetNExtensions() const
{
    return m_hooks.GetN();
}

Ptr<SwitchExtension>
SwitchParts::GetExtension(uint32_t index) const
{
    return m_hooks.Get(index);
}

int64_t
SwitchParts::AssignStreams(int64_t stream)
{
    int64_t used = m_marker ? m_marker->AssignStreams(stream) : 0;
    used += m_balancer->AssignStreams(stream + used);
    return used + m_hooks.AssignStreams(stream + used);
}

void
SwitchParts::SetLaterStreams(int64_t stream)
{
    m_laterStream = stream;
}

template <typename Part>
void
SwitchParts::AssignLater(Part& part)
{
    if (m_laterStream >= 0)
    {
        m_laterStream += part.AssignStreams(m_laterStream);
    }
}

void
SwitchParts::TellOfExtension() const
{
    if (const auto check = GetObject<SwitchSettingsCheck>())
    {
        check->NoteChange();
    }
}

} // namespace ns3
