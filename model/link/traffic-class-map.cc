// SPDX-License-Identifier: GPL-2.0-only
#include "traffic-class-map.h"

#include "qbb-port-settings.h"

#include "ns3/apply-or-undo.h"
#include "ns3/enum-accessor.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/used-accessor.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TrafficClassMap");

NS_OBJECT_ENSURE_REGISTERED(TrafficClassMap);

namespace
{

/// What a map leads from and to, for messages.
struct MapNames
{
    const char* from; //!< such as "DSCP"
    const char* to;   //!< such as "class"
    const char* text; //!< such as "26:3 or 48-55:6"
};

constexpr MapNames DSCP_MAP{"DSCP", "class", "26:3 or 48-55:6"};
constexpr MapNames PCP_MAP{"PCP", "class", "26:3 or 48-55:6"};
constexpr MapNames QUEUE_MAP{"class", "queue", "4:3 or 5-6:2"};
constexpr MapNames GROUP_MAP{"class", "priority group", "4:3 or 5-6:2"};
constexpr MapNames PFC_PRIORITY_MAP{"priority group", "PFC priority", "4:3 or 5-6:2"};
constexpr MapNames PFC_QUEUE_MAP{"PFC priority", "queue", "4:3 or 3:3,3:4"};

/// Throws std::invalid_argument unless value < count and target is from 0 to 7.
void
CheckEntry(const MapNames& names, uint32_t value, uint32_t count, uint32_t target)
{
    if (value >= count || target >= TRAFFIC_CLASSES)
    {
        throw std::invalid_argument(std::string("TrafficClassMap: ") + names.from + " " +
                                    std::to_string(value) + " to " + names.to + " " +
                                    std::to_string(target) + ": need " + names.from + " below " +
                                    std::to_string(count) + " and a " + names.to + " from 0 to 7");
    }
}

/// @return whether a text is numbers without a sign, and one character between them
bool
IsOfNumbers(const std::string& text)
{
    bool isDigit = false;
    for (const char c : text)
    {
        const bool was = isDigit;
        isDigit = c >= '0' && c <= '9';
        if (!isDigit && !was)
        {
            return false;
        }
    }
    return isDigit;
}

/// An entry of a map: all values from first to last lead to the target.
struct Entry
{
    uint32_t first{0};
    uint32_t last{0};
    uint32_t target{0};
};

/// @param text an entry such as "26:3" or "48-55:6" @param names of the map @param count number of
/// values @return what it says
Entry
ReadEntry(std::string text, const MapNames& names, uint32_t count)
{
    Entry entry;
    char rest = 0;
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    const bool isRange =
        std::sscanf(text.c_str(), "%u-%u:%u%c", &entry.first, &entry.last, &entry.target, &rest) ==
        3;
    if (!IsOfNumbers(text) ||
        (!isRange && std::sscanf(text.c_str(), "%u:%u%c", &entry.first, &entry.target, &rest) != 2))
    {
        throw std::invalid_argument(std::string("TrafficClassMap: ") + names.from + " \"" + text +
                                    "\" cannot be read; such as " + names.text);
    }
    entry.last = isRange ? entry.last : entry.first;
    CheckEntry(names, std::max(entry.first, entry.last), count, entry.target);
    if (entry.first > entry.last)
    {
        throw std::invalid_argument(std::string("TrafficClassMap: ") + names.from + " \"" + text +
                                    "\" runs backwards; write " + std::to_string(entry.last) + "-" +
                                    std::to_string(entry.first) + ":" +
                                    std::to_string(entry.target));
    }
    return entry;
}

/**
 * A map, as the attributes have it: "26:3,48-55:6".
 * @param text entries that differ from the default; empty: none
 * @param names of the map, for messages
 * @param targets the default; then what the text says, by value
 */
template <std::size_t N>
void
ReadEntries(const std::string& text, const MapNames& names, std::array<uint8_t, N>& targets)
{
    std::istringstream entries(text);
    std::array<bool, N> isSaid{};
    for (std::string part; std::getline(entries, part, ',');)
    {
        const Entry entry = ReadEntry(part, names, N);
        for (uint32_t value = entry.first; value <= entry.last; ++value)
        {
            if (std::exchange(isSaid[value], true))
            {
                throw std::invalid_argument(std::string("TrafficClassMap: ") + names.from + " " +
                                            std::to_string(value) +
                                            " is there twice; name it once");
            }
            targets[value] = static_cast<uint8_t>(entry.target);
        }
    }
}

/**
 * As ReadEntries(), for a map in which a value may lead to several targets: "3:3,3:4".
 * @param text entries; a value that has one leads to the targets of its entries alone
 * @param names of the map, for messages
 * @param masks the default, masks of targets; then what the text says, by value
 */
void
ReadMasks(const std::string& text, const MapNames& names, std::array<uint8_t, 8>& masks)
{
    std::istringstream entries(text);
    std::array<uint8_t, 8> said{};
    for (std::string part; std::getline(entries, part, ',');)
    {
        const Entry entry = ReadEntry(part, names, masks.size());
        for (uint32_t value = entry.first; value <= entry.last; ++value)
        {
            said[value] |= 1U << entry.target;
        }
    }
    for (uint32_t value = 0; value < masks.size(); ++value)
    {
        masks[value] = said[value] ? said[value] : masks[value];
    }
}

/// @param masks by value @param initial the default @return the text of ReadMasks()
std::string
WriteMasks(const std::array<uint8_t, 8>& masks, const std::array<uint8_t, 8>& initial)
{
    std::string text;
    for (uint32_t value = 0; value < masks.size(); ++value)
    {
        for (uint32_t target = 0; target < 8 && masks[value] != initial[value]; ++target)
        {
            if (masks[value] & (1U << target))
            {
                text += (text.empty() ? "" : ",") + std::to_string(value) + ":" +
                        std::to_string(target);
            }
        }
    }
    return text;
}

/// @param classes by code point @param initial the default @return the text of ReadEntries()
template <std::size_t N>
std::string
WriteEntries(const std::array<uint8_t, N>& classes, const std::array<uint8_t, N>& initial)
{
    std::string text;
    for (std::size_t first = 0; first < N; ++first)
    {
        if (classes[first] == initial[first])
        {
            continue;
        }
        std::size_t last = first;
        while (last + 1 < N && classes[last + 1] == classes[first] &&
               classes[last + 1] != initial[last + 1])
        {
            ++last;
        }
        text += (text.empty() ? "" : ",") + std::to_string(first) +
                (last > first ? "-" + std::to_string(last) : "") + ":" +
                std::to_string(classes[first]);
        first = last;
    }
    return text;
}

/// @param targets by value @param mask of targets @return mask of the values that lead to them
uint8_t
SourcesOf(const std::array<uint8_t, 8>& targets, uint8_t mask)
{
    uint8_t sources = 0;
    for (uint32_t value = 0; value < targets.size(); ++value)
    {
        sources |= mask & (1U << targets[value]) ? 1U << value : 0;
    }
    return sources;
}

} // namespace

