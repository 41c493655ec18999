// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_REQUEST_LIST_H
#define LOSSLESS_RDMA_REQUEST_LIST_H

#include "rdma-request.h"
#include "rdma-ring.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The incomplete requests of a requester, oldest first. A request owns a range of PSNs from Post()
 * on; ranges follow each other without a gap.
 */
class RdmaRequestList
{
  public:
    /**
     * Append a request, which gets the next PSNs.
     * @param request what to do @param connection the connection @param now tick
     * @return the request, valid until the next change
     */
    const RdmaRequest& Post(const RdmaWorkRequest& request,
                            const RdmaConnection& connection,
                            int64_t now);

    /// @return number of requests
    uint32_t Size() const
    {
        return m_requests.Size();
    }

    /// @return whether there is none
    bool IsEmpty() const
    {
        return m_requests.IsEmpty();
    }

    /// @param index 0: the oldest @return the request
    RdmaRequest& operator[](uint32_t index)
    {
        return m_requests[index];
    }

    /// @param index 0: the oldest @return the request
    const RdmaRequest& operator[](uint32_t index) const
    {
        return m_requests[index];
    }

    /// @return the oldest request, removed
    RdmaRequest Take();

    /// @return all requests, removed; PSNs are not reused
    RdmaRing<RdmaRequest> TakeAll();

    /// @return first PSN of the next request
    uint64_t EndPsn() const
    {
        return m_endPsn;
    }

    /// @return total bytes of all data requests (WRITE, SEND) ever posted
    uint64_t EndBytes() const
    {
        return m_endBytes;
    }

    /// @param psn a PSN @return index of the request that owns the PSN; Size() if no request does
    /// yet
    uint32_t IndexOf(uint64_t psn) const;

    /**
     * @param index of a request, or Size()
     * @param psn a PSN of it
     * @param mtu payload bytes of a packet
     * @return bytes of data requests before that PSN, of all ever posted
     */
    uint64_t BytesBefore(uint32_t index, uint64_t psn, uint64_t mtu) const;

  private:
    RdmaRing<RdmaRequest> m_requests; //!< oldest first
    uint64_t m_posted{0};             //!< requests ever posted
    uint64_t m_endPsn{0};             //!< EndPsn()
    uint64_t m_endBytes{0};           //!< EndBytes()
};

} // namespace ns3

#endif // LOSSLESS_RDMA_REQUEST_LIST_H
