// SPDX-License-Identifier: GPL-2.0-only

// Execution traces of Chakra, read and written. The bytes of those that are read are made here, not
// by the writer.

#include "helper-test-util.h"
#include "job-graph-test-util.h"
#include "zlib-header.h"

#include "ns3/chakra-reader.h"
#include "ns3/chakra-writer.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

std::string
Varint(uint64_t number)
{
    std::string bytes;
    for (; number >= 128; number /= 128)
    {
        bytes += static_cast<char>(number % 128 + 128);
    }
    return bytes + static_cast<char>(number);
}

std::string
Number(int field, uint64_t number)
{
    return Varint(static_cast<uint64_t>(field) * 8) + Varint(number);
}

std::string
Bytes(int field, const std::string& bytes)
{
    return Varint(static_cast<uint64_t>(field) * 8 + 2) + Varint(bytes.size()) + bytes;
}

/// @return an attribute of a node with a number, as int64 unless a field says otherwise
std::string
Attr(const std::string& name, uint64_t number, int field = 9)
{
    return Bytes(10, Bytes(1, name) + Number(field, number));
}

/// @return an attribute of a node with text
std::string
Attr(const std::string& name, const std::string& text)
{
    return Bytes(10, Bytes(1, name) + Bytes(29, text));
}

enum
{
    METADATA = 1,
    MEM_LOAD = 2,
    COMP = 4,
    SEND = 5,
    RECV = 6,
    COLL = 7
};

/// @return the begin of a node
std::string
Node(uint64_t id, int type, const std::vector<uint64_t>& data = {})
{
    std::string node =
        Number(1, id) + Bytes(2, "n" + std::to_string(id)) + Number(3, static_cast<uint64_t>(type));
    for (const uint64_t parent : data)
    {
        node += Number(5, parent);
    }
    return node;
}

std::string
Record(const std::string& message)
{
    return Varint(message.size()) + message;
}

/// @return a file of these nodes
std::string
File(const std::vector<std::string>& nodes, const std::string& metadata = Bytes(1, "0.0.4"))
{
    std::string bytes = Record(metadata);
    for (const std::string& node : nodes)
    {
        bytes += Record(node);
    }
    return bytes;
}

/// A folder for traces, gone at the end of the test.
class Traces
{
  public:
    Traces()
        : m_folder(std::filesystem::temp_directory_path() /
                   (std::string("lossless-chakra-") +
                    ::testing::UnitTest::GetInstance()->current_test_info()->name()))
    {
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }

    explicit Traces(const std::vector<std::string>& files)
        : Traces()
    {
        for (std::size_t rank = 0; rank < files.size(); ++rank)
        {
            Write(std::to_string(rank), files[rank]);
        }
    }

    ~Traces()
    {
        std::filesystem::remove_all(m_folder);
    }

    void Write(const std::string& rank, const std::string& bytes) const
    {
        std::ofstream(Path(rank), std::ios::binary) << bytes;
    }

    std::string Path(const std::string& rank) const
    {
        return Prefix() + "." + rank + ".et";
    }

    std::string Prefix() const
    {
        return (m_folder / "x").string();
    }

    JobGraph Read(const ChakraOptions& options = {}) const
    {
        return ChakraReader(options).Read(Prefix());
    }

    /// Expect that they are refused with a message that begins so, behind the path of a rank.
    void ExpectRefused(const std::string& rank,
                       const std::string& message,
                       const ChakraOptions& options = {}) const
    {
        const std::string said = ErrorOf([&] { Read(options); });
        EXPECT_EQ(said.rfind(Path(rank) + ": " + message, 0), 0U) << said;
    }

  private:
    std::filesystem::path m_folder;
};

/// Expect that a trace of one rank with these nodes is refused.
void
ExpectNodesRefused(const std::vector<std::string>& nodes,
                   const std::string& message,
                   const ChakraOptions& options = {})
{
    Traces({File(nodes)}).ExpectRefused("0", message, options);
}

/// @return the operation of a trace of one rank with one node
JobOperation
OneNode(const std::string& node, const ChakraOptions& options = {})
{
    return Traces({File({node})}).Read(options).GetRank(0).operations.at(0);
}

} // namespace

