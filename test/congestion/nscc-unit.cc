// SPDX-License-Identifier: GPL-2.0-only

// NSCC against numeric vectors of its rules, computed apart from this code, and against what must
// hold whatever comes.

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nscc-window.h"
#include "ns3/rdma-nscc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <vector>

using namespace ns3;

namespace
{

constexpr double G = 1e9;
constexpr double US = 1e6; // picoseconds
constexpr int64_t WHOLE_US = 1000000;
constexpr int64_t R = 12 * WHOLE_US;
constexpr int64_t PACKET = 4176; // nominal bytes of a full packet of Ultra Ethernet
constexpr uint32_t MTU = 4096;

int64_t
Ps(double us)
{
    return std::llround(us * US);
}

NsccParameters
Parameters(double rate = 100 * G, bool trimming = true, uint32_t mtu = MTU)
{
    return NsccParameters::Of({rate, R, mtu, trimming});
}

/// A window whose bytes in flight the test counts.
class Sender
{
  public:
    explicit Sender(const NsccParameters& parameters, double window = 150000)
        : m_window(parameters, R, 0)
    {
        m_window.Force(window);
    }

    NsccWindow& operator*()
    {
        return m_window;
    }

    NsccWindow* operator->()
    {
        return &m_window;
    }

    /// An ACK. @param delay queueing, us
    void Ack(double delay, bool marked, double now, int64_t bytes = MTU)
    {
        inFlight -= bytes;
        m_window.OnAck({bytes, inFlight, Ps(now), R + Ps(delay), marked});
    }

    /// ACKs at the same delay, each of which lets a packet out.
    void Acks(int count, double delay, bool marked, double& now, double step)
    {
        for (int i = 0; i < count; ++i)
        {
            now += step;
            Ack(delay, marked, now, PACKET);
            inFlight += PACKET;
        }
    }

    /// A trimmed packet.
    void Trim(double now, int64_t bytes = PACKET)
    {
        inFlight -= bytes;
        m_window.OnTrim({bytes, inFlight, Ps(now)});
    }

    int64_t inFlight{150000};

  private:
    NsccWindow m_window;
};

} // namespace

TEST(NsccParameters, FollowFromTheNetwork)
{
    const struct
    {
        double rate, alpha, fi, eta, fiScale, max;
    } vectors[] = {{100 * G, 1365.33, 20480, 614.4, 0.25, 225000},
                   {200 * G, 2730.67, 40960, 1228.8, 0.5, 450000},
                   {400 * G, 5461.33, 81920, 2457.6, 1, 900000},
                   {800 * G, 10922.7, 163840, 4915.2, 2, 1800000}};

    for (const auto& v : vectors)
    {
        const auto p = Parameters(v.rate);
        EXPECT_NEAR(p.alpha * US, v.alpha, 0.05) << v.rate;
        EXPECT_NEAR(p.fi, v.fi, 1e-6);
        EXPECT_NEAR(p.eta, v.eta, 1e-6);
        EXPECT_NEAR(p.fiScale, v.fiScale, 1e-9);
        const NsccWindow window(p, R, 0);
        EXPECT_NEAR(window.GetMax(), v.max, 1e-6);
        EXPECT_EQ(window.Get(), window.GetMax()) << "it starts there";
        EXPECT_EQ(p.targetPs, 9 * WHOLE_US);
        EXPECT_EQ(p.qaThresholdPs, NsccParameters::NEVER);
        EXPECT_EQ(p.adjustBytes, 8 * MTU);
        EXPECT_EQ(p.adjustPeriodPs, R);
    }
    EXPECT_EQ(Parameters(100 * G, false).targetPs, R);
    EXPECT_EQ(Parameters(100 * G, false).qaThresholdPs, 4 * R);
    const auto htsim = NsccParameters::Of({100 * G, R, MTU, true, 0, NsccParameters::HTSIM});
    EXPECT_EQ(htsim.qaThresholdPs, 36 * WHOLE_US);
    const auto given = NsccParameters::Of({100 * G, R, MTU, false, 5 * WHOLE_US});
    EXPECT_EQ(given.targetPs, 5 * WHOLE_US);
    EXPECT_EQ(given.qaThresholdPs, 20 * WHOLE_US);
}

