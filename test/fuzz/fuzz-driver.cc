// SPDX-License-Identifier: GPL-2.0-only

// main() of a fuzzer where there is no libFuzzer: inputs are the target's seeds, changed at random.
//
//   fuzz-parsers --runs=100000 --seed=7       so many inputs; the same seed gives the same inputs
//   fuzz-parsers --time=10min                 as many as fit into the time
//   fuzz-parsers --input=crash-fuzz-parsers-0123456789abcdef   one input again
//   fuzz-parsers --corpus=FOLDER              writes the seeds, for libFuzzer
//
// An input that ends the program, hangs, or takes too much memory is left in a file of the current
// folder, whose name is printed last. LOSSLESS_BUDGET is the share of --runs that run.

#include "case-budget.h"
#include "fuzz-target.h"
#include "mutator.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-program.h"

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::fuzz;

namespace
{

constexpr rlim_t MEMORY = rlim_t{2} << 30;      //!< bytes of the process
constexpr std::size_t SIGNAL_STACK = 64 * 1024; //!< bytes
constexpr auto PROGRESS = std::chrono::seconds(1);

/// Seconds of the processor that an input may take, whatever else the machine does.
unsigned g_patience = 30;
/// The input that runs, for signal handlers; null: none.
const std::string* g_input = nullptr;
/// Where such an input goes; the handler puts a number into its digits.
std::array<char, 4096> g_path{};

/// Keep the input that runs, and say where. Only what signal handlers may call.
void
Keep(const char* why)
{
    const std::string* input = g_input;
    g_input = nullptr;
    if (!input)
    {
        return;
    }
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (const char c : *input)
    {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    const std::size_t length = std::strlen(g_path.data());
    for (std::size_t digit = 1; digit <= 16; ++digit, hash >>= 4)
    {
        g_path[length - digit] = "0123456789abcdef"[hash & 15];
    }
    const auto say = [](const char* text) { return write(2, text, std::strlen(text)) >= 0; };
    const int file = open(g_path.data(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const bool isKept = file >= 0 && write(file, input->data(), input->size()) ==
                                         static_cast<ssize_t>(input->size());
    if (say("\n") && say(why) && say(isKept ? "; the input is in " : "; cannot write ") &&
        say(g_path.data()))
    {
        say("\n");
    }
}

void
TakeSignal(int signal)
{
    Keep(signal == SIGPROF ? "an input hangs" : "an input has ended the program");
    if (signal == SIGPROF)
    {
        _exit(1);
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

/// Keep the input, whatever ends the program while the input runs.
void
Guard(const std::string& name)
{
    const std::string folder = std::filesystem::current_path().string();
    std::snprintf(g_path.data(),
                  g_path.size(),
                  "%s/crash-%s-%016d",
                  folder.c_str(),
                  name.c_str(),
                  0);
    std::atexit([] {
        if (g_input)
        {
            Keep("an input has called exit()");
            _exit(1);
        }
    });
    // A recursion without end leaves no room on the stack.
    static std::array<char, SIGNAL_STACK> stack;
    stack_t where{};
    where.ss_sp = stack.data();
    where.ss_size = stack.size();
    sigaltstack(&where, nullptr);
    struct sigaction action{};
    action.sa_handler = TakeSignal;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF})
    {
        sigaction(signal, &action, nullptr);
    }
#ifndef __SANITIZE_ADDRESS__ // which reserves terabytes
    const rlimit memory{MEMORY, MEMORY};
    setrlimit(RLIMIT_AS, &memory);
#endif
}

/// @param seconds of the processor, to SIGPROF; 0: never
void
SetTimer(unsigned seconds)
{
    itimerval timer{};
    timer.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &timer, nullptr);
}

/// Run one input. noexcept: an exception that the target lets through is a defect, too.
void
RunOne(const std::string& input) noexcept
{
    // A buffer of its own size, so that a sanitizer sees a read too far.
    const std::vector<uint8_t> exact(input.begin(), input.end());
    g_input = &input;
    SetTimer(g_patience);
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    SetTimer(0);
    g_input = nullptr;
}

/// What the user asks for.
struct Options
{
    uint64_t runs{0};
    Time time;
    Time patience{Seconds(g_patience)};
    std::string input;
    std::string corpus;
    std::string root{LOSSLESS_SOURCE_DIR};
    uint64_t seed{1};
};

double
SecondsSince(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void
WriteCorpus(const std::string& folder, const std::vector<std::string>& seeds)
{
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < seeds.size(); ++i)
    {
        const std::string path = folder + "/seed-" + std::to_string(i);
        if (!(std::ofstream(path, std::ios::binary) << seeds[i]).flush())
        {
            throw FabricError(path, 0, "cannot be written");
        }
    }
    std::cout << seeds.size() << " seeds in " << folder << std::endl;
}

void
RunFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file)
    {
        throw FabricError(path, 0, "cannot be read");
    }
    RunOne(bytes);
    std::cout << "no defect\n" << GetTally();
}

void
RunMany(const Options& options)
{
    const auto runs =
        static_cast<uint64_t>(std::ceil(static_cast<double>(options.runs) * tests::GetBudget()));
    std::vector<std::string> inputs = GetSeeds(options.root);
    const auto begin = std::chrono::steady_clock::now();
    auto shown = begin;
    uint64_t done = 0;
    const auto isOver = [&] {
        return (runs && done >= runs) ||
               (!options.time.IsZero() && SecondsSince(begin) >= options.time.GetSeconds());
    };
    for (; done < inputs.size() && !isOver(); ++done)
    {
        RunOne(inputs[done]); // as they are
    }
    Mutator mutator(options.seed, std::move(inputs), GetWords());
    const bool isWatched = isatty(STDERR_FILENO) != 0;
    for (; !isOver(); ++done)
    {
        RunOne(mutator.Next());
        if (isWatched && std::chrono::steady_clock::now() - shown > PROGRESS)
        {
            shown = std::chrono::steady_clock::now();
            std::cerr << '\r' << done << " inputs, " << SecondsSince(begin) << " s " << std::flush;
        }
    }
    std::cout << (isWatched ? "\n" : "") << done << " inputs in " << SecondsSince(begin) << " s, "
              << static_cast<double>(std::clock()) / CLOCKS_PER_SEC << " s of CPU, seed "
              << options.seed << ": no defect\n"
              << GetTally();
}

} // namespace

int
main(int argc, char* argv[])
{
    FabricProgram program("Feeds random input to the module, and stops at the first defect.");
    Options options;
    program.AddOption("runs", "inputs; 0: no end", options.runs);
    program.AddOption("time", "time that it takes; 0: no end", options.time);
    program.AddOption("patience",
                      "time of the processor that one input may take, whole seconds",
                      options.patience);
    program.AddOption("input", "run this file alone", options.input);
    program.AddOption("corpus", "write the inputs to begin with to this folder", options.corpus);
    program.AddOption("root", "folder of the repository, for them", options.root);
    return program.Run(argc, argv, [&] {
        options.seed = program.GetSeed();
        g_patience = static_cast<unsigned>(std::ceil(options.patience.GetSeconds()));
        if (!options.corpus.empty())
        {
            WriteCorpus(options.corpus, GetSeeds(options.root));
            return;
        }
        Guard(std::filesystem::path(argv[0]).filename().string());
        options.input.empty() ? RunMany(options) : RunFile(options.input);
    });
}
