// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECEIVE_PIPELINE_H
#define LOSSLESS_RECEIVE_PIPELINE_H

#include "ns3/object.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rdma-hw.h"

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// Policy: the progress of the receive pipeline of a NIC port, for a NicWatchdog.
class ReceivePipeline : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return a number that grows with every frame that the pipeline finishes
    virtual uint64_t GetProgress() const = 0;

    /// @return mask of the classes that the NIC pauses at its peer
    virtual uint8_t GetPausedClasses() const = 0;
};

/**
 * @ingroup lossless
 *
 * The receive pipeline of a NIC with RdmaHw. Progress counts the frames that the NicReceiveBuffer
 * of the port has processed, or, on a port without that buffer, the data packets that RDMA has
 * received. The paused classes are those of the PFC issuer of the port,
 * QbbNetDevice::OverridePause() included.
 */
class RdmaReceivePipeline : public ReceivePipeline
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaReceivePipeline() = default;
    /// @param hw RDMA side of the host @param port a port of it
    RdmaReceivePipeline(Ptr<RdmaHw> hw, Ptr<QbbNetDevice> port);

    uint64_t GetProgress() const override;
    uint8_t GetPausedClasses() const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<RdmaHw> m_hw;
    Ptr<QbbNetDevice> m_port;
};

} // namespace ns3

#endif // LOSSLESS_RECEIVE_PIPELINE_H
