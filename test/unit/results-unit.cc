// SPDX-License-Identifier: GPL-2.0-only

// Quantiles in bounded memory, files of results, the progress line.

#include "helper-test-util.h"

#include "ns3/log-histogram.h"
#include "ns3/result-file.h"
#include "ns3/run-progress.h"

#include <algorithm>
#include <cmath>
#include <random>

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

TEST(RunProgress, Line)
{
    EXPECT_EQ(RunProgress::Line(MicroSeconds(1500), 3, 10, 61.2),
              "1.500 ms simulated, 3 of 10 flows done, about 1:01 left");
    EXPECT_EQ(RunProgress::Line(MicroSeconds(1), 0, 10, -1),
              "0.001 ms simulated, 0 of 10 flows done");
}
