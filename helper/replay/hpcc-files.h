// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_FILES_H
#define LOSSLESS_HPCC_FILES_H

#include "ns3/callback-guard.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/result-report.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class TextFile;

/**
 * @ingroup lossless
 *
 * The files of the public HPCC simulator: its topology and flow files in, its three outputs out.
 * Mistakes are FabricErrors with file and line. As in the original, what stands behind the
 * announced number of links, flows or nodes is not read.
 */
namespace HpccFiles
{

/// A flow file's line.
struct Flow
{
    RdmaFlow flow; //!< what it says
    uint64_t line; //!< where it stands, for messages
};

/**
 * A topology file: `nodes switches links`, then the numbers of the switches, then a line
 * `node node rate delay error-rate` for each link. The first line may have the number of leaves
 * before that of links, and two rates behind it, as forks write it.
 * @param path the file
 * @param errorRate error rate of links for which the file says 0
 * @return the topology; nodes have the numbers of the file
 */
FabricTopology ReadTopology(const std::string& path, double errorRate = 0);

/// Numbers of nodes, on one line or on several. @param file where the next line has the first
/// @param count how many @param nodes they are below it @param what each is called
/// @return them; FabricError if one comes twice
std::vector<NodeId> ReadNodes(TextFile& file,
                              uint64_t count,
                              uint64_t nodes,
                              const std::string& what);

/// @param file at a line of a link, whose fields 2 to 4 are rate, delay and error rate
/// @return these
FabricLinkSpec ReadLinkSpec(const TextFile& file);

/**
 * A flow file: the number of flows, then a line `source destination class port bytes start` for
 * each, in any order; start in seconds. The port may be missing, as in a fork.
 * @param path the file
 * @param topology the nodes that it speaks of
 * @return the flows, in the order of the file
 */
std::vector<Flow> ReadFlows(const std::string& path, const FabricTopology& topology);

/**
 * A trace file: the number of nodes, then their numbers.
 * @param path the file
 * @param topology the nodes of the fabric
 * @return the nodes, each once; without numbers that no node of the fabric has, as in the original
 */
std::vector<NodeId> ReadTraceNodes(const std::string& path, const FabricTopology& topology);

/// @param node a node @return the address that the HPCC simulator gives it: 11.x.y.1
uint32_t AddressOf(NodeId node);

} // namespace HpccFiles

/**
 * @ingroup lossless
 *
 * The outputs of the public HPCC simulator, as its analysis scripts read them:
 * - fct: `sip dip sport dport bytes start fct ideal_fct` a flow, addresses in 8 hexadecimal digits,
 *   times in ns, in the order of completion. Ports are that simulator's labels: sport counts the
 *   flows of a host from 10000;
 * - pfc: `time node node_type interface type` for each pause of a class at a port that begins or
 *   ends by a PFC frame; time in ns, node_type 1 for a switch, interfaces from 1, type 1 for a
 * pause and 0 for its end;
 * - queue lengths: at each 100 ms and at the end, `time: t`, then for each port of a switch
 *   `node interface n0 n1 ...`: how often, of samples 100 ns apart, the port held 0, 1, ... KB.
 *
 * @code
 * auto& output = run.Add<HpccOutput>(run.Rdma()); // run is a FabricRun
 * output.WriteFct("fct.txt");
 * @endcode
 */
class HpccOutput : public Report
{
  public:
    /// @param fabric the fabric @param flows its flows; both must outlive this
    HpccOutput(const Fabric& fabric, RdmaFlowHelper& flows);
    ~HpccOutput() override;
    HpccOutput(const HpccOutput&) = delete;
    HpccOutput& operator=(const HpccOutput&) = delete;

    std::string GetName() const override;
    bool IsDividable() const override;
    std::vector<ResultFile*> GetFiles() override;
    void Close(Time end) override;

    /// @param path of the file of flow completion times
    void WriteFct(const std::string& path);
    /// @param path of the file of PFC frames
    void WritePfc(const std::string& path);
    /// @param path of the file of queue lengths @param start first sample, from now @param end last
    /// sample, from now
    void WriteQueues(const std::string& path, Time start, Time end);

    /// Without a run: the files are complete.
    void Commit();

    /// @return the fabric that it belongs to
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

  private:
    /// A port that may be paused.
    struct PfcPort
    {
        std::string place; //!< as it stands in a line
        uint8_t paused{0}; //!< mask of the classes whose last line is a pause
    };

    /// A PFC frame names a class. @param port that has got it @param cls the class @param paused
    /// whether it pauses the class
    void NotePfc(PfcPort& port, uint32_t cls, bool paused);
    void SampleQueues();
    void DumpQueues();

    Fabric m_fabric;
    RdmaFlowHelper& m_flows;
    std::unique_ptr<ResultFile> m_fct;
    std::unique_ptr<ResultFile> m_pfc;
    std::unique_ptr<ResultFile> m_queues;
    std::vector<std::unique_ptr<PfcPort>> m_pfcPorts;
    CallbackGuard m_guard;  //!< of flows and traces
    bool m_isClosed{false}; //!< the files take nothing more
    Time m_queuesEnd;
    bool m_dumped{true}; //!< what was sampled has been written
    EventId m_nextSample;
    std::vector<std::vector<std::vector<uint32_t>>> m_kilobytes; //!< by switch, port, KB: samples
};

} // namespace ns3

#endif // LOSSLESS_HPCC_FILES_H
