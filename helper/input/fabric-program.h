// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_PROGRAM_H
#define LOSSLESS_FABRIC_PROGRAM_H

#include "fabric-options.h"
#include "fabric-text.h"
#include "option-text.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * The frame of a main program: options, random seed, clock and event scheduler, and errors as one
 * line with exit status 2.
 *
 * @code
 * int
 * main(int argc, char* argv[])
 * {
 *     FabricProgram program("An incast of 16 hosts.");
 *     uint64_t bytes = 64 * 1024;
 *     program.AddSize("bytes", "bytes that each host sends", bytes);
 *     return program.Run(argc, argv, [&] {
 *         FabricHelper helper(program.GetOptions());
 *         ...
 *     });
 * }
 * @endcode
 *
 * Every program has --help, --seed, --run, --ns3::Type::Attribute=value for the default of any
 * attribute, which wins over what the program sets by `FabricHelper helper(program.GetOptions())`,
 * and --settings=FILE for some places of the fabric (FabricHelper::ReadSettings());
 * and what users of ns-3's CommandLine know: --PrintHelp, --PrintAttributes=Type,
 * --PrintGroup=Group, --PrintGroups,
 * --PrintTypeIds, --PrintGlobals, --PrintVersion, --RngSeed and --RngRun. Seed and run are those of
 * NS_GLOBAL_VALUE where no option says otherwise. ns-3's CommandLine aborts, or ends with status 1,
 * on what it does not understand.
 *
 * Sets the clock to picoseconds, and takes FabricSimulatorImpl unless NS_GLOBAL_VALUE names another
 * simulator. Make it before anything of ns-3 that holds a Time.
 */
class FabricProgram
{
  public:
    /// @param purpose one line for --help
    explicit FabricProgram(const std::string& purpose);
    FabricProgram(const FabricProgram&) = delete;
    FabricProgram& operator=(const FabricProgram&) = delete;

    /// @param name option, as in --name=value; of a bool --name alone means true @param help what
    /// it does @param value default; result
    template <typename T>
    void AddOption(const std::string& name, const std::string& help, T& value)
    {
        m_options.push_back({name,
                             help,
                             OptionText::Of(value),
                             std::is_same_v<T, bool>,
                             [&value, name](const std::string& text) {
                                 OptionText::Read(text, "--" + name, value);
                             }});
    }

    /// An option of a struct of options. @param field what it is @param value default; result
    /// @param check whether a value can be
    template <typename T, typename Check>
    void AddOption(const ProgramOption& field, T& value, const Check& check)
    {
        AddOption(field.name, field.help, value);
        m_options.back().set = [&value, field, check](const std::string& text) {
            const std::string name = std::string("--") + field.name;
            T wanted{};
            OptionText::Read(text, name, wanted);
            if (!check(wanted))
            {
                OptionText::Refuse(name, '"' + text + '"', field);
            }
            value = wanted;
        };
    }

    /// A name, such as that of a file, that need not be given; given, it is not empty. @param name
    /// option @param help what it does @param value default; result
    void AddName(const std::string& name, const std::string& help, std::string& value);

    /// A number of a range, which errors say. @param name option @param help what it does @param
    /// value default; result @param least of it @param most of it
    template <typename Number>
    void AddNumber(const std::string& name,
                   const std::string& help,
                   Number& value,
                   uint64_t least,
                   uint64_t most)
    {
        AddOption(name, help, value);
        m_options.back().set = [&value, name, least, most](const std::string& text) {
            FabricText::ToUint(text, "--" + name, most, least);
            OptionText::Read(text, "--" + name, value);
        };
    }

    /// A size, such as 64KiB. @param name option @param help what it does @param value default;
    /// result, bytes
    void AddSize(const std::string& name, const std::string& help, uint64_t& value);

    // ---- options that many programs have

