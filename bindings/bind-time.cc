// SPDX-License-Identifier: GPL-2.0-only
#include "python-support.h"
#include "python-time.h"

#include "ns3/data-rate.h"
#include "ns3/exact-text.h"
#include "ns3/fabric-text.h"
#include "ns3/nstime.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return text for a rate, in the largest unit in which it is whole
std::string
RateText(const DataRate& rate)
{
    const uint64_t bits = rate.GetBitRate();
    for (const auto& [size, name] : {std::pair{1000000000ULL, "Gbps"},
                                     std::pair{1000000ULL, "Mbps"},
                                     std::pair{1000ULL, "kbps"}})
    {
        if (bits >= size && bits % size == 0)
        {
            return std::to_string(bits / size) + name;
        }
    }
    return std::to_string(bits) + "bps";
}

/// @param ticks of a time, exact or nearly so @return the time; OverflowError if
/// there is none
Time
ToChecked(double ticks)
{
    if (std::isnan(ticks))
    {
        throw py::value_error("a time is no number");
    }
    if (!(std::abs(ticks) < 0x1p63))
    {
        throw std::overflow_error("a time is at most 106 days (2^63 ps)");
    }
    return TimeStep(static_cast<uint64_t>(static_cast<int64_t>(std::round(ticks))));
}

Time
Add(const Time& a, const Time& b)
{
    int64_t ticks = 0;
    if (__builtin_add_overflow(a.GetTimeStep(), b.GetTimeStep(), &ticks))
    {
        return ToChecked(HUGE_VAL);
    }
    return Time(ticks);
}

Time
Subtract(const Time& a, const Time& b)
{
    int64_t ticks = 0;
    if (__builtin_sub_overflow(a.GetTimeStep(), b.GetTimeStep(), &ticks))
    {
        return ToChecked(HUGE_VAL);
    }
    return Time(ticks);
}

/// @param divisor what something is divided by; ZeroDivisionError if it is 0
void
RequireNonZero(double divisor)
{
    if (divisor == 0)
    {
        PyErr_SetString(PyExc_ZeroDivisionError, "division by zero");
        throw py::error_already_set();
    }
}

/// @param spec "" or as for text; as for a number, with a unit after it: ".2fus"; as for a number
/// alone: in the largest unit in which the number is 1 or more @return the text, with the unit
std::string
FormatTime(const Time& time, const std::string& spec)
{
    const auto format = py::module_::import("builtins").attr("format");
    const auto count = static_cast<double>(time.GetPicoSeconds());
    const bool isOfNumber =
        !spec.empty() && std::string("eEfFgG").find(spec.back()) != std::string::npos;
    for (const auto& [name, ticks] : {std::pair{"ms", 1e9},
                                      std::pair{"us", 1e6},
                                      std::pair{"ns", 1e3},
                                      std::pair{"ps", 1.0},
                                      std::pair{"s", 1e12}})
    {
        const std::string unit(name);
        if (spec.size() > unit.size() &&
            spec.compare(spec.size() - unit.size(), unit.size(), unit) == 0)
        {
            const std::string rest = spec.substr(0, spec.size() - unit.size());
            return std::string(py::str(format(count / ticks, rest))) + unit;
        }
    }
    if (!isOfNumber)
    {
        return py::str(format(ExactText(time), spec));
    }
    const double size = std::abs(count);
    const auto [unit, ticks] = size >= 1e12 || size == 0 ? std::pair{"s", 1e12}
                               : size >= 1e9             ? std::pair{"ms", 1e9}
                               : size >= 1e6             ? std::pair{"us", 1e6}
                               : size >= 1e3             ? std::pair{"ns", 1e3}
                                                         : std::pair{"ps", 1.0};
    return std::string(py::str(format(count / ticks, spec))) + unit;
}

/// @param bits a second @return the rate; OverflowError or ValueError if there is
/// none
DataRate
ToRate(double bits)
{
    if (std::isnan(bits) || bits < 0)
    {
        throw py::value_error("a rate is 0 or more");
    }
    if (bits >= 0x1p64)
    {
        throw std::overflow_error("a rate is less than 2^64 bit/s");
    }
    return DataRate(static_cast<uint64_t>(std::round(bits)));
}

double
Bits(const DataRate& rate)
{
    return static_cast<double>(rate.GetBitRate());
}

