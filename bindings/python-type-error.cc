// SPDX-License-Identifier: GPL-2.0-only

// pybind11 raises the TypeError for arguments that fit no form of a function where no translator of
// exceptions sees it, and its message has several lines. All its functions have the same entry; it
// is replaced by one that rewrites the message. pybind11 takes True and False for numbers; the
// entry does not.

#include "python-type-error.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lossless_python
{

namespace
{

PyCFunctionWithKeywords
    g_dispatch{}; //!< pybind11's entry of all its functions, of the first module

/// Replace all. @param text in which @param from what @param to by what
void
Replace(std::string& text, const std::string& from, const std::string& to)
{
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    {
        text.replace(at, from.size(), to);
    }
}

/// @param value an argument @return its repr, on one line, not too long
std::string
Show(const py::handle& value)
{
    constexpr py::ssize_t LONGEST = 60;
    py::str text = py::repr(value);
    if (py::len(text) > LONGEST)
    {
        text = py::str(text[py::slice(0, LONGEST, 1)]) + py::str("...");
    }
    std::string line = text;
    Replace(line, "\n", " ");
    return line;
}

/// @param args of a call @param kwargs of it, or null @param first argument that is shown @return
/// the arguments in brackets
std::string
ShowCall(const py::args& args, const py::handle& kwargs, std::size_t first)
{
    std::string all;
    for (std::size_t i = first; i < args.size(); ++i)
    {
        all += (all.empty() ? "" : ", ") + Show(args[i]);
    }
    if (kwargs)
    {
        for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(kwargs))
        {
            all += (all.empty() ? "" : ", ") + std::string(py::str(name)) + "=" + Show(value);
        }
    }
    return "(" + all + ")";
}

/// @param form such as "(self: X, a: int) -> str" @param isMethod becomes true if it has a self
/// @return what its arguments are, "(a: int)"
std::string
ArgumentsOf(std::string form, bool& isMethod)
{
    form = form.substr(0, form.rfind(" -> "));
    Replace(form, "lossless._lossless.", "");
    Replace(form, "lossless._lossless_jobs.", "");
    const std::size_t open = form.find('(');
    if (form.compare(open, 7, "(self: ") == 0)
    {
        isMethod = true;
        const std::size_t end = form.find_first_of(",)", open);
        form.erase(open + 1, end - open - (form[end] == ',' ? -1 : 1));
    }
    return form;
}

/// @param text pybind11's message @param args of the call @param kwargs of it @return one line, or
/// the text if it is another message
std::string
ToLine(const std::string& text, const py::args& args, const py::handle& kwargs)
{
    const std::string supported = "The following argument types are supported:\n";
    const std::size_t begin = text.find(supported);
    const std::size_t end = text.find("\n\nInvoked with: ", begin);
    if (begin == std::string::npos || end == std::string::npos)
    {
        return text;
    }
    std::string name = text.substr(0, text.find('('));
    bool isMethod = name == "__init__"; // whose forms are those of the class
    std::string takes;
    std::size_t at = begin + supported.size();
    while (at < end)
    {
        const std::size_t next = std::min(text.find("\n    ", at), end);
        const std::size_t dot = text.find(". ", at) + 2; // "    1. form"
        const std::string form = ArgumentsOf(text.substr(dot, next - dot), isMethod);
        name = name == "__init__" ? form.substr(0, form.find('(')) : name;
        takes += (takes.empty() ? "" : " or ") + form.substr(form.find('('));
        at = next + 1;
    }
    const auto isPart = [](const py::handle& value) {
        return std::string(Py_TYPE(value.ptr())->tp_name) == "lossless._lossless.Part";
    };
    const bool hasPart = std::any_of(args.begin(), args.end(), isPart);
    return name + ShowCall(args, kwargs, isMethod) + " does not fit; it takes " + takes +
           (hasPart ? "; ll.create() makes the object that a Part describes" : "");
}

/// @param args of a call @param kwargs of it, or null @return whether an argument is True or False
bool
HasBool(PyObject* args, PyObject* kwargs)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i)
    {
        if (PyBool_Check(PyTuple_GET_ITEM(args, i)))
        {
            return true;
        }
    }
    PyObject* value = nullptr;
    for (Py_ssize_t i = 0; kwargs && PyDict_Next(kwargs, &i, nullptr, &value);)
    {
        if (PyBool_Check(value))
        {
            return true;
        }
    }
    return false;
}

