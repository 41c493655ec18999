// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_LATE_COMPLETIONS_H
#define LOSSLESS_RDMA_LATE_COMPLETIONS_H

#include "rdma-ring.h"
#include "rdma-verbs.h"

#include "ns3/simple-ref-count.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Completions that the host sees some time after the NIC has them (RxDelay), in order. Failures are
 * told at once, and with them all that is late. A queue pair with an RxDelay has one.
 */
class RdmaLateCompletions final : public RdmaCompletionSink,
                                  public SimpleRefCount<RdmaLateCompletions>
{
  public:
    /// @param host sees the completions @param node its node @param ticks time until it does
    RdmaLateCompletions(RdmaCompletionSink& host, uint32_t node, int64_t ticks);

    void RequestCompleted(const RdmaCompletion& completion) override;
    void MessageReceived(const RdmaCompletion& completion) override;

    /// The host is gone: it sees nothing any more.
    void Detach();

  private:
    /// A completion that the host has not seen yet.
    struct Late
    {
        RdmaCompletion completion; //!< what is told
        bool isRequest;            //!< of a request posted here; else of a message of the peer
    };

    /// @param completion what ended @param isRequest Late::isRequest
    void Add(const RdmaCompletion& completion, bool isRequest);
    /// @param late a completion that the host sees now
    void Tell(const Late& late);
    /// Tell the completions that are kept. @param until those that the host sees until then
    void TellUntil(Time until);

    RdmaCompletionSink* m_host; //!< null after Detach()
    uint32_t m_node;
    int64_t m_ticks;
    RdmaRing<Late> m_late; //!< in order
};

} // namespace ns3

#endif // LOSSLESS_RDMA_LATE_COMPLETIONS_H