TEST(NsccWindow, FollowsTheRateOfThePorts)
{
    // Seven of eight planes of 100 Gb/s: sheet 16, section 6, with C of the ports left.
    const auto window = [](double gbps) {
        return NsccWindow(NsccParameters::Of({gbps * 1e9, 12000000, 4096, true}), 12000000, 0);
    };
    NsccWindow seven = window(800);
    EXPECT_DOUBLE_EQ(seven.Get(), 1800000);
    seven.SetRate(700e9);
    EXPECT_DOUBLE_EQ(seven.Get(), 1575000) << "no more than max_cwnd";
    NsccWindow anew = window(700);
    NsccWindow::Answer ack;
    ack.bytes = 40000;
    ack.inFlight = 500000;
    ack.rttPs = 14000000;
    for (int64_t i = 1; i <= 100; ++i)
    {
        ack.nowPs = i * 500000;
        for (NsccWindow* each : {&seven, &anew})
        {
            each->Force(i == 1 ? 700000 : each->Get());
            each->OnAck(ack);
        }
        EXPECT_NEAR(seven.Get(), anew.Get(), 1e-6) << "the same law as with seven from the start";
    }
    seven.SetRate(800e9);
    EXPECT_DOUBLE_EQ(seven.GetMax(), 1800000);
}

TEST(NsccWindow, IncreaseOfNineAcks)
{
    const double vectors[][2] = {{0.5, 2852.127},
                                 {2, 2348.810},
                                 {6, 1006.633},
                                 {8.9, 33.554},
                                 {9, 5033.165},
                                 {30, 5033.165}};
    for (const auto& vector : vectors)
    {
        Sender sender(Parameters());
        for (int i = 0; i < 8; ++i)
        {
            sender.Ack(vector[0], false, 1);
            EXPECT_EQ(sender->Get(), 150000) << "8 MTU have not passed";
        }
        sender.Ack(vector[0], false, 1);
        EXPECT_NEAR(sender->Get() - 150000, vector[1], 5e-4) << vector[0];
        EXPECT_EQ(sender->GetIncrease(), 0);
    }
}

TEST(NsccWindow, AWindowOfAcks)
{
    // 36.6 ACKs of an MTU are a window: 5 MTU of fair increase, 3 of proportional at delay 0.
    for (const auto& [delay, sum] : {std::pair{9.0, 20480.0}, std::pair{0.0, 12288.0}})
    {
        auto parameters = Parameters();
        parameters.adjustBytes = 150000; // one adjustment, so that the window is that of the begin
        Sender sender(parameters);
        sender.Ack(delay, false, 1, 150000);
        sender.Ack(2, true, 1, 1); // changes nothing but the bytes
        EXPECT_NEAR(sender->Get() - 150000, sum, 1e-6);
    }
}

TEST(NsccWindow, EtaOnceInAPeriod)
{
    auto parameters = Parameters();
    Sender sender(parameters);
    sender.Ack(2, true, 11.999999, 1);
    EXPECT_EQ(sender->Get(), 150000);
    sender.Ack(2, true, 12, 1);
    EXPECT_NEAR(sender->Get(), 150614.4, 1e-6);
    sender.Ack(2, true, 23.9, 1);
    EXPECT_NEAR(sender->Get(), 150614.4, 1e-6);
    sender.Ack(2, true, 40, 1);
    EXPECT_NEAR(sender->Get(), 150614.4 + 614.4, 1e-6) << "of the last period alone";

    parameters.dialect = NsccParameters::HTSIM;
    Sender htsim(parameters);
    htsim.Ack(2, true, 12, 1);
    EXPECT_EQ(htsim->Get(), 150000) << "not yet at the very time";
    htsim.Ack(2, true, 12.000001, 1);
    EXPECT_NEAR(htsim->Get(), 150614.4, 1e-6);
}

