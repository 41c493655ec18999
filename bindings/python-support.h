// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_SUPPORT_H
#define LOSSLESS_PYTHON_SUPPORT_H

#include "ns3/fabric.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <pybind11/functional.h>
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <stdexcept>
#include <string>
#include <utility>

namespace pybind11::detail
{

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
        return !source.is_none() && copyable_holder_caster<T, ns3::Ptr<T>>::load(source, convert);
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

/// A Fabric that Simulator.destroy() has taken apart is refused, whatever takes one.
template <>
struct type_caster<ns3::Fabric> : public type_caster_base<ns3::Fabric>
{
    /// @param source a Python object @param convert whether it may be converted @return whether it
    /// is a fabric
    bool load(handle source, bool convert)
    {
        if (!type_caster_base<ns3::Fabric>::load(source, convert))
        {
            return false;
        }
        if (value && static_cast<const ns3::Fabric*>(value)->IsDestroyed())
        {
            throw std::runtime_error("Simulator.destroy() has taken this fabric apart; make "
                                     "another one");
        }
        return true;
    }
};

} // namespace pybind11::detail

/// What the areas of the bindings have in common.
namespace lossless_python
{

namespace py = pybind11;

/// A class of the module. Local to it: another module of ns-3 may know the same C++ type.
template <typename T, typename... Options, typename... Extra>
py::class_<T, Options...>
Class(py::module_& m, const char* name, Extra&&... extra)
{
    return py::class_<T, Options...>(m, name, py::module_local(), std::forward<Extra>(extra)...);
}

/// An ns3::Object. @tparam Base its base class
template <typename T, typename Base>
py::class_<T, Base, ns3::Ptr<T>>
ObjectClass(py::module_& m, const char* name, const char* doc)
{
    return Class<T, Base, ns3::Ptr<T>>(m, name, doc);
}

/// @param object an object that C++ lends as const @return it, as Python has no notion of that
template <typename T>
ns3::Ptr<T>
Borrow(const T& object)
{
    return ns3::Ptr<T>(const_cast<T*>(&object));
}

// The areas, each in a file of its own. A type must be known before a signature names it.
void BindTime(py::module_& m);      //!< Time, DataRate
void BindObject(py::module_& m);    //!< Object, Part
void BindConfig(py::module_& m);    //!< defaults, paths, random numbers
void BindSimulator(py::module_& m); //!< Simulator
void BindLink(py::module_& m);      //!< nodes, ports, cables
void BindSwitch(py::module_& m);    //!< switches and their parts
void BindRdma(py::module_& m);      //!< NICs, queue pairs, verbs
void BindFabric(py::module_& m);    //!< topologies, FabricHelper, Fabric
void BindFlows(py::module_& m);     //!< flows and workloads
void BindSafety(py::module_& m);    //!< watchdogs, deadlocks
void BindFaults(py::module_& m);    //!< faults
void BindSockets(py::module_& m);   //!< TCP, UDP, stock applications
void BindInof(py::module_& m);      //!< iNOF, storage
void BindMonitors(py::module_& m);  //!< ping mesh, monitors
void BindWorkloads(py::module_& m); //!< flow sizes, HPCC scenarios
void BindStats(py::module_& m);     //!< statistics
void BindCsv(py::module_& m);       //!< columns of CSV files

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_SUPPORT_H
