// SPDX-License-Identifier: GPL-2.0-only
#include "unused-schedulers.h"

#include "class-list.h"
#include "fabric-places.h"
#include "fabric-ports.h"
#include "fabric.h"
#include "named-once.h"

#include "ns3/class-rates.h"
#include "ns3/fabric-error.h"
#include "ns3/shaped-scheduler.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t ALL_CLASSES = (1U << TRAFFIC_CLASSES) - 1;

/// What a scheduler has been told.
class Told
{
  public:
    /// @param scheduler what is asked
    explicit Told(const DwrrScheduler& scheduler)
        : m_scheduler(scheduler),
          m_isShaped(dynamic_cast<const ShapedScheduler*>(&scheduler)),
          m_strict(StrictOf(scheduler))
    {
        if (m_isShaped)
        {
            m_max = ReadClassRates(TextOf("MaxRates"), "MaxRates");
            m_min = ReadClassRates(TextOf("MinRates"), "MinRates");
            m_strictRate = LineShare::Read(TextOf("StrictRate"), "StrictRate");
            m_port = LineShare::Read(TextOf("PortRate"), "PortRate");
        }
    }

    /// @return all of it, to tell it from others
    std::string Key() const
    {
        std::string key = m_scheduler.GetInstanceTypeId().GetName() + std::to_string(m_strict);
        for (const char* name : {"Weights", "Quantum", "RoundUnit"})
        {
            key += "|" + TextOf(name);
        }
        for (const char* name :
             {"MaxRates", "MinRates", "StrictRate", "PortRate", "Burst", "Exhausted"})
        {
            key += m_isShaped ? "|" + TextOf(name) : "";
        }
        return key;
    }

