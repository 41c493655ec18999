// SPDX-License-Identifier: GPL-2.0-only

// Three hosts around a switch, assembled by hand: two of them write 10 MB to the third at once.

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"
#include "ns3/network-module.h"

using namespace ns3;

void
Done(const RdmaCompletion& done)
{
    std::cout << done.bytes << " bytes in " << (done.completed - done.posted).As(Time::US)
              << std::endl;
}

int
main()
{
    Time::SetResolution(Time::PS);
    NodeContainer nodes(4); // the switch is node 3
    QbbHelper cable;
    cable.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    cable.SetChannelAttribute("Delay", StringValue("1us"));
    auto fabric = CreateObject<FabricSwitch>();
    nodes.Get(3)->AggregateObject(fabric);
    for (uint32_t i = 0; i < 3; ++i)
    {
        auto ends = cable.Install(nodes.Get(i), nodes.Get(3));
        auto nic = CreateObject<RdmaHw>();
        nodes.Get(i)->AggregateObject(nic);
        nic->AddPort(DynamicCast<QbbNetDevice>(ends.Get(0)), Ipv4Address(0x0a000001 + i));
        auto port = fabric->AddPort(DynamicCast<QbbNetDevice>(ends.Get(1)));
        fabric->AddRoute(Ipv4Address(0x0a000001 + i), {port});
    }
    for (uint32_t i = 0; i < 2; ++i)
    {
        auto from = nodes.Get(i)->GetObject<RdmaHw>()->CreateQueuePair(0);
        auto to = nodes.Get(2)->GetObject<RdmaHw>()->CreateQueuePair(0);
        RdmaHw::Connect(from, to);
        from->SetCompletionCallback(MakeCallback(&Done));
        from->Post({RdmaVerb::WRITE, 10000000});
    }
    Simulator::Run();
    std::cout << "drops in the lossless class: " << fabric->GetLosslessDrops() << std::endl;
    Simulator::Destroy();
    return 0;
}
