// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANDOM_SETTINGS_H
#define LOSSLESS_RANDOM_SETTINGS_H

#include "random-fabric.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace tests
{

/**
 * A random fabric whose settings change at random times. Where Fabric::CheckLossless() finds
 * nothing, nothing lossless is dropped; all flows complete, no pause stays, and all books are empty
 * at the end.
 */
class RandomSettings
{
  public:
    static constexpr uint32_t CHANGES = 12; //!< of settings, at most

    /// What a case had in it.
    struct Changes
    {
        uint32_t made{0};
        uint32_t refused{0};
        uint32_t stored{0}; //!< that were made with frames stored
        uint32_t paused{0}; //!< that were made while a class was paused
    };

    /// @param fabric decide fabric and traffic @param settings decide the changes @param size of
    /// the fabric
    RandomSettings(Dice fabric, Dice settings, RandomFabric::Size size);

    /// Build and run, in a fresh simulation. @return the first thing that is wrong; empty: nothing
    std::string Run();

    /// @return what was drawn, on one line
    std::string Describe() const
    {
        return m_fabric.Describe() + m_text;
    }

    /// @return what became of the changes
    const Changes& GetChanges() const
    {
        return m_changes;
    }

    /// @return whether CheckLossless() has found nothing, and no data was remapped on its way
    bool IsLossless() const
    {
        return m_isLossless;
    }

  private:
    class Change;

    /// Let hosts send again what is lost: a class that has no PFC for a while may drop. Switches
    /// get some buffer more. @param fabric the fabric
    void Prepare(const Fabric& fabric);
    /// Make a change, and look whether the fabric is lossless still. @param change makes it @param
    /// fabric the fabric
    void Make(Change& change, const Fabric& fabric);
    /// @param fabric after the run @return the first thing that is wrong; empty: nothing
    std::string Judge(const Fabric& fabric) const;

    RandomFabric m_fabric;
    Dice m_dice;
    std::string m_text;
    std::string m_wrong; //!< found while it ran
    Changes m_changes;
    bool m_isLossless{true};
};

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_RANDOM_SETTINGS_H
