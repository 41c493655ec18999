// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPTURE_FILE_H
#define LOSSLESS_CAPTURE_FILE_H

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <fstream>
#include <string>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * A capture of Ethernet frames in pcap format, with nanoseconds. ns-3's PcapFileWrapper writes as
 * much as a full disk takes, and says nothing of the rest.
 */
class CaptureFile : public SimpleRefCount<CaptureFile>
{
  public:
    /// @param path of the file, which is replaced; std::invalid_argument if it cannot be written
    explicit CaptureFile(const std::string& path);
    /// What cannot be written here is said on standard error, unless Flush() has said so.
    ~CaptureFile();

    /// @param packet a frame that passes now; FabricError if the disk is full
    void Write(Ptr<const Packet> packet);

    /// What was captured so far is in the file. FabricError if the disk is full
    void Flush();

  private:
    /// @param value four bytes in the order of this machine
    void Put(uint32_t value);

    std::string m_path;
    std::ofstream m_stream;
};

} // namespace ns3

#endif // LOSSLESS_CAPTURE_FILE_H
