// SPDX-License-Identifier: GPL-2.0-only

// Graphs of operations as JSON lines, read and written.

#include "helper-test-util.h"
#include "job-graph-test-util.h"
#include "workload-json.h"

#include "ns3/json-lines-reader.h"
#include "ns3/json-lines-writer.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

const std::string HEADER = "{\"format\": \"lossless-graph\", \"version\": 1, \"ranks\": 8, "
                           "\"groups\": {\"tp0\": [0, 1, 2, 3]}}\n";

JobGraph
ReadLines(const std::string& text, const JsonLinesOptions& options = {})
{
    ScratchFile file(text, ".jsonl");
    return JsonLinesReader(options).Read(file.Path());
}

/// Expect that a text is refused with a message, behind its path.
void
ExpectRefused(const std::string& text,
              const std::string& message,
              const JsonLinesOptions& options = {})
{
    ScratchFile file(text, ".jsonl");
    EXPECT_EQ(ErrorOf([&] { JsonLinesReader(options).Read(file.Path()); }), file.Path() + message)
        << text;
}

} // namespace

TEST(JsonLines, AllThatThereIs)
{
    const JobGraph graph = ReadLines(
        HEADER +
        R"({"rank": 0, "id": 1, "op": "calc", "ns": 100000, "stream": 0})"
        "\n\n"
        R"({"rank": 0, "id": 2, "op": "send", "to": 4, "bytes": 65536, "tag": 7, "after": [1], "name": "pp forward 0", "nic": 2, "done": "posted"})"
        "\n"
        R"({"rank": 4, "id": 1, "op": "recv", "from": "any", "bytes": 65536, "tag": "any", "afterStart": [9]})"
        "\r\n"
        R"({"rank": "all", "id": 9, "op": "coll", "type": "barrier"})"
        "\n");
    EXPECT_EQ(graph.GetNRanks(), 8U);
    EXPECT_EQ(graph.GetGroups().at(1).name, "tp0");
    EXPECT_EQ(graph.GetNOperations(), 11U);
    const auto& first = graph.GetRank(0);
    EXPECT_EQ(first.operations.at(0).ns, 100000U);
    const JobOperation& send = first.operations.at(1);
    EXPECT_EQ(send.kind, JobOperation::SEND);
    EXPECT_EQ(send.peer, 4U);
    EXPECT_EQ(send.tag, 7U);
    EXPECT_EQ(send.nic, 2U);
    EXPECT_EQ(send.sendDone, JobOperation::POSTED);
    EXPECT_EQ(graph.GetText(send.name), "pp forward 0");
    EXPECT_EQ(graph.PlaceOf(send), "line 4");
    EXPECT_EQ(first.edges.at(0).after, 1U);
    const auto& fifth = graph.GetRank(4);
    EXPECT_EQ(fifth.operations.at(0).peer, JobOperation::ANY);
    EXPECT_EQ(fifth.operations.at(0).tag, JobOperation::ANY_TAG);
    EXPECT_EQ(fifth.edges.at(0).before, 1U); // it may stand below
    EXPECT_TRUE(fifth.edges.at(0).atStart);
    EXPECT_EQ(graph.GetRank(7).operations.at(0).type, CollectiveType::BARRIER);
    EXPECT_FALSE(graph.AllowsShortMessages());
}

TEST(JsonLines, Collectives)
{
    std::string text = HEADER;
    for (int rank = 0; rank < 4; ++rank)
    {
        text +=
            "{\"rank\": " + std::to_string(rank) +
            R"(, "id": 2, "op": "coll", "type": "all-gather", "bytes": 1048576, "group": "tp0", "algorithm": "ring", "channels": 2, "stream": 5})"
            "\n{\"rank\": " +
            std::to_string(rank) +
            R"(, "op": "coll", "type": "broadcast", "bytes": 8, "group": "tp0", "root": 3})"
            "\n";
    }
    const JobGraph graph = ReadLines(text);
    const JobOperation& gather = graph.GetRank(2).operations.at(0);
    EXPECT_EQ(gather.type, CollectiveType::ALL_GATHER);
    EXPECT_EQ(gather.bytes, 1048576U); // the total
    EXPECT_EQ(gather.group, 1U);
    EXPECT_EQ(graph.GetText(gather.algorithm), "ring");
    EXPECT_EQ(gather.channels, 2U);
    EXPECT_EQ(gather.stream, 5U);
    EXPECT_EQ(graph.GetRank(2).operations.at(1).peer, 3U);
    EXPECT_EQ(graph.GetRank(2).operations.at(1).stream, JobOperation::OWN_STREAM);
}

