// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_INOF_TEST_CASE_H
#define LOSSLESS_INOF_TEST_CASE_H

#include "fabric-test-case.h"

#include "ns3/inof-helper.h"

#include <map>
#include <string>

namespace ns3
{

/// What hosts hear, with the time.
class InofTestCase : public FabricTestCase
{
  public:
    using FabricTestCase::FabricTestCase;

  protected:
    /// Note what a host hears from now on. @param inof installed @param host which
    void Listen(const InofHelper& inof, uint32_t host)
    {
        const auto agent = inof.GetHostAgent(host);
        agent->TraceConnectWithoutContext(
            "PeerUp",
            Callback<void, const InofHostInfo&>([this, host](const InofHostInfo& peer) {
                Note(host, "+" + std::to_string(peer.id));
            }));
        agent->TraceConnectWithoutContext(
            "PeerDown",
            Callback<void, const InofHostInfo&, InofReason>(
                [this, host](const InofHostInfo& peer, InofReason reason) {
                    Note(host, "-" + std::to_string(peer.id) + " " + ToString(reason));
                }));
    }

    /// Run until a time. @param when from the start
    static void RunUntil(Time when)
    {
        Simulator::Stop(when - Simulator::Now());
        Simulator::Run();
    }

    /// Expect that a host has heard just this since the last call.
    void ExpectHeard(uint32_t host, const std::string& what, const std::string& why)
    {
        NS_TEST_EXPECT_MSG_EQ(m_heard[host], what, why << ", host " << host);
        m_heard[host].clear();
    }

    /// @param host which @return when it has heard something last
    Time HeardAt(uint32_t host)
    {
        return m_heardAt[host];
    }

    /// @param fabric a fabric @param host which @return its first link
    static LinkId LinkOf(const Fabric& fabric, HostId host)
    {
        return fabric.GetTopology().GetLinksOf(fabric.GetTopology().NodeOf(host))[0];
    }

  private:
    void Note(uint32_t host, const std::string& what)
    {
        m_heard[host] += (m_heard[host].empty() ? "" : ", ") + what;
        m_heardAt[host] = Simulator::Now();
    }

    std::map<uint32_t, std::string> m_heard;
    std::map<uint32_t, Time> m_heardAt;
};

} // namespace ns3

#endif // LOSSLESS_INOF_TEST_CASE_H
