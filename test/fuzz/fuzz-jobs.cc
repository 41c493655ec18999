// SPDX-License-Identifier: GPL-2.0-only

// Feeds text and bytes to the readers of jobs: GOAL, Chakra, SimAI and JSON lines. What is taken
// can be written, and reads the same again.

#include "fuzz-target.h"
#include "job-graph-test-util.h"
#include "parsers.h"
#include "refusal.h"
#include "scratch-folder.h"

#include "ns3/chakra-reader.h"
#include "ns3/chakra-writer.h"
#include "ns3/fabric-error.h"
#include "ns3/goal-reader.h"
#include "ns3/goal-writer.h"
#include "ns3/json-lines-reader.h"
#include "ns3/json-lines-writer.h"
#include "ns3/simai-reader.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace fuzz
{
namespace
{

constexpr uint64_t MOST_OPERATIONS = 200000; //!< of an input; an operation takes 100 bytes
constexpr uint32_t FEW_RANKS = 1000;         //!< that are compared
const std::string NEXT_FILE = "=next file=";

const ScratchFolder&
Folder()
{
    static const ScratchFolder folder;
    return folder;
}

/// @return options, from the first byte of an input, which is gone then
uint8_t
TakeByte(std::string& input)
{
    const uint8_t byte = input.empty() ? 0 : static_cast<uint8_t>(input[0]);
    input.erase(0, 1);
    return byte;
}

/// A graph that was read can be.
void
CheckGraph(const JobGraph& graph)
{
    for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
    {
        if (graph.GetOrder(rank).size() != graph.GetRank(rank).operations.size())
        {
            Defect("operations that wait for each other were read");
        }
    }
    graph.Check();
}

/// Read. @param path what refusals begin with @param read reads, and checks what it has read
bool
Takes(const std::string& path, const std::function<void()>& read)
{
    try
    {
        read();
        return true;
    }
    catch (const FabricError& error)
    {
        const std::string said = error.what();
        CheckRefusal(said);
        if (said.compare(0, path.size(), path) != 0)
        {
            Defect("a refusal does not say where: \"" + said + "\"");
        }
        return false;
    }
}

/// What was written reads the same. @param text of the graph @param again of what was read again
void
RequireSame(const std::string& text, const std::string& again)
{
    if (text != again)
    {
        Defect("a graph means something else when it is written and read");
    }
}

/// @param graph read in GOAL, without options
void
WriteGoal(const JobGraph& graph)
{
    if (graph.GetNRanks() > FEW_RANKS)
    {
        return;
    }
    std::ostringstream text;
    GoalWriter writer(graph);
    writer.Write(text);
    if (!writer.GetUnsaid().empty())
    {
        Defect("what was read in GOAL cannot be said in it");
    }
    const std::string path = Folder().Write("again.goal", text.str());
    RequireSame(TextOf(graph), TextOf(GoalReader().Read(path)));
}

bool
ParseGoal(const std::string& input)
{
    std::string text = input;
    const uint8_t choice = TakeByte(text);
    const std::string path = Folder().Write("input.goal", text);
    return Takes(path, [&] {
        GoalOptions options;
        options.looseSizes = choice & 1;
        options.serialSends = choice & 2;
        options.sendOverhead = choice & 4 ? 1500 : 0;
        const JobGraph graph = GoalReader(options).Read(path);
        CheckGraph(graph);
        if ((choice & 7) == 0)
        {
            WriteGoal(graph);
        }
    });
}

bool
ParseJsonLines(const std::string& input)
{
    const std::string path = Folder().Write("input.jsonl", input);
    return Takes(path, [&] {
        JsonLinesOptions options;
        options.mostOperations = MOST_OPERATIONS;
        const JobGraph graph = JsonLinesReader(options).Read(path);
        CheckGraph(graph);
        if (graph.GetNRanks() <= FEW_RANKS)
        {
            std::ostringstream text;
            JsonLinesWriter(graph).Write(text);
            const std::string again = Folder().Write("again.jsonl", text.str());
            RequireSame(TextOf(graph), TextOf(JsonLinesReader().Read(again)));
        }
    });
}

bool
ParseSimAi(const std::string& input)
{
    std::string text = input;
    const uint8_t choice = TakeByte(text);
    const std::string path = Folder().Write("input.txt", text);
    return Takes(path, [&] {
        SimAiOptions options;
        options.passes = 1 + (choice & 3);
        options.ranks = choice & 4 ? 6 : 0;
        options.mostOperations = MOST_OPERATIONS;
        SimAiReader reader(options);
        CheckGraph(reader.Read(path));
        for (const std::string& warning : reader.GetWarnings())
        {
            CheckRefusal(warning);
        }
    });
}

/// Remove files of ranks that an input before had. @param prefix of the files @param count how many
/// there are now @param last how many there were; becomes count
void
RemoveBehind(const std::string& prefix, std::size_t count, std::size_t& last)
{
    for (std::size_t rank = count; rank < last; ++rank)
    {
        std::filesystem::remove(Folder().Path() / (prefix + "." + std::to_string(rank) + ".et"));
    }
    last = count;
}

/// @param graph read as Chakra has it
void
WriteChakra(const JobGraph& graph)
{
    if (graph.GetGroups().size() > 1) // their names may become numbers
    {
        return;
    }
    std::vector<std::string> files;
    try
    {
        ChakraWriter writer(graph);
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            std::ostringstream bytes;
            writer.Write(rank, bytes);
            files.push_back(bytes.str());
        }
        if (!writer.GetUnsaid().empty())
        {
            Defect("what was read as Chakra has it cannot be said so");
        }
    }
    catch (const FabricError& error)
    {
        CheckRefusal(error.what()); // times of memory, and long tags
        return;
    }
    for (std::size_t rank = 0; rank < files.size(); ++rank)
    {
        Folder().Write("again." + std::to_string(rank) + ".et", files[rank]);
    }
    static std::size_t last = 0;
    RemoveBehind("again", files.size(), last);
    const JobGraph again = ChakraReader().Read((Folder().Path() / "again").string());
    RequireSame(TextOf(graph), TextOf(again));
}

/// Files of ranks, of groups before if the first byte says so; a line of words stands between them.
bool
ParseChakra(const std::string& input)
{
    std::string text = input;
    const uint8_t choice = TakeByte(text);
    ChakraOptions options;
    options.controlDependencies = choice & 1;
    options.skipUnknown = choice & 2;
    options.useStreams = choice & 4;
    options.serialComm = choice & 8;
    options.peakFlops = choice & 16 ? 1e12 : 0;
    options.memoryBandwidth = choice & 16 ? 1e11 : 0;
    options.remoteMemoryBandwidth = choice & 32 ? 1e10 : 0;
    const bool hasGroups = choice & 64;
    std::vector<std::string> parts(1);
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find(NEXT_FILE, at), text.size());
        parts.back() = text.substr(at, end - at);
        at = end + NEXT_FILE.size();
        parts.resize(parts.size() + (end < text.size()));
    }
    if (hasGroups)
    {
        options.groupsFile = Folder().Write("input.groups", parts[0]);
        parts.erase(parts.begin());
    }
    parts.resize(std::min<std::size_t>(parts.size(), 8));
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
    {
        Folder().Write("input." + std::to_string(rank) + ".et", parts[rank]);
    }
    static std::size_t last = 0;
    RemoveBehind("input", parts.size(), last);
    const std::string prefix = (Folder().Path() / "input").string();
    return Takes(prefix, [&] {
        ChakraReader reader(options);
        const JobGraph graph = reader.Read(prefix);
        CheckGraph(graph);
        for (const std::string& warning : reader.GetWarnings())
        {
            CheckRefusal(warning);
        }
        if (!options.useStreams)
        {
            WriteChakra(graph);
        }
    });
}