TEST(Chakra, Microbenchmarks)
{
    const std::pair<uint64_t, CollectiveType> types[] = {{0, CollectiveType::ALL_REDUCE},
                                                         {2, CollectiveType::ALL_GATHER},
                                                         {6, CollectiveType::ALL_TO_ALL},
                                                         {7, CollectiveType::REDUCE_SCATTER},
                                                         {8, CollectiveType::REDUCE_SCATTER},
                                                         {5, CollectiveType::BROADCAST}};
    for (const auto& [number, type] : types)
    {
        std::vector<std::string> files;
        for (uint64_t rank = 0; rank < 4; ++rank)
        {
            files.push_back(File({Node(rank, COLL) + Attr("is_cpu_op", 0, 27) +
                                  Attr("comm_type", number) + Attr("comm_size", 1048576)}));
        }
        const JobGraph graph = Traces(files).Read();
        ASSERT_EQ(graph.GetNRanks(), 4U);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            const JobOperation& operation = graph.GetRank(rank).operations.at(0);
            EXPECT_EQ(operation.kind, JobOperation::COLLECTIVE);
            EXPECT_EQ(operation.type, type);
            // what one rank gives becomes the total
            EXPECT_EQ(operation.bytes, type == CollectiveType::ALL_GATHER ? 4194304U : 1048576U);
            EXPECT_EQ(operation.group, 0U);
            EXPECT_EQ(operation.place, rank); // node 0 keeps its number
            EXPECT_EQ(operation.stream, JobOperation::OWN_STREAM);
        }
    }
}

TEST(Chakra, RingOfSendsAndReceives)
{
    // 14 sends and receives of 128 KiB, 7 calculations of 7 us, each after the one before.
    std::vector<std::string> files;
    uint64_t id = 0;
    for (uint64_t rank = 0; rank < 8; ++rank)
    {
        std::vector<std::string> nodes;
        std::vector<uint64_t> last;
        const auto add = [&](int type, const std::string& rest) {
            nodes.push_back(Node(id, type, last) + rest);
            last = {id++};
        };
        for (int step = 0; step < 14; ++step)
        {
            add(SEND,
                Attr("comm_dst", (rank + 1) % 8, 7) + Attr("comm_size", 131072) +
                    Attr("comm_tag", 0, 11) + Attr("comm_type", 5));
            add(RECV, Attr("comm_src", (rank + 7) % 8, 7) + Attr("comm_size", 131072, 13));
            if (step < 7)
            {
                add(COMP, Number(7, 7));
            }
        }
        files.push_back(File(nodes));
    }
    const JobGraph graph = Traces(files).Read();
    EXPECT_EQ(graph.GetNOperations(), 8U * 35);
    const JobGraph::Rank& third = graph.GetRank(3);
    EXPECT_EQ(third.operations[0].kind, JobOperation::SEND);
    EXPECT_EQ(third.operations[0].peer, 4U);
    EXPECT_EQ(third.operations[0].bytes, 131072U);
    EXPECT_EQ(third.operations[1].kind, JobOperation::RECV);
    EXPECT_EQ(third.operations[1].peer, 2U);
    EXPECT_EQ(third.operations[2].ns, 7000U);
    EXPECT_EQ(third.edges.size(), 34U);
    EXPECT_EQ(graph.GetText(third.operations[0].name), "n105");
    EXPECT_EQ(graph.PlaceOf(third.operations[0]), "node 105");
}

