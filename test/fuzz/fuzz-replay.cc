// SPDX-License-Identifier: GPL-2.0-only

// An input is a scenario of the HPCC simulator: configuration, topology and flows, with lines
// "----" between them. The scenario is refused in one line that names the file, or is replayed for
// a short time, in which all books agree and nothing lossless is dropped.

#include "fabric-state.h"
#include "fuzz-target.h"
#include "refusal.h"
#include "scratch-folder.h"

#include "ns3/config.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-run.h"
#include "ns3/hpcc-scenario.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <streambuf>
#include <utility>

using namespace ns3;
using namespace ns3::fuzz;

namespace
{

constexpr const char* SEPARATOR = "\n----\n";
constexpr uint32_t MOST_NODES = 64;           //!< larger ones are for other tests
constexpr uint32_t MOST_LINKS = 128;          //!< likewise
constexpr uint64_t MOST_EVENTS = 30000;       //!< of a run
const Time MOST_TIME = MicroSeconds(2000500); //!< flows of that simulator start at 2 s

/// What became of the scenarios.
struct Tally
{
    uint64_t refused{0};
    uint64_t tooLarge{0};
    uint64_t done{0};    //!< ran until all flows had completed
    uint64_t stopped{0}; //!< ran until time or events were used up
};

Tally g_tally;

/// Takes the warnings out of what is written to std::cerr, and looks whether each is one line.
class WarningFilter : public std::streambuf
{
  public:
    WarningFilter()
        : m_behind(std::cerr.rdbuf(this))
    {
    }

    ~WarningFilter() override
    {
        std::cerr.rdbuf(m_behind);
    }

  private:
    int overflow(int c) override
    {
        return m_behind->sputc(static_cast<char>(c));
    }

    std::streamsize xsputn(const char* text, std::streamsize size) override
    {
        const std::string line(text, static_cast<std::size_t>(size));
        if (line.find("lossless: warning: ") != 0)
        {
            return m_behind->sputn(text, size);
        }
        CheckRefusal(line.substr(0, line.size() - 1)); // without its end
        return size;
    }

    std::streambuf* m_behind;
};

/// Ends a run that has had enough events. Looks often while something happens, and seldom else.
class EventBudget
{
  public:
    explicit EventBudget(FabricRun& run)
        : m_run(run)
    {
        Look();
    }

  private:
    void Look()
    {
        const uint64_t events = Simulator::GetEventCount() - m_looks;
        if (events > MOST_EVENTS)
        {
            m_run.EndNow("enough");
            return;
        }
        m_step = events > m_events ? MicroSeconds(1) : std::min(2 * m_step, MicroSeconds(50));
        m_events = events;
        ++m_looks;
        Simulator::Schedule(m_step, &EventBudget::Look, this);
    }

    FabricRun& m_run;
    Time m_step{MicroSeconds(1)};
    uint64_t m_events{0};
    uint64_t m_looks{0};
};

/// @param text an input @return its three parts
std::array<std::string, 3>
Parts(std::string text)
{
    std::array<std::string, 3> parts;
    for (std::string& part : parts)
    {
        const std::size_t end = text.find(SEPARATOR);
        part = text.substr(0, end);
        text = end == std::string::npos ? "" : text.substr(end + std::string(SEPARATOR).size());
    }
    return parts;
}

/// Write the files. @return path of the configuration
std::string
Write(const ScratchFolder& folder, const std::array<std::string, 3>& parts)
{
    // The last line with a key counts: whatever the input says, nothing is read or written
    // elsewhere.
    std::string config = parts[0];
    for (const auto& [key, name] : {std::pair{"TOPOLOGY_FILE", "topology.txt"},
                                    std::pair{"FLOW_FILE", "flow.txt"},
                                    std::pair{"TRACE_FILE", "trace.txt"},
                                    std::pair{"TRACE_OUTPUT_FILE", "trace.out"},
                                    std::pair{"FCT_OUTPUT_FILE", "fct.out"},
                                    std::pair{"PFC_OUTPUT_FILE", "pfc.out"},
                                    std::pair{"QLEN_MON_FILE", "qlen.out"}})
    {
        config += std::string("\n") + key + " " + (folder.Path() / name).string();
    }
    folder.Write("topology.txt", parts[1]);
    folder.Write("flow.txt", parts[2]);
    return folder.Write("config.txt", config + "\n");
}

/// After a run.
void
Judge(const HpccScenario& scenario, const Fabric& fabric)
{
    const std::string wrong = tests::FindDisagreement(fabric);
    if (!wrong.empty())
    {
        Defect(wrong);
    }
    const auto& links = scenario.GetTopology().GetLinks();
    const bool isPerfect = scenario.GetConfig().GetLinkDownTime().IsZero() &&
                           std::all_of(links.begin(), links.end(), [](const auto& l) {
                               return l.spec.errorRate == 0;
                           });
    for (const SwitchId which : fabric.Switches())
    {
        // A pause that is destroyed on its way does not pause.
        if (isPerfect && fabric.GetSwitch(which)->GetLosslessDrops() > 0)
        {
            Defect(which.Name() + " has dropped lossless frames");
        }
    }
}

/// Replay as lossless-replay does. @param path of the configuration
void
Replay(const std::string& path)
{
    const HpccScenario scenario(path);
    const HpccConfig& config = scenario.GetConfig();
    if (scenario.GetTopology().GetNNodes() > MOST_NODES ||
        scenario.GetTopology().GetLinks().size() > MOST_LINKS)
    {
        ++g_tally.tooLarge;
        return;
    }
    const Fabric fabric = scenario.Build();
    config.CheckOutputs("");
    RunOptions options;
    const Time stop = config.GetStop();
    options.stop = stop.IsZero() ? MOST_TIME : std::min(stop, MOST_TIME);
    options.progress = false;
    FabricRun run(fabric, options);
    scenario.AddFlows(run.Rdma());
    FaultHelper faults(fabric);
    scenario.AddFaults(faults);
    HpccOutput& output = run.Add<HpccOutput>(run.Rdma());
    output.WriteFct(config.GetOutput("FCT_OUTPUT_FILE"));
    output.WritePfc(config.GetOutput("PFC_OUTPUT_FILE"));
    const auto time = [&](const char* key, double otherwise) {
        return NanoSeconds(static_cast<uint64_t>(config.GetNumber(key, otherwise)));
    };
    if (config.Has("QLEN_MON_END"))
    {
        output.WriteQueues(config.GetOutput("QLEN_MON_FILE"),
                           time("QLEN_MON_START", 2e9),
                           time("QLEN_MON_END", 2.1e9));
    }
    if (run.Rdma().IsDone())
    {
        run.EndNow("there are no flows");
    }
    const EventBudget budget(run);
    run.Execute().end == RunResults::End::DONE ? ++g_tally.done : ++g_tally.stopped;
    Judge(scenario, fabric);
}

} // namespace