TEST(JsonLines, Refusals)
{
    const std::string all = "{\"format\": \"lossless-graph\", \"version\": 1, \"ranks\": ";
    const std::vector<std::pair<std::string, std::string>> headers{
        {"",
         ":1: the file ends here; expected {\"format\": \"lossless-graph\", \"version\": 1, "
         "\"ranks\": ...}"},
        {"{\"rank\": 0}\n",
         ":1: \"format\" is no \"lossless-graph\"; the first line has format, version and ranks"},
        {"{\"format\": \"lossless-graph\", \"version\": 2, \"ranks\": 8}\n",
         ":1: version 2; version 1 is read"},
        {"{\"format\": \"lossless-graph\", \"ranks\": 8}\n", ":1: \"version\" is missing"},
        {"{}\n",
         ":1: \"format\" is no \"lossless-graph\"; the first line has format, version and ranks"},
        {all + "0}\n", ":1: \"ranks\" is \"0\"; it must be a whole number from 1 to 1048576"},
        {all + "4000000000}\n",
         ":1: \"ranks\" is \"4000000000\"; it must be a whole number from 1 to 1048576"},
        {all + "2, \"group\": {}}\n", ":1: unknown key \"group\"; did you mean groups?"},
        {all + "2, \"groups\": [1]}\n", ":1: \"groups\" is no object; such as {\"tp0\": [0, 1]}"},
        {all + "2, \"groups\": {\"a\": [0, 0]}}\n", ":1: group a has rank 0 twice"},
        {all + "2, \"groups\": {\"a\": [2]}}\n",
         ":1: group a of rank 2, and 2 ranks; ranks are 0 to 1"},
        {all + "2, \"groups\": {\"a\": []}}\n", ":1: group a has no ranks"},
        {all + "2, \"groups\": {\"a\": [0], \"a\": [1]}}\n", ":1: group a twice"},
        {all + "2, \"ranks\": 3}\n", ":1: \"ranks\" is there twice; write it once"},
        {all + "2\n", ":1: the line ends too early; expected '}' or ','"},
        {all + "2, \"shortMessages\": 3}\n",
         ":1: \"shortMessages\" is \"3\"; it must be 1 or 0, true or false"},
    };
    for (const auto& [text, message] : headers)
    {
        ExpectRefused(text, message);
    }
    const std::vector<std::pair<std::string, std::string>> lines{
        {"[]", "no object; such as {\"rank\": 0, \"op\": \"calc\", \"ns\": 5}"},
        {"5", "no object; such as {\"rank\": 0, \"op\": \"calc\", \"ns\": 5}"},
        {R"({"rank": 0, "op": "calc", "ns": 5} x)", "garbage after data; expected JSON"},
        {R"({"rank": 0, "op": "calc"})", "\"ns\" is missing"},
        {R"({"op": "calc", "ns": 5})", "\"rank\" is missing; a number, or \"all\""},
        {R"({"rank": 8, "op": "calc", "ns": 5})",
         "\"rank\" is \"8\"; it must be a whole number from 0 to 7"},
        {R"({"rank": 0, "op": "jump"})", "\"op\" is \"jump\"; it must be calc, send, recv or coll"},
        {R"({"rank": 0})", "\"op\" is missing; it must be calc, send, recv or coll"},
        {R"({"rank": 0, "op": "calc", "ns": 5, "byte": 3})",
         "unknown key \"byte\"; known: ns, stream, rank, id, op, name, after, afterStart"},
        {R"({"rank": 0, "op": "calc", "ns": 5, "streams": 3})",
         "unknown key \"streams\"; did you mean stream?"},
        {R"({"rank": 0, "op": "calc", "ns": -5})",
         "\"ns\" is \"-5\"; it must be a whole number from 0 to 9007199254740992"},
        {R"({"rank": 0, "op": "calc", "ns": 1.5})",
         "\"ns\" is \"1.5\"; it must be a whole number from 0 to 9007199254740992"},
        {R"({"rank": 0, "op": "calc", "ns": [1]})",
         "\"ns\" is a list or an object; it must be a whole number"},
        {R"({"rank": 0, "op": "calc", "ns": 1, "after": 5})",
         "\"after\" is no list; such as [1, 2]"},
        {R"({"rank": 0, "op": "calc", "ns": 1, "after": [5]})", "no id 5 in rank 0"},
        {R"({"rank": 0, "op": "calc", "ns": 1, "id": 5, "after": [5]})",
         "rank 0: line 2 requires line 2"},
        {R"({"rank": 0, "op": "send", "to": 8, "bytes": 1})",
         "\"to\" is \"8\"; it must be a whole number from 0 to 7"},
        {R"({"rank": 0, "op": "send", "from": 1, "bytes": 1})",
         "unknown key \"from\"; known: to, bytes, tag, nic, done, rank, id, op, name, after, "
         "afterStart"},
        {R"({"rank": 0, "op": "send", "to": "any", "bytes": 1})",
         "\"to\" is the text \"any\"; it must be a whole number, without quotation marks"},
        {R"({"rank": 0, "op": "recv", "from": 1, "bytes": 1, "nic": 0})",
         "\"nic\" of a recv; its message takes the nic that its send names"},
        {R"({"rank": 0, "op": "send", "to": 1})", "\"bytes\" is missing"},
        {R"({"rank": 0, "op": "send", "to": 1, "bytes": 1, "done": "soon"})",
         "\"done\" is \"soon\"; it must be posted or completed"},
        {R"({"rank": 0, "op": "coll", "type": "allreduce", "bytes": 1})",
         "\"type\" is \"allreduce\"; did you mean all-reduce?"},
        {R"({"rank": 0, "op": "coll", "type": "all-reduce"})", "\"bytes\" is missing"},
        {R"({"rank": 0, "op": "coll", "type": "all-reduce", "bytes": 1, "group": "tp1"})",
         "there is no group tp1; did you mean tp0?"},
        {R"({"rank": 0, "op": "coll", "type": "all-reduce", "bytes": 1, "root": 1})",
         "\"root\" of all-reduce; broadcast, reduce, gather and scatter have one"},
        {R"({"rank": 0, "op": "coll", "type": "all-reduce", "bytes": 1, "channels": 0})",
         "\"channels\" is \"0\"; it must be a whole number from 1 to 256"},
        {R"({"rank": 0, "op": "coll", "type": "reduce", "bytes": 1, "group": "tp0", "root": 4})",
         "\"root\" is \"4\"; it must be a whole number from 0 to 3"},
        {std::string(40, '['), "lists and objects within each other, more than 16 of them"},
    };
    for (const auto& [line, message] : lines)
    {
        ExpectRefused(HEADER + line + "\n", ":2: " + message);
    }
    ExpectRefused(HEADER + "{\"rank\": 1, \"id\": 3, \"op\": \"calc\", \"ns\": 5}\n"
                           "{\"rank\": \"all\", \"id\": 3, \"op\": \"calc\", \"ns\": 5}\n",
                  ":3: id 3 is there twice in rank 1; ids are unique in a rank");
    ExpectRefused(HEADER +
                      "{\"rank\": 1, \"id\": 1, \"op\": \"calc\", \"ns\": 5, \"after\": [2]}\n"
                      "{\"rank\": 1, \"id\": 2, \"op\": \"calc\", \"ns\": 5, \"after\": [1]}\n",
                  ":3: rank 1: line 2 requires line 3 requires line 2");
}

