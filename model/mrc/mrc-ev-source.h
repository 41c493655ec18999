// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_EV_SOURCE_H
#define LOSSLESS_MRC_EV_SOURCE_H

#include "mrc-paths.h"
#include "mrc-settings.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Where the values of a queue pair's entropy values (EVs) come from: the user has given them, or
/// they are drawn as their format demands (sheet 16, section 3.1).
class MrcEvSource
{
  public:
    /// The queue pair is connected; std::invalid_argument where its EVs cannot name paths.
    /// @param format of the EVs @param ipVersion of its packets @param paths of the fabric; null:
    /// not known
    void Connect(MrcSettings::Format format,
                 uint8_t ipVersion,
                 std::shared_ptr<const MrcPaths> paths);

    /// @param from address of a port @param to that of the peer's @return the way of SRv6, which
    /// must be known (else std::invalid_argument); of other formats nothing
    std::optional<Srv6Way> FindWay(const RdmaAddress& from, const RdmaAddress& to) const;

    /// A packet of the host itself takes the way of its EV. @param frame it, with addresses and EV
    /// @param from address of the port that sends it @param to that of the peer's
    void NameWay(Frame& frame, const RdmaAddress& from, const RdmaAddress& to) const;

    /// @param name number of the plane in SRv6 @return a random value
    uint32_t Draw(uint32_t name);

    /// @param number any @return a value for packets of the host itself, another one for the next
    /// number where EVs name paths
    uint32_t GetNth(uint32_t number) const;

    /// @param plane a plane @param name its number in SRv6 @param wanted how many @return the
    /// values given for it, or else as many as are wanted
    std::vector<uint32_t> GetValues(uint32_t plane, uint32_t name, uint32_t wanted);

    /// Give a plane its values; std::invalid_argument for impossible ones. @param plane it
    /// @param values of its EVs, in order
    void Give(uint32_t plane, std::vector<uint32_t> values);

    /// @return random source
    Ptr<UniformRandomVariable> Draws();

    /// @param stream of the random source @return number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    /// Refuse EVs that should name paths (std::invalid_argument). @param why what is wrong, and
    /// what would be right
    [[noreturn]] void Refuse(const std::string& why) const;
    /// @param wanted how many @return values, all different
    std::vector<uint32_t> DrawDistinct(uint32_t wanted);
    /// @param name number of the plane in SRv6 @param wanted how many @return values that are
    /// different as far as there are spines
    std::vector<uint32_t> DrawSpines(uint32_t name, uint32_t wanted);
    /// @param count 2^32 at most @return a random number below it
    uint32_t DrawBelow(uint64_t count);

    MrcSettings::Format m_format{MrcSettings::UDP};
    uint8_t m_ipVersion{4};
    std::shared_ptr<const MrcPaths> m_paths;
    std::vector<std::vector<uint32_t>> m_given; //!< by plane; empty: none
    Ptr<UniformRandomVariable> m_draws;         //!< Draws()
    int64_t m_stream{-1};                       //!< AssignStreams(); -1: not called
};

} // namespace ns3

#endif // LOSSLESS_MRC_EV_SOURCE_H
