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
 * Maps the priority that a frame carries (DSCP or 802.1Q PCP, never a private field) to a traffic
 * class of the port, that is to an egress queue and an ingress priority group (IEEE 802.1Q 8.6.6).
 * PFC needs the same map on all ports of a path: compare maps with SameAs().
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

    /// @param dscp 0..63 @param cls class 0..7; throws std::invalid_argument when out of range
    void SetDscp(uint32_t dscp, uint32_t cls);
    /// @param pcp 0..7 @param cls class 0..7; throws std::invalid_argument when out of range
    void SetPcp(uint32_t pcp, uint32_t cls);

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

    /// What is read of a map at each frame.
    struct Table
    {
        Trust trust{DSCP};              //!< attribute Trust
        uint8_t defaultClass{0};        //!< attribute DefaultClass
        std::array<uint8_t, 64> dscp{}; //!< class of each DSCP
        std::array<uint8_t, 8> pcp{};   //!< class of each PCP

        /// Class DSCP / 8, or PCP.
        Table();

        /// @param other another map @return whether all of it is equal
        bool operator==(const Table& other) const;

        /// @param frame a frame @return its class
        uint8_t Classify(const Frame& frame) const
        {
            switch (trust)
            {
            case DSCP:
                return dscp[frame.dscp];
            case DOT1P:
                return frame.tagged ? pcp[frame.pcp] : defaultClass;
            default:
                return defaultClass;
            }
        }
    };

    /// @param frame a frame @return its class at this port
    uint8_t Classify(const Frame& frame) const
    {
        return m_table->Classify(frame);
    }

    /// @return the map as it is now; maps that nobody has changed share one, which thus stays in
    /// the cache of the processor
    std::shared_ptr<const Table> GetTable() const
    {
        return m_table;
    }

    /// @param other another map @return whether both classify every frame alike
    bool SameAs(const TrafficClassMap& other) const;

  private:
    /// @param text attribute Dscp; throws std::invalid_argument if it cannot be read
    void SetDscpText(const std::string& text);
    /// @return attribute Dscp
    std::string GetDscpText() const;
    /// @param text attribute Pcp; throws std::invalid_argument if it cannot be read
    void SetPcpText(const std::string& text);
    /// @return attribute Pcp
    std::string GetPcpText() const;

    /// Replace the map, unless a user refuses. @param table the new map
    void Change(const Table& table);

    std::shared_ptr<const Table> m_table; //!< never changes; Change() makes another
    std::vector<QbbPortSettings*> m_users;
};

} // namespace ns3

#endif // LOSSLESS_TRAFFIC_CLASS_MAP_H
