// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_COUNTERS_H
#define LOSSLESS_PYTHON_COUNTERS_H

#include "python-support.h"

#include "ns3/counter-fields.h"

#include <cstddef>

namespace lossless_python
{

/// Add counters to a dictionary, by name. An array whose elements have names is a dictionary of
/// those that are not 0, another one is a list. @param all where to @param counters a struct
template <typename C>
void
AddCountersTo(py::dict& all, const C& counters)
{
    ns3::ForEachCounter(counters, [&all](const ns3::CounterField& field, const auto& value) {
        if constexpr (ns3::CounterArray<std::decay_t<decltype(value)>>::value)
        {
            if (field.label)
            {
                py::dict named;
                for (std::size_t i = 0; i < value.size(); ++i)
                {
                    if (value[i] > 0)
                    {
                        named[field.label(i)] = value[i];
                    }
                }
                all[field.name] = named;
                return;
            }
        }
        all[field.name] = py::cast(value);
    });
}

/// @param counters a struct of counters @return them by name
template <typename C>
py::dict
ToDict(const C& counters)
{
    py::dict all;
    AddCountersTo(all, counters);
    return all;
}

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_COUNTERS_H
