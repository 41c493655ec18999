// SPDX-License-Identifier: GPL-2.0-only

// Workloads of SimAI and AICB.

#include "helper-test-util.h"
#include "job-graph-test-util.h"

#include "ns3/simai-reader.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// @return a first line
std::string
Header(int tensor, int expert, int pipeline, int ranks, const std::string& more = "")
{
    return "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: " + std::to_string(tensor) +
           " ep: " + std::to_string(expert) + " pp: " + std::to_string(pipeline) +
           " vpp: 1 ga: 1 all_gpus: " + std::to_string(ranks) +
           " checkpoints: 0 checkpoint_initiates: 0" + more + "\n";
}

JobGraph
ReadWorkload(const std::string& text, const SimAiOptions& options = {})
{
    ScratchFile file(text);
    return SimAiReader(options).Read(file.Path());
}

/// Expect that a text is refused with a message, behind its path.
void
ExpectRefused(const std::string& text, const std::string& message, const SimAiOptions& options = {})
{
    ScratchFile file(text);
    EXPECT_EQ(ErrorOf([&] { SimAiReader(options).Read(file.Path()); }), file.Path() + message)
        << text;
}

/// @return operations of a rank, one word each, and what they wait for: "calc 5 s0 <0,1"
std::vector<std::string>
WordsOf(const JobGraph& graph, uint32_t rank)
{
    std::vector<std::string> words;
    for (const auto& operation : graph.GetRank(rank).operations)
    {
        words.push_back(
            operation.kind == JobOperation::CALC
                ? "calc " + std::to_string(operation.ns) + " s" + std::to_string(operation.stream)
                : std::string(ToString(operation.type)) + " " + std::to_string(operation.bytes) +
                      " " + graph.GetGroups()[operation.group].name);
    }
    for (const auto& edge : graph.GetRank(rank).edges)
    {
        std::string& word = words[edge.after];
        word += (word.find('<') == std::string::npos ? " <" : ",") + std::to_string(edge.before);
    }
    return words;
}

const std::string TWO_LAYERS =
    "2\n"
    "a -1 100 ALLREDUCE 20971520 200 ALLREDUCE 8192 300 ALLREDUCE 4000 7\n"
    "b\t-1\t10 ALLGATHER 16 20 NONE 0 30 REDUCESCATTER 640 0\n";

} // namespace

TEST(SimAi, AnIteration)
{
    const JobGraph graph = ReadWorkload(Header(2, 1, 1, 4) + TWO_LAYERS);
    EXPECT_EQ(graph.GetNRanks(), 4U);
    EXPECT_EQ(WordsOf(graph, 3),
              (std::vector<std::string>{"calc 100 s0",
                                        "all-reduce 20971520 tp1 <0",
                                        "calc 10 s0 <1",
                                        "all-gather 4096 tp1 <2", // raised from 16
                                        "calc 20 s0 <3",
                                        "calc 30 s0 <4",
                                        "reduce-scatter 640 dp1 <5",
                                        "calc 200 s0 <5", // does not wait for the gradient
                                        "all-reduce 8192 tp1 <7",
                                        "calc 300 s0 <8",
                                        "all-reduce 4000 dp1 <9",
                                        "calc 7 s1 <10"}));
    EXPECT_EQ(graph.GetText(graph.GetRank(0).operations[2].name), "b");
    EXPECT_EQ(graph.PlaceOf(graph.GetRank(0).operations[2]), "line 4");
    graph.Check();
}

TEST(SimAi, PassesWaitForGradients)
{
    SimAiOptions options;
    options.passes = 2;
    const JobGraph graph = ReadWorkload(Header(2, 1, 1, 4) + TWO_LAYERS, options);
    const std::vector<std::string> words = WordsOf(graph, 0);
    ASSERT_EQ(words.size(), 24U);
    EXPECT_EQ(words[12], "calc 100 s0 <9,11"); // layer a: the end of the pass, and its update
    EXPECT_EQ(words[14], "calc 10 s0 <13,6");  // layer b: its gradient, of the pass before
    graph.Check();
}

