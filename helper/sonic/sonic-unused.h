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
    /// Find tables that are not read.
    void FindTables();
    /// Add a line. @param what has no effect @param why it has none
    void Add(const std::string& what, const std::string& why);

    const SonicConfig& m_config;
    std::vector<std::string> m_lines;
};

} // namespace ns3

#endif // LOSSLESS_SONIC_UNUSED_H
