// SPDX-License-Identifier: GPL-2.0-only
//
// Messages between ranks for other simulators: when each side is told, which receive takes which
// message, and what is named at the end of a run.
#include "fabric-test-case.h"
#include "job-on-star.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return microseconds of the simulation
double
NowUs()
{
    return static_cast<double>(Simulator::Now().GetTimeStep()) /
           static_cast<double>(MicroSeconds(1).GetTimeStep());
}

/// The receiver is told with the last byte, the sender with the last ACK.
class WhoIsToldWhen : public FabricTestCase
{
  public:
    WhoIsToldWhen()
        : FabricTestCase("A receiver is told when the last byte is there, a sender later")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeStar(2);
        FabricRun run(fabric);
        auto& transport = run.Add<RankTransport>(OnePerHost(2), OneAck().network);
        double received = 0;
        double sent = 0;
        bool isPosting = true;
        transport.Recv(1, 0, 7, MIB, [&] {
            received = NowUs();
            NS_TEST_EXPECT_MSG_EQ(isPosting, false, "not within Recv()");
            NS_TEST_EXPECT_MSG_EQ(Simulator::GetContext(), fabric.GetHost(1)->GetId(), "node");
        });
        transport.Send(0, 1, 7, MIB, [&] {
            sent = NowUs();
            NS_TEST_EXPECT_MSG_EQ(Simulator::GetContext(), fabric.GetHost(0)->GetId(), "node");
        });
        NS_TEST_EXPECT_MSG_EQ(transport.IsDone(), false, "nothing has happened yet");
        isPosting = false;
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ_TOL(received, 92.69456, 1e-5, "delivery of the sheet");
        NS_TEST_EXPECT_MSG_EQ_TOL(sent, 92.69456 + 2.01376, 1e-4, "an ACK of 86 B over two links");
        NS_TEST_EXPECT_MSG_EQ(transport.IsDone(), true, transport.GetError());
        NS_TEST_EXPECT_MSG_EQ(transport.GetCounts().completed, 1, "messages");
        NS_TEST_EXPECT_MSG_EQ(run.GetResults().unfinished.size(), 0, "nothing is left");
        NS_TEST_EXPECT_MSG_EQ(transport.GetCarrier().GetNQueuePairs(), 1, "queue pairs are kept");
        ExpectError([&] { transport.Send(0, 1, 7, 1); }, "a message of a run that has ended");
    }
};

/// Receives of the same key take messages in the order of posting, early or late.
class OrderOfReceives : public FabricTestCase
{
  public:
    OrderOfReceives()
        : FabricTestCase("A second receive on the same key does not replace the first")
    {
    }

  private:
    void DoRun() override
    {
        FabricRun run(MakeStar(2));
        auto& transport = run.Add<RankTransport>(OnePerHost(2), OneAck().network);
        std::vector<int> order;
        const auto note = [&order](int number) {
            return [&order, number] { order.push_back(number); };
        };
        transport.Recv(1, 0, 7, 5000, note(1)); // before the message
        transport.Recv(1, 0, 7, 6000, note(2));
        transport.Recv(1, 0, 8, 10, note(5)); // another tag, sent last
        for (const uint64_t bytes : {5000, 6000, 7000, 8000})
        {
            transport.Send(0, 1, 7, bytes);
        }
        transport.Send(0, 1, 8, 10);
        // Long after the messages, and the fourth within what the third calls.
        bool isPosting = false;
        transport.Schedule(1, MicroSeconds(100), [&] {
            isPosting = true;
            transport.Recv(1, 0, 7, 7000, [&] {
                NS_TEST_EXPECT_MSG_EQ(isPosting, false, "not within Recv()");
                order.push_back(3);
                transport.Recv(1, 0, 7, 8000, note(4));
            });
            isPosting = false;
        });
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ((order == std::vector<int>{1, 2, 5, 3, 4}), true, "the order");
        NS_TEST_EXPECT_MSG_EQ(transport.IsDone(), true, transport.GetError());
        NS_TEST_EXPECT_MSG_EQ_TOL(NowUs(), 100, 1e-9, "what came before is taken at once");
        NS_TEST_EXPECT_MSG_EQ(transport.GetCounts().completed, 5, "messages");
    }
};

