// SPDX-License-Identifier: GPL-2.0-only
#include "job.h"

#include "job-diagnosis.h"
#include "job-plan.h"
#include "lossy-class.h"
#include "unconnected-end.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-ranks.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric-warning.h"
#include "ns3/log.h"
#include "ns3/process-memory.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("LosslessJob");

Job::Job(const Fabric& fabric, JobGraph graph, std::vector<RankPlace> places, JobOptions options)
    : m_fabric(fabric),
      m_graph(std::move(graph)),
      m_options(std::move(options)),
      m_network(fabric, std::move(places), m_options.network),
      m_exchange(m_network,
                 *this,
                 m_graph.GetNRanks(),
                 {m_options.rendezvous, m_options.readyBytes})
{
    RequireOptions();
    RequireFreeGpus();
    const MemoryUse use("the plan of job " + m_options.name, JobCost::LESS);
    m_graph.Check();
    m_plan = std::make_unique<JobPlan>(m_graph, m_options, m_network, m_fabric);
    m_plan->GetCost().RequireMemory(m_options.name, GetMemoryLimit());
    LookAtPackets();
}

Job::~Job()
{
    m_start.Cancel();
}

void
Job::RequireOptions() const
{
    OptionText::Require(m_options);
    const std::string what = "job " + m_options.name + ": ";
    if (const std::size_t places = GetPlaces().size(); places != m_graph.GetNRanks())
    {
        throw FabricError(what + std::to_string(m_graph.GetNRanks()) + " ranks, and places for " +
                              std::to_string(places),
                          "one for each");
    }
    if (m_options.warmUp >= m_options.iterations)
    {
        throw FabricError(what + std::to_string(m_options.iterations) + " iterations, of which " +
                              std::to_string(m_options.warmUp) + " are to warm up",
                          "one or more that count");
    }
    if (const Time last = QueuePairNetwork::GetLast(); m_options.start > last)
    {
        throw FabricError(what + "it starts after the last time of the run",
                          "0 to " + std::to_string(last.GetMilliSeconds() / 1000) + " s");
    }
    if (FabricRanks::Count() > 1)
    {
        throw FabricError(what + "several processes run the fabric",
                          "jobs run in one process, which may have several threads");
    }
}

void
Job::RequireFreeGpus() const
{
    for (const RunPart* part : Planned(m_fabric))
    {
        const auto* const other = dynamic_cast<const Job*>(part);
        if (!other || !other->IsAwaited() || other->IsSealed())
        {
            continue;
        }
        std::map<std::pair<HostId, uint32_t>, uint32_t> taken; // by host and GPU: its rank
        for (uint32_t rank = 0; rank < other->GetPlaces().size(); ++rank)
        {
            const RankPlace& place = other->GetPlaces()[rank];
            taken.emplace(std::make_pair(place.host, place.gpu), rank);
        }
        for (uint32_t rank = 0; rank < GetPlaces().size(); ++rank)
        {
            const RankPlace& place = GetPlaces()[rank];
            const auto own = taken.find({place.host, place.gpu});
            if (own != taken.end())
            {
                throw FabricError(
                    "job " + m_options.name + ": rank " + std::to_string(rank) + " is on GPU " +
                        std::to_string(place.gpu) + " of " + place.host.Name() + ", which rank " +
                        std::to_string(own->second) + " of job " + other->m_options.name + " has",
                    "a GPU for each rank of all jobs");
            }
        }
    }
}

void
Job::LookAtPackets()
{
    UintegerValue mtu;
    UintegerValue ackInterval;
    const auto end = MakeUnconnected(m_fabric, m_options.network.queuePair);
    end->GetAttribute("Mtu", mtu);
    end->GetAttribute("AckInterval", ackInterval);
    m_plan->GetCost().WarnOfTime(m_options.name,
                                 static_cast<uint32_t>(mtu.Get()),
                                 static_cast<uint32_t>(ackInterval.Get()));
    UintegerValue trafficClass;
    end->GetAttribute("TrafficClass", trafficClass);
    const bool leavesHosts = m_plan->GetCost().connections > 0;
    for (std::size_t rank = 0; leavesHosts && rank < GetPlaces().size(); ++rank)
    {
        AddIfLossy(m_fabric, GetPlaces()[rank].host, static_cast<uint8_t>(trafficClass.Get()));
    }
}

