// SPDX-License-Identifier: GPL-2.0-only

// What does a job lose or win when PFC is turned off? Collectives over a leaf-spine fabric without
// oversubscription, or over several such planes, with five transports, and with what goes wrong in
// fabrics: a slow link, a cut link, a cut plane, lost packets.
//
//   pfc-or-not                                           an all-to-all of 1 MiB of 16 ranks
//   pfc-or-not --ranks=64 --collectives=all-to-all:1MiB,all-reduce:4MiB
//   pfc-or-not --ranks=64 --planes=4 --schemes=pfc:1,pfc:16,mrc --faults=none,cut-plane,loss:0.001
//   pfc-or-not --faults=none,cut-link --converge=500us   routes follow the cut 500 us later
//
// Prints a table of times for each collective, in us, and writes pfc-or-not.csv. A collective that
// does not end, as a queue pair has given up, takes for ever: `never`, in the file `inf`. One that
// has ended before the cut tells nothing of it: `-`, in the file an empty field.

#include "reproduce/ecmp-draw.h"

#include "ns3/core-module.h"
#include "ns3/lossless-jobs-module.h"
#include "ns3/lossless-module.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t MTU = 4096;
constexpr uint32_t HEADERS = 126; // of a packet on the links, at most
// Round trip of the empty fabric: eight links of 1 us, packets of 4 KiB and ACKs, stored at each
// hop.
const char* const RTT = "9.4us";
const char* const CUT_AT = "20us";
const char* const MOST_TIME = "1s"; // of a collective

/// What the user says.
struct Options
{
    std::string outDir;
    std::vector<std::string> collectives{"all-to-all:1MiB"};
    std::vector<std::string> schemes{"pfc:1", "pfc:16", "spray", "nscc", "mrc"};
    std::vector<std::string> faults; //!< empty: all that the fabric can have
    Time converge{0};                //!< from a cut until routes leave the link out
    uint32_t ranks{16};
    uint32_t planes{1};
};

/// A word of an option, such as "all-reduce:4MiB".
struct Word
{
    std::string text;
    std::string name;  //!< in front of the colon
    std::string value; //!< behind it; empty: there is none
    double number{
        0}; //!< of the value: bytes, queue pairs of each pair of ranks, or share of frames

    /// @param from the text
    explicit Word(const std::string& from)
        : text(from),
          name(from.substr(0, from.find(':'))),
          value(from.substr(std::min(name.size() + 1, from.size())))
    {
    }
};

/// @param text such as "all-reduce:4MiB" @return a collective
Word
ToCollective(const std::string& text)
{
    Word word(text);
    if (!ToCollectiveType(word.name) || word.value.empty())
    {
        throw FabricError("--collectives has \"" + text + "\"",
                          "a type and a size, such as all-to-all:1MiB or all-reduce:4MiB");
    }
    word.number = FabricText::ToBytes(word.value, "the size of --collectives");
    return word;
}

/// @param text such as "pfc:16" @param planes of the fabric @return a transport
Word
ToScheme(const std::string& text, uint32_t planes)
{
    Word word(text);
    if (word.name == "pfc" && !word.value.empty())
    {
        word.number = FabricText::ToUint(word.value,
                                         "queue pairs of --schemes",
                                         QueuePairNetwork::MOST_QUEUE_PAIRS,
                                         1);
    }
    else if (text == "spray" || text == "nscc")
    {
        word.number = planes; // a queue pair of RoCE has one port
    }
    else if (text == "mrc")
    {
        word.number = 1;
    }
    else
    {
        throw FabricError("--schemes has \"" + text + "\"",
                          "pfc:N with N queue pairs of each pair of ranks, spray, nscc or mrc");
    }
    return word;
}

/// @param text such as "loss:0.001" @param planes of the fabric @return what goes wrong
Word
ToFault(const std::string& text, uint32_t planes)
{
    Word word(text);
    if (word.name == "loss" && !word.value.empty())
    {
        word.number = FabricText::ToReal(word.value, "a loss of --faults", 0, 1);
    }
    else if (text != "none" && text != "slow-link" && text != "cut-link" &&
             (text != "cut-plane" || planes == 1))
    {
        throw FabricError(
            "--faults has \"" + text + "\"",
            "none, slow-link, cut-link, loss:0.01 or, of several --planes, cut-plane");
    }
    return word;
}

