// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONWEAVE_SHIM_H
#define LOSSLESS_CONWEAVE_SHIM_H

#include <cstdint>

namespace ns3
{

/// @ingroup lossless
/// What leaves tell each other of a flow (ConWeave), in a header of its frames from the one to the
/// other, or in a frame of their own. Not initialised.
struct ConWeaveShim
{
    /// What the frame is.
    enum Kind : uint8_t
    {
        DATA,       //!< one of many
        INIT,       //!< the first one of an epoch: asks for an INIT_REPLY
        TAIL,       //!< the last one on its path, of phase 0: asks for a TAIL_REPLY
        INIT_REPLY, //!< from leaf to leaf: an INIT has come
        TAIL_REPLY, //!< likewise, a TAIL
        NOTIFY      //!< likewise, a frame with a CE mark, by `path`
    };

    int64_t txTime;   //!< when it left its leaf, ticks
    int64_t tailTime; //!< when the last TAIL did; of phase 1
    uint32_t epoch;   //!< one more each time that the flow may be rerouted again
    uint16_t path;    //!< port by which it left its leaf; in NOTIFY that of the frame with the mark
    uint8_t phase;    //!< 1: on a new path, behind a TAIL on the old one; else 0
    Kind kind;        //!< what the frame is
    uint8_t cls;      //!< of the flow at the leaf where it begins
};

} // namespace ns3

#endif // LOSSLESS_CONWEAVE_SHIM_H
