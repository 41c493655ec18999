// SPDX-License-Identifier: GPL-2.0-only

// Quantiles in bounded memory, files of results, the progress line.

#include "helper-test-util.h"

#include "ns3/log-histogram.h"
#include "ns3/result-file.h"
#include "ns3/result-report.h"
#include "ns3/run-progress.h"
#include "ns3/run-totals.h"
#include "ns3/table-list.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;

TEST(LogHistogram, QuantilesAreWithinATenthOfAPercent)
{
    std::mt19937_64 random(3);
    std::lognormal_distribution<double> slowdown(1, 1.5);
    LogHistogram histogram;
    std::vector<double> values;
    double sum = 0;
    for (int i = 0; i < 20001; ++i)
    {
        values.push_back(1 + slowdown(random));
        sum += values.back();
        histogram.Add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double fraction : {0.0, 0.01, 0.5, 0.95, 0.99, 0.999, 1.0})
    {
        const auto rank = static_cast<std::size_t>(std::ceil(fraction * 20001));
        const double exact = values[std::max<std::size_t>(rank, 1) - 1];
        EXPECT_NEAR(histogram.Quantile(fraction), exact, exact * 0.001) << fraction;
    }
    EXPECT_EQ(histogram.Count(), 20001U);
    EXPECT_DOUBLE_EQ(histogram.Max(), values.back());
    EXPECT_NEAR(histogram.Mean(), sum / 20001, 1e-9);
}

TEST(LogHistogram, NearestRank)
{
    LogHistogram histogram;
    for (const double value : {4, 1, 3, 2})
    {
        histogram.Add(value);
    }
    EXPECT_NEAR(histogram.Quantile(0.50), 2, 0.002);
    EXPECT_NEAR(histogram.Quantile(0.51), 3, 0.003); // 2 does not cover 51 %
    EXPECT_EQ(histogram.Quantile(0.76), 4);
}

TEST(LogHistogram, EmptyAndSingle)
{
    LogHistogram histogram;
    EXPECT_EQ(histogram.Quantile(0.5), 0);
    EXPECT_EQ(histogram.Mean(), 0);
    histogram.Add(1);
    EXPECT_EQ(histogram.Quantile(0.5), 1); // not the middle of its counter
    EXPECT_EQ(histogram.Quantile(0.99), 1);
    histogram.Add(1e12);
    EXPECT_EQ(histogram.Max(), 1e12);
}

TEST(ResultFile, AppearsOnlyWhenComplete)
{
    const auto folder = std::filesystem::temp_directory_path() / "lossless-result-file-unit";
    std::filesystem::remove_all(folder);
    const auto path = folder / "deep" / "fct.csv";
    {
        ResultFile file(path.string());
        file.Stream() << "half";
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder / "deep")); // neither the file nor its part
    {
        ResultFile file(path.string());
        file.Stream() << "whole\n";
        EXPECT_FALSE(std::filesystem::exists(path));
        EXPECT_FABRIC_ERROR(ResultFile(path.string()), "is being written already");
        file.Commit();
    }
    std::string line;
    std::ifstream stream(path);
    std::getline(stream, line);
    EXPECT_EQ(line, "whole");
    EXPECT_FABRIC_ERROR(ResultFile((folder / "deep").string()), "is a folder");
    EXPECT_FABRIC_ERROR(ResultFile("/dev/null/x"), "cannot be written");
    std::filesystem::remove_all(folder);
}

TEST(ResultFile, LinksAndDevicesStay)
{
    const auto folder = std::filesystem::temp_directory_path() / "lossless-result-link-unit";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "deep");
    std::filesystem::create_symlink("deep/whole.txt", folder / "link");
    std::filesystem::create_symlink("/dev/null", folder / "null");
    for (const char* name : {"link", "link", "null"})
    {
        ResultFile file((folder / name).string());
        file.Stream() << "text\n";
        file.Commit();
        EXPECT_TRUE(std::filesystem::is_symlink(folder / name)) << name;
    }
    EXPECT_EQ(std::filesystem::file_size(folder / "deep" / "whole.txt"), 5U);
    EXPECT_TRUE(std::filesystem::is_character_file(folder / "null"));
    EXPECT_EQ(ResultFile::Target((folder / "null").string()), "");
    EXPECT_EQ(ResultFile::Target((folder / "link").string()),
              ResultFile::Target((folder / "deep" / ".." / "deep" / "whole.txt").string()));
    std::filesystem::create_symlink("/dev/full", folder / "full"); // never the device itself
    EXPECT_FABRIC_ERROR(
        [&] {
            ResultFile full((folder / "full").string());
            full.Stream() << "text";
            full.Commit();
        }(),
        "is the disk full?");
    std::filesystem::remove_all(folder);
}

