// SPDX-License-Identifier: GPL-2.0-only
#include "extension-hooks.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
ExtensionHooks::SetMarker(const Ptr<SwitchExtension>& marker)
{
    if (marker != m_marker)
    {
        const auto old = std::find(m_extensions.begin(), m_extensions.end(), m_marker);
        if (old != m_extensions.end())
        {
            m_extensions.erase(old);
        }
        if (m_marker)
        {
            m_marker->m_startedBy = nullptr;
        }
        const auto* gone = PeekPointer(m_marker);
        for (auto* hooked : AllHooks())
        {
            hooked->erase(std::remove(hooked->begin(), hooked->end(), gone), hooked->end());
        }
        m_marker = marker;
    }
}

bool
ExtensionHooks::Has(const Ptr<SwitchExtension>& extension) const
{
    return std::find(m_extensions.begin(), m_extensions.end(), extension) != m_extensions.end();
}

std::vector<Ptr<SwitchExtension>>
ExtensionHooks::InOrder() const
{
    std::vector<Ptr<SwitchExtension>> all = m_extensions;
    if (m_marker && !Has(m_marker))
    {
        all.insert(all.begin(), m_marker);
    }
    return all;
}

void
ExtensionHooks::Add(const Ptr<SwitchExtension>& extension)
{
    m_extensions.push_back(extension);
}

uint32_t
ExtensionHooks::GetN() const
{
    return m_extensions.size();
}

Ptr<SwitchExtension>
ExtensionHooks::Get(uint32_t index) const
{
    return m_extensions.at(index);
}

std::array<std::vector<SwitchExtension*>*, 8>
ExtensionHooks::AllHooks()
{
    return {&m_onArrival,
            &m_onRoute,
            &m_onForward,
            &m_onRefused,
            &m_onUnrouted,
            &m_onEnqueue,
            &m_onDequeue,
            &m_onPause};
}

void
ExtensionHooks::Forget()
{
    for (auto* hooked : AllHooks())
    {
        hooked->clear();
    }
    m_any = false;
}

void
ExtensionHooks::Hook(SwitchExtension* extension)
{
    const uint32_t hooks = extension->GetHooks();
    m_any = m_any || hooks != 0;
    const auto hook = [&](SwitchExtension::Hook which, std::vector<SwitchExtension*>& list) {
        if (hooks & which)
        {
            list.push_back(extension);
        }
    };
    hook(SwitchExtension::ON_ARRIVAL, m_onArrival);
    hook(SwitchExtension::ON_ROUTE, m_onRoute);
    hook(SwitchExtension::ON_FORWARD, m_onForward);
    hook(SwitchExtension::ON_REFUSED, m_onRefused);
    hook(SwitchExtension::ON_UNROUTED, m_onUnrouted);
    hook(SwitchExtension::ON_ENQUEUE, m_onEnqueue);
    hook(SwitchExtension::ON_DEQUEUE, m_onDequeue);
    hook(SwitchExtension::ON_PAUSE, m_onPause);
}

void
ExtensionHooks::Start(FabricSwitch& owner)
{
    Forget();
    for (const auto& extension : InOrder())
    {
        extension->m_startedBy = &owner;
        extension->Start(owner);
        Hook(PeekPointer(extension));
    }
}

void
ExtensionHooks::Restarted()
{
    for (const auto& extension : InOrder())
    {
        extension->Restarted();
    }
}

void
ExtensionHooks::Dispose()
{
    const auto extensions = InOrder(); // they may ask for the others
    m_extensions.clear();
    m_marker = nullptr;
    Forget();
    for (const auto& extension : extensions)
    {
        extension->Dispose(); // it knows its switch by a plain pointer
    }
}

int64_t
ExtensionHooks::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& extension : m_extensions)
    {
        used += extension != m_marker ? extension->AssignStreams(stream + used) : 0;
    }
    return used;
}

} // namespace ns3
