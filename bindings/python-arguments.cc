// SPDX-License-Identifier: GPL-2.0-only
#include "python-arguments.h"

#include "python-part.h"

#include <cstdint>
#include <utility>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// What Python has of objects that callbacks have named lately, by address. It holds them, so that
/// no other object can take their place, until the run ends or another one needs the entry.
class WrapperCache
{
  public:
    /// @param object an object @return a new reference, or null and an error
    PyObject* Get(const Object* object)
    {
        if (!m_keep)
        {
            return Make(object);
        }
        Entry& entry = m_entries[(reinterpret_cast<uintptr_t>(object) >> 5) % m_entries.size()];
        if (entry.object != object)
        {
            PyObject* made = Make(object);
            if (!made)
            {
                return nullptr;
            }
            entry.object = object;
            Py_XDECREF(std::exchange(entry.wrapper, made));
        }
        Py_INCREF(entry.wrapper);
        return entry.wrapper;
    }

    /// @param keep whether to keep wrappers; if not, those kept go
    void Keep(bool keep)
    {
        m_keep = keep;
        for (std::size_t i = 0; !keep && i < m_entries.size(); ++i)
        {
            m_entries[i].object = nullptr;
            Py_XDECREF(std::exchange(m_entries[i].wrapper, nullptr));
        }
    }

  private:
    struct Entry
    {
        const Object* object{nullptr};
        PyObject* wrapper{nullptr}; //!< owned
    };

    static PyObject* Make(const Object* object)
    {
        try
        {
            return Wrap(Ptr<Object>(const_cast<Object*>(object))).release().ptr();
        }
        catch (py::error_already_set& error)
        {
            error.restore();
        }
        catch (const py::cast_error& error)
        {
            PyErr_SetString(PyExc_TypeError, error.what());
        }
        return nullptr;
    }

    std::array<Entry, 1024> m_entries;
    bool m_keep{false};
};

/// ns-3 has one simulator a process, and so has this.
WrapperCache g_wrappers;

} // namespace

PyObject*
ObjectToPython(const Object* object)
{
    if (!object)
    {
        Py_RETURN_NONE;
    }
    return g_wrappers.Get(object);
}

void
KeepWrappers(bool keep)
{
    g_wrappers.Keep(keep);
}

} // namespace lossless_python
