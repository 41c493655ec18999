// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OBJECT_BATCH_H
#define LOSSLESS_OBJECT_BATCH_H

#include "fabric-settings.h"

#include "ns3/switch-mmu.h"
#include "ns3/wred-ecn-marker.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What one object of a fabric gets together: values of its attributes, and what ports and classes
 * of a SwitchMmu or queues of a WredEcnMarker have of their own. Of two settings of one value the
 * later wins.
 */
class ObjectBatch
{
  public:
    /// @param object which
    explicit ObjectBatch(const Ptr<Object>& object)
        : m_object(object)
    {
    }

    /// Set an attribute. @param setting of it; outlives this
    void Set(const FabricSetting& setting);
    /// @return what ports and classes of a SwitchMmu get; to be changed
    SwitchMmu::Configs& GetConfigs();
    /// @return what a queue of a WredEcnMarker gets; to be changed @param index port * 8 + class
    WredEcnMarker::Entry& GetQueue(uint32_t index);

    /// Give the object all of it. FabricError if it refuses. @param options of the program
    /// @param place of the object, for messages
    void Put(const FabricOptions& options, const std::string& place);
    /// Give the object back what it had before Put(), as far as that has come.
    void Restore() const;

  private:
    /// Set an attribute, and remember what it was.
    void PutAttribute(const FabricOptions& options, const FabricSetting& setting);

    Ptr<Object> m_object;
    std::vector<const FabricSetting*> m_settings; //!< of attributes
    std::optional<SwitchMmu::Configs> m_configs;
    std::optional<std::vector<WredEcnMarker::Entry>> m_queues;
    // What Put() has replaced.
    std::vector<std::pair<std::string, Ptr<AttributeValue>>> m_valuesBefore;
    std::optional<SwitchMmu::Configs> m_configsBefore;
    std::optional<std::vector<WredEcnMarker::Entry>> m_queuesBefore;
};

} // namespace ns3

#endif // LOSSLESS_OBJECT_BATCH_H
