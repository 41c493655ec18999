// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SONIC_CONFIG_H
#define LOSSLESS_SONIC_CONFIG_H

#include "ns3/finding.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The part of a configuration of SONiC (config_db.json) that is about ports, buffers, queues and
 * priorities, in SONiC's own tables and fields. It knows nothing of fabrics; SonicSwitch puts it
 * onto a switch. doc/sonic.rst lists tables and fields.
 *
 * Both forms of references ("[BUFFER_PROFILE|lossy]" of older releases, and "lossy"), lists of
 * ports and ranges in keys ("Ethernet0,Ethernet4|3-4"), and lists in place of text with commas are
 * read. All of it is kept, and written, in one form: an entry a port, references without brackets,
 * text with commas, tables and keys in order. What cannot be read is a FabricError that names file,
 * table, key and field.
 */
class SonicConfig
{
  public:
    /// Fields of an entry by name.
    using Fields = std::map<std::string, std::string>;
    /// Entries of a table: key and fields, in the order of keys as people read it.
    using Table = std::vector<std::pair<std::string, Fields>>;

    /// Field of PORT_QOS_MAP that the key "global" has for all ports; SONiC takes no other there.
    static constexpr const char* GLOBAL_FIELD = "dscp_to_tc_map";

    /// A port.
    struct Port
    {
        std::string name;                 //!< such as "Ethernet0"
        std::optional<uint64_t> megabits; //!< speed, Mb/s
        std::optional<uint32_t> mtu;      //!< longest IP packet, bytes
        uint32_t lanes{0};                //!< how many; 0: not said
    };

    /// A pool of buffer space.
    struct Pool
    {
        std::string name;                   //!< such as "ingress_lossless_pool"
        bool isIngress{true};               //!< or of egress
        std::optional<uint64_t> size;       //!< bytes; none: all that is there
        uint64_t xoff{0};                   //!< bytes of headroom that its classes share; 0: none
        std::optional<uint64_t> percentage; //!< of the space that is left for it, without size
    };

    /// How a class uses a pool.
    struct Profile
    {
        std::string name;                  //!< such as "pg_lossless_100000_5m_profile"
        std::string pool;                  //!< name of its pool; empty: none is said
        uint64_t size{0};                  //!< reserved bytes
        std::optional<int32_t> dynamicTh;  //!< threshold 2^dynamicTh of the free space
        std::optional<uint64_t> staticTh;  //!< threshold in bytes
        std::optional<uint64_t> xon;       //!< bytes
        std::optional<uint64_t> xoff;      //!< headroom, bytes; none: the class is lossy
        std::optional<uint64_t> xonOffset; //!< bytes below the threshold
        bool isDynamic{false};             //!< the headroom is computed, and so no xoff
    };

    /// How queues take turns, and their rates.
    struct Scheduler
    {
        /// Kinds of turns.
        enum Type
        {
            DWRR,  //!< by weights, in bytes
            WRR,   //!< by weights, in frames
            STRICT //!< before all others
        };

        std::string name;      //!< of the entry
        Type type{WRR};        //!< kind of turns
        uint32_t weight{1};    //!< of DWRR and WRR
        bool ofPackets{false}; //!< rates are packets a second
        uint64_t cir{0};       //!< lowest rate, bytes a second; 0: none
        uint64_t pir{0};       //!< highest rate, bytes a second; 0: none
        uint64_t cbs{0};       //!< burst of the lowest rate, bytes; 0: not said
        uint64_t pbs{0};       //!< burst of the highest rate, bytes; 0: not said
    };

    /// When the frames of a queue are marked.
    struct Wred
    {
        std::string name;      //!< of the entry
        bool asks{false};      //!< green frames should get marks
        bool marks{false};     //!< green frames get marks: WRED is on for them
        bool drops{false};     //!< green frames that cannot be marked are dropped
        uint64_t min{0};       //!< bytes up to which no frame is marked
        uint64_t max{0};       //!< bytes from which each frame is marked
        uint32_t percent{100}; //!< probability at max
    };

    /// The watchdog of a port.
    struct Watchdog
    {
        std::string action{"drop"}; //!< drop, forward or alert
        uint32_t detection{0};      //!< ms; 0: not said
        uint32_t restoration{0};    //!< ms; 0: not said
    };

    /// No tables.
    SonicConfig() = default;

    /// @param path of config_db.json @return what it says; FabricError if it cannot be used
    static SonicConfig Read(const std::string& path);
    /// @param text of config_db.json @param name of it, for messages @return what it says;
    /// FabricError if it cannot be used
    static SonicConfig FromText(const std::string& text, const std::string& name);
    /// @return the text of config_db.json that says the same, of the tables that are read
    std::string ToText() const;