/// Lengths have 64 bits.
class LongMessages : public FabricTestCase
{
  public:
    LongMessages()
        : FabricTestCase("Messages of more than 4 GiB")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t bytes = (uint64_t{5} << 30) + 1;
        FabricRun run(MakeStar(2));
        QueuePairNetwork::Options options = OneAck().network;
        options.intraRate = DataRate("800Gb/s");
        options.intraLatency = NanoSeconds(500);
        const std::vector<RankPlace> places{{HostId(0), 0}, {HostId(0), 1}};
        auto& transport = run.Add<RankTransport>(places, options);
        double received = 0;
        transport.Recv(1, 0, 0, bytes, [&] { received = NowUs(); });
        transport.Send(0, 1, 0, bytes);
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ_TOL(received, 0.5 + static_cast<double>(bytes) / 1e5, 1e-2, "us");
        NS_TEST_EXPECT_MSG_EQ(transport.GetCarrier().GetCarried(0).intraBytes, bytes, "carried");
    }
};

/// A message that waits at its sender keeps no receiver of its host from taking others.
class IdleReceivers : public FabricTestCase
{
  public:
    IdleReceivers()
        : FabricTestCase("Within a host, what comes first is received first")
    {
    }

  private:
    void DoRun() override
    {
        FabricRun run(MakeStar(2));
        QueuePairNetwork::Options options = OneAck().network;
        options.intraRate = DataRate("800Gb/s");
        options.intraLatency = MicroSeconds(2);
        const std::vector<RankPlace> places{{HostId(0), 0}, {HostId(0), 1}, {HostId(0), 2}};
        auto& transport = run.Add<RankTransport>(places, options);
        const uint64_t bytes = 1000000; // 10 us
        std::vector<double> received;
        const std::vector<std::pair<uint32_t, uint32_t>> messages{{0, 1}, {0, 2}, {1, 2}};
        for (const auto& [from, to] : messages)
        {
            transport.Recv(to, from, 0, bytes, [&] { received.push_back(NowUs()); });
        }
        for (const auto& [from, to] : messages)
        {
            transport.Send(from, to, 0, bytes);
        }
        run.Execute();
        NS_TEST_ASSERT_MSG_EQ(received.size(), 3, "messages");
        NS_TEST_EXPECT_MSG_EQ_TOL(received[0], 12, 1e-9, "us, from 0 to 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(received[1], 12, 1e-9, "us, from 1 to 2, both idle");
        NS_TEST_EXPECT_MSG_EQ_TOL(received[2], 22, 1e-9, "us, from 0 to 2, behind both");
    }
};

/// A simulator that computes and sends: the run ends with its last message or calculation.
class CallsAndMessages : public FabricTestCase
{
  public:
    CallsAndMessages()
        : FabricTestCase("Calls that are to come keep the run, and then it ends")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeStar(3);
        FabricRun run(fabric);
        auto& transport = run.Add<RankTransport>(OnePerHost(3), OneAck().network);
        run.Rdma().Add({HostId(2), HostId(0), 1000}); // traffic of another kind ends before
        int rounds = 0;
        std::function<void()> next = [&] {
            if (++rounds <= 5)
            {
                transport.Recv(0, 1, 2, 0, [&] { transport.Schedule(0, MicroSeconds(30), next); });
                transport.Send(1, 0, 2, 0); // an empty message is one
            }
        };
        transport.Schedule(0, MilliSeconds(1), [&] {
            NS_TEST_EXPECT_MSG_EQ(Simulator::GetContext(), fabric.GetHost(0)->GetId(), "node");
            next();
        });
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(rounds, 6, "of five messages");
        NS_TEST_EXPECT_MSG_EQ(transport.GetCounts().completed, 5, "messages");
        NS_TEST_EXPECT_MSG_EQ((run.GetResults().end == RunResults::End::DONE), true, "its end");
        NS_TEST_EXPECT_MSG_EQ_TOL(NowUs(), 1000 + 5 * (30 + 2.016), 0.1, "us");
    }
};

/// One queue pair for both directions carries the same in the same time.
class BothWays : public FabricTestCase
{
  public:
    BothWays()
        : FabricTestCase("A queue pair carries what two ranks send to each other")
    {
    }

