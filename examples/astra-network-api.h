// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ASTRA_NETWORK_API_H
#define LOSSLESS_ASTRA_NETWORK_API_H

#include <cstdint>

/// Stands in for the header of astra-sim of the same purpose: what that simulator asks of a
/// network, with the same names, so that astra-network.cc compiles with either.
namespace AstraSim
{

/// Unit of a time.
enum time_type_e
{
    SE = 0,
    MS,
    US,
    NS,
    FS
};

/// A time.
struct timespec_t
{
    time_type_e time_res; //!< its unit
    long double time_val; //!< its number
};

struct sim_request; //!< what the caller notes of a message; a network need not read it

/// The network as one rank sees it.
class AstraNetworkAPI
{
  public:
    /// What kind of network it is.
    enum class BackendType
    {
        NotSpecified = 0,
        Garnet,
        NS3,
        Analytical
    };

    /// Called back. @param arg what was given with it
    using Handler = void (*)(void* arg);

    /// @param rank which
    explicit AstraNetworkAPI(int rank)
        : rank(rank)
    {
    }

    virtual ~AstraNetworkAPI() = default;

    /// @param buffer not read @param count bytes @param type not read @param dst rank that receives
    /// @param tag of the message @param request not read @param handler called when it is sent
    /// @param arg of the handler @return 0
    virtual int sim_send(void* buffer,
                         uint64_t count,
                         int type,
                         int dst,
                         int tag,
                         sim_request* request,
                         Handler handler,
                         void* arg) = 0;
    /// @param buffer not written @param count bytes @param type not read @param src rank that sends
    /// @param tag of the message @param request not read @param handler called when it is here
    /// @param arg of the handler @return 0
    virtual int sim_recv(void* buffer,
                         uint64_t count,
                         int type,
                         int src,
                         int tag,
                         sim_request* request,
                         Handler handler,
                         void* arg) = 0;
    /// @param delta from now @param handler called then @param arg of the handler
    virtual void sim_schedule(timespec_t delta, Handler handler, void* arg) = 0;
    /// @return now
    virtual timespec_t sim_get_time() = 0;

    /// @return the rank
    virtual int sim_comm_get_rank()
    {
        return rank;
    }

    /// @param dim a dimension of the network @return its bandwidth, GB/s; -1: unknown
    virtual double get_BW_at_dimension([[maybe_unused]] int dim)
    {
        return -1;
    }

    /// @return what kind of network it is
    virtual BackendType get_backend_type()
    {
        return BackendType::NotSpecified;
    }

    /// The rank has nothing more to do.
    virtual void sim_notify_finished()
    {
    }

  protected:
    int rank; //!< its number
};

} // namespace AstraSim

#endif // LOSSLESS_ASTRA_NETWORK_API_H