    /// @return whether both say the same, in the tables that are read
    /// @param other another configuration
    bool operator==(const SonicConfig& other) const
    {
        return m_tables == other.m_tables;
    }

    /// @param other another configuration @return whether they say different things
    bool operator!=(const SonicConfig& other) const
    {
        return !(*this == other);
    }

    /// @return of which file it was read; for messages
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return names of the tables of other subsystems, which are not kept
    const std::set<std::string>& GetOtherTables() const
    {
        return m_others;
    }

    /// @return what of it has no effect anywhere: tables, and of each reason the first field
    std::vector<Finding> GetUnused() const;

    // ---- what it says, as SONiC calls it

    /// @param table name of a table @return its entries; none: there is no such table
    const Table& GetTable(const std::string& table) const;
    /// @param table name of a table @return whether there is one, though it may be empty
    bool HasTable(const std::string& table) const;
    /// @param table name of a table @param key of an entry @return its fields; null: there is none
    const Fields* Find(const std::string& table, const std::string& key) const;
    /// @param table name of a table @param key of an entry @param field one of its fields
    /// @return the text; empty: there is none
    std::string Get(const std::string& table,
                    const std::string& key,
                    const std::string& field) const;
    /// Set a field, which is not checked before the text is read again. @param table name of a
    /// table @param key of an entry @param field one of its fields @param value its text
    void Set(const std::string& table,
             const std::string& key,
             const std::string& field,
             const std::string& value);

    // ---- the same as numbers

    /// @return the ports that are not down, in order: by index, then by name
    std::vector<Port> GetPorts() const;
    /// @param port name of one @return length of its cable; none: it is not said
    std::optional<uint32_t> GetMetres(const std::string& port) const;
    /// @return the pools
    std::vector<Pool> GetPools() const;
    /// @param name of one @return the profile; FabricError if there is none
    Profile GetProfile(const std::string& name) const;
    /// @param name of one @return the scheduler; FabricError if there is none
    Scheduler GetScheduler(const std::string& name) const;
    /// @param name of one @return when frames are marked; FabricError if there is none
    Wred GetWred(const std::string& name) const;
    /// @param port name of one @return its watchdog; none: the port has none
    std::optional<Watchdog> GetWatchdog(const std::string& port) const;
    /// @return milliseconds between two looks of watchdogs; none: it is not said
    std::optional<uint32_t> GetPollInterval() const;
    /// @param port name of one @param field of PORT_QOS_MAP @return its text there, or GLOBAL_FIELD
    /// of the key "global"; none: there is no such field
    std::optional<std::string> GetQosMap(const std::string& port, const std::string& field) const;
    /// @param port name of one @param field "pfc_enable" or "pfcwd_sw_enable" @return mask of the
    /// priorities; none: there is no such field
    std::optional<uint8_t> GetPriorities(const std::string& port, const std::string& field) const;
    /// @param table "DSCP_TO_TC_MAP" or another of maps @param name of one @return what each number
    /// becomes
    std::map<uint32_t, uint32_t> GetMap(const std::string& table, const std::string& name) const;
    /// @param table "BUFFER_PG", "BUFFER_QUEUE" or "QUEUE" @param port name of one @param number of
    /// a queue or group @return the fields of its entry; null: there is none
    const Fields* FindOf(const std::string& table, const std::string& port, uint32_t number) const;

    /// @param table its table @param key its key @return "config_db.json:12: PORT \"Ethernet0\""
    std::string PlaceOf(const std::string& table, const std::string& key) const;
    /// Throw what is wrong in an entry. @param table its table @param key its key @param wrong what
    /// is wrong @param right what would be right
    [[noreturn]] void Fail(const std::string& table,
                           const std::string& key,
                           const std::string& wrong,
                           const std::string& right) const;

  private:
    friend class SonicReader;

    /// @param table its table @param key its key @return line of the file that has it; 0: none
    uint64_t LineOf(const std::string& table, const std::string& key) const;
    /// @param fields of an entry @param field one @return the number; none: there is no such field
    static std::optional<uint64_t> Number(const Fields& fields, const std::string& field);
    /// @param table name of a table @param name of an entry @return its fields; FabricError if
    /// there is none
    const Fields& Require(const std::string& table, const std::string& name) const;

    std::string m_name{"config_db.json"};
    std::map<std::string, Table> m_tables; //!< by name
    std::set<std::string> m_others;        //!< tables of other subsystems
    /// Lines of the file by table and key; of the table itself with an empty key.
    std::map<std::pair<std::string, std::string>, uint64_t> m_lines;
};

} // namespace ns3

#endif // LOSSLESS_SONIC_CONFIG_H
