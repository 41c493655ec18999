// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_ARGUMENTS_H
#define LOSSLESS_PYTHON_ARGUMENTS_H

#include "python-frame.h"
#include "python-support.h"

#include "ns3/object.h"

#include <array>
#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

// What Python gets of the arguments of a callback: numbers by value, objects by reference, the rest
// as a copy. A scenario may call millions of times, hence by hand what pybind11 does in general.
// All of it with the interpreter's lock held.

namespace lossless_python
{

/// Objects of Python for C++ values that are copied: one that nobody has kept after a call is used
/// again for the next one.
template <typename T>
class Copies
{
  public:
    /// @param value what is copied @return a new reference; null and an error if there is none
    static PyObject* Make(const T& value)
    {
        if (s_count > 0)
        {
            PyObject* object = s_spare[--s_count];
            *ValueOf(object) = value;
            return object;
        }
        try
        {
            return py::cast(value).release().ptr();
        }
        catch (const py::cast_error& error)
        {
            PyErr_SetString(PyExc_TypeError, error.what());
            return nullptr;
        }
    }

    /// @param object of Make()
    static void Release(PyObject* object)
    {
        const bool isOurs = Py_REFCNT(object) == 1 && s_count < s_spare.size();
        if (isOurs && !reinterpret_cast<py::detail::instance*>(object)->weakrefs)
        {
            s_spare[s_count++] = object;
            return;
        }
        Py_DECREF(object);
    }

  private:
    static T* ValueOf(PyObject* object)
    {
        auto* instance = reinterpret_cast<py::detail::instance*>(object);
        return static_cast<T*>(instance->get_value_and_holder().value_ptr());
    }

    inline static std::array<PyObject*, 4> s_spare{}; //!< owned
    inline static std::size_t s_count = 0;
};

/// @param object an object, or null @return a new reference to what Python has of it; null and an
/// error if there is none
PyObject* ObjectToPython(const ns3::Object* object);

/// While a simulation runs, ObjectToPython() keeps what it makes. @param keep whether it shall
void KeepWrappers(bool keep);

/// @tparam T a type @return whether it is a Ptr to an Object, or a class derived from it
template <typename T>
struct ObjectOf : std::bool_constant<std::is_base_of_v<ns3::Object, T>>
{
    static const ns3::Object* Get(const T& object)
    {
        return &object;
    }
};

template <typename T>
struct ObjectOf<ns3::Ptr<T>> : std::bool_constant<std::is_base_of_v<ns3::Object, T>>
{
    static const ns3::Object* Get(const ns3::Ptr<T>& object)
    {
        return ns3::PeekPointer(object);
    }
};

/// A type of C++ that Python sees as something else. Specialised by what is seen, with
/// `static py::object Make(const T&)`. @tparam T type of the argument
template <typename T>
struct AsObject : std::false_type
{
};

/// A type that Python gets as a copy. @tparam T type of the argument
template <typename T>
struct CopyOf
{
    using Type = T; //!< what is copied
};

template <>
struct CopyOf<ns3::Frame>
{
    using Type = FrameCopy; //!< the frame itself goes on
};

template <>
struct CopyOf<ns3::Ptr<const ns3::Packet>>
{
    using Type = PacketView; //!< the packet is shared
};

/// @tparam T type of an argument @return whether Copies makes its object
template <typename T>
constexpr bool
IsCopied()
{
    return !std::is_arithmetic_v<T> && !std::is_pointer_v<T> && !std::is_same_v<T, std::string> &&
           !ObjectOf<T>::value && !AsObject<T>::value;
}

/// @param value an argument @return a new reference; null and an error if Python cannot have it
template <typename T>
PyObject*
ToPython(const T& value)
{
    if constexpr (std::is_same_v<T, bool>)
    {
        return PyBool_FromLong(value);
    }
    else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>)
    {
        return PyLong_FromUnsignedLongLong(value);
    }
    else if constexpr (std::is_integral_v<T>)
    {
        return PyLong_FromLongLong(value);
    }
    else if constexpr (std::is_floating_point_v<T>)
    {
        return PyFloat_FromDouble(value);
    }
    else if constexpr (std::is_same_v<T, const char*>)
    {
        return PyUnicode_DecodeLocale(value, nullptr);
    }
    else if constexpr (std::is_same_v<T, std::string>)
    {
        return PyUnicode_DecodeLocaleAndSize(value.data(),
                                             static_cast<Py_ssize_t>(value.size()),
                                             nullptr);
    }
    else if constexpr (ObjectOf<T>::value)
    {
        return ObjectToPython(ObjectOf<T>::Get(value));
    }
    else if constexpr (AsObject<T>::value)
    {
        try
        {
            return AsObject<T>::Make(value).release().ptr();
        }
        catch (py::error_already_set& error)
        {
            error.restore();
        }
        catch (const std::exception& error)
        {
            PyErr_SetString(PyExc_RuntimeError, error.what());
        }
        return nullptr;
    }
    else
    {
        using Copy = typename CopyOf<T>::Type;
        return Copies<Copy>::Make(static_cast<Copy>(value));
    }
}

/// @param object of ToPython(), after the call; may be null
template <typename T>
void
GiveBack(PyObject* object)
{
    if (!object)
    {
        return;
    }
    if constexpr (IsCopied<T>())
    {
        Copies<typename CopyOf<T>::Type>::Release(object);
    }
    else
    {
        Py_DECREF(object);
    }
}

/// @param members by keyword @return an object with these members, which shows them
template <typename... Members>
py::object
SimpleObject(Members&&... members)
{
    return py::module_::import("types").attr("SimpleNamespace")(std::forward<Members>(members)...);
}

/// @param address an IPv4 address, as a number @return it as text
inline std::string
AddressText(uint32_t address)
{
    const auto part = [address](int shift) { return std::to_string(address >> shift & 255); };
    return part(24) + "." + part(16) + "." + part(8) + "." + part(0);
}

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_ARGUMENTS_H
