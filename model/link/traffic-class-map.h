// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRAFFIC_CLASS_MAP_H
#define LOSSLESS_TRAFFIC_CLASS_MAP_H

#include "ns3/fabric-frame.h"
#include "ns3/object.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class QbbPortSettings;

/**
 * @ingroup lossless
 *
 * The maps of a port between the names that a priority has on its way (doc/link.rst). The priority
 * that a frame carries, DSCP or 802.1Q PCP, never a private field, gives its traffic class where it
 * arrives (IEEE 802.1Q 8.6.6). The class gives the priority group, in which the buffer of that port
 * books the frame, and the egress queue of the port by which it leaves. A pause of a priority group
 * names a PFC priority, and a pause that is received stops the queues of its PFC priority. All four
 * are the identity by default: class, queue, priority group and PFC priority are one number then.
 *
 * PFC needs the same classes on all ports of a path: compare maps with SameAs().
 *
 * A map may change during the run, and several ports may share it: each of them classifies by the
 * new map from the next frame on. A change that the owner of a port cannot follow is refused with
 * std::invalid_argument.
 */
class TrafficClassMap : public Object
{
  public:
    /// Which field of a frame decides its class.
    enum Trust
    {
        UNTRUSTED, //!< no field: DefaultClass for every frame
        DOT1P,     //!< PCP of a tagged frame; DefaultClass for an untagged one
        DSCP       //!< DSCP of the IP header
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    TrafficClassMap();
    /// @param like the map that the new one equals; no port uses the new one yet
    TrafficClassMap(const TrafficClassMap& like);
    TrafficClassMap& operator=(const TrafficClassMap&) = delete;

    /// @param dscp 0..63 @param cls class 0..7; throws std::invalid_argument when out of range
    void SetDscp(uint32_t dscp, uint32_t cls);
    /// @param pcp 0..7 @param cls class 0..7; throws std::invalid_argument when out of range
    void SetPcp(uint32_t pcp, uint32_t cls);

    /// @param cls class 0..7 @param queue egress queue 0..7 of frames of the class that leave by
    /// the port; throws std::invalid_argument when out of range
    void SetQueue(uint32_t cls, uint32_t queue);
    /// @param cls class 0..7 @param group priority group 0..7 in which frames of the class that
    /// arrive at the port are booked; throws std::invalid_argument when out of range
    void SetPriorityGroup(uint32_t cls, uint32_t group);
    /// @param group priority group 0..7 @param priority PFC priority 0..7 that its XOFF names;
    /// throws std::invalid_argument when out of range
    void SetPfcPriority(uint32_t group, uint32_t priority);
    /// @param priority PFC priority 0..7 @param queues mask of the egress queues that it pauses
    /// here, not 0; throws std::invalid_argument when out of range
    void SetPfcQueues(uint32_t priority, uint32_t queues);

    /// @param trust which field of a frame decides its class
    void SetTrust(Trust trust);

    /// @return which field of a frame decides its class
    Trust GetTrust() const
    {
        return m_table->trust;
    }

    /// @param cls class of a frame without the trusted field, 0..7
    void SetDefaultClass(uint8_t cls);
    /// @return class of a frame without the trusted field
    uint8_t GetDefaultClass() const;

    /// @param port classifies by this map from now on: it hears of changes
    void AddUser(QbbPortSettings* port);
    /// @param port no longer classifies by this map
    void RemoveUser(QbbPortSettings* port);

    /// @param dscp 0..63 @return its class
    uint8_t ClassOfDscp(uint8_t dscp) const
    {
        return m_table->dscp[dscp & 63];
    }

    /// @param pcp 0..7 @return its class
    uint8_t ClassOfPcp(uint8_t pcp) const
    {
        return m_table->pcp[pcp & 7];
    }

    /// @param cls a class @return the lowest DSCP that maps to the class, with which a sender marks
    /// frames of the class
    uint8_t DscpOfClass(uint8_t cls) const;

    /// @param cls a class @return PCP with which a sender marks frames of the class where the port
    /// trusts PCPs: the lowest that maps to the class, 7 without one; 0 where it trusts others
    uint8_t PcpOfClass(uint8_t cls) const;

    /// Give a frame that this node makes the marks of a class: DSCP, and a tag where the port
    /// trusts PCPs. @param frame untagged, without a length @param cls the class
    void MarkAs(Frame& frame, uint8_t cls) const;

    /// @param cls a class @return egress queue of its frames at the port
    uint8_t QueueOf(uint8_t cls) const
    {
        return m_table->queue[cls];
    }

    /// @param cls a class @return priority group in which its frames are booked at the port
    uint8_t GroupOf(uint8_t cls) const
    {
        return m_table->group[cls];
    }

    /// @param group a priority group @return PFC priority that its XOFF names
    uint8_t PfcPriorityOf(uint8_t group) const
    {
        return m_table->pfcPriority[group];
    }