TypeId
TrafficClassMap::GetTypeId()
{
    static TypeId tid = AddChain(
        TypeId("ns3::TrafficClassMap")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<TrafficClassMap>()
            .AddAttribute("Trust",
                          "Field of a frame that decides its class: none (Untrusted), the PCP of "
                          "the 802.1Q tag (Dot1p) or the DSCP of the IP header (Dscp)",
                          EnumValue(DSCP),
                          MakeLosslessEnumAccessor<Trust>(&TrafficClassMap::SetTrust,
                                                          &TrafficClassMap::GetTrust),
                          MakeEnumChecker(UNTRUSTED, "Untrusted", DOT1P, "Dot1p", DSCP, "Dscp"))
            .AddAttribute("DefaultClass",
                          "Class of a frame without the trusted field: of every frame when Trust "
                          "is Untrusted, of untagged frames when it is Dot1p.",
                          UintegerValue(0),
                          UsedWhen(MakeUintegerAccessor(&TrafficClassMap::SetDefaultClass,
                                                        &TrafficClassMap::GetDefaultClass),
                                   &TrafficClassMap::UsesDefaultClass,
                                   "Trust Dot1p or Untrusted"),
                          MakeUintegerChecker<uint8_t>(0, TRAFFIC_CLASSES - 1))
            .AddAttribute(
                "Dscp",
                "Classes of DSCPs where they are not DSCP / 8, such as "
                "\"26:3,48-55:6\": DSCP or range of DSCPs, and class.",
                StringValue(""),
                MakeStringAccessor(&TrafficClassMap::SetDscpText, &TrafficClassMap::GetDscpText),
                MakeStringChecker())
            .AddAttribute("Pcp",
                          "Classes of PCPs where they are not the PCP itself, as Dscp.",
                          StringValue(""),
                          UsedWhen(MakeStringAccessor(&TrafficClassMap::SetPcpText,
                                                      &TrafficClassMap::GetPcpText),
                                   &TrafficClassMap::UsesPcp,
                                   "Trust Dot1p"),
                          MakeStringChecker()));
    return tid;
}