std::vector<std::string>
ns3::fuzz::GetSeeds(const std::string& root)
{
    const std::string shipped = root + "/examples/hpcc/";
    const std::string incast =
        "6 2 5\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 4 100Gbps 1us 0\n"
        "3 5 100Gbps 1us 0\n4 5 100Gbps 1us 0\n";
    const std::string flows = "5\n0 3 3 100 1000000 0\n1 3 3 100 1000000 0\n2 3 3 100 1000000 0\n"
                              "0 1 3 100 500000 0.00001\n2 1 3 100 500000 0.00001\n";
    const std::string common = "SIMULATOR_STOP_TIME 1\nBUFFER_SIZE 4\nRATE_AI 40Mb/s\n"
                               "RATE_HAI 200Mb/s\nEWMA_GAIN 0.0625\nKMAX_MAP 1 100000000000 400\n"
                               "KMIN_MAP 1 100000000000 100\nPMAX_MAP 1 100000000000 0.2\n";
    std::vector<std::string> seeds{ReadWhole(shipped + "config.txt") + SEPARATOR +
                                   ReadWhole(shipped + "topology.txt") + SEPARATOR +
                                   ReadWhole(shipped + "flow.txt")};
    for (const char* mode : {"CC_MODE 1\n",
                             "CC_MODE 1\nL2_BACK_TO_ZERO 1\nHAS_WIN 0\n",
                             "CC_MODE 3\nMULTI_RATE 0\nFAST_REACT 1\nVAR_WIN 1\n",
                             "CC_MODE 7\nMIN_RATE 1000Mb/s\n",
                             "CC_MODE 8\nDCTCP_RATE_AI 615Mb/s\n",
                             "CC_MODE 10\nPINT_PROB 0.5\nPINT_LOG_BASE 1.05\n",
                             "CC_MODE 1\nERROR_RATE_PER_LINK 0.001\nENABLE_QCN 0\n",
                             "CC_MODE 1\nQLEN_MON_START 0\nQLEN_MON_END 20000\n"})
    {
        seeds.push_back(mode + common + SEPARATOR + incast + SEPARATOR + flows);
    }
    // Times as that simulator has them, and a link that fails.
    seeds.push_back("LINK_DOWN 5 0 4\nSIMULATOR_STOP_TIME 2.01\nBUFFER_SIZE 4\n" +
                    std::string(SEPARATOR) + incast + "\n" + SEPARATOR +
                    "2\n0 3 3 100 1000000 2.0\n1 3 1 100 70000 2.000001\n");
    return seeds;
}

std::vector<std::string>
ns3::fuzz::GetWords()
{
    return {"0 3 3 100 1000 0\n",
            "0 4 100Gbps 1us 0\n",
            "CC_MODE 3\n",
            "CC_MODE 7\n",
            "CC_MODE 8\n",
            "CC_MODE 10\n",
            "LINK_DOWN 1 0 4\n",
            "HAS_WIN 1\n",
            "VAR_WIN 1\n",
            "GLOBAL_T 0\n",
            "BUFFER_SIZE 0\n",
            "PACKET_PAYLOAD_SIZE 4096\n",
            "PACKET_PAYLOAD_SIZE 1\n",
            "L2_CHUNK_SIZE 1\n",
            "L2_ACK_INTERVAL 0\n",
            "ENABLE_QCN 0\n",
            "Gbps",
            "ns",
            "kbps"};
}

std::string
ns3::fuzz::GetTally()
{
    std::ostringstream text;
    text << "  " << g_tally.refused << " scenarios refused, " << g_tally.tooLarge
         << " too large to be run here; replayed: " << g_tally.done << " to their end, "
         << g_tally.stopped << " for a while\n";
    return text.str();
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (Time::GetResolution() != Time::PS) // by libFuzzer: the driver has set it
    {
        Time::SetResolution(Time::PS);
    }
    static const ScratchFolder folder;
    const WarningFilter filter;
    const std::string path = Write(folder, Parts({data, data + size}));
    try
    {
        Replay(path);
    }
    catch (const FabricError& error)
    {
        ++g_tally.refused;
        const std::string said = error.what();
        // One of the three files.
        CheckRefusal(said, said.substr(0, said.find(".txt") + 4));
        if (said.compare(0, folder.Path().string().size(), folder.Path().string()) != 0)
        {
            Defect("a refusal names no file: \"" + said + "\"");
        }
    }
    Simulator::Destroy();
    Config::Reset();
    return 0;
}
