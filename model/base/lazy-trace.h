// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LAZY_TRACE_H
#define LOSSLESS_LAZY_TRACE_H

#include "ns3/traced-callback.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A TracedCallback of an object of which there are many: a pointer until somebody connects to it.
 *
 * @tparam Ts arguments of the trace source
 */
template <typename... Ts>
class LazyTrace
{
  public:
    /// As TracedCallback's. @param callback the sink
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Sinks().ConnectWithoutContext(callback);
    }

    /// As TracedCallback's. @param callback the sink @param path its first argument
    void Connect(const CallbackBase& callback, std::string path)
    {
        Sinks().Connect(callback, path);
    }

    /// As TracedCallback's. @param callback the sink
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Sinks().DisconnectWithoutContext(callback);
    }

    /// As TracedCallback's. @param callback the sink @param path its first argument
    void Disconnect(const CallbackBase& callback, std::string path)
    {
        Sinks().Disconnect(callback, path);
    }

    /// Call the sinks. @param args arguments of the trace source
    void operator()(Ts... args) const
    {
        if (m_sinks)
        {
            (*m_sinks)(args...);
        }
    }

  private:
    /// @return the list of sinks, made by the first call
    TracedCallback<Ts...>& Sinks()
    {
        if (!m_sinks)
        {
            m_sinks = std::make_unique<TracedCallback<Ts...>>();
        }
        return *m_sinks;
    }

    std::unique_ptr<TracedCallback<Ts...>> m_sinks;
};

} // namespace ns3

#endif // LOSSLESS_LAZY_TRACE_H
