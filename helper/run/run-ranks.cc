// SPDX-License-Identifier: GPL-2.0-only
#include "run-ranks.h"

#include "run-division.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-ranks.h"
#include "ns3/qbb-channel.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>
#include <tuple>
#include <type_traits>

namespace ns3
{

namespace
{

using RankedFlow = RdmaFlowHelper::RankedFlow;

/// Writes values, with blanks between them.
class TextWriter
{
  public:
    explicit TextWriter(std::ostream& os)
        : m_os(os)
    {
        m_os << std::setprecision(std::numeric_limits<double>::max_digits10);
    }

    template <typename... T>
    void operator()(const T&... values)
    {
        ((m_os << Plain(values) << ' '), ...);
    }

  private:
    template <typename T>
    static const T& Plain(const T& value)
    {
        return value;
    }

    static int64_t Plain(const Time& value)
    {
        return value.GetTimeStep();
    }

    static uint32_t Plain(HostId value)
    {
        return value.Value();
    }

    static uint32_t Plain(NodeId value)
    {
        return value.Value();
    }

    static int Plain(uint8_t value)
    {
        return value;
    }

    std::ostream& m_os;
};

/// Reads what TextWriter has written.
class TextReader
{
  public:
    explicit TextReader(std::istream& is)
        : m_is(is)
    {
    }

    template <typename... T>
    void operator()(T&... values)
    {
        (Take(values), ...);
    }

  private:
    template <typename T>
    void Take(T& value)
    {
        m_is >> value;
    }

    void Take(Time& value)
    {
        value = TimeStep(Number<int64_t>());
    }

    void Take(HostId& value)
    {
        value = HostId(Number<uint32_t>());
    }

    void Take(NodeId& value)
    {
        value = NodeId(Number<uint32_t>());
    }

    void Take(uint8_t& value)
    {
        value = static_cast<uint8_t>(Number<int>());
    }

    template <typename T>
    T Number()
    {
        T number{};
        m_is >> number;
        return number;
    }