/// @return whether a value is of the same type, and equal: text is not, as its hash is another one
template <typename T>
bool
IsEqual(const T& value, const py::object& other)
{
    return py::isinstance<T>(other) && value == other.cast<const T&>();
}

template <typename T>
bool
IsUnequal(const T& value, const py::object& other)
{
    return !IsEqual(value, other);
}

/// Arithmetic of Time, exact where it can be.
void
BindTimeOperators(py::class_<Time>& time)
{
    const auto multiply = [](const Time& t, double f) {
        return ToChecked(static_cast<double>(t.GetTimeStep()) * f);
    };
    const auto multiplyExactly = [multiply](const Time& t, int64_t f) {
        int64_t ticks = 0;
        return __builtin_mul_overflow(t.GetTimeStep(), f, &ticks) ? ToChecked(HUGE_VAL)
                                                                  : Time(ticks);
    };
    time.def("__mul__", multiplyExactly, py::arg("factor"), py::is_operator())
        .def("__mul__", multiply, py::arg("factor"), py::is_operator())
        .def("__rmul__", multiplyExactly, py::arg("factor"), py::is_operator())
        .def("__rmul__", multiply, py::arg("factor"), py::is_operator())
        .def(
            "__truediv__",
            [](const Time& t, const Time& u) {
                RequireNonZero(static_cast<double>(u.GetTimeStep()));
                return static_cast<double>(t.GetTimeStep()) / static_cast<double>(u.GetTimeStep());
            },
            py::arg("other"),
            py::is_operator())
        .def(
            "__truediv__",
            [](const Time& t, double divisor) {
                RequireNonZero(divisor);
                return ToChecked(static_cast<double>(t.GetTimeStep()) / divisor);
            },
            py::arg("other"),
            py::is_operator())
        .def(
            "__floordiv__",
            [](const Time& t, const Time& u) {
                RequireNonZero(static_cast<double>(u.GetTimeStep()));
                return py::int_(t.GetTimeStep()).attr("__floordiv__")(u.GetTimeStep());
            },
            py::arg("other"),
            py::is_operator())
        .def(
            "__mod__",
            [](const Time& t, const Time& u) {
                RequireNonZero(static_cast<double>(u.GetTimeStep()));
                return Time(
                    py::int_(t.GetTimeStep()).attr("__mod__")(u.GetTimeStep()).cast<int64_t>());
            },
            py::arg("other"),
            py::is_operator())
        .def("__add__", &Add, py::arg("other"), py::is_operator())
        .def("__sub__", &Subtract, py::arg("other"), py::is_operator())
        .def("__neg__", [](const Time& t) { return Subtract(Time(0), t); })
        .def("__abs__", [](const Time& t) { return t.IsNegative() ? Subtract(Time(0), t) : t; })
        .def("__hash__", [](const Time& t) { return t.GetTimeStep(); })
        .def("__float__", &Seconds)
        .def("__bool__", [](const Time& t) { return !t.IsZero(); })
        .def("__format__", &FormatTime, py::arg("spec"))
        .def(py::self < py::self)
        .def(py::self <= py::self)
        .def(py::self > py::self)
        .def(py::self >= py::self)
        .def("__eq__", &IsEqual<Time>, py::arg("other"), py::is_operator())
        .def("__ne__", &IsUnequal<Time>, py::arg("other"), py::is_operator());
}

