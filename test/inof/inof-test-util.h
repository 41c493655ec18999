// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_TEST_UTIL_H
#define LOSSLESS_INOF_TEST_UTIL_H

#include "ns3/inof-host.h"
#include "ns3/inof-switch.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Milliseconds in picoseconds.
constexpr int64_t INOF_MS = 1000000000;

/// Switches and hosts joined by delays, without a simulator: every datagram goes through its
/// octets.
class InofNetwork
{
  public:
    static constexpr int64_t HOST_DELAY = INOF_MS / 100; //!< 10 us
    static constexpr int64_t PEER_DELAY = INOF_MS;       //!< 1 ms

    /// A switch, and what it was seen to do.
    struct Switch : public InofSwitchSink
    {
        void SendToHost(uint32_t port, const InofDatagram& datagram) override
        {
            net->ToHost(number, port, datagram);
        }

        void SendToPeer(uint32_t peer, const InofDatagram& datagram) override
        {
            net->ToPeer(number, peer, datagram);
        }

        void Notified(uint32_t, const InofMessage&) override
        {
        }

        void SessionChanged(uint32_t, bool) override
        {
        }

        InofNetwork* net{nullptr};
        uint32_t number{0};
        std::unique_ptr<InofSwitch> machine;
    };

    /// A host, and what it has heard.
    struct Host : public InofHostSink
    {
        void SendToSwitch(const InofDatagram& datagram) override
        {
            net->ToSwitch(info.id, datagram);
        }

        void PeerUp(const InofHostInfo& peer) override
        {
            heard.push_back("+" + std::to_string(peer.id));
            heardAt.push_back(net->now);
        }

        void PeerDown(const InofHostInfo& peer, InofReason reason) override
        {
            heard.push_back("-" + std::to_string(peer.id) + " " + ToString(reason));
            heardAt.push_back(net->now);
        }

        /// @return all that was heard since the last call, in order
        std::string Heard()
        {
            std::string all;
            for (const auto& event : heard)
            {
                all += (all.empty() ? "" : ", ") + event;
            }
            heard.clear();
            heardAt.clear();
            return all;
        }

        InofNetwork* net{nullptr};
        InofHostInfo info;
        uint32_t atSwitch{0};
        uint32_t port{0};
        bool linkUp{false};
        std::vector<std::string> heard;
        std::vector<int64_t> heardAt;
        std::unique_ptr<InofHost> machine;
    };

    /// @param number of the switch @param cluster 0: a client
    InofSwitch& AddSwitch(uint32_t number, uint32_t cluster = 0)
    {
        Switch& added = switches[number];
        added.net = this;
        added.number = number;
        config.number = number;
        config.cluster = cluster;
        config.ports = 8;
        added.machine = std::make_unique<InofSwitch>(added, config);
        return *added.machine;
    }

    /// Reflectors with the same cluster and clients, all joined as they should be.
    void AddCluster(const std::vector<uint32_t>& reflectors, const std::vector<uint32_t>& clients)
    {
        for (const uint32_t reflector : reflectors)
        {
            AddSwitch(reflector, 1);
        }
        for (const uint32_t client : clients)
        {
            AddSwitch(client);
        }
        for (const uint32_t reflector : reflectors)
        {
            for (const uint32_t other : reflectors)
            {
                if (other != reflector)
                {
                    At(reflector).AddSession(other, InofSwitch::REFLECTOR);
                }
            }
            for (const uint32_t client : clients)
            {
                At(reflector).AddSession(client, InofSwitch::CLIENT);
                At(client).AddSession(reflector, InofSwitch::REFLECTOR);
            }
        }
    }

    /// @param id of the host @param atSwitch where @param port where; plugged in by Plug()
    Host& AddHost(uint32_t id, uint32_t atSwitch, uint32_t port)
    {
        Host& added = hosts[id];
        added.net = this;
        added.info = {id, 0x0a000000 + id, InofRole::SERVER, 8};
        added.atSwitch = atSwitch;
        added.port = port;
        InofHost::Config hostConfig;
        hostConfig.info = added.info;
        added.machine = std::make_unique<InofHost>(added, hostConfig);
        return added;
    }

