// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_TOTALS_H
#define LOSSLESS_RUN_TOTALS_H

#include "ns3/border-policy.h"
#include "ns3/conweave-switch.h"
#include "ns3/counter-fields.h"
#include "ns3/drop-reason.h"
#include "ns3/elephant-separator.h"
#include "ns3/fabric-differences.h"
#include "ns3/nstime.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/rdma-verbs.h"
#include "ns3/trim-switch.h"
#include "ns3/vxlan-endpoint.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Priority flow control: sums over all ports and classes.
struct PfcTotals
{
    uint64_t xoffFrames{0};  //!< PFC frames with a pause, refreshes included, once a class
    uint64_t refreshes{0};   //!< of those, refreshes of a pause in force
    uint64_t xonFrames{0};   //!< PFC frames that end a pause
    uint64_t pauses{0};      //!< times that a port was paused
    uint64_t expired{0};     //!< pauses that ended by their quanta
    Time paused;             //!< time paused
    uint64_t pausedPorts{0}; //!< ports that were paused at least once
    Time longest;            //!< longest time that one (port, class) was paused in all

    /// Call a visitor with each counter. @param visit called with (member, CounterField)
    template <typename Visit>
    static void ForEach(Visit&& visit)
    {
        using C = PfcTotals;
        visit(&C::xoffFrames,
              {"pfc_xoff_frames", "frames", "PFC frames sent with a pause, once for each class"});
        visit(
            &C::xonFrames,
            {"pfc_xon_frames", "frames", "PFC frames sent that end a pause, once for each class"});
        visit(&C::paused,
              {"pause_ns_total", "ns", "time that ports and classes were paused, added"});
        visit(&C::refreshes,
              {"pfc_refreshes", "frames", "XOFF frames that refreshed a pause in force"});
        visit(&C::pauses, {"pauses", "pauses", "times that a class of a port was paused"});
        visit(&C::expired, {"pauses_expired", "pauses", "pauses that ended by their quanta"});
        visit(&C::pausedPorts, {"paused_ports", "ports", "ports that were paused at least once"});
        visit(&C::longest,
              {"pause_ns_longest",
               "ns",
               "longest time that one class of one port was paused in all",
               CounterField::MAX});
    }
};

/// @ingroup lossless
/// Sums over the watchdogs of NICs.
struct NicWatchdogTotals
{
    uint64_t nicsStopped{0}; //!< times that a NIC was kept from pausing

    /// Call a visitor with the counter. @param visit called with (member, CounterField)
    template <typename Visit>
    static void ForEach(Visit&& visit)
    {
        visit(&NicWatchdogTotals::nicsStopped,
              {"nics_stopped", "times", "times that a NIC was kept from pausing"});
    }
};

/// @ingroup lossless
/// What the deadlock detector has found.
struct DeadlockTotals
{
    uint64_t found{0};         //!< deadlocks
    uint64_t open{0};          //!< of those, not broken
    int64_t firstNs{-1};       //!< when the first was found; -1: none was
    uint64_t flushedFrames{0}; //!< frames thrown away to break them
    uint64_t headroomDrops{0}; //!< frames for which there was no headroom, all switches

    /// Call a visitor with each counter. @param visit called with (member, CounterField)
    template <typename Visit>
    static constexpr void ForEach(Visit&& visit)
    {
        using C = DeadlockTotals;
        visit(&C::found, {"deadlocks", "deadlocks", "deadlocks found"});
        visit(&C::open, {"deadlocks_open", "deadlocks", "deadlocks that were not broken"});
        visit(&C::firstNs,
              {"deadlock_first_ns",
               "ns",
               "when the first deadlock was found; -1: none was",
               CounterField::MAX});
        visit(&C::flushedFrames,
              {"deadlock_flushed_frames", "frames", "frames thrown away to break deadlocks"});
        visit(&C::headroomDrops,
              {"headroom_drops", "frames", "frames dropped at switches for want of headroom"});
    }
};

static_assert(AreAllCountersVisited<DeadlockTotals>(), "each counter has a line in ForEach()");

