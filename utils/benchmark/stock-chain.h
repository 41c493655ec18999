// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STOCK_CHAIN_H
#define LOSSLESS_STOCK_CHAIN_H

#include "bench-measure.h"

/**
 * The yardstick: stock ns-3, a chain of four nodes with PointToPointNetDevices at 100 Gb/s and
 * 1 us, forwarding UDP datagrams of 1000 bytes over three hops, without the traffic-control layer.
 * @param packets datagrams sent
 * @param scheduler see UseEvents()
 * @return what it took; packet hops are counted at the receiving devices
 */
BenchResult RunStockChain(uint64_t packets, const std::string& scheduler);

#endif // LOSSLESS_STOCK_CHAIN_H
