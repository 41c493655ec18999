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
 * Where messages are sent in turn, a rank has one under way at a time, as by MPI's blocking send:
 * else those of steps in which it receives nothing share its link.
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

    /// How the steps go; of slices and window one is 1, and with messages in turn both are.
    struct Way
    {
        uint32_t slices{1};      //!< of each message
        uint64_t window{1};      //!< how many steps at once
        bool sendsInTurn{false}; //!< a message waits until the one before was sent
    };

    /// @param steps how many
    explicit SteppedPart(uint64_t steps);
    /// @param steps how many @param way how they go
    SteppedPart(uint64_t steps, const Way& way);

    void Start(CollectivePort& port) final;
    void Received(CollectivePort& port, uint32_t from, uint64_t label) final;
    void Sent(CollectivePort& port, uint32_t to, uint64_t label) final;

    bool WaitsToSend() const final
    {
        return m_held != NO_STEP;
    }

    uint64_t GetMostMessages() const override
    {
        return m_steps > ~uint64_t{0} / m_way.slices ? ~uint64_t{0} : m_steps * m_way.slices;
    }

    /// @return whether a step of a slice waits for nothing but what it received in the step before
    bool IsChain() const
    {
        return m_way.window == 1 && !m_way.sendsInTurn;
    }

    /// @return whether all ranks do the same: each sends in each step as many bytes to the next
    /// position, and reduces in the same steps
    virtual bool IsEven() const
    {
        return false;
    }

    /// @return how many steps there are
    uint64_t GetSteps() const
    {
        return m_steps;
    }

    /// @return of each message
    uint32_t GetSlices() const
    {
        return m_way.slices;
    }

    /// @param step its number @return what happens in it
    virtual Step At(uint64_t step) const = 0;

    /// @param ranks how many @return how often 1 is doubled until it is that many: ceil(log2 ranks)
    static uint64_t CountDoublings(uint32_t ranks);

    /// A message that is empty is not sent, and nobody waits for it.
    /// @param to position @param sends bytes @param from position @param receives bytes
    /// @param reduces whether they are added @return a step
    static Step Exchange(uint32_t to,
                         uint64_t sends,
                         uint32_t from,
                         uint64_t receives,
                         bool reduces);

  private:
    /// Begin steps of a slice, or of a lane of the window, until one has to wait.
    /// @param port of this rank @param step the first @param slice which
    void Begin(CollectivePort& port, uint64_t step, uint32_t slice);

    static constexpr uint64_t NO_STEP = ~uint64_t{0};

    uint64_t m_steps;
    Way m_way;
    uint64_t m_next{0};       //!< step that begins when one of the window ends
    bool m_isSending{false};  //!< a message that is sent in turn is under way
    uint64_t m_held{NO_STEP}; //!< step that waits to send
};

} // namespace ns3

#endif // LOSSLESS_STEPPED_PART_H
