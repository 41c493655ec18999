// SPDX-License-Identifier: GPL-2.0-only
#include "python-support.h"
#include "python-time.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-text.h"
#include "ns3/nstime.h"

namespace lossless_python
{

using namespace ns3;

namespace
{

/// @return text for a time, in the largest unit in which it is whole
std::string
TimeText(const Time& time)
{
    for (const auto& [unit, name] : {std::pair{Time::S, "s"},
                                     std::pair{Time::MS, "ms"},
                                     std::pair{Time::US, "us"},
                                     std::pair{Time::NS, "ns"}})
    {
        const int64_t count = time.ToInteger(unit);
        const Time whole = Time::FromInteger(static_cast<uint64_t>(std::abs(count)), unit);
        if ((count < 0 ? Time(0) - whole : whole) == time)
        {
            return std::to_string(count) + name;
        }
    }
    return std::to_string(time.GetPicoSeconds()) + "ps";
}

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

} // namespace

void
BindTime(py::module_& m)
{
    Class<Time>(m, "Time", "A time, exact to the picosecond: Time(\"5us\"). No unit, no time.")
        .def(py::init([] { return Time(0); }), "Zero.")
        .def(py::init([](const std::string& text) {
                 return text[0] == '-' ? Time(0) - FabricText::ToTime(text.substr(1), "Time")
                                       : FabricText::ToTime(text, "Time");
             }),
             py::arg("text"),
             "From text such as \"1.5us\"; ValueError if it is none.")
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
        .def("__str__", &TimeText)
        .def("__repr__", [](const Time& t) { return "lossless.Time('" + TimeText(t) + "')"; })
        .def("__hash__", [](const Time& t) { return t.GetTimeStep(); })
        .def("__float__", &Seconds)
        .def("__bool__", [](const Time& t) { return !t.IsZero(); })
        .def("__neg__", [](const Time& t) { return Time(0) - t; })
        .def(
            "__mul__",
            [](const Time& t, double f) { return TimeStep(t.GetTimeStep() * f); },
            py::is_operator())
        .def(
            "__rmul__",
            [](const Time& t, double f) { return TimeStep(t.GetTimeStep() * f); },
            py::is_operator())
        .def(
            "__truediv__",
            [](const Time& t, const Time& u) {
                if (u.IsZero())
                {
                    PyErr_SetString(PyExc_ZeroDivisionError, "division by a time of zero");
                    throw py::error_already_set();
                }
                return static_cast<double>(t.GetTimeStep()) / static_cast<double>(u.GetTimeStep());
            },
            py::is_operator())
        .def(py::self + py::self)
        .def(py::self - py::self)
        .def(py::self < py::self)
        .def(py::self <= py::self)
        .def(py::self > py::self)
        .def(py::self >= py::self)
        .def(py::self == py::self)
        .def(py::self != py::self)
        .def(py::pickle([](const Time& t) { return t.GetPicoSeconds(); },
                        [](int64_t ps) { return PicoSeconds(ps); }));
    py::implicitly_convertible<py::str, Time>();

    Class<DataRate>(m, "DataRate", "A rate: DataRate(\"100Gbps\"), or a number of bit/s.")
        .def(py::init(
                 [](const std::string& text) { return FabricText::ToRate(text, "DataRate", 0); }),
             py::arg("text"),
             "From text such as \"25Gbps\"; ValueError if it is none.")
        .def(py::init<uint64_t>(), py::arg("bits_per_second"))
        .def_property_readonly("bits_per_second", &DataRate::GetBitRate, "Bits a second.")
        .def("__str__", &RateText)
        .def("__repr__",
             [](const DataRate& r) { return "lossless.DataRate('" + RateText(r) + "')"; })
        .def("__hash__", &DataRate::GetBitRate)
        .def("__float__", [](const DataRate& r) { return static_cast<double>(r.GetBitRate()); })
        .def(py::self < py::self)
        .def(py::self <= py::self)
        .def(py::self > py::self)
        .def(py::self >= py::self)
        .def(py::self == py::self)
        .def(py::self != py::self);
    py::implicitly_convertible<py::str, DataRate>();
    py::implicitly_convertible<py::int_, DataRate>();
}

} // namespace lossless_python
