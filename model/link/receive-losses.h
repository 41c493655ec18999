// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECEIVE_LOSSES_H
#define LOSSLESS_RECEIVE_LOSSES_H

#include "error-model-loss.h"
#include "frame-loss.h"

#include <vector>

namespace ns3
{

/// @ingroup lossless
/// What destroys frames that arrive at a port: losses in the order of adding, an ErrorModel last.
class ReceiveLosses
{
  public:
    /// @param loss asked from now on; one that was added twice is asked until it is removed twice
    void Add(const Ptr<FrameLoss>& loss);

    /// @param loss that ends now; unknown: no effect
    void Remove(const Ptr<FrameLoss>& loss);

    /// @param model asked last; null: none
    void SetErrorModel(const Ptr<ErrorModel>& model);

    /// @return the error model, or null
    Ptr<ErrorModel> GetErrorModel() const;

    /// @return those that are asked, in order
    const std::vector<Ptr<FrameLoss>>& Get() const
    {
        return m_losses;
    }

    /// @param frame a frame that arrives @param reason set where it is lost @return whether it is
    bool IsLost(const Frame& frame, DropReason& reason) const;

  private:
    std::vector<Ptr<FrameLoss>> m_losses; //!< in order
    Ptr<ErrorModelLoss> m_errors;         //!< SetErrorModel(): the last of m_losses; null: none
};

} // namespace ns3

#endif // LOSSLESS_RECEIVE_LOSSES_H
