// SPDX-License-Identifier: GPL-2.0-only

// Schedules in GOAL, read and written.

#include "helper-test-util.h"
#include "job-graph-test-util.h"
#include "zlib-header.h"

#include "ns3/goal-reader.h"
#include "ns3/goal-writer.h"

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

JobGraph
ReadGoal(const std::string& text, const GoalOptions& options = {})
{
    ScratchFile file(text, ".goal");
    return GoalReader(options).Read(file.Path());
}

/// Expect that a text is refused with a message, behind its path.
void
ExpectRefused(const std::string& text, const std::string& message, const GoalOptions& options = {})
{
    ScratchFile file(text, ".goal");
    EXPECT_EQ(ErrorOf([&] { GoalReader(options).Read(file.Path()); }), file.Path() + message)
        << text;
}

/// @return a file of a rank with these lines
std::string
OneRank(const std::string& lines)
{
    return "num_ranks 1\nrank 0 {\n" + lines + "}\n";
}

} // namespace

TEST(Goal, AllThatThereIs)
{
    const JobGraph graph = ReadGoal("\n\n// made by hand\nnum_ranks 3\r\n"
                                    "rank 0 { calc 0\r\n"
                                    "\tl1 : calc 100 cpu 2\n"
                                    "/* two\n lines */\n"
                                    "s1: send 10b to 1 tag 7 cpu 1 nic 3\n"
                                    "send 70000 b to 2\n"
                                    "s1 requires l1\n"
                                    "}\n"
                                    "rank 1\n{\nr:recv 10b from -1 tag -1 nic 0\n"
                                    "c: calc 5\n c irequires r \n}\n"
                                    "rank 2 {\nrecv 70000b from 0\n}\n// the end");
    EXPECT_EQ(graph.GetNRanks(), 3U);
    const auto& first = graph.GetRank(0).operations;
    ASSERT_EQ(first.size(), 4U);
    EXPECT_EQ(first[0].kind, JobOperation::CALC);
    EXPECT_EQ(first[1].ns, 100U);
    EXPECT_EQ(first[1].stream, 2U);
    EXPECT_EQ(graph.GetText(first[1].name), "l1");
    EXPECT_EQ(first[1].place, 6U);
    EXPECT_EQ(graph.PlaceOf(first[2]), "line 9");
    EXPECT_EQ(first[2].kind, JobOperation::SEND);
    EXPECT_EQ(first[2].peer, 1U);
    EXPECT_EQ(first[2].bytes, 10U);
    EXPECT_EQ(first[2].tag, 7U);
    EXPECT_EQ(first[2].nic, 3U);
    EXPECT_EQ(first[2].sendDone, JobOperation::POSTED);
    EXPECT_EQ(first[3].sendDone, JobOperation::COMPLETED);
    EXPECT_EQ(first[3].nic, JobOperation::ANY_NIC);
    EXPECT_EQ(first[3].tag, 0U);
    ASSERT_EQ(graph.GetRank(0).edges.size(), 1U);
    EXPECT_EQ(graph.GetRank(0).edges[0].after, 2U);
    EXPECT_EQ(graph.GetRank(0).edges[0].before, 1U);
    EXPECT_FALSE(graph.GetRank(0).edges[0].atStart);
    const auto& second = graph.GetRank(1);
    EXPECT_EQ(second.operations[0].peer, JobOperation::ANY);
    EXPECT_EQ(second.operations[0].tag, JobOperation::ANY_TAG);
    EXPECT_TRUE(second.edges.at(0).atStart);
    EXPECT_FALSE(graph.AllowsShortMessages());
}

TEST(Goal, LabelsBelongToTheirRank)
{
    const std::string block = "{\na: calc 1\nb: calc 2\nb requires a\n}\n";
    const JobGraph graph = ReadGoal("num_ranks 2\nrank 0 " + block + "rank 1 " + block);
    EXPECT_EQ(graph.GetRank(1).edges.at(0).after, 1U);
    ExpectRefused("num_ranks 2\nrank 0 " + block + "rank 1 {\nb: calc 1\nb requires a\n}\n",
                  ":9: no label a in rank 1; it must stand above");
}

TEST(Goal, Eager)
{
    const std::string text = OneRank("send 65535b to 0\nsend 65536b to 0\nsend 100b to 0\n");
    const JobGraph graph = ReadGoal(text);
    EXPECT_EQ(graph.GetRank(0).operations[0].sendDone, JobOperation::POSTED);
    EXPECT_EQ(graph.GetRank(0).operations[1].sendDone, JobOperation::COMPLETED);
    GoalOptions options;
    options.eagerBytes = 99;
    const JobGraph other = ReadGoal(text, options);
    EXPECT_EQ(other.GetRank(0).operations[2].sendDone, JobOperation::COMPLETED);
}