  private:
    /// All of three ranks send to each other, several messages of other lengths, of which the first
    /// come over two queue pairs. @param options how @param queuePairs gets their number
    /// @return who received which message when
    std::vector<std::string> Exchange(const QueuePairNetwork::Options& options,
                                      uint64_t& queuePairs)
    {
        FabricRun run(MakeStar(3));
        auto& transport = run.Add<RankTransport>(OnePerHost(3), options);
        std::vector<std::string> log;
        for (uint32_t from = 0; from < 3; ++from)
        {
            for (uint32_t step = 1; step < 3; ++step)
            {
                for (uint64_t tag = 0; tag < 4; ++tag)
                {
                    const uint32_t to = (from + step) % 3;
                    const uint64_t bytes = 1 + (tag * 40000 + from * 3000) % 100000;
                    transport.Recv(to, from, tag, bytes, [&log, from, to, tag] {
                        log.push_back(std::to_string(from) + " to " + std::to_string(to) +
                                      ", tag " + std::to_string(tag) + " at " +
                                      std::to_string(NowUs()));
                    });
                    transport.Send(from, to, tag, bytes);
                }
            }
        }
        run.Execute();
        NS_TEST_EXPECT_MSG_EQ(transport.IsDone(), true, transport.GetError());
        queuePairs = transport.GetCarrier().GetNQueuePairs();
        uint64_t lines = 0;
        transport.GetCarrier().ForEachLine(
            [&lines](const MessageNetwork::Pair&, const Fabric::Connection&) { ++lines; });
        NS_TEST_EXPECT_MSG_EQ(lines, 6 * options.queuePairsPerConnection, "directions");
        Simulator::Destroy();
        return log;
    }

    void DoRun() override
    {
        for (const RdmaVerb verb : {RdmaVerb::WRITE, RdmaVerb::SEND})
        {
            for (const uint32_t each : {1, 2})
            {
                QueuePairNetwork::Options options = OneAck().network;
                options.verb = verb;
                options.queuePairsPerConnection = each;
                uint64_t apart = 0;
                uint64_t together = 0;
                const std::vector<std::string> one = Exchange(options, apart);
                options.bothWays = true;
                const std::vector<std::string> other = Exchange(options, together);
                NS_TEST_EXPECT_MSG_EQ((one == other), true, "messages and times");
                NS_TEST_EXPECT_MSG_EQ(one.size(), 24, "messages");
                NS_TEST_EXPECT_MSG_EQ(apart, 6 * each, "a queue pair for each direction");
                NS_TEST_EXPECT_MSG_EQ(together, 3 * each, "one for both");
            }
        }
        // What breaks it is told as if each direction had its own: the first one ends the run.
        std::vector<std::string> errors;
        for (const bool bothWays : {false, true})
        {
            FabricRun run(MakeStar(2));
            QueuePairNetwork::Options options = OneAck().network;
            options.bothWays = bothWays;
            auto& transport = run.Add<RankTransport>(OnePerHost(2), options);
            for (const uint32_t rank : {0, 1})
            {
                transport.Recv(1 - rank, rank, 7, 8 * MIB);
                transport.Send(rank, 1 - rank, 7, 8 * MIB);
            }
            run.Faults().CutLink(LinkId(1), MicroSeconds(50));
            run.Execute();
            errors.push_back(transport.GetError());
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_NE(errors[0].find("RETRY_EXCEEDED"), std::string::npos, errors[0]);
        NS_TEST_EXPECT_MSG_EQ(errors[1], errors[0], "the error");
    }
};

/// What is left over, and what cannot be.
class TransportErrors : public FabricTestCase
{
  public:
    TransportErrors()
        : FabricTestCase("Messages and receives that are left over are named")
    {
    }

  private:
    /// @param post what is posted @return what is wrong after the run
    std::string ErrorAfter(const std::function<void(RankTransport&)>& post, std::size_t unfinished)
    {
        FabricRun run(MakeStar(3));
        auto& transport = run.Add<RankTransport>(OnePerHost(3), OneAck().network);
        post(transport);
        run.Execute();
        const auto& left = run.GetResults().unfinished;
        NS_TEST_EXPECT_MSG_EQ(left.size(), unfinished, "unfinished");
        NS_TEST_EXPECT_MSG_EQ(transport.IsDone(), false, "it is not done");
        NS_TEST_EXPECT_MSG_EQ(transport.GetCounts().failed, unfinished, "failed");
        for (const auto& each : left)
        {
            NS_TEST_EXPECT_MSG_EQ(each.source, "transport of ranks", "whose");
            NS_TEST_EXPECT_MSG_EQ(each.why.find(','), std::string::npos, each.why);
        }
        const std::string error = transport.GetError();
        Simulator::Destroy();
        return error;
    }