TEST(NsccWindow, FastIncreaseAfterAnEmptyWindow)
{
    auto parameters = Parameters();
    parameters.alpha = 0; // what is left is the fast increase
    Sender sender(parameters);
    for (int i = 0; i < 36; ++i)
    {
        sender.Ack(0.9, false, 1);
    }
    EXPECT_FALSE(sender->IsFast()) << "147456 bytes are no window";
    EXPECT_EQ(sender->Get(), 150000);
    for (int i = 1; i < 20; ++i)
    {
        sender.Ack(0.9, false, 1);
        EXPECT_NEAR(sender->Get(), 150000 + 1024 * i, 1e-6);
    }
    EXPECT_TRUE(sender->IsFast());
    sender.Ack(1, false, 1);
    EXPECT_FALSE(sender->IsFast());
    const double window = sender->Get();
    sender.Ack(0, false, 1);
    EXPECT_EQ(sender->Get(), window) << "the count begins anew";
    for (int i = 0; i < 200; ++i)
    {
        sender.Ack(0, false, 1);
    }
    EXPECT_EQ(sender->Get(), 225000) << "up to the largest window";
    sender.Ack(20, true, 1);
    EXPECT_FALSE(sender->IsFast()) << "a mark ends it";
}

TEST(NsccWindow, DecreaseByTheAverage)
{
    const double vectors[][2] = {{9, 150000}, {12, 120000}, {18, 90000}, {36, 75000}, {99, 75000}};
    for (const auto& vector : vectors)
    {
        auto parameters = Parameters();
        parameters.average = NsccParameters::TIME; // a base RTT of the same delay is the average
        parameters.eta = 0;
        Sender sender(parameters);
        sender.Ack(vector[0], true, 12.5);
        EXPECT_NEAR(sender->GetDelay(), vector[0] * US, 1e-3);
        EXPECT_NEAR(sender->Get(), vector[1], 1e-6) << vector[0];
        sender.Ack(vector[0], true, 24.5);
        EXPECT_NEAR(sender->Get(), vector[1], 1e-6) << "not twice in a base RTT";
        sender.Ack(8.9, true, 50);
        EXPECT_NEAR(sender->Get(), vector[1], 1e-6) << "a mark of a short queue changes nothing";
    }
}

TEST(NsccWindow, AveragesOfUnequalSense)
{
    for (const auto rule : {NsccParameters::EWMA, NsccParameters::TIME})
    {
        auto parameters = Parameters();
        parameters.average = rule;
        Sender sender(parameters);
        for (int i = 1; i <= 20; ++i)
        {
            sender.Ack(20, true, 0.4 * i);
        }
        EXPECT_NEAR(sender->GetDelay() / US, rule ? 9.847690 : 4.448507, 1e-6);
    }
    Sender sender(Parameters());
    int acks = 0;
    while (sender->GetDelay() <= 9 * US)
    {
        sender.Ack(20, true, 0.1 * ++acks);
    }
    EXPECT_EQ(acks, 48);
    EXPECT_NEAR(sender->GetDelay() / US, 9.0652, 1e-4);
    Sender unmarked(Parameters());
    unmarked.Ack(20, false, 1);
    EXPECT_NEAR(unmarked->GetDelay() / US, 0.0125 * 3, 1e-9) << "base RTT / 4";
}

TEST(NsccWindow, QuickAdaptByDelay)
{
    const struct
    {
        int64_t achieved;
        double window;
    } vectors[] = {{12000, 12000}, {2000, 4160}, {40000, 150000}, {28124, 28124}, {28125, 150000}};

    for (const auto& v : vectors)
    {
        auto parameters = Parameters(100 * G, true, 4160);
        parameters.qaThresholdPs = Ps(36);
        parameters.adjustBytes = 1e6;
        Sender sender(parameters);
        sender.Ack(40, false, 1, 30000); // opens the period, and does not count in it
        EXPECT_EQ(sender->Get(), 150000);
        sender.Ack(40, true, 2, v.achieved - 1);
        EXPECT_EQ(sender->Get(), 150000) << "the period has not passed";
        sender.Ack(36.1, false, 22, 1);
        EXPECT_EQ(sender->GetToIgnore(), v.window < 150000 ? sender.inFlight : 0);
        EXPECT_NEAR(sender->Get(), v.window, v.window < 150000 ? 0 : 30000) << v.achieved;
    }
    auto off = Parameters();
    off.qaThresholdPs = Ps(36);
    off.quickAdapt = false;
    Sender sender(off);
    sender.Ack(40, false, 1, 1);
    sender.Ack(40, false, 30, 1);
    EXPECT_GE(sender->Get(), 150000);
    sender.Trim(60, 4160);
    EXPECT_NEAR(sender->Get(), 150614.4 - 4160, 1);
}

