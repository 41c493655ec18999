// SPDX-License-Identifier: GPL-2.0-only
#include "capture-file.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace
{

constexpr uint32_t NANOSECOND_MAGIC = 0xa1b23c4d;
constexpr uint32_t VERSION = 2 | 4 << 16; //!< 2.4, two halves
constexpr uint32_t LONGEST = 65535;       //!< bytes of a frame that are kept
constexpr uint32_t ETHERNET = 1;          //!< link type
constexpr int64_t SECOND = 1000000000;    //!< in nanoseconds

} // namespace

CaptureFile::CaptureFile(const std::string& path)
    : m_path(path),
      m_stream(path, std::ios::binary)
{
    if (!m_stream)
    {
        throw std::invalid_argument("QbbHelper: cannot write the capture " + path);
    }
    for (const uint32_t value : {NANOSECOND_MAGIC, VERSION, 0U, 0U, LONGEST, ETHERNET})
    {
        Put(value);
    }
}

CaptureFile::~CaptureFile()
{
    if (!m_stream.is_open())
    {
        return; // Flush() has said it
    }
    m_stream.close();
    if (!m_stream)
    {
        PrintWarning(m_path + " is cut short", "is the disk full?");
    }
}

void
CaptureFile::Put(uint32_t value)
{
    m_stream.write(reinterpret_cast<const char*>(&value), sizeof(value));
}

void
CaptureFile::Write(Ptr<const Packet> packet)
{
    if (!m_stream.is_open())
    {
        return; // it has been told; what goes on sending may be a destructor
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const uint32_t kept = std::min(packet->GetSize(), LONGEST);
    Put(static_cast<uint32_t>(now / SECOND));
    Put(static_cast<uint32_t>(now % SECOND));
    Put(kept);
    Put(packet->GetSize());
    packet->CopyData(&m_stream, kept);
    if (!m_stream)
    {
        Flush();
    }
}

void
CaptureFile::Flush()
{
    m_stream.flush();
    if (!m_stream)
    {
        m_stream.close();
        throw FabricError(m_path, 0, "cannot be written to its end; is the disk full?");
    }
}

} // namespace ns3
