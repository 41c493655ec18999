// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_CONGESTION_H
#define LOSSLESS_PYTHON_CONGESTION_H

#include "python-support.h"

#include "ns3/fabric.h"
#include "ns3/rdma-congestion-ops.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lossless_python
{

/**
 * A congestion control whose methods are those of an object of Python: lossless.CongestionControl
 * makes the objects, and is named by a number, so that factories and text carry it. Methods that
 * the class does not have are not called. An exception in a method ends the run, and is raised by
 * what has begun the run.
 */
class PythonCongestionOps : public ns3::RdmaCongestionOps
{
  public:
    /// @return the TypeId
    static ns3::TypeId GetTypeId();

    PythonCongestionOps();
    ~PythonCongestionOps() override;

    PythonCongestionOps(const PythonCongestionOps&) = delete;
    PythonCongestionOps& operator=(const PythonCongestionOps&) = delete;

    // RdmaCongestionOps
    std::string GetName() const override;
    uint32_t GetHooks() const override;
    ns3::TelemetryKind GetTelemetry() const override;
    bool EchoesMarks() const override;
    bool SendsCnps() const override;
    std::vector<std::string> GetSwitchExtensions() const override;
    void Init(ns3::RdmaFlowState& state, int64_t nowPs) override;
    void OnCnp(ns3::RdmaFlowState& state, int64_t nowPs) override;
    void OnAck(ns3::RdmaFlowState& state, const ns3::RdmaAckEvent& ack) override;
    void OnSent(ns3::RdmaFlowState& state, uint32_t wireBytes, int64_t nowPs) override;
    void OnTimeout(ns3::RdmaFlowState& state, int64_t nowPs) override;
    void OnLineRate(ns3::RdmaFlowState& state) override;
    int64_t NextTimer() const override;
    void OnTimer(ns3::RdmaFlowState& state, int64_t nowPs) override;
    bool OnMarkedData(int64_t nowPs) override;
    void OnData(const ns3::RdmaDataEvent& data) override;

    /// @return false: its class is that of all, and Python runs one thread at a time
    bool KeepsToItsEnd() const override
    {
        return false;
    }

  private:
    /// The methods of Python.
    enum Method : uint8_t
    {
        INIT,
        ON_CNP,
        ON_ACK_METHOD,
        ON_SENT_METHOD,
        ON_TIMEOUT,
        ON_LINE_RATE,
        ON_TIMER,
        ON_MARKED_DATA,
        ON_DATA_METHOD,
        METHODS
    };

    /// @param name of an attribute of the maker @return its value
    template <typename T>
    T Ask(const char* name) const;

    /// Call a method, if the class has it, and read the timer. @param method which @param state
    /// first argument, if not null @param args converted to Python @return truth of the result
    template <typename... Args>
    bool Call(Method method, ns3::RdmaFlowState* state, const Args&... args);

    /// A method has raised: keep the exception for the end of the run, or throw it where there is
    /// no run. @param method which @param lock is given back
    void Fail(Method method, PyGILState_STATE lock);

    /// Read timer_ps of the object. @return whether it is None or a number
    bool ReadTimer();

    uint32_t m_maker{UINT32_MAX};              //!< number of what makes objects
    uint32_t m_hooks{0};                       //!< mask of Hooks
    bool m_bringsDelay{false};                 //!< ACKs do, as telemetry of the object says
    bool m_bringsMarks{false};                 //!< ACKs do, as echoes_marks of the object says
    int64_t m_timerPs{NEVER};                  //!< timer_ps of the object
    py::object m_object;                       //!< of Python
    py::object m_flow;                         //!< CongestionState of each call
    std::array<py::object, METHODS> m_methods; //!< bound; null: the class does not have it
};

/// A run has ended: name, once, methods of congestion controls that nobody has called, and that
/// nobody would have called. @param fabric that has run
void WarnOfIdleMethods(const ns3::Fabric& fabric);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_CONGESTION_H
