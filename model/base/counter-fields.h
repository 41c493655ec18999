// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COUNTER_FIELDS_H
#define LOSSLESS_COUNTER_FIELDS_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Name, unit and meaning of a counter. A struct of counters lists its members once, in a static
 * method that calls a visitor with each member:
 *
 * @code
 * template <typename Visit>
 * static constexpr void ForEach(Visit&& visit)
 * {
 *     visit(&Counters::storms, {"storms", "storms", "storms detected"});
 * }
 * @endcode
 *
 * Sums, result files, Python and the documents read that list. A member is an integer or a
 * std::array of integers.
 */
struct CounterField
{
    /// How two counters are merged.
    enum Merge : uint8_t
    {
        SUM, //!< add the counters
        MAX  //!< keep the larger counter: a peak
    };

    /// @param index of an element of an array @return its name, such as "no-route"
    typedef const char* (*Label)(std::size_t index);

    const char* name;     //!< in files and Python, such as "data_packets"
    const char* unit;     //!< such as "frames", "bytes" or "ns"
    const char* help;     //!< one sentence without a full stop
    Merge merge{SUM};     //!< how two counters are merged
    Label label{nullptr}; //!< names of the elements of an array; null: their indices
};

/// @ingroup lossless
/// Tells an array of counters from a single counter. @tparam T type of a member
template <typename T>
struct CounterArray : std::false_type
{
};

/// @ingroup lossless
/// A member of several counters.
template <typename T, std::size_t N>
struct CounterArray<std::array<T, N>> : std::true_type
{
    static constexpr std::size_t SIZE = N; //!< number of counters
};

/// @ingroup lossless
/// @tparam C a struct of counters
/// @return whether ForEach() visits every member: the visited members must fill the struct
template <typename C>
constexpr bool
AreAllCountersVisited()
{
    std::size_t bytes = 0;
    C::ForEach([&bytes](auto member, const CounterField&) {
        bytes += sizeof(std::declval<C&>().*member);
    });
    return bytes == sizeof(C);
}

/// @ingroup lossless
/// Call a function with each counter of a struct. @param counters the struct
/// @param tell called with (field, value), a value being an integer or an array of integers
template <typename C, typename Tell>
void
ForEachCounter(const C& counters, Tell&& tell)
{
    C::ForEach([&](auto member, const CounterField& field) { tell(field, counters.*member); });
}

/// @ingroup lossless
/// Add counters; of peaks keep the larger. @param into the sum @param more the counters to add
/// @return into
template <typename C>
C&
AddCounters(C& into, const C& more)
{
    const auto add = [](auto& one, const auto& other, CounterField::Merge merge) {
        one = merge == CounterField::MAX ? std::max(one, other) : one + other;
    };
    C::ForEach([&](auto member, const CounterField& field) {
        auto& one = into.*member;
        const auto& other = more.*member;
        if constexpr (CounterArray<std::decay_t<decltype(one)>>::value)
        {
            for (std::size_t i = 0; i < one.size(); ++i)
            {
                add(one[i], other[i], field.merge);
            }
        }
        else
        {
            add(one, other, field.merge);
        }
    });
    return into;
}

/// @ingroup lossless
/// @param now counters @param then the same counters at an earlier time
/// @return the differences; peaks are the peaks of now
template <typename C>
C
CountersSince(C now, const C& then)
{
    C::ForEach([&](auto member, const CounterField& field) {
        if (field.merge == CounterField::MAX)
        {
            return;
        }
        auto& one = now.*member;
        const auto& other = then.*member;
        if constexpr (CounterArray<std::decay_t<decltype(one)>>::value)
        {
            for (std::size_t i = 0; i < one.size(); ++i)
            {
                one[i] -= other[i];
            }
        }
        else
        {
            one -= other;
        }
    });
    return now;
}

/// @ingroup lossless
/// @param counters a struct of counters @return whether one of them is above 0
template <typename C>
bool
HasCounted(const C& counters)
{
    bool hasCounted = false;
    ForEachCounter(counters, [&hasCounted](const CounterField&, const auto& value) {
        if constexpr (CounterArray<std::decay_t<decltype(value)>>::value)
        {
            hasCounted = hasCounted || value != std::decay_t<decltype(value)>{};
        }
        else
        {
            hasCounted = hasCounted || value > 0;
        }
    });
    return hasCounted;
}

/// @ingroup lossless
/// @tparam C a struct of counters @return its fields, in the order of the visitor
template <typename C>
std::vector<CounterField>
ListCounters()
{
    std::vector<CounterField> fields;
    C::ForEach([&fields](auto, const CounterField& field) { fields.push_back(field); });
    return fields;
}

/// @ingroup lossless
/// @param field an array of counters @param index of an element @return name of the element, such
/// as "drops_no_route"
inline std::string
NameOfCounter(const CounterField& field, std::size_t index)
{
    std::string name = field.label ? field.label(index) : std::to_string(index);
    std::replace(name.begin(), name.end(), '-', '_');
    return std::string(field.name) + "_" + name;
}

} // namespace ns3

#endif // LOSSLESS_COUNTER_FIELDS_H
