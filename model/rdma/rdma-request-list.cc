// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-request-list.h"

#include <algorithm>
#include <utility>

namespace ns3
{

const RdmaRequest&
RdmaRequestList::Post(const RdmaWorkRequest& request, const RdmaConnection& connection, int64_t now)
{
    m_posted++;
    RdmaRequest entry{};
    entry.id = request.id ? request.id : m_posted;
    entry.bytes = request.bytes;
    entry.remoteAddress = request.remoteAddress;
    entry.first = m_endPsn;
    entry.end = m_endPsn + connection.Packets(request.bytes);
    entry.bytesBefore = m_endBytes;
    entry.posted = now;
    entry.firstSent = -1;
    entry.remoteKey = request.remoteKey;
    entry.immediate = request.immediate;
    entry.verb = request.verb;
    if (request.verb != RdmaVerb::READ)
    {
        m_endBytes += request.bytes;
    }
    m_endPsn = entry.end;
    m_requests.Push(entry);
    return m_requests.Back();
}

RdmaRequest
RdmaRequestList::Take()
{
    const RdmaRequest oldest = m_requests.Front();
    m_requests.PopFront();
    return oldest;
}

RdmaRing<RdmaRequest>
RdmaRequestList::TakeAll()
{
    return std::exchange(m_requests, RdmaRing<RdmaRequest>());
}

uint32_t
RdmaRequestList::IndexOf(uint64_t psn) const
{
    uint32_t low = 0;
    uint32_t high = m_requests.Size();
    while (low < high)
    {
        const uint32_t middle = low + (high - low) / 2;
        if (m_requests[middle].end <= psn)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

uint64_t
RdmaRequestList::BytesBefore(uint32_t index, uint64_t psn, uint64_t mtu) const
{
    if (index >= m_requests.Size())
    {
        return m_endBytes;
    }
    const RdmaRequest& request = m_requests[index];
    if (request.verb == RdmaVerb::READ)
    {
        return request.bytesBefore;
    }
    const uint64_t bytes = (psn - request.first) * mtu;
    return request.bytesBefore + std::min(bytes, request.bytes);
}

} // namespace ns3
