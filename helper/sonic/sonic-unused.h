// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_UNUSED_H
#define LOSSLESS_SONIC_UNUSED_H

#include "sonic-config.h"
#include "sonic-schema.h"

#include <set>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Finds what of a configuration of SONiC has no effect on any switch: tables, entries and fields.
class SonicUnused
{
  public:
    /// @param config the configuration, which must outlive this
    explicit SonicUnused(const SonicConfig& config);

    /// @return what has no effect, one line each
    std::vector<std::string> Find();

  private:
    /// Find fields that have no effect, or are not known. @param schema of their table
    void FindFields(const SonicSchema& schema);
    /// Find fields that are not known. @param schema of their table @param names of the fields
    void FindUnknown(const SonicSchema& schema, const std::set<std::string>& names);
    /// Find entries of a table to which nothing refers. @param schema of the table
    void FindSpare(const SonicSchema& schema);
    /// Find entries after the first, where the first decides. @param schema of the table
    void FindSecond(const SonicSchema& schema);
    /// Find fields for all ports that SONiC takes for each port alone.
    void FindGlobal();
    /// Find a map for all ports where each port has its own.
    void FindOverriddenMap();
    /// Find fields of WRED profiles and pools that need others.
    void FindLone();
    /// Find fields of schedulers that need others.
    void FindSchedulers();
    /// Find tables that are not read.
    void FindTables();
    /// Add a line. @param what has no effect @param why it has none
    void Add(const std::string& what, const std::string& why);

    const SonicConfig& m_config;
    std::vector<std::string> m_lines;
};

} // namespace ns3

#endif // LOSSLESS_SONIC_UNUSED_H
