// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANK_MAIL_H
#define LOSSLESS_RANK_MAIL_H

#include "ns3/fabric-frame.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class QbbNetDevice;

/**
 * @ingroup lossless
 *
 * Frames on their way to one other rank. A message of MPI costs as much as several hops of a frame,
 * so frames share messages: they wait for as many as ns-3's message holds, or for the end of the
 * window, when the rank is about to wait for the others. No frame is late for that: it arrives
 * after the end of the window in which it was sent.
 */
class RankMail
{
  public:
    /// @param rank where frames go @return what is on its way there
    static RankMail& To(uint32_t rank);

    /// Send a frame. @param frame released @param device where it arrives @param arrival when,
    /// ticks
    void Add(Frame* frame, const QbbNetDevice& device, int64_t arrival);

    /// Let a device take messages for its rank. @param device of this rank
    static void Receive(QbbNetDevice& device);

  private:
    /// Send what waits.
    void Flush();
    /// Send what waits for any rank: the window ends.
    static void FlushAll();
    /// A message has come. @param message of frames
    static void Arrived(Ptr<Packet> message);

    /// @return of all ranks
    static std::vector<RankMail>& All();

    std::vector<uint8_t> m_message; //!< frames that wait
    std::vector<uint8_t> m_record;  //!< of the frame added last
    int64_t m_first{0};             //!< the first arrival in m_message, ticks
    uint32_t m_node{0};             //!< its node
    uint32_t m_device{0};           //!< its device
};

} // namespace ns3

#endif // LOSSLESS_RANK_MAIL_H
