// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_EV_FIELDS_H
#define LOSSLESS_MRC_EV_FIELDS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A field of generated entropy values of MRC.
struct MrcEvField
{
    uint32_t width{0}; //!< bits
    uint32_t init{0};  //!< bits that all values have
    uint32_t mask{0};  //!< which bits are not those of `init` but the next ones of the number
    uint32_t room{0};  //!< bits that it takes in the value, zero on the left; 0: `width`
};

/**
 * @ingroup lossless
 *
 * The generated entropy values of MRC (mode GENERATED; sheet 16, section 7): the bits of a number,
 * from the highest on, overwrite the masked bits of the fields, from the highest on, and the fields
 * in their order, the last one lowest, are the value. RdmaMrc::SetEvs() takes such values.
 */
class MrcEvFields
{
  public:
    /// @param fields from the highest bits on; std::invalid_argument unless a field has bits for
    /// its init and mask, and all have 32 at most
    explicit MrcEvFields(std::vector<MrcEvField> fields);

    /// @return bits of numbers: those of all masks
    uint32_t GetBits() const
    {
        return m_bits;
    }

    /// @param number its lowest GetBits() bits count @return the entropy value
    uint32_t Expand(uint32_t number) const;

  private:
    static constexpr uint32_t EV_BITS{32}; //!< of an entropy value

    std::vector<MrcEvField> m_fields;
    uint32_t m_bits{0}; //!< GetBits()
};

} // namespace ns3

#endif // LOSSLESS_MRC_EV_FIELDS_H