TEST(Goal, LooseSizes)
{
    GoalOptions options;
    options.looseSizes = true;
    EXPECT_TRUE(ReadGoal(OneRank("calc 1\n"), options).AllowsShortMessages());
}

TEST(Goal, SendOverhead)
{
    GoalOptions options;
    options.sendOverhead = 1500;
    const JobGraph graph = ReadGoal(OneRank("r: recv 5b from 0 cpu 3\n"
                                            "s: send 5b to 0 cpu 2\n"
                                            "c: calc 1\n"
                                            "s requires r\n"
                                            "c requires s\n"),
                                    options);
    const auto& operations = graph.GetRank(0).operations;
    ASSERT_EQ(operations.size(), 5U);
    EXPECT_EQ(operations[0].kind, JobOperation::RECV);
    EXPECT_EQ(operations[1].kind, JobOperation::CALC); // behind what it receives
    EXPECT_EQ(operations[1].ns, 1500U);
    EXPECT_EQ(operations[1].stream, 3U);
    EXPECT_EQ(operations[2].kind, JobOperation::CALC); // before what it sends
    EXPECT_EQ(operations[2].stream, 2U);
    EXPECT_EQ(operations[3].kind, JobOperation::SEND);
    EXPECT_EQ(graph.GetOrder(0), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(graph.GetRank(0).edges.size(), 4U);
}

TEST(Goal, SerialSends)
{
    GoalOptions options;
    options.serialSends = true;
    // By lines a cycle: the second send is the first that can start.
    const JobGraph graph = ReadGoal(OneRank("a: send 1b to 0 nic 1\n"
                                            "b: send 2b to 0 nic 1\n"
                                            "c: send 3b to 0 nic 0\n"
                                            "a requires b\n"),
                                    options);
    EXPECT_EQ(graph.GetRank(0).operations[0].sendDone, JobOperation::COMPLETED);
    ASSERT_EQ(graph.GetRank(0).edges.size(), 2U);
    EXPECT_EQ(graph.GetRank(0).edges[1].after, 0U);
    EXPECT_EQ(graph.GetRank(0).edges[1].before, 1U);
    EXPECT_TRUE(graph.FindCycle(0).empty());
    const JobGraph three = ReadGoal(OneRank("send 1b to 0\nsend 2b to 0\nsend 3b to 0\n"), options);
    EXPECT_EQ(three.GetOrder(0), (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(three.GetRank(0).edges.size(), 2U);
}

TEST(Goal, BinaryTree)
{
    // As LogGOPSim's example: the root sends to 1, 2, 4, 8 and 16, each goes on with what it gets.
    std::ostringstream text;
    text << "num_ranks 32\n";
    for (uint32_t rank = 0; rank < 32; ++rank)
    {
        text << "rank " << rank << " {\n";
        uint32_t bit = 1;
        for (; bit < 32 && bit <= rank; bit *= 2)
        {
        }
        if (rank)
        {
            text << "l0: recv 1b from " << rank - bit / 2 << "\n";
        }
        for (; bit + rank < 32; bit *= 2)
        {
            text << "s" << bit << ": send 1b to " << rank + bit << "\n";
            text << (rank ? "s" + std::to_string(bit) + " requires l0\n" : "");
        }
        text << "}\n";
    }
    const JobGraph graph = ReadGoal(text.str());
    uint64_t sends = 0;
    for (uint32_t rank = 0; rank < 32; ++rank)
    {
        for (const auto& operation : graph.GetRank(rank).operations)
        {
            sends += operation.kind == JobOperation::SEND;
        }
    }
    EXPECT_EQ(sends, 31U);
    EXPECT_EQ(graph.GetRank(0).operations.size(), 5U);
}

TEST(Goal, CyclesAreFoundBeforeTheRun)
{
    ExpectRefused(OneRank("l3: calc 1\nl5: calc 1\nl3 requires l5\nl5 requires l3\n"),
                  ":6: l3 requires l5 requires l3");
    ExpectRefused(OneRank("a: calc 1\nb: calc 1\nc: calc 1\nb requires c\nc irequires a\n"
                          "a requires b\nc requires c\n"),
                  ":9: c requires c");
    ExpectRefused(OneRank("a: calc 1\na irequires a\n"), ":4: a irequires a");
    GoalOptions options;
    options.sendOverhead = 10;
    ExpectRefused(OneRank("a: send 1b to 0\nb: send 1b to 0\na requires b\nb requires a\n"),
                  ":6: a requires b requires a",
                  options);
    ExpectRefused(OneRank("a: send 1b to 0\na requires a\n"), ":4: a requires a", options);
}

TEST(Goal, Refusals)
{
    GoalOptions two;
    two.room = 2;
    ExpectRefused(
        "num_ranks 4\n",
        ":1: num_ranks is 4, and the fabric has 2 GPUs that are free; a GPU for each rank",
        two);
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", ":1: expected \"num_ranks\", got the end of the file; a file in GOAL begins so"},
        {"\nranks 3\n", ":2: expected \"num_ranks\", got \"ranks\"; a file in GOAL begins so"},
        {"num_ranks 0\n", ":1: num_ranks is 0; it must be 1 or more"},
        {"num_ranks 4000000000\n",
         ":1: num_ranks is \"4000000000\"; it must be a whole number from 0 to 1048576"},
        {"num_ranks x\n", ":1: expected num_ranks, got \"x\""},
        {"num_ranks 4\nrank 0 {\n}\nrank 1 {\n}\nrank 2 {\n}\n",
         ":8: the file ends here, with 3 ranks, and num_ranks is 4"},
        {"num_ranks 1\nrank 0 {\n}\nrank 1 {\n}\n", ":4: another rank, and num_ranks is 1"},
        {"num_ranks 1\nrank 0 {\n}\nx\n", ":4: \"x\" behind the last rank"},
        {"num_ranks 2\nrank 1 {\n}\n", ":2: rank 1, expected rank 0"},
        {"num_ranks 1\nrank 0 {\ncalc 1\n",
         ":4: the file ends here, within rank 0; a rank ends with }"},
        {"num_ranks 1\nrank 0\ncalc 1\n}\n", ":3: expected \"{\", got \"calc\""},
        {OneRank("send 1b to 9\n"), ":3: peer 9 of 1 ranks; ranks are 0 to 0"},
        {OneRank("recv 1b from 9\n"), ":3: peer 9 of 1 ranks; ranks are 0 to 0"},
        {OneRank("send 1b to -1\n"), ":3: expected a rank, got \"-\""},
        {OneRank("recv 1b from -2\n"), ":3: a negative rank; -1 is any rank"},
        {OneRank("recv 1b from 0 tag -3\n"), ":3: a negative tag; -1 is any tag"},
        {OneRank("send 1b to 0 tag -1\n"), ":3: a send without a tag; only recv takes any"},
        {OneRank("send 1b to 0 tag 4294967296\n"),
         ":3: the tag is \"4294967296\"; it must be a whole number from 0 to 4294967295"},
        {OneRank("send 1b to 0 cpu 1 tag 3\n"), ":3: expected the end of the line, got \"tag\""},
        {OneRank("calc 1 cpu 256\n"),
         ":3: the cpu is \"256\"; it must be a whole number from 0 to 255"},
        {OneRank("send 1b to 0 nic 256\n"),
         ":3: the nic is \"256\"; it must be a whole number from 0 to 255"},
        {OneRank("calc 99999999999999999999\n"),
         ":3: the nanoseconds of calc is \"99999999999999999999\"; it must be a whole number from "
         "0 to 9007199254740992"},
        {OneRank("send 1 to 0\n"), ":3: expected \"b\", got \"to\""},
        {OneRank("send b to 0\n"), ":3: expected the size of a message, got \"b\""},
        {OneRank("send 1b from 0\n"), ":3: expected \"to\", got \"from\""},
        {OneRank("calc 1 calc 2\n"), ":3: expected the end of the line, got \"calc\""},
        {OneRank("calc 1 // why\n"),
         ":3: a comment behind a statement; put it on a line of its own"},
        {OneRank("/* why\n"), ":3: a comment without end; it ends with */"},
        {OneRank("/ why\n"), ":3: \"/\" has no meaning here; a comment begins with // or /*"},
        {OneRank("calc 1;\n"), ":3: \";\" has no meaning here"},
        {OneRank("5: calc 1\n"), ":3: expected a label, calc, send or recv, got \"5\""},
        {OneRank("calc: calc 1\n"), ":3: a label is called calc; take another name"},
        {OneRank("rank: calc 1\n"), ":3: a label is called rank; take another name"},
        {OneRank("a: b\n"), ":3: expected calc, send or recv, got \"b\""},
        {OneRank("a: calc 1\na: calc 1\n"), ":4: label a is there twice in rank 0"},
        {OneRank("a: calc 1\na needs a\n"),
         ":4: expected \":\", requires or irequires behind a, got \"needs\""},
        {OneRank("a: calc 1\na requires 3\n"), ":4: expected a label, got \"3\""},
        {OneRank("a: calc 1\na requires l7\n"), ":4: no label l7 in rank 0; it must stand above"},
        {OneRank("a: calc 1\na requires b\nb: calc 1\n"),
         ":4: no label b in rank 0; it must stand above"},
        {std::string("\x01\x02", 2), ":1: a binary form of GOAL is not read; give the text, .goal"},
        {OneRank(std::string(5000, 'a') + ": calc 1\n"), ":3: a word of more than 4096 characters"},
    };
    for (const auto& [text, message] : cases)
    {
        ExpectRefused(text, message);
    }
    ScratchFile binary("num_ranks 1\n", ".bin");
    EXPECT_FABRIC_ERROR(GoalReader().Read(binary.Path()), "binary form of GOAL is not read");
    EXPECT_FABRIC_ERROR(GoalReader().Read("/nowhere/x.goal"), "/nowhere/x.goal: cannot be read");
    EXPECT_FABRIC_ERROR(GoalReader().Read("/tmp"), "/tmp: is a folder");
}

TEST(Goal, Compressed)
{
    ScratchFile file("", ".goal.gz");
    const std::string text = OneRank("calc 77\n");
    gzFile out = gzopen(file.Path().c_str(), "wb");
    ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())),
              static_cast<int>(text.size()));
    ASSERT_EQ(gzclose(out), Z_OK);
    EXPECT_EQ(GoalReader().Read(file.Path()).GetRank(0).operations[0].ns, 77U);
    std::filesystem::resize_file(file.Path(), std::filesystem::file_size(file.Path()) - 10);
    EXPECT_FABRIC_ERROR(GoalReader().Read(file.Path()), "what gzip has compressed is cut off");
}