TypeId
TrafficClassMap::AddChain(TypeId tid)
{
    return tid
        .AddAttribute(
            "Queue",
            "Egress queues of classes where they are not the class itself, such as "
            "\"4:3,5-6:2\": class or range of classes, and queue. For frames that leave "
            "by the port.",
            StringValue(""),
            MakeStringAccessor(&TrafficClassMap::SetQueueText, &TrafficClassMap::GetQueueText),
            MakeStringChecker())
        .AddAttribute("PriorityGroup",
                      "Priority groups of classes where they are not the class itself, as Queue. "
                      "For frames that arrive at the port: the buffer books them by their group.",
                      StringValue(""),
                      MakeStringAccessor(&TrafficClassMap::SetPriorityGroupText,
                                         &TrafficClassMap::GetPriorityGroupText),
                      MakeStringChecker())
        .AddAttribute("PfcPriority",
                      "PFC priorities that the pauses of priority groups name where they are not "
                      "the group itself, as Queue: group, and PFC priority. Groups with one PFC "
                      "priority are paused together, while any of them must be.",
                      StringValue(""),
                      MakeStringAccessor(&TrafficClassMap::SetPfcPriorityText,
                                         &TrafficClassMap::GetPfcPriorityText),
                      MakeStringChecker())
        .AddAttribute("PfcQueue",
                      "Egress queues that pause when a PFC frame names a priority, where they are "
                      "not the priority itself, such as \"3:3,3:4\": PFC priority, and queue. A "
                      "priority may pause several queues, and a queue several priorities: it sends "
                      "again when all of them have resumed.",
                      StringValue(""),
                      MakeStringAccessor(&TrafficClassMap::SetPfcQueueText,
                                         &TrafficClassMap::GetPfcQueueText),
                      MakeStringChecker());
}

TrafficClassMap::Table::Table()
{
    for (uint32_t value = 0; value < dscp.size(); ++value)
    {
        dscp[value] = value >> 3; // class selector code points, RFC 2474
    }
    for (uint32_t value = 0; value < pcp.size(); ++value)
    {
        pcp[value] = value;
    }
    queue = group = pfcPriority = pcp;
    for (uint32_t value = 0; value < pfcQueues.size(); ++value)
    {
        pfcQueues[value] = 1U << value;
    }
}

bool
TrafficClassMap::Table::operator==(const Table& other) const
{
    return trust == other.trust && defaultClass == other.defaultClass && dscp == other.dscp &&
           pcp == other.pcp && queue == other.queue && group == other.group &&
           pfcPriority == other.pfcPriority && pfcQueues == other.pfcQueues;
}

bool
TrafficClassMap::Table::KeepsQueues() const
{
    return queue == Table().queue;
}

uint8_t
TrafficClassMap::Table::QueuesOfPriorities(uint8_t priorities) const
{
    uint8_t queues = 0;
    for (uint32_t priority = 0; priority < pfcQueues.size(); ++priority)
    {
        queues |= priorities & (1U << priority) ? pfcQueues[priority] : 0;
    }
    return queues;
}

uint8_t
TrafficClassMap::Table::PrioritiesOfQueues(uint8_t queues) const
{
    uint8_t priorities = 0;
    for (uint32_t priority = 0; priority < pfcQueues.size(); ++priority)
    {
        priorities |= pfcQueues[priority] & queues ? 1U << priority : 0;
    }
    return priorities;
}