// ---- inputs to begin with

constexpr uint64_t SEEDS = 40; //!< random graphs of each

std::vector<std::string>
GoalSeeds(const std::string&)
{
    RandomGraphOptions options;
    options.collectives = false;
    options.extras = false;
    options.eager = true;
    std::vector<std::string> seeds{
        std::string(1, 0) + "num_ranks 2\nrank 0 {\n/* a */\nl1: calc 5 cpu 2\nl2: send 10b to 1 "
                            "tag 3 cpu 0 nic 1\nl2 requires l1\n}\nrank 1 {\nr: recv 10b from -1 "
                            "tag -1\nc: calc 1\nc irequires r\n}\n"};
    for (uint64_t seed = 0; seed < SEEDS; ++seed)
    {
        std::ostringstream text;
        const JobGraph graph = RandomGraph(seed, options).Make();
        GoalWriter(graph).Write(text);
        seeds.push_back(static_cast<char>(seed % 8) + text.str());
    }
    return seeds;
}

std::vector<std::string>
JsonLinesSeeds(const std::string&)
{
    std::vector<std::string> seeds{
        "{\"format\": \"lossless-graph\", \"version\": 1, \"ranks\": 3, \"groups\": {\"a\": [2, "
        "0]}}\n{\"rank\": \"all\", \"id\": 1, \"op\": \"calc\", \"ns\": 7}\n{\"rank\": \"all\", "
        "\"op\": \"coll\", \"type\": \"barrier\", \"after\": [1]}\n"};
    for (uint64_t seed = 0; seed < SEEDS; ++seed)
    {
        std::ostringstream text;
        const JobGraph graph = RandomGraph(seed, RandomGraphOptions()).Make();
        JsonLinesWriter(graph).Write(text);
        seeds.push_back(text.str());
    }
    return seeds;
}