/// @param form such as "(self: X, a: List[int], b: int = 0) -> str" @return names and types of its
/// parameters
std::vector<std::pair<std::string, std::string>>
ParametersOf(const std::string& form)
{
    std::vector<std::pair<std::string, std::string>> parameters;
    std::size_t begin = 1;
    int depth = 0;
    for (std::size_t i = 1; i < form.size() && depth >= 0; ++i)
    {
        depth += form[i] == '(' || form[i] == '[' ? 1 : form[i] == ')' || form[i] == ']' ? -1 : 0;
        if (depth < 0 || (depth == 0 && form[i] == ','))
        {
            const std::string one = form.substr(begin, i - begin);
            const std::size_t colon = std::min(one.find(": "), one.size());
            const std::string type = one.substr(std::min(colon + 2, one.size()));
            parameters.emplace_back(one.substr(0, colon), type.substr(0, type.find(" = ")));
            begin = i + 2;
        }
    }
    return parameters;
}

/// @param type of a parameter @return whether it may be True or False; pybind11 takes them for
/// numbers
bool
MayBeBool(const std::string& type)
{
    return type != "int" && type != "float" && type != "str" && type != "Optional[int]" &&
           type != "Optional[float]";
}

/// @param form of a function @param args of a call @param kwargs of it, or null @return whether
/// each of them that is True or False may be that
bool
TakesBools(const std::string& form, const py::args& args, const py::handle& kwargs)
{
    const auto parameters = ParametersOf(form);
    for (std::size_t i = 0; i < args.size(); ++i)
    {
        const std::string last = parameters.empty() ? "" : parameters.back().first;
        const bool isMore = i >= parameters.size();
        if (PyBool_Check(args[i].ptr()) &&
            (isMore ? last.empty() || last[0] != '*' : !MayBeBool(parameters[i].second)))
        {
            return false;
        }
    }
    for (const auto& [name, type] : parameters)
    {
        PyObject* const value =
            kwargs ? PyDict_GetItemString(kwargs.ptr(), name.c_str()) : nullptr; // borrowed
        if (value && PyBool_Check(value) && !MayBeBool(type))
        {
            return false;
        }
    }
    return true;
}

