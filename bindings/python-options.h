// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_OPTIONS_H
#define LOSSLESS_PYTHON_OPTIONS_H

#include "python-rdma.h"
#include "python-support.h"

#include "ns3/option-text.h"

#include <string>
#include <type_traits>

namespace lossless_python
{

/// Define a property of each option that has a keyword. What is none is a TypeError, what cannot be
/// a ValueError. @tparam O struct with ForEachOption(), see ProgramOption @param options its class
template <typename O>
void
DefineOptions(py::class_<O>& options)
{
    O().ForEachOption([&options](const auto& of, const ns3::ProgramOption& field, const auto&) {
        using T = std::decay_t<decltype(of)>;
        if (!field.keyword)
        {
            return;
        }
        const std::string keyword = field.keyword;
        const auto with = [keyword](O& all, const auto& act) {
            all.ForEachOption([&](auto& value, const ns3::ProgramOption& one, const auto& check) {
                if constexpr (std::is_same_v<std::decay_t<decltype(value)>, T>)
                {
                    if (one.keyword && keyword == one.keyword)
                    {
                        act(value, check);
                    }
                }
            });
        };
        const auto wrong = [field](const py::handle& given) {
            return std::string(field.keyword) + " is " + std::string(py::repr(given)) +
                   "; it must be " + field.kind;
        };
        options.def_property(
            field.keyword,
            [with](O& all) {
                T got{};
                with(all, [&got](const T& value, const auto&) { got = value; });
                return got;
            },
            [with, wrong, keyword](O& all, const py::object& given) {
                T wanted{};
                try
                {
                    if constexpr (std::is_same_v<T, uint64_t>)
                    {
                        wanted = ToBytes(given, keyword); // all numbers of 64 bits are sizes
                    }
                    else
                    {
                        wanted = given.cast<T>();
                    }
                }
                catch (const py::cast_error&)
                {
                    throw py::type_error(wrong(given));
                }
                with(all, [&](T& value, const auto& check) {
                    if (!check(wanted))
                    {
                        throw py::value_error(wrong(given));
                    }
                    value = wanted;
                });
            },
            field.help);
    });
}

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_OPTIONS_H
