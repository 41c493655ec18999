// SPDX-License-Identifier: GPL-2.0-only

// A congestion control of one's own: halve the rate at a CNP, at most once a period, and add a
// fixed step in each period without one. Four hosts send 4 MB to a fifth, first with DCQCN, then
// with it.

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <iostream>

using namespace ns3;

/// One object for each end of a queue pair. Times are picoseconds, rates bit/s.
class HalveAndStep : public RdmaCongestionOps
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::HalveAndStep")
                                .SetParent<RdmaCongestionOps>()
                                .AddConstructor<HalveAndStep>()
                                .AddAttribute("Step",
                                              "Added to the rate in each period without a CNP",
                                              DataRateValue(DataRate("500Mbps")),
                                              MakeDataRateAccessor(&HalveAndStep::m_step),
                                              MakeDataRateChecker());
        return tid;
    }

    std::string GetName() const override
    {
        return "halve and step";
    }

    void OnCnp(RdmaFlowState& state, int64_t nowPs) override
    {
        if (nowPs >= m_lastCutPs + PERIOD_PS)
        {
            m_lastCutPs = nowPs;
            state.rate = std::max(state.rate / 2, state.lineRate / 1000);
            m_nextPs = nowPs + PERIOD_PS;
        }
    }

    int64_t NextTimer() const override
    {
        return m_nextPs;
    }

    void OnTimer(RdmaFlowState& state, int64_t nowPs) override
    {
        while (m_nextPs <= nowPs) // it may come late: do all that was due
        {
            state.rate = std::min(state.rate + m_step.GetBitRate(), state.lineRate);
            // At line rate nothing is left to do: no event keeps the simulation alive.
            m_nextPs = state.rate < state.lineRate ? m_nextPs + PERIOD_PS : NEVER;
        }
    }

    bool OnMarkedData(int64_t /* nowPs */) override
    {
        return true; // the receiving end: a CNP for each marked packet
    }

  private:
    static constexpr int64_t PERIOD_PS = 20000000; //!< least time between two changes, 20 us

    DataRate m_step;                 //!< attribute Step
    int64_t m_nextPs{NEVER};         //!< next increase
    int64_t m_lastCutPs{-NEVER / 2}; //!< last decrease
};

NS_OBJECT_ENSURE_REGISTERED(HalveAndStep);

int
main(int argc, char* argv[])
{
    FabricProgram program("Compares DCQCN with a congestion control made in this file.");
    uint64_t bytes = 4000000;
    std::string outDir;
    program.AddSize("bytes", "bytes that each of four hosts sends", bytes);
    program.AddOption("outDir", "folder for comparison.csv; empty: none", outDir);
    return program.Run(argc, argv, [&] {
        const std::string attribute = "CongestionControl";
        if (program.GetOptions().Has(RdmaQueuePair::GetTypeId(), attribute))
        {
            throw FabricError("--ns3::RdmaQueuePair::" + attribute + " is the same for both runs",
                              "leave it out: this program compares two");
        }
        RunComparison::Runs runs;
        for (const std::string type : {"ns3::RdmaDcqcn", "ns3::HalveAndStep"})
        {
            FabricHelper helper(program.GetOptions());
            helper.SetCongestionControl(type);
            FabricRun run(helper.Star(5));
            run.Rdma().Incast(4, 0, bytes, Time(0));
            runs.emplace_back(type, run.Execute());
        }
        const RunComparison comparison(
            runs,
            {"slowdown_mean", "queue_peak_bytes", "cnps_received", "pauses"});
        comparison.Print(std::cout);
        if (!outDir.empty())
        {
            comparison.WriteTo(outDir); // utils/plot.py draws it
        }
    });
}
