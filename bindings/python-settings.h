// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_SETTINGS_H
#define LOSSLESS_PYTHON_SETTINGS_H

#include "python-support.h"

#include "ns3/fabric-options.h"
#include "ns3/fabric-places.h"
#include "ns3/fabric-settings.h"

#include <vector>

namespace lossless_python
{

/// @param places text as FabricPlaces reads it, or a callable that gets the name of a node and says
/// whether it is meant @return the places; TypeError for anything else
ns3::FabricPlaces ToPlaces(const py::object& places);

/// @param values by "SwitchMmu.alpha", the type and the attribute as FindAttributeName() takes it
/// @param options of the fabric @return the settings, checked
std::vector<ns3::FabricSetting> ToSettings(const py::dict& values,
                                           const ns3::FabricOptions& options);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_SETTINGS_H