TEST(JsonLines, NumbersAreNoText)
{
    const auto ofText = [](const std::string& what, const std::string& text) {
        return what + " is the text \"" + text +
               "\"; it must be a whole number, without quotation marks";
    };
    const std::string begin = R"({"format": "lossless-graph", )";
    ExpectRefused(begin + R"("version": "1", "ranks": 8})", ":1: " + ofText("\"version\"", "1"));
    ExpectRefused(begin + R"("version": 1, "ranks": "8"})", ":1: " + ofText("\"ranks\"", "8"));
    ExpectRefused(begin + R"("version": 1, "ranks": 8, "groups": {"a": [0, "1"]}})",
                  ":1: " + ofText("a number of group a", "1"));
    const std::string calc = R"({"rank": 0, "op": "calc", "ns": 5, )";
    const std::string send = R"({"rank": 0, "op": "send", "to": 1, "bytes": 5, )";
    const std::string barrier = R"({"rank": 0, "op": "coll", "type": "reduce", "bytes": 8, )";
    const std::vector<std::pair<std::string, std::string>> lines{
        {R"({"rank": 0, "op": "calc", "ns": "5"})", "ns"},
        {R"({"rank": "5", "op": "calc", "ns": 5})", "rank"},
        {calc + R"("id": "5"})", "id"},
        {calc + R"("stream": "5"})", "stream"},
        {R"({"rank": 0, "op": "send", "to": "5", "bytes": 5})", "to"},
        {R"({"rank": 0, "op": "recv", "from": "5", "bytes": 5})", "from"},
        {R"({"rank": 0, "op": "recv", "from": 1, "bytes": "5"})", "bytes"},
        {send + R"("tag": "5"})", "tag"},
        {send + R"("nic": "5"})", "nic"},
        {barrier + R"("channels": "5"})", "channels"},
        {barrier + R"("root": "5"})", "root"},
        {barrier + R"("stream": "5"})", "stream"},
    };
    for (const auto& [line, field] : lines)
    {
        ExpectRefused(HEADER + line + "\n", ":2: " + ofText("\"" + field + "\"", "5"));
    }
    for (const char* const list : {"after", "afterStart"})
    {
        ExpectRefused(HEADER + calc + "\"" + list + R"(": ["5"]})" + "\n",
                      ":2: " + ofText("a number of \"" + std::string(list) + "\"", "5"));
    }
    ExpectRefused(HEADER + R"({"rank": all, "op": "calc", "ns": 5})",
                  ":2: expected value; expected JSON");
}