TEST(NsccWindow, ATrimTakesAPacketOff)
{
    Sender sender(Parameters());
    sender.Trim(1, 4160);
    EXPECT_EQ(sender->Get(), 145840);
    EXPECT_NEAR(sender->GetDelay() / US, 0.0125 * 12, 1e-9) << "counts as a delay of R";
    for (int i = 0; i < 100; ++i)
    {
        sender.Trim(2, 4160);
    }
    EXPECT_EQ(sender->Get(), MTU) << "no less";
}

TEST(NsccWindow, LossAndPenalty)
{
    Sender sender(Parameters(), 100000);
    sender->OnLoss(4176);
    sender.inFlight = 80000 - 4176;
    EXPECT_EQ(sender->Get(), 95824);
    const auto answer = [&](double now, int64_t rtt, uint32_t penalty, bool restore) {
        sender.inFlight -= PACKET;
        NsccWindow::Answer ack{PACKET, sender.inFlight, Ps(now), rtt, false, penalty, restore};
        sender->OnAck(ack);
        return sender->Get();
    };
    EXPECT_EQ(answer(1, R, 64, false), 69560);
    EXPECT_EQ(answer(2, R, 127, false), 63329);
    EXPECT_EQ(answer(3, 0, 0, true), 95824);
    EXPECT_EQ(answer(4, 0, 0, true), 95824) << "restored once";

    Sender other(Parameters());
    other->OnAck({MTU, 140000, Ps(1), R, false, 64});
    EXPECT_EQ(other->Get(), 137952);
    Sender half(Parameters());
    for (int i = 0; i < 36; ++i)
    {
        half->OnAck({PACKET, 150000, Ps(1), 0, false, 64});
    }
    EXPECT_EQ(half->Get(), 74832) << "a round trip of 64 halves";
}

TEST(NsccWindow, LossCountsAsIgnored)
{
    for (const auto dialect : {NsccParameters::UE, NsccParameters::HTSIM})
    {
        auto parameters = Parameters();
        parameters.dialect = dialect;
        Sender sender(parameters);
        sender.Ack(2, true, 1, 1);
        sender.inFlight = 10000;
        sender.Trim(23); // adapts, and ignores the answers of what is in flight
        EXPECT_EQ(sender->Get(), MTU);
        EXPECT_EQ(sender->GetToIgnore(), 10000 - PACKET);
        sender->OnLoss(10000); // the window is at its least
        sender->Force(50000);
        sender.Trim(24, 1000);
        EXPECT_EQ(sender->Get(), dialect == NsccParameters::UE ? 49000 : 50000);
    }
}

TEST(NsccWindow, AShorterRoundTripIsTheBase)
{
    Sender sender(Parameters(), 225000);
    sender->OnAck({1, 0, Ps(1), Ps(8), true});
    EXPECT_NEAR(sender->GetMax(), 150000, 1e-6);
    EXPECT_EQ(sender->GetDelay(), 0);
    sender->OnAck({8 * MTU + 1, 0, Ps(2), Ps(12), true}); // now a delay of 4 us
    EXPECT_NEAR(sender->GetDelay() / US, 0.0125 * 4, 1e-9);
    EXPECT_NEAR(sender->Get(), 150000, 1e-6) << "at the next adjustment";
}

// A line of the trace is what the rules' independent model says.
TEST(NsccWindow, TraceOfIncreaseAndDecrease)
{
    Sender sender(Parameters());
    double now = 0;
    // Quick adapt is out of the way: trims are none, and delays never trigger it.
    sender.Acks(9, 2, false, now, 0.33);
    EXPECT_NEAR(sender->Get(), 152128.609, 1e-3);
    EXPECT_NEAR(sender->GetIncrease(), 39911424, 1);
    EXPECT_NEAR(sender->GetDelay() / US, 0.214072, 1e-6);
    sender.Acks(9, 10, false, now, 0.33);
    EXPECT_NEAR(sender->Get(), 156326.260, 1e-3);
    EXPECT_NEAR(sender->GetIncrease(), 171048960, 1);
    EXPECT_NEAR(sender->GetDelay() / US, 0.512267, 1e-6);
    std::vector<int> cuts;
    std::vector<double> windows;
    for (int i = 1; i <= 90; ++i)
    {
        const double before = sender->Get();
        sender.Acks(1, 20, true, now, 0.33);
        if (sender->Get() < before)
        {
            cuts.push_back(i);
            windows.push_back(sender->Get());
        }
    }
    EXPECT_EQ(cuts, (std::vector<int>{46, 83}));
    ASSERT_EQ(windows.size(), 2U);
    EXPECT_NEAR(windows[0], 157006.208, 1e-3);
    EXPECT_NEAR(windows[1], 117893.329, 1e-3);
    EXPECT_NEAR(sender->GetDelay() / US, 13.717960, 1e-6);
    sender.Acks(1, 4, true, now, 0.33);
    EXPECT_NEAR(sender->Get(), 117893.329, 1e-3);
    EXPECT_NEAR(sender->GetDelay() / US, 13.596485, 1e-6);
}

