// SPDX-License-Identifier: GPL-2.0-only

// For Doxygen alone; nothing includes this.

/**
 * @defgroup lossless Lossless RDMA fabrics
 *
 * Switches with shared buffers and priority flow control, RDMA network cards, congestion control
 * and the helpers that join them to fabrics. The model chapter is doc/lossless.rst.
 *
 * A script needs FabricHelper, Fabric, FabricRun and FabricProgram; one that
 * assembles a fabric by hand QbbHelper, QbbNetDevice, QbbChannel, FabricSwitch, SwitchMmu, RdmaHw
 * and RdmaQueuePair. New policies derive from RdmaCongestionOps, RdmaLossRecovery, EcnMarker,
 * LoadBalancer or EgressScheduler.
 */

/**
 * @namespace ns3
 * Everything of ns-3, this module included.
 */
