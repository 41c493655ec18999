// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EXTENSION_COUNTS_H
#define LOSSLESS_EXTENSION_COUNTS_H

#include "ns3/counter-fields.h"
#include "ns3/fabric-switch.h"
#include "ns3/fabric.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The counters of all extensions of one kind that the switches of a fabric have, since this was
 * made. Extensions that are installed later count, too.
 * @tparam Extension a SwitchExtension with Counters and GetCounters()
 */
template <typename Extension>
class ExtensionCounts
{
  public:
    /// What an extension counts.
    using Counters = typename Extension::Counters;

    /// @param fabric whose switches
    explicit ExtensionCounts(const Fabric& fabric)
        : m_fabric(fabric)
    {
        Find();
        m_before = Read();
    }

    /// Look for extensions: switches let go of theirs with Simulator::Destroy(), and those of the
    /// last look count then.
    void Find() const
    {
        if (m_fabric.IsDestroyed())
        {
            return;
        }
        m_extensions.clear();
        for (const SwitchId which : m_fabric.Switches())
        {
            const auto fabricSwitch = m_fabric.GetSwitch(which);
            for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
            {
                if (auto extension = DynamicCast<Extension>(fabricSwitch->GetExtension(i)))
                {
                    m_extensions.push_back(extension);
                }
            }
        }
    }

    /// @return whether there is one
    bool HasSome() const
    {
        Find();
        return !m_extensions.empty();
    }

    /// @return the sums
    Counters Get() const
    {
        Find();
        return CountersSince(Read(), m_before);
    }

  private:
    /// @return the sums of all time
    Counters Read() const
    {
        Counters sum;
        for (const auto& extension : m_extensions)
        {
            AddCounters(sum, extension->GetCounters());
        }
        return sum;
    }

    Fabric m_fabric;
    mutable std::vector<Ptr<Extension>> m_extensions; //!< of all switches, at the last look
    Counters m_before;                                //!< when this was made
};

} // namespace ns3

#endif // LOSSLESS_EXTENSION_COUNTS_H
