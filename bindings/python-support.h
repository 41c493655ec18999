// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_SUPPORT_H
#define LOSSLESS_PYTHON_SUPPORT_H

#include "ns3/fabric-error.h"
#include "ns3/fabric-index.h"
#include "ns3/fabric-text.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <exception>
#include <limits>
#include <pybind11/functional.h>
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

/// Before a function that the module of jobs calls: the types of pybind11 are hidden, and so is a
/// function that names them.
#define LOSSLESS_FOR_MODULES __attribute__((visibility("default")))

namespace lossless_python
{

/// @param fabric a fabric @return it
inline const ns3::Fabric&
FabricOf(const ns3::Fabric& fabric)
{
    return fabric;
}

/// @param helper what GetFabric() says to belong to a fabric @return that
template <typename T>
auto
FabricOf(const T& helper) -> decltype(helper.GetFabric())
{
    return helper.GetFabric();
}

/// Whether FabricOf() takes a T.
template <typename T, typename = void>
inline constexpr bool BELONGS_TO_FABRIC = false;

/// Whether FabricOf() takes a T.
template <typename T>
inline constexpr bool
    BELONGS_TO_FABRIC<T, std::void_t<decltype(FabricOf(std::declval<const T&>()))>> = true;

/// What is said of all that Simulator.destroy() has ended.
inline constexpr const char* ENDED =
    "Simulator.destroy() has taken this fabric apart; make another "
    "one";

/// RuntimeError if Simulator.destroy() has ended what an object of Python stands for.
/// @param wrapper an ns3::Object as Python has it
void RequireNotEnded(pybind11::handle wrapper);

/// @param wrapper what a script has made, and what is of no simulation unless it comes to a node
/// @return it
pybind11::object KeepFree(pybind11::object wrapper);

/// Simulator.destroy() ends all objects that Python holds.
void EndWrappers();

/// Whether a T is an object of ns-3 that does not say to which fabric it belongs.
template <typename T>
inline constexpr bool IS_OBJECT = std::is_base_of_v<ns3::Object, T> && !BELONGS_TO_FABRIC<T>;

/// @param thing a fabric, or what belongs to one @return whether Simulator.destroy() has ended it
template <typename T>
bool
IsDestroyed(const T& thing)
{
    return FabricOf(thing).IsDestroyed();
}

} // namespace lossless_python

namespace pybind11::detail
{

/// Whole numbers of C++ that are short: one that is above their range is an error that says so.
/// @tparam T their type
template <typename T>
struct ShortNumberCaster
{
    PYBIND11_TYPE_CASTER(T, const_name("int"));

    /// @param source a Python object @param convert whether it may be converted @return whether it
    /// is a number of this type
    bool load(handle source, bool convert)
    {
        make_caster<unsigned long long> number;
        if (PyBool_Check(source.ptr()) || !number.load(source, convert))
        {
            return false;
        }
        const auto found = cast_op<unsigned long long>(number);
        if (found > std::numeric_limits<T>::max())
        {
            throw value_error(std::to_string(found) + " is too large; it must be at most " +
                              std::to_string(std::numeric_limits<T>::max()));
        }
        value = static_cast<T>(found);
        return true;
    }

    /// @param number of C++ @return an int
    static handle cast(T number, return_value_policy, handle)
    {
        return PyLong_FromUnsignedLong(number);
    }
};

/// One byte.
template <>
struct type_caster<uint8_t> : ShortNumberCaster<uint8_t>
{
};

/// Two bytes.
template <>
struct type_caster<uint16_t> : ShortNumberCaster<uint16_t>
{
};

/// Four bytes.
template <>
struct type_caster<uint32_t> : ShortNumberCaster<uint32_t>
{
};

/// The number of a host, switch, node or link is an int in Python; what is none is None.
template <typename Kind>
struct type_caster<ns3::FabricIndex<Kind>>
{
    PYBIND11_TYPE_CASTER(ns3::FabricIndex<Kind>, const_name("int"));

    /// @param source a Python object @param convert whether it may be converted @return whether it
    /// is a number
    bool load(handle source, bool convert)
    {
        make_caster<uint32_t> number;
        const bool isNumber = number.load(source, convert);
        value = isNumber ? cast_op<uint32_t>(number) : 0;
        return isNumber;
    }

