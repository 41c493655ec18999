// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_GRAPH_H
#define LOSSLESS_JOB_GRAPH_H

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What a collective does with the buffers of its ranks.
enum class CollectiveType : uint8_t
{
    ALL_REDUCE,     //!< all have the sum
    REDUCE_SCATTER, //!< each has a part of the sum
    ALL_GATHER,     //!< all have the parts of all
    ALL_TO_ALL,     //!< each has a part of each
    BROADCAST,      //!< all have what the root had
    REDUCE,         //!< the root has the sum
    GATHER,         //!< the root has the parts of all
    SCATTER,        //!< each has a part of what the root had
    BARRIER         //!< nothing, but that all have come
};

/// How many types there are.
constexpr uint32_t COLLECTIVE_TYPES = 9;

/// @param type a type @return its name, such as "all-reduce"
const char* ToString(CollectiveType type);

/// @param type a type @return whether one of its ranks is the root
inline bool
HasRoot(CollectiveType type)
{
    return type == CollectiveType::BROADCAST || type == CollectiveType::REDUCE ||
           type == CollectiveType::GATHER || type == CollectiveType::SCATTER;
}

/// @param name such as "all-reduce" @return the type; none: there is no such name
std::optional<CollectiveType> ToCollectiveType(const std::string& name);

/// @ingroup lossless
/// One operation of one rank of a job.
struct JobOperation
{
    /// What it is.
    enum Kind : uint8_t
    {
        CALC,      //!< compute for a time, on a stream
        SEND,      //!< a message to another rank
        RECV,      //!< a message of another rank
        COLLECTIVE //!< this rank's part of a collective of a group
    };

    /// When what requires a SEND may start.
    enum SendDone : uint8_t
    {
        AS_THE_JOB, //!< as the attribute SendDone of the job says
        COMPLETED,  //!< the last ACK has come
        POSTED      //!< the message was handed to the NIC
    };

    static constexpr uint32_t ANY = 0xffffffff;        //!< peer: any rank
    static constexpr uint64_t ANY_TAG = ~uint64_t{0};  //!< tag: any
    static constexpr uint32_t OWN_STREAM = 0xffffffff; //!< stream of a collective: its group's
    static constexpr uint16_t ANY_NIC = 0xffff;        //!< nic: as the job chooses
    static constexpr uint64_t NO_PLACE = ~uint64_t{0}; //!< place: its number in the order of adding

    uint64_t ns{0};    //!< CALC: how long, nanoseconds
    uint64_t bytes{0}; //!< SEND, RECV: of the message; COLLECTIVE: S of nccl-tests, which is the
                       //!< whole buffer of a rank, of an all-gather the total output
    uint64_t tag{0};   //!< SEND, RECV
    uint64_t place{NO_PLACE}; //!< its number in the source: a line, a node
    uint32_t peer{0};   //!< SEND: to which rank; RECV: from which; rooted COLLECTIVE: position of
                        //!< the root in the group
    uint32_t group{0};  //!< COLLECTIVE: number of the group
    uint32_t stream{0}; //!< CALC, COLLECTIVE: those of one stream run one after another
    uint32_t name{0};   //!< JobGraph::GetText()
    uint32_t algorithm{0}; //!< COLLECTIVE: JobGraph::GetText(); "": default
    uint16_t channels{0};  //!< COLLECTIVE: 0: as the job says
    uint16_t nic{ANY_NIC}; //!< SEND, RECV: port of the host
    Kind kind{CALC};       //!< what it is
    CollectiveType type{CollectiveType::ALL_REDUCE}; //!< COLLECTIVE
    SendDone sendDone{AS_THE_JOB};                   //!< SEND
};

/// @ingroup lossless
/// One operation of a rank waits for another one of the same rank.
struct JobEdge
{
    uint32_t before{0};  //!< index of the operation that comes first
    uint32_t after{0};   //!< index of the operation that waits
    bool atStart{false}; //!< it waits for the start of the other, not for its end
};

/**
 * @ingroup lossless
 *
 * What the ranks of a job do: for each rank a graph of operations. Readers of traces and generators
 * make it, a Job runs it; it knows nothing of networks.
 *
 * @code
 * JobGraph graph(2, "by hand");
 * const uint32_t calc = graph.Add(0, JobGraph::Calc(100000));
 * const uint32_t send = graph.Add(0, JobGraph::Send(1, 65536, 7));
 * graph.After(0, send, calc);
 * graph.Add(1, JobGraph::Recv(0, 65536, 7));
 * @endcode
 *
 * Group 0 has all ranks, in order. Arguments that cannot be are a FabricError.
 */
class JobGraph
{
  public:
    /// The operations of one rank.
    struct Rank
    {
        std::vector<JobOperation> operations; //!< in the order of the source
        std::vector<JobEdge> edges;           //!< what waits for what
    };

    /// Ranks that take part in the same collectives. Their order is that of a ring.
    struct Group
    {
        std::string name;            //!< what messages call it
        std::vector<uint32_t> ranks; //!< its members, each once
    };

    /// What messages call the source of a graph that comes from no file.
    static constexpr const char* NO_FILE = "job";
    /// Most ranks of a job.
    static constexpr uint32_t MOST_RANKS = 1 << 20;
    /// Most channels of a collective.
    static constexpr uint32_t MOST_CHANNELS = 256;
    /// Most bytes of a message or a collective.
    static constexpr uint64_t MOST_BYTES = uint64_t{1} << 60;
    /// Longest calculation: 104 days, nearly as long as a clock of picoseconds runs.
    static constexpr uint64_t MOST_NS = uint64_t{1} << 53;

