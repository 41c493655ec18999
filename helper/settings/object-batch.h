// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OBJECT_BATCH_H
#define LOSSLESS_OBJECT_BATCH_H

#include "fabric-settings.h"

#include "ns3/switch-mmu.h"
#include "ns3/wred-ecn-marker.h"

#include <cstdint>
#include <map>
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
    /// A queue of a marker.
    struct Queue
    {
        uint32_t port;          //!< its port
        uint32_t cls;           //!< its class
        uint64_t bitsPerSecond; //!< speed of the port
    };

    /// @param object which
    explicit ObjectBatch(const Ptr<Object>& object)
        : m_object(object)
    {
    }

    /// Set an attribute. @param setting of it; outlives this
    void Set(const FabricSetting& setting);
    /// @return what ports and classes of a SwitchMmu get; to be changed
    SwitchMmu::Configs& GetConfigs();
    /// Set a value of the curve of a queue. @param queue which @param setting of it; outlives this
    void SetQueue(const Queue& queue, const FabricSetting& setting);
    /// A value of the curve of a queue is that of the marker again. @param queue which
    /// @param values mask of WredEcnMarker::CurveValue
    void ClearQueue(const Queue& queue, uint8_t values);

    /// Give the object all of it. FabricError if it refuses. @param options of the program
    /// @param place of the object, for messages
    void Put(const FabricOptions& options, const std::string& place);
    /// Give the object back what it had before Put(), as far as that has come.
    void Restore() const;

  private:
    /// What a queue gets.
    struct QueueValues
    {
        Queue queue;                            //!< which
        std::vector<const FabricSetting*> sets; //!< of its own
        uint8_t cleared{0};                     //!< values of the marker again
    };

    /// A queue that has changed.
    struct QueueBefore
    {
        Queue queue;                //!< which
        WredEcnMarker::Curve curve; //!< its curve
        uint8_t own;                //!< values of the curve that were its own
    };

    /// Set an attribute, and remember what it was.
    void PutAttribute(const FabricOptions& options, const FabricSetting& setting);
    /// Set the curve of a queue, and remember what it was.
    void PutQueue(WredEcnMarker& marker, const QueueValues& values);

    Ptr<Object> m_object;
    std::vector<const FabricSetting*> m_settings; //!< of attributes
    std::optional<SwitchMmu::Configs> m_configs;
    std::map<uint32_t, QueueValues> m_queues; //!< by port * 8 + class
    // What Put() has replaced.
    std::vector<std::pair<std::string, Ptr<AttributeValue>>> m_valuesBefore;
    std::optional<SwitchMmu::Configs> m_configsBefore;
    std::vector<QueueBefore> m_queuesBefore;
};

} // namespace ns3

#endif // LOSSLESS_OBJECT_BATCH_H
