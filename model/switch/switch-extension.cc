// SPDX-License-Identifier: GPL-2.0-only
#include "switch-extension.h"

#include "fabric-switch.h"
#include "switch-settings-check.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SwitchExtension);

TypeId
SwitchExtension::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SwitchExtension").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

void
SwitchExtension::DoDispose()
{
    m_startedBy = nullptr;
    Object::DoDispose();
}

void
SwitchExtension::SettingChanged()
{
    // Its switch has it before it starts it.
    const auto check = GetOwner() ? GetOwner()->GetObject<SwitchSettingsCheck>() : nullptr;
    if (check)
    {
        check->NoteChange();
    }
    if (m_startedBy)
    {
        if (check)
        {
            check->Require(*this);
        }
        m_startedBy->ConfigChanged();
    }
}

void
SwitchExtension::Check(FabricSwitch& /* owner */)
{
}

void
SwitchExtension::Restarted()
{
}

PathNeed
SwitchExtension::GetPathNeed() const
{
    return PathNeed::ANY;
}

bool
SwitchExtension::NeedsSymmetricPaths() const
{
    return false;
}

uint32_t
SwitchExtension::GetAddedBytes() const
{
    return 0;
}

bool
SwitchExtension::HasActed() const
{
    return true;
}

bool
SwitchExtension::ReadsRoce() const
{
    return false;
}

void
SwitchExtension::Arrived(Frame& /* frame */, uint32_t /* inPort */)
{
}

SwitchExtension::Verdict
SwitchExtension::Routed(Frame& /* frame */, uint32_t /* outPort */)
{
    return {};
}

bool
SwitchExtension::Refused(Frame& /* frame */, uint32_t /* outPort */)
{
    return false;
}

bool
SwitchExtension::Unrouted(Frame* /* frame */)
{
    return false;
}

void
SwitchExtension::Enqueued(Frame& /* frame */, uint32_t /* outPort */, uint64_t /* queueBytes */)
{
}

void
SwitchExtension::Dequeued(Frame& /* frame */, uint32_t /* outPort */, uint64_t /* queueBytes */)
{
}

void
SwitchExtension::PauseChanged(uint32_t /* port */, uint8_t /* pausedMask */)
{
}

int64_t
SwitchExtension::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
