// SPDX-License-Identifier: GPL-2.0-only

// The flooding deadlock of Guo et al. (RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section
// 4.2 and figure 4): S2 and S3 die, the switches forget their MAC addresses before their ARP
// entries, and flood what S1 and S4 send them. The ways are those of the figure: T0 sends by La,
// T1 by Lb.
//
//   guo16-flooding --unknownMac=Flood --outDir=results
//
// rates.csv has what each flow sends; flows 0 to 2 are S1->S3, S1->S5 and S4->S2, then come those
// of the hosts X at T1 that make S5 the receiver of an incast.

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
    std::string unknownMac = "Flood";
    Time macTimeout = Minutes(5);
    Time die = MilliSeconds(2);
    Time revive{0};
    uint32_t others = 1;
    double alpha = 1.0 / 16;
    uint64_t buffer = 12000000;
    FabricLinkSpec link{DataRate("40Gbps"), MicroSeconds(1), 0};

    /// @param program gets the options
    explicit Scenario(FabricProgram& program)
    {
        program.AddOption("unknownMac", "Flood, DropLossless or Drop", unknownMac);
        program.AddOption("macTimeout", "age at which a MAC entry is gone", macTimeout);
        program.AddOption("die", "when S2 and S3 die; 0: never", die);
        program.AddOption("revive", "when they come back; 0: never", revive);
        program.AddOption("others", "further hosts at T1 that send to S5", others);
        program.AddOption("alpha",
                          "share of the free buffer that a port and class may have",
                          alpha);
        program.AddOption("rate", "rate of all links", link.rate);
        program.AddBuffer(buffer);
        program.StandsFor("unknownMac", {"ns3::L2Tables::UnknownMac"});
        program.StandsFor("macTimeout", {"ns3::L2Tables::MacTimeout"});
        program.StandsFor("alpha", {"ns3::SwitchMmu::Alpha"});
        program.StandsFor("rate", {"ns3::QbbNetDevice::DataRate"});
    }
};

/// Writes the sending rate of flows, by source and destination, as frames leave the hosts.
class FlowRates
{
  public:
    FlowRates(const std::string& folder, Time interval)
        : m_file(folder + "/rates.csv"),
          m_interval(interval)
    {
        m_file.Stream() << "time_ns,flow,bps\n";
    }

    /// @param name of the flow @param port of its sender @param destination its address
    void Add(const std::string& name, Ptr<QbbNetDevice> port, Ipv4Address destination)
    {
        m_flows.push_back(std::make_unique<Flow>(Flow{name, destination.Get(), 0}));
        Flow* flow = m_flows.back().get();
        port->TraceConnectWithoutContext("FrameTx",
                                         Callback<void, const QbbNetDevice&, const Frame&>(
                                             [flow](const QbbNetDevice&, const Frame& frame) {
                                                 const bool mine = frame.dst == flow->destination &&
                                                                   frame.payloadBytes > 0;
                                                 flow->bytes += mine ? frame.payloadBytes : 0;
                                             }));
    }

    /// Write a line for each flow, again and again.
    void Sample()
    {
        for (const auto& flow : m_flows)
        {
            m_file.Stream() << Simulator::Now().GetNanoSeconds() << ',' << flow->name << ','
                            << static_cast<double>(flow->bytes) * 8 / m_interval.GetSeconds()
                            << '\n';
            flow->bytes = 0;
        }
        Simulator::Schedule(m_interval, &FlowRates::Sample, this);
    }

    /// The file is complete.
    void Commit()
    {
        m_file.Commit();
    }

  private:
    /// A flow.
    struct Flow
    {
        std::string name;
        uint32_t destination;
        uint64_t bytes; //!< payload since the last sample
    };

    ResultFile m_file;
    Time m_interval;
    std::vector<std::unique_ptr<Flow>> m_flows;
};

/// @param link all cables @param others further hosts of T1 @return the graph of figure 4
NamedTopology
MakeTopology(const FabricLinkSpec& link, uint32_t others)
{
    NamedTopology topology;
    for (const std::string name : {"T0", "T1", "La", "Lb"})
    {
        topology.AddSwitch(name);
    }
    for (const auto& [host, at] :
         {std::pair("S1", "T0"), {"S2", "T0"}, {"S3", "T1"}, {"S4", "T1"}, {"S5", "T1"}})
    {
        topology.AddHostAt(host, at, link);
    }
    for (const std::string leaf : {"La", "Lb"})
    {
        topology.AddLink("T0", leaf, link);
        topology.AddLink("T1", leaf, link);
    }
    for (uint32_t i = 0; i < others; ++i)
    {
        topology.AddHostAt("X" + std::to_string(i), "T1", link);
    }
    return topology;
}