uint8_t
TrafficClassMap::Table::GroupsOfPriorities(uint8_t priorities) const
{
    return SourcesOf(pfcPriority, priorities);
}

uint8_t
TrafficClassMap::Table::ClassesOfQueues(uint8_t queues) const
{
    return SourcesOf(queue, queues);
}

uint8_t
TrafficClassMap::Table::ClassesOfGroups(uint8_t groups) const
{
    return SourcesOf(group, groups);
}

uint8_t
TrafficClassMap::Table::GroupsOfClasses(uint8_t classes) const
{
    uint8_t groups = 0;
    for (uint32_t cls = 0; cls < group.size(); ++cls)
    {
        groups |= classes & (1U << cls) ? 1U << group[cls] : 0;
    }
    return groups;
}

TrafficClassMap::TrafficClassMap()
{
    static const auto unchanged = std::make_shared<const Table>();
    m_table = unchanged;
}

TrafficClassMap::TrafficClassMap(const TrafficClassMap& like)
    : Object(like),
      m_table(like.m_table)
{
}

void
TrafficClassMap::SetDscp(uint32_t dscp, uint32_t cls)
{
    NS_LOG_FUNCTION(this << dscp << cls);
    Table table = *m_table;
    CheckEntry(DSCP_MAP, dscp, table.dscp.size(), cls);
    table.dscp[dscp] = cls;
    Change(table);
}

void
TrafficClassMap::SetPcp(uint32_t pcp, uint32_t cls)
{
    NS_LOG_FUNCTION(this << pcp << cls);
    Table table = *m_table;
    CheckEntry(PCP_MAP, pcp, table.pcp.size(), cls);
    table.pcp[pcp] = cls;
    Change(table);
}

void
TrafficClassMap::SetQueue(uint32_t cls, uint32_t queue)
{
    NS_LOG_FUNCTION(this << cls << queue);
    Table table = *m_table;
    CheckEntry(QUEUE_MAP, cls, table.queue.size(), queue);
    table.queue[cls] = queue;
    Change(table);
}

void
TrafficClassMap::SetPriorityGroup(uint32_t cls, uint32_t group)
{
    NS_LOG_FUNCTION(this << cls << group);
    Table table = *m_table;
    CheckEntry(GROUP_MAP, cls, table.group.size(), group);
    table.group[cls] = group;
    Change(table);
}

void
TrafficClassMap::SetPfcPriority(uint32_t group, uint32_t priority)
{
    NS_LOG_FUNCTION(this << group << priority);
    Table table = *m_table;
    CheckEntry(PFC_PRIORITY_MAP, group, table.pfcPriority.size(), priority);
    table.pfcPriority[group] = priority;
    Change(table);
}

void
TrafficClassMap::SetPfcQueues(uint32_t priority, uint32_t queues)
{
    NS_LOG_FUNCTION(this << priority << queues);
    Table table = *m_table;
    if (priority >= table.pfcQueues.size() || queues == 0 || queues > 0xff)
    {
        throw std::invalid_argument("TrafficClassMap: PFC priority " + std::to_string(priority) +
                                    " to the queues of mask " + std::to_string(queues) +
                                    ": need a PFC priority below 8 and a mask from 1 to 255");
    }
    table.pfcQueues[priority] = queues;
    Change(table);
}

void
TrafficClassMap::SetTrust(Trust trust)
{
    NS_LOG_FUNCTION(this << trust);
    Table table = *m_table;
    table.trust = trust;
    Change(table);
}

void
TrafficClassMap::SetDefaultClass(uint8_t cls)
{
    NS_LOG_FUNCTION(this << +cls);
    Table table = *m_table;
    table.defaultClass = cls;
    Change(table);
}

void
TrafficClassMap::SetDscpText(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    Table table = *m_table;
    table.dscp = Table().dscp;
    ReadEntries(text, DSCP_MAP, table.dscp);
    Change(table);
}

std::string
TrafficClassMap::GetDscpText() const
{
    return WriteEntries(m_table->dscp, Table().dscp);
}

void
TrafficClassMap::SetPcpText(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    Table table = *m_table;
    table.pcp = Table().pcp;
    ReadEntries(text, PCP_MAP, table.pcp);
    Change(table);
}

