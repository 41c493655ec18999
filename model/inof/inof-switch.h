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
/// Who carries and sees what an InofSwitch does.
class InofSwitchSink
{
  public:
    virtual ~InofSwitchSink() = default;

    /// @param port where the host is @param datagram to it, now
    virtual void SendToHost(uint32_t port, const InofDatagram& datagram) = 0;
    /// @param peer number of a switch @param datagram to it, now
    virtual void SendToPeer(uint32_t peer, const InofDatagram& datagram) = 0;
    /// A host of this switch is about to be told. @param port where it is @param event what
    virtual void Notified(uint32_t port, const InofMessage& event) = 0;
    /// @param peer number of a switch @param up whether the session with it is up now
    virtual void SessionChanged(uint32_t peer, bool up) = 0;
};

/**
 * @ingroup lossless
 *
 * iNOF in one switch (H3C intelligent lossless network white paper): finds the hosts at its ports,
 * knows the zones, tells hosts of each other, and exchanges what it knows with other switches: in
 * direct mode with none, in cross-switch mode as client of reflectors or as reflector. Clients have
 * sessions with reflectors only; a reflector passes on what it learns from a client to all others,
 * and what it learns from another reflector to its clients (as BGP route reflectors do, RFC 4456).
 *
 * A state machine: told of datagrams, links and time (ps), it calls its sink. No simulator.
 */
class InofSwitch : private InofSessionSink
{
  public:
    /// What the other end of a session is.
    enum Relation
    {
        CLIENT,   //!< this switch is its reflector
        REFLECTOR //!< of this switch, or a fellow reflector
    };

    /// What a switch is like.
    struct Config
    {
        uint32_t number{0};                     //!< of the switch, unique; not SELF
        uint32_t cluster{0};                    //!< of a reflector, from 1; 0: no reflector
        uint32_t ports{0};                      //!< how many
        int64_t helloIntervalPs{1000000000000}; //!< between HELLOs of a host
        uint32_t helloMisses{3};                //!< intervals of silence after which it is gone
        int64_t retransmitPs{10000000000};      //!< until a notice is sent again
        InofSession::Config session;            //!< times of sessions
        int64_t gracefulPs{0};  //!< how long hosts of a lost session are kept; 0: not
        int64_t deferralPs{0};  //!< after a restart: how long hosts have to report
        uint8_t requiredPfc{0}; //!< classes that need PFC at a host's port
    };

    /// What has happened.
    struct Counters
    {
        uint64_t hellos{0};         //!< HELLOs of hosts
        uint64_t notifications{0};  //!< events for hosts, each host counted
        uint64_t retransmitted{0};  //!< messages that were sent again, to hosts and switches
        uint64_t routesSent{0};     //!< messages ROUTE, each session counted
        uint64_t routesReceived{0}; //!< messages ROUTE of other switches
        uint64_t duplicates{0};     //!< of those: known already
        uint64_t outdated{0};       //!< of those: of the past
        uint64_t loops{0};          //!< of those: own, or reflected by the own cluster before
        uint64_t sessionsLost{0};   //!< sessions that went down
        uint64_t kept{0};           //!< hosts kept by graceful restart, each time counted
        uint64_t zoneUpdates{0};    //!< zone tables taken over
        uint64_t hostsTimedOut{0};  //!< hosts that were silent for too long

        /// Call a visitor with each counter. @param visit called with (member, CounterField)
        template <typename Visit>
        static constexpr void ForEach(Visit&& visit)
        {
            using C = Counters;
            visit(&C::hellos, {"hellos", "messages", "HELLOs of hosts"});
            visit(&C::notifications,
                  {"notifications", "messages", "events for hosts, each host counted"});
            visit(&C::retransmitted,
                  {"retransmitted",
                   "messages",
                   "messages that were sent again, to hosts and switches"});
            visit(&C::routesSent,
                  {"routes_sent", "messages", "messages ROUTE, each session counted"});
            visit(&C::routesReceived,
                  {"routes_received", "messages", "messages ROUTE of other switches"});
            visit(&C::duplicates,
                  {"duplicates", "messages", "messages ROUTE received that were known already"});
            visit(
                &C::outdated,
                {"outdated", "messages", "messages ROUTE received that a later one had replaced"});
            visit(
                &C::loops,
                {"loops",
                 "messages",
                 "messages ROUTE received that were own, or reflected by the own cluster before"});
            visit(&C::sessionsLost, {"sessions_lost", "sessions", "sessions that went down"});
            visit(&C::kept, {"kept", "hosts", "hosts kept by graceful restart, each time counted"});
            visit(&C::zoneUpdates, {"zone_updates", "tables", "zone tables taken over"});
            visit(&C::hostsTimedOut,
                  {"hosts_timed_out", "hosts", "hosts that were silent for too long"});
        }
    };

    /// @param sink carries what is sent @param config what the switch is like
    InofSwitch(InofSwitchSink& sink, const Config& config);
    ~InofSwitch() override;

    /// @param peer number of another switch @param relation what it is; std::invalid_argument where
    /// the two cannot have a session
    void AddSession(uint32_t peer, Relation relation);

    /// Begin: ask hosts to report, begin sessions. @param now ps
    void Start(int64_t now);
    /// Say nothing any more, and forget hosts; zones stay.
    void Stop();

    /// @return whether it was started, and not stopped
    bool IsRunning() const
    {
        return m_running;
    }

    // ---- what happens to it