TEST(Chakra, WaysToWriteNumbers)
{
    const auto bytesOf = [](const std::string& value) {
        return OneNode(Number(3, SEND) + Attr("comm_dst", 0) +
                       Bytes(10, Bytes(1, "comm_size") + value))
            .bytes;
    };
    EXPECT_EQ(bytesOf(Number(7, 300)), 300U);                                    // int32
    EXPECT_EQ(bytesOf(Number(11, 300)), 300U);                                   // uint32
    EXPECT_EQ(bytesOf(Number(15, 600)), 300U);                                   // sint32
    EXPECT_EQ(bytesOf(Number(17, 600)), 300U);                                   // sint64
    EXPECT_EQ(bytesOf(Varint(19 * 8 + 5) + std::string("\x2c\1\0\0", 4)), 300U); // fixed32
    EXPECT_EQ(bytesOf(Varint(25 * 8 + 1) + std::string("\x2c\1\0\0\0\0\0\0", 8)), 300U);
    EXPECT_EQ(bytesOf(Varint(3 * 8 + 1) + std::string("\0\0\0\0\0\xc0\x72\x40", 8)),
              300U);                                                              // double
    EXPECT_EQ(bytesOf(Varint(5 * 8 + 5) + std::string("\0\0\x96\x43", 4)), 300U); // float
    // The last one counts; what is unknown is skipped.
    EXPECT_EQ(bytesOf(Number(9, 5) + Number(99, 1) + Bytes(98, "?") + Number(9, 7)), 7U);
    ExpectNodesRefused({Number(3, SEND) + Attr("comm_dst", 0) +
                        Bytes(10, Bytes(1, "comm_size") + Number(7, ~uint64_t{0}))},
                       "byte 38: attribute comm_size of node 0 is no whole number, 0 or more");
    // Packed, and not.
    const JobGraph graph = Traces({File({Node(1, COMP),
                                         Node(300, COMP),
                                         Node(3, COMP) + Bytes(5, Varint(1) + Varint(300)),
                                         Node(4, COMP, {1, 300})})})
                               .Read();
    EXPECT_EQ(graph.GetRank(0).edges.size(), 4U);
}

TEST(Chakra, Dependencies)
{
    // A parent may stand behind. Control dependencies count by option.
    const Traces traces({File({Node(1, COMP, {9}) + Number(4, 5), Node(5, COMP), Node(9, COMP)})});
    EXPECT_EQ(traces.Read().GetOrder(0), (std::vector<uint32_t>{1, 2, 0}));
    EXPECT_EQ(traces.Read().GetRank(0).edges.size(), 1U);
    ChakraOptions options;
    options.controlDependencies = true;
    EXPECT_EQ(traces.Read(options).GetRank(0).edges.size(), 2U);

    const std::vector<std::string> broken{Node(7, COMP, {9}), Node(9, COMP, {7})};
    Traces({File({}), File({}), File(broken)})
        .ExpectRefused("2", "nodes 7 -> 9 -> 7 wait for each other");
    ExpectNodesRefused({Node(12, COMP, {99, 98}) + Number(4, 97)}, "node 12 depends on node 99");
    ExpectNodesRefused({Node(12, COMP) + Number(4, 99)}, "node 12 depends on node 99", options);
    ExpectNodesRefused({Node(12, COMP) + Number(4, 12)},
                       "nodes 12 -> 12 wait for each other",
                       options);
    ExpectNodesRefused({Node(12, COMP), Node(12, COMP)},
                       "node 12: it is there twice; ids are unique in a file");
}

TEST(Chakra, Kinds)
{
    EXPECT_EQ(OneNode(Node(1, COMP) + Number(7, 5)).ns, 5000U);
    EXPECT_EQ(OneNode(Node(1, COMP)).stream, ChakraReader::GPU_STREAM);
    EXPECT_EQ(OneNode(Node(1, COMP) + Attr("is_cpu_op", 1, 27)).stream, ChakraReader::CPU_STREAM);
    // What launches a collective is not the collective.
    const JobOperation launch = OneNode(Node(1, COLL) + Attr("is_cpu_op", 1, 27) + Number(7, 3));
    EXPECT_EQ(launch.kind, JobOperation::CALC);
    EXPECT_EQ(launch.ns, 3000U);
    EXPECT_EQ(OneNode(Node(1, COLL) + Attr("comm_type", 9)).type, CollectiveType::BARRIER);
    EXPECT_EQ(OneNode(Node(1, COLL) + Attr("comm_type", 1) + Attr("comm_size", 8)).type,
              CollectiveType::REDUCE);
    ExpectNodesRefused({Node(5, 9)}, "node 5: type 9 is unknown; skip unknown types?");
    ChakraOptions options;
    options.skipUnknown = true;
    EXPECT_EQ(OneNode(Node(5, 9) + Number(7, 4), options).ns, 4000U);
}

TEST(Chakra, InvalidNodesAreNamedOnce)
{
    const Traces traces({File({Node(1, 0), Node(2, 0)})});
    ChakraReader reader;
    EXPECT_EQ(reader.Read(traces.Prefix()).GetRank(0).operations[1].ns, 0U);
    EXPECT_EQ(reader.GetWarnings(), (std::set<std::string>{"nodes of type INVALID take no time"}));
}

