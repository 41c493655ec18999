// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_RDMA_H
#define LOSSLESS_PYTHON_RDMA_H

#include "python-support.h"

#include "ns3/flow-size-distribution.h"
#include "ns3/ipv4-address.h"
#include "ns3/rdma-verbs.h"

#include <string>

namespace lossless_python
{

/// @param verb a Verb, or its name @return the verb; ValueError if it is none
LOSSLESS_FOR_MODULES ns3::RdmaVerb ToVerb(const py::object& verb);

/// @param size a number, or text such as "64KiB" @param what name for the message @return bytes
LOSSLESS_FOR_MODULES uint64_t ToBytes(const py::object& size, const std::string& what);

/// @param sizes any object @return the distribution, if the object is FlowSizes; else null
const ns3::FlowSizeDistribution* SizesOf(const py::object& sizes);

/// @param text such as "10.0.0.1" @return the address; ValueError if it is none
ns3::Ipv4Address ToAddress(const std::string& text);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_RDMA_H
