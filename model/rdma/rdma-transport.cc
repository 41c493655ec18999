// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-transport.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaTransport);
NS_OBJECT_ENSURE_REGISTERED(RdmaRc);

TypeId
RdmaTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaTransport").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

TypeId
RdmaRc::GetTypeId()
{
    // By its name one of the transports; no queue pair has an object of it to ask.
    static TypeId tid = TypeId("ns3::RdmaRc")
                            .SetParent<RdmaTransport>()
                            .SetGroupName("Lossless")
                            .AddConstructor<RdmaRc>();
    return tid;
}

} // namespace ns3