/// @ingroup lossless
/// What a run could have skipped, as SkippableStats has it.
struct SkippableTotals
{
    Time window;               //!< length of a window, at the end
    uint64_t flows{0};         //!< flows that have started
    uint64_t steadyFlows{0};   //!< those that had a steady state
    uint64_t windows{0};       //!< windows of all flows
    uint64_t steadyWindows{0}; //!< those that equal the first of their row
    uint64_t states{0};        //!< steady states
    uint64_t hops{0};          //!< packet-hops
    uint64_t skippableHops{0}; //!< those of flows in a steady state
    uint64_t componentHops{0}; //!< those while all flows of the component were in one
    double share{0};           //!< skippableHops of hops
    double componentShare{0};  //!< componentHops of hops

    /// Call a visitor with each counter. @param visit called with (member, CounterField)
    template <typename Visit>
    static void ForEach(Visit&& visit)
    {
        using C = SkippableTotals;
        visit(&C::window,
              {"steady_window_ns", "ns", "length of a window, at the end", CounterField::MAX});
        visit(&C::flows, {"watched_flows", "flows", "flows watched for steady states"});
        visit(&C::steadyFlows, {"steady_flows", "flows", "flows that had a steady state"});
        visit(&C::windows, {"watched_windows", "windows", "windows of all flows"});
        visit(&C::steadyWindows,
              {"steady_windows", "windows", "windows that equal the first of their row"});
        visit(&C::states, {"steady_states", "states", "steady states of flows"});
        visit(
            &C::hops,
            {"flow_hops", "frames", "data packets of flows times links, without retransmissions"});
        visit(&C::skippableHops,
              {"skippable_hops", "frames", "flow_hops of flows in a steady state"});
        visit(&C::componentHops,
              {"component_hops",
               "frames",
               "flow_hops while all flows of the component were in a steady state"});
        visit(&C::share, {"skippable_share", "", "share of skippable_hops, 0 to 1"});
        visit(&C::componentShare, {"component_share", "", "share of component_hops, 0 to 1"});
    }
};

/// @ingroup lossless
/// A total, as files and Python have it.
struct NamedTotal
{
    /// An integer, a real number, or text.
    using Value = std::variant<uint64_t, int64_t, double, std::string>;

    std::string name; //!< such as "data_packets"
    std::string unit; //!< such as "frames"
    std::string help; //!< what it counts
    Value value;      //!< how much, or which

    /// @return the value as summary.json has it; text in quotes
    std::string ToText() const;

    /// @param end how a run has ended, in a word @param interrupted when a signal came;
    /// Time::Max(): none @param run number of the random numbers @return that
    static std::vector<NamedTotal> OfEnd(const std::string& end, Time interrupted, uint64_t run);
};

/**
 * @ingroup lossless
 *
 * Totals of a run. The summary, summary.json, Python and doc/counters.rst are made from List(),
 * and List() is made from the visitors of the counters.
 */
struct RunTotals
{
    /// Frames dropped, by reason.
    using Drops = std::array<uint64_t, static_cast<std::size_t>(DropReason::COUNT)>;

    uint64_t flowsTotal{0};           //!< RDMA flows added; of Poisson workloads those that arrived
    uint64_t flowsCompleted{0};       //!< RDMA flows completed with success
    uint64_t flowsFailed{0};          //!< RDMA flows that ended otherwise
    uint64_t losslessDrops{0};        //!< frames of lossless classes dropped by switches
    uint64_t lossyDrops{0};           //!< frames of other classes dropped by switches
    uint64_t losslessDropsOfLinks{0}; //!< those of losslessDrops whose link was down
    Drops drops{};                    //!< of all nodes
    uint64_t ecnMarks{0};             //!< frames marked CE
    uint64_t queuePeakBytes{0};       //!< longest queue of any switch
    uint64_t events{0};               //!< events executed
    Time simulated;                   //!< time at the end
    Time active;                      //!< from the start of the first flow to the end of the last
    double wallSeconds{0};            //!< time that the run took
    double cpuSeconds{0};             //!< processor time that the run took
    uint64_t peakRssBytes{0};         //!< most memory that the program has used
    uint64_t seed{0};                 //!< of ns-3's random numbers
    RdmaCounters rdma;                //!< of all hosts
    PfcTotals pfc;                    //!< of all ports

