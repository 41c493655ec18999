// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_RUN_H
#define LOSSLESS_DEADLOCK_RUN_H

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <string>

/// What the deadlock scenarios have in common: the detector, what is done about a deadlock, and an
/// extension of all switches, such as a watchdog.
struct DeadlockRun
{
    std::string action = "Report";             //!< of the detector
    ns3::Time period = ns3::MicroSeconds(100); //!< of the detector
    std::string extension;                     //!< type with attributes, or empty
    uint64_t buffer = 4000000;                 //!< packet memory of a switch, bytes

    /// @param program gets the options @param run those of the run
    DeadlockRun(ns3::FabricProgram& program, const ns3::RunOptions& run)
    {
        program.AddOption("action", "about a deadlock: Report, Stop or Drain", action);
        program.AddOption("period", "time between two looks of the detector", period);
        program.AddOption("extension",
                          "of all switches, such as ns3::Type[Attribute=value|..]; empty: none",
                          extension);
        program.AddBuffer(buffer);
        program.StandsFor("action", {"ns3::DeadlockDetector::Action"});
        program.StandsFor("period", {"ns3::DeadlockDetector::Period"});
    }

    /// @param helper that will build the fabric
    void Prepare(ns3::FabricHelper& helper) const
    {
        helper.SetSwitch("ns3::SwitchMmu", "BufferSize", ns3::UintegerValue(buffer));
        if (!extension.empty())
        {
            helper.AddSwitchExtension(extension);
        }
    }

    /// @param deadlocks of the fabric
    void Install(ns3::DeadlockHelper& deadlocks) const
    {
        deadlocks.InstallDetector("Action",
                                  ns3::StringValue(action),
                                  "Period",
                                  ns3::TimeValue(period));
    }
};

#endif // LOSSLESS_DEADLOCK_RUN_H