TEST(JsonLines, QuotedTextIsUtf8)
{
    using WorkloadJson::Quote;
    EXPECT_EQ(Quote("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
    const std::string good = "\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80";
    EXPECT_EQ(Quote(good), "\"" + good + "\"");
    // Latin-1, an end that is cut, longer than need be, a surrogate, beyond the last one.
    for (const char* const bad :
         {"\xfc", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x80\xaf"})
    {
        const std::string quoted = Quote(std::string("x") + bad + "y");
        EXPECT_EQ(quoted.compare(0, 8, "\"x\\ufffd"), 0) << quoted;
        EXPECT_EQ(quoted.substr(quoted.size() - 2), "y\"") << quoted;
        for (const char byte : quoted)
        {
            EXPECT_LT(static_cast<unsigned char>(byte), 0x80) << quoted;
        }
    }
}

TEST(JsonLines, LinesThatEndTooEarly)
{
    const std::string line = R"({"rank": 0, "op": "calc", "ns": 5, "name": "a\"", "id": [1]})";
    for (std::size_t length = 1; length < line.size(); ++length)
    {
        ScratchFile file(HEADER + line.substr(0, length), ".jsonl");
        const std::string error = ErrorOf([&] { JsonLinesReader().Read(file.Path()); });
        EXPECT_EQ(error.find(file.Path() + ":2: the line ends too early; "), 0U) << error;
    }
}

TEST(JsonLines, CollectivesOfRanksAgree)
{
    ExpectRefused(
        HEADER + "{\"rank\": 5, \"op\": \"coll\", \"type\": \"barrier\", \"group\": \"tp0\"}\n",
        ": group tp0 has no rank 5, which has a collective of it (line 2)");
}

TEST(JsonLines, ManyOperationsOfALine)
{
    const std::string text = "{\"format\": \"lossless-graph\", \"version\": 1, \"ranks\": 1000}\n"
                             "{\"rank\": \"all\", \"id\": 1, \"op\": \"calc\", \"ns\": 5}\n"
                             "{\"rank\": \"all\", \"op\": \"calc\", \"ns\": 5, \"after\": [1]}\n";
    JsonLinesOptions options;
    options.mostOperations = 3000;
    EXPECT_EQ(ReadLines(text, options).GetNOperations(), 2000U);
    options.mostOperations = 2999;
    ExpectRefused(text, ":3: more than 2999 operations", options);
    options.mostOperations = 1999;
    ExpectRefused(text, ":3: more than 1999 operations", options);
}

TEST(JsonLines, WhatIsWrittenReadsTheSame)
{
    RandomGraph random(3, RandomGraphOptions());
    for (int i = 0; i < 300; ++i)
    {
        JobGraph graph = random.Make();
        if (i % 2)
        {
            graph.AllowShortMessages();
        }
        std::ostringstream text;
        JsonLinesWriter(graph).Write(text);
        const JobGraph again = ReadLines(text.str());
        ASSERT_EQ(TextOf(again), TextOf(graph)) << text.str();
    }
}
