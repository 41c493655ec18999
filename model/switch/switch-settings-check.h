// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_SETTINGS_CHECK_H
#define LOSSLESS_SWITCH_SETTINGS_CHECK_H

#include "ns3/object.h"

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

    /// @param listener is told from now on, before the check, of each change of an attribute of an
    /// extension of the switch, and of each extension that comes
    void OnChange(std::function<void()> listener);

    /// An extension changes or comes.
    void NoteChange() const;

  protected:
    void DoDispose() override;

  private:
    Check m_check;                    //!< Set()
    std::function<void()> m_onChange; //!< OnChange()
};

} // namespace ns3

#endif // LOSSLESS_SWITCH_SETTINGS_CHECK_H