TEST(SimAi, Groups)
{
    // Tensor groups of 2, 2 stages, 4 data-parallel ranks in expert groups of 2.
    const std::string layer = "1\na -1 0 ALLTOALL_EP 5000 0 ALLREDUCE 8 0 ALLREDUCE_DP_EP 8 0\n";
    ScratchFile file(Header(2, 2, 2, 16) + layer);
    SimAiReader reader;
    const JobGraph graph = reader.Read(file.Path());
    const auto groupOf = [&](uint32_t rank, std::size_t operation) {
        return graph.GetGroups()[graph.GetRank(rank).operations.at(operation).group].ranks;
    };
    EXPECT_EQ(groupOf(5, 0), (std::vector<uint32_t>{5, 7}));
    EXPECT_EQ(groupOf(5, 1), (std::vector<uint32_t>{4, 5}));
    EXPECT_EQ(groupOf(5, 2), (std::vector<uint32_t>{1, 5}));
    EXPECT_EQ(groupOf(14, 0), (std::vector<uint32_t>{12, 14}));
    EXPECT_EQ(groupOf(14, 2), (std::vector<uint32_t>{10, 14}));
    EXPECT_EQ(
        reader.GetWarnings(),
        (std::set<std::string>{"pp 2: sends between stages of the pipeline are not in the file"}));
    graph.Check();
    // A group of one rank has nothing to do.
    EXPECT_EQ(ReadWorkload(Header(1, 1, 1, 1) + layer).GetNOperations(), 0U);
}

TEST(SimAi, Micro)
{
    const std::string tests = "MICRO\n2\nt1 -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 1048576 1\n"
                              "t2 -1 0 ALLGATHER 10000 0 NONE 0 0 NONE 0 1\n";
    SimAiOptions options;
    options.ranks = 3;
    const JobGraph graph = ReadWorkload(tests, options);
    EXPECT_EQ(WordsOf(graph, 2),
              (std::vector<std::string>{"calc 1 s0",
                                        "calc 1 s0 <0",
                                        "calc 1 s0 <1",
                                        "all-reduce 1048576 all ranks <2",
                                        "all-gather 10000 all ranks <3"}));
    ExpectRefused(
        tests,
        ":1: nothing says how many ranks there are; write all_gpus: N in this line, or set "
        "ranks (lossless-job --ranks=N), 1 to 1048576");
    ExpectRefused("MICRO\n1\nt -1 0 ALLTOALL_EP 8 0 NONE 0 0 NONE 0 0\n",
                  ":3: a test of expert groups; MICRO has all ranks as one group",
                  options);
}

TEST(SimAi, WhatHasNoEffectIsNamed)
{
    ScratchFile file(
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 8 "
        "ga: 1 all_gpus: 32 checkpoints: 0 checkpoint_initiates: 0 pp_comm 50331648\n"
        "1\na -1 0 BROADCAST 8 0 NONE 0 0 NONE 0 0\n");
    SimAiReader reader;
    EXPECT_EQ(reader.Read(file.Path()).GetNOperations(), 0U);
    EXPECT_EQ(reader.GetWarnings(),
              (std::set<std::string>{"BROADCAST has no effect, as with SimAI",
                                     "vpp, ga and pp_comm have no effect"}));
    EXPECT_TRUE(reader.Read(ScratchFile(Header(2, 1, 1, 4, " pp_comm: 0") + TWO_LAYERS).Path())
                    .GetNRanks() == 4);
    EXPECT_TRUE(reader.GetWarnings().empty());
}

