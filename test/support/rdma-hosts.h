// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEST_RDMA_HOSTS_H
#define LOSSLESS_TEST_RDMA_HOSTS_H

// What the RDMA suites share: two hosts on a cable.

#include "port-test-case.h"

#include "ns3/rdma-hw.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/uinteger.h"

#include <array>
#include <string>
#include <vector>

namespace ns3
{

/// Two hosts, joined by one or more cables; every completion is noted.
struct Hosts
{
    /// @param rate of the cables @param delay of the cables @param cables how many
    explicit Hosts(const std::string& rate = "100Gbps",
                   Time delay = MicroSeconds(1),
                   uint32_t cables = 1)
    {
        for (uint32_t h = 0; h < 2; ++h)
        {
            node[h] = CreateObject<Node>();
            hw[h] = CreateObject<RdmaHw>();
            node[h]->AggregateObject(hw[h]);
        }
        for (uint32_t c = 0; c < cables; ++c)
        {
            auto channel = CreateObject<QbbChannel>();
            channel->SetDelay(delay);
            for (uint32_t h = 0; h < 2; ++h)
            {
                auto port = MakePort(node[h], channel, rate);
                hw[h]->AddPort(port, Ipv4Address(0x0a000001 + 256 * c + h));
            }
        }
    }

    /// @param owner its node @param channel its cable @param rate its speed @return a port
    static Ptr<QbbNetDevice> MakePort(Ptr<Node> owner,
                                      Ptr<QbbChannel> channel,
                                      const std::string& rate)
    {
        auto port = CreateObject<QbbNetDevice>();
        port->SetAttribute("DataRate", StringValue(rate));
        port->SetAddress(Mac48Address::Allocate());
        owner->AddDevice(port);
        port->Attach(channel);
        return port;
    }

    /// @param name attribute of RdmaQueuePair, at both ends @param value its value
    void Set(const std::string& name, const std::string& value)
    {
        for (auto& one : hw)
        {
            one->SetQueuePairAttribute(name, StringValue(value));
        }
    }

    /// Make and join a queue pair at each host. @param cable which @param cls class of the data
    void Join(uint32_t cable = 0, uint8_t cls = 3)
    {
        for (uint32_t h = 0; h < 2; ++h)
        {
            qp[h] = hw[h]->CreateQueuePair(cable);
            qp[h]->SetAttribute("TrafficClass", UintegerValue(cls));
            qp[h]->SetCompletionCallback(MakeCallback(&Hosts::Completed, this));
            qp[h]->SetReceiveCallback(MakeCallback(&Hosts::Received, this));
        }
        RdmaHw::Connect(qp[0], qp[1]);
    }

    /// Let h post a message. @param h host @param verb what @param bytes length
    void Post(uint32_t h, RdmaVerb verb, uint64_t bytes)
    {
        RdmaWorkRequest request;
        request.verb = verb;
        request.bytes = bytes;
        request.immediate = HasImmediate(verb) ? 0x1234 : 0;
        qp[h]->Post(request);
    }

    void Completed(const RdmaCompletion& completion)
    {
        completed.push_back(completion);
    }

    void Received(const RdmaCompletion& completion)
    {
        received.push_back(completion);
    }

    /// @return how long the simulation ran on after the last completion: frames on their way at
    /// most, when no timer was left behind
    Time RanOn() const
    {
        Time last;
        for (const auto& completion : completed)
        {
            last = Max(last, completion.completed);
        }
        return Simulator::Now() - last;
    }

    std::array<Ptr<Node>, 2> node;
    std::array<Ptr<RdmaHw>, 2> hw;
    std::array<Ptr<RdmaQueuePair>, 2> qp;
    std::vector<RdmaCompletion> completed;
    std::vector<RdmaCompletion> received;
};

} // namespace ns3

#endif // LOSSLESS_TEST_RDMA_HOSTS_H