    /// @param id of the host whose link comes up
    void Plug(uint32_t id)
    {
        Host& host = hosts.at(id);
        host.linkUp = true;
        At(host.atSwitch).LinkChanged(host.port, true, now);
        host.machine->Start(now);
    }

    /// @param id of the host whose link goes down
    void Unplug(uint32_t id)
    {
        Host& host = hosts.at(id);
        host.linkUp = false;
        host.machine->Stop(InofReason::LINK_DOWN);
        At(host.atSwitch).LinkChanged(host.port, false, now);
    }

    InofSwitch& At(uint32_t number)
    {
        return *switches.at(number).machine;
    }

    void StartSwitches()
    {
        for (auto& [number, one] : switches)
        {
            one.machine->Start(now);
        }
    }

    /// Let time pass. @param ps how much
    void Run(int64_t ps)
    {
        const int64_t end = now + ps;
        while (true)
        {
            const int64_t next = NextTime();
            if (next > end)
            {
                break;
            }
            now = std::max(now, next);
            if (!events.empty() && events.begin()->first.first <= now)
            {
                const auto event = events.begin()->second;
                events.erase(events.begin());
                event();
                continue;
            }
            for (auto& [number, one] : switches)
            {
                one.machine->Advance(now);
            }
            for (auto& [id, host] : hosts)
            {
                host.machine->Advance(now);
            }
        }
        now = end;
    }

    int64_t now{0};
    InofSwitch::Config config;
    std::map<uint32_t, Switch> switches;
    std::map<uint32_t, Host> hosts;
    std::set<std::pair<uint32_t, uint32_t>> cut; //!< pairs of switches, smaller first
    std::set<uint32_t> mute;                     //!< hosts whose datagrams are lost
    std::function<bool()> loses;                 //!< asked for each datagram
    std::vector<InofDatagram> seen;              //!< between switches

  private:
    friend struct Switch;
    friend struct Host;

    int64_t NextTime() const
    {
        int64_t next = events.empty() ? InofSendStream::NEVER : events.begin()->first.first;
        for (const auto& [number, one] : switches)
        {
            next = std::min(next, one.machine->NextDeadline());
        }
        for (const auto& [id, host] : hosts)
        {
            next = std::min(next, host.machine->NextDeadline());
        }
        return next;
    }

    void Post(int64_t delay, const InofDatagram& datagram, std::function<void(InofDatagram)> use)
    {
        if (loses && loses())
        {
            return;
        }
        const auto bytes = datagram.Serialise();
        events[{now + delay, ++order}] = [bytes, use] {
            use(*InofDatagram::Parse(bytes.data(), bytes.size()));
        };
    }

    void ToHost(uint32_t number, uint32_t port, const InofDatagram& datagram)
    {
        for (auto& [id, host] : hosts)
        {
            if (host.atSwitch == number && host.port == port && host.linkUp)
            {
                Host* to = &host;
                Post(HOST_DELAY, datagram, [this, to](const InofDatagram& d) {
                    if (to->linkUp)
                    {
                        to->machine->Receive(d, now);
                    }
                });
            }
        }
    }

    void ToSwitch(uint32_t id, const InofDatagram& datagram)
    {
        const Host& host = hosts.at(id);
        if (host.linkUp && !mute.count(id))
        {
            Post(HOST_DELAY, datagram, [this, &host](const InofDatagram& d) {
                At(host.atSwitch).HostDatagram(host.port, d, now);
            });
        }
    }

    void ToPeer(uint32_t number, uint32_t peer, const InofDatagram& datagram)
    {
        const std::pair<uint32_t, uint32_t> link = std::minmax(number, peer); // not references
        if (cut.count(link))
        {
            return;
        }
        seen.push_back(datagram);
        Post(PEER_DELAY, datagram, [this, peer, link](const InofDatagram& d) {
            if (!cut.count(link))
            {
                At(peer).PeerDatagram(d, now);
            }
        });
    }

    std::map<std::pair<int64_t, uint64_t>, std::function<void()>> events;
    uint64_t order{0};
};

} // namespace ns3

#endif // LOSSLESS_INOF_TEST_UTIL_H