// ---- collectives

const std::vector<uint32_t>&
Job::GetRing(uint32_t group, uint32_t channel) const
{
    return m_plan->GetRing(group, channel);
}

std::string
Job::NameOfAlgorithm(const JobOperation& operation) const
{
    return m_plan->NameOfAlgorithm(operation);
}

const CollectiveAlgorithm&
Job::AlgorithmOf(const JobOperation& operation) const
{
    return m_plan->AlgorithmOf(operation);
}

uint32_t
Job::GetChannels(const JobOperation& operation) const
{
    return m_plan->GetChannels(operation);
}

CollectiveShape
Job::ShapeOf(const JobOperation& operation, uint32_t channel) const
{
    return m_plan->ShapeOf(operation, channel);
}

std::unique_ptr<CollectivePart>
Job::MakePart(uint32_t rank, const JobOperation& operation, uint32_t channel) const
{
    return m_plan->MakePart(rank, operation, channel);
}

// ---- JobWorld

MessageNetwork&
Job::GetNetwork()
{
    return m_network;
}

MessageExchange&
Job::GetExchange()
{
    return m_exchange;
}

bool
Job::HasFailed() const
{
    return m_hasFailed.load(std::memory_order_relaxed);
}

void
Job::CollectiveEnded(const CollectiveEnd& end)
{
    FabricSimulatorImpl::Serially([this, end] {
        const auto key = std::make_pair(end.group, end.number);
        const auto entry = m_collectives.find(key);
        if (entry == m_collectives.end())
        {
            const JobOperation& what = m_graph.GetRank(end.rank).operations[end.operation];
            m_collectives[key] = {{end.group,
                                   end.number,
                                   end.iteration,
                                   end.rank,
                                   end.operation,
                                   GetChannels(what),
                                   end.start,
                                   end.start,
                                   end.end},
                                  0};
        }
        auto& [collective, ranks] = m_collectives[key];
        collective.firstStart = std::min(collective.firstStart, end.start);
        collective.lastStart = std::max(collective.lastStart, end.start);
        collective.end = std::max(collective.end, end.end);
        if (++ranks < m_graph.GetGroups()[end.group].ranks.size())
        {
            return;
        }
        for (JobListener* listener : m_jobListeners)
        {
            listener->CollectiveEnded(*this, collective);
        }
        m_collectives.erase(key);
    });
}

void
Job::IterationEnded(uint32_t rank, uint32_t iteration, std::unique_ptr<RankTrace> trace)
{
    const std::shared_ptr<const RankTrace> done = std::move(trace);
    FabricSimulatorImpl::Serially([this, rank, iteration, done] {
        if (iteration + 1 < m_options.iterations && !m_open.count(iteration + 1))
        {
            m_open[iteration + 1].traces.resize(m_graph.GetNRanks());
            TellStarted(ToItem(iteration + 1));
        }
        m_finished += iteration + 1 == m_options.iterations ? 1 : 0;
        Open& open = m_open[iteration];
        open.traces[rank] = done;
        if (++open.done == m_graph.GetNRanks())
        {
            CloseIteration(iteration, open);
            m_open.erase(iteration);
        }
    });
}

bool
Job::TellsMessages() const
{
    return m_tellsMessages;
}

void
Job::MessageCompleted(const RankMessage& message)
{
    FabricSimulatorImpl::Serially([this, message, now = Simulator::Now().GetTimeStep()] {
        for (JobListener* listener : m_jobListeners)
        {
            listener->MessageCompleted(*this, message, now);
        }
    });
}

void
Job::ActivityChanged([[maybe_unused]] uint32_t rank, bool isActive)
{
    FabricSimulatorImpl::Serially([this, isActive] {
        m_active += isActive ? 1 : -1;
        if (m_active == 0 && m_state == RUNNING)
        {
            Conclude();
        }
    });
}

