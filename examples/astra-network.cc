// SPDX-License-Identifier: GPL-2.0-only

// A lossless fabric as the network of astra-sim: an adapter between what that simulator calls and
// RankTransport. To use it there, include its own header in place of astra-network-api.h, and give
// each of its systems an AstraNetwork. Here a ring of ranks reduces a buffer through it.

#include "astra-network-api.h"

#include "ns3/core-module.h"
#include "ns3/lossless-jobs-module.h"
#include "ns3/lossless-module.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <vector>

using namespace ns3;
using AstraSim::timespec_t;

// ---- the adapter

/// The fabric as one rank of astra-sim sees it.
class AstraNetwork : public AstraSim::AstraNetworkAPI
{
  public:
    AstraNetwork(int rank, RankTransport& transport)
        : AstraNetworkAPI(rank),
          m_rank(static_cast<uint32_t>(rank)),
          m_transport(transport)
    {
    }

    int sim_send(void*,
                 uint64_t count,
                 int,
                 int dst,
                 int tag,
                 AstraSim::sim_request*,
                 Handler handler,
                 void* arg) override
    {
        m_transport.Send(m_rank, static_cast<uint32_t>(dst), Tag(tag), count, Call(handler, arg));
        return 0;
    }

    int sim_recv(void*,
                 uint64_t count,
                 int,
                 int src,
                 int tag,
                 AstraSim::sim_request*,
                 Handler handler,
                 void* arg) override
    {
        m_transport.Recv(m_rank, static_cast<uint32_t>(src), Tag(tag), count, Call(handler, arg));
        return 0;
    }

    void sim_schedule(timespec_t delta, Handler handler, void* arg) override
    {
        const auto ps = static_cast<int64_t>(std::llroundl(delta.time_val * 1000));
        m_transport.Schedule(m_rank, PicoSeconds(ps), Call(handler, arg));
    }

    timespec_t sim_get_time() override
    {
        const auto ps = static_cast<long double>(m_transport.Now().GetPicoSeconds());
        return {AstraSim::NS, ps / 1000};
    }

    double get_BW_at_dimension(int dim) override
    {
        const HostId host = m_transport.GetCarrier().GetPlaces()[m_rank].host;
        const auto nic = m_transport.GetFabric().GetRdma(host)->GetDevice(0);
        return dim == 0 ? static_cast<double>(nic->GetDataRate().GetBitRate()) / 8e9 : -1;
    }

    BackendType get_backend_type() override
    {
        return BackendType::NS3;
    }

    void sim_notify_finished() override
    {
        m_finished = m_transport.Now(); // the run ends by itself when nothing is under way
    }

    /// @return when the rank had nothing more to do; 0: it has
    Time GetFinished() const
    {
        return m_finished;
    }

  private:
    /// Tags are not negative.
    static uint64_t Tag(int tag)
    {
        return static_cast<uint32_t>(tag);
    }

    static RankTransport::Done Call(Handler handler, void* arg)
    {
        return [handler, arg] { handler(arg); };
    }

    uint32_t m_rank;
    RankTransport& m_transport;
    Time m_finished;
};

// ---- in place of astra-sim: a ring that knows its API alone

/// One rank of a ring all-reduce: 2 (p - 1) steps, each after the message of the one before.
class RingRank
{
  public:
    RingRank(AstraSim::AstraNetworkAPI& network, int ranks, uint64_t bytes)
        : m_network(network),
          m_next((network.sim_comm_get_rank() + 1) % ranks),
          m_previous((network.sim_comm_get_rank() + ranks - 1) % ranks),
          m_left(2 * (ranks - 1)),
          m_bytes(bytes / ranks)
    {
        m_network.sim_schedule({AstraSim::NS, 1000}, &RingRank::Step, this); // computes for 1 us
    }

  private:
    static void Step(void* self)
    {
        auto& rank = *static_cast<RingRank*>(self);
        if (rank.m_left-- == 0)
        {
            rank.m_network.sim_notify_finished();
            return;
        }
        constexpr int TAG = 500000000; // of all messages of a collective
        rank.m_network
            .sim_send(nullptr, rank.m_bytes, 0, rank.m_next, TAG, nullptr, [](void*) {}, nullptr);
        rank.m_network
            .sim_recv(nullptr, rank.m_bytes, 0, rank.m_previous, TAG, nullptr, &Step, self);
    }

    AstraSim::AstraNetworkAPI& m_network;
    int m_next;
    int m_previous;
    int m_left;       //!< steps
    uint64_t m_bytes; //!< of a message
};

int
main(int argc, char* argv[])
{
    FabricProgram program("Runs a ring all-reduce through the network API of astra-sim.");
    uint32_t ranks = 8;
    uint64_t bytes = 1 << 20;
    program.AddOption("ranks", "ranks, each on a host of a star", ranks);
    program.AddSize("bytes", "bytes that are reduced", bytes);
    return program.Run(argc, argv, [&] {
        if (ranks < 2 || ranks > 1024)
        {
            throw FabricError("--ranks is " + std::to_string(ranks), "it must be 2 to 1024");
        }
        FabricHelper helper(program.GetOptions());
        helper.SetCongestionControl("ns3::RdmaFixedRate");
        helper.SetQueuePair("AckInterval", UintegerValue(65535)); // one ACK a message
        FabricRun run(helper.Star(ranks));
        std::vector<RankPlace> places(ranks);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            places[rank].host = HostId(rank);
        }
        auto& transport = run.Add<RankTransport>(places);
        std::vector<std::unique_ptr<AstraNetwork>> networks;
        std::vector<std::unique_ptr<RingRank>> ring;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const int number = static_cast<int>(rank);
            networks.push_back(std::make_unique<AstraNetwork>(number, transport));
            ring.push_back(
                std::make_unique<RingRank>(*networks.back(), static_cast<int>(ranks), bytes));
        }
        run.Execute();
        Time last;
        for (const auto& network : networks)
        {
            if (network->GetFinished().IsZero() || !transport.IsDone())
            {
                throw FabricError("the ring has not ended", transport.GetError());
            }
            last = std::max(last, network->GetFinished());
        }
        std::cout << "All-reduce of " << bytes << " B by " << ranks << " ranks at "
                  << networks.front()->get_BW_at_dimension(0)
                  << " GB/s: " << (last - MicroSeconds(1)).As(Time::US) << "\n";
    });
}