    std::istream& m_is;
};

/// The one list of what reports and listeners get to know of a flow, but how it was routed.
/// @param stream a TextWriter or a TextReader @param flow whose fields pass
template <typename Stream, typename AnyFlow>
void
PassFlow(Stream& stream, AnyFlow& flow)
{
    auto& result = flow.result;
    stream(result.index, result.sourceNode, result.destinationNode, result.ordinal);
    stream(result.fct, result.ideal, flow.hasEnded, flow.end);
    auto& asked = result.flow;
    stream(asked.source, asked.destination, asked.bytes, asked.start, asked.trafficClass);
    stream(asked.window, asked.destinationPort, asked.sourcePort);
}

/// @param os where @param flow on a line; its reason and its label on the next two
void
WriteFlow(std::ostream& os, const RankedFlow& flow)
{
    TextWriter writer(os);
    PassFlow(writer, flow);
    writer(static_cast<int>(flow.result.status), static_cast<int>(flow.result.flow.verb));
    os << '\n' << flow.reason << '\n' << flow.result.flow.label << '\n';
}

/// @param is where WriteFlow() has written @return the flow
RankedFlow
ReadFlow(std::istream& is)
{
    RankedFlow flow;
    TextReader reader(is);
    PassFlow(reader, flow);
    int status = 0;
    int verb = 0;
    reader(status, verb);
    flow.result.status = static_cast<RdmaStatus>(status);
    flow.result.flow.verb = static_cast<RdmaVerb>(verb);
    is.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    std::getline(is, flow.reason);
    std::getline(is, flow.result.flow.label);
    return flow;
}

/// @param stream a TextWriter or a TextReader @param counters whose values pass
template <typename Stream, typename Counters>
void
PassCounters(Stream& stream, Counters& counters)
{
    std::remove_const_t<Counters>::ForEach([&](auto member, const CounterField&) {
        auto& value = counters.*member;
        if constexpr (CounterArray<std::decay_t<decltype(value)>>::value)
        {
            for (auto& one : value)
            {
                stream(one);
            }
        }
        else
        {
            stream(value);
        }
    });
}

/// @param stream a TextWriter or a TextReader @param totals whose counters pass
template <typename Stream, typename AnyTotals>
void
PassTotals(Stream& stream, AnyTotals& totals)
{
    PassCounters(stream, totals);
    PassCounters(stream, totals.rdma);
    PassCounters(stream, totals.pfc);
    RunTotals::ForEachPart([&](auto member, const char*) {
        auto& part = totals.*member;
        bool isThere = part.has_value();
        stream(isThere);
        if constexpr (!std::is_const_v<AnyTotals>)
        {
            part = isThere ? std::decay_t<decltype(part)>(std::in_place) : std::nullopt;
        }
        if (isThere)
        {
            PassCounters(stream, *part);
        }
    });
}

/// Add what another rank has counted. @param into the sum @param more of one rank
void
AddTotalsOfRank(RunTotals& into, RunTotals more)
{
    // Each rank knows all flows that were added, and the clocks of all ranks are one.
    more.flowsTotal = 0;
    more.flowsCompleted = 0;
    more.flowsFailed = 0;
    more.wallSeconds = 0;
    more.active = Time(0);
    into.simulated = std::max(into.simulated, more.simulated);
    more.simulated = Time(0);
    AddCounters(into, more);
    AddCounters(into.rdma, more.rdma);
    AddCounters(into.pfc, more.pfc);
    RunTotals::ForEachPart([&](auto member, const char*) {
        if (into.*member && more.*member)
        {
            AddCounters(*(into.*member), *(more.*member));
        }
        else if (more.*member)
        {
            into.*member = more.*member;
        }
    });
}

/// @param options of a run @return which of them a run over ranks cannot have; empty: none
std::string
FindUnrankable(const RunOptions& options)
{
    if (options.threads)
    {
        return "several threads";
    }
    if (options.patience && options.patience->IsStrictlyPositive())
    {
        return "patience";
    }
    if (!options.keep.empty())
    {
        return "tables in memory";
    }
    if (options.firstStream < 0)
    {
        return "random streams that are not fixed";
    }
    return "";
}

} // namespace

RunRanks::RunRanks(const Fabric& fabric, RdmaFlowHelper& flows)
    : m_flows(flows),
      m_interval(MicroSeconds(50)) // many windows of a usual link, and little of a run
{
    for (const LinkId link : fabric.GetTopology().Links())
    {
        m_interval = std::max(m_interval, 2 * fabric.GetChannel(link)->GetDelay());
    }
}

void
RunRanks::Require(const Fabric& fabric,
                  const RunOptions& options,
                  Time begin,
                  const std::vector<const RunPart*>& parts)
{
    std::string found = FindUnrankable(options);
    for (const RunPart* part : parts)
    {
        if (found.empty() && !dynamic_cast<const RdmaFlowHelper*>(part))
        {
            found = part->GetName();
        }
    }
    if (found.empty())
    {
        found = FindUndividable(fabric, options, parts);
    }
    if (!found.empty())
    {
        throw FabricError("a run over ranks cannot have " + found,
                          "leave it out, or run without --mpi");
    }
    if (!begin.IsZero())
    {
        throw FabricError("a second run over ranks in one process", "start a process for each run");
    }
    if (!options.outDir.empty() && options.files != std::vector<std::string>{"fct"})
    {
        throw FabricError("of the files that are streamed a run over ranks has fct alone",
                          "choose --files=fct");
    }
}

void
RunRanks::StopWhenDone()
{
    Simulator::Schedule(m_interval, &RunRanks::Ask, this);
}

void
RunRanks::Ask()
{
    FabricRanks::BeginSum(m_flows.CountOpenHere());
    Simulator::Schedule(m_interval, &RunRanks::Look, this);
}

void
RunRanks::Look()
{
    if (FabricRanks::EndSum() == 0)
    {
        Simulator::Stop();
        return;
    }
    Ask();
}

void
RunRanks::Gather(const RunTotals& totals)
{
    std::ostringstream mine;
    TextWriter writer(mine);
    PassTotals(writer, totals);
    const std::vector<RankedFlow> ownFlows = m_flows.TakeRankedFlows();
    writer(ownFlows.size());
    mine << '\n';
    for (const RankedFlow& flow : ownFlows)
    {
        WriteFlow(mine, flow);
    }
    std::vector<RankedFlow> flows;
    const std::vector<std::string> each = FabricRanks::Gather(mine.str());
    for (std::size_t rank = 0; rank < each.size(); ++rank)
    {
        std::istringstream text(each[rank]);
        TextReader reader(text);
        RunTotals ofRank;
        PassTotals(reader, ofRank);
        std::size_t count = 0;
        reader(count);
        text.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        for (std::size_t i = 0; i < count; ++i)
        {
            flows.push_back(ReadFlow(text));
        }
        if (rank != 0)
        {
            AddTotalsOfRank(m_others, ofRank);
        }
    }
    std::sort(flows.begin(), flows.end(), [](const RankedFlow& one, const RankedFlow& other) {
        return std::tie(one.end, one.result.index) < std::tie(other.end, other.result.index);
    });
    for (const RankedFlow& flow : flows)
    {
        m_flows.AddRankedFlow(flow);
    }
}

std::string
RunRanks::GetName() const
{
    return "ranks";
}

void
RunRanks::AddTotals(RunTotals& totals) const
{
    AddTotalsOfRank(totals, m_others);
}

void
RunRanks::Print(std::ostream& os, const RunTotals&) const
{
    if (FabricRanks::Count() > 1)
    {
        os << "Ranks: " << FabricRanks::Count()
           << "; queues, links and reasons of PFC above are those of the nodes of rank 0, flows "
              "and "
              "counts those of all ranks\n";
    }
}

} // namespace ns3