    void DoRun() override
    {
        const auto unwanted = [](RankTransport& transport) {
            transport.Send(0, 2, 7, 100);
            transport.Send(1, 2, 8, 50);
            transport.Send(1, 2, 9, 50);
            transport.Recv(2, 1, 9, 50);
        };
        NS_TEST_EXPECT_MSG_EQ(ErrorAfter(unwanted, 2),
                              "rank 2 got 100 B from rank 0, tag 7, that no recv takes (1 more)",
                              "messages");
        const auto unsent = [](RankTransport& transport) {
            transport.Recv(1, 0, 7, 100);
            transport.Recv(1, 0, 8, 100);
            transport.Send(0, 1, 8, 100);
        };
        NS_TEST_EXPECT_MSG_EQ(ErrorAfter(unsent, 1),
                              "rank 1 waits for 100 B from rank 0, tag 7",
                              "a receive");
        const auto unequal = [](RankTransport& transport) {
            transport.Recv(1, 0, 7, 200, [] { NS_ABORT_MSG("nobody is told"); });
            transport.Send(0, 1, 7, 100);
        };
        NS_TEST_EXPECT_MSG_EQ(ErrorAfter(unequal, 2),
                              "rank 1 recv of 200 B got 100 B from rank 0, tag 7",
                              "lengths");

        const Fabric fabric = MakeStar(3);
        RankTransport transport(fabric, OnePerHost(3), OneAck().network);
        ExpectError([&] { transport.Send(0, 3, 1, 1); }, "rank 3 of a transport; ranks are 0 to 2");
        ExpectError([&] { transport.Recv(3, 0, 1, 1); }, "rank 3 of a transport; ranks are 0 to 2");
        ExpectError([&] { transport.Schedule(3, Time(0), [] {}); }, "rank 3 of a transport");
        ExpectError([&] { transport.Schedule(0, NanoSeconds(-1), [] {}); }, "a call before now");
        ExpectError([&] { transport.Recv(1, 0, ~uint64_t{0}, 1); }, "tag 2^64 - 1 of a message");
        ExpectError([&] { transport.Send(1, 0, 1, (uint64_t{1} << 40) + 1); }, "at most 2^40");
        ExpectError([&] { RankTransport(fabric, {}); }, "a transport without ranks");
        NS_TEST_EXPECT_MSG_EQ(transport.GetCounts().added, 0, "what is refused leaves no trace");
    }
};

/// A link that is cut, several threads, and a run that ends before its traffic.
class OddRuns : public FabricTestCase
{
  public:
    OddRuns()
        : FabricTestCase("A cut link is named, threads are refused, and a stop is one")
    {
    }

  private:
    void DoRun() override
    {
        {
            FabricRun run(MakeStar(2));
            auto& transport = run.Add<RankTransport>(OnePerHost(2), OneAck().network);
            transport.Recv(1, 0, 7, 8 * MIB);
            transport.Send(0, 1, 7, 8 * MIB);
            run.Faults().CutLink(LinkId(1), MicroSeconds(50));
            run.Execute();
            NS_TEST_EXPECT_MSG_NE(transport.GetError().find("RETRY_EXCEEDED"),
                                  std::string::npos,
                                  transport.GetError());
            NS_TEST_EXPECT_MSG_EQ(run.GetResults().unfinished.size(), 2, "both ends");
        }
        Simulator::Destroy();
        {
            const Fabric fabric = MakeStar(2);
            RunOptions options;
            options.stop = MicroSeconds(20);
            FabricRun run(fabric, options);
            auto& transport = run.Add<RankTransport>(OnePerHost(2), OneAck().network);
            bool isTold = false;
            transport.Recv(1, 0, 7, MIB, [&] { isTold = true; });
            transport.Send(0, 1, 7, MIB);
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(transport.GetError(), "", "it may still end well");
            NS_TEST_EXPECT_MSG_EQ(run.GetResults().unfinished.size(), 2, "it has not ended");
            FabricRun next(fabric);
            next.Execute();
            NS_TEST_EXPECT_MSG_EQ(isTold, false, "it was stopped with its run");
        }
        Simulator::Destroy();
        SetSimulator(FabricSimulatorImpl::GetTypeId());
        RunOptions two;
        two.threads = 2;
        FabricRun run(MakeStar(2), two);
        run.Add<RankTransport>(OnePerHost(2), OneAck().network).Schedule(0, MicroSeconds(1), [] {});
        ExpectError([&] { run.Execute(); }, "several threads cannot run transport of ranks");
    }
};

/// The suite of transports.
class TransportTestSuite : public TestSuite
{
  public:
    TransportTestSuite()
        : TestSuite("lossless-transport", Type::UNIT)
    {
        AddTestCase(new WhoIsToldWhen);
        AddTestCase(new OrderOfReceives);
        AddTestCase(new LongMessages);
        AddTestCase(new IdleReceivers);
        AddTestCase(new CallsAndMessages);
        AddTestCase(new BothWays);
        AddTestCase(new TransportErrors);
        AddTestCase(new OddRuns);
    }
};

TransportTestSuite g_transportTestSuite; //!< the suite

} // namespace
