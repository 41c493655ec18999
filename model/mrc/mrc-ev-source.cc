// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-ev-source.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

void
MrcEvSource::Connect(MrcSettings::Format format,
                     uint8_t ipVersion,
                     std::shared_ptr<const MrcPaths> paths)
{
    m_format = format;
    m_ipVersion = ipVersion;
    m_paths = std::move(paths);
}

Ptr<UniformRandomVariable>
MrcEvSource::Draws()
{
    if (!m_draws)
    {
        m_draws = CreateObject<UniformRandomVariable>();
        if (m_stream >= 0)
        {
            m_draws->SetStream(m_stream);
        }
    }
    return m_draws;
}

int64_t
MrcEvSource::AssignStreams(int64_t stream)
{
    m_stream = stream;
    if (m_draws)
    {
        m_draws->SetStream(stream);
    }
    return 1;
}

uint32_t
MrcEvSource::Draw()
{
    const auto below = [this](uint64_t count) {
        return static_cast<uint32_t>(Draws()->GetValue() * static_cast<double>(count));
    };
    if (m_format == MrcSettings::STEV)
    {
        return m_paths->GetStev(below(m_paths->CountStevs()));
    }
    constexpr uint64_t VALUES = 65536; // of a UDP port, or of a flow label
    const uint32_t port = below(VALUES);
    return m_ipVersion == 6 ? below(VALUES) << 16 | port : port;
}

uint32_t
MrcEvSource::GetNth(uint32_t number) const
{
    constexpr uint32_t ENDPOINT_PORT = 0xc000; // first of those that annex A17 gives queue pairs
    return m_format == MrcSettings::STEV ? m_paths->GetStev(number) : ENDPOINT_PORT;
}

std::vector<uint32_t>
MrcEvSource::DrawDistinct(uint32_t wanted)
{
    std::vector<uint32_t> values;
    for (std::set<uint32_t> had; values.size() < wanted;)
    {
        const uint32_t value = Draw();
        if (had.insert(value).second)
        {
            values.push_back(value);
        }
    }
    return values;
}

std::vector<uint32_t>
MrcEvSource::GetValues(uint32_t plane, uint32_t wanted)
{
    if (plane < m_given.size() && !m_given[plane].empty())
    {
        return m_given[plane];
    }
    if (m_format == MrcSettings::UDP)
    {
        return DrawDistinct(wanted);
    }
    std::vector<uint32_t> values(wanted); // a fabric may have fewer ways than a plane has EVs
    std::generate(values.begin(), values.end(), [this] { return Draw(); });
    return values;
}

void
MrcEvSource::Give(uint32_t plane, std::vector<uint32_t> values)
{
    m_given.resize(std::max<std::size_t>(m_given.size(), plane + 1));
    m_given[plane] = std::move(values);
}

} // namespace ns3