    // Of parts that not every run has; none where there is no such part.
    std::optional<PfcWatchdog::Counters> watchdogs;       //!< of all switches
    std::optional<NicWatchdogTotals> nicWatchdogs;        //!< there is one of a switch or a NIC
    std::optional<ElephantSeparator::Counters> elephants; //!< of all switches
    std::optional<BorderPolicy::Counters> borders;        //!< of all switches
    std::optional<VxlanEndpoint::Counters> tunnels;       //!< of all switches
    std::optional<TrimSwitch::Counters> trims;            //!< of all switches
    std::optional<ConWeaveSwitch::Counters> conweave;     //!< of all switches
    std::optional<DeadlockTotals> deadlocks;              //!< what the detector has found
    std::optional<SkippableTotals> skippable;             //!< if steady states were looked for

    std::vector<NamedTotal> more; //!< what a run says besides, such as how it ended
    /// Settings that are not the defaults; none: nobody has looked.
    std::optional<std::vector<SettingDifference>> settings;
    std::map<std::string, uint64_t> findings; //!< how many, by rule

    /// Call a visitor with each total that is no member of another struct.
    /// @param visit called with (member, CounterField)
    template <typename Visit>
    static void ForEach(Visit&& visit)
    {
        using C = RunTotals;
        visit(&C::flowsTotal,
              {"flows_total", "flows", "RDMA flows; of Poisson workloads those that have arrived"});
        visit(&C::flowsCompleted, {"flows_completed", "flows", "RDMA flows that completed"});
        visit(&C::flowsFailed, {"flows_failed", "flows", "RDMA flows that ended without success"});
        visit(&C::losslessDrops,
              {"lossless_drops", "frames", "frames of lossless classes that switches dropped"});
        visit(&C::lossyDrops,
              {"lossy_drops", "frames", "frames of lossy classes that switches dropped"});
        visit(&C::losslessDropsOfLinks,
              {"lossless_drops_of_links",
               "frames",
               "frames of lossless_drops whose link was down, whatever the buffer had"});
        visit(&C::queuePeakBytes,
              {"queue_peak_bytes",
               "bytes",
               "longest egress queue of any switch, port and class, in cells of the buffer; "
               "queue.csv has the bytes of the frames",
               CounterField::MAX});
        visit(&C::events, {"events", "events", "events that the simulator executed"});
        visit(&C::simulated, {"sim_seconds", "s", "simulated time at the end"});
        visit(&C::wallSeconds, {"wall_seconds", "s", "time that the run took"});
        visit(&C::cpuSeconds, {"cpu_seconds", "s", "processor time that the run took"});
        visit(&C::peakRssBytes,
              {"peak_rss_bytes", "bytes", "most memory that the program used", CounterField::MAX});
        visit(&C::seed, {"seed", "", "seed of the random numbers", CounterField::MAX});
        visit(&C::active,
              {"active_seconds",
               "s",
               "time from the start of the first flow to the end of the last; of the run, where "
               "others send, too"});
        visit(&C::ecnMarks, {"ecn_marks", "frames", "frames that switches marked CE"});
        visit(&C::drops,
              {"drops",
               "frames",
               "frames dropped at all nodes for this reason",
               CounterField::SUM,
               &DropReasonLabel});
    }

    /// Call a visitor with the totals of each part that a run may have. @param visit called with
    /// (member, prefix of the names of its counters)
    template <typename Visit>
    static void ForEachPart(Visit&& visit)
    {
        using C = RunTotals;
        visit(&C::watchdogs, "watchdog_");
        visit(&C::nicWatchdogs, "");
        visit(&C::elephants, "elephants_");
        visit(&C::borders, "");
        visit(&C::tunnels, "");
        visit(&C::trims, "");
        visit(&C::conweave, "conweave_");
        visit(&C::deadlocks, "");
        visit(&C::skippable, "");
    }

    /**
     * @return all totals, and what there is besides. First come those that summary.json has had
     * from the begin, in their order. Those of parts that the run has not are left out.
     */
    std::vector<NamedTotal> List() const;

    /// Write List(), the settings and the findings as a JSON object. @param os where
    void PrintJson(std::ostream& os) const;
};

} // namespace ns3

#endif // LOSSLESS_RUN_TOTALS_H
