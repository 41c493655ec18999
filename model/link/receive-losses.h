// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECEIVE_LOSSES_H
#define LOSSLESS_RECEIVE_LOSSES_H

#include "error-model-loss.h"
#include "frame-loss.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// The faults that destroy frames that arrive at a port: losses in the order of Add(), and an
/// ErrorModel last.
class ReceiveLosses
{
  public:
    /// @param loss decides on each frame from now on; a loss that was added twice must be removed
    /// twice
    void Add(const Ptr<FrameLoss>& loss);

    /// @param loss the loss to remove; no effect if it was not added
    void Remove(const Ptr<FrameLoss>& loss);

    /// @param model the error model, which decides after all losses; null: none
    void SetErrorModel(const Ptr<ErrorModel>& model);

    /// An error model that comes from now on gets streams at once. @param stream the first that
    /// nobody else uses
    void SetLaterStreams(int64_t stream);

    /// @return the error model, or null
    Ptr<ErrorModel> GetErrorModel() const;

    /// @return the losses, in the order in which they decide
    const std::vector<Ptr<FrameLoss>>& Get() const
    {
        return m_losses;
    }

    /// @param frame a frame that arrives @param reason set if the frame is lost @return whether the
    /// frame is lost
    bool IsLost(const Frame& frame, DropReason& reason) const;

  private:
    std::vector<Ptr<FrameLoss>> m_losses; //!< in order
    Ptr<ErrorModelLoss> m_errors;         //!< SetErrorModel(): the last of m_losses; or null
    int64_t m_laterStream{-1};            //!< of the next error model; -1: as ns-3 says
};

} // namespace ns3

#endif // LOSSLESS_RECEIVE_LOSSES_H
