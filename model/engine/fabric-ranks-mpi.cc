// SPDX-License-Identifier: GPL-2.0-only
//
// FabricRanks of a build with MPI.
#include "fabric-ranks.h"

#include "ns3/global-value.h"
#include "ns3/mpi-interface.h"
#include "ns3/node.h"
#include "ns3/string.h"

#include <cstdio>
#include <mpi.h>
#include <numeric>
#include <stdexcept>

namespace ns3
{

namespace
{

/// BeforeWaiting().
void (*g_beforeWaiting)() = nullptr;

/// What BeginSum() has begun.
struct PendingSum
{
    MPI_Comm ranks{MPI_COMM_NULL}; //!< its own: ns-3's engine uses the other one meanwhile
    MPI_Request request{MPI_REQUEST_NULL};
    uint64_t mine{0};
    uint64_t all{0};
};

PendingSum&
Sum()
{
    static PendingSum sum;
    return sum;
}

/// @param name of a global value of ns-3 @return it as text
std::string
Global(const std::string& name)
{
    StringValue value;
    GlobalValue::GetValueByName(name, value);
    return value.Get();
}

} // namespace

bool
FabricRanks::IsBuilt()
{
    return true;
}

void
FabricRanks::Begin()
{
    const std::string engine = "ns3::DistributedSimulatorImpl";
    const std::string named = Global("SimulatorImplementationType");
    if (named != engine && named != "ns3::FabricSimulatorImpl")
    {
        throw std::invalid_argument("runs over ranks take " + engine + ", not " + named +
                                    "; name no simulator");
    }
    GlobalValue::Bind("SimulatorImplementationType", StringValue(engine));
    if (Global("SchedulerType") == "ns3::MapScheduler") // ns-3's default
    {
        GlobalValue::Bind("SchedulerType", StringValue("ns3::WheelScheduler"));
    }
    MpiInterface::Enable(nullptr, nullptr);
    MPI_Comm_dup(MpiInterface::GetCommunicator(), &Sum().ranks);
    if (Own() != 0 && !std::freopen("/dev/null", "w", stdout))
    {
        throw std::runtime_error("/dev/null cannot be opened for the output of rank " +
                                 std::to_string(Own()));
    }
}

void
FabricRanks::End()
{
    if (IsOn())
    {
        MPI_Wait(&Sum().request, MPI_STATUS_IGNORE); // a run that was stopped asks no more
        MPI_Comm_free(&Sum().ranks);
        MpiInterface::Disable();
    }
}

bool
FabricRanks::IsOn()
{
    return MpiInterface::IsEnabled();
}

uint32_t
FabricRanks::Count()
{
    return MpiInterface::GetSize();
}

uint32_t
FabricRanks::Own()
{
    return MpiInterface::GetSystemId();
}

bool
FabricRanks::HasNode(const Node& node)
{
    return !IsOn() || node.GetSystemId() == Own();
}

void
FabricRanks::BeforeWaiting(void (*call)())
{
    g_beforeWaiting = call;
}

void
FabricRanks::BeginSum(uint64_t mine)
{
    Sum().mine = mine;
    MPI_Iallreduce(&Sum().mine, &Sum().all, 1, MPI_UINT64_T, MPI_SUM, Sum().ranks, &Sum().request);
}

uint64_t
FabricRanks::EndSum()
{
    MPI_Wait(&Sum().request, MPI_STATUS_IGNORE);
    return Sum().all;
}

std::vector<std::string>
FabricRanks::Gather(const std::string& mine)
{
    if (!IsOn())
    {
        return {mine};
    }
    const MPI_Comm ranks = MpiInterface::GetCommunicator();
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(Count());
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, ranks);
    std::vector<int> begins(Count());
    std::partial_sum(lengths.begin(), lengths.end() - 1, begins.begin() + 1);
    std::string all(begins.back() + lengths.back(), '\0');
    MPI_Gatherv(mine.data(),
                length,
                MPI_BYTE,
                all.data(),
                lengths.data(),
                begins.data(),
                MPI_BYTE,
                0,
                ranks);
    std::vector<std::string> each;
    for (uint32_t rank = 0; Own() == 0 && rank < Count(); ++rank)
    {
        each.push_back(all.substr(begins[rank], lengths[rank]));
    }
    return each;
}

} // namespace ns3

/**
 * MPI's profiling interface: a program may define a function of MPI, and call the same by its
 * second name. At the end of a window ns-3's engine looks for messages first of all, before it
 * counts those that it has sent: whatever is sent here still belongs to the window. The engine has
 * no other hook.
 */
extern "C" int
MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status)
{
    if (ns3::g_beforeWaiting)
    {
        ns3::g_beforeWaiting();
    }
    return PMPI_Testany(count, requests, index, flag, status);
}
