// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_READER_H
#define LOSSLESS_SONIC_READER_H

#include "sonic-config.h"
#include "sonic-schema.h"

#include <boost/property_tree/ptree_fwd.hpp>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// Reads config_db.json into a SonicConfig. Each mistake is a FabricError with file, table and key.
class SonicReader
{
  public:
    /// @param name of the file
    explicit SonicReader(const std::string& name);

    /// @param text of the file @return what it says
    SonicConfig Read(const std::string& text);

  private:
    using Tree = boost::property_tree::ptree;

    /// Note the lines of tables and entries. FabricError if the text is nested deeper than a
    /// configuration.
    void FindLines(const std::string& text);
    /// FabricError if a text has control characters. @param text a name or value
    static void RequirePlain(const std::string& text);
    /// Throw what is wrong in the file as a whole. @param what is wrong, and what would be right
    [[noreturn]] void FailAt(uint64_t line, const std::string& what) const;
    /// Read a table. @param schema what it may hold @param tree the table
    void ReadTable(const SonicSchema& schema, const Tree& tree);
    /// Put the entries of a table in order. FabricError if two are of one key, or overlap.
    /// @param schema of the table
    void Order(const SonicSchema& schema);
    /// Read an entry. @param schema of its table @param key as the file has it @param tree the
    /// entry
    void ReadEntry(const SonicSchema& schema, const std::string& key, const Tree& tree);
    /// @return the fields of an entry, checked, in the one form
    SonicConfig::Fields ReadFields(const SonicSchema& schema,
                                   const std::string& key,
                                   const Tree& tree) const;
    /// @return the text of a value: of a list, with commas
    std::string ReadValue(const Tree& tree) const;
    /// @return a field, checked, in the one form
    static std::string Check(const SonicField& field, const std::string& text);
    /// @return an element of a map, checked
    static std::string CheckMap(const SonicSchema& schema,
                                const std::string& field,
                                const std::string& text);
    /// Add an entry of the one form. @param schema of its table @param fields of the entry
    void Add(const SonicSchema& schema, const std::string& key, const SonicConfig::Fields& fields);
    /// FabricError if ranges of a port overlap. @param table one with ranges
    void RequireApart(const std::string& table) const;
    /// FabricError if an entry speaks of what is not there.
    void RequireReferences() const;
    /// FabricError if fields of a profile contradict each other.
    void RequireSense() const;
    /// FabricError if a pool has no type, or a profile that needs a pool has none.
    void RequirePools() const;
    /// FabricError if a port has cables of two lengths.
    void RequireLengths() const;
    /// FabricError if fields of a scheduler or watchdog contradict each other.
    void RequireRates() const;
    /// FabricError if keys name ports that are not in PORT.
    void RequirePorts() const;
    /// Do something; its error gets table and key.
    template <typename Action>
    auto At(const std::string& table, const std::string& key, Action action) const;

    SonicConfig m_config;
};

} // namespace ns3

#endif // LOSSLESS_SONIC_READER_H
