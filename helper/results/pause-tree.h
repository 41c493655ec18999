// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_TREE_H
#define LOSSLESS_PAUSE_TREE_H

#include "result-report.h"

#include "ns3/callback-guard.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Which pause caused which. When a switch sends an XOFF, its egress queues are looked at: the one
 * that holds most of what came in where the XOFF goes out holds the buffer. If that queue is
 * paused, its pause is the parent; else the pause is a root: the queue is congested. A pause that
 * a host asks for is a root, too. doc/view.rst has the exact rules.
 *
 * A tree changes no result. Each switch is looked at by events of its own, and rows are written
 * where all nodes may be seen: any number of threads writes the same rows.
 */
class PauseTree : public TableReport
{
  public:
    /// Why a port was paused.
    enum Cause : uint8_t
    {
        QUEUE,   //!< an egress queue of the switch, which may send
        PAUSE,   //!< an egress queue of the switch, which is paused itself: it has a parent
        HOST,    //!< a host that does not keep up
        FORCED,  //!< a fault or a watchdog, whatever the buffer holds
        NOTHING, //!< a switch where nothing waits of what came in there
        BEFORE   //!< what was before the run
    };

    /// Pauses with roots at one place, and all pauses below them.
    struct Root
    {
        Cause cause{QUEUE};  //!< any but PAUSE
        NodeId node;         //!< the switch or host that sent the XOFF of the root
        uint32_t port{0};    //!< egress port of the queue; QUEUE: else the port of the XOFF
        uint32_t cls{0};     //!< class of that queue, or of the XOFF
        uint64_t roots{0};   //!< pauses that are roots
        uint64_t pauses{0};  //!< pauses, roots included
        uint32_t deepest{0}; //!< most pauses from a root to a pause, both included
        Time paused;         //!< durations of all these pauses, added
    };

    /// @param fabric whose pauses
    explicit PauseTree(const Fabric& fabric);

    /// @param watch whether pauses that begin from now on are looked at, and those in force
    void Watch(bool watch);

    /// @return places of roots, those first below which most time was paused; of equals the lower
    /// node, port and class
    std::vector<Root> GetRoots() const;

    /// @return pause-tree.csv and pause-why.csv
    static std::vector<TableSpec> ListTables();

    /// @param cause a cause @return its name in files
    static const char* NameOf(Cause cause);

    bool IsDividable() const override
    {
        return true; // events of a switch look at that switch alone
    }

    void Stop() override;
    void Open(const std::vector<RowSink*>& rows) override;
    void Close(Time end) override;
    void Print(std::ostream& os, const RunTotals& totals) const override;

  private:
    /// Most roots that the summary names.
    static constexpr std::size_t SHOWN = 5;

    /// What a switch or host was like when it sent an XOFF.
    struct Reason
    {
        int64_t sent{0};      //!< when it was sent, ticks
        Cause cause{BEFORE};  //!< why
        uint32_t outPort{0};  //!< egress port of the queue
        uint32_t outClass{0}; //!< its class
        double share{0};      //!< of what came in there and waits: what waits in that queue
        uint64_t parent{0};   //!< id of the parent; PAUSE
        uint64_t root{0};     //!< id of its root
        uint32_t depth{0};    //!< pauses from the root to the parent, both included
        std::size_t place{0}; //!< of the root: index in m_places
    };

    /// A pause in force.
    struct Pause
    {
        uint64_t id{0};
        int64_t begin{-1}; //!< ticks; negative: none is in force
        Reason reason;
    };

    /// A port of the fabric.
    struct Port
    {
        NodeId node;
        uint32_t port;
        bool isSwitch;
        Ptr<QbbNetDevice> device;
        std::size_t peer;                                      //!< index of the other end
        std::array<Pause, TRAFFIC_CLASSES> pauses;             //!< of this port
        std::array<std::vector<Reason>, TRAFFIC_CLASSES> sent; //!< XOFF frames under way
    };

    /// Connect the traces of a port. @param at its index
    void Connect(std::size_t at);
    /// A port sends an XOFF. @param port it @param cls of the XOFF, its PFC priority @return why
    Reason FindReason(const Port& port, uint32_t cls) const;
    /// An XOFF was sent: find its parent. @param at index of the port @param cls class
    /// @param reason of FindReason()
    void XoffSent(std::size_t at, uint32_t cls, Reason reason);
    /// A pause begins. @param at index of the port that is paused @param cls class
    void Begin(std::size_t at, uint32_t cls);
    /// A pause ends. @param at index of the port @param cls class @param end when, ticks
    void End(std::size_t at, uint32_t cls, int64_t end);
    /// @param port that was paused @param cls its queue @return why, of the XOFF that takes effect
    /// now
    Reason TakeReason(const Port& port, uint32_t cls);
    /// @param root without sums @return its index in m_places
    std::size_t PlaceOf(const Root& root);
    /// Write pause-why.csv.
    void WriteWhy() const;

    using Key = std::array<uint64_t, 4>; //!< cause, node, port, class

    Fabric m_fabric;
    bool m_isWatching{false};
    std::vector<Port> m_ports;
    std::vector<std::size_t> m_firstPort; //!< by node: index of its first port
    std::vector<Root> m_places;           //!< of roots
    std::map<Key, std::size_t> m_index;   //!< of m_places
    uint64_t m_begun{0};                  //!< pauses
    RowSink* m_why{nullptr};
    std::vector<std::vector<SwitchMmu::Counts>> m_before; //!< by switch: by port and class
    CallbackGuard m_guard;                                //!< of traces
};

} // namespace ns3

#endif // LOSSLESS_PAUSE_TREE_H
