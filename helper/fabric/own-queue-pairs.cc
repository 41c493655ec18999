// SPDX-License-Identifier: GPL-2.0-only
#include "own-queue-pairs.h"

#include "ns3/fabric-warning.h"
#include "ns3/rdma-queue-pair.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// An end of a connection of a script.
struct OwnEnd
{
    HostId host;               //!< of the end
    HostId peer;               //!< of the other end
    Ptr<RdmaQueuePair> end;    //!< the end
    Ptr<RdmaQueuePair> remote; //!< the other end
    uint64_t failed{0};        //!< requests of WarnOfFailed() so far
};

/// The connections of a fabric; at its first host.
class OwnQueuePairs : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::OwnQueuePairs").SetParent<Object>().SetGroupName("Lossless");
        return tid;
    }

    /// @param end to keep in mind, until it is destroyed
    void Add(const OwnEnd& end)
    {
        if (ends.size() == ends.capacity())
        {
            const auto isGone = [](const OwnEnd& each) {
                return !each.end->GetDevice() && each.end->GetUnheard().count == each.failed;
            };
            ends.erase(std::remove_if(ends.begin(), ends.end(), isGone), ends.end());
        }
        ends.push_back(end);
    }

    std::vector<OwnEnd> ends; //!< in the order of connection; some are destroyed

  protected:
    void DoDispose() override
    {
        ends.clear();
        Object::DoDispose();
    }
};

/// Requests that have not completed, or have failed.
class Requests
{
  public:
    /// @param own an end with more of them @param count how many
    void Add(const OwnEnd& own, uint64_t count)
    {
        m_first = m_count == 0 ? own.host.Name() + " to " + own.peer.Name() : m_first;
        m_count += count;
    }

    /// @return whether there is none
    bool IsEmpty() const
    {
        return m_count == 0;
    }

    /// Name them, if there are some. @param what is the matter @param right what would be right
    void Warn(const std::string& what, const std::string& right) const
    {
        if (m_count > 0)
        {
            PrintWarning(std::to_string(m_count) +
                             (m_count > 1 ? " requests that were" : " request that was") +
                             " posted to connected queue pairs, the first from " + m_first + ", " +
                             what,
                         right);
        }
    }

  private:
    uint64_t m_count{0};
    std::string m_first;
};

} // namespace

void
NoteOwnQueuePairs(const Fabric& fabric,
                  HostId source,
                  HostId destination,
                  const Fabric::Connection& connection)
{
    const auto host = fabric.GetHost(HostId(0));
    auto own = host->GetObject<OwnQueuePairs>();
    if (!own)
    {
        own = CreateObject<OwnQueuePairs>();
        host->AggregateObject(own);
    }
    own->Add({source, destination, connection.source, connection.destination});
    own->Add({destination, source, connection.destination, connection.source});
}

void
WarnOfIncomplete(const Fabric& fabric)
{
    const auto own = fabric.GetHost(HostId(0))->GetObject<OwnQueuePairs>();
    if (!own)
    {
        return;
    }
    Requests cutOff;
    Requests withoutReceive;
    for (const OwnEnd& each : own->ends)
    {
        if (each.end->GetDevice() && each.end->GetRequester().IsBusy())
        {
            const bool waits = each.end->GetRequester().AwaitsReceive() &&
                               each.remote->GetDevice() &&
                               each.remote->GetResponder().LacksReceive();
            (waits ? withoutReceive : cutOff).Add(each, each.end->GetRequester().GetIncomplete());
        }
    }
    cutOff.Warn("had not completed when the run ended",
                "let the run go on, or do not wait for them");
    withoutReceive.Warn("found no receive at the peer", "post receives there");
}

void
WarnOfFailed(const Fabric& fabric)
{
    const auto own = fabric.GetHost(HostId(0))->GetObject<OwnQueuePairs>();
    if (!own)
    {
        return;
    }
    Requests failed;
    std::string status;
    for (OwnEnd& each : own->ends)
    {
        const RdmaQueuePair::Unheard& unheard = each.end->GetUnheard();
        if (unheard.count > each.failed)
        {
            status = failed.IsEmpty() ? ToString(unheard.status) : status;
            failed.Add(each, unheard.count - each.failed);
            each.failed = unheard.count;
        }
    }
    failed.Warn("failed with " + status, "give their queue pairs a callback for completions");
}

} // namespace ns3