    /// @param ranks how many, 1 to MOST_RANKS @param source a file, or what else messages name
    /// @param place what JobOperation::place counts: "line", "node", "operation"
    explicit JobGraph(uint32_t ranks,
                      std::string source = NO_FILE,
                      std::string place = "operation");

    // ---- operations

    /// @param ns nanoseconds @param stream on which it runs @return an operation
    static JobOperation Calc(uint64_t ns, uint32_t stream = 0);
    /// @param to a rank @param bytes of the message @param tag of the message
    /// @return an operation
    static JobOperation Send(uint32_t to, uint64_t bytes, uint64_t tag = 0);
    /// @param from a rank, or JobOperation::ANY @param bytes of the message
    /// @param tag of the message, or JobOperation::ANY_TAG @return an operation
    static JobOperation Recv(uint32_t from, uint64_t bytes, uint64_t tag = 0);
    /// @param type of the collective @param bytes as JobOperation::bytes @param group its number
    /// @return an operation
    static JobOperation Collective(CollectiveType type, uint64_t bytes, uint32_t group = 0);

    /// @param rank whose @param operation what; place NO_PLACE becomes its number from 0
    /// @return its index, in the order of adding
    uint32_t Add(uint32_t rank, const JobOperation& operation);

    /// @param rank whose @param after index of an operation that starts when another has ended
    /// @param before index of the other
    void After(uint32_t rank, uint32_t after, uint32_t before);
    /// @param rank whose @param after index of an operation that starts when another has started
    /// @param before index of the other
    void AfterStart(uint32_t rank, uint32_t after, uint32_t before);

    /// @param name of a new group @param ranks its members, each once, in the order of a ring
    /// @return its number
    uint32_t AddGroup(const std::string& name, std::vector<uint32_t> ranks);

    /// Messages that are longer than the operation that receives them stay an error; shorter ones
    /// are allowed then.
    void AllowShortMessages()
    {
        m_allowsShort = true;
    }

    // ---- look-up

    /// @return how many ranks there are
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    /// @param rank which @return its operations
    const Rank& GetRank(uint32_t rank) const;

    /// @return the groups; group 0 has all ranks
    const std::vector<Group>& GetGroups() const
    {
        return m_groups;
    }

    /// @param name of a group @return its number; none: there is no such group
    std::optional<uint32_t> FindGroup(const std::string& name) const;

    /// @return operations of all ranks
    uint64_t GetNOperations() const;

    /// @return how much the graph has; all that is added makes it more
    uint64_t GetSize() const;

    /// @return whether AllowShortMessages() was called
    bool AllowsShortMessages() const
    {
        return m_allowsShort;
    }

    /// @return what messages call the source
    const std::string& GetSource() const
    {
        return m_source;
    }

    /// @param operation an operation @return where it stands in the source: "line 8"
    std::string PlaceOf(const JobOperation& operation) const;

    /// @param rank whose @param operation an operation @return file and line, or what else says
    /// where it is, for the begin of a message
    std::string WhereIs(uint32_t rank, const JobOperation& operation) const;

    /// @param text a name of an operation or of an algorithm @return its number; "" has 0
    uint32_t AddText(const std::string& text);

    /// @param text a text @return its number; none: AddText() was not called with it
    std::optional<uint32_t> FindText(const std::string& text) const;

    /// @param number of AddText() @return the text
    const std::string& GetText(uint32_t number) const
    {
        return m_texts[number];
    }

    // ---- checks

    /// @param rank whose @return operations that wait for each other, each for the one behind it
    /// and the last for the first; empty: there are none
    std::vector<uint32_t> FindCycle(uint32_t rank) const;

    /// @param rank whose; without cycle @return its operations, each behind all that it waits for,
    /// of those that could be next the one that was added first
    std::vector<uint32_t> GetOrder(uint32_t rank) const;

    /**
     * FabricError unless the graph can run to its end as far as one can see without running it:
     * each rank that has a collective is in its group; the k-th collective of a group has the same
     * type, size, algorithm, channels and root on all ranks, and all ranks have as many; nothing
     * waits for itself. Sends and receives find their peers during the run.
     */
    void Check() const;

  private:
    /// FabricError unless a rank exists. @param rank which @param what of it
    void RequireRank(uint32_t rank, const char* what) const;
    /// FabricError unless an operation can be. @param rank whose @param operation what
    void RequirePossible(uint32_t rank, const JobOperation& operation) const;
    /// @param rank whose @param edge an edge; FabricError unless both ends exist
    void AddEdge(uint32_t rank, const JobEdge& edge);
    /// The collectives of a group agree. @param group its number
    void CheckCollectives() const;
    /// @param one a collective @param other of another rank, which should be the same
    /// @return what messages call the one, with what differs of the other
    std::string DescribeBeside(const JobOperation& one, const JobOperation& other) const;

    std::string m_source;
    std::string m_place;
    std::vector<Rank> m_ranks;
    std::vector<Group> m_groups;
    std::vector<std::string> m_texts;
    std::unordered_map<std::string, uint32_t> m_numbers;      //!< of texts
    std::unordered_map<std::string, uint32_t> m_groupNumbers; //!< by name
    bool m_allowsShort{false};
};

} // namespace ns3

#endif // LOSSLESS_JOB_GRAPH_H
