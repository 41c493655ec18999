// SPDX-License-Identifier: GPL-2.0-only

// Hosts 1 to 3 send to host 0: RDMA in classes 3 and 4, and a host that has gone mad in class 6,
// which is that of CNPs and has strict priority. Who gets what of the link to host 0?
//
//   rate-caps                                      # strict priority: class 6 takes all
//   rate-caps --scheduler=dwrr                     # turns: class 6 still takes its weight
//   rate-caps --scheduler=shaped                   # class 6 has 5 % of the line, class 4 at most
//   20 % rate-caps --scheduler=shaped --maxRates=4:10Gbps

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <cstdio>
#include <map>
#include <string>

using namespace ns3;

namespace
{

const std::map<std::string, std::string> SCHEDULERS = {{"strict", "ns3::StrictPriorityScheduler"},
                                                       {"dwrr", "ns3::DwrrScheduler"},
                                                       {"shaped", "ns3::ShapedScheduler"}};
constexpr uint32_t STRICT = 1U << 6; //!< class 6 alone

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("What classes get of a link, and how rate limits keep a flood small.");
    std::string scheduler = "strict";
    std::string maxRates = "4:20%";
    RunOptions options;
    options.stop = MilliSeconds(2);
    program.AddOption("scheduler", "strict, dwrr or shaped", scheduler);
    program.AddOption("maxRates", "highest rates of classes", maxRates);
    options.AddTo(program);

    return program.Run(argc, argv, [&] {
        const auto type = SCHEDULERS.find(scheduler);
        if (type == SCHEDULERS.end())
        {
            throw FabricError("--scheduler is \"" + scheduler + "\"",
                              "it must be strict, dwrr or shaped");
        }
        FabricHelper helper(program.GetOptions());
        helper.SetLink("DataRate",
                       StringValue("100Gbps"),
                       "PfcClasses",
                       UintegerValue(1U << 3 | 1U << 4 | STRICT));
        helper.SetCongestionControl("none"); // PFC alone
        if (scheduler == "shaped")
        {
            helper.SetScheduler(type->second,
                                "StrictClasses",
                                UintegerValue(STRICT),
                                "MaxRates",
                                StringValue(maxRates));
        }
        else
        {
            helper.SetScheduler(type->second);
        }
        Fabric fabric = helper.Star(4);

        FabricRun run(fabric, options);
        const std::map<uint32_t, HostId> senders = {{3, 1}, {4, 2}, {6, 3}};
        for (const auto& [cls, host] : senders)
        {
            RdmaFlow flow{host, 0, 50000000};
            flow.trafficClass = static_cast<uint8_t>(cls);
            run.Rdma().Add(flow);
        }
        run.Execute();

        const QbbNetDevice& port = *fabric.GetSwitch(0)->GetPort(0);
        for (const auto& [cls, host] : senders)
        {
            const auto bits = static_cast<double>(8 * port.GetCounters().txClassBytes[cls]);
            std::printf("class %u: %5.1f Gb/s\n", cls, bits / Simulator::Now().GetNanoSeconds());
        }
    });
}
