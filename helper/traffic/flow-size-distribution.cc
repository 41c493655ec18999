// SPDX-License-Identifier: GPL-2.0-only
#include "flow-size-distribution.h"

#include "text-file.h"

#include "ns3/exact-text.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

// Where data/ is, set by CMakeLists.txt: installed, seen from the folder of the library; or as in
// the source.
#ifndef LOSSLESS_INSTALLED_DATA_DIR
#define LOSSLESS_INSTALLED_DATA_DIR ""
#endif
#ifndef LOSSLESS_SOURCE_DATA_DIR
#define LOSSLESS_SOURCE_DATA_DIR ""
#endif

namespace ns3
{
namespace
{

namespace fs = std::filesystem;

/// @return the folder of the file that this code was loaded from; empty if the system does not tell
fs::path
LibraryFolder()
{
    static const char somewhere = 0;
    Dl_info info{};
    if (dladdr(&somewhere, &info) == 0 || info.dli_fname == nullptr)
    {
        return {};
    }
    std::error_code failed;
    const fs::path file = fs::canonical(info.dli_fname, failed);
    return failed ? fs::path() : file.parent_path();
}

/// Folders that may hold the shipped distributions, best first. An installation may have been
/// moved, so that the library looks from where it is.
std::vector<fs::path>
DataFolders()
{
    std::vector<fs::path> folders;
    if (const char* folder = std::getenv("LOSSLESS_DATA_DIR"))
    {
        std::error_code ignored;
        if (!fs::is_directory(folder, ignored))
        {
            throw FabricError("the variable LOSSLESS_DATA_DIR is \"" + std::string(folder) +
                                  "\", which is no folder",
                              "name one that has flow-sizes, or unset it");
        }
        folders.push_back(fs::path(folder) / "flow-sizes");
    }
    if (const fs::path library = LibraryFolder(); !library.empty())
    {
        folders.push_back(library / LOSSLESS_INSTALLED_DATA_DIR / "flow-sizes");
    }
    folders.push_back(fs::path(LOSSLESS_SOURCE_DATA_DIR) / "flow-sizes");
    return folders;
}

std::string
FindFile(const std::string& nameOrPath)
{
    std::error_code ignored;
    if (fs::is_regular_file(nameOrPath, ignored))
    {
        return nameOrPath;
    }
    if (nameOrPath.find_first_of("/.") == std::string::npos)
    {
        for (const fs::path& folder : DataFolders())
        {
            const fs::path file = folder / (nameOrPath + ".csv");
            if (fs::is_regular_file(file, ignored))
            {
                return file.string();
            }
        }
    }
    throw FabricError("there is no file and no workload \"" + nameOrPath + "\"",
                      FabricText::DidYouMean(nameOrPath, FlowSizeDistribution::Names()));
}

bool
IsHeading(const std::string& field)
{
    return std::isalpha(static_cast<unsigned char>(field[0])) != 0;
}

/// Longest flow.
constexpr double MOST_BYTES = 0x1p40;

/// Why a point cannot follow the ones before it; empty if it can.
std::string
Mistake(const std::vector<FlowSizeDistribution::Point>& before,
        const FlowSizeDistribution::Point& point)
{
    if (!(point.bytes >= 0 && point.bytes <= MOST_BYTES))
    {
        return "the size is " + ExactText(point.bytes) + " bytes";
    }
    if (point.bytes != std::floor(point.bytes))
    {
        return "the size of " + ExactText(point.bytes) + " bytes is not whole";
    }
    if (!(point.percent >= 0 && point.percent <= 100))
    {
        return "the percentage is " + ExactText(point.percent);
    }
    if (before.empty())
    {
        return point.percent == 0 ? "" : "the first percentage is not 0";
    }
    if (point.percent > 0 && point.bytes < 1)
    {
        return ExactText(point.percent) + " percent of the flows have no bytes";
    }
    if (point.bytes < before.back().bytes)
    {
        return "the size is below the one before it";
    }
    if (point.percent < before.back().percent)
    {
        return "the percentage is below the one before it";
    }
    return "";
}

constexpr const char* RIGHT =
    "sizes are whole and at most 2^40 bytes, and they and percentages rise, the latter from 0 to "
    "100";

} // namespace

FlowSizeDistribution
FlowSizeDistribution::Load(const std::string& nameOrPath)
{
    TextFile file(FindFile(nameOrPath));
    std::vector<Point> points;
    bool first = true;
    while (file.Next())
    {
        file.RequireFields(2, "flow size in bytes, cumulative percentage");
        if (first && IsHeading(file.Fields()[0]))
        {
            first = false;
            continue;
        }
        first = false;
        const Point point{file.Real(0, "flow size in bytes", 0, MOST_BYTES),
                          file.Real(1, "cumulative percentage", 0, 100)};
        const std::string mistake = Mistake(points, point);
        if (!mistake.empty())
        {
            file.Fail(mistake, RIGHT);
        }
        points.push_back(point);
    }
    try
    {
        return FlowSizeDistribution(std::move(points));
    }
    catch (const FabricError& error)
    {
        throw FabricError(file.Path(), file.Line(), error.what());
    }
}

std::vector<std::string>
FlowSizeDistribution::Names()
{
    std::vector<std::string> names;
    for (const fs::path& folder : DataFolders())
    {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder, error))
        {
            if (entry.path().extension() == ".csv")
            {
                names.push_back(entry.path().stem().string());
            }
        }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

FlowSizeDistribution
FlowSizeDistribution::Constant(uint64_t bytes)
{
    const auto size = static_cast<double>(bytes);
    return FlowSizeDistribution({{size, 0}, {size, 100}});
}

FlowSizeDistribution::FlowSizeDistribution(std::vector<Point> points)
    : m_mean(0)
{
    for (const Point& point : points)
    {
        const std::string mistake = Mistake(m_points, point);
        if (!mistake.empty())
        {
            throw FabricError(mistake, RIGHT);
        }
        if (!m_points.empty())
        {
            m_mean += (point.percent - m_points.back().percent) / 100 *
                      (point.bytes + m_points.back().bytes) / 2;
        }
        m_points.push_back(point);
    }
    if (m_points.size() < 2 || m_points.back().percent != 100)
    {
        throw FabricError("the distribution does not reach 100 percent", RIGHT);
    }
    if (!(m_mean >= 1))
    {
        throw FabricError("the mean flow size is " + std::to_string(m_mean) + " bytes",
                          "it must be 1 or more");
    }
}

double
FlowSizeDistribution::GetQuantile(double fraction) const
{
    const double percent = std::clamp(fraction, 0.0, 1.0) * 100;
    const auto next =
        std::lower_bound(m_points.begin() + 1,
                         m_points.end() - 1,
                         percent,
                         [](const Point& point, double wanted) { return point.percent < wanted; });
    const auto last = next - 1;
    if (next->percent == last->percent)
    {
        return next->bytes;
    }
    return last->bytes + (next->bytes - last->bytes) * (percent - last->percent) /
                             (next->percent - last->percent);
}

uint64_t
FlowSizeDistribution::Draw(const Ptr<RandomVariableStream>& uniform) const
{
    return std::max<uint64_t>(1, static_cast<uint64_t>(GetQuantile(uniform->GetValue())));
}

} // namespace ns3
