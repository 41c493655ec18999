// SPDX-License-Identifier: GPL-2.0-only

// RDMA with and without PFC (Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018,
// section 4): a fat-tree of 54 hosts (k = 6), 40 Gb/s, links of 2 us, 240 KB of buffer for each
// input port, PFC at 220 KB, heavy-tailed messages at 70 % load, no congestion control.
//
//   irn-paper --recovery=ns3::RdmaIrn --pfc=false --outDir=results

#include "byte-buffer.h"

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <iostream>

using namespace ns3;

namespace
{

constexpr uint32_t DATA_CLASS = 3; //!< of data, ACKs and NAKs

/// What the options say.
struct Options
{
    std::string recovery{"ns3::RdmaIrn"};
    bool pfc{false};
    uint32_t k{6};
    std::string workload{"irn"};
    double load{0.7};
    Time duration{MilliSeconds(4)};
    uint64_t portBuffer{240000};
    uint64_t pfcThreshold{220000};
    FabricLinkSpec link{DataRate("40Gbps"), MicroSeconds(2), 0};
};

/// The heavy-tailed mix of the paper's section 4.1: half of the messages from 32 B to 1 KB, 15 %
/// from 200 KB to 3 MB, the rest between.
FlowSizeDistribution
HeavyTail()
{
    return FlowSizeDistribution({{32, 0}, {1000, 50}, {200000, 85}, {3000000, 100}});
}

/// Every input port has its own part of the memory: nothing is shared.
void
PartBuffer(const Fabric& fabric, const Options& options)
{
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        SwitchMmu& mmu = *fabric.GetSwitch(i)->GetMmu();
        for (uint32_t port = 0; port < mmu.GetPortCount(); ++port)
        {
            const uint64_t bytes = options.pfc ? options.pfcThreshold : options.portBuffer;
            mmu.SetStaticThreshold(port, DATA_CLASS, bytes);
            if (!options.pfc) // input-queued: outputs have no limit of their own
            {
                mmu.SetEgressStaticThreshold(port,
                                             DATA_CLASS,
                                             mmu.GetPortCount() * options.portBuffer);
            }
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("IRN without PFC against RoCE with PFC on a fat-tree.");
    RunOptions runOptions;
    runOptions.sample = MicroSeconds(20);
    runOptions.AddTo(program);
    std::string congestion = "none";
    program.AddCongestion(congestion);
    Options options;
    program.AddOption("recovery", "loss recovery, a type", options.recovery);
    program.AddOption("pfc", "whether links have PFC", options.pfc);
    program.AddOption("k", "ports of a switch of the fat-tree", options.k);
    program.AddOption("workload", "flow sizes: irn, or a name or file", options.workload);
    program.AddOption("load", "share of the hosts' links", options.load);
    program.AddOption("duration", "time during which flows arrive", options.duration);
    program.AddSize("portBuffer", "buffer of an input port", options.portBuffer);
    program.AddSize("pfcThreshold", "of it below XOFF", options.pfcThreshold);
    program.AddLinks(options.link.rate, options.link.delay);
    program.StandsFor("recovery", {"ns3::RdmaQueuePair::LossRecovery"});
    program.StandsFor("pfc", {"ns3::QbbNetDevice::PfcClasses"});

    return program.Run(argc, argv, [&] {
        if (options.pfc && options.pfcThreshold > options.portBuffer)
        {
            throw FabricError("--pfcThreshold is above --portBuffer", "it is a part of it");
        }
        FabricHelper helper(program.GetOptions());
        helper.SetCongestionControl(congestion);
        helper.SetQueuePair("LossRecovery", StringValue(options.recovery));
        helper.SetLink("DataRate",
                       DataRateValue(options.link.rate),
                       "Delay",
                       TimeValue(options.link.delay));
        if (!options.pfc)
        {
            helper.SetLosslessClasses({});
        }
        // The memory is parted by PartBuffer(); there is enough for that and for the headroom.
        SetByteBuffer(helper, uint64_t{2} * options.k * options.portBuffer);
        Fabric fabric = helper.FatTree(options.k);
        PartBuffer(fabric, options);

        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        if (options.workload == "irn")
        {
            flows.Poisson(HeavyTail(), options.load, options.duration);
        }
        else
        {
            flows.Poisson(options.workload, options.load, options.duration);
        }
        std::cout << run.Execute().Summary();
    });
}
