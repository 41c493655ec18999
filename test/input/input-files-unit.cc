// SPDX-License-Identifier: GPL-2.0-only
//
// Files that were read, and which results must not replace.
#include "refusal-of.h"
#include "text-file.h"

#include "ns3/fabric-error.h"
#include "ns3/input-files.h"
#include "ns3/result-report.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

using namespace ns3;
using ns3::tests::RefusalOf;

namespace
{

namespace fs = std::filesystem;

/// A folder with a file that was read and one that was not.
class InputFilesTest : public testing::Test
{
  protected:
    InputFilesTest()
    {
        fs::create_directories(m_folder / "below");
        std::ofstream(m_folder / "read.txt") << "1\n";
        std::ofstream(m_folder / "other.txt") << "1\n";
        InputFiles::Add(m_folder / "read.txt");
    }

    ~InputFilesTest() override
    {
        fs::remove_all(m_folder);
    }

    /// Tests run side by side: each has a folder of its own.
    const fs::path m_folder{fs::temp_directory_path() /
                            (std::string("lossless-input-files-unit-") +
                             testing::UnitTest::GetInstance()->current_test_info()->name() +
                             std::to_string(getpid()))};
};

TEST_F(InputFilesTest, KnowsAFileByAnyName)
{
    fs::create_symlink(m_folder / "read.txt", m_folder / "link.txt");
    EXPECT_TRUE(InputFiles::Has(m_folder / "read.txt"));
    EXPECT_TRUE(InputFiles::Has(m_folder / "below" / ".." / "read.txt"));
    EXPECT_TRUE(InputFiles::Has(m_folder / "link.txt"));
    EXPECT_FALSE(InputFiles::Has(m_folder / "other.txt"));
    EXPECT_FALSE(InputFiles::Has(m_folder / "none.txt"));
    EXPECT_FALSE(InputFiles::Has(m_folder));
    EXPECT_FALSE(InputFiles::Has(""));
}

TEST_F(InputFilesTest, RefusesToReplaceAnInput)
{
    EXPECT_NO_THROW(InputFiles::RequireOther(m_folder / "other.txt"));
    const std::string path = m_folder / "read.txt";
    try
    {
        InputFiles::RequireOther(path);
        FAIL() << "an input would have been replaced";
    }
    catch (const FabricError& error)
    {
        EXPECT_EQ(path + ": is an input, and results would replace it; write them elsewhere",
                  error.what());
    }
}

TEST_F(InputFilesTest, LosesNothingThatIsNoFile)
{
    InputFiles::Add("/dev/null");
    EXPECT_NO_THROW(InputFiles::RequireOther("/dev/null"));
    InputFiles::Add(m_folder / "none.txt");
    std::ofstream(m_folder / "none.txt") << "1\n"; // made later, by another one
    EXPECT_FALSE(InputFiles::Has(m_folder / "none.txt"));
    fs::remove(m_folder / "read.txt");
    EXPECT_NO_THROW(InputFiles::RequireOther(m_folder / "read.txt"));
}

TEST_F(InputFilesTest, ReadsNoTextWithoutEnd)
{
    EXPECT_EQ(InputFiles::ReadText(m_folder / "other.txt"), "1\n");
    EXPECT_EQ(RefusalOf<FabricError>([&] { InputFiles::ReadText("/dev/zero"); }),
              "/dev/zero: file is longer than 64 MiB");
    EXPECT_THROW(TextFile("/dev/zero").Next(), FabricError);
}

TEST_F(InputFilesTest, RefusesAFolderWhoseResultsWouldReplaceAnInput)
{
    for (const char* const name : {"fct.csv", "summary.json", "topology.json"})
    {
        const fs::path input = m_folder / "below" / name;
        std::ofstream(input) << "1\n";
        EXPECT_NO_THROW(ResultFolder((m_folder / "below").string()).Discard()) << name;
        InputFiles::Add(input);
        EXPECT_THROW(ResultFolder((m_folder / "below").string()), FabricError) << name;
        EXPECT_TRUE(fs::exists(input));
        EXPECT_FALSE(fs::exists(m_folder / "below" / ".lossless-lock")) << name;
        fs::remove(input);
    }
}

} // namespace
