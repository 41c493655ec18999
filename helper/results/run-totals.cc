// SPDX-License-Identifier: GPL-2.0-only
#include "run-totals.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <type_traits>

namespace ns3
{
namespace
{

/// The totals of the first version of summary.json, in its order: scripts may read them by line.
constexpr const char* FIRST[] = {"flows_total",
                                 "flows_completed",
                                 "lossless_drops",
                                 "lossy_drops",
                                 "pfc_xoff_frames",
                                 "pfc_xon_frames",
                                 "pause_ns_total",
                                 "queue_peak_bytes",
                                 "data_packets",
                                 "data_packet_hops",
                                 "events",
                                 "sim_seconds",
                                 "wall_seconds",
                                 "cpu_seconds",
                                 "peak_rss_bytes",
                                 "seed",
                                 "watchdog_storms",
                                 "watchdog_restored",
                                 "watchdog_disabled",
                                 "watchdog_queue_drops",
                                 "watchdog_ingress_drops",
                                 "nics_stopped",
                                 "deadlocks",
                                 "deadlocks_open",
                                 "deadlock_first_ns",
                                 "deadlock_flushed_frames",
                                 "headroom_drops"};

/// @param name of a total @return its place in FIRST; those that are not there come after
std::size_t
PlaceOf(const std::string& name)
{
    return static_cast<std::size_t>(std::find(std::begin(FIRST), std::end(FIRST), name) -
                                    std::begin(FIRST));
}

/// @param value an integer or a real number @return it as a total has it
template <typename T>
NamedTotal::Value
ToValue(T value, const CounterField&)
{
    if constexpr (std::is_floating_point_v<T>)
    {
        return static_cast<double>(value);
    }
    else if constexpr (std::is_signed_v<T>)
    {
        return static_cast<int64_t>(value);
    }
    else
    {
        return static_cast<uint64_t>(value);
    }
}

/// @param time a time @return it in the unit of the field, nanoseconds or seconds
NamedTotal::Value
ToValue(const Time& time, const CounterField& field)
{
    if (std::string(field.unit) == "ns")
    {
        return int64_t{time.GetNanoSeconds()};
    }
    return static_cast<double>(time.GetPicoSeconds()) / 1e12; // GetSeconds() may be off by a bit
}

/// Appends counters to a list.
class Lister
{
  public:
    /// @param list where counters go @param prefix of their names
    explicit Lister(std::vector<NamedTotal>& list, const std::string& prefix = "")
        : m_list(list),
          m_prefix(prefix)
    {
    }

    /// @param field a counter @param value its value
    template <typename T>
    void operator()(const CounterField& field, const T& value)
    {
        if constexpr (CounterArray<T>::value)
        {
            for (std::size_t i = 0; i < value.size(); ++i)
            {
                Add(NameOfCounter(field, i), field, ToValue(value[i], field));
            }
        }
        else
        {
            Add(field.name, field, ToValue(value, field));
        }
    }

  private:
    void Add(const std::string& name, const CounterField& field, NamedTotal::Value value)
    {
        m_list.push_back({m_prefix + name, field.unit, field.help, value});
    }

    std::vector<NamedTotal>& m_list;
    std::string m_prefix;
};

} // namespace

std::string
NamedTotal::ToText() const
{
    if (const auto* real = std::get_if<double>(&value))
    {
        char text[64];
        std::snprintf(text, sizeof(text), "%.9g", *real);
        return text;
    }
    if (const auto* text = std::get_if<std::string>(&value))
    {
        return '"' + *text + '"';
    }
    const auto* const whole = std::get_if<uint64_t>(&value);
    return whole ? std::to_string(*whole) : std::to_string(std::get<int64_t>(value));
}

std::vector<NamedTotal>
NamedTotal::OfEnd(const std::string& end, Time interrupted, uint64_t run)
{
    std::vector<NamedTotal> totals = {{"end", "", "how the run ended", end},
                                      {"run", "", "run number of the random numbers", run}};
    if (interrupted != Time::Max())
    {
        totals.push_back({"interrupted_at_ns",
                          "ns",
                          "when a signal came",
                          int64_t{interrupted.GetNanoSeconds()}});
    }
    return totals;
}

std::vector<NamedTotal>
RunTotals::List() const
{
    std::vector<NamedTotal> list;
    Lister lister(list);
    ForEachCounter(*this, lister);
    ForEachCounter(rdma, lister);
    ForEachCounter(pfc, lister);
    ForEachPart([&](auto member, const char* prefix) {
        if (const auto& part = this->*member)
        {
            ForEachCounter(*part, Lister(list, prefix));
        }
    });
    std::stable_sort(list.begin(), list.end(), [](const NamedTotal& one, const NamedTotal& other) {
        return PlaceOf(one.name) < PlaceOf(other.name);
    });
    list.insert(list.end(), more.begin(), more.end());
    return list;
}

void
RunTotals::PrintJson(std::ostream& os) const
{
    const char* separator = "{\n";
    for (const NamedTotal& total : List())
    {
        os << separator << "  \"" << total.name << "\": " << total.ToText();
        separator = ",\n";
    }
    if (settings)
    {
        os << separator << "  \"settings\": [";
        separator = "\n";
        for (const SettingDifference& setting : *settings)
        {
            os << separator << "    {\"places\": " << std::quoted(setting.places)
               << ", \"name\": " << std::quoted(setting.name)
               << ", \"default\": " << std::quoted(setting.initial)
               << ", \"value\": " << std::quoted(setting.value) << "}";
            separator = ",\n";
        }
        os << (settings->empty() ? "]" : "\n  ]");
        separator = ",\n";
    }
    os << separator << "  \"findings\": {";
    separator = "";
    for (const auto& [rule, count] : findings)
    {
        os << separator << std::quoted(rule) << ": " << count;
        separator = ", ";
    }
    os << "}";
    os << "\n}\n";
}

} // namespace ns3