/// Refuse True and False for numbers. @param self what pybind11 knows of a function @param args of
/// a call @param kwargs of it, or null @return whether a form takes them; if not, a TypeError is
/// set
bool
TakesBools(PyObject* self, const py::args& args, const py::handle& kwargs)
{
    const auto* const first = static_cast<const py::detail::function_record*>(
        PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
    std::string message =
        std::string(first->name) + "(): The following argument types are supported:\n";
    const bool isInit = std::string(first->name) == "__init__";
    const std::string name = isInit ? Py_TYPE(args[0].ptr())->tp_name : first->name;
    int count = 0;
    for (const auto* form = first; form; form = form->next)
    {
        if (TakesBools(std::string(form->signature), args, kwargs))
        {
            return true;
        }
        message += "    " + std::to_string(++count) + ". " + name + form->signature + "\n";
    }
    message += "\nInvoked with: ";
    PyErr_SetString(PyExc_TypeError, ToLine(message, args, kwargs).c_str());
    return false;
}

/// @param form of a function @param at position of a parameter, or -1 @param name of it, if at is
/// -1 @return whether it is a time
bool
IsTime(const std::string& form, py::ssize_t at, const std::string& name)
{
    const auto parameters = ParametersOf(form);
    for (std::size_t i = 0; i < parameters.size(); ++i)
    {
        const auto& [own, type] = parameters[i];
        if (at < 0 ? own == name : static_cast<std::size_t>(at) == i)
        {
            return type == "Time" || (type.size() > 5 && type.substr(type.size() - 5) == ".Time");
        }
    }
    return false;
}

/// Name a text or a number that is no time, where all forms of a function take a time. @param self
/// what pybind11 knows of a function @param args of a call @param kwargs of it, or null
/// @return what is wrong with it; empty: there is none
std::string
WhyNoTime(PyObject* self, const py::args& args, const py::handle& kwargs)
{
    const auto* const first = static_cast<const py::detail::function_record*>(
        PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
    const auto whyNot = [first](py::handle value, py::ssize_t at, const std::string& name) {
        const bool isNumber = PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr());
        bool isTime = isNumber || py::isinstance<py::str>(value);
        for (const auto* form = first; form && isTime; form = form->next)
        {
            isTime = IsTime(form->signature, at, name);
        }
        try
        {
            if (isTime && isNumber)
            {
                return name + " is " + Show(value) + "; it must have a unit, such as \"5us\"";
            }
            if (isTime)
            {
                ns3::FabricText::ToTime(py::cast<std::string>(value), name);
            }
        }
        catch (const ns3::FabricError& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    for (std::size_t i = 0; i < args.size(); ++i)
    {
        const auto parameters = ParametersOf(first->signature);
        const std::string why =
            i < parameters.size()
                ? whyNot(args[i], static_cast<py::ssize_t>(i), parameters[i].first)
                : "";
        if (!why.empty())
        {
            return why;
        }
    }
    for (const auto& [name, value] : kwargs ? py::reinterpret_borrow<py::dict>(kwargs) : py::dict())
    {
        const std::string why = whyNot(value, -1, py::cast<std::string>(name));
        if (!why.empty())
        {
            return why;
        }
    }
    return "";
}

/// @param form of a function @param at position of a parameter, or -1 @param name of it, if at is
/// -1 @return its name, if it is a whole number; else nothing
std::string
NameOfWhole(const std::string& form, py::ssize_t at, const std::string& name)
{
    const auto parameters = ParametersOf(form);
    for (std::size_t i = 0; i < parameters.size(); ++i)
    {
        const auto& [own, type] = parameters[i];
        if (at < 0 ? own == name : static_cast<std::size_t>(at) == i)
        {
            return type == "int" || type == "Optional[int]" ? own : "";
        }
    }
    return "";
}

/// @param form of a function @param at position of a parameter @return whether it may be None
bool
MayBeNone(const std::string& form, std::size_t at)
{
    const auto parameters = ParametersOf(form);
    const std::string type = at < parameters.size() ? parameters[at].second : "";
    return type == "object" || type.rfind("Optional[", 0) == 0;
}

/// Name what is no whole number, or a negative one, where all forms of a function take a whole
/// number: those that may be negative have been taken. @param self what pybind11 knows of a
/// function @param args of a call
/// @param kwargs of it, or null @return what is wrong with it; empty: there is none, or something
/// else may be wrong
std::string
WhyNoWhole(PyObject* self, const py::args& args, const py::handle& kwargs)
{
    const auto* const first = static_cast<const py::detail::function_record*>(
        PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
    std::string why;
    const auto look = [first, &why](py::handle value, py::ssize_t at, const std::string& name) {
        const bool isWhole = PyIndex_Check(value.ptr());
        std::string whole = value.is_none() ? "" : NameOfWhole(first->signature, at, name);
        for (const auto* form = first; form && !whole.empty(); form = form->next)
        {
            whole = NameOfWhole(form->signature, at, name).empty() ? "" : whole;
        }
        if (why.empty() && !whole.empty() && whole.rfind("arg", 0) != 0 && !isWhole)
        {
            why = whole + " is " + Show(value) + "; it must be a whole number";
        }
        else if (why.empty() && !whole.empty() && isWhole && value < py::int_(0))
        {
            why = whole + " is " + Show(value) + "; it must be a whole number, 0 or above";
        }
    };
    for (std::size_t i = 0; i < args.size(); ++i)
    {
        if (args[i].is_none() && !MayBeNone(first->signature, i))
        {
            return "";
        }
        look(args[i], static_cast<py::ssize_t>(i), "");
    }
    for (const auto& [name, value] : kwargs ? py::reinterpret_borrow<py::dict>(kwargs) : py::dict())
    {
        look(value, -1, py::cast<std::string>(name));
    }
    return why;
}

/// Name a number that is above the range of an argument. @param self what pybind11 knows of a
/// function @param args of a call @param kwargs of it, or null @param above the number
/// @return what is wrong with it; empty: something else may be wrong
std::string
WhyAbove(PyObject* self, const py::args& args, const py::handle& kwargs, const NumberAbove& above)
{
    const auto* const first = static_cast<const py::detail::function_record*>(
        PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
    std::string whole;
    for (std::size_t i = 0; above.value && i < args.size(); ++i)
    {
        whole = whole.empty() && args[i].ptr() == above.value.ptr()
                    ? NameOfWhole(first->signature, static_cast<py::ssize_t>(i), "")
                    : whole;
    }
    for (const auto& [name, value] :
         kwargs&& above.value ? py::reinterpret_borrow<py::dict>(kwargs) : py::dict())
    {
        whole = whole.empty() && value.ptr() == above.value.ptr()
                    ? NameOfWhole(first->signature, -1, py::cast<std::string>(name))
                    : whole;
    }
    // Properties have no name for their value: whoever sets one knows it better.
    return whole.empty() || first->next || whole.rfind("arg", 0) == 0
               ? ""
               : whole + " is " + Show(above.value) + "; it must be a whole number from 0 to " +
                     std::to_string(above.most);
}

/// While it lives, LastNumberAbove() is that of one call: to show the arguments of a call makes
/// others.
class OwnNumberAbove
{
  public:
    OwnNumberAbove()
        : m_before(std::exchange(LastNumberAbove(), {}))
    {
    }

    ~OwnNumberAbove()
    {
        LastNumberAbove() = std::move(m_before);
    }

    OwnNumberAbove(const OwnNumberAbove&) = delete;
    OwnNumberAbove& operator=(const OwnNumberAbove&) = delete;

  private:
    NumberAbove m_before;
};

/// What functions have for their entry instead of pybind11's.
PyObject*
Dispatch(PyObject* self, PyObject* args, PyObject* kwargs)
{
    const OwnNumberAbove own;
    if (HasBool(args, kwargs) && !TakesBools(self, py::reinterpret_borrow<py::args>(args), kwargs))
    {
        return nullptr;
    }
    PyObject* result = g_dispatch(self, args, kwargs);
    if (result || !PyErr_ExceptionMatches(PyExc_TypeError))
    {
        return result;
    }
    py::error_already_set error;
    try
    {
        const std::string before = py::str(error.value());
        const std::string line = ToLine(before, py::reinterpret_borrow<py::args>(args), kwargs);
        if (line != before)
        {
            const auto given = py::reinterpret_borrow<py::args>(args);
            const std::string above = WhyAbove(self, given, kwargs, LastNumberAbove());
            if (!above.empty())
            {
                PyErr_SetString(PyExc_ValueError, above.c_str());
                return nullptr;
            }
            const std::string noTime = WhyNoTime(self, given, kwargs);
            const std::string why = noTime.empty() ? WhyNoWhole(self, given, kwargs) : noTime;
            const std::size_t fits = line.find(" does not fit; it takes ");
            PyErr_SetString(
                PyExc_TypeError,
                (why.empty() ? line : line.substr(0, fits) + " does not fit: " + why).c_str());
            return nullptr;
        }
    }
    catch (const std::exception&) // a repr that fails: leave the message as it is
    {
        PyErr_Clear();
    }
    error.restore();
    return nullptr;
}

/// Replace the entry of a function, if it is pybind11's. @param function any object
/// @param entry pybind11's in its module
void
Replace(PyObject* function, PyCFunction entry)
{
    function =
        PyInstanceMethod_Check(function) ? PyInstanceMethod_GET_FUNCTION(function) : function;
    if (PyCFunction_Check(function))
    {
        PyMethodDef* def = reinterpret_cast<PyCFunctionObject*>(function)->m_ml;
        if (def->ml_meth == entry)
        {
            def->ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&Dispatch));
        }
    }
}

/// Replace the entries of all functions of a module or class. @param members its dictionary
/// @param entry pybind11's in the module
void
ReplaceAll(const py::handle& members, PyCFunction entry)
{
    for (const py::handle member : py::list(members.attr("values")()))
    {
        if (PyType_Check(member.ptr()))
        {
            ReplaceAll(member.attr("__dict__"), entry);
        }
        Replace(member.ptr(), entry);
        for (const char* inner : {"__func__", "fget", "fset"}) // static methods, properties
        {
            if (!PyType_Check(member.ptr()) && py::hasattr(member, inner))
            {
                Replace(py::object(member.attr(inner)).ptr(), entry);
            }
        }
    }
}

} // namespace

NumberAbove&
LastNumberAbove()
{
    // Never destroyed: the interpreter may be gone by then.
    static auto* const last = new NumberAbove;
    return *last;
}

void
ShortenTypeErrors(const py::module_& m, const py::cpp_function& any)
{
    PyCFunction entry = reinterpret_cast<PyCFunctionObject*>(any.ptr())->m_ml->ml_meth;
    if (!g_dispatch)
    {
        g_dispatch = reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(entry));
    }
    ReplaceAll(m.attr("__dict__"), entry);
}

} // namespace lossless_python
