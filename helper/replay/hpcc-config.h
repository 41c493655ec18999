// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_CONFIG_H
#define LOSSLESS_HPCC_CONFIG_H

#include "ns3/fabric-helper.h"
#include "ns3/fabric-options.h"
#include "ns3/fabric.h"
#include "ns3/finding.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

struct HpccKey;

/**
 * @ingroup lossless
 *
 * A configuration file of the public HPCC simulator: a key and its values on each line. Loading
 * checks every value; what is wrong is a FabricError with file and line. Keys that the format does
 * not know are one FabricError, unless they are allowed.
 */
class HpccConfig
{
  public:
    /// Thresholds by speed, as the keys KMIN_MAP, KMAX_MAP and PMAX_MAP give them.
    using SpeedMap = std::map<uint64_t, double>;

    /// @param path the file @param options of the program; they win over what the file says
    /// @param allowUnknown whether to pass over keys that are not known here, as the original does
    explicit HpccConfig(const std::string& path,
                        const FabricOptions& options = FabricOptions(),
                        bool allowUnknown = false);

    /**
     * Make what the file says the defaults of attributes. Options --ns3::Type::Attribute=value of
     * the program win.
     */
    void SetDefaults() const;

    /**
     * Make the round trip of the topology the default of what HPCC and DCTCP count with: BaseRtt of
     * the senders, unless GLOBAL_T is 0, and MaxRtt of the switches. Nothing with another
     * congestion control. Before the fabric is built.
     * @param topology the graph
     */
    void SetRoundTrip(const FabricTopology& topology) const;

    /// @return TypeId of the congestion control: that of CC_MODE, or of the option
    /// --ns3::RdmaQueuePair::CongestionControl, which wins. FabricError if the mode is not known
    std::string GetCongestionControl() const;

    /// @return whether HAS_WIN and VAR_WIN are attributes of the congestion control
    bool HasOwnWindow() const;

    /// @return whether the congestion control sets the window: HAS_WIN asks for nothing then
    bool SetsWindow() const;

    /**
     * Tell a helper what attributes do not say: the congestion control and thresholds by speed.
     * @param helper the helper
     * @param topology each speed of a switch port in it must have thresholds, if any has
     */
    void Configure(FabricHelper& helper, const FabricTopology& topology) const;

    /**
     * The window of queue pairs between two hosts, for HAS_WIN.
     * @param fabric the fabric
     * @param source a host
     * @param destination another host
     * @return bytes: bandwidth-delay product as that simulator computes it
     */
    uint64_t GetWindow(const Fabric& fabric, HostId source, HostId destination) const;

    /// @param fabric the fabric @return the largest window of all pairs of hosts (GLOBAL_T), bytes
    uint64_t GetGlobalWindow(const Fabric& fabric) const;

    /**
     * The shared space of a switch in the original: BUFFER_SIZE less a reserve and a headroom of
     * three times rate times delay for each port, whatever its number of classes.
     * @param topology the graph @param node a switch
     * @param allowLossy whether there may be none
     * @return bytes; FabricError if nothing is left
     */
    uint64_t GetSharedSpace(const FabricTopology& topology, NodeId node, bool allowLossy) const;

    /// @return keys in the file that have no effect here, in order
    std::vector<std::string> GetIgnored() const;

    /// Tell a fabric what is probably not meant, such as a rate without its unit, and which keys
    /// are not known here or have no effect: a rule each.
    /// @param findings of the fabric @param captures whether nodes of TRACE_FILE are captured
    void AddFindings(Findings& findings, bool captures = false) const;

    /// @param key a key @return whether the file has it
    bool Has(const std::string& key) const;
    /// @param key a key @return line of the key; 0: the file does not have it
    uint64_t GetLine(const std::string& key) const;

    /// @param key a key with a text value @return path of the file that it names: against the
    /// working folder, then against the folder of the configuration. FabricError when it has no
    /// such key
    std::string GetInput(const std::string& key) const;
    /// @param key a key with a text value @param outDir folder of the run; empty: none
    /// @return path for a result; empty without the key. Below outDir; without one in the working
    /// folder, unless only the configuration's has the folder that it names
    std::string GetOutput(const std::string& key, const std::string& outDir = "") const;

    /**
     * Check that no result would replace an input or another result. FabricError otherwise.
     * @param outDir folder of the run, which gets further files; empty: none
     */
    void CheckOutputs(const std::string& outDir) const;

    /// @param key a key with a number @param otherwise what to say without it @return the number
    double GetNumber(const std::string& key, double otherwise) const;

    /// @return SIMULATOR_STOP_TIME, 3.01 s without it; 0, no end, if it is beyond the simulator's
    /// clock. FabricError if the file says 0
    Time GetStop() const;
    /// @return when LINK_DOWN cuts a link; zero: never
    Time GetLinkDownTime() const;
    /// @param topology the graph @return the link that LINK_DOWN names; FabricError if there is
    /// none
    LinkId GetLinkDown(const FabricTopology& topology) const;

    /// @return the options of the program
    const FabricOptions& GetOptions() const
    {
        return m_options;
    }

    /// @return path of the file
    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    /// @return whether packets carry a digest of the path: CC_MODE says so, not an option
    bool IsPint() const;

    /// @param key a key about windows @param value its value @return whether there is no window
    /// that it could be about
    bool IsIdleOfWindow(const HpccKey& key, const std::string& value) const;

    /// A line of the file.
    struct Entry
    {
        uint64_t line;
        std::vector<std::string> values;
    };

    /// @param key a key with a time @param otherwise its value without it @param unit of both
    /// @return the time
    Time ReadTime(const std::string& key,
                  const std::string& otherwise,
                  const std::string& unit) const;
    /// @param key a key with a map @return it
    SpeedMap ReadMap(const std::string& key) const;
    /// Check values that depend on each other.
    void CheckMaps() const;
    /// SetDefaults() for HPCC.
    void SetHpccDefaults() const;
    /// SetDefaults() for DCTCP.
    void SetDctcpDefaults() const;
    /// @param key of a rate that the file has @return the rate, bit/s
    uint64_t GetRate(const std::string& key) const;
    /// SetDefaults() for TIMELY.
    void SetTimelyDefaults() const;
    /// @return PACKET_PAYLOAD_SIZE, 1000 without it
    uint64_t GetPayload() const;
    /// @param key a key @param attribute full name @param unit put after the number
    void SetDefault(const std::string& key,
                    const std::string& attribute,
                    const std::string& unit = "") const;
    /// @param key a key @param wrong what is wrong @param right what would be right
    [[noreturn]] void Fail(const std::string& key,
                           const std::string& wrong,
                           const std::string& right) const;

    std::string m_path;
    FabricOptions m_options;
    std::map<std::string, Entry> m_entries;
    std::string m_unknown; //!< keys that are not known here, with near names
};

} // namespace ns3

#endif // LOSSLESS_HPCC_CONFIG_H