TEST(Chakra, Memory)
{
    const std::string load = Node(1, MEM_LOAD) + Attr("tensor_size", 5000, 13);
    const Traces traces({File({load})});
    ChakraReader reader;
    EXPECT_EQ(reader.Read(traces.Prefix()).GetRank(0).operations[0].ns, 0U);
    EXPECT_EQ(reader.GetWarnings().size(), 1U);
    ChakraOptions options;
    options.remoteMemoryBandwidth = 1e9;
    options.remoteMemoryLatency = 100;
    EXPECT_EQ(OneNode(load, options).ns, 5100U);
    EXPECT_EQ(OneNode(load, options).stream, ChakraReader::MEMORY_STREAM);
}

TEST(Chakra, Roofline)
{
    ChakraOptions options;
    options.peakFlops = 1e12;
    options.memoryBandwidth = 1e9;
    const std::string begin = Node(1, COMP) + Number(7, 1) + Attr("num_ops", 5000000);
    EXPECT_EQ(OneNode(begin + Attr("tensor_size", 1000), options).ns, 5000U); // operations rule
    EXPECT_EQ(OneNode(begin + Attr("tensor_size", 9000), options).ns, 9000U); // bytes rule
    EXPECT_EQ(OneNode(begin, options).ns, 0U);
    EXPECT_EQ(OneNode(begin).ns, 1000U);
    EXPECT_EQ(OneNode(Node(1, COMP) + Number(7, 1), options).ns, 1000U);
    EXPECT_EQ(OneNode(begin + Attr("is_cpu_op", 1), options).ns, 1000U);
    options.memoryBandwidth = 0;
    EXPECT_EQ(ErrorOf([&] { ChakraReader reader(options); }),
              "of peakFlops and memoryBandwidth one is 0; set both, or none");
    options.memoryBandwidth = -1;
    EXPECT_FABRIC_ERROR(ChakraReader(options).Read("x"), "it must be a number, 0 or more");
}

TEST(Chakra, Groups)
{
    const auto gather = [](const std::string& group) {
        return Node(1, COLL) + Attr("comm_type", 2) + Attr("comm_size", 100) +
               Attr("pg_name", group);
    };
    const std::string groups =
        Node(5, METADATA) +
        Bytes(8,
              Bytes(1,
                    "['[{\"pg_name\": \"1\", \"ranks\": [2, 0], \"group_size\": 2}, {\"pg_name\": "
                    "\"0\", \"ranks\": []}]']"));
    const Traces traces({File({groups, gather("1")}), File({}), File({groups, gather("1")})});
    const JobGraph graph = traces.Read();
    ASSERT_EQ(graph.GetGroups().size(), 2U);
    EXPECT_EQ(graph.GetGroups()[1].ranks, (std::vector<uint32_t>{2, 0}));
    EXPECT_EQ(graph.GetRank(0).operations.size(), 1U); // groups are no operation
    EXPECT_EQ(graph.GetRank(0).operations[0].bytes, 200U);

    // By a file, which may come before the nodes say the same.
    ScratchFile file("{\"1\": [2, 0], \"7\": [1]}", ".json");
    ChakraOptions options;
    options.groupsFile = file.Path();
    EXPECT_EQ(traces.Read(options).GetGroups().size(), 3U);
    Traces({File({gather("")}), File({gather("0")})}).Read();

    Traces({File({groups, gather("1")}), File({groups, gather("1")}), File({})})
        .ExpectRefused("1", "node 1: rank 1 is not in group 1, whose first rank is 2");
    ExpectNodesRefused({gather("3")}, "node 1: there is no group 3");
    ExpectNodesRefused({groups}, "node 5: group 1 of rank 2, and 1 ranks; ranks are 0 to 0");
    const auto metadata = [](const std::string& list) {
        return Node(5, METADATA) +
               Bytes(8, Bytes(1, "['[{\"pg_name\": \"1\", \"ranks\": " + list + "}]']"));
    };
    ExpectNodesRefused({metadata("[0, 0]")}, "node 5: group 1 has rank 0 twice");
    ExpectNodesRefused({metadata("3")}, "node 5: group 1 is no list; such as [1, 2]");
    ExpectNodesRefused({metadata("[0")}, "node 5: expected ']' or ','; expected JSON");
    Traces({File({metadata("[0]")}), File({metadata("[1]")})})
        .ExpectRefused("1", "node 5: group 1 has other ranks than before");
    // Other text, and none, is no list of groups.
    Traces({File({Node(5, METADATA) + Bytes(8, Bytes(1, "['']")), Node(6, METADATA)})}).Read();
}

