// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-program.h"

#include "environment-values.h"
#include "fabric-attributes.h"
#include "fabric-error.h"
#include "fabric-warning.h"
#include "process-memory.h"

#include "ns3/command-line.h"
#include "ns3/fabric-ranks.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{
namespace
{

constexpr uint32_t LARGEST_SEED = 4294944442; //!< of RngStream

/// @param ranks how many processes Open MPI has started; each is about to do all of the work
void
WarnOfCopies(const std::string& ranks)
{
    if (ranks != "1")
    {
        PrintWarning("mpirun has started " + ranks + " processes, and each of them runs all",
                     FabricRanks::IsBuilt() ? "give --mpi if this program has it"
                                            : "this build has no MPI");
    }
}

} // namespace

FabricProgram::FabricProgram(const std::string& purpose)
    : m_purpose(purpose),
      m_seed(RngSeedManager::GetSeed()),
      m_run(RngSeedManager::GetRun())
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    FabricSimulatorImpl::UseByDefault();
    AddNumber("seed", "seed of all random streams, 1 or more", m_seed, 1, LARGEST_SEED);
    AddOption("run", "run number: another one gives independent random numbers", m_run);
    AddNumber("RngSeed", "ns-3's name of --seed", m_seed, 1, LARGEST_SEED);
    AddOption("RngRun", "ns-3's name of --run", m_run);
    m_options.push_back({"settings",
                         "file of settings for tiers, nodes and ports, in TOML",
                         "",
                         false,
                         [this](const std::string& path) {
                             if (path.empty())
                             {
                                 throw FabricError("--settings is empty",
                                                   "name a file, or leave it out");
                             }
                             m_attributes.SetSettingsFile(path);
                         }});
}

void
FabricProgram::AddName(const std::string& name, const std::string& help, std::string& value)
{
    m_options.push_back({name, help, value, false, [&value, name](const std::string& text) {
                             if (text.empty())
                             {
                                 throw FabricError("--" + name + " is empty",
                                                   "name one, or leave it out");
                             }
                             value = text;
                         }});
}

void
FabricProgram::AddSize(const std::string& name, const std::string& help, uint64_t& value)
{
    m_options.push_back(
        {name, help, OptionText::Of(value), false, [&value, name](const std::string& text) {
             value = FabricText::ToBytes(text, "--" + name);
         }});
}

void
FabricProgram::AddCongestion(std::string& value)
{
    AddOption("congestion", "congestion control, or none", value);
    StandsFor("congestion", {"ns3::RdmaQueuePair::CongestionControl"});
}

void
FabricProgram::AddLinks(DataRate& rate, Time& delay)
{
    AddOption("rate", "rate of all links", rate);
    AddOption("delay", "delay of all links", delay);
    StandsFor("rate", {"ns3::QbbNetDevice::DataRate"});
    StandsFor("delay", {"ns3::QbbChannel::Delay"});
}

void
FabricProgram::AddBuffer(uint64_t& value)
{
    AddSize("buffer", "packet memory of a switch", value);
    StandsFor("buffer", {"ns3::SwitchMmu::BufferSize"});
}

void
FabricProgram::StandsFor(const std::string& name, const std::vector<std::string>& attributes)
{
    for (const std::string& attribute : attributes)
    {
        Have(name).attributes.push_back(WhatIsSetBy(attribute).front());
    }
}

void
FabricProgram::AddMpi()
{
    if (FabricRanks::IsBuilt())
    {
        AddOption("mpi", "run over the ranks that mpirun starts", m_mpi);
    }
}

FabricProgram::Option*
FabricProgram::Find(const std::string& name)
{
    const auto found = std::find_if(m_options.begin(),
                                    m_options.end(),
                                    [&name](const Option& option) { return option.name == name; });
    return found == m_options.end() ? nullptr : &*found;
}

FabricProgram::Option&
FabricProgram::Have(const std::string& name)
{
    Option* const option = Find(name);
    if (!option)
    {
        throw FabricError("something is said of an option --" + name + " that the program has not",
                          "add the option first");
    }
    return *option;
}

std::vector<std::string>
FabricProgram::GetNames() const
{
    std::vector<std::string> names;
    for (const Option& option : m_options)
    {
        names.push_back(option.name);
    }
    return names;
}

