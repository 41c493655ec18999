// SPDX-License-Identifier: GPL-2.0-only

// The fixed point of ICC: N long flows to one host share its link, at N from 2 to 64, on a star and
// on a fat-tree, at 25 to 400 Gb/s and 1 to 10 us. --verbose prints the figures of
// doc/congestion.rst. All cases, and not the first few alone:
//
//   lossless-test-runner --suite=lossless-icc-fixed-point --fullness=EXTENSIVE

#include "fabric-ports.h"
#include "fabric-test-case.h"
#include "property-test-suite.h"

#include "ns3/data-rate.h"
#include "ns3/integer.h"
#include "ns3/qbb-net-device.h"

#include <algorithm>
#include <array>
#include <iostream>

using namespace ns3;
using namespace ns3::tests;

namespace
{

constexpr uint32_t CLASS = 3;
constexpr double BITS = 8;

/// What a case is about.
struct Scene
{
    uint32_t flows;    //!< N
    const char* rate;  //!< of all links
    const char* delay; //!< of all links
    const char* mtu;   //!< of the queue pairs: longer packets on fast links, as in use
    bool fatTree;      //!< or a star

    /// @return the name of the case
    std::string Name() const
    {
        return std::to_string(flows) + ":1, " + rate + ", " + delay +
               (fatTree ? ", fat-tree" : ", star");
    }
};

/// Number of scenes.
constexpr uint32_t SCENES = 72;

/// @param index below SCENES @return a scene; the first ones differ in all that can differ
Scene
GetScene(uint32_t index)
{
    constexpr uint32_t STRIDE = 29; // no common divisor with SCENES
    constexpr std::array<uint32_t, 6> FLOWS{2, 4, 8, 16, 32, 64};
    constexpr std::array<std::array<const char*, 2>, 3> RATES{
        {{"25Gbps", "1024"}, {"100Gbps", "1024"}, {"400Gbps", "4096"}}};
    uint32_t left = index * STRIDE % SCENES;
    const auto digit = [&](uint32_t base) {
        const uint32_t value = left % base;
        left /= base;
        return value;
    };
    const uint32_t flows = FLOWS[digit(FLOWS.size())];
    const auto& rate = RATES[digit(RATES.size())];
    const char* delay = digit(2) == 0 ? "1us" : "10us";
    return {flows, rate[0], delay, rate[1], digit(2) != 0};
}

/// N long flows to host 0.
class FixedPointTest : public FabricTestCase
{
  public:
    explicit FixedPointTest(const Scene& scene)
        : FabricTestCase(scene.Name()),
          m_scene(scene)
    {
    }

  private:
    /// @return a fabric, whose switches share more than 16 MB
    Fabric Build() const
    {
        FabricHelper helper;
        helper.SetLink("DataRate", StringValue(m_scene.rate), "Delay", StringValue(m_scene.delay));
        helper.SetCongestionControl("ns3::RdmaIcc[Variant=Derived]");
        helper.SetQueuePair("Mtu",
                            StringValue(m_scene.mtu),
                            "AckClass",
                            IntegerValue(5)); // not paused with the data
        uint32_t k = 4;
        while (k * k * k / 4 <= m_scene.flows)
        {
            k += 2;
        }
        const auto build = [&](uint64_t megabytes) {
            helper.SetSwitch("ns3::SwitchMmu",
                             "BufferSize",
                             StringValue(std::to_string(megabytes) + "MB"));
            return m_scene.fatTree ? helper.FatTree(k) : helper.Star(m_scene.flows + 1);
        };
        for (uint64_t headroom = 2;; headroom *= 2)
        {
            try
            {
                build(headroom);
                Simulator::Destroy();
                return build(headroom + 16);
            }
            catch (const FabricError& error)
            {
                if (std::string(error.what()).find("short of the guaranteed") == std::string::npos)
                {
                    throw;
                }
            }
        }
    }

    /// Start the flows, from hosts that are spread over the fabric.
    void Connect(const Fabric& fabric)
    {
        const auto port = [&](uint32_t host) {
            return fabric.GetDevice(fabric.GetTopology().GetHosts()[host], 0);
        };
        m_shared = port(0)->GetPeer();
        for (const FabricPort& each : PortsOf(fabric))
        {
            if (each.isSwitch)
            {
                m_switchPorts.push_back(each.device);
            }
        }
        for (uint32_t i = 0; i < m_scene.flows; ++i)
        {
            const uint32_t host = 1 + i * (fabric.GetNHosts() - 1) / m_scene.flows;
            const auto ends = fabric.Connect(host, 0);
            ends.source->Post({RdmaVerb::WRITE, uint64_t{1} << 36});
            m_sources.push_back(ends.source);
            m_senders.push_back(port(host));
        }
    }

    /// @return XOFF frames of all switches
    uint64_t CountXoff() const
    {
        uint64_t count = 0;
        for (const auto& port : m_switchPorts)
        {
            count += port->GetIssuer().Get(CLASS).txXoff;
        }
        return count;
    }

    /// @return wire bytes of a port
    static double Sent(const Ptr<QbbNetDevice>& port)
    {
        return static_cast<double>(port->GetCounters().txWireBytes);
    }

