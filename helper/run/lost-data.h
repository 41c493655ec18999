// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOST_DATA_H
#define LOSSLESS_LOST_DATA_H

#include "ns3/fabric.h"
#include "ns3/lost-frames.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Names, at the end of a run, data that did not arrive, and why. Of RDMA data and of IP stacks
 * those frames for which switches, NICs or queues of hosts had no room, though their senders have
 * them in lossless classes, or had when the flows were added. And data that had no way to its host:
 * links were down, switches had no route, the time to live ended, or a watchdog or a border policy
 * dropped it. RDMA data is lost then whatever its class is and whatever loss is allowed; of IP
 * stacks the classes count that are lossless at hosts. And, where no frame was lost on its way,
 * that queue pairs have waited for retransmission timeouts nevertheless.
 *
 * It is the last resort, and no earlier warning silences it: that something may lose frames is no
 * leave to lose them.
 */
class LostData
{
  public:
    /// @param fabric that begins to run
    explicit LostData(const Fabric& fabric);

    /// The run has ended: name what was lost.
    void Warn() const;

  private:
    /// Frames of one sort that one port has dropped.
    struct Loss
    {
        NodeId node;      //!< node of the port
        uint32_t port;    //!< number of the port at the node
        bool isSwitch;    //!< else a host
        LostFrames frame; //!< what was dropped, and how much
    };

    using Losses = std::vector<Loss>;

    /// @return of all ports, node by node, what was lost so far; the order of entries stays
    Losses Read() const;
    /// @return what was lost in the run
    Losses ReadRun() const;
    /// @param losses some @param wanted whether a loss counts @return those that count
    static Losses Choose(const Losses& losses, const std::function<bool(const Loss&)>& wanted);
    /// @param losses some @return number of their frames
    static uint64_t Count(const Losses& losses);
    /// Name frames for which switches had no room. @param losses of the run @param content of the
    /// frames @param name of it @param classes mask of those that should lose none
    void WarnOfSwitches(const Losses& losses,
                        LostFrames::Content content,
                        const std::string& name,
                        uint8_t classes) const;
    /// @param losses of the run @param lost frames without room @param classes mask of theirs
    /// @return where to look for the cause
    std::string FindHint(const Losses& losses, const Losses& lost, uint8_t classes) const;
    /// Name frames for which the receive buffers of NICs had no room. @param losses of the run
    /// @param classes mask of those that should lose none
    void WarnOfReceivers(const Losses& losses, uint8_t classes) const;
    /// Name data that had no way to its host, or no room to leave its own. @param losses of the run
    void WarnOfUnreached(const Losses& losses) const;
    /// @return retransmission timeouts so far, by host
    std::vector<uint64_t> CountTimeouts() const;
    /// Name retransmission timeouts that no loss of the run can have caused.
    void WarnOfTimeouts() const;
    /// @param loss at a port @return "leaf 0 port 1"
    std::string PlaceOf(const Loss& loss) const;
    /// @param lost of one content @param what it is @return how many, and where most of them were
    std::string Describe(const Losses& lost, const std::string& what) const;
    /// @return frames whose time to live each TtlLimiter has lowered so far, by switch
    std::vector<uint64_t> CountLowered() const;
    /// @return why the time to live was too short, for people
    std::string FindLimiter() const;

    Fabric m_fabric;
    uint8_t m_lossless;               //!< classes that were lossless at hosts when it began
    Losses m_before;                  //!< Read() then
    std::vector<uint64_t> m_timeouts; //!< CountTimeouts() then
    std::vector<uint64_t> m_lowered;  //!< CountLowered() then
};

} // namespace ns3

#endif // LOSSLESS_LOST_DATA_H
