// SPDX-License-Identifier: GPL-2.0-only

// Objects of ns-3 that Python still holds when their simulation has ended.

#include "python-part.h"
#include "python-support.h"

#include "ns3/application.h"
#include "ns3/net-device.h"
#include "ns3/node.h"

#include <memory>
#include <unordered_set>
#include <vector>

namespace lossless_python
{

using namespace ns3;

namespace
{

/// Objects of Python, by address; what is freed is taken out.
class Wrappers
{
  public:
    /// @param wrapper one more
    void Add(PyObject* wrapper)
    {
        if (m_all.insert(wrapper).second)
        {
            // Python frees it with the wrapper.
            const py::capsule leave(new Place{this, wrapper}, [](void* place) {
                const std::unique_ptr<Place> freed(static_cast<Place*>(place));
                freed->home->m_all.erase(freed->wrapper);
            });
            py::detail::add_patient(wrapper, leave.ptr());
        }
    }

    /// @param wrapper an object @return whether it is one of them
    bool Has(PyObject* wrapper) const
    {
        return !m_all.empty() && m_all.count(wrapper) > 0;
    }

  private:
    /// Where a wrapper is.
    struct Place
    {
        Wrappers* home;
        PyObject* wrapper;
    };

    std::unordered_set<PyObject*> m_all;
};

/// @return those of simulations that are over; never freed, as Python frees objects at its very end
Wrappers&
Ended()
{
    static auto* const ended = new Wrappers;
    return *ended;
}

/// @return those that scripts have made, not a fabric; never freed either
Wrappers&
Free()
{
    static auto* const free = new Wrappers;
    return *free;
}

/// @param object any @return whether it is a node, or on one
bool
IsOfNode(const Ptr<Object>& object)
{
    const auto device = DynamicCast<NetDevice>(object);
    const auto application = DynamicCast<Application>(object);
    return object->GetObject<Node>() || (device && device->GetNode()) ||
           (application && application->GetNode());
}

} // namespace

void
RequireNotEnded(py::handle wrapper)
{
    if (Ended().Has(wrapper.ptr()))
    {
        throw std::runtime_error(ENDED);
    }
}

py::object
KeepFree(py::object wrapper)
{
    if (py::isinstance<Object>(wrapper))
    {
        Free().Add(wrapper.ptr());
    }
    return wrapper;
}

void
EndWrappers()
{
    // Held first: what follows may let Python collect garbage, which takes instances from the map.
    std::vector<py::object> all;
    for (const auto& [object, instance] : py::detail::get_internals().registered_instances)
    {
        all.push_back(py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(instance)));
    }
    for (const py::object& wrapper : all)
    {
        PyObject* const self = wrapper.ptr();
        if (py::isinstance<Object>(wrapper) && !Ended().Has(self) &&
            (!Free().Has(self) || IsOfNode(py::cast<Ptr<Object>>(wrapper))))
        {
            Ended().Add(self);
        }
    }
}

} // namespace lossless_python
