// SPDX-License-Identifier: GPL-2.0-only
#include "json-lines-reader.h"

#include "json-lines-parser.h"

namespace ns3
{

JsonLinesReader::JsonLinesReader(JsonLinesOptions options)
    : m_options(options)
{
}

JobGraph
JsonLinesReader::Read(const std::string& path) const
{
    return JsonLinesParser(m_options).Read(path);
}

} // namespace ns3
