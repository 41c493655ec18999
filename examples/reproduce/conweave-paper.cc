// SPDX-License-Identifier: GPL-2.0-only

// Load balancing for RDMA (Song et al., ConWeave, SIGCOMM 2023, section 4): 128 hosts in 8 racks, 8
// spines, 100 Gb/s, links of 1 us, so that the links to the spines have half of the hosts' rate.
// DCQCN; go-back-N with PFC, or IRN without. Load is that of the links to the spines, if all
// messages pass one.
//
//   conweave-paper --balancer=conweave --load=0.8 --pfc=false --outDir=results

#include "byte-buffer.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>
#include <map>

using namespace ns3;

namespace
{

constexpr double OVERSUBSCRIPTION = 2; //!< rate of the hosts of a leaf over that to the spines

/// What the options say.
struct Options
{
    std::string balancer{"conweave"};
    bool pfc{true};
    bool cut{false};
    std::string workload{"ali-storage"};
    double load{0.5};
    Time duration{MilliSeconds(5)};
    uint32_t leaves{8};
    uint32_t spines{8};
    uint32_t hosts{16};
    uint64_t buffer{9000000};
    FabricLinkSpec link{DataRate("100Gbps"), MicroSeconds(1), 0};
};

/// Give the switches a load balancer. @param helper gets it @param name of it
void
SetBalancer(FabricHelper& helper, const std::string& name)
{
    static const std::map<std::string, std::string> types{{"ecmp", "EcmpLoadBalancer"},
                                                          {"letflow", "LetFlowLoadBalancer"},
                                                          {"conga", "CongaLoadBalancer"},
                                                          {"drill", "DrillLoadBalancer"},
                                                          {"conweave", "ConWeaveLoadBalancer"}};
    const auto type = types.find(name);
    if (type == types.end())
    {
        throw FabricError("--balancer=" + name + " is unknown",
                          "take ecmp, letflow, conga, drill or conweave");
    }
    helper.SetLoadBalancer("ns3::" + type->second);
    if (name == "conga" || name == "conweave")
    {
        helper.AddSwitchExtension(name == "conga" ? "ns3::CongaSwitch" : "ns3::ConWeaveSwitch");
    }
}

/// Go-back-N with PFC, or IRN without. @param helper gets it @param pfc which
void
SetTransport(FabricHelper& helper, bool pfc)
{
    if (!pfc)
    {
        helper.SetLosslessClasses({});
    }
    helper.SetQueuePair("LossRecovery", StringValue(pfc ? "ns3::RdmaGoBackN" : "ns3::RdmaIrn"));
}

/// Load balancers use more or fewer random streams, and all are to have the same messages.
/// @param fabric gets streams @param flows get others
void
GiveStreams(const Fabric& fabric, RdmaFlowHelper& flows)
{
    constexpr int64_t OF_FABRIC = 1000;
    constexpr int64_t OF_FLOWS = 1000000;
    fabric.AssignStreams(OF_FABRIC);
    flows.AssignStreams(OF_FLOWS);
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Load balancers for RDMA in a leaf-spine fabric of 128 hosts.");
    RunOptions runOptions;
    runOptions.firstStream = -1; // GiveStreams()
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    Options options;
    program.AddOption("balancer", "ecmp, letflow, conga, drill or conweave", options.balancer);
    program.AddOption("pfc", "go-back-N with PFC, or IRN without", options.pfc);
    program.AddOption("cut", "the link from leaf 0 to spine 0 is down", options.cut);
    program.AddOption("workload", "flow sizes, a name or file", options.workload);
    program.AddOption("load", "share of the links to the spines", options.load);
    program.AddOption("duration", "time during which flows arrive", options.duration);
    program.AddOption("leaves", "leaf switches", options.leaves);
    program.AddOption("spines", "spine switches", options.spines);
    program.AddOption("hosts", "hosts of a leaf", options.hosts);
    program.AddSize("buffer", "buffer of a switch", options.buffer);
    program.AddLinks(options.link.rate, options.link.delay);
    program.StandsFor("balancer",
                      {"ns3::FabricSwitch::LoadBalancer", "ns3::FabricSwitch::LoadBalancerType"});
    program.StandsFor("pfc", {"ns3::QbbNetDevice::PfcClasses", "ns3::RdmaQueuePair::LossRecovery"});

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetCongestionControl(congestion);
        SetBalancer(helper, options.balancer);
        SetTransport(helper, options.pfc);
        helper.SetLink("DataRate",
                       DataRateValue(options.link.rate),
                       "Delay",
                       TimeValue(options.link.delay));
        SetByteBuffer(helper, options.buffer);
        const Fabric fabric =
            helper.LeafSpine(options.leaves, options.spines, options.hosts, OVERSUBSCRIPTION);
        FabricRun run(fabric, runOptions);
        if (options.cut)
        {
            const FabricTopology& topology = fabric.GetTopology();
            run.Faults().CutLink(topology.FindLink(topology.NodeOf(SwitchId(0)),
                                                   topology.NodeOf(SwitchId(options.leaves))),
                                 Time(0));
        }
        run.Rdma().Poisson(options.workload, options.load / OVERSUBSCRIPTION, options.duration);
        if (runOptions.firstStream < 0)
        {
            GiveStreams(fabric, run.Rdma());
        }
        std::cout << run.Execute().Summary();
    });
}