int
FabricProgram::Run(int argc, char* argv[], const std::function<void()>& body)
{
    const std::string program =
        argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "program";
    std::string message;
    int status = 2;
    std::signal(SIGXFSZ, SIG_IGN); // a file beyond ulimit -f fails as on a full disk, and is named
    MemoryUse::Reset();
    try
    {
        EnvironmentValues::Apply();
        if (Parse({argv + std::min(argc, 1), argv + argc}))
        {
            RunBody(body);
        }
        else
        {
            std::cout << Help(program);
        }
        if (!std::cout.flush())
        {
            throw FabricError("standard output cannot be written to its end", "is the disk full?");
        }
        s_running = nullptr;
        return 0;
    }
    catch (const FabricInterrupt& interrupt)
    {
        constexpr int SIGNALS = 128; // as shells say it
        std::cout << interrupt.GetSummary();
        message = interrupt.what();
        status = SIGNALS + interrupt.GetSignal();
    }
    catch (const StrictError& error)
    {
        std::cout << error.GetSummary();
        message = error.what();
    }
    catch (const std::bad_alloc&)
    {
        message = MemoryUse::DescribeFailure();
    }
    catch (const std::exception& error)
    {
        message = InWordsOfOptions(error.what());
    }
    s_running = nullptr;
    std::cout << std::flush;
    // Without MPI's end: mpirun ends the other ranks, which would wait for this one.
    const std::string rank =
        FabricRanks::Own() ? "rank " + std::to_string(FabricRanks::Own()) + ": " : "";
    std::cerr << program + ": " + rank + message + "\n" << std::flush;
    if (!FabricRanks::IsOn())
    {
        Simulator::Destroy();
    }
    return status;
}

void
FabricProgram::RunBody(const std::function<void()>& body)
{
    s_running = this;
    if (m_mpi)
    {
        FabricRanks::Begin();
    }
    else if (const char* const ranks = std::getenv("OMPI_COMM_WORLD_SIZE"))
    {
        WarnOfCopies(ranks);
    }
    body();
    RequireTaken(); // it has made no FabricRun
    if (m_attributes.IsSettingsFileIdle())
    {
        PrintWarning("--settings has no effect", "this program makes no FabricHelper");
    }
    Simulator::Destroy();
    FabricRanks::End();
}

std::string
FabricProgram::InWordsOfOptions(std::string message) const
{
    for (const Option& option : m_options)
    {
        for (const std::string& attribute : option.attributes)
        {
            const bool isBegin = message.compare(0, attribute.size() + 1, attribute + " ") == 0;
            if (option.isGiven && isBegin)
            {
                message.replace(0, attribute.size(), "--" + option.name);
            }
        }
    }
    return message;
}

void
FabricProgram::RequireSeed(uint64_t seed)
{
    if (seed == 0 || seed > LARGEST_SEED)
    {
        throw FabricError("the seed is " + std::to_string(seed),
                          "it must be 1 to " + std::to_string(LARGEST_SEED));
    }
}

const FabricOptions&
FabricProgram::GetOptions()
{
    m_isTaken = true;
    return m_attributes;
}

void
FabricProgram::RequireOptionsTaken()
{
    if (s_running)
    {
        s_running->RequireTaken();
    }
}

void
FabricProgram::RequireTaken() const
{
    if (!m_attributes.IsEmpty() && !m_isTaken)
    {
        throw FabricError(m_attributes.GetSettingsFile().empty()
                              ? "the options --ns3::Type::Attribute=value are only ns-3's "
                                "defaults, and what the program sets wins over them"
                              : "--settings has no effect in this program",
                          "the program must make its FabricHelper with GetOptions()");
    }
}

bool
FabricProgram::Parse(const std::vector<std::string>& arguments)
{
    for (const std::string& argument : arguments)
    {
        const std::string name = argument.substr(0, argument.find('='));
        if (name == "--help" || name == "--PrintHelp" || name == "-h")
        {
            return false;
        }
        ParseOne(argument);
    }
    RequireOneValueEach(arguments);
    RequireSeed(m_seed);
    RngSeedManager::SetSeed(m_seed);
    RngSeedManager::SetRun(m_run);
    return true;
}

