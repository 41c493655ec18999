// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHED_TRACE_H
#define LOSSLESS_WATCHED_TRACE_H

#include "ns3/traced-callback.h"

#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A TracedCallback of the data path, with a flag that says whether anybody has ever connected to
 * it. Several trace sources of an object share one flag, which lies where the data path reads
 * anyway: lists without sinks then cost no cache line.
 *
 * @tparam Ts arguments of the trace source
 */
template <typename... Ts>
class WatchedTrace
{
  public:
    /// @param watched set by the first Connect(); outlives this object
    explicit WatchedTrace(bool& watched)
        : m_watched(watched)
    {
    }

    /// As TracedCallback's. @param callback the sink
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        m_watched = true;
        m_sinks.ConnectWithoutContext(callback);
    }

    /// As TracedCallback's. @param callback the sink @param path its first argument
    void Connect(const CallbackBase& callback, std::string path)
    {
        m_watched = true;
        m_sinks.Connect(callback, path);
    }

    /// As TracedCallback's. @param callback the sink
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        m_sinks.DisconnectWithoutContext(callback);
    }

    /// As TracedCallback's. @param callback the sink @param path its first argument
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        m_sinks.Disconnect(callback, path);
    }

    /// Call the sinks. @param args arguments of the trace source
    void operator()(Ts... args) const
    {
        m_sinks(args...);
    }

    /// @return whether nobody is connected
    bool IsEmpty() const
    {
        return m_sinks.IsEmpty();
    }

  private:
    TracedCallback<Ts...> m_sinks;
    bool& m_watched;
};

} // namespace ns3

#endif // LOSSLESS_WATCHED_TRACE_H