    /// What is read of a map at each frame, in one cache line, and what PFC reads of it.
    struct alignas(64) Table
    {
        Trust trust{DSCP};                    //!< attribute Trust
        uint8_t defaultClass{0};              //!< attribute DefaultClass
        std::array<uint8_t, 8> queue{};       //!< egress queue of each class
        std::array<uint8_t, 8> group{};       //!< priority group of each class
        std::array<uint8_t, 64> dscp{};       //!< class of each DSCP
        std::array<uint8_t, 8> pcp{};         //!< class of each PCP
        std::array<uint8_t, 8> pfcPriority{}; //!< PFC priority of each priority group
        std::array<uint8_t, 8> pfcQueues{};   //!< mask of the queues of each PFC priority

        /// Class DSCP / 8, or PCP; all else the identity.
        Table();

        /// @param other another map @return whether all of it is equal
        bool operator==(const Table& other) const;

        /// @return whether the queue of each class has the number of the class
        bool KeepsQueues() const;

        /// @param priorities mask of PFC priorities @return mask of the queues that they pause
        uint8_t QueuesOfPriorities(uint8_t priorities) const;
        /// @param queues mask of egress queues @return mask of the PFC priorities that pause one of
        /// them
        uint8_t PrioritiesOfQueues(uint8_t queues) const;
        /// @param priorities mask of PFC priorities @return mask of the priority groups whose XOFF
        /// names one of them
        uint8_t GroupsOfPriorities(uint8_t priorities) const;
        /// @param queues mask of egress queues @return mask of the classes that leave by them
        uint8_t ClassesOfQueues(uint8_t queues) const;
        /// @param groups mask of priority groups @return mask of the classes booked in them
        uint8_t ClassesOfGroups(uint8_t groups) const;
        /// @param classes mask of classes @return mask of the priority groups in which they are
        /// booked
        uint8_t GroupsOfClasses(uint8_t classes) const;

        /// @param marks a Frame, or an RdmaMarking with which frames are sent @return its class
        template <typename Marks>
        uint8_t Classify(const Marks& marks) const
        {
            switch (trust)
            {
            case DSCP:
                return dscp[marks.dscp];
            case DOT1P:
                return marks.tagged ? pcp[marks.pcp] : defaultClass;
            default:
                return defaultClass;
            }
        }
    };

    /// @param marks a Frame, or an RdmaMarking with which frames are sent @return its class at this
    /// port
    template <typename Marks>
    uint8_t Classify(const Marks& marks) const
    {
        return m_table->Classify(marks);
    }

    /// @return the map as it is now; maps that nobody has changed share one, which thus stays in
    /// the cache of the processor
    std::shared_ptr<const Table> GetTable() const
    {
        return m_table;
    }

    /// @param other another map @return whether both classify every frame alike
    bool SameAs(const TrafficClassMap& other) const;

    /// @param other another map @return whether frames have the same class, priority group and
    /// queue by both
    bool BooksAs(const TrafficClassMap& other) const;

  private:
    /// @return whether frames may have no trusted field
    bool UsesDefaultClass() const
    {
        return GetTrust() != DSCP;
    }

    /// @return whether PCPs are read
    bool UsesPcp() const
    {
        return GetTrust() == DOT1P;
    }

    /// @param text attribute Dscp; throws std::invalid_argument if it cannot be read
    void SetDscpText(const std::string& text);
    /// @return attribute Dscp
    std::string GetDscpText() const;
    /// @param text attribute Pcp; throws std::invalid_argument if it cannot be read
    void SetPcpText(const std::string& text);
    /// @return attribute Pcp
    std::string GetPcpText() const;
    /// @param text attribute Queue; throws std::invalid_argument if it cannot be read
    void SetQueueText(const std::string& text);
    /// @return attribute Queue
    std::string GetQueueText() const;
    /// @param text attribute PriorityGroup; throws std::invalid_argument if it cannot be read
    void SetPriorityGroupText(const std::string& text);
    /// @return attribute PriorityGroup
    std::string GetPriorityGroupText() const;
    /// @param text attribute PfcPriority; throws std::invalid_argument if it cannot be read
    void SetPfcPriorityText(const std::string& text);
    /// @return attribute PfcPriority
    std::string GetPfcPriorityText() const;
    /// @param text attribute PfcQueue; throws std::invalid_argument if it cannot be read
    void SetPfcQueueText(const std::string& text);
    /// @return attribute PfcQueue
    std::string GetPfcQueueText() const;

    /// The attributes of the maps beyond the class. @param tid the TypeId @return the same
    static TypeId AddChain(TypeId tid);

    /// Replace the map, unless a user refuses. @param table the new map
    void Change(const Table& table);

    std::shared_ptr<const Table> m_table; //!< never changes; Change() makes another
    std::vector<QbbPortSettings*> m_users;
};

} // namespace ns3

#endif // LOSSLESS_TRAFFIC_CLASS_MAP_H