TEST(NsccWindow, TraceOfQuickAdapt)
{
    Sender sender(Parameters(), 225000);
    sender.inFlight = 225000;
    sender.Ack(0, false, 1, PACKET); // opens the period until 22 us
    EXPECT_EQ(sender->Get(), 225000);
    EXPECT_NEAR(sender->GetIncrease(), 51314688, 1);
    sender.Trim(2);
    EXPECT_EQ(sender->Get(), 220824) << "the period is not over";
    for (int i = 0; i < 4; ++i)
    {
        sender.Ack(9, true, 3 + i, PACKET);
    }
    EXPECT_NEAR(sender->GetDelay() / US, 0.584272, 1e-6);
    sender.Trim(22.5);
    EXPECT_EQ(sender->Get(), 16704) << "what has arrived in the period";
    EXPECT_EQ(sender->GetToIgnore(), 195768);
    EXPECT_EQ(sender->GetIncrease(), 0);
    EXPECT_NEAR(sender->GetDelay() / US, 0.726969, 1e-6);
    sender.Trim(23);
    EXPECT_EQ(sender->Get(), 16704) << "while bytes are ignored";
    EXPECT_NEAR(sender->GetDelay() / US, 0.867882, 1e-6);
    for (int i = 0; i < 46; ++i)
    {
        sender.Ack(15, true, 23 + 0.1 * i, PACKET);
    }
    EXPECT_EQ(sender.inFlight, -504);
    EXPECT_NEAR(sender->Get(), 17318.4, 1e-6) << "marks count again";
    EXPECT_NEAR(sender->GetDelay() / US, 7.076555, 1e-6);
    sender.Ack(15, true, 28, PACKET);
    EXPECT_NEAR(sender->Get(), 17318.4, 1e-6);
    EXPECT_NEAR(sender->GetDelay() / US, 7.175598, 1e-6);
}

TEST(NsccWindow, StaysInItsBoundsWhateverComes)
{
    std::vector<double> runs[2];
    for (auto& run : runs)
    {
        std::mt19937 random(7);
        const auto draw = [&](int64_t least, int64_t most) {
            return least + static_cast<int64_t>(random() % static_cast<uint64_t>(most - least + 1));
        };
        for (int flow = 0; flow < 200; ++flow)
        {
            auto parameters =
                Parameters(100 * G * static_cast<double>(draw(1, 8)), draw(0, 1) == 0);
            parameters.average = draw(0, 1) ? NsccParameters::TIME : NsccParameters::EWMA;
            NsccWindow window(parameters, draw(2 * WHOLE_US, R), 0);
            const double most = window.GetMax();
            int64_t now = 0;
            for (int i = 0; i < 500; ++i)
            {
                now += draw(0, WHOLE_US);
                const NsccWindow::Answer answer{draw(0, 20000),
                                                draw(0, 400000),
                                                now,
                                                draw(0, 4) ? draw(WHOLE_US, 60 * WHOLE_US) : 0,
                                                draw(0, 1) == 0};
                switch (draw(0, 9))
                {
                case 0:
                    window.OnTrim(answer);
                    break;
                case 1:
                    window.OnLoss(answer.bytes);
                    break;
                default:
                    window.OnAck(answer);
                }
                ASSERT_GE(window.Get(), MTU);
                ASSERT_LE(window.Get(), most);
                ASSERT_GE(window.GetDelay(), 0);
                run.push_back(window.Get());
            }
        }
    }
    EXPECT_EQ(runs[0], runs[1]);
}

