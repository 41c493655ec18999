// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HELPER_TEST_UTIL_H
#define LOSSLESS_HELPER_TEST_UTIL_H

#include "ns3/fabric-error.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

/// A file with a given text, gone at the end of the test.
class ScratchFile
{
  public:
    explicit ScratchFile(const std::string& text, const std::string& suffix = ".txt")
    {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        static int count = 0;
        m_path = (std::filesystem::temp_directory_path() /
                  (std::string("lossless-") + test->test_suite_name() + "-" + test->name() + "-" +
                   std::to_string(count++) + suffix))
                     .string();
        std::ofstream(m_path) << text;
    }

    ~ScratchFile()
    {
        std::error_code ignored;
        std::filesystem::remove(m_path, ignored);
    }

    const std::string& Path() const
    {
        return m_path;
    }

  private:
    std::string m_path;
};

/// Run something that must fail with FabricError. @return its message, which must be one line
template <typename F>
std::string
ErrorOf(F action)
{
    try
    {
        action();
    }
    catch (const ns3::FabricError& error)
    {
        const std::string message = error.what();
        EXPECT_EQ(message.find('\n'), std::string::npos);
        return message;
    }
    ADD_FAILURE() << "no FabricError";
    return "";
}

/// Expect a FabricError whose message holds a text.
#define EXPECT_FABRIC_ERROR(action, text)                                                          \
    EXPECT_NE(ErrorOf([&] { (void)(action); }).find(text), std::string::npos)                      \
        << "message: " << ErrorOf([&] { (void)(action); })

#endif // LOSSLESS_HELPER_TEST_UTIL_H