/// Give the fabric a transport. @param scheme its name @param helper gets it
void
SetScheme(const std::string& scheme, FabricHelper& helper)
{
    helper.SetLink("DataRate", StringValue("100Gbps"), "Delay", StringValue("1us"));
    helper.SetLink("Mtu", UintegerValue(MTU + HEADERS));
    helper.SetQueuePair("Mtu", UintegerValue(MTU));
    const TimeValue rtt{Time(RTT)};
    if (scheme == "mrc")
    {
        helper.SetMrc(rtt.Get());
        return;
    }
    if (scheme == "pfc")
    {
        helper.SetCongestionControl("ns3::RdmaDcqcn");
        return;
    }
    helper.SetLosslessClasses({});
    if (scheme == "spray")
    {
        helper.SetCongestionControl("ns3::RdmaDcqcn");
        helper.SetLoadBalancer("ns3::SprayLoadBalancer");
        helper.SetQueuePair("LossRecovery", StringValue("ns3::RdmaIrn[ReorderThreshold=-1]"));
        return;
    }
    helper.SetCongestionControl("ns3::RdmaNscc", "BaseRtt", rtt, "Trimming", BooleanValue(true));
    // Bytes: 0.2 and 0.8 of what a port of 100 Gb/s sends in RTT.
    helper.SetEcn("ns3::WredEcnMarker[Kmin=23500|Kmax=94000|Pmax=1|ReferenceRate=100Gbps]");
    helper.AddSwitchExtension("ns3::TrimSwitch", "BaseRtt", rtt);
    // Trimmed packets (class 5) get a quarter of a port beside the data (class 3).
    helper.SetScheduler("ns3::DwrrScheduler[Weights=1 1 1 3 1 1 1 1|StrictClasses=64]");
    // The window of NSCC limits what is in flight, not the BdpCap of IRN.
    const StringValue recovery("ns3::RdmaIrn[ReorderThreshold=-1|BdpCap=1024]");
    helper.SetQueuePair("Entropy", StringValue("ns3::RdmaEntropyMixed"), "LossRecovery", recovery);
}

/// @param fault of a column @return whether it begins at CUT_AT
bool
IsCut(const std::string& fault)
{
    return fault == "cut-link" || fault == "cut-plane";
}

/// Let something go wrong. @param fault it @param converge how late routes follow a cut
/// @param fabric where @param run has the faults
void
AddFault(const Word& fault, const Time& converge, const Fabric& fabric, FabricRun& run)
{
    const FabricTopology& topology = fabric.GetTopology();
    const Time at(CUT_AT);
    if (IsCut(fault.text))
    {
        run.Faults().GetConvergence().SetUniform(converge);
    }
    if (fault.text == "slow-link")
    {
        for (const char* place : {"leaf 0 to spine 0", "spine 0 to leaf 0"})
        {
            fabric.At(place).Set("ns3::QbbNetDevice::DataRate", StringValue("25Gbps"));
        }
    }
    else if (fault.text == "cut-link")
    {
        const NodeId leaf = FabricPlaces("leaf 0").In(topology)[0].node;
        const NodeId spine = FabricPlaces("spine 0").In(topology)[0].node;
        run.Faults().CutLink(topology.FindLink(leaf, spine), at);
    }
    else if (fault.text == "cut-plane")
    {
        run.Faults().CutPlane(0, at);
    }
    else if (fault.name == "loss")
    {
        for (const FabricPlace& place : FabricPlaces("spine to leaf").In(topology))
        {
            run.Faults().LoseRandomly(place.node, *place.port, fault.number, Time(0));
        }
    }
}

/// @param options what is chosen @param collective what ranks do @param scheme how
/// @param fault what goes wrong @param program has attributes of the user @param draw of ECMP
/// @return how long the collective takes, us; infinite: it has not ended; none: it has ended before
/// anything went wrong
std::optional<double>
Measure(const Options& options,
        const Word& collective,
        const Word& scheme,
        const Word& fault,
        FabricProgram& program,
        const EcmpDraw& draw)
{
    Simulator::Destroy(); // each run is alone, whatever ran before
    FabricHelper helper(program.GetOptions());
    SetScheme(scheme.name, helper);
    const auto leaves = static_cast<uint32_t>(std::lround(std::sqrt(options.ranks)));
    const Fabric fabric = helper.MultiPlane(options.planes, leaves, leaves, leaves);
    if (scheme.name != "spray") // whose switches hash nothing
    {
        draw.Install(fabric);
    }
    JobGraph graph(options.ranks);
    std::vector<RankPlace> places(options.ranks);
    for (uint32_t rank = 0; rank < options.ranks; ++rank)
    {
        graph.Add(rank,
                  JobGraph::Collective(*ToCollectiveType(collective.name),
                                       static_cast<uint64_t>(collective.number)));
        places[rank].host = HostId(rank % leaves * leaves + rank / leaves); // neighbours: apart
    }
    JobOptions how;
    how.network.queuePairsPerConnection = static_cast<uint32_t>(scheme.number);
    how.network.splitData = scheme.number > 1;
    RunOptions until;
    until.stop = Time(MOST_TIME);
    FabricRun run(fabric, until);
    const Job& job = run.Add<Job>(graph, places, how);
    AddFault(fault, options.converge, fabric, run);
    run.Execute();
    if (!run.GetFindings().empty()) // which are on standard error
    {
        std::cerr << "pfc-or-not: that was " + collective.text + ", " + scheme.text + ", " +
                         fault.text + "\n"
                  << std::flush;
    }
    if (!job.IsDone())
    {
        return std::numeric_limits<double>::infinity();
    }
    const JobIteration& done = job.GetIterations().front();
    if (IsCut(fault.text) && TimeStep(done.end) <= Time(CUT_AT))
    {
        return std::nullopt;
    }
    return TimeStep(done.end - done.start).GetSeconds() * 1e6;
}