namespace
{

const double NO_NUMBER = std::numeric_limits<double>::quiet_NaN();

/// @return all types of columns
TableSpec
SampleTable(bool always = true)
{
    using C = ColumnSpec;
    return {"sample",
            "a sample",
            {{"count", "", "whole"},
             {"share", "", "real", C::REAL, "%.2f"},
             {"kind", "", "text", C::TEXT},
             {"where", "", "text with commas", C::QUOTED}},
            always};
}

/// A folder for one test, empty at its begin and gone at its end.
class Folder
{
  public:
    explicit Folder(const std::string& name)
        : path(std::filesystem::temp_directory_path() / (name + "-" + std::to_string(::getpid())))
    {
        std::filesystem::remove_all(path);
    }

    ~Folder()
    {
        std::filesystem::remove_all(path);
    }

    /// @param name of a file in it @return what it has
    std::string Read(const std::string& name) const
    {
        std::ifstream file(path / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    const std::filesystem::path path; //!< the folder
};

/// Two tables, of which one may stay away.
class SampleReport : public Report
{
  public:
    std::string GetName() const override
    {
        return "sample";
    }

    std::vector<TableSpec> GetTables() const override
    {
        TableSpec other = SampleTable(false);
        other.name = "other";
        return {SampleTable(), other};
    }

    void Open(const std::vector<RowSink*>& rows) override
    {
        sinks = rows;
    }

    std::vector<RowSink*> sinks; //!< of Open()
};

} // namespace

TEST(RowSink, FileHasHeaderAndRows)
{
    const Folder folder("lossless-row-sink");
    RowSink sink(SampleTable(), folder.path / "sample.csv");
    sink.Add(uint8_t{7}, 0.126, "tcp", std::string("leaf 2, port 3"));
    sink.Add(int64_t{-1}, NO_NUMBER, std::string("udp"), "");
    EXPECT_FALSE(std::filesystem::exists(folder.path / "sample.csv")) << "it is not complete";
    sink.Commit();
    sink.Add(1, 1.0, "late", "");
    EXPECT_EQ(folder.Read("sample.csv"),
              "count,share,kind,where\n7,0.13,tcp,\"leaf 2, port 3\"\n-1,,udp,\"\"\n");
}

TEST(RowSink, FullDiskIsNoticedAtARow)
{
    const Folder folder("lossless-full-disk");
    std::filesystem::create_directories(folder.path);
    std::filesystem::create_symlink("/dev/full", folder.path / "sample.csv");
    RowSink sink(SampleTable(), folder.path / "sample.csv");
    const auto write = [&sink] {
        for (int row = 0; row < 10000; ++row) // 150 KB: more than a buffer of a stream
        {
            sink.Add(row, 0.5, "tcp", "a");
        }
    };
    EXPECT_FABRIC_ERROR(write(), "sample.csv: cannot be written to its end; is the disk full?");
}

TEST(RowSink, MemoryHasColumns)
{
    RowSink sink(SampleTable());
    sink.Add(uint64_t{7}, 0.126, "tcp", "a");
    sink.Add(-1, NO_NUMBER, "udp", "b");
    EXPECT_EQ(std::get<std::vector<int64_t>>(sink.GetColumns()[0]), (std::vector<int64_t>{7, -1}));
    EXPECT_EQ(std::get<std::vector<double>>(sink.GetColumns()[1])[0], 0.126);
    EXPECT_TRUE(std::isnan(std::get<std::vector<double>>(sink.GetColumns()[1])[1]));
    EXPECT_EQ(std::get<std::vector<std::string>>(sink.GetColumns()[3]),
              (std::vector<std::string>{"a", "b"}));
}

TEST(RowSink, OtherCellsAreRefused)
{
    RowSink sink(SampleTable());
    EXPECT_THROW(sink.Add(7, 0.5, "tcp"), std::logic_error) << "one is missing";
    EXPECT_THROW(sink.Add(7, 1, "tcp", "a"), std::logic_error) << "a whole number for a real one";
}

TEST(RowSink, FileThatIsOnlyThereIfItIsUsed)
{
    const Folder folder("lossless-row-sink-used");
    for (const bool isUsed : {false, true})
    {
        RowSink sink(SampleTable(false), folder.path / "sample.csv");
        if (isUsed)
        {
            sink.Start();
        }
        sink.Commit();
        EXPECT_EQ(folder.Read("sample.csv"), isUsed ? "count,share,kind,where\n" : "");
    }
}

TEST(FolderLock, OneRunAtATime)
{
    const Folder folder("lossless-folder-lock");
    {
        const FolderLock lock(folder.path);
        EXPECT_FABRIC_ERROR(FolderLock(folder.path.string()),
                            "is being written by another run of this program; give each run a "
                            "folder of its own");
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path)) << "the lock leaves nothing";
    const FolderLock again(folder.path);
}

TEST(FolderLock, DeadProcessIsNoHindrance)
{
    const Folder folder("lossless-folder-lock-dead");
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0)
    {
        const FolderLock lock(folder.path);
        const bool told = write(ready[1], "x", 1) == 1;
        pause();
        _exit(told ? 0 : 1);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_FABRIC_ERROR(FolderLock(folder.path.string()),
                        "is being written by process " + std::to_string(child) + ";");
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(std::filesystem::exists(folder.path / ".lossless-lock")) << "it could not clean up";
    const FolderLock lock(folder.path);
    close(ready[0]);
    close(ready[1]);
}

TEST(FolderLock, WhatCannotBeAFolder)
{
    EXPECT_FABRIC_ERROR(FolderLock("/dev/null"), "is no folder and cannot be made one");
}

TEST(ResultFolder, AllFilesOrNone)
{
    const Folder folder("lossless-result-folder");
    SampleReport report;
    for (const bool isFull : {false, true})
    {
        std::filesystem::remove_all(folder.path);
        ResultFolder results(folder.path);
        if (isFull)
        {
            std::filesystem::create_symlink("/dev/full", folder.path / "other.csv");
        }
        results.Add(report);
        report.sinks[0]->Add(1, 0.5, "tcp", "a");
        report.sinks[1]->Add(2, 0.5, "udp", "b");
        if (isFull)
        {
            EXPECT_FABRIC_ERROR(results.Commit(RunTotals()), "other.csv: cannot be written to its");
        }
        else
        {
            results.Commit(RunTotals());
        }
        EXPECT_EQ(std::filesystem::exists(folder.path / "sample.csv"), !isFull);
        EXPECT_EQ(std::filesystem::exists(folder.path / "summary.json"), !isFull);
    }
}

TEST(TableList, NamesAndHelp)
{
    std::set<std::string> names;
    for (const TableSpec& table : ListTables())
    {
        EXPECT_TRUE(names.insert(table.name).second) << table.name;
        EXPECT_FALSE(std::string(table.help).empty()) << table.name;
        std::set<std::string> columns;
        for (const ColumnSpec& column : table.columns)
        {
            EXPECT_TRUE(columns.insert(column.name).second) << table.name << ' ' << column.name;
            EXPECT_FALSE(std::string(column.help).empty()) << table.name << ' ' << column.name;
        }
    }
    EXPECT_EQ(names,
              (std::set<std::string>{
                  "application",   "balance",    "deadlock",  "drift",      "faults", "fct",
                  "findings",      "flow-hops",  "lost",      "link-load",  "mrc",    "pause",
                  "pause-monitor", "pause-tree", "pause-why", "pfc",        "ping",   "ping-window",
                  "queue",         "settings",   "skippable", "throughput", "trims",  "unfinished",
                  "watchdog",      "watermarks"}));
}

TEST(RunProgress, Line)
{
    EXPECT_EQ(RunProgress::Line(MicroSeconds(1500), 3, 10, 61.2),
              "1.500 ms simulated, 3 of 10 flows done, about 1:01 left");
    EXPECT_EQ(RunProgress::Line(MicroSeconds(1), 0, 10, -1),
              "0.001 ms simulated, 0 of 10 flows done");
}