/// Arithmetic of DataRate.
void
BindRateOperators(py::class_<DataRate>& rate)
{
    const auto multiply = [](const DataRate& r, double f) { return ToRate(Bits(r) * f); };
    rate.def("__mul__", multiply, py::arg("factor"), py::is_operator())
        .def("__rmul__", multiply, py::arg("factor"), py::is_operator())
        .def(
            "__mul__",
            [](const DataRate& r, const Time& t) {
                return Bits(r) * static_cast<double>(t.GetPicoSeconds()) / 8e12;
            },
            py::arg("time"),
            py::is_operator(),
            "Bytes in a time.")
        .def(
            "__truediv__",
            [](const DataRate& r, const DataRate& other) {
                RequireNonZero(Bits(other));
                return Bits(r) / Bits(other);
            },
            py::arg("other").noconvert(), // a number is a divisor, no rate
            py::is_operator())
        .def(
            "__truediv__",
            [](const DataRate& r, double divisor) {
                RequireNonZero(divisor);
                return ToRate(Bits(r) / divisor);
            },
            py::arg("other"),
            py::is_operator())
        .def(
            "__add__",
            [](const DataRate& a, const DataRate& b) {
                const uint64_t sum = a.GetBitRate() + b.GetBitRate();
                return sum < a.GetBitRate() ? ToRate(HUGE_VAL) : DataRate(sum);
            },
            py::arg("other"),
            py::is_operator())
        .def(
            "__sub__",
            [](const DataRate& a, const DataRate& b) {
                return a < b ? ToRate(-1) : DataRate(a.GetBitRate() - b.GetBitRate());
            },
            py::arg("other"),
            py::is_operator())
        .def("__hash__", &DataRate::GetBitRate)
        .def("__float__", &Bits)
        .def("__bool__", [](const DataRate& r) { return r.GetBitRate() > 0; })
        .def(py::self < py::self)
        .def(py::self <= py::self)
        .def(py::self > py::self)
        .def(py::self >= py::self)
        .def("__eq__", &IsEqual<DataRate>, py::arg("other"), py::is_operator())
        .def("__ne__", &IsUnequal<DataRate>, py::arg("other"), py::is_operator());
}

} // namespace

void
BindTime(py::module_& m)
{
    auto time =
        Class<Time>(m, "Time", "A time, exact to the picosecond: Time(\"5us\").")
            .def(py::init([] { return Time(0); }), "Zero.")
            .def(py::init([](const std::string& text) {
                     return !text.empty() && text[0] == '-'
                                ? Time(0) - FabricText::ToTime(text.substr(1), "Time")
                                : FabricText::ToTime(text, "Time");
                 }),
                 py::arg("text"),
                 "From text such as \"1.5us\"; ValueError if it is none.")
            .def(py::init([](const py::int_& zero) {
                     if (py::isinstance<py::bool_>(zero) || !zero.equal(py::int_(0)))
                     {
                         throw py::type_error(std::string(py::repr(zero)) +
                                              " is no time; write for example \"5us\"");
                     }
                     return Time(0);
                 }),
                 py::arg("zero"),
                 "From 0, the only number that is a time without a unit.")
            .def_property_readonly("seconds", &Seconds, "Seconds, as a float.")
            .def_property_readonly(
                "ms",
                [](const Time& t) { return static_cast<double>(t.GetPicoSeconds()) / 1e9; },
                "Milliseconds, as a float.")
            .def_property_readonly(
                "us",
                [](const Time& t) { return static_cast<double>(t.GetPicoSeconds()) / 1e6; },
                "Microseconds, as a float.")
            .def_property_readonly(
                "ns",
                [](const Time& t) { return static_cast<double>(t.GetPicoSeconds()) / 1e3; },
                "Nanoseconds, as a float.")
            .def_property_readonly("ps", &Time::GetPicoSeconds, "Picoseconds, exact.")
            .def("__str__", py::overload_cast<const Time&>(&ExactText))
            .def("__repr__", [](const Time& t) { return "lossless.Time('" + ExactText(t) + "')"; })
            .def(py::pickle([](const Time& t) { return t.GetPicoSeconds(); },
                            [](int64_t ps) { return PicoSeconds(ps); }));
    BindTimeOperators(time);
    py::implicitly_convertible<py::str, Time>();
    py::implicitly_convertible<py::int_, Time>();

    auto rate =
        Class<DataRate>(
            m,
            "DataRate",
            "A rate: DataRate(\"100Gbps\"), or a number of bit/s, which is rounded to a whole one.")
            .def(py::init([](const std::string& text) {
                     return FabricText::ToRate(text, "DataRate", 0);
                 }),
                 py::arg("text"),
                 "From text such as \"25Gbps\"; ValueError if it is none.")
            .def(py::init(&ToRate),
                 py::arg("bits_per_second"),
                 "From a number of bit/s, rounded to a whole one.")
            .def_property_readonly("bits_per_second", &DataRate::GetBitRate, "Bits a second.")
            .def("__str__", &RateText)
            .def("__repr__",
                 [](const DataRate& r) { return "lossless.DataRate('" + RateText(r) + "')"; })
            .def(py::pickle([](const DataRate& r) { return r.GetBitRate(); },
                            [](uint64_t bits) { return DataRate(bits); }));
    BindRateOperators(rate);
    py::implicitly_convertible<py::str, DataRate>();
    py::implicitly_convertible<py::int_, DataRate>();
}

} // namespace lossless_python