/// @param time that was measured, us @param none if there is none @param infinite if it is so
/// @return text of it
std::string
ToText(const std::optional<double>& time, const char* none, const char* infinite)
{
    if (!time || std::isinf(*time))
    {
        return time ? infinite : none;
    }
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << *time;
    return text.str();
}

/// Print a table of each collective, once all options are known to be right.
/// @param options what is chosen @param program has attributes of the user @param draw of ECMP
/// @return a line for each time
std::string
Compare(const Options& options, FabricProgram& program, const EcmpDraw& draw)
{
    std::vector<Word> collectives;
    std::vector<Word> schemes;
    std::vector<Word> faults;
    for (const std::string& text : options.collectives)
    {
        collectives.push_back(ToCollective(text));
    }
    for (const std::string& text : options.schemes)
    {
        schemes.push_back(ToScheme(text, options.planes));
    }
    for (const std::string& text : options.faults)
    {
        faults.push_back(ToFault(text, options.planes));
    }
    std::ostringstream csv;
    csv << "collective,ranks,planes,scheme,fault,time_us\n";
    for (const Word& collective : collectives)
    {
        std::cout << std::left << std::setw(20) << collective.text << std::right;
        for (const Word& fault : faults)
        {
            std::cout << std::setw(12) << fault.text;
        }
        std::cout << std::endl;
        for (const Word& scheme : schemes)
        {
            std::ostringstream row; // whole: a run may print warnings
            row << std::left << std::setw(20) << scheme.text << std::right;
            for (const Word& fault : faults)
            {
                const auto time = Measure(options, collective, scheme, fault, program, draw);
                row << std::setw(12) << ToText(time, "-", "never");
                csv << collective.text << ',' << options.ranks << ',' << options.planes << ','
                    << scheme.text << ',' << fault.text << ',' << ToText(time, "", "inf") << '\n';
            }
            std::cout << row.str() << std::endl;
        }
    }
    return csv.str();
}

/// Refuse what cannot be. @param options gets the faults if there are none
void
Complete(Options& options)
{
    const double root = std::round(std::sqrt(options.ranks));
    if (root * root != options.ranks)
    {
        throw FabricError("--ranks is " + std::to_string(options.ranks),
                          "it must be a square, such as 16, 64, 256 or 1024: as many leaves as "
                          "spines, and as hosts of a leaf");
    }
    if (options.faults.empty())
    {
        options.faults = {"none", "slow-link", "cut-link", "loss:0.001", "loss:0.01"};
        if (options.planes > 1)
        {
            options.faults.insert(options.faults.begin() + 3, "cut-plane");
        }
    }
    if (!options.converge.IsZero() &&
        std::none_of(options.faults.begin(), options.faults.end(), IsCut))
    {
        throw FabricError("--converge has no effect", "it needs cut-link or cut-plane of --faults");
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("What a job loses or wins when PFC is turned off.");
    Options options;
    program.AddOption("outDir", "folder of pfc-or-not.csv; empty: none", options.outDir);
    program.AddOption("collectives",
                      "types and sizes, as in all-to-all:1MiB,all-reduce:4MiB",
                      options.collectives);
    program.AddNumber("ranks", "a square, a host for each", options.ranks, 4, 1024);
    program.AddNumber("planes", "of the fabric; hosts have a port for each", options.planes, 1, 16);
    program.AddOption("schemes",
                      "rows: pfc:N with N queue pairs, spray, nscc, mrc",
                      options.schemes);
    program.AddOption("faults",
                      "columns: none, slow-link, cut-link, cut-plane, loss:0.001; empty: all",
                      options.faults);
    program.AddOption("converge",
                      "from a cut until the routes of all switches leave the link out; 0: at once",
                      options.converge);
    const EcmpDraw draw(program);
    return program.Run(argc, argv, [&] {
        std::optional<FolderLock> folder; // refused before the runs, not after them
        if (!options.outDir.empty())
        {
            folder.emplace(options.outDir);
        }
        Complete(options);
        const std::string csv = Compare(options, program, draw);
        if (folder)
        {
            ResultFile file(options.outDir + "/pfc-or-not.csv");
            file.Stream() << csv;
            file.Commit();
        }
    });
}
