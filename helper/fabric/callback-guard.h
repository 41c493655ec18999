// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CALLBACK_GUARD_H
#define LOSSLESS_CALLBACK_GUARD_H

#include <memory>
#include <utility>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Member of an object that others call back: what it wraps does nothing once it is gone. ns-3 can
 * not disconnect a lambda from a trace, so that a lambda that captures `this` must know.
 */
class CallbackGuard
{
  public:
    CallbackGuard() = default;
    CallbackGuard(const CallbackGuard&) = delete;
    CallbackGuard& operator=(const CallbackGuard&) = delete;

    /// @param function returns nothing @return it, to be called at any time
    template <typename F>
    auto Wrap(F function) const
    {
        return [alive = std::weak_ptr<const char>(m_alive), function](auto&&... arguments) {
            if (!alive.expired())
            {
                function(std::forward<decltype(arguments)>(arguments)...);
            }
        };
    }

  private:
    std::shared_ptr<const char> m_alive{std::make_shared<const char>('\0')};
};

} // namespace ns3

#endif // LOSSLESS_CALLBACK_GUARD_H
