// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EXTENSION_HOOKS_H
#define LOSSLESS_EXTENSION_HOOKS_H

#include "switch-extension.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The ECN marker and the extensions of a switch, and the hooks of the switch pipeline at which each
 * of them is called. A hook without extensions costs one comparison.
 */
class ExtensionHooks
{
  public:
    /**
     * Set the ECN marker. Takes effect at the next Start(). The previous marker is no longer
     * called, even if it was added as an extension.
     * @param marker called before the extensions, unless it was added as one of them; null: none
     */
    void SetMarker(const Ptr<SwitchExtension>& marker);

    /// @param extension called after all earlier extensions, from the next Start() on
    void Add(const Ptr<SwitchExtension>& extension);

    /// @param extension an extension @return whether it was added
    bool Has(const Ptr<SwitchExtension>& extension) const;

    /// @return number of extensions
    uint32_t GetN() const;

    /// @param index counted from 0, in the order of adding @return an extension
    Ptr<SwitchExtension> Get(uint32_t index) const;

    /**
     * Start the extensions, and ask each for its hooks.
     * @param owner the switch
     */
    void Start(FabricSwitch& owner);

    /// @return whether an extension has a hook
    bool Any() const
    {
        return m_any;
    }

    /// The switch restarts: marker and extensions forget their state. Start() follows.
    void Restarted();

    /// Dispose of marker and extensions, which are never called again.
    void Dispose();

    /**
     * Fix the random streams of the extensions; the switch does so for the marker.
     * @param stream first random stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    // ---- the pipeline, see SwitchExtension

    /// @param frame the frame @param inPort ingress port
    void Arrived(Frame& frame, uint32_t inPort) const
    {
        for (auto* extension : m_onArrival)
        {
            extension->Arrived(frame, inPort);
        }
    }

    /// @param frame the frame @param outPort egress port
    /// @return the first verdict other than FORWARD; else FORWARD
    SwitchExtension::Verdict Routed(Frame& frame, uint32_t outPort) const
    {
        return Ask(m_onRoute, frame, outPort);
    }

    /// @param frame a frame that an extension forwards @param outPort egress port
    /// @return the first verdict other than FORWARD; else FORWARD
    SwitchExtension::Verdict Forwarded(Frame& frame, uint32_t outPort) const
    {
        return Ask(m_onForward, frame, outPort);
    }

    /// @param frame a frame for which there is no room @param outPort egress port
    /// @return whether an extension has changed the frame
    bool Refused(Frame& frame, uint32_t outPort) const
    {
        for (auto* extension : m_onRefused)
        {
            if (extension->Refused(frame, outPort))
            {
                return true;
            }
        }
        return false;
    }

    /// @param frame a frame without a route @return whether an extension has taken it over
    bool Unrouted(Frame* frame) const
    {
        for (auto* extension : m_onUnrouted)
        {
            if (extension->Unrouted(frame))
            {
                return true;
            }
        }
        return false;
    }

    /// @param frame the frame @param outPort egress port @param queueBytes frame bytes in its queue
    void Enqueued(Frame& frame, uint32_t outPort, uint64_t queueBytes) const
    {
        for (auto* extension : m_onEnqueue)
        {
            extension->Enqueued(frame, outPort, queueBytes);
        }
    }

    /// @param frame the frame @param outPort egress port @param queueBytes frame bytes that remain
    /// in its queue
    void Dequeued(Frame& frame, uint32_t outPort, uint64_t queueBytes) const
    {
        for (auto* extension : m_onDequeue)
        {
            extension->Dequeued(frame, outPort, queueBytes);
        }
    }

    /// @param port the port @param pausedMask classes paused now
    void PauseChanged(uint32_t port, uint8_t pausedMask) const
    {
        for (auto* extension : m_onPause)
        {
            extension->PauseChanged(port, pausedMask);
        }
    }

  private:
    /// @param hooked the extensions to ask @param frame the frame @param outPort egress port
    /// @return the first verdict other than FORWARD; else FORWARD
    static SwitchExtension::Verdict Ask(const std::vector<SwitchExtension*>& hooked,
                                        Frame& frame,
                                        uint32_t outPort)
    {
        for (auto* extension : hooked)
        {
            const auto verdict = extension->Routed(frame, outPort);
            if (verdict.kind != SwitchExtension::Verdict::FORWARD)
            {
                return verdict;
            }
        }
        return {};
    }

    /// @return the lists of extensions, one for each hook
    std::array<std::vector<SwitchExtension*>*, 8> AllHooks();
    /// Empty the lists of all hooks.
    void Forget();
    /// @return marker and extensions in the order in which they are called
    std::vector<Ptr<SwitchExtension>> InOrder() const;
    /// Put an extension into the lists of its hooks. @param extension the extension, started
    void Hook(SwitchExtension* extension);

    std::vector<SwitchExtension*> m_onArrival; //!< extensions with this hook; likewise below
    std::vector<SwitchExtension*> m_onRoute;
    std::vector<SwitchExtension*> m_onForward;
    std::vector<SwitchExtension*> m_onRefused;
    std::vector<SwitchExtension*> m_onUnrouted;
    std::vector<SwitchExtension*> m_onEnqueue;
    std::vector<SwitchExtension*> m_onDequeue;
    std::vector<SwitchExtension*> m_onPause;
    std::vector<Ptr<SwitchExtension>> m_extensions; //!< in the order of adding
    Ptr<SwitchExtension> m_marker;                  //!< SetMarker()
    bool m_any{false};                              //!< some list is not empty
};

} // namespace ns3

#endif // LOSSLESS_EXTENSION_HOOKS_H