    /// --congestion: a congestion control, or none. @param value default; result
    void AddCongestion(std::string& value);
    /// --rate and --delay of all links. @param rate default; result @param delay default; result
    void AddLinks(DataRate& rate, Time& delay);
    /// --buffer: the packet memory of a switch. @param value default; result, bytes
    void AddBuffer(uint64_t& value);
    /// --mpi: run over the ranks of mpirun (FabricRanks); none in a build without MPI. For programs
    /// that run their fabrics by FabricRun alone
    void AddMpi();

    /**
     * An option sets attributes. Another value for one of them, as --ns3::Type::Attribute=value, is
     * refused: one of the two would win in silence.
     * @param name of an option of this program, without the dashes
     * @param attributes "ns3::Type::Attribute" each, with the type that declares it
     */
    void StandsFor(const std::string& name, const std::vector<std::string>& attributes);

    /// @return names of all options, without the dashes
    std::vector<std::string> GetNames() const;

    /**
     * Read the options and run the program.
     * @param argc as of main()
     * @param argv as of main()
     * @param body the program itself
     * @return exit status: 0; 2 after one line on standard error; 128 and the number of the signal
     * after a FabricInterrupt, whose summary is printed
     */
    int Run(int argc, char* argv[], const std::function<void()>& body);

    /**
     * Read the options. Throws FabricError.
     * @param arguments the arguments, without the program's name
     * @return false if help was asked for
     */
    bool Parse(const std::vector<std::string>& arguments);

    /// @param program name of the program @return the text of --help
    std::string Help(const std::string& program) const;

    /// @return what --ns3::Type::Attribute=value said, for FabricHelper and HpccScenario. A program
    /// that was given such options and has not asked ends with an error when its run begins
    const FabricOptions& GetOptions();

    /// A run begins. FabricError if the program that runs was given options for attributes, and has
    /// not asked for them: the run would be another one than the user has described.
    static void RequireOptionsTaken();

    /// @param seed of random streams; FabricError unless ns-3 takes it
    static void RequireSeed(uint64_t seed);

    /// @return the seed in use
    uint32_t GetSeed() const
    {
        return m_seed;
    }

  private:
    /// One option.
    struct Option
    {
        std::string name;                            //!< without the dashes
        std::string help;                            //!< what it does
        std::string initial;                         //!< default, as text
        bool isFlag;                                 //!< may stand without a value
        std::function<void(const std::string&)> set; //!< takes the text
        std::vector<std::string> attributes{};       //!< that it stands for
        bool isGiven{false};                         //!< on the command line
    };

    /// Run what the program does. @param body it
    void RunBody(const std::function<void()>& body);
    /// @param message of an error @return it, with an option in place of the attribute that it
    /// stands for
    std::string InWordsOfOptions(std::string message) const;

    /// @param name of an option @return it; null: there is none
    Option* Find(const std::string& name);
    /// @param name of an option that a program says to have @return it
    Option& Have(const std::string& name);

    /// @param name of a known option @return what it sets, by names that others have, too
    std::vector<std::string> WhatIsSetBy(const std::string& name) const;
    /// FabricError where two options say different things of one: one of them would win in silence.
    /// @param arguments options that are known
    void RequireOneValueEach(const std::vector<std::string>& arguments) const;

    /// @param argument one argument, with its dashes
    void ParseOne(const std::string& argument);
    /// What ns-3's CommandLine prints, such as --PrintGroups; it ends the program then.
    /// @param name of the option @param value its value; empty: none
    static void PrintAsNs3(const std::string& name, const std::string& value);

    /// FabricError when there are options for attributes and nobody has asked for them.
    void RequireTaken() const;

    std::string m_purpose;
    FabricOptions m_attributes;
    bool m_isTaken{false}; //!< GetOptions() was called
    /// The program that is in Run(); null: none.
    inline static FabricProgram* s_running{nullptr};
    std::vector<Option> m_options;
    uint32_t m_seed;
    uint64_t m_run;
    bool m_mpi{false}; //!< --mpi
};

} // namespace ns3

#endif // LOSSLESS_FABRIC_PROGRAM_H