    /// @param line of a port, bit/s @return rates that contradict each other there; empty: none do
    std::string FindContradiction(uint64_t line) const
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const uint64_t lowest = m_min[cls].Of(line);
            for (const auto& [name, rate] : {std::pair{"MaxRates", m_max[cls].Of(line)},
                                             std::pair{"StrictRate", StrictLimitOf(cls, line)},
                                             std::pair{"PortRate", m_port.Of(line)}})
            {
                if (rate && lowest > rate)
                {
                    return "MinRates of class " + std::to_string(cls) + " is " +
                           std::to_string(lowest) + " bit/s, and " + name + " allows " +
                           std::to_string(rate) + " bit/s";
                }
            }
        }
        return {};
    }

    /// Name lowest rates that do not all fit. @param fabric that has the scheduler @param line the
    /// slowest of the ports that are told the same, bit/s
    void WarnOfFloors(const Fabric& fabric, uint64_t line) const
    {
        const uint64_t port = m_port.Of(line);
        const uint64_t room = port ? std::min(port, line) : line;
        uint64_t floors = 0;
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            floors += m_min[cls].Of(line);
        }
        if (floors > room)
        {
            WarnOnce(fabric,
                     m_scheduler.GetInstanceTypeId().GetName() + "::MinRates are " +
                         std::to_string(floors) + " bit/s together, and a port sends " +
                         std::to_string(room) + " bit/s",
                     "the highest classes get theirs first; lower them until all fit");
        }
    }

    /// Name what has no effect. @param fabric that has the scheduler @param line the fastest of the
    /// ports that are told the same, bit/s
    void Warn(const Fabric& fabric, uint64_t line) const
    {
        const bool joins = Joins();
        WarnOfStrictWeights(fabric);
        for (const char* name : {"Weights", "Quantum", "RoundUnit"})
        {
            WarnUnless(fabric,
                       m_strict != ALL_CLASSES || (joins && LimitsStrict()),
                       name,
                       "StrictClasses names all classes");
        }
        WarnUnless(fabric,
                   m_strict == ALL_CLASSES || TextOf("RoundUnit") != "Frames",
                   "Quantum",
                   "it is in bytes, and RoundUnit Frames counts frames");
        if (!m_isShaped)
        {
            return;
        }
        WarnUnless(fabric,
                   FollowsStrictRate() || m_strictRate.Text().empty(),
                   "StrictRate",
                   "it is for StrictClasses without a rate in MaxRates");
        WarnUnless(fabric,
                   LimitsStrict(),
                   "Exhausted",
                   "it is for StrictClasses with a highest rate");
        WarnUnless(fabric,
                   LimitsStrict() || !m_port.Text().empty() ||
                       !(TextOf("MaxRates") + TextOf("MinRates")).empty(),
                   "Burst",
                   "no class and no port has a rate");
        WarnAbove(fabric, "PortRate", m_port.Of(line), line);
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            const std::string of = " of class " + std::to_string(cls);
            WarnAbove(fabric, "MaxRates" + of, m_max[cls].Of(line), line);
        }
    }

  private:
    /// @return StrictClasses of a scheduler
    static uint32_t StrictOf(const DwrrScheduler& scheduler)
    {
        UintegerValue strict;
        scheduler.GetAttribute("StrictClasses", strict);
        return static_cast<uint32_t>(strict.Get());
    }

    /// @param name of an attribute @return its value
    std::string TextOf(const std::string& name) const
    {
        StringValue text;
        m_scheduler.GetAttribute(name, text);
        return text.Get();
    }

    /// @return whether a strict class without tokens takes turns with the others
    bool Joins() const
    {
        return m_isShaped && TextOf("Exhausted") == "Join";
    }

    /// @param cls a class @param line bit/s @return what StrictRate holds the class to, bit/s; 0:
    /// it does not
    uint64_t StrictLimitOf(uint32_t cls, uint64_t line) const
    {
        const bool isHeld = (m_strict & (1U << cls)) && m_max[cls].Text().empty() && !Joins();
        return isHeld ? m_strictRate.Of(line) : 0;
    }

    /// Name weights of strict classes, unless all classes are strict.
    void WarnOfStrictWeights(const Fabric& fabric) const
    {
        uint8_t weighted = 0;
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            weighted |= m_scheduler.GetWeight(cls) != 1 ? 1U << cls : 0;
        }
        const uint8_t classes = weighted & m_strict;
        if (classes && m_strict != ALL_CLASSES && !(Joins() && LimitsStrict()))
        {
            WarnOnce(fabric,
                     m_scheduler.GetInstanceTypeId().GetName() + "::Weights of class " +
                         ClassList(classes) + " has no effect",
                     "StrictClasses names it; give it weight 1");
        }
    }

    /// @return whether StrictRate limits some class
    bool FollowsStrictRate() const
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if ((m_strict & (1U << cls)) && m_max[cls].Text().empty())
            {
                return true;
            }
        }
        return false;
    }

    /// @return whether some strict class has a highest rate
    bool LimitsStrict() const
    {
        return m_strict && (!FollowsStrictRate() || !m_strictRate.Text().empty() || LimitsSome());
    }

    /// @return whether MaxRates has a rate for some strict class
    bool LimitsSome() const
    {
        for (uint32_t cls = 0; cls < TRAFFIC_CLASSES; ++cls)
        {
            if ((m_strict & (1U << cls)) && !m_max[cls].Text().empty())
            {
                return true;
            }
        }
        return false;
    }

    /// Name an attribute that has another value than the usual one. @param isRead unless this holds
    /// @param name of it @param right why not, for people
    void WarnUnless(const Fabric& fabric, bool isRead, const char* name, const char* right) const
    {
        TypeId::AttributeInformation info;
        const TypeId type = m_scheduler.GetInstanceTypeId();
        type.LookupAttributeByName(name, &info);
        if (!isRead && TextOf(name) != info.originalInitialValue->SerializeToString(info.checker))
        {
            WarnOnce(fabric, type.GetName() + "::" + name + " has no effect", right);
        }
    }

    /// Name a rate that is above all lines. @param what it is @param rate bit/s @param line bit/s
    void WarnAbove(const Fabric& fabric,
                   const std::string& what,
                   uint64_t rate,
                   uint64_t line) const
    {
        if (rate > line)
        {
            WarnOnce(fabric,
                     m_scheduler.GetInstanceTypeId().GetName() + "::" + what + " is " +
                         std::to_string(rate) + " bit/s, above the lines of its ports",
                     "the rate is that of the line, at most " + std::to_string(line) + " bit/s");
        }
    }

    const DwrrScheduler& m_scheduler; //!< what is asked
    bool m_isShaped;                  //!< it is a ShapedScheduler
    uint32_t m_strict;                //!< StrictClasses
    ClassRates m_max;                 //!< MaxRates
    ClassRates m_min;                 //!< MinRates
    LineShare m_strictRate;           //!< StrictRate
    LineShare m_port;                 //!< PortRate
};

} // namespace

void
CheckSchedulers(const Fabric& fabric, bool refuses)
{
    /// Ports that are told the same.
    struct Alike
    {
        Ptr<const DwrrScheduler> scheduler; //!< of one of them
        uint64_t line;                      //!< the fastest, bit/s
        uint64_t slowest;                   //!< the slowest, bit/s
    };

    std::map<std::string, Alike> alike;
    for (const auto& [node, port, isSwitch, device] : PortsOf(fabric))
    {
        if (const auto scheduler = DynamicCast<DwrrScheduler>(device->GetScheduler()))
        {
            const Told told(*scheduler);
            const uint64_t line = device->GetDataRate().GetBitRate();
            if (const std::string wrong = told.FindContradiction(line); !wrong.empty())
            {
                const std::string place = FabricPlaces::NameOf(fabric.GetTopology(), node) +
                                          " port " + std::to_string(port) + ": ";
                if (refuses)
                {
                    throw FabricError(place + wrong, "it must not exceed that");
                }
                WarnOnce(fabric,
                         place + wrong,
                         "the class gets no more than that; lower its MinRates");
            }
            Alike& some = alike.try_emplace(told.Key(), Alike{scheduler, line, line}).first->second;
            some.line = std::max(some.line, line);
            some.slowest = std::min(some.slowest, line);
        }
    }
    for (const auto& [key, some] : alike)
    {
        const Told told(*some.scheduler);
        told.Warn(fabric, some.line);
        told.WarnOfFloors(fabric, some.slowest);
    }
}

} // namespace ns3