TEST(Goal, WhatIsWrittenReadsTheSame)
{
    RandomGraphOptions options;
    options.collectives = false;
    options.extras = false;
    options.eager = true;
    RandomGraph random(1, options);
    for (int i = 0; i < 300; ++i)
    {
        const JobGraph graph = random.Make();
        std::ostringstream text;
        GoalWriter writer(graph);
        writer.Write(text);
        EXPECT_TRUE(writer.GetUnsaid().empty());
        ASSERT_EQ(TextOf(ReadGoal(text.str())), TextOf(graph)) << text.str();
    }
}

TEST(Goal, WhatCannotBeWritten)
{
    const auto refusalOf = [](const JobOperation& operation) {
        JobGraph graph(2, "job");
        graph.Add(1, operation);
        std::ostringstream text;
        return ErrorOf([&] { GoalWriter(graph).Write(text); });
    };
    EXPECT_EQ(refusalOf(JobGraph::Collective(CollectiveType::BARRIER, 0)),
              "job: operation 0 of rank 1: a collective, and GOAL has sends and receives only; "
              "write another format");
    EXPECT_EQ(refusalOf(JobGraph::Calc(1, 256)),
              "job: operation 0 of rank 1: stream 256, and a cpu of GOAL is 0 to 255; write "
              "another format");
    EXPECT_EQ(refusalOf(JobGraph::Send(0, 1, uint64_t{1} << 32)),
              "job: operation 0 of rank 1: tag 4294967296, and a tag of GOAL is 0 to 4294967295; "
              "write another format");
    JobGraph graph(1, "job");
    graph.AllowShortMessages();
    JobOperation send = JobGraph::Send(0, 100);
    send.name = graph.AddText("no label");
    graph.Add(0, send);
    std::ostringstream text;
    GoalWriter writer(graph);
    writer.Write(text);
    EXPECT_EQ(writer.GetUnsaid().size(), 3U);
    EXPECT_EQ(text.str(), "num_ranks 1\n\nrank 0 {\nsend 100b to 0\n}\n");
}

TEST(Goal, LabelsThatAreMadeUpMeetNoOther)
{
    JobGraph graph(1, "job");
    const uint32_t first = graph.Add(0, JobGraph::Calc(1));
    JobOperation calc = JobGraph::Calc(2);
    calc.name = graph.AddText("l1");
    const uint32_t second = graph.Add(0, calc);
    graph.After(0, second, first);
    std::ostringstream text;
    GoalWriter(graph).Write(text);
    EXPECT_EQ(text.str(), "num_ranks 1\n\nrank 0 {\nl1_: calc 1\nl1: calc 2\nl1 requires l1_\n}\n");
}