namespace
{

RdmaFlowState
State(int64_t baseRtt = R)
{
    RdmaFlowState state;
    state.lineRate = 100 * G;
    state.rate = state.lineRate;
    state.mtuBytes = MTU;
    state.packetWireBytes = 4178;
    state.baseRttPs = baseRtt;
    state.inFlight = 150000;
    return state;
}

/// An ACK of one packet, with its round trip.
RdmaAckEvent
Ack(double now, double delay, bool marked = false)
{
    static const FrameTelemetry telemetry{};
    RdmaAckEvent ack;
    ack.nowPs = Ps(now);
    ack.deliveredBytes = MTU;
    ack.marked = marked;
    ack.rttPs = R + Ps(delay);
    ack.telemetryKind = TelemetryKind::DELAY;
    ack.telemetry = &telemetry;
    return ack;
}

Ptr<RdmaNscc>
Make(RdmaFlowState& state, double window, bool trimming = true)
{
    const auto nscc = CreateObject<RdmaNscc>();
    nscc->SetAttribute("Trimming", BooleanValue(trimming));
    nscc->Init(state, 0);
    if (window > 0)
    {
        nscc->Force(state, window);
    }
    return nscc;
}

} // namespace

TEST(RdmaNscc, LetsAnMtuFitIntoTheWindow)
{
    const struct
    {
        double window;
        uint64_t inFlight;
        bool may;
    } vectors[] = {{20000, 15904, true},
                   {20000, 15905, false},
                   {16000, 0, true},
                   {4096, 0, true},
                   {4096, 1, false},
                   {4100, 4, true},
                   {4100, 5, false}};

    for (const auto& v : vectors)
    {
        auto state = State();
        Make(state, v.window);
        EXPECT_GT(state.window, 0U) << "0 would be no limit";
        EXPECT_EQ(v.inFlight < state.window, v.may) << v.window << ' ' << v.inFlight;
    }
}

TEST(RdmaNscc, StartsAtItsLargestWindow)
{
    auto state = State();
    EXPECT_EQ(Make(state, 0)->GetWindow().Get(), 225000);
    EXPECT_EQ(state.window, 225000U - MTU + 1);
    EXPECT_EQ(state.rate, state.lineRate);
    auto near = State(6 * WHOLE_US);
    const auto nscc = CreateObject<RdmaNscc>();
    nscc->SetAttribute("BaseRtt", StringValue("12us"));
    nscc->Init(near, 0);
    EXPECT_EQ(nscc->GetWindow().Get(), 112500) << "of the pair";
    auto given = State(6 * WHOLE_US);
    nscc->SetAttribute("MaxWindow", UintegerValue(300000));
    nscc->Init(given, 0);
    EXPECT_NEAR(nscc->GetWindow().Get(), 150000, 1e-6) << "in proportion";
    auto unknown = State(0);
    EXPECT_THROW(CreateObject<RdmaNscc>()->Init(unknown, 0), std::invalid_argument);
    auto far = State(13 * WHOLE_US);
    EXPECT_THROW(nscc->Init(far, 0), std::invalid_argument) << "12 us are not the longest";
}

TEST(RdmaNscc, AnswersReachTheWindow)
{
    auto state = State();
    auto nscc = Make(state, 150000);
    for (int i = 0; i < 9; ++i)
    {
        nscc->OnAck(state, Ack(1, 2));
    }
    EXPECT_NEAR(nscc->GetWindow().Get(), 152348.810, 1e-3);
    EXPECT_EQ(state.window, 152348U - MTU + 1);

    nscc = Make(state, 150000);
    RdmaAckEvent trim = Ack(1, 0);
    trim.deliveredBytes = 0;
    trim.trimmedBytes = MTU;
    trim.trimmedAtLastHop = true; // no receiver grants credit: it counts
    nscc->OnAck(state, trim);
    EXPECT_EQ(nscc->GetWindow().Get(), 150000 - MTU);
    EXPECT_NEAR(nscc->GetWindow().GetDelay() / US, 0.0125 * 12, 1e-9) << "one sample, R";

    nscc = Make(state, 150000);
    RdmaAckEvent loss = Ack(1, 2);
    loss.nak = true;
    loss.lostBytes = 2 * MTU;
    nscc->OnAck(state, loss);
    EXPECT_EQ(nscc->GetWindow().Get(), 150000 - 2 * MTU);

    nscc = Make(state, 150000);
    state.inFlight = 100000;
    nscc->OnTimeout(state, Ps(1));
    EXPECT_EQ(nscc->GetWindow().Get(), 50000);
    state.inFlight = 0;
    nscc->OnTimeout(state, Ps(1));
    EXPECT_EQ(nscc->GetWindow().Get(), 50000 - MTU) << "a packet at least";
}

