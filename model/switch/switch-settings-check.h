// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_SETTINGS_CHECK_H
#define LOSSLESS_SWITCH_SETTINGS_CHECK_H

#include "ns3/object.h"

#include <cstdint>
#include <functional>

namespace ns3
{

class SwitchExtension;

/**
 * @ingroup lossless
 *
 * Who has a say when an attribute of a switch extension changes: queue pairs may rely on it. It is
 * aggregated to a switch.
 */
class SwitchSettingsCheck : public Object
{
  public:
    /// Takes the extension, which has the new value; what it throws undoes the change.
    using Check = std::function<void(const SwitchExtension&)>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param check is asked from now on
    void Set(Check check);

    /// An attribute has changed; throws what the check throws. @param changed the extension
    void Require(const SwitchExtension& changed) const;

    /// @return how often an attribute of any extension has changed in this process
    static uint64_t CountChanges();

    /// An attribute of an extension changes.
    static void NoteChange();

  protected:
    void DoDispose() override;

  private:
    Check m_check;
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_SETTINGS_CHECK_H
