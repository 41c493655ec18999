// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BYTE_BUFFER_H
#define LOSSLESS_BYTE_BUFFER_H

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <cstdint>

/**
 * Packet memory counted in bytes, not cells, as in the simulators of the papers: with cells the
 * headroom of long links does not fit into 5 MB.
 * @param helper gets the setting @param bytes packet memory of a switch
 */
inline void
SetByteBuffer(ns3::FabricHelper& helper, uint64_t bytes)
{
    helper.SetSwitch("ns3::SwitchMmu",
                     "BufferSize",
                     ns3::UintegerValue(bytes),
                     "CellBytes",
                     ns3::UintegerValue(1));
}

#endif // LOSSLESS_BYTE_BUFFER_H