TEST(RdmaNscc, AnAnswerWithoutARoundTripOnlyCounts)
{
    auto state = State();
    const auto nscc = Make(state, 150000);
    for (int i = 0; i < 100; ++i)
    {
        RdmaAckEvent ack = Ack(30, 2);
        ack.telemetryKind = TelemetryKind::NONE;
        nscc->OnAck(state, ack);
    }
    EXPECT_EQ(nscc->GetWindow().Get(), 150000);
    EXPECT_EQ(nscc->GetWindow().GetDelay(), 0);
}

TEST(RdmaNscc, AttributesReachTheRules)
{
    const auto window = [](const char* name, const char* value, bool marked, double delay) {
        auto state = State();
        const auto nscc = CreateObject<RdmaNscc>();
        nscc->SetAttribute("Average", StringValue("Time"));
        nscc->SetAttribute(name, StringValue(value));
        nscc->Init(state, 0);
        nscc->Force(state, 150000);
        nscc->OnAck(state, Ack(1, delay, false));
        nscc->OnAck(state, Ack(40, delay, marked));
        return nscc->GetWindow().Get();
    };
    // Without trimming the target is R; two ACKs of an MTU, and eta.
    const double bytes = 2.0 * MTU;
    EXPECT_NEAR(window("Alpha", "1000", false, 2), 150614.4 + 1000 * 10 * bytes / 150000, 1e-6);
    EXPECT_NEAR(window("Fi", "9000", false, 20), 150614.4 + 9000 * bytes / 150000, 1e-6);
    EXPECT_NEAR(window("Eta", "0", true, 2), 150000 + 1365.333333 * 10 * MTU / 150000, 1e-3);
    EXPECT_NEAR(window("Gamma", "0.1", true, 24),
                (1 - 0.1 * 0.5) * 150000 + 20480.0 * MTU / (0.95 * 150000) + 614.4,
                20);
    EXPECT_NEAR(window("QaThreshold", "20us", false, 24), MTU, 0) << "arrived in the period";
    EXPECT_GT(window("QaThreshold", "25us", false, 24), 150000);
    EXPECT_GT(window("QaGate", "7", false, 60), 150000) << "4096 are more than 1757";
    EXPECT_EQ(window("QaGate", "3", false, 60), MTU);
    EXPECT_GT(window("QuickAdapt", "false", false, 60), 150000);
    EXPECT_EQ(window("TargetDelay", "10us", false, 41), MTU) << "quick adapt above 4 of them";
    EXPECT_GT(window("AdjustBytes", "4000", false, 2), 150614.4);
}

TEST(RdmaNscc, AttributesReadBackAsInForce)
{
    auto state = State();
    const auto nscc = CreateObject<RdmaNscc>();
    nscc->SetUsed();
    nscc->Init(state, 0);
    const auto number = [&](const char* name) {
        DoubleValue value;
        nscc->GetAttribute(name, value);
        return value.Get();
    };
    const auto time = [&](const char* name) {
        TimeValue value;
        nscc->GetAttribute(name, value);
        return value.Get();
    };
    const auto count = [&](const char* name) {
        UintegerValue value;
        nscc->GetAttribute(name, value);
        return value.Get();
    };
    EXPECT_EQ(time("BaseRtt"), MicroSeconds(12));
    EXPECT_EQ(time("TargetDelay"), MicroSeconds(12));
    EXPECT_EQ(time("QaThreshold"), MicroSeconds(48));
    EXPECT_EQ(time("AdjustPeriod"), MicroSeconds(12));
    EXPECT_EQ(count("MaxWindow"), 225000U);
    EXPECT_EQ(count("AdjustBytes"), 8 * MTU);
    EXPECT_NEAR(number("Alpha"), 1365.33, 0.01);
    EXPECT_NEAR(number("Fi"), 20480, 1e-6);
    EXPECT_NEAR(number("Eta"), 614.4, 1e-6);
    EXPECT_NEAR(number("FiScale"), 0.25, 1e-9);
    EXPECT_THROW(nscc->SetAttribute("Gamma", DoubleValue(0.5)), std::invalid_argument);
}
