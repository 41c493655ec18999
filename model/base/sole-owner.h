// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SOLE_OWNER_H
#define LOSSLESS_SOLE_OWNER_H

#include "ns3/object.h"

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Base of a part of a switch or port that keeps state of it, such as a load balancer: one part
 * serves one owner at a time.
 */
class SoleOwner
{
  public:
    /**
     * An owner uses the part from now on, and calls Leave() before it lets go of the part. Throws
     * std::invalid_argument where another one uses it.
     * @param owner a FabricSwitch or a QbbNetDevice
     */
    void Take(const Object& owner);

    /// The part is free again, unless another one uses it. @param owner who used it
    void Leave(const Object& owner);

  protected:
    SoleOwner() = default;
    virtual ~SoleOwner() = default;

    /// @return who uses the part; null: nobody
    const Object* GetOwner() const
    {
        return m_owner;
    }

  private:
    const Object* m_owner{nullptr}; //!< who uses the part; null: nobody
};

} // namespace ns3

#endif // LOSSLESS_SOLE_OWNER_H
