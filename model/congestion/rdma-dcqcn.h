// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RDMA_DCQCN_H
#define LOSSLESS_RDMA_DCQCN_H

#include "dcqcn-reaction-point.h"
#include "rdma-congestion-ops.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015), both
 * parts of a NIC: the notification point, which sends at most one CNP per interval, and the
 * reaction point, DcqcnPaper or DcqcnNic by the attribute Dialect. The part of the switch is an
 * EcnMarker.
 *
 * An attribute of 0 selects the default of the dialect, scaled to the line rate where
 * doc/congestion.rst says so. CnpInterval and ByteCounter, for which 0 has a meaning, use a
 * negative value instead. Of a queue pair that is connected all read back as what is in force.
 */
class RdmaDcqcn : public RdmaCongestionOps
{
  public:
    /// The reaction points.
    enum Dialect
    {
        PAPER,   //!< the SIGCOMM 2015 paper: reacts to each CNP at once
        NIC,     //!< the public HPCC simulator: reacts once per time slice, without a byte counter
        STRAWMAN //!< PAPER with the QCN constants that the paper rejects (section 5)
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    RdmaDcqcn();
    ~RdmaDcqcn() override;

    std::string GetName() const override;
    uint32_t GetHooks() const override;
    bool EchoesMarks() const override;
    bool SendsCnps() const override;
    bool ShareWith(const RdmaCongestionOps* last) override;
    void Init(RdmaFlowState& state, int64_t nowPs) override;
    void OnCnp(RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(RdmaFlowState& state, const RdmaAckEvent& ack) override;
    void OnSent(RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs) override;
    int64_t NextTimer() const override;
    void OnTimer(RdmaFlowState& state, int64_t nowPs) override;
    bool OnMarkedData(int64_t nowPs) override;

    /// @param nowPs time, picoseconds @return alpha
    double GetAlpha(int64_t nowPs) const;

    /// @return the constants in use, valid after Init()
    const DcqcnParameters& GetParameters() const;

  private:
    struct Settings;
    class SettingsAccessor;

    /// @param accessor of a member of Settings @return the accessor that gets at it
    static Ptr<const AttributeAccessor> InSettings(Ptr<const AttributeAccessor> accessor);
    /// Attributes that are rates and factors. @param tid the TypeId @return the same
    static TypeId AddRates(TypeId tid);
    /// Attributes that are times and counts. @param tid the TypeId @return the same
    static TypeId AddTimers(TypeId tid);
    /// Attributes of the Nic dialect alone. @param tid the TypeId @return the same
    static TypeId AddNicOnly(TypeId tid);

    /// @return whether the reaction point is that of Dialect Nic
    bool IsNic() const;
    /// @return whether the reaction point has a byte counter
    bool CountsBytes() const;

    /// Fill in the defaults of the dialect. @param lineRate bit/s
    void Resolve(double lineRate);
    /// Attributes that stand for a default read back as what is in force from now on.
    void ReadBack();

    Ptr<Settings> m_settings;                       //!< of this object, or of several
    std::unique_ptr<DcqcnReactionPoint> m_reaction; //!< made by the first CNP: before, all is idle
    int64_t m_lastCnpPs{-NEVER / 2};                //!< notification point: time of the last CNP
};

} // namespace ns3

#endif // LOSSLESS_RDMA_DCQCN_H