    /// @param port where @param datagram of a host @param now ps
    void HostDatagram(uint32_t port, const InofDatagram& datagram, int64_t now);
    /// @param datagram of another switch @param now ps
    void PeerDatagram(const InofDatagram& datagram, int64_t now);
    /// The link of a port changed. @param port which @param up now @param now ps
    void LinkChanged(uint32_t port, bool up, int64_t now);
    /// The switch finds a port at fault, or no longer. @param port which
    /// @param fault why hosts there are gone; NONE: it works again @param now ps
    void SetFault(uint32_t port, InofReason fault, int64_t now);

    /// @param port which @return its fault
    InofReason GetFault(uint32_t port) const
    {
        return m_ports.at(port).fault;
    }

    /// @param port which @param classes that need PFC there, in place of Config::requiredPfc
    void SetRequiredPfc(uint32_t port, uint8_t classes)
    {
        m_ports.at(port).requiredPfc = classes;
    }

    /// Do what is due. @param now ps
    void Advance(int64_t now);
    /// @return when Advance() has something to do, ps
    int64_t NextDeadline() const;

    // ---- zones

    /**
     * Change the zones. Only in direct mode or on a reflector, which tells the others
     * (std::invalid_argument).
     * @param change called with the table
     * @param now ps
     */
    void ConfigureZones(const std::function<void(InofZoneTable&)>& change, int64_t now);

    /// @return the zones
    const InofZoneTable& GetZones() const
    {
        return m_zones;
    }

    // ---- state

    /// @return what is known of hosts
    const InofDirectory& GetDirectory() const
    {
        return m_directory;
    }

    /// @param peer number of a switch @return whether the session with it is up
    bool IsSessionUp(uint32_t peer) const;

    /// @return what the switch is like
    const Config& GetConfig() const
    {
        return m_config;
    }

    /// @return the counters
    Counters GetCounters() const;

  private:
    /// A port, and the host there.
    struct Port
    {
        explicit Port(int64_t retransmitPs)
            : notices(retransmitPs)
        {
        }

        bool present{false};                   //!< there is a host
        InofReason fault{InofReason::NONE};    //!< of the port
        uint8_t requiredPfc{0};                //!< classes that a host must have PFC for
        InofHostInfo host;                     //!< the host
        uint32_t hostEpoch{0};                 //!< its incarnation
        uint32_t epoch{0};                     //!< of our stream to it
        InofSendStream notices;                //!< stream to it
        int64_t lastHeard{0};                  //!< ps
        std::map<uint32_t, InofHostInfo> told; //!< hosts that it believes to be up
    };

    /// A session, and what it brings.
    struct Peer
    {
        std::unique_ptr<InofSession> session;
        Relation relation;
        InofZoneTable incoming;                   //!< a zone table that is not complete yet
        int64_t keepUntil{InofSendStream::NEVER}; //!< graceful restart: when its hosts go, ps
    };

    // Hosts, in inof-switch.cc.

    void Join(uint32_t port, const InofDatagram& hello, int64_t now);
    void Leave(uint32_t port, InofReason reason, int64_t now);
    /// @param port a port @param message to carry, or null @param sequence its number
    void SendNotice(uint32_t port, const InofMessage* message, uint32_t sequence);
    /// Send what the window to a host allows.
    void Flush(uint32_t port, int64_t now);
    /// Tell a host of another one if what it believes is no longer so.
    void Reconcile(uint32_t port, uint32_t host, int64_t now);
    /// Reconcile() about all hosts.
    void ReconcileAll(uint32_t port, int64_t now);
    /// Queue an event for a host. @param host whom it is about
    void Tell(uint32_t port, const InofHostInfo& host, bool up, InofReason reason);
    /// @return the word of this switch on a host, new
    InofMessage MakeWord(const InofHostInfo& host, bool up, InofReason reason);

    // Other switches.

    void SendDatagram(InofSession& session, const InofDatagram& datagram) override;
    void SessionUp(InofSession& session, int64_t now) override;
    void SessionDown(InofSession& session, int64_t now) override;
    void MessageReceived(InofSession& session, const InofMessage& message, int64_t now) override;
    /// @param via who has passed it on, or SELF @param to a session @return whether it goes there
    bool MayPass(uint32_t via, const Peer& to) const;
    /// A word on a host. @param word the word @param via who has passed it on, or SELF
    void Learn(const InofMessage& word, uint32_t via, int64_t now);
    void RouteReceived(const InofMessage& word, uint32_t via, int64_t now);
    /// Nobody holds hosts any more. @param keys which @param via who held them last
    void Lost(const std::vector<InofDirectory::Key>& keys, uint32_t via, int64_t now);
    void ZoneReceived(Peer& peer, const InofMessage& message, int64_t now);
    /// @param to gets the zone table
    void SendZones(Peer& to, int64_t now);
    /// The hosts have had time to report after a restart.
    void EndDeferral(int64_t now);

    InofSwitchSink& m_sink;
    Config m_config;
    std::vector<Port> m_ports;
    std::map<uint32_t, Peer> m_peers; //!< by number of the switch
    InofZoneTable m_zones;
    InofDirectory m_directory;
    Counters m_counters;
    bool m_running{false};
    uint32_t m_boots{0};                         //!< how often it was started
    uint32_t m_epochs{0};                        //!< of streams to hosts
    uint64_t m_serial{0};                        //!< of the last own word
    int64_t m_deferUntil{InofSendStream::NEVER}; //!< restarted: hosts report until then, ps
};

static_assert(AreAllCountersVisited<InofSwitch::Counters>(),
              "each counter has a line in ForEach()");

} // namespace ns3

#endif // LOSSLESS_INOF_SWITCH_H