std::vector<std::string>
SimAiSeeds(const std::string&)
{
    const std::string layers = "2\na -1 100 ALLREDUCE 20971520 200 ALLREDUCE 8192 300 ALLREDUCE "
                               "4000 7\nb\t-1\t10 ALLGATHER 16 20 NONE 0 30 REDUCESCATTER 640 0\n";
    const std::string experts = "1\na -1 0 ALLTOALL_EP 5000 0 ALLREDUCE 8 0 ALLREDUCE_DP_EP 8 0\n";
    const std::string begin = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: ";
    const std::string end = " checkpoints: 0 checkpoint_initiates: 0\n";
    return {std::string(1, 0) + begin + "2 ep: 1 pp: 1 vpp: 8 ga: 1 all_gpus: 8" + end + layers,
            std::string(1, 1) + begin + "2 ep: 2 pp: 2 vpp: 1 ga: 1 all_gpus: 16" + end + experts,
            std::string(1, 4) + "MICRO\n" + layers,
            std::string(1, 2) + begin + "1 ep: 4 pp: 1 vpp: 1 ga: 2 all_gpus: 4 pp_comm: 5" + end +
                experts};
}

std::vector<std::string>
ChakraSeeds(const std::string&)
{
    RandomGraphOptions options;
    options.wildcards = false;
    options.atStart = false;
    std::vector<std::string> seeds;
    for (uint64_t seed = 0; seed < SEEDS; ++seed)
    {
        options.extras = seed % 2;
        const JobGraph graph = RandomGraph(seed, options).Make();
        ChakraWriter writer(graph);
        std::ostringstream text;
        const auto choice = static_cast<uint8_t>(seed % 3 ? seed * 37 % 128 : 0);
        text << static_cast<char>(choice);
        if (choice & 64)
        {
            writer.WriteGroups(text);
            text << NEXT_FILE;
        }
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            text << (rank ? NEXT_FILE : "");
            writer.Write(rank, text);
        }
        seeds.push_back(text.str());
    }
    return seeds;
}

} // namespace

std::vector<Parser>
AllParsers()
{
    return {{"GOAL", ParseGoal, GoalSeeds},
            {"Chakra", ParseChakra, ChakraSeeds},
            {"SimAI", ParseSimAi, SimAiSeeds},
            {"JSON lines", ParseJsonLines, JsonLinesSeeds}};
}

std::vector<std::string>
GetWords()
{
    std::vector<std::string> words{"num_ranks ",
                                   "rank ",
                                   "{\n",
                                   "}\n",
                                   "calc ",
                                   "send ",
                                   "recv ",
                                   "b to ",
                                   "b from ",
                                   " tag ",
                                   " cpu ",
                                   " nic ",
                                   " requires ",
                                   " irequires ",
                                   "//",
                                   "/*",
                                   "*/",
                                   "\r\n",
                                   "-1",
                                   NEXT_FILE,
                                   "comm_type",
                                   "comm_size",
                                   "comm_src",
                                   "comm_dst",
                                   "pg_name",
                                   "involved_dim",
                                   "tensor_size",
                                   "num_ops",
                                   "stream",
                                   "is_cpu_op",
                                   "root",
                                   "duration_nanos",
                                   "['[{\"pg_name\": \"1\", \"ranks\": [0, 1]}]']",
                                   "{\"1\": [0]}",
                                   "\x1f\x8b",
                                   "ALLREDUCE",
                                   "ALLTOALL_EP",
                                   "_DP_EP",
                                   "NONE",
                                   "MICRO",
                                   " all_gpus: ",
                                   " pp: ",
                                   " ep: ",
                                   "\"rank\": \"all\"",
                                   "\"after\": [1]",
                                   "\"op\": \"coll\"",
                                   "\"type\": \"all-gather\"",
                                   "\"bytes\": 8",
                                   "\"group\": \"1\"",
                                   "[[[[[[[[",
                                   "{\"a\":",
                                   "\\u0000",
                                   "\"",
                                   ", ",
                                   "]}",
                                   "=next",
                                   "\xff\xff\xff\xff\x07",
                                   "\n"};
    words.push_back(std::string(1, '\0'));
    return words;
}

} // namespace fuzz
} // namespace ns3