std::vector<std::string>
FabricProgram::WhatIsSetBy(const std::string& name) const
{
    if (name.compare(0, 5, "ns3::") == 0)
    {
        const std::size_t colons = name.rfind("::");
        return {FabricAttributes::FullName(FabricAttributes::FindType(name.substr(0, colons)),
                                           name.substr(colons + 2))};
    }
    for (const Option& option : m_options)
    {
        if (option.name == name && !option.attributes.empty())
        {
            std::vector<std::string> all = option.attributes;
            all.push_back(name);
            return all;
        }
    }
    return {name == "RngSeed" ? "seed" : name == "RngRun" ? "run" : name};
}

void
FabricProgram::RequireOneValueEach(const std::vector<std::string>& arguments) const
{
    std::map<std::string, std::pair<std::string, std::string>> given; // value and argument by name
    for (const std::string& argument : arguments)
    {
        const std::size_t equals = std::min(argument.find('='), argument.size());
        const std::string value = equals < argument.size() ? argument.substr(equals + 1) : "true";
        const bool isAttribute = argument.compare(0, 7, "--ns3::") == 0;
        for (const std::string& name : WhatIsSetBy(argument.substr(2, equals - 2)))
        {
            const auto& before = given.emplace(name, std::pair(value, argument)).first->second;
            const bool wasAttribute = before.second.compare(0, 7, "--ns3::") == 0;
            // Two options of one attribute are of different cases: the program knows.
            const bool areOptions = name.compare(0, 5, "ns3::") == 0 && !isAttribute;
            if (wasAttribute != isAttribute || (before.first != value && !areOptions))
            {
                throw FabricError(
                    before.second + " and " + argument +
                        (before.first == value ? " say the same" : " say different things"),
                    "give one of them");
            }
        }
    }
}

void
FabricProgram::ParseOne(const std::string& argument)
{
    if (argument.compare(0, 2, "--") != 0)
    {
        throw FabricError("argument \"" + argument + "\"", "options look like --name=value");
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals - 2);
    const bool hasValue = equals != std::string::npos;
    const std::string value = hasValue ? argument.substr(equals + 1) : "true";
    if (name.compare(0, 5, "ns3::") == 0)
    {
        if (!hasValue)
        {
            throw FabricError("--" + name + " has no value", "write --" + name + "=value");
        }
        m_attributes.Add(name, value);
        return;
    }
    if (name.compare(0, 5, "Print") == 0)
    {
        PrintAsNs3(name, hasValue ? value : "");
    }
    if (Option* const option = Find(name))
    {
        if (!hasValue && !option->isFlag)
        {
            throw FabricError("--" + name + " has no value", "write --" + name + "=value");
        }
        option->set(value);
        option->isGiven = true;
        return;
    }
    std::vector<std::string> known;
    for (const Option& option : m_options)
    {
        known.push_back("--" + option.name);
    }
    throw FabricError("there is no option --" + name, FabricText::DidYouMean("--" + name, known));
}

void
FabricProgram::PrintAsNs3(const std::string& name, const std::string& value)
{
    if (name == "PrintAttributes")
    {
        if (value.empty())
        {
            throw FabricError("--PrintAttributes has no type",
                              "write --PrintAttributes=ns3::RdmaQueuePair");
        }
        FabricAttributes::FindType(value, Object::GetTypeId());
    }
    else if (name != "PrintGroup" && name != "PrintGroups" && name != "PrintTypeIds" &&
             name != "PrintGlobals" && name != "PrintVersion")
    {
        return;
    }
    CommandLine().Parse({"program", "--" + name + (value.empty() ? "" : "=" + value)});
}

std::string
FabricProgram::Help(const std::string& program) const
{
    std::ostringstream text;
    text << program << ": " << m_purpose << "\n\nusage: " << program
         << " [--option=value ...]\n\noptions:\n";
    std::size_t width = std::string("ns3::Type::Attribute=").size();
    for (const Option& option : m_options)
    {
        width = std::max(width, option.name.size() + 1);
    }
    for (const Option& option : m_options)
    {
        text << "  --" << option.name << "=" << std::string(width - option.name.size() - 1, ' ')
             << " " << option.help << " [" << option.initial << "]\n";
    }
    text << "  --ns3::Type::Attribute=" << std::string(width - 21, ' ')
         << " default of any attribute\n  --help" << std::string(width - 3, ' ') << "this text\n";
    return text.str();
}

} // namespace ns3
