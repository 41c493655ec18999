// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_SWITCH_H
#define LOSSLESS_INOF_SWITCH_H

#include "inof-directory.h"
#include "inof-session.h"
#include "inof-zone.h"

#include "ns3/counter-fields.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Sends the datagrams of an InofSwitch and receives its events.
class InofSwitchSink
{
  public:
    virtual ~InofSwitchSink() = default;

    /// @param port port of the host @param datagram datagram to send to the host now
    virtual void SendToHost(uint32_t port, const InofDatagram& datagram) = 0;
    /// @param peer number of a switch @param datagram datagram to send to the switch now
    virtual void SendToPeer(uint32_t peer, const InofDatagram& datagram) = 0;
    /// The switch is about to notify a host. @param port port of the host @param event the message
    virtual void Notified(uint32_t port, const InofMessage& event) = 0;
    /// @param peer number of a switch @param up whether the session is up now
    virtual void SessionChanged(uint32_t peer, bool up) = 0;
};

/**
 * @ingroup lossless
 *
 * iNOF in one switch (H3C, Intelligent Lossless Network Technology White Paper): discovers the
 * hosts at its ports, keeps the zone table, and notifies hosts of each other. In direct mode the
 * switch works alone. In cross-switch mode it exchanges announcements of hosts with other switches,
 * as a client of reflectors or as a reflector. Clients have sessions with reflectors only. A
 * reflector passes announcements of a client to all others, and announcements of another reflector
 * to its clients, as BGP route reflectors do (RFC 4456).
 *
 * The class is a state machine that does not use the simulator: callers pass datagrams, link
 * changes and times (ps), and it calls its sink.
 */
class InofSwitch : private InofSessionSink
{
  public:
    /// Role of the other end of a session.
    enum Relation
    {
        CLIENT,   //!< a client of this switch, which is its reflector
        REFLECTOR //!< a reflector of this switch, or a fellow reflector
    };

    /// Configuration of a switch.
    struct Config
    {
        uint32_t number{0};  //!< number of the switch, unique; not InofDirectory::SELF
        uint32_t cluster{0}; //!< cluster of a reflector, from 1; 0: no reflector
        uint32_t ports{0};   //!< number of ports
        int64_t helloIntervalPs{1000000000000}; //!< time between two HELLOs of a host
        uint32_t helloMisses{3}; //!< intervals of silence after which a host counts as gone
        int64_t retransmitPs{10000000000}; //!< time until a notice is sent again
        InofSession::Config session;       //!< times of sessions
        int64_t gracefulPs{0};  //!< how long hosts of a lost session are kept; 0: not kept
        int64_t deferralPs{0};  //!< time for HELLOs of hosts after a restart
        uint8_t requiredPfc{0}; //!< classes that need PFC at a host's port
    };

