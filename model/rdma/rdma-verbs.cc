// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-verbs.h"

namespace ns3
{

const char*
ToString(RdmaVerb verb)
{
    switch (verb)
    {
    case RdmaVerb::WRITE:
        return "WRITE";
    case RdmaVerb::WRITE_IMM:
        return "WRITE_IMM";
    case RdmaVerb::SEND:
        return "SEND";
    case RdmaVerb::SEND_IMM:
        return "SEND_IMM";
    case RdmaVerb::READ:
        return "READ";
    }
    return "?";
}

const char*
ToString(RdmaStatus status)
{
    switch (status)
    {
    case RdmaStatus::SUCCESS:
        return "SUCCESS";
    case RdmaStatus::RETRY_EXCEEDED:
        return "RETRY_EXCEEDED";
    case RdmaStatus::RNR_RETRY_EXCEEDED:
        return "RNR_RETRY_EXCEEDED";
    case RdmaStatus::REMOTE_INVALID:
        return "REMOTE_INVALID";
    case RdmaStatus::FLUSHED:
        return "FLUSHED";
    }
    return "?";
}

} // namespace ns3