void
Job::Fail(const std::string& why)
{
    m_hasFailed.store(true, std::memory_order_relaxed);
    FabricSimulatorImpl::Serially([this, why] {
        if (m_state == RUNNING)
        {
            End(FAILED, "job " + m_options.name + ": " + why);
        }
    });
}

// ---- MessageExchange::Owner

void
Job::Matched(const MessageExchange::Wanted& wanted, const RankMessage& message)
{
    m_ranks[wanted.rank]->Matched(wanted, message);
}

void
Job::Completed(const RankMessage& message, bool isDelivered)
{
    m_ranks[message.source]->Completed(message, isDelivered);
}

void
Job::UnderWayChanged(uint32_t rank)
{
    m_ranks[rank]->DoWork();
}

// ---- from begin to end

void
Job::SetBegin(Time begin)
{
    Plan(m_fabric);
    m_begin = begin + m_options.start;
    m_start.Cancel();
    m_start = Simulator::Schedule(m_begin - Simulator::Now(), &Job::Begin, this);
}

void
Job::Begin()
{
    NS_LOG_FUNCTION(this);
    const MemoryUse use("the queue pairs of job " + m_options.name, JobCost::LESS);
    for (const MessageNetwork::Pair& pair : m_plan->GetPairs())
    {
        m_exchange.Connect(pair);
    }
    m_state = RUNNING;
    m_tellsMessages = std::any_of(m_jobListeners.begin(),
                                  m_jobListeners.end(),
                                  [](const auto* listener) { return listener->WantsMessages(); });
    m_open[0].traces.resize(m_graph.GetNRanks());
    TellStarted(ToItem(0));
    m_active = m_graph.GetNRanks(); // until each has begun and says otherwise
    for (uint32_t rank = 0; rank < m_graph.GetNRanks(); ++rank)
    {
        m_ranks.push_back(std::make_unique<JobRank>(static_cast<JobWorld&>(*this), rank));
    }
    for (const auto& rank : m_ranks)
    {
        m_network.Schedule(rank->GetNumber(), Time(0), [each = rank.get()] { each->Begin(); });
    }
}

void
Job::CloseIteration(uint32_t number, const Open& open)
{
    JobIteration iteration;
    iteration.number = number;
    iteration.isWarmUp = number < m_options.warmUp;
    iteration.start = open.traces.front()->begin;
    iteration.end = -1;
    double calc = 0;
    double exposed = 0;
    double exposedMost = 0;
    for (uint32_t rank = 0; rank < open.traces.size(); ++rank)
    {
        const RankTrace& trace = *open.traces[rank];
        iteration.start = std::min(iteration.start, trace.begin);
        if (trace.end > iteration.end)
        {
            iteration.end = trace.end;
            iteration.straggler = rank;
        }
        calc += static_cast<double>(trace.calc);
        exposed += static_cast<double>(trace.exposed);
        exposedMost = std::max(exposedMost, static_cast<double>(trace.exposed));
        iteration.bytes += trace.sentBytes;
        iteration.messages += trace.sentMessages;
    }
    const double ranks = static_cast<double>(open.traces.size());
    const double ticksPerNs = static_cast<double>(NanoSeconds(1).GetTimeStep());
    iteration.calcNs = calc / ranks / ticksPerNs;
    iteration.exposedNs = exposed / ranks / ticksPerNs;
    iteration.exposedMostNs = exposedMost / ticksPerNs;
    m_iterations.push_back(iteration);
    m_end = TimeStep(iteration.end);
    for (JobListener* listener : m_jobListeners)
    {
        listener->IterationEnded(*this, iteration, open.traces);
    }
    // The last one is over when nothing of the job is under way any more: Conclude().
    if (number + 1 < m_options.iterations)
    {
        TellEnded(ToItem(number));
    }
}

void
Job::Conclude()
{
    if (m_finished < m_graph.GetNRanks())
    {
        m_isStuck = true;
        End(FAILED,
            "job " + m_options.name + " stuck at " +
                std::to_string(Simulator::Now().GetMicroSeconds()) +
                " us: " + Diagnose().DescribeWaiting());
        return;
    }
    const std::string left = Diagnose().DescribeUnexpected();
    End(left.empty() ? DONE : FAILED,
        left.empty() ? std::string() : "job " + m_options.name + ": " + left);
}

