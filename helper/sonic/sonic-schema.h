// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_SCHEMA_H
#define LOSSLESS_SONIC_SCHEMA_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What a field of a table of SONiC may hold, and whether the module uses it.
struct SonicField
{
    /// Kinds of values.
    enum Kind
    {
        TEXT,     //!< anything
        NUMBER,   //!< a whole number from min to max
        WORD,     //!< one of `words`
        CLASSES,  //!< a list of priorities, 0 to 7; it may be empty
        REFERENCE //!< the name of an entry of the table `words`
    };

    std::string name;  //!< as SONiC calls it
    Kind kind{TEXT};   //!< of its values
    int64_t min{0};    //!< of a number
    int64_t max{0};    //!< of a number
    std::string words; //!< those of a word, with "|" between them; the table of a reference
    /// Why the field has no effect; empty: it has one, or is none of the things that the module
    /// simulates.
    std::string unused;
};

/// @ingroup lossless
/// A table of SONiC about buffers, queues and priorities.
struct SonicSchema
{
    /// What its keys are.
    enum Keys
    {
        NAMES,      //!< one name
        PORTS,      //!< ports, or `global`
        PORT_RANGES //!< ports, and a range of queues or groups of each
    };

    /// What its entries hold.
    enum Entries
    {
        FIELDS, //!< the fields of the list
        MAP,    //!< numbers, at most `from`, to numbers, at most `to`
        METRES  //!< ports to lengths: "5m"
    };

    std::string name;               //!< as SONiC calls it
    Keys keys{NAMES};               //!< of the table
    std::string global;             //!< key for all ports; empty: there is none
    Entries entries{FIELDS};        //!< of the table
    std::vector<SonicField> fields; //!< of FIELDS
    uint32_t from{0};               //!< of MAP
    uint32_t to{0};                 //!< of MAP
    std::string unused;             //!< why the table has no effect; empty: it has one
    bool isOfOne{false};            //!< the first entry alone has an effect

    /// @return the largest number that MAP takes; those above `from` are of classes that no frame
    /// has
    uint32_t MostFrom() const
    {
        return from == 7 ? 15 : from;
    }

    /// @return whether fields that are not in the list are of other subsystems
    bool HasForeignFields() const
    {
        return name == "PORT" || name == "DEVICE_METADATA";
    }

    /// @return whether the entries are lists of profiles of ports
    bool IsOfProfiles() const
    {
        return name == "BUFFER_PORT_INGRESS_PROFILE_LIST" ||
               name == "BUFFER_PORT_EGRESS_PROFILE_LIST";
    }

    /// @param field name of one @return it; null: there is none of that name
    const SonicField* Find(const std::string& field) const;

    /// @return all tables that the module reads
    static const std::vector<SonicSchema>& List();
    /// @param table name of one @return it; null: a table of another subsystem
    static const SonicSchema* FindTable(const std::string& table);
};

} // namespace ns3

#endif // LOSSLESS_SONIC_SCHEMA_H
