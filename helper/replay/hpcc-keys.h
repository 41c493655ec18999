// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_KEYS_H
#define LOSSLESS_HPCC_KEYS_H

#include <array>
#include <cstdint>
#include <string>

namespace ns3
{

class TextFile;

/// @ingroup lossless
/// A key that configuration files of the public HPCC simulator may have.
struct HpccKey
{
    /// What the value of a key looks like.
    enum class Kind
    {
        TEXT,   //!< taken as it is
        NUMBER, //!< 0 or more
        COUNT,  //!< a whole number, 0 or more
        FLAG,   //!< 0 or 1
        SHARE,  //!< 0..1
        RATE,   //!< in bit/s or with a unit
        MAP,    //!< n, then n times speed and value
        LINK    //!< time, node, node
    };

    /// Whether a key does anything here.
    enum class Effect
    {
        YES,      //!< always
        NO,       //!< never
        OTHER,    //!< only with a congestion control of its own; with another none, there neither
        WINDOW,   //!< none with a window that is the congestion control's; but 0 asks for nothing
        VARIABLE, //!< as WINDOW, and none without a window
        GLOBAL,   //!< of windows, and of the round trip of HPCC and DCTCP; but 1 asks for nothing
        TRACE,    //!< none, but without ENABLE_TRACE there neither
        UNLESS_0, //!< none, but 0 asks for nothing
        UNLESS_1  //!< none, but 1 asks for nothing
    };

    const char* name; //!< as in the file
    Kind kind;        //!< of its value
    Effect effect;    //!< here

    /// @return the keys of the format, in its order
    static const std::array<HpccKey, 52>& All();
    /// @param name of a key @return the key; null: the format has none
    static const HpccKey* Find(const std::string& name);

    /// Check that the values of the key read as its kind says; FabricError otherwise.
    /// @param file a file at the line of the key
    /// @return whether values follow those that a map announces, which nobody reads
    bool CheckLine(const TextFile& file) const;
};

} // namespace ns3

#endif // LOSSLESS_HPCC_KEYS_H
