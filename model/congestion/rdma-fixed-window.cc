// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-fixed-window.h"

#include "unit-factors.h"

#include "ns3/fixed-accessor.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaFixedWindow);

TypeId
RdmaFixedWindow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaFixedWindow")
            .SetParent<RdmaCongestionOps>()
            .SetGroupName("Lossless")
            .AddConstructor<RdmaFixedWindow>()
            .AddAttribute("Window",
                          "Largest number of payload bytes in flight; 0: the bandwidth-delay "
                          "product of the empty path, line rate * base RTT / 8",
                          UintegerValue(0),
                          MakeFixed(MakeUintegerAccessor(&RdmaFixedWindow::m_window)),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

std::string
RdmaFixedWindow::GetName() const
{
    return "fixed window";
}

bool
RdmaFixedWindow::SetsWindow() const
{
    return true;
}

uint32_t
RdmaFixedWindow::GetHooks() const
{
    return 0;
}

bool
RdmaFixedWindow::SendsCnps() const
{
    return false;
}

void
RdmaFixedWindow::Init(RdmaFlowState& state, int64_t /* nowPs */)
{
    if (m_window == 0 && state.baseRttPs <= 0)
    {
        throw std::invalid_argument("RdmaFixedWindow: Window 0 needs the base round trip of the "
                                    "connection, which is unknown; set one of them");
    }
    const double seconds = static_cast<double>(state.baseRttPs) / PS_PER_SECOND;
    state.window = m_window ? m_window : static_cast<uint64_t>(state.lineRate / BITS * seconds);
    if (FixedSince())
    {
        m_window = state.window; // reads back as what is in force
    }
    state.rate = state.lineRate;
}

} // namespace ns3
