// SPDX-License-Identifier: GPL-2.0-only
#include "extension-hooks.h"

#include <utility>

namespace ns3
{

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

void
ExtensionHooks::Forget()
{
    for (auto* hooked :
         {&m_onArrival, &m_onRoute, &m_onUnrouted, &m_onEnqueue, &m_onDequeue, &m_onPause})
    {
        hooked->clear();
    }
}

void
ExtensionHooks::Hook(SwitchExtension* extension)
{
    const uint32_t hooks = extension->GetHooks();
    const auto hook = [&](SwitchExtension::Hook which, std::vector<SwitchExtension*>& list) {
        if (hooks & which)
        {
            list.push_back(extension);
        }
    };
    hook(SwitchExtension::ON_ARRIVAL, m_onArrival);
    hook(SwitchExtension::ON_ROUTE, m_onRoute);
    hook(SwitchExtension::ON_UNROUTED, m_onUnrouted);
    hook(SwitchExtension::ON_ENQUEUE, m_onEnqueue);
    hook(SwitchExtension::ON_DEQUEUE, m_onDequeue);
    hook(SwitchExtension::ON_PAUSE, m_onPause);
}

void
ExtensionHooks::Start(FabricSwitch& owner)
{
    Forget();
    for (const auto& extension : m_extensions)
    {
        extension->Start(owner);
        Hook(PeekPointer(extension));
    }
}

void
ExtensionHooks::Restarted()
{
    for (const auto& extension : m_extensions)
    {
        extension->Restarted();
    }
}

void
ExtensionHooks::Dispose()
{
    const auto extensions = std::move(m_extensions); // they may ask for the others
    m_extensions.clear();
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
        used += extension->AssignStreams(stream + used);
    }
    return used;
}

} // namespace ns3
