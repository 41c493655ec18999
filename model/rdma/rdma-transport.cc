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
    static TypeId tid =
        TypeId("ns3::RdmaRc").SetParent<Object>().SetGroupName("Lossless").AddConstructor<RdmaRc>();
    return tid;
}

} // namespace ns3
