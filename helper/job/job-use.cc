// SPDX-License-Identifier: GPL-2.0-only
#include "job-use.h"

#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

void
JobUse::Add(const JobOperation& operation, std::size_t ranks)
{
    m_receives |= operation.kind == JobOperation::RECV;
    m_collects |= operation.kind == JobOperation::COLLECTIVE;
    m_choosesDone |=
        operation.kind == JobOperation::SEND && operation.sendDone == JobOperation::AS_THE_JOB;
    if (operation.kind != JobOperation::COLLECTIVE || ranks < 2)
    {
        return;
    }
    m_hasCollectives = true;
    m_hasData |= operation.bytes > 0;
    m_choosesAlgorithm |= operation.algorithm == 0;
    m_choosesChannels |= operation.bytes > 0 && operation.channels == 0;
}

void
JobUse::AddMessages(const QueuePairNetwork& network,
                    const MessageNetwork::Pair& pair,
                    uint64_t longest)
{
    m_hasMessages |= pair.source != pair.destination;
    const RankPlace& from = network.GetPlaces()[pair.source];
    const RankPlace& to = network.GetPlaces()[pair.destination];
    if (from.host == to.host)
    {
        m_staysInHost |= from.gpu != to.gpu;
        m_longestWithinHost = std::max(m_longestWithinHost, from.gpu != to.gpu ? longest : 0);
        return;
    }
    m_leaves = true;
    m_choosesNic = m_choosesNic || network.DependsOnNic(pair);
    const bool goesByProxy = network.GoesByProxy(pair);
    m_hasProxies |= goesByProxy;
    uint64_t& most = goesByProxy ? m_longestByProxy : m_longest;
    most = std::max(most, longest);
}

std::vector<OptionUse>
JobUse::Of(const JobOptions& options) const
{
    std::vector<OptionUse> uses = OfCollectives(options);
    for (const auto& others : {OfNetwork(options), OfQueuePairs(options)})
    {
        uses.insert(uses.end(), others.begin(), others.end());
    }
    return uses;
}

std::vector<OptionUse>
JobUse::OfQueuePairs(const JobOptions& options) const
{
    const auto usual = [](const char* name) {
        TypeId::AttributeInformation info;
        RdmaQueuePair::GetTypeId().LookupAttributeByName(name, &info);
        return DynamicCast<const UintegerValue>(info.originalInitialValue)->Get();
    };
    const auto& attributes = options.network.queuePair.attributes;
    const auto isSet = [&attributes](const char* attribute) {
        return std::any_of(attributes.begin(), attributes.end(), [attribute](const auto& each) {
            return each.first == attribute;
        });
    };
    const uint64_t payload = std::min(m_mtu, usual("Mtu"));
    const uint64_t packets = std::min(m_ackInterval, usual("AckInterval"));
    const uint64_t longest = std::max(m_longest, m_longestByProxy);
    const std::string leaves = "a message that leaves its host";
    std::vector<OptionUse> uses = {
        {"mtu",
         isSet("Mtu"),
         longest > payload,
         "a message of more than " + std::to_string(payload) + " B that leaves its host"},
        {"ackInterval",
         isSet("AckInterval"),
         longest > m_mtu * packets,
         "a message of more than " + std::to_string(m_mtu * packets) + " B that leaves its host"},
        {"congestionControl", options.network.queuePair.congestion.IsTypeIdSet(), m_leaves, leaves},
        {"verb", options.network.verb != QueuePairNetwork::Options().verb, m_leaves, leaves}};
    for (const auto& [name, value] : attributes)
    {
        if (name != "Mtu" && name != "AckInterval")
        {
            uses.push_back({name, true, m_leaves, leaves});
        }
    }
    return uses;
}

std::vector<OptionUse>
JobUse::OfCollectives(const JobOptions& options) const
{
    const JobOptions usual;
    return {{"algorithm",
             !options.algorithm.empty(),
             m_choosesAlgorithm,
             "a collective of two ranks or more that names no algorithm"},
            {"channels",
             options.channels != usual.channels,
             m_choosesChannels,
             "a collective of two ranks or more that has bytes and names no channels"},
            {"reduceRate",
             options.reduceRate != usual.reduceRate,
             m_reduces,
             "a collective in which ranks add what they receive, such as all-reduce"},
            {"wireFactor",
             options.wireFactor != usual.wireFactor,
             m_hasData,
             "a collective of two ranks or more that has bytes"},
            {"sendIsDoneWhenPosted",
             options.sendIsDoneWhenPosted,
             m_choosesDone,
             "a send that does not say when it is done"},
            {"rendezvous", options.rendezvous, m_hasMessages, "messages between ranks"},
            {"readyBytes",
             options.readyBytes != usual.readyBytes,
             options.rendezvous && m_hasMessages,
             "rendezvous, and messages between ranks"}};
}

std::vector<OptionUse>
JobUse::OfNetwork(const JobOptions& options) const
{
    const QueuePairNetwork::Options& network = options.network;
    const QueuePairNetwork::Options usual;
    const uint64_t piece = std::min(network.pxnBytes, usual.pxnBytes);
    const bool splits = network.splitData && m_longest > 1;
    const bool hasPieces = splits || m_longestByProxy > network.pxnBytes;
    return {
        {"queuePairsPerConnection",
         network.queuePairsPerConnection != usual.queuePairsPerConnection,
         m_leaves && (m_repeats || hasPieces || m_hasPaths),
         "two ranks on two hosts with several messages, or with one that is split, or switches "
         "with several paths"},
        {"splitData",
         network.splitData,
         network.queuePairsPerConnection > 1 && m_longest > 1,
         "several queue pairs of a connection, and a message of 2 bytes or more that leaves its "
         "host by its own GPU"},
        {"bothWays",
         network.bothWays,
         m_hasWayBack,
         "two ranks on two hosts that send to each other, by the same ports"},
        {"nic",
         network.nic != usual.nic,
         m_choosesNic,
         "a message that leaves its host, by another port than without it"},
        {"pxn",
         network.pxn,
         m_hasProxies,
         "a message that leaves its host for a GPU of another rail"},
        {"pxnBytes",
         network.pxnBytes != usual.pxnBytes,
         network.pxn && m_longestByProxy > piece,
         "pxn, and a message of more than " + std::to_string(piece) + " B that goes by it"},
        {"intraRate",
         network.intraRate != usual.intraRate,
         m_longestWithinHost > 0 || m_longestByProxy > 0,
         "a message with bytes between GPUs of a host, which have ranks or are on its way by pxn"},
        {"intraLatency",
         network.intraLatency != usual.intraLatency,
         m_staysInHost || m_hasProxies,
         "a message between GPUs of a host, which have ranks or are on its way by pxn"},
    };
}

} // namespace ns3
