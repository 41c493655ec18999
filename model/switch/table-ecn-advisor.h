// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TABLE_ECN_ADVISOR_H
#define LOSSLESS_TABLE_ECN_ADVISOR_H

#include "ecn-threshold-advisor.h"

#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Known traffic models: a table of the Kmin that was best for each, by the byte share of long flows
 * and the number of hosts that send to one host. The advice is that of the nearest model (sheet 03,
 * section 6): of the models with the nearest number of senders, by the ratio, that with the nearest
 * share. In the middle of two numbers of senders the lower counts, in the middle of two shares the
 * first in the table. Kmin thus never falls while the share rises, if it does not in the table. The
 * default table was trained with DCQCN by utils/train-ecn-table (doc/ecn.rst).
 *
 * Traffic is unknown when the nearest model is farther than MaxDistance, and the advisor Otherwise
 * then adapts the current Kmin. The distance of n senders and a share e from a model of N and E is
 *
 *     sqrt(log2(n / N)^2 + (4 (e - E))^2)
 *
 * so that a doubling of the senders and a quarter of the bytes are 1 each.
 */
class TableEcnAdvisor : public EcnThresholdAdvisor
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    double Advise(const EcnFeatures& features) override;

    /// Traffic was looked up. @param distance of the nearest model @param isKnown whether that
    /// model has decided; else the advisor Otherwise has
    typedef void (*LookupTracedCallback)(double distance, bool isKnown);

  private:
    /// A traffic model, and what is best for it.
    struct Model
    {
        double elephantShare{0}; //!< bytes of long flows over all bytes, 0..1
        double senders{1};       //!< hosts that send to one host
        double kmin{0};          //!< best Kmin, bytes at 25 Gb/s

        /// @param features measurements of a port @return how far they are: doublings of the
        /// senders, senders, and share
        std::array<double, 3> Distance(const EcnFeatures& features) const;
    };

    /// @param text attribute Table; throws std::invalid_argument if it cannot be read
    void SetTable(const std::string& text);
    /// @return attribute Table
    std::string GetTable() const;

    /// @param factory attribute Otherwise
    void SetOtherwise(const ObjectFactory& factory);
    /// @return attribute Otherwise
    ObjectFactory GetOtherwise() const;

    std::string m_text;                    //!< attribute Table
    std::vector<Model> m_models;           //!< the same
    double m_maxDistance{0};               //!< attribute MaxDistance
    Ptr<EcnThresholdAdvisor> m_otherwise;  //!< attribute Otherwise
    TracedCallback<double, bool> m_lookup; //!< Lookup
};

} // namespace ns3

#endif // LOSSLESS_TABLE_ECN_ADVISOR_H