std::string
TrafficClassMap::GetPcpText() const
{
    return WriteEntries(m_table->pcp, Table().pcp);
}

void
TrafficClassMap::SetQueueText(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    Table table = *m_table;
    table.queue = Table().queue;
    ReadEntries(text, QUEUE_MAP, table.queue);
    Change(table);
}

std::string
TrafficClassMap::GetQueueText() const
{
    return WriteEntries(m_table->queue, Table().queue);
}

void
TrafficClassMap::SetPriorityGroupText(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    Table table = *m_table;
    table.group = Table().group;
    ReadEntries(text, GROUP_MAP, table.group);
    Change(table);
}

std::string
TrafficClassMap::GetPriorityGroupText() const
{
    return WriteEntries(m_table->group, Table().group);
}

void
TrafficClassMap::SetPfcPriorityText(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    Table table = *m_table;
    table.pfcPriority = Table().pfcPriority;
    ReadEntries(text, PFC_PRIORITY_MAP, table.pfcPriority);
    Change(table);
}

std::string
TrafficClassMap::GetPfcPriorityText() const
{
    return WriteEntries(m_table->pfcPriority, Table().pfcPriority);
}

void
TrafficClassMap::SetPfcQueueText(const std::string& text)
{
    NS_LOG_FUNCTION(this << text);
    Table table = *m_table;
    table.pfcQueues = Table().pfcQueues;
    ReadMasks(text, PFC_QUEUE_MAP, table.pfcQueues);
    Change(table);
}

std::string
TrafficClassMap::GetPfcQueueText() const
{
    return WriteMasks(m_table->pfcQueues, Table().pfcQueues);
}

uint8_t
TrafficClassMap::GetDefaultClass() const
{
    return m_table->defaultClass;
}

void
TrafficClassMap::AddUser(QbbPortSettings* port)
{
    m_users.push_back(port);
}

void
TrafficClassMap::RemoveUser(QbbPortSettings* port)
{
    m_users.erase(std::remove(m_users.begin(), m_users.end(), port), m_users.end());
}

void
TrafficClassMap::Change(const Table& table)
{
    const auto next = table == *m_table ? m_table : std::make_shared<const Table>(table);
    ApplyOrUndo(m_table, next, [this](const std::shared_ptr<const Table>& now) {
        m_table = now;
        for (auto* port : m_users)
        {
            port->SettingChanged();
        }
    });
}

uint8_t
TrafficClassMap::DscpOfClass(uint8_t cls) const
{
    for (uint32_t dscp = 0; dscp < m_table->dscp.size(); ++dscp)
    {
        if (m_table->dscp[dscp] == cls)
        {
            return dscp;
        }
    }
    return cls << 3; // nothing maps to the class: as the default map has it
}

uint8_t
TrafficClassMap::PcpOfClass(uint8_t cls) const
{
    constexpr uint8_t MOST_PCP = 7;
    uint8_t pcp = 0;
    while (GetTrust() == DOT1P && pcp < MOST_PCP && ClassOfPcp(pcp) != cls)
    {
        ++pcp;
    }
    return pcp;
}

void
TrafficClassMap::MarkAs(Frame& frame, uint8_t cls) const
{
    frame.dscp = DscpOfClass(cls);
    frame.tagged = GetTrust() == DOT1P;
    frame.pcp = PcpOfClass(cls);
}

bool
TrafficClassMap::SameAs(const TrafficClassMap& other) const
{
    // Only what the trusted field reaches can tell two maps apart.
    if (m_table->trust != other.m_table->trust)
    {
        return false;
    }
    switch (m_table->trust)
    {
    case DSCP:
        return m_table->dscp == other.m_table->dscp;
    case DOT1P:
        return m_table->pcp == other.m_table->pcp &&
               m_table->defaultClass == other.m_table->defaultClass;
    default:
        return m_table->defaultClass == other.m_table->defaultClass;
    }
}

bool
TrafficClassMap::BooksAs(const TrafficClassMap& other) const
{
    return m_table->queue == other.m_table->queue && m_table->group == other.m_table->group &&
           SameAs(other);
}

} // namespace ns3
