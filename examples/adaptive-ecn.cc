// SPDX-License-Identifier: GPL-2.0-only

// Who chooses Kmin? Eight hosts send short messages to one; after 5 ms two of them send long ones
// as well. A threshold that is low enough for the first half costs throughput in the second one.
//
//   adaptive-ecn                                      # Kmin stays as it is: 100 KB
//   adaptive-ecn --advisor=ns3::RuleEcnThresholdAdvisor  # a rule adapts it every millisecond
//   adaptive-ecn --advisor=ns3::TableEcnAdvisor       # the best of a near model; else the rule

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    constexpr uint32_t SENDERS = 8;
    constexpr uint64_t SHORT = 20000; // bytes
    constexpr int64_t EVERY_US = 85;  // all at once: 60 % of the link
    FabricProgram program("Kmin by traffic: fixed, by a rule, or of a table of known models.");
    std::string advisor;
    RunOptions options;
    options.stop = MilliSeconds(10);
    program.AddOption("advisor", "EcnThresholdAdvisor that chooses Kmin; none: it stays", advisor);
    options.AddTo(program);

    return program.Run(argc, argv, [&] {
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate", StringValue("25Gbps"));
        helper.SetCongestionControl("ns3::RdmaDcqcn", "Dialect", StringValue("Paper"));
        if (!advisor.empty())
        {
            helper.AddSwitchExtension("ns3::EcnTuner", "AdvisorType", StringValue(advisor));
        }
        Fabric fabric = helper.Star(SENDERS + 1);

        FabricRun run(fabric, options);
        for (Time start; start < options.stop; start += MicroSeconds(EVERY_US))
        {
            run.Rdma().Incast(SENDERS, 0, SHORT, start);
        }
        for (const uint32_t host : {1, 2})
        {
            run.Rdma().Add({host, 0, 1000000000, MilliSeconds(5)});
        }
        std::vector<double> fcts[2]; // of short messages of each half, us
        run.Rdma().OnEnd([&](const RdmaFlowResult& result) {
            if (result.flow.bytes == SHORT)
            {
                fcts[result.flow.start >= MilliSeconds(5)].push_back(1e6 * result.fct.GetSeconds());
            }
        });
        uint64_t sent[2] = {};
        for (const int half : {0, 1})
        {
            Simulator::Schedule(MilliSeconds(5) * (half + 1) - NanoSeconds(1), [&, half] {
                sent[half] = fabric.GetSwitch(0)->GetPort(0)->GetCounters().txClassBytes[3];
            });
        }
        run.Execute();
        for (const int half : {0, 1})
        {
            std::sort(fcts[half].begin(), fcts[half].end());
            const uint64_t bytes = sent[half] - (half ? sent[0] : 0);
            std::cout << (half ? "short and long" : "short alone   ") << ": link carries "
                      << 8e-9 * bytes / 5e-3 << " Gb/s, 99 % of short messages within "
                      << fcts[half].at(fcts[half].size() * 99 / 100) << " us\n";
        }
    });
}
