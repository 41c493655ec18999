// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_FLOWS_H
#define LOSSLESS_PYTHON_FLOWS_H

#include "python-columns.h"
#include "python-time.h"

#include "ns3/fault-helper.h"
#include "ns3/rdma-flow-helper.h"
#include "ns3/run-traffic.h"
#include "ns3/socket-flow-helper.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lossless_python
{

/// The flows of a fabric, and what became of them, by columns.
class Flows
{
  public:
    explicit Flows(const ns3::Fabric& fabric)
        : helper(fabric)
    {
        traffic.Add(helper);
        helper.OnEnd([this](const ns3::RdmaFlowResult& result) { Add(result); });
    }

    /// @return the fabric
    const ns3::Fabric& GetFabric() const
    {
        return helper.GetFabric();
    }

    /// @return the results so far, by column
    py::dict GetColumns() const
    {
        py::dict columns;
        columns["index"] = py::cast(Column<uint64_t>(m_index));
        columns["source"] = py::cast(Column<uint32_t>(m_source));
        columns["destination"] = py::cast(Column<uint32_t>(m_destination));
        columns["bytes"] = py::cast(Column<uint64_t>(m_bytes));
        columns["traffic_class"] = py::cast(Column<uint8_t>(m_class));
        columns["status"] = py::cast(Column<uint8_t>(m_status));
        columns["start_s"] = py::cast(Column<double>(m_start));
        columns["fct_s"] = py::cast(Column<double>(m_fct));
        columns["ideal_s"] = py::cast(Column<double>(m_ideal));
        columns["slowdown"] = py::cast(Column<double>(m_slowdown));
        return columns;
    }

    ns3::RdmaFlowHelper helper;                  //!< the flows
    ns3::RunTraffic traffic;                     //!< these, and what else is waited for
    std::vector<ns3::SocketFlowHelper*> sockets; //!< of these
    std::optional<ns3::FaultHelper> replayed;    //!< faults of the files of a replay

  private:
    void Add(const ns3::RdmaFlowResult& result)
    {
        m_index.push_back(result.index);
        m_source.push_back(result.flow.source.Value());
        m_destination.push_back(result.flow.destination.Value());
        m_bytes.push_back(result.flow.bytes);
        m_class.push_back(result.flow.trafficClass);
        m_status.push_back(static_cast<uint8_t>(result.status));
        m_start.push_back(Seconds(result.flow.start));
        m_fct.push_back(Seconds(result.fct));
        m_ideal.push_back(Seconds(result.ideal));
        m_slowdown.push_back(result.ideal.IsZero()
                                 ? 1
                                 : static_cast<double>(result.fct.GetTimeStep()) /
                                       static_cast<double>(result.ideal.GetTimeStep()));
    }

    std::vector<uint64_t> m_index;
    std::vector<uint32_t> m_source;
    std::vector<uint32_t> m_destination;
    std::vector<uint64_t> m_bytes;
    std::vector<uint8_t> m_class;
    std::vector<uint8_t> m_status;
    std::vector<double> m_start;
    std::vector<double> m_fct;
    std::vector<double> m_ideal;
    std::vector<double> m_slowdown;
};

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_FLOWS_H
