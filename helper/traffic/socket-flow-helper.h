// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SOCKET_FLOW_HELPER_H
#define LOSSLESS_SOCKET_FLOW_HELPER_H

#include "socket-flow.h"
#include "traffic-source.h"

#include "ns3/application.h"
#include "ns3/attribute.h"
#include "ns3/callback-guard.h"
#include "ns3/data-rate.h"
#include "ns3/fabric.h"
#include "ns3/inet-socket-address.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * TCP and UDP of the stock IP stack beside the RDMA flows of a fabric:
 *
 * @code
 * SocketFlowHelper sockets(fabric);
 * SocketFlow::Plan plan;
 * plan.destination = 3;
 * plan.bytes = 10000000;
 * auto flow = sockets.AddTcp(plan, "ns3::TcpCubic", {{"MinRto",
 * Create<TimeValue>(MilliSeconds(1))}});
 * @endcode
 *
 * The stack is installed at first use. A flow is in the class that it names, its SYN and its
 * acknowledgements included: packets carry the DSCP of that class. A run waits for the TCP flows
 * of finite size, samples as long, prints a line for them and writes application.csv. What is wrong
 * is a FabricError. Must live until the simulation ends.
 */
class SocketFlowHelper : public TrafficSource
{
  public:
    /// Attributes by name.
    using Attributes = std::vector<std::pair<std::string, Ptr<AttributeValue>>>;

    /// @param fabric where @param begin time from which starts and stops count
    explicit SocketFlowHelper(const Fabric& fabric, Time begin = Time(0));

    /**
     * A TCP connection that sends as fast as it may. Unless said otherwise, here or by
     * Config::SetDefault(), segments fill the MTU and buffers have 4 MiB; ns-3's 536 bytes and
     * 128 KiB are far too small for a fabric.
     * @param plan what is sent
     * @param congestionControl TypeId of a TcpCongestionOps; empty: ns-3's default
     * @param attributes of TcpSocketBase
     * @return the flow
     */
    std::shared_ptr<SocketFlow> AddTcp(SocketFlow::Plan plan,
                                       const std::string& congestionControl = "",
                                       const Attributes& attributes = {});

    /**
     * Datagrams at a constant rate.
     * @param plan what is sent; bytes may be 0: until the stop
     * @param rate payload bits a second
     * @param packetBytes payload of each
     * @param attributes of OnOffApplication, which sends them
     * @return the flow
     */
    std::shared_ptr<SocketFlow> AddUdp(SocketFlow::Plan plan,
                                       const DataRate& rate,
                                       uint32_t packetBytes = 1000,
                                       const Attributes& attributes = {});

    /**
     * Any application of ns-3. What would make it end the program is refused: no address of the
     * peer, a protocol that it cannot use, a port that is taken.
     * @param host where
     * @param factory of the application
     * @param start when it starts
     * @param stop when it stops; 0: it does not
     * @return the application
     */
    Ptr<Application> AddApplication(HostId host,
                                    const ObjectFactory& factory,
                                    Time start,
                                    Time stop = Time(0));

    /// @return the flows, in the order of adding
    const std::vector<std::shared_ptr<SocketFlow>>& GetFlows() const
    {
        return m_flows;
    }

    /// @param stream first random stream to use @return number of streams used
    int64_t AssignStreams(int64_t stream) override;

    // ---- TrafficSource

    std::string GetName() const override;
    Counts GetCounts() const override;
    bool IsAwaited() const override;
    Time GetNextActivity() const override;
    Time GetFirstStart() const override;
    bool MayActByItself() const override;
    uint64_t CountFrom(Time time) const override;
    void ForEachUnfinished(const Unfinished& tell) const override;
    /// What the buffers of TCP sockets hold is still sent.
    void Stop() override;

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    static constexpr uint16_t FIRST_PORT = 5001; //!< of flows
    static constexpr uint16_t LAST_PORT = 49151; //!< above are those that sockets choose

    /// Refuse a plan that cannot be, install the stack, and let times count from time 0.
    void Prepare(SocketFlow::Plan& plan);
    /// FabricError for times of the simulation that cannot be.
    void RequireTimes(Time start, Time stop) const;
    /// @param host a host @param cls a class @return the TOS byte of its packets
    uint8_t TosOf(HostId host, uint32_t cls) const;
    /// Put an application on a host. @param host which @param application it
    static void Install(const Ptr<Node>& host,
                        const Ptr<Application>& application,
                        Time start,
                        Time stop);
    /// @param plan a flow @return a free port of its destination, and reserve that
    InetSocketAddress TakePort(const SocketFlow::Plan& plan);
    /// A sink for a flow. @param port where it listens
    Ptr<PacketSink> MakeSink(const SocketFlow::Plan& plan, uint16_t port);
    /// @param plan a flow @param attributes those that are given @return all that are set
    Attributes TcpAttributes(const SocketFlow::Plan& plan, const Attributes& attributes) const;
    /// The port on which an application listens is its own; FabricError if it is taken.
    void ReservePort(HostId host, const Application& application);
    /// A flow is complete but for its source. @return it
    std::shared_ptr<SocketFlow> Keep(const std::shared_ptr<SocketFlow>& flow,
                                     const Ptr<Application>& source,
                                     const Ptr<PacketSink>& sink);
    /// @param application one that has come; after AssignStreams() it has streams of its own
    void AssignLater(Application& application);
    /// @param index of a flow @return it as an item
    TrafficItem ToItem(std::size_t index) const;

    Fabric m_fabric;
    Time m_begin; //!< from which times count
    std::vector<std::shared_ptr<SocketFlow>> m_flows;
    std::vector<Ptr<Application>> m_applications;         //!< of AddApplication()
    std::vector<Time> m_starts;                           //!< of these, times of the simulation
    std::set<std::tuple<HostId, bool, uint16_t>> m_ports; //!< taken: host, whether TCP, port
    uint16_t m_nextPort{FIRST_PORT};                      //!< where to look for a free one
    int64_t m_nextStream{-1};                             //!< of the next application; -1: not yet
    bool m_stackAssigned{false};                          //!< whether the IP stack has its streams
    CallbackGuard m_guard;                                //!< of flows, which may live on
};

} // namespace ns3

#endif // LOSSLESS_SOCKET_FLOW_HELPER_H
