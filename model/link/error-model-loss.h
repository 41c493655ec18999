// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ERROR_MODEL_LOSS_H
#define LOSSLESS_ERROR_MODEL_LOSS_H

#include "frame-loss.h"

#include "ns3/error-model.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * An ErrorModel of ns-3 as a FrameLoss. The model sees the length of each frame; the frames that it
 * destroys count as DropReason::CORRUPTED. Attribute ReceiveErrorModel of QbbNetDevice makes an
 * ErrorModelLoss.
 */
class ErrorModelLoss : public FrameLoss
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsLost(const Frame& frame) override;
    DropReason GetReason() const override;
    int64_t AssignStreams(int64_t stream) override;

    /// @param model the model; null: nothing is lost
    void SetModel(Ptr<ErrorModel> model);
    /// @return the model, or null
    Ptr<ErrorModel> GetModel() const;

  private:
    Ptr<ErrorModel> m_model; //!< attribute ErrorModel
};

} // namespace ns3

#endif // LOSSLESS_ERROR_MODEL_LOSS_H
