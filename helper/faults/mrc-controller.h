// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_CONTROLLER_H
#define LOSSLESS_MRC_CONTROLLER_H

#include "ns3/fabric.h"
#include "ns3/run-part.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * What an operator's controller does for hosts with MRC: where it knows that a link is bad, it
 * denies the entropy values (EVs) whose data packets would cross that link, on all queue pairs that
 * there are and will be. Without a controller each queue pair finds such EVs by losing a packet on
 * each (OCP MRC 1.0; sheet 16, section 8). It says which EVs are denied in place of
 * RdmaMrc::SetDenied(), and follows paths as the routes are when an EV is drawn or a link is denied
 * or allowed. Must live until the simulation ends. One thread runs a fabric with a controller.
 *
 * @code
 * MrcController controller(fabric);
 * controller.DenyKnown();            // links that are down
 * controller.Deny(LinkId(70));       // and this one, which loses packets
 * @endcode
 */
class MrcController : public RunPart
{
  public:
    /// @param fabric whose hosts; one controller at a time
    explicit MrcController(const Fabric& fabric);
    ~MrcController() override;

    std::string GetName() const override
    {
        return "mrc";
    }

    /// @return the fabric
    const Fabric& GetFabric() const
    {
        return m_knowledge->fabric;
    }

    /// @return number of links that Deny() has named and Allow() has not
    uint32_t GetNDenied() const
    {
        return m_knowledge->denied.size();
    }

    /// No data packet takes a link any more from now on. @param link it
    void Deny(LinkId link);

    /// A link may be used again from now on. @param link it
    void Allow(LinkId link);

    /// Deny what is down as well: now, and whenever the EVs of a queue pair are drawn, that is at
    /// its first request.
    void DenyKnown();

  private:
    /// What the hosts ask, as long as the controller lives.
    struct Knowledge
    {
        Fabric fabric;
        std::set<LinkId> denied{};
        bool deniesDown{false}; //!< DenyKnown()

        /// @param host that sends @param port by which @param packet the packet @return whether it
        /// would cross a link that is denied
        bool IsDenied(HostId host, uint32_t port, const Frame& packet) const;
    };

    /// Let all hosts look at their EVs again.
    void Review() const;

    std::shared_ptr<Knowledge> m_knowledge;
};

} // namespace ns3

#endif // LOSSLESS_MRC_CONTROLLER_H