/// @param fabric the fabric @param i which switch @return its tables
Ptr<L2Tables>
TablesOf(const Fabric& fabric, uint32_t i)
{
    const auto fabricSwitch = fabric.GetSwitch(i);
    for (uint32_t n = 0; n < fabricSwitch->GetNExtensions(); ++n)
    {
        if (auto tables = DynamicCast<L2Tables>(fabricSwitch->GetExtension(n)))
        {
            return tables;
        }
    }
    return nullptr;
}

/// T0 sends to the hosts of T1 by La, and T1 to those of T0 by Lb.
void
ChooseWays(const Fabric& fabric, const NamedTopology& topology)
{
    const uint32_t toLeafA = 2; // the uplinks of T0 come after its hosts
    const uint32_t toLeafB = 4; // and so do those of T1
    for (const std::string host : {"S3", "S4", "S5"})
    {
        fabric.GetSwitch(0)->AddRoute(fabric.GetAddress(topology.GetHost(host)), {toLeafA});
    }
    for (const std::string host : {"S1", "S2"})
    {
        fabric.GetSwitch(1)->AddRoute(fabric.GetAddress(topology.GetHost(host)), {toLeafB});
    }
}

/// @param options of the program @param chosen those of the scenario @param congestion control
/// @param topology the graph @return the fabric
Fabric
MakeFabric(const FabricOptions& options,
           const Scenario& chosen,
           const std::string& congestion,
           const NamedTopology& topology)
{
    FabricHelper helper(options);
    helper.SetAlphaBySpeed(false); // one alpha, as in the paper
    helper.SetSwitch("ns3::SwitchMmu",
                     "BufferSize",
                     UintegerValue(chosen.buffer),
                     "Alpha",
                     DoubleValue(chosen.alpha));
    helper.SetCongestionControl(congestion);
    helper.AddSwitchExtension("ns3::L2Tables",
                              "UnknownMac",
                              StringValue(chosen.unknownMac),
                              "MacTimeout",
                              TimeValue(chosen.macTimeout));
    const Fabric fabric = helper.FromTopology(topology.Get());
    ChooseWays(fabric, topology);
    return fabric;
}

/// S2 and S3 die, and have been silent for long: older than a MAC entry lives, not an ARP entry.
void
Kill(const Fabric& fabric,
     const NamedTopology& topology,
     FaultHelper& faults,
     Time at,
     Time duration)
{
    for (const auto& [name, tor] : {std::pair("S2", 0), {"S3", 1}})
    {
        const HostId host = topology.GetHost(name);
        faults.KillHost(host, at, duration);
        Simulator::Schedule(at, [tables = TablesOf(fabric, tor), fabric, host] {
            tables->Age(fabric.GetAddress(host), Minutes(10));
        });
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("The flooding deadlock: dead hosts whose MAC addresses are forgotten.");
    RunOptions runOptions;
    runOptions.stop = MilliSeconds(20);
    runOptions.stopWhenStuck = false; // to see that nothing comes back
    runOptions.AddTo(program);
    std::string congestion = "ns3::RdmaDcqcn";
    program.AddCongestion(congestion);
    Scenario chosen(program);

    return program.Run(argc, argv, [&] {
        if (runOptions.stop.IsZero())
        {
            throw FabricError("--stop is 0, and the flows do not end", "it must be above 0");
        }
        if (!chosen.revive.IsZero() && chosen.revive <= chosen.die)
        {
            throw FabricError("the hosts come back before they die",
                              "--revive must be after --die");
        }
        const NamedTopology topology = MakeTopology(chosen.link, chosen.others);
        Fabric fabric = MakeFabric(program.GetOptions(), chosen, congestion, topology);
        FabricRun run(fabric, runOptions);
        RdmaFlowHelper& flows = run.Rdma();
        FaultHelper& faults = run.Faults();
        std::unique_ptr<FlowRates> rates;
        if (!runOptions.outDir.empty())
        {
            rates = std::make_unique<FlowRates>(runOptions.outDir, MicroSeconds(100));
            Simulator::Schedule(MicroSeconds(100), &FlowRates::Sample, rates.get());
        }
        const auto send = [&](const std::string& from, const std::string& to) {
            topology.AddFlow(flows, from, to, uint64_t{1} << 30, Time(0));
            if (rates)
            {
                rates->Add(from + "->" + to,
                           fabric.GetRdma(topology.GetHost(from))->GetDevice(0),
                           fabric.GetAddress(topology.GetHost(to)));
            }
        };
        send("S1", "S3");
        send("S1", "S5");
        send("S4", "S2");
        for (uint32_t i = 0; i < chosen.others; ++i)
        {
            send("X" + std::to_string(i), "S5");
        }
        if (chosen.die.IsStrictlyPositive())
        {
            Kill(fabric,
                 topology,
                 faults,
                 chosen.die,
                 chosen.revive.IsZero() ? Time(0) : chosen.revive - chosen.die);
        }
        topology.WriteTo(runOptions.outDir);
        std::cout << run.Execute().Summary();
        if (rates)
        {
            rates->Commit();
        }
    });
}
