// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-ev-source.h"

#include "mrc-responder.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

constexpr const char* UNKNOWN_PATHS =
    " name paths, which the NIC does not know; give the format to FabricHelper::SetMrc(), or call "
    "MrcEndpoint::SetPaths()";

} // namespace

void
MrcEvSource::Connect(MrcSettings::Format format,
                     uint8_t ipVersion,
                     std::shared_ptr<const MrcPaths> paths)
{
    m_format = format;
    m_ipVersion = ipVersion;
    m_paths = std::move(paths);
    if (m_format != MrcSettings::UDP && m_ipVersion != 6)
    {
        Refuse(" need IPv6, and the addresses are IPv4; take IPv6");
    }
    if (m_format != MrcSettings::UDP && !m_paths)
    {
        Refuse(UNKNOWN_PATHS);
    }
}

void
MrcEvSource::Refuse(const std::string& why) const
{
    const std::string name = m_format == MrcSettings::STEV ? "Stev" : "Srv6";
    throw std::invalid_argument("RdmaMrc: entropy values of format " + name + why);
}

std::optional<Srv6Way>
MrcEvSource::FindWay(const RdmaAddress& from, const RdmaAddress& to) const
{
    if (m_format != MrcSettings::SRV6)
    {
        return std::nullopt;
    }
    const auto way = m_paths->FindWay(from, to);
    if (!way)
    {
        Refuse(UNKNOWN_PATHS);
    }
    return way;
}

void
MrcEvSource::NameWay(Frame& frame, const RdmaAddress& from, const RdmaAddress& to) const
{
    const auto way = m_format == MrcSettings::SRV6 ? m_paths->FindWay(from, to) : std::nullopt;
    if (way)
    {
        EnterSrv6(frame, way->By(MrcResponder::EvOf(frame)));
    }
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
MrcEvSource::DrawBelow(uint64_t count)
{
    return static_cast<uint32_t>(Draws()->GetValue() * static_cast<double>(count));
}

uint32_t
MrcEvSource::Draw(uint32_t name)
{
    if (m_format == MrcSettings::STEV)
    {
        return m_paths->GetStev(DrawBelow(m_paths->CountStevs()));
    }
    if (m_format == MrcSettings::SRV6)
    {
        return name << 16 | DrawBelow(m_paths->CountSpines());
    }
    constexpr uint64_t VALUES = 65536; // of a UDP port, or of a flow label
    const uint32_t port = DrawBelow(VALUES);
    return m_ipVersion == 6 ? DrawBelow(VALUES) << 16 | port : port;
}

uint32_t
MrcEvSource::GetNth(uint32_t number) const
{
    constexpr uint32_t ENDPOINT_PORT = 0xc000; // first of those that annex A17 gives queue pairs
    return m_format == MrcSettings::STEV   ? m_paths->GetStev(number)
           : m_format == MrcSettings::SRV6 ? number % m_paths->CountSpines()
                                           : ENDPOINT_PORT;
}

std::vector<uint32_t>
MrcEvSource::DrawDistinct(uint32_t wanted)
{
    std::vector<uint32_t> values;
    for (std::set<uint32_t> had; values.size() < wanted;)
    {
        const uint32_t value = Draw(0);
        if (had.insert(value).second)
        {
            values.push_back(value);
        }
    }
    return values;
}

std::vector<uint32_t>
MrcEvSource::GetValues(uint32_t plane, uint32_t name, uint32_t wanted)
{
    if (plane < m_given.size() && !m_given[plane].empty())
    {
        return m_given[plane];
    }
    if (m_format == MrcSettings::UDP)
    {
        return DrawDistinct(wanted);
    }
    if (m_format == MrcSettings::SRV6)
    {
        return DrawSpines(name, wanted);
    }
    std::vector<uint32_t> values(wanted); // a fabric may have fewer ways than a plane has EVs
    std::generate(values.begin(), values.end(), [this] { return Draw(0); });
    return values;
}

std::vector<uint32_t>
MrcEvSource::DrawSpines(uint32_t name, uint32_t wanted)
{
    std::vector<uint32_t> spines(m_paths->CountSpines());
    std::iota(spines.begin(), spines.end(), name << 16);
    std::vector<uint32_t> values;
    for (uint32_t i = 0; i < wanted; ++i)
    {
        const uint32_t done = i % spines.size();
        if (i < spines.size())
        {
            std::swap(spines[i], spines[i + DrawBelow(spines.size() - i)]);
        }
        values.push_back(spines[done]);
    }
    return values;
}

void
MrcEvSource::Give(uint32_t plane, std::vector<uint32_t> values)
{
    constexpr uint32_t MOST = 16384; // as attribute Evs
    if (values.empty() || values.size() > MOST)
    {
        throw std::invalid_argument("RdmaMrc: " + std::to_string(values.size()) +
                                    " entropy values of a plane; give 1 to 16384");
    }
    const uint32_t largest = *std::max_element(values.begin(), values.end());
    if (m_ipVersion == 4 && largest > 0xffff)
    {
        throw std::invalid_argument("RdmaMrc: entropy value " + std::to_string(largest) +
                                    "; over IPv4 it has 16 bits");
    }
    m_given.resize(std::max<std::size_t>(m_given.size(), plane + 1));
    m_given[plane] = std::move(values);
}

} // namespace ns3
