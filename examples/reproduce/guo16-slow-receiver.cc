// SPDX-License-Identifier: GPL-2.0-only

// The slow-receiver symptom of Guo et al. (RDMA over Commodity Ethernet at Scale, SIGCOMM 2016,
// section 6.4): the NIC of R lacks translations of the pages that it writes to and pauses its
// switch. S sends to R across two ToRs and a leaf, all the time or in bursts; V sends to W, which
// is at the same ToR as R and is not slow.
//
//   guo16-slow-receiver --page=4KiB --region=16MiB --outDir=results
//
// receiver.csv has what the NIC of R counts, twice: when it is warm and at the end.

#include "named-topology.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

namespace
{

/// What can be chosen.
struct Scenario
{
    uint64_t page = 4096;
    uint64_t region = 16 << 20;
    uint64_t burstBytes = 0;
    Time burstEvery = MilliSeconds(2);
    uint64_t staticBytes = 0;
    double alpha = 0.25;
    uint64_t buffer = 12000000;
    FabricLinkSpec link{DataRate("40Gbps"), MicroSeconds(1), 0};

    /// @param program gets the options
    explicit Scenario(FabricProgram& program)
    {
        program.AddSize("page", "size of a page of host memory", page);
        program.AddSize("region", "memory that R receives into", region);
        program.AddSize("burstBytes",
                        "bytes of each burst of S; 0: S sends all the time",
                        burstBytes);
        program.AddOption("burstEvery", "time from one burst to the next", burstEvery);
        program.AddSize("staticBytes",
                        "static threshold of a port and class; 0: dynamic, by alpha",
                        staticBytes);
        program.AddOption("alpha", "dynamic threshold: share of the free buffer", alpha);
        program.AddOption("rate", "rate of all links", link.rate);
        program.AddBuffer(buffer);
        program.StandsFor("page", {"ns3::NicReceiveBuffer::PageBytes"});
        program.StandsFor("region", {"ns3::NicReceiveBuffer::RegionBytes"});
        program.StandsFor("alpha", {"ns3::SwitchMmu::Alpha"});
        program.StandsFor("rate", {"ns3::QbbNetDevice::DataRate"});
    }
};

/// A line of receiver.csv. @param os where @param fabric the fabric @param host the receiver
void
WriteReceiver(std::ostream& os, const Fabric& fabric, HostId host)
{
    const auto rdma = fabric.GetRdma(host);
    const auto& counters = rdma->GetReceiveBuffer(0)->GetCounters();
    os << Simulator::Now().GetNanoSeconds() << ',' << rdma->GetCounters().payloadDelivered << ','
       << counters.touched << ',' << counters.misses << ',' << counters.xoffs << ','
       << counters.dropped << '\n';
}

/// @param link cables of hosts @return two ToRs under a leaf, with two hosts each
NamedTopology
MakeTopology(const FabricLinkSpec& link)
{
    NamedTopology topology;
    for (const std::string name : {"T0", "T1", "L"})
    {
        topology.AddSwitch(name);
    }
    for (const auto& [host, at] : {std::pair("S", "T0"), {"V", "T0"}, {"R", "T1"}, {"W", "T1"}})
    {
        topology.AddHostAt(host, at, link);
    }
    FabricLinkSpec uplink = link; // as many as the hosts need
    uplink.rate = DataRate(2 * link.rate.GetBitRate());
    topology.AddLink("T0", "L", uplink);
    topology.AddLink("T1", "L", uplink);
    return topology;
}

/// Give all ports a static threshold. @param fabric the fabric @param bytes the threshold
void
SetStatic(const Fabric& fabric, uint64_t bytes)
{
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        for (uint32_t port = 0; port < fabric.GetSwitch(i)->GetNPorts(); ++port)
        {
            fabric.GetSwitch(i)->GetMmu()->SetStaticThreshold(port, 3, bytes);
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("A NIC that lacks translations of pages, and pauses.");
    RunOptions runOptions;
    runOptions.stop = MilliSeconds(40);
    runOptions.AddTo(program);
    std::string congestion = "none";
    program.AddCongestion(congestion);
    Scenario chosen(program);

    return program.Run(argc, argv, [&] {
        if (runOptions.stop.IsZero())
        {
            throw FabricError("--stop is 0, and the flows do not end", "it must be above 0");
        }
        if (chosen.burstBytes > 0 && chosen.burstEvery.IsZero())
        {
            throw FabricError("--burstEvery is 0", "it must be above 0");
        }
        const NamedTopology topology = MakeTopology(chosen.link);
        FabricHelper helper(program.GetOptions());
        helper.SetAlphaBySpeed(false); // one alpha, as in the paper
        helper.SetSwitch("ns3::SwitchMmu",
                         "BufferSize",
                         UintegerValue(chosen.buffer),
                         "Alpha",
                         DoubleValue(chosen.alpha));
        helper.SetCongestionControl(congestion);
        helper.SetQueuePair("Mtu", UintegerValue(1024));
        Fabric fabric = helper.FromTopology(topology.Get());
        if (chosen.staticBytes > 0)
        {
            SetStatic(fabric, chosen.staticBytes);
        }
        const HostId receiver = topology.GetHost("R");
        ObjectFactory memory("ns3::NicReceiveBuffer");
        program.GetOptions().Set(memory, "PageBytes", UintegerValue(chosen.page));
        program.GetOptions().Set(memory, "RegionBytes", UintegerValue(chosen.region));
        fabric.GetRdma(receiver)->SetReceiveBuffer(0, memory.Create<NicReceiveBuffer>());
        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        if (chosen.burstBytes == 0)
        {
            topology.AddFlow(flows, "S", "R", uint64_t{1} << 32, Time(0));
        }
        for (Time at; chosen.burstBytes > 0 && at < runOptions.stop; at += chosen.burstEvery)
        {
            topology.AddFlow(flows, "S", "R", chosen.burstBytes, at);
        }
        topology.AddFlow(flows, "V", "W", uint64_t{1} << 32, Time(0));
        topology.WriteTo(runOptions.outDir);
        std::ostringstream lines;
        const auto sample = [&] { WriteReceiver(lines, fabric, receiver); };
        Simulator::Schedule(runOptions.stop / 4, sample);
        Simulator::Schedule(runOptions.stop - NanoSeconds(1), sample);
        std::cout << run.Execute().Summary();
        if (!runOptions.outDir.empty())
        {
            ResultFile file(runOptions.outDir + "/receiver.csv");
            file.Stream() << "time_ns,delivered_bytes,touched,misses,xoffs,dropped\n"
                          << lines.str();
            file.Commit();
        }
    });
}
