// SPDX-License-Identifier: GPL-2.0-only

// Three hosts around a switch, assembled by hand: two of them write 10 MB to the third at once.
//
//   first-fabric --bytes=1MB --ns3::QbbNetDevice::DataRate=25Gbps

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
main(int argc, char* argv[])
{
    FabricProgram program("Two hosts write to a third at once.");
    uint64_t bytes = 10000000;
    program.AddSize("bytes", "bytes that each of them writes", bytes);
    return program.Run(argc, argv, [&] {
        program.GetOptions().SetDefault("ns3::QbbNetDevice::DataRate", "100Gbps");
        program.GetOptions().SetDefault("ns3::QbbChannel::Delay", "1us");
        NodeContainer nodes(4); // the switch is node 3
        auto fabric = CreateObject<FabricSwitch>();
        nodes.Get(3)->AggregateObject(fabric);
        for (uint32_t i = 0; i < 3; ++i)
        {
            auto ends = QbbHelper().Install(nodes.Get(i), nodes.Get(3));
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
            from->Post({RdmaVerb::WRITE, bytes});
        }
        Simulator::Run();
        std::cout << "drops in the lossless class: " << fabric->GetLosslessDrops() << std::endl;
    });
}