void
Job::End(State state, const std::string& error)
{
    m_state = state;
    m_error = error;
    m_hasFailed.store(state != DONE, std::memory_order_relaxed);
    for (uint32_t number = 0; number < m_options.iterations; ++number)
    {
        const bool isLast = number + 1 == m_options.iterations;
        if (m_open.count(number) || (isLast && m_open.empty()))
        {
            TellEnded(ToItem(number));
        }
    }
}

void
Job::Stop()
{
    m_start.Cancel();
    if (m_state == WAITING || m_state == RUNNING)
    {
        m_state = STOPPED;
        m_hasFailed.store(true, std::memory_order_relaxed);
    }
    m_network.Close();
}

JobDiagnosis
Job::Diagnose() const
{
    return JobDiagnosis({m_graph, m_ranks, m_exchange, m_network, m_options.iterations});
}

// ---- TrafficSource

void
Job::AddListener(JobListener& listener)
{
    m_jobListeners.push_back(&listener);
}

void
Job::RemoveListener(JobListener& listener)
{
    m_jobListeners.erase(std::remove(m_jobListeners.begin(), m_jobListeners.end(), &listener),
                         m_jobListeners.end());
}

std::string
Job::GetName() const
{
    return "job " + m_options.name;
}

bool
Job::IsDividable() const
{
    return true;
}

void
Job::ForEachControl(const Controls& visit) const
{
    visit(CongestionOf(m_fabric, m_options.network.queuePair));
}

TrafficItem
Job::ToItem(uint32_t number) const
{
    TrafficItem item;
    item.id = number;
    item.source = GetPlaces().front().host;
    item.destination = GetPlaces().back().host;
    item.start = m_begin;
    item.end = m_end;
    const bool isDone = number < m_iterations.size();
    const bool isOpen = m_open.count(number) != 0;
    item.state = isDone              ? TrafficItem::COMPLETED
                 : m_state == FAILED ? TrafficItem::FAILED
                                     : (isOpen ? TrafficItem::RUNNING : TrafficItem::NOT_STARTED);
    return item;
}

TrafficSource::Counts
Job::GetCounts() const
{
    Counts counts;
    counts.expected = m_options.iterations;
    counts.added = m_options.iterations;
    counts.completed = m_iterations.size();
    if (m_state == FAILED && counts.completed == m_options.iterations)
    {
        --counts.completed; // it ended with messages that nobody has received
    }
    counts.started = m_iterations.size() + m_open.size();
    counts.failed = m_state == FAILED ? counts.started - counts.completed : 0;
    return counts;
}

std::string
Job::GetError() const
{
    if (m_error.empty() && IsSealed() && m_state != DONE)
    {
        return "job " + m_options.name + ": the run ended when " +
               std::to_string(m_iterations.size()) + " of " + std::to_string(m_options.iterations) +
               " iterations were done";
    }
    return m_error;
}

bool
Job::IsAwaited() const
{
    return m_state == WAITING || m_state == RUNNING;
}

std::string
Job::GetStuck() const
{
    return m_isStuck ? m_error : std::string();
}

Time
Job::GetNextActivity() const
{
    return m_state == WAITING ? m_begin : m_state == RUNNING ? Simulator::Now() : Time::Max();
}

Time
Job::GetFirstStart() const
{
    return m_begin;
}

bool
Job::MayActByItself() const
{
    return std::any_of(m_ranks.begin(), m_ranks.end(), [](const auto& rank) {
        return rank->IsComputing();
    });
}

void
Job::ForEachUnfinished(const Unfinished& tell) const
{
    for (uint32_t number = 0; number < m_options.iterations; ++number)
    {
        const TrafficItem item = ToItem(number);
        if (item.state != TrafficItem::COMPLETED)
        {
            std::string why =
                m_error.empty() && m_open.count(number) ? Diagnose().DescribeWaiting() : m_error;
            std::replace(why.begin(), why.end(), ',', ';');
            tell(item, why.empty() ? "it has not begun" : why);
        }
    }
}

} // namespace ns3