TEST(SimAi, Refusals)
{
    const std::string header = Header(2, 1, 1, 4);
    const std::string layer = "a -1 0 NONE 0 0 NONE 0 0 NONE 0 0\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"",
         ": the file ends here; expected the policy and the parallelism, such as "
         "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 all_gpus: 32"},
        {"HYBRID_DLRM\n",
         ":1: policy \"HYBRID_DLRM\"; Chakra's converter makes .et of such files, whose times are "
         "microseconds"},
        {"x\n",
         ":1: policy \"x\"; HYBRID_TRANSFORMER_FWD_IN_BCKWD, HYBRID_TRANSFORMER and MICRO are "
         "read"},
        {"MICRO tp: 3\n", ":1: unknown key \"tp\"; did you mean ep?"},
        {"MICRO pp:\n", ":1: pp is missing; expected it as field 3"},
        {"MICRO pp: -1\n", ":1: pp is \"-1\"; it must be a whole number from 1 to 1048576"},
        {Header(0, 1, 1, 4),
         ":1: model_parallel_NPU_group is \"0\"; it must be a whole number from 1 to 1048576"},
        {Header(3, 1, 1, 4),
         ":1: all_gpus is 4, no multiple of model_parallel_NPU_group 3 times pp 1"},
        {Header(2, 1, 3, 4),
         ":1: all_gpus is 4, no multiple of model_parallel_NPU_group 2 times pp 3"},
        {Header(2, 4, 1, 4),
         ":1: ep is 4, and of 2 data-parallel ranks no part; it must divide all_gpus / "
         "model_parallel_NPU_group / pp"},
        {Header(1, 1, 1, 2000000), ":1: all_gpus is 2000000; a job has 1 to 1048576 ranks"},
        {"MICRO all_gpus: 4 checkpoints: 2\n",
         ":1: checkpoints: activations that are calculated again are not read; write checkpoints: "
         "0 checkpoint_initiates: 0"},
        {header, ":1: the file ends here; expected the number of layers"},
        {header + "2\n" + layer, ":3: the file ends here, with 1 layers of 2"},
        {header + "1\n" + layer + layer, ":4: another layer, and the number of layers is 1"},
        {header + "x\n", ":2: the number of layers is \"x\"; it must be a whole number, 0 or more"},
        {header + "1\na -1 0 NONE 0\n",
         ":3: 5 fields; expected 12: name, -1, then ns, type, bytes of forward, of input gradient "
         "and of weight gradient, ns of the update"},
        {header + "1\na -1 0 NONES 0 0 NONE 0 0 NONE 0 0\n",
         ":3: collective \"NONES\"; did you mean NONE?"},
        {header + "1\na -1 0 ALLREDUCE_TP 0 0 NONE 0 0 NONE 0 0\n",
         ":3: collective \"ALLREDUCE_TP\"; did you mean ALLREDUCE?"},
        {header + "1\na -1 -3 NONE 0 0 NONE 0 0 NONE 0 0\n",
         ":3: ns of a step is \"-3\"; it must be a whole number from 0 to 9007199254740992"},
        {header + "1\na -1 3 NONE 1e3 0 NONE 0 0 NONE 0 0\n",
         ":3: bytes of a collective is \"1e3\"; it must be a whole number from 0 to "
         "1152921504606846976"},
    };
    for (const auto& [text, message] : cases)
    {
        ExpectRefused(text, message);
    }
    SimAiOptions options;
    options.ranks = 8;
    ExpectRefused(header + "1\n" + layer, ":1: all_gpus is 4, and ranks is 8", options);
    options.ranks = 0;
    options.room = 3;
    ExpectRefused(header + "1\n" + layer,
                  ":1: all_gpus is 4, and the fabric has 3 GPUs that are free; a GPU for each rank",
                  options);
    options.room = 4;
    options.mostOperations = 27;
    ExpectRefused(header + "1\n" + layer,
                  ":3: 1 layers of 4 ranks in 1 passes; at most 27 operations",
                  options);
    options.passes = 0;
    EXPECT_FABRIC_ERROR(SimAiReader(options).Read("x"), "with 0 passes");
}
