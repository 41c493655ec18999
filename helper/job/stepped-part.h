// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STEPPED_PART_H
#define LOSSLESS_STEPPED_PART_H

#include "collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A part of a collective that goes step by step: in each it sends at most one message and receives
 * at most one, and the next step begins when that is there. A step is a number that sender and
 * receiver of a message must agree on.
 *
 * With several slices each message is cut, and a slice of a step waits for the same slice of the
 * step before. With a window, so many steps run at once, and the next begins when one of them ends.
 */
class SteppedPart : public CollectivePart
{
  public:
    static constexpr uint32_t NONE = 0xffffffff; //!< nobody

    /// What happens in a step.
    struct Step
    {
        uint32_t to{NONE};    //!< position of who gets a message
        uint64_t sends{0};    //!< its length
        uint32_t from{NONE};  //!< position of who sends one
        uint64_t receives{0}; //!< its length
        bool reduces{false};  //!< what is received is added to what is here
    };

    /// @param steps how many @param slices of each message @param window how many steps at once;
    /// of both one is 1
    explicit SteppedPart(uint64_t steps, uint32_t slices = 1, uint64_t window = 1);

    void Start(CollectivePort& port) override;
    void Received(CollectivePort& port, uint32_t from, uint64_t label) override;

    /// A message that is empty is not sent, and nobody waits for it.
    /// @param to position @param sends bytes @param from position @param receives bytes
    /// @param reduces whether they are added @return a step
    static Step Exchange(uint32_t to,
                         uint64_t sends,
                         uint32_t from,
                         uint64_t receives,
                         bool reduces);

  protected:
    /// @param step its number @return what happens in it
    virtual Step At(uint64_t step) const = 0;

  private:
    /// Begin steps of a slice, or of a lane of the window, until one has to wait.
    /// @param port of this rank @param step the first @param slice which
    void Begin(CollectivePort& port, uint64_t step, uint32_t slice);

    uint64_t m_steps;
    uint32_t m_slices;
    uint64_t m_window;
    uint64_t m_next{0}; //!< step that begins when one of the window ends
};

} // namespace ns3

#endif // LOSSLESS_STEPPED_PART_H
