// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_EVS_H
#define LOSSLESS_MRC_EVS_H

#include "mrc-ev-source.h"
#include "mrc-plane-evs.h"
#include "mrc-terms.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The entropy values (EVs) of a queue pair of MRC: those of data, plane by plane, from the first
 * request on, as most queue pairs of a large fabric are idle, and those of answers.
 */
class MrcEvs
{
  public:
    /// Whether the controller denies data of a plane with a value.
    using IsDenied = std::function<bool(uint32_t plane, uint32_t value)>;

    /// @param source of values; must outlive this object @param isDenied asked by Review() and
    /// ForAnswer()
    MrcEvs(MrcEvSource& source, IsDenied isDenied)
        : m_source(source),
          m_isDenied(std::move(isDenied))
    {
    }

    /// The queue pair is connected. @param names numbers of its planes in EVs of SRv6
    void Connect(std::vector<uint32_t> names)
    {
        m_names = std::move(names);
        m_answers.assign(m_names.size(), std::nullopt);
    }

    /// Draw the EVs. @param terms how many, and how they are used
    void Draw(const MrcTerms& terms);

    /// @param plane a plane @return whether it has an EV for a packet, or may draw some
    bool HasEv(uint32_t plane) const
    {
        return planes.empty() || planes[plane].HasEv();
    }

    /// Take an EV out of service, or let it be used again; std::invalid_argument without such one.
    /// @param plane its plane @param ev its index @param deny whether it is denied
    void Deny(uint32_t plane, uint16_t ev, bool deny);

    /// The controller may say something else now.
    void Review();

    /// @param plane a plane @return value for an answer: the last one that is known to be good, or
    /// any that is not denied
    uint32_t ForAnswer(uint32_t plane);

    /// A packet has come through. @param plane by which its answer came @param value of it
    void NoteGood(uint32_t plane, uint32_t value)
    {
        m_answers[plane] = value;
    }

    std::vector<MrcPlaneEvs> planes; //!< plane by plane; empty: not drawn yet

  private:
    MrcEvSource& m_source;
    IsDenied m_isDenied;
    std::vector<uint32_t> m_names;                  //!< Connect()
    std::vector<std::optional<uint32_t>> m_answers; //!< ForAnswer(), by plane; nothing: none yet
};

} // namespace ns3

#endif // LOSSLESS_MRC_EVS_H
