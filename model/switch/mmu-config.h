// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MMU_CONFIG_H
#define LOSSLESS_MMU_CONFIG_H

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 * Configuration of one (port, class) of a SwitchMmu. A value that is not set comes from the
 * attributes of the SwitchMmu.
 */
struct MmuClassConfig
{
    /// How the class is treated at this port.
    enum Kind : uint8_t
    {
        UNSET,   //!< not configured: lossy, until its switch decides
        LOSSY,   //!< frames are dropped at a threshold
        LOSSLESS //!< the class is paused at a threshold, with headroom for frames in flight
    };

    Kind kind{UNSET};                        //!< lossless or lossy
    uint64_t headroomBytes{0};               //!< headroom of a lossless class, bytes
    std::optional<uint64_t> guaranteedBytes; //!< guaranteed space at ingress, bytes
    std::optional<uint64_t> xonOffsetBytes;  //!< bytes below the threshold at which XON is sent
    std::optional<double> alpha;             //!< alpha of the dynamic threshold at ingress
    std::optional<uint64_t> staticBytes;     //!< static threshold at ingress, bytes; before alpha
    std::optional<uint64_t> egressGuaranteedBytes; //!< guaranteed space of the egress queue, bytes
    std::optional<double> egressAlpha;         //!< alpha of the dynamic limit of the egress queue
    std::optional<uint64_t> egressStaticBytes; //!< static limit, bytes; before egressAlpha
    const std::string* pool{
        nullptr}; //!< service pool, of MmuSettings::NameOf(); null: the first that takes it
};

/**
 * @ingroup lossless
 * Configuration of one port of a SwitchMmu. A value that is not set comes from the attributes of
 * the SwitchMmu.
 */
struct MmuPortConfig
{
    std::optional<uint64_t> limitBytes;       //!< PortLimit, bytes; 0: none
    std::optional<uint64_t> egressLimitBytes; //!< EgressPortLimit, bytes; 0: none
};

/**
 * @ingroup lossless
 * A threshold in cells: either a static number, or a share of the free shared space, T =
 * floor(alpha * free) (Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory
 * Packet Switches", IEEE/ACM ToN 1998; doc/switch.rst). alpha is stored as a multiple of 2^-24:
 * exact for the powers of two of real switches, and integer arithmetic gives the same result on
 * every machine.
 */
struct MmuThreshold
{
    static constexpr uint32_t ALPHA_SHIFT = 24; //!< bits of the fraction of alphaFixed
    static constexpr uint32_t MAX_ALPHA = 128;  //!< alpha must be below this
    uint32_t alphaFixed{0};                     //!< alpha * 2^24; 0: static
    uint32_t staticCells{0};                    //!< the static threshold

    /// @param alpha in [0, MAX_ALPHA); throws std::invalid_argument otherwise
    /// @return the dynamic threshold
    static MmuThreshold Dynamic(double alpha);

    /// @param cells the threshold @return the static threshold
    static MmuThreshold Static(uint32_t cells);

    /// @param freeCells free shared space @return the threshold in cells
    uint64_t Cells(uint64_t freeCells) const
    {
        return alphaFixed ? (freeCells * alphaFixed) >> ALPHA_SHIFT : staticCells;
    }

    /// @param cells a threshold wanted
    /// @return the least free space, in cells, for which Cells() reaches that threshold;
    /// UINT64_MAX: none
    uint64_t FreeFor(uint64_t cells) const;
};

/**
 * @ingroup lossless
 * Converts bytes to cells, ceil(bytes / cellBytes), with a multiplication in place of a division:
 * exact for frames below 2^20 bytes and cells of at most 2^16 bytes.
 */
class CellSize
{
  public:
    /// @param cellBytes bytes of a cell, 1 to 65536
    explicit CellSize(uint32_t cellBytes = 1)
        : m_bytes(cellBytes),
          m_reciprocal(((uint64_t{1} << SHIFT) + cellBytes - 1) / cellBytes)
    {
    }

    /// @param frameBytes length of a frame, below 2^20 @return cells that it takes
    uint32_t OfFrame(uint32_t frameBytes) const
    {
        return ((frameBytes + m_bytes - 1) * m_reciprocal) >> SHIFT;
    }

    /// @param bytes any number of bytes @return the cells that hold them (rounded up)
    uint64_t RoundUp(uint64_t bytes) const
    {
        return bytes / m_bytes + (bytes % m_bytes != 0);
    }

    /// @return bytes of a cell
    uint32_t Bytes() const
    {
        return m_bytes;
    }

  private:
    static constexpr uint32_t SHIFT = 40;
    uint32_t m_bytes;
    uint64_t m_reciprocal;
};

} // namespace ns3

#endif // LOSSLESS_MMU_CONFIG_H