TEST(Chakra, FilesOfGroups)
{
    const Traces traces({File({}), File({})});
    for (const std::string& text : {std::string("{\"1\": [0, 0]}"),
                                    std::string("{\"1\": [0, 9]}"),
                                    std::string("{\"1\": []}"),
                                    std::string("{\"1\": [0], \"1\": [1]}"),
                                    std::string("{\"0\": [0]}"),
                                    std::string("{\"tp\": [0]}"),
                                    std::string("[1]"),
                                    std::string("{\"1\": [-1]}"),
                                    std::string("{\"1\""),
                                    std::string("{\"1\": [0],\n\"2\": [1]"),
                                    std::string("{\"1\": [\"0\"]}"),
                                    std::string(20, '[')})
    {
        ScratchFile file(text, ".json");
        ChakraOptions options;
        options.groupsFile = file.Path();
        EXPECT_EQ(ErrorOf([&] { traces.Read(options); }).rfind(file.Path() + ": ", 0), 0U) << text;
    }
}

TEST(Chakra, CollectivesOfRanksAgree)
{
    const auto file = [](uint64_t type, uint64_t size, int count) {
        std::vector<std::string> nodes;
        for (int i = 0; i < count; ++i)
        {
            nodes.push_back(Node(12 + static_cast<uint64_t>(i), COLL) + Attr("comm_type", type) +
                            Attr("comm_size", size));
        }
        return File(nodes);
    };
    const Traces types({file(0, 1048576, 1), file(0, 1048576, 1), file(2, 16384, 1)});
    EXPECT_EQ(ErrorOf([&] { types.Read(); }),
              types.Prefix() + ": all ranks, 1st collective: rank 0 all-reduce of 1048576 B (node "
                               "12), rank 2 all-gather of 49152 B (node 12)");
    const Traces counts({file(0, 8, 4), file(0, 8, 3)});
    EXPECT_EQ(ErrorOf([&] { counts.Read(); }),
              counts.Prefix() + ": all ranks: rank 1 has 3 of its collectives, rank 0 has 4");
}

TEST(Chakra, BrokenNodes)
{
    const std::string collective = Node(3, COLL);
    const std::string eight = Attr("comm_size", 8);
    for (const std::string& node :
         {collective + eight, // without comm_type
          collective + Attr("comm_type", 12) + eight,
          collective + Attr("comm_type", 0),
          collective + Attr("comm_type", 5) + eight + Attr("root", 1),
          collective + Attr("comm_type", 0) + eight +
              Bytes(10, Bytes(1, "involved_dim") + Bytes(28, Bytes(1, "\1" + std::string(1, 0)))),
          Node(3, SEND) + eight,
          Node(3, RECV) + eight,
          Node(3, RECV) + Attr("comm_src", 0),
          Node(3, SEND) + eight + Attr("comm_dst", 9),
          Node(3, SEND) + eight + Attr("comm_dst", 0) + Attr("comm_src", 2),
          collective + Attr("comm_type", 0) + Attr("comm_size", uint64_t{1} << 61),
          Node(3, COMP) + Number(7, uint64_t{1} << 60)})
    {
        ExpectNodesRefused({node}, "node 3: ");
    }
    // All dimensions are all ranks.
    OneNode(Node(3, COLL) + Attr("comm_type", 0) + Attr("comm_size", 8) +
            Bytes(10, Bytes(1, "involved_dim") + Bytes(28, Bytes(1, "\1\1"))));
}

TEST(Chakra, MissingFiles)
{
    Traces traces;
    EXPECT_EQ(ErrorOf([&] { traces.Read(); }),
              traces.Path("0") + ": is missing; give what the names begin with: PREFIX of "
                                 "PREFIX.0.et, PREFIX.1.et");
    for (const char* rank : {"0", "1", "2", "3", "4", "6", "7"})
    {
        traces.Write(rank, File({}));
    }
    EXPECT_EQ(ErrorOf([&] { traces.Read(); }),
              traces.Path("5") + ": is missing, and there is " + traces.Path("7") +
                  "; 5 files before it, 2 behind");
    traces.Write("5", File({}));
    EXPECT_EQ(traces.Read().GetNRanks(), 8U);
}

