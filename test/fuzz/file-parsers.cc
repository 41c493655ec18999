// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz-target.h"
#include "parsers.h"
#include "refusal.h"
#include "scratch-folder.h"
#include "settings-file.h"

#include "ns3/config.h"
#include "ns3/fabric-error.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/hpcc-config.h"
#include "ns3/hpcc-files.h"
#include "ns3/sonic-config.h"

#include <cmath>

namespace ns3
{
namespace fuzz
{
namespace
{

/// Write an input to a file and read it. @param read reads the file of that path
bool
ReadFile(const std::string& input, const std::function<void(const std::string& path)>& read)
{
    static const ScratchFolder folder;
    const std::string path = folder.Write("input.txt", input);
    try
    {
        read(path);
        return true;
    }
    catch (const FabricError& error)
    {
        CheckRefusal(error.what(), path);
        return false;
    }
}

/// The nodes that flows and traces speak of: hosts and a switch, as many as in examples/hpcc.
const FabricTopology&
Nodes()
{
    static const FabricTopology star = FabricTopology::Star(32, FabricLinkSpec());
    return star;
}

bool
ParseTopology(const std::string& input)
{
    return ReadFile(input, [](const std::string& path) {
        const FabricTopology topology = HpccFiles::ReadTopology(path);
        for (const auto& link : topology.GetLinks())
        {
            if (link.a == link.b || link.spec.rate.GetBitRate() == 0 ||
                link.spec.delay.IsStrictlyNegative() || link.spec.errorRate > 1)
            {
                Defect("a topology has a link that cannot be");
            }
        }
    });
}

bool
ParseFlows(const std::string& input)
{
    return ReadFile(input, [](const std::string& path) {
        for (const auto& [flow, line] : HpccFiles::ReadFlows(path, Nodes()))
        {
            if (flow.source.Value() >= 32 || flow.destination.Value() >= 32 ||
                flow.trafficClass >= TRAFFIC_CLASSES || flow.start.IsStrictlyNegative())
            {
                Defect("line " + std::to_string(line) + " has a flow that cannot be");
            }
        }
    });
}

bool
ParseTrace(const std::string& input)
{
    return ReadFile(input, [](const std::string& path) {
        for (const NodeId node : HpccFiles::ReadTraceNodes(path, Nodes()))
        {
            if (node.Value() >= Nodes().GetNNodes())
            {
                Defect("a trace file names a node that is not there");
            }
        }
    });
}

bool
ParseConfig(const std::string& input)
{
    const bool isTaken = ReadFile(input, [](const std::string& path) {
        const HpccConfig config(path);
        config.GetIgnored();
        Findings findings;
        config.AddFindings(findings);
        for (const Finding& finding : findings.Get())
        {
            CheckRefusal(finding.what, finding.rule == "config" ? path : "");
        }
        config.GetCongestionControl();
        config.GetNumber("QLEN_MON_START", 0);
        config.GetOutput("FCT_OUTPUT_FILE");
        if (!config.GetLinkDownTime().IsZero())
        {
            config.GetLinkDown(Nodes());
        }
        config.SetDefaults();
        config.SetRoundTrip(Nodes());
        FabricHelper helper;
        config.Configure(helper, Nodes());
    });
    Config::Reset();
    return isTaken;
}

bool
ParseDistribution(const std::string& input)
{
    return ReadFile(input, [](const std::string& path) {
        const auto distribution = FlowSizeDistribution::Load(path);
        double last = 0;
        for (const double fraction : {0.0, 0.01, 0.5, 0.999, 1.0})
        {
            const double size = distribution.GetQuantile(fraction);
            if (!std::isfinite(size) || size < last)
            {
                Defect("the quantiles of a distribution fall");
            }
            last = size;
        }
        if (!std::isfinite(distribution.GetMean()))
        {
            Defect("a distribution has no mean");
        }
    });
}

bool
ParseSettings(const std::string& input)
{
    return ReadFile(input, [](const std::string& path) {
        for (const FabricSettings& some : ReadSettingsFile(path, FabricOptions()))
        {
            for (const FabricSetting& setting : some.settings)
            {
                if (setting.line == 0 || !setting.value)
                {
                    Defect("a setting without a line or a value");
                }
            }
        }
    });
}

bool
ParseSonic(const std::string& input)
{
    return ReadFile(input, [](const std::string& path) {
        const SonicConfig config = SonicConfig::Read(path);
        for (const Finding& finding : config.GetUnused())
        {
            CheckRefusal(finding.ToLine(), "");
        }
        const std::string text = config.ToText();
        const SonicConfig again = SonicConfig::FromText(text, path);
        if (again != config || again.ToText() != text)
        {
            Defect("a configuration of SONiC that is written reads as another");
        }
        for (const auto& port : config.GetPorts())
        {
            config.GetMetres(port.name);
            config.GetWatchdog(port.name);
            config.GetPriorities(port.name, "pfc_enable");
            config.FindOf("QUEUE", port.name, 3);
        }
        for (const auto& [name, fields] : config.GetTable("BUFFER_PROFILE"))
        {
            config.GetProfile(name);
        }
        for (const auto& [name, fields] : config.GetTable("SCHEDULER"))
        {
            config.GetScheduler(name);
        }
        for (const auto& [name, fields] : config.GetTable("DSCP_TO_TC_MAP"))
        {
            config.GetMap("DSCP_TO_TC_MAP", name);
        }
        for (const auto& [name, fields] : config.GetTable("WRED_PROFILE"))
        {
            config.GetWred(name);
        }
    });
}

/// Seeds that are files of the repository, and some more.
std::function<std::vector<std::string>(const std::string&)>
Files(std::vector<std::string> paths, std::vector<std::string> more)
{
    return [paths = std::move(paths), more = std::move(more)](const std::string& root) {
        std::vector<std::string> seeds = more;
        for (const std::string& path : paths)
        {
            seeds.push_back(ReadWhole(root + "/" + path));
        }
        return seeds;
    };
}

} // namespace

std::vector<Parser>
FileParsers()
{
    return {
        {"topology files",
         ParseTopology,
         Files({"examples/hpcc/topology.txt"},
               {"4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 25Gb/s 0.001ms 0.5\n",
                "2 0 1\n0 1 10Gbps 0 0 # joined directly\n",
                "6 2 5\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 4 1e11 1us 0\n"
                "3 5 100Gbps 1us 0\n4 5 400Gbps 1us 0\n"})},
        {"flow files",
         ParseFlows,
         Files({"examples/hpcc/flow.txt"},
               {"3\n1 0 3 100 0 0.000001\n2 0 3 200 5000 2.0\n0 1 3 100 1 0\n", "0\n"})},
        {"trace files", ParseTrace, Files({"examples/hpcc/trace.txt"}, {"3\n0 1\n2\n", "0\n"})},
        {"configurations",
         ParseConfig,
         Files({"examples/hpcc/config.txt"},
               {"TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nSIMULATOR_STOP_TIME 1\nCC_MODE 3\n"
                "HAS_WIN 1\nVAR_WIN 1\nFAST_REACT 1\nU_TARGET 0.95\nMI_THRESH 5\nINT_MULTI 4\n"
                "MULTI_RATE 0\nSAMPLE_FEEDBACK 0\nRATE_AI 50Mb/s\nBUFFER_SIZE 32\n",
                "CC_MODE 10\nPINT_LOG_BASE 1.05\nPINT_PROB 0.5\nLINK_DOWN 100 0 32\n",
                "CC_MODE 7\nRATE_AI 40Mb/s\nRATE_HAI 200Mb/s\nMIN_RATE 1000Mb/s\n",
                "CC_MODE 8\nDCTCP_RATE_AI 615Mb/s\nEWMA_GAIN 0.0625\nGLOBAL_T 0\n"
                "L2_BACK_TO_ZERO 1\nL2_CHUNK_SIZE 4000\nACK_HIGH_PRIO 1\n"
                "KMAX_MAP 1 100000000000 400\nKMIN_MAP 1 100000000000 100\n"
                "PMAX_MAP 1 100000000000 0.2\n"})},
        {"flow-size distributions",
         ParseDistribution,
         Files({"data/flow-sizes/ali-storage.csv",
                "data/flow-sizes/fb-hadoop.csv",
                "data/flow-sizes/google-rpc.csv",
                "data/flow-sizes/websearch.csv"},
               {"bytes,percent\n1,0\n1000,50\n1e6,100\n", "5 0\n5 100\n"})},
        {"settings",
         ParseSettings,
         Files({},
               {"[leaf]\nSwitchMmu.Alpha = 0.03125\nSwitchMmu.BufferSize = \"16MiB\"\n"
                "SwitchExtension = [\"ns3::PfcWatchdog[Action=Alert]\"]\n",
                "[\"leaf 2 to spine class 3,4\"]\nSwitchMmu.Headroom = 65536\n"
                "\"ns3::QbbNetDevice::TrafficClassMap\" = \"ns3::TrafficClassMap[Dscp=26:3]\"\n",
                "[hosts.QbbNetDevice]\nComputeIcrc = true\nPfcQuanta = 100 # a comment\n"})},
        {"configurations of SONiC",
         ParseSonic,
         Files(
             {"examples/sonic/leaf.json", "examples/sonic/spine.json"},
             {"{\"PORT\": {\"Ethernet0\": {\"speed\": \"100000\"}}, \"QUEUE\": {\"Ethernet0|3-4\": "
              "{\"scheduler\": \"[SCHEDULER|s.0]\"}}, \"SCHEDULER\": {\"s.0\": {\"type\": "
              "\"DWRR\", \"weight\": \"5\"}}}",
              "{\"BUFFER_PROFILE\": {\"a\": {\"size\": \"1\", \"dynamic_th\": \"-3\"}}}",
              "{\"PORT_QOS_MAP\": {\"a,b\": {\"pfc_enable\": [\"3\", \"4\"]}}}"})},
    };
}

} // namespace fuzz
} // namespace ns3