    /// Counters.
    struct Counters
    {
        uint64_t hellos{0};         //!< HELLOs received from hosts
        uint64_t notifications{0};  //!< notices to hosts, one for each notified host
        uint64_t retransmitted{0};  //!< messages sent again, to hosts and switches
        uint64_t routesSent{0};     //!< ROUTE messages sent, one for each session
        uint64_t routesReceived{0}; //!< ROUTE messages received from other switches
        uint64_t duplicates{0};     //!< ROUTE messages received that were known already
        uint64_t outdated{0};       //!< ROUTE messages received after a later one
        uint64_t loops{0};          //!< ROUTE messages received back from a loop of reflectors
        uint64_t sessionsLost{0};   //!< sessions that went down
        uint64_t kept{0};           //!< hosts kept by graceful restart, counted each time
        uint64_t zoneUpdates{0};    //!< zone tables received and taken over
        uint64_t hostsTimedOut{0};  //!< hosts that were silent for too long

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::hellos, {"hellos", "messages", "HELLOs received from hosts"});
            visit(&C::notifications,
                  {"notifications", "messages", "notices to hosts, one for each notified host"});
            visit(&C::retransmitted,
                  {"retransmitted", "messages", "messages sent again, to hosts and switches"});
            visit(&C::routesSent,
                  {"routes_sent", "messages", "ROUTE messages sent, one for each session"});
            visit(&C::routesReceived,
                  {"routes_received", "messages", "ROUTE messages received from other switches"});
            visit(&C::duplicates,
                  {"duplicates", "messages", "ROUTE messages received that were known already"});
            visit(&C::outdated,
                  {"outdated", "messages", "ROUTE messages received after a later one"});
            visit(&C::loops,
                  {"loops", "messages", "ROUTE messages received back from a loop of reflectors"});
            visit(&C::sessionsLost, {"sessions_lost", "sessions", "sessions that went down"});
            visit(&C::kept, {"kept", "hosts", "hosts kept by graceful restart, counted each time"});
            visit(&C::zoneUpdates,
                  {"zone_updates", "tables", "zone tables received and taken over"});
            visit(&C::hostsTimedOut,
                  {"hosts_timed_out", "hosts", "hosts that were silent for too long"});
        }
    };

    /// @param sink sends datagrams and receives events @param config the configuration
    InofSwitch(InofSwitchSink& sink, const Config& config);
    ~InofSwitch() override;

    /// @param peer number of another switch @param relation its role; throws std::invalid_argument
    /// if the two cannot have a session
    void AddSession(uint32_t peer, Relation relation);

    /// Start: ask hosts for HELLOs, start sessions. @param now ps
    void Start(int64_t now);
    /// Stop: send nothing any more, and forget all hosts; zones stay.
    void Stop();

    /// @return whether the switch was started and not stopped
    bool IsRunning() const
    {
        return m_running;
    }

    // ---- events

    /// @param port port of a host @param datagram datagram of the host @param now ps
    void HostDatagram(uint32_t port, const InofDatagram& datagram, int64_t now);
    /// @param datagram datagram of another switch @param now ps
    void PeerDatagram(const InofDatagram& datagram, int64_t now);
    /// The link of a port went up or down. @param port the port @param up new state @param now ps
    void LinkChanged(uint32_t port, bool up, int64_t now);
    /// The switch has found or cleared a fault of a port. @param port the port
    /// @param fault the fault; NONE: the port works again @param now ps
    void SetFault(uint32_t port, InofReason fault, int64_t now);

    /// @param port a port @return its fault
    InofReason GetFault(uint32_t port) const
    {
        return m_ports.at(port).fault;
    }

    /// @param port a port @param classes mask of the classes that need PFC there, in place of
    /// Config::requiredPfc
    void SetRequiredPfc(uint32_t port, uint8_t classes)
    {
        m_ports.at(port).requiredPfc = classes;
    }

    /// Execute the deadlines that have come. @param now ps
    void Advance(int64_t now);
    /// @return the next deadline, ps
    int64_t NextDeadline() const;

    // ---- zones

    /**
     * Change the zones. Only in direct mode or on a reflector, which sends the zones to other
     * switches; else std::invalid_argument.
     * @param change called with the zone table
     * @param now ps
     */
    void ConfigureZones(const std::function<void(InofZoneTable&)>& change, int64_t now);

    /// @return the zones
    const InofZoneTable& GetZones() const
    {
        return m_zones;
    }

    // ---- state

    /// @return the known hosts
    const InofDirectory& GetDirectory() const
    {
        return m_directory;
    }

    /// @param peer number of a switch @return whether the session with it is up
    bool IsSessionUp(uint32_t peer) const;

    /// @return the configuration
    const Config& GetConfig() const
    {
        return m_config;
    }

    /// @return the counters
    Counters GetCounters() const;

  private:
    /// A port and its host.
    struct Port
    {
        explicit Port(int64_t retransmitPs)
            : notices(retransmitPs)
        {
        }

        bool present{false};                   //!< whether a host is registered
        InofReason fault{InofReason::NONE};    //!< fault of the port
        uint8_t requiredPfc{0};                //!< mask of the classes for which the host needs PFC
        InofHostInfo host;                     //!< the host
        uint32_t hostEpoch{0};                 //!< incarnation of the host
        uint32_t epoch{0};                     //!< epoch of the stream to the host
        InofSendStream notices;                //!< stream to the host
        int64_t lastHeard{0};                  //!< time of its last datagram, ps
        std::map<uint32_t, InofHostInfo> told; //!< hosts of which the host has been notified as up
    };

    /// A session and its state.
    struct Peer
    {
        std::unique_ptr<InofSession> session;
        Relation relation;
        InofZoneTable incoming;                   //!< zone table being received
        int64_t keepUntil{InofSendStream::NEVER}; //!< graceful restart: end of the grace, ps
    };

    // Hosts, in inof-switch.cc.

    void Join(uint32_t port, const InofDatagram& hello, int64_t now);
    void Leave(uint32_t port, InofReason reason, int64_t now);
    /// @param port a port @param message message to carry, or null @param sequence its number
    void SendNotice(uint32_t port, const InofMessage* message, uint32_t sequence);
    /// Send the notices that the window to a host allows.
    void Flush(uint32_t port, int64_t now);
    /// Notify a host of another host if the state of the latter has changed.
    void Reconcile(uint32_t port, uint32_t host, int64_t now);
    /// Reconcile() with all other hosts.
    void ReconcileAll(uint32_t port, int64_t now);
    /// Queue a notice for a host. @param host the other host
    void Tell(uint32_t port, const InofHostInfo& host, bool up, InofReason reason);
    /// @return a new announcement of a host by this switch
    InofMessage MakeWord(const InofHostInfo& host, bool up, InofReason reason);

    // Other switches.

    void SendDatagram(InofSession& session, const InofDatagram& datagram) override;
    void SessionUp(InofSession& session, int64_t now) override;
    void SessionDown(InofSession& session, int64_t now) override;
    void MessageReceived(InofSession& session, const InofMessage& message, int64_t now) override;
    /// @param via neighbour that has passed an announcement on, or SELF @param to a session @return
    /// whether to pass it to that session
    bool MayPass(uint32_t via, const Peer& to) const;
    /// Take in an announcement. @param word the announcement @param via neighbour that has passed
    /// it on, or SELF
    void Learn(const InofMessage& word, uint32_t via, int64_t now);
    void RouteReceived(const InofMessage& word, uint32_t via, int64_t now);
    /// Announcements have lost their last holder. @param keys their keys @param via the last holder
    void Lost(const std::vector<InofDirectory::Key>& keys, uint32_t via, int64_t now);
    void ZoneReceived(Peer& peer, const InofMessage& message, int64_t now);
    /// Send the zone table. @param to the session
    void SendZones(Peer& to, int64_t now);
    /// The time for HELLOs after a restart is over.
    void EndDeferral(int64_t now);

    InofSwitchSink& m_sink;
    Config m_config;
    std::vector<Port> m_ports;
    std::map<uint32_t, Peer> m_peers; //!< by number of the switch
    InofZoneTable m_zones;
    InofDirectory m_directory;
    Counters m_counters;
    bool m_running{false};
    uint32_t m_boots{0};                         //!< number of starts
    uint32_t m_epochs{0};                        //!< last epoch of a stream to a host
    uint64_t m_serial{0};                        //!< serial number of the last own announcement
    int64_t m_deferUntil{InofSendStream::NEVER}; //!< end of the time for HELLOs after a restart, ps
};

static_assert(AreAllCountersVisited<InofSwitch::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_INOF_SWITCH_H