    /// @return bytes in all queues of the class
    double Waiting() const
    {
        uint64_t bytes = 0;
        for (const auto& port : m_switchPorts)
        {
            bytes += port->Queues().Bytes(CLASS);
        }
        return static_cast<double>(bytes);
    }

    /// Run until all queues together are short for the first time after the shared one was not.
    /// @param frames what is short, bytes @param limit when to give up
    void RunFirstRoundTrips(double frames, Time limit)
    {
        const Time step = MicroSeconds(2);
        double peak = 0;
        do
        {
            RunUntil(Simulator::Now() + step);
            peak = std::max<double>(peak, m_shared->Queues().Bytes(CLASS));
        } while ((peak <= frames || Waiting() > frames) && Simulator::Now() < limit);
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), limit, "the queue never was short");
    }

    /// Run for a time, and look at the queue.
    /// @param length how long @return its mean, bytes
    double RunAndLook(Time length)
    {
        constexpr int LOOKS = 2000;
        double sum = 0;
        for (int i = 0; i < LOOKS; ++i)
        {
            RunUntil(Simulator::Now() + length / LOOKS);
            sum += m_shared->Queues().Bytes(CLASS);
        }
        return sum / LOOKS;
    }

    void DoRun() override
    {
        const Fabric fabric = Build();
        Connect(fabric);
        const int64_t links = m_scene.fatTree ? 6 : 2;
        const int64_t flows = m_scene.flows;
        const uint32_t frameBytes = std::stoul(m_scene.mtu) + FRAME_OVERHEAD;
        const double frames = static_cast<double>(flows) * frameBytes;
        // The round trip, and both timers of a switch: no rate acts for longer.
        const Time horizon = Time(m_scene.delay) * (2 * links) +
                             DataRate(m_scene.rate).CalculateBytesTxTime(frameBytes) * links +
                             MicroSeconds(15 + 5);
        constexpr int64_t PATIENCE = 4; // PFC makes the first round trips longer
        RunFirstRoundTrips(2 * frames, horizon * (2 * flows + 5) * PATIENCE);
        const Time start = Simulator::Now();
        if (CountXoff() == 0)
        {
            // N rates of C act before a record can lower them; then half of C at least drains,
            // and the last part of the queue exponentially.
            NS_TEST_EXPECT_MSG_LT(start, horizon * (2 * flows + 5), "the first round trips");
        }

        constexpr int64_t SETTLE = 10;
        RunUntil(start + horizon * SETTLE);
        std::vector<double> sent(m_senders.size());
        std::transform(m_senders.begin(), m_senders.end(), sent.begin(), Sent);
        const double carried = Sent(m_shared);
        const uint64_t xoff = CountXoff();
        const Time window = std::max(horizon * 20, MicroSeconds(500));
        const double meanQueue = RunAndLook(window);

        double sum = 0;
        double squares = 0;
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            const double share = Sent(m_senders[i]) - sent[i];
            sum += share;
            squares += share * share;
        }
        const double jain = sum * sum / (squares * static_cast<double>(flows));
        const double speed = static_cast<double>(m_shared->GetDataRate().GetBitRate());
        const double utilisation =
            (Sent(m_shared) - carried) * BITS / (window.GetSeconds() * speed);
        std::cout << m_scene.Name() << ": queue short after " << start.GetMicroSeconds()
                  << " us; utilisation " << utilisation << ", Jain " << jain << ", mean queue "
                  << meanQueue << " B of N frames " << frames << " B, XOFF " << xoff
                  << " before and " << CountXoff() - xoff << " after" << std::endl;
        NS_TEST_EXPECT_MSG_GT(utilisation, 0.95, "utilisation");
        NS_TEST_EXPECT_MSG_GT(jain, 0.95, "Jain's index");
        NS_TEST_EXPECT_MSG_EQ(CountXoff(), xoff, "pauses");
        NS_TEST_EXPECT_MSG_LT(meanQueue, frames, "no queue stands but a frame of each flow");
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(i)->GetLosslessDrops(), 0, "drops");
        }
        for (const auto& source : m_sources)
        {
            source->Close();
        }
        m_sources.clear();
        m_senders.clear();
        m_switchPorts.clear();
        m_shared = nullptr;
        Simulator::Destroy();
    }

    static constexpr uint32_t FRAME_OVERHEAD = 62; //!< headers of a frame of data, bytes

    Scene m_scene;
    std::vector<Ptr<RdmaQueuePair>> m_sources;
    std::vector<Ptr<QbbNetDevice>> m_senders;     //!< ports of the sources
    std::vector<Ptr<QbbNetDevice>> m_switchPorts; //!< of all switches
    Ptr<QbbNetDevice> m_shared;                   //!< the port that all flows share
};

/// The suite.
class IccFixedPointTestSuite : public PropertyTestSuite
{
  public:
    IccFixedPointTestSuite()
        : PropertyTestSuite("lossless-icc-fixed-point")
    {
        AddCases(SCENES, [](uint32_t index) { return new FixedPointTest(GetScene(index)); });
    }
};

IccFixedPointTestSuite g_iccFixedPointTestSuite; //!< registers the suite

} // namespace