TEST(Chakra, BrokenBytes)
{
    const auto refuse = [](const std::string& bytes, const std::string& message) {
        Traces({bytes}).ExpectRefused("0", message);
    };
    std::string cut = File({Node(1, COMP) + Bytes(99, std::string(60, 'x'))});
    cut.resize(cut.size() - 50);
    refuse(cut, "byte 8: ");
    refuse("", "byte 0: ");
    refuse(File({}) + std::string(1, '\0'), "byte 8: ");
    refuse(File({}) + "\xff", "byte 8: ");
    refuse(File({}) + "\xff\xff\xff\xff\xff\1", "byte 8: ");
    refuse(File({}) + "\xff\xff\xff\xff\7abc", "byte 8: ");
    refuse(Record(Node(1, COMP)), "byte 1: ");
    refuse(File({std::string("\x0b", 1)}), "byte 9: "); // a wire type that is none
    refuse(File({std::string("\0", 1)}), "byte 9: ");   // field 0
    refuse(File({"\x12\x05"
                 "abc"}),
           "byte 9: ");
    refuse(File({"\x08"}), "byte 9: ");
    refuse(File({"\x08" + std::string(11, '\xff')}), "byte 9: ");
    refuse(File({"\x09"
                 "abc"}),
           "byte 9: ");
    refuse(File({Number(2, 7)}), "byte 9: ");
    refuse(File({Bytes(1, "abc")}), "byte 11: ");
    refuse("{\"a\": 1}", "byte 0: JSON");
    refuse("{\n  \"schema\": \"1.0\", \"nodes\": []}", "byte 0: an execution trace of PyTorch");
    refuse("{\"traceEvents\": []}", "byte 0: a trace of Kineto");
    // A record of 123 B begins as JSON does.
    const Traces brace({File({}, Bytes(1, std::string(121, '1')))});
    EXPECT_EQ(brace.Read().GetNRanks(), 1U);
}

TEST(Chakra, Compressed)
{
    const Traces traces{std::vector<std::string>{""}};
    const std::string bytes = File({Node(1, COMP) + Number(7, 4)});
    gzFile out = gzopen(traces.Path("0").c_str(), "wb");
    ASSERT_EQ(gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size())),
              static_cast<int>(bytes.size()));
    ASSERT_EQ(gzclose(out), Z_OK);
    EXPECT_EQ(traces.Read().GetRank(0).operations[0].ns, 4000U);
    std::filesystem::resize_file(traces.Path("0"), 15);
    EXPECT_FABRIC_ERROR(traces.Read(), "what gzip has compressed is cut off");
}

TEST(Chakra, Streams)
{
    const auto calc = [](uint64_t id, uint64_t stream, const std::vector<uint64_t>& data = {}) {
        return Node(id, COMP, data) + Attr("stream", stream);
    };
    const Traces traces({File({calc(1, 7), calc(2, 20), calc(3, 7), Node(4, COMP)})});
    EXPECT_TRUE(traces.Read().GetRank(0).edges.empty());
    ChakraOptions options;
    options.useStreams = true;
    const JobGraph graph = traces.Read(options);
    EXPECT_EQ(graph.GetRank(0).operations[0].stream, 7U);
    EXPECT_EQ(graph.GetRank(0).operations[1].stream, 20U);
    EXPECT_EQ(graph.GetRank(0).operations[3].stream, 0U);
    ASSERT_EQ(graph.GetRank(0).edges.size(), 1U);
    EXPECT_EQ(graph.GetRank(0).edges[0].after, 2U);
    ExpectNodesRefused({calc(1, 7, {2}), calc(2, 7)},
                       "nodes 1 -> 2 -> 1 wait for each other",
                       options);
    ExpectNodesRefused({calc(1, uint64_t{1} << 31)},
                       "node 1: stream 2147483648; it must be below 2^31",
                       options);
}