    /// @param index a number, or none @return an int, or None
    static handle cast(ns3::FabricIndex<Kind> index, return_value_policy, handle)
    {
        return index.IsNone() ? pybind11::none().release()
                              : pybind11::int_(index.Value()).release();
    }
};

/// A time. Text that is none is an error that says why; pybind11 would only say that it is no Time.
template <>
struct type_caster<ns3::Time> : public type_caster_base<ns3::Time>
{
    /// @param source a Python object @param convert whether it may be converted @return whether it
    /// is a time
    bool load(handle source, bool convert)
    {
        if (type_caster_base<ns3::Time>::load(source, convert))
        {
            return true;
        }
        if (convert && PyUnicode_Check(source.ptr()))
        {
            ns3::FabricText::ToTime(pybind11::cast<std::string>(source), "Time"); // throws
        }
        return false;
    }
};

/// Ptr<T> counts in the object, so that a holder may be made of a raw pointer at any time.
template <typename T>
struct always_construct_holder<ns3::Ptr<T>> : always_construct_holder<void, true>
{
};

/// As with PYBIND11_DECLARE_HOLDER_TYPE, but None is no object: who takes a Ptr does not ask.
template <typename T>
class type_caster<ns3::Ptr<T>> : public copyable_holder_caster<T, ns3::Ptr<T>>
{
  public:
    /// @param source a Python object @param convert whether it may be converted @return whether it
    /// is one of T
    bool load(handle source, bool convert)
    {
        const bool isOne =
            !source.is_none() && copyable_holder_caster<T, ns3::Ptr<T>>::load(source, convert);
        if (isOne)
        {
            lossless_python::RequireNotEnded(source);
        }
        return isOne;
    }
};

/// How pybind11 reads a Ptr.
template <typename T>
struct holder_helper<ns3::Ptr<T>>
{
    /// @param p a pointer @return the same, raw
    static T* get(const ns3::Ptr<T>& p)
    {
        return ns3::PeekPointer(p);
    }
};

/// What belongs to a fabric that Simulator.destroy() has taken apart is refused, and so is the
/// fabric, whatever takes one; see FabricOf().
template <typename T>
struct type_caster<T, std::enable_if_t<lossless_python::BELONGS_TO_FABRIC<T>>>
    : public type_caster_base<T>
{
    /// @param source a Python object @param convert whether it may be converted @return whether it
    /// is one of T
    bool load(handle source, bool convert)
    {
        if (!type_caster_base<T>::load(source, convert))
        {
            return false;
        }
        if (this->value && lossless_python::IsDestroyed(*static_cast<const T*>(this->value)))
        {
            throw std::runtime_error(lossless_python::ENDED);
        }
        return true;
    }
};

/// An object of a simulation that Simulator.destroy() has ended is refused, too: what it says is
/// stale.
template <typename T>
struct type_caster<T, std::enable_if_t<lossless_python::IS_OBJECT<T>>> : public type_caster_base<T>
{
    /// @param source a Python object @param convert whether it may be converted @return whether it
    /// is one of T
    bool load(handle source, bool convert)
    {
        const bool isOne = type_caster_base<T>::load(source, convert);
        if (isOne)
        {
            lossless_python::RequireNotEnded(source);
        }
        return isOne;
    }
};

} // namespace pybind11::detail

/// What the areas of the bindings have in common.
namespace lossless_python
{

namespace py = pybind11;

/// A class, of which all modules of the package know.
template <typename T, typename... Options, typename... Extra>
py::class_<T, Options...>
Class(py::module_& m, const char* name, Extra&&... extra)
{
    return py::class_<T, Options...>(m, name, std::forward<Extra>(extra)...);
}

/// An ns3::Object. @tparam Base its base class
template <typename T, typename Base>
py::class_<T, Base, ns3::Ptr<T>>
ObjectClass(py::module_& m, const char* name, const char* doc)
{
    return Class<T, Base, ns3::Ptr<T>>(m, name, doc);
}

/**
 * A __repr__ of what belongs to a fabric, which may have been destroyed.
 * @tparam T its class
 * @param name of the class in Python
 * @param describe takes a const T&, returns what follows the name
 * @return the method
 */
template <typename T, typename F>
auto
Repr(const std::string& name, F describe)
{
    return [name, describe](const py::object& self) {
        py::detail::type_caster_base<T> loaded; // does not refuse
        loaded.load(self, false);
        const T& thing = loaded;
        return "<lossless." + name +
               (IsDestroyed(thing) ? std::string(" of a destroyed fabric") : describe(thing)) + ">";
    };
}

/**
 * A __repr__ of an object of ns-3, whose simulation may have ended.
 * @param describe takes a const T&, returns the text
 * @return the method
 */
template <typename T, typename F>
auto
ObjectRepr(F describe)
{
    return [describe](const py::object& self) {
        py::detail::type_caster_base<T> loaded; // does not refuse
        loaded.load(self, false);
        return describe(static_cast<const T&>(loaded));
    };
}

/// @param object an object that C++ lends as const @return it, as Python has no notion of that
template <typename T>
ns3::Ptr<T>
Borrow(const T& object)
{
    return ns3::Ptr<T>(const_cast<T*>(&object));
}

/// Let errors of C++ be those of Python, in a module that is being made.
inline void
TranslateErrors()
{
    py::register_local_exception_translator([](std::exception_ptr error) {
        try
        {
            if (error)
            {
                std::rethrow_exception(error);
            }
        }
        catch (const ns3::FabricError& wrong)
        {
            PyErr_SetString(PyExc_ValueError, wrong.what());
        }
        catch (const py::cast_error&)
        {
            PyErr_SetString(PyExc_TypeError, "a value has the wrong type");
        }
    });
}

// The areas, each in a file of its own. A type must be known before a signature names it.
void BindTime(py::module_& m);       //!< Time, DataRate
void BindObject(py::module_& m);     //!< Object, Part
void BindConfig(py::module_& m);     //!< defaults, paths, random numbers
void BindSimulator(py::module_& m);  //!< Simulator
void BindLink(py::module_& m);       //!< nodes, ports, cables
void BindSwitch(py::module_& m);     //!< switches and their parts
void BindRdma(py::module_& m);       //!< NICs, queue pairs, verbs
void BindCongestion(py::module_& m); //!< congestion controls of Python
void BindFabric(py::module_& m);     //!< topologies, FabricHelper, Fabric
void BindFlows(py::module_& m);      //!< flows and workloads
void BindSafety(py::module_& m);     //!< watchdogs, deadlocks
void BindFaults(py::module_& m);     //!< faults
void BindSockets(py::module_& m);    //!< TCP, UDP, stock applications
void BindInof(py::module_& m);       //!< iNOF, storage
void BindMonitors(py::module_& m);   //!< ping mesh, monitors
void BindWorkloads(py::module_& m);  //!< flow sizes, HPCC scenarios
void BindRun(py::module_& m);        //!< runs, after what they carry
void BindCsv(py::module_& m);        //!< columns of CSV files

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_SUPPORT_H
