// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_QUEUE_PAIR_MAKER_H
#define LOSSLESS_RDMA_QUEUE_PAIR_MAKER_H

#include "rdma-queue-pair.h"

#include "ns3/object-factory.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Makes queue pairs as its ObjectFactory would, as copies of one that the factory has made: to set
 * each attribute anew takes most of the time in which a queue pair is made. Several NICs may share
 * a maker.
 */
class RdmaQueuePairMaker
{
  public:
    RdmaQueuePairMaker();

    /// @param name attribute of RdmaQueuePair @param value its value, from the next one on
    void Set(const std::string& name, const AttributeValue& value);

    /// @return a queue pair, of no port
    Ptr<RdmaQueuePair> Make();

    /// @return the factory
    const ObjectFactory& GetFactory() const
    {
        return m_factory;
    }

  private:
    /// @return whether the defaults of all attributes are those of m_defaults; they are afterwards
    bool KeepsDefaults();

    ObjectFactory m_factory;
    Ptr<const RdmaQueuePair> m_model;                  //!< what is copied; null: not made yet
    std::vector<Ptr<const AttributeValue>> m_defaults; //!< when it was made, by attribute
};

} // namespace ns3

#endif // LOSSLESS_RDMA_QUEUE_PAIR_MAKER_H