TEST(Chakra, SerialMessages)
{
    const std::string send = Attr("comm_size", 8) + Attr("comm_dst", 0);
    const std::string receive = Attr("comm_size", 8) + Attr("comm_src", 0);
    const std::string reduce = Attr("comm_size", 8) + Attr("comm_type", 0);
    const Traces traces({File({Node(1, SEND, {2}) + send,
                               Node(2, COLL) + reduce,
                               Node(3, RECV) + receive,
                               Node(4, SEND) + send})});
    ChakraOptions options;
    options.serialComm = true;
    const JobGraph graph = traces.Read(options);
    ASSERT_EQ(graph.GetRank(0).edges.size(), 3U);
    EXPECT_EQ(graph.GetRank(0).edges[1].after, 0U);
    EXPECT_EQ(graph.GetRank(0).edges[1].before, 1U);
    EXPECT_EQ(graph.GetRank(0).edges[2].after, 3U);
    EXPECT_EQ(graph.GetRank(0).edges[2].before, 0U);
}

TEST(Chakra, WhatIsWrittenReadsTheSame)
{
    RandomGraphOptions what;
    what.wildcards = false;
    what.atStart = false;
    RandomGraph random(2, what);
    for (int i = 0; i < 200; ++i)
    {
        const JobGraph graph = random.Make();
        const Traces traces;
        ChakraWriter writer(graph);
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            std::ofstream file(traces.Path(std::to_string(rank)), std::ios::binary);
            writer.Write(rank, file);
        }
        EXPECT_TRUE(writer.GetUnsaid().empty());
        ScratchFile groups("");
        std::ofstream groupsFile(groups.Path());
        writer.WriteGroups(groupsFile);
        groupsFile.close();
        ChakraOptions options;
        options.groupsFile = groups.Path();
        ASSERT_EQ(TextOf(traces.Read(options)), TextOf(graph));
    }
}

TEST(Chakra, StreamsThatAreWritten)
{
    JobGraph graph(1, "job");
    graph.Add(0, JobGraph::Calc(1500, 9));
    graph.Add(0, JobGraph::Calc(2000, ChakraReader::CPU_STREAM));
    JobOperation reduce = JobGraph::Collective(CollectiveType::ALL_REDUCE, 80);
    reduce.stream = 4;
    reduce.algorithm = graph.AddText("ring");
    graph.Add(0, reduce);
    const Traces traces;
    ChakraWriter writer(graph);
    std::ofstream file(traces.Path("0"), std::ios::binary);
    writer.Write(0, file);
    file.close();
    EXPECT_TRUE(writer.GetUnsaid().empty());
    for (const bool useStreams : {false, true})
    {
        ChakraOptions options;
        options.useStreams = useStreams;
        const JobGraph again = traces.Read(options);
        EXPECT_EQ(again.GetRank(0).operations[0].stream, 9U);
        EXPECT_EQ(again.GetRank(0).operations[0].ns, 1500U);
        EXPECT_EQ(again.GetRank(0).operations[1].stream, ChakraReader::CPU_STREAM);
        EXPECT_EQ(again.GetRank(0).operations[2].stream, 4U);
        EXPECT_EQ(again.GetText(again.GetRank(0).operations[2].algorithm), "ring");
    }
}

TEST(Chakra, WhatCannotBeWritten)
{
    const auto refusalOf = [](const JobOperation& operation) {
        JobGraph graph(4, "job");
        graph.Add(1, operation);
        std::ostringstream bytes;
        return ErrorOf([&] { ChakraWriter(graph).Write(1, bytes); });
    };
    const std::string begin = "job: operation 0 of rank 1: ";
    for (const JobOperation& operation : {JobGraph::Recv(JobOperation::ANY, 1),
                                          JobGraph::Recv(0, 1, JobOperation::ANY_TAG),
                                          JobGraph::Send(0, 1, uint64_t{1} << 31),
                                          JobGraph::Collective(CollectiveType::ALL_GATHER, 10)})
    {
        EXPECT_EQ(refusalOf(operation).rfind(begin, 0), 0U);
    }
    JobGraph graph(1, "job");
    graph.Add(0, JobGraph::Calc(1));
    graph.Add(0, JobGraph::Calc(1));
    graph.AfterStart(0, 1, 0);
    std::ostringstream bytes;
    EXPECT_FABRIC_ERROR(ChakraWriter(graph).Write(0, bytes), "waits for the start of another");
}
