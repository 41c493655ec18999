// SPDX-License-Identifier: GPL-2.0-only

// Text to numbers with units, and files of fields.

#include "helper-test-util.h"
#include "text-file.h"

#include "ns3/fabric-text.h"

using namespace ns3;

TEST(FabricText, Sizes)
{
    EXPECT_EQ(FabricText::ToBytes("0", "x"), 0U);
    EXPECT_EQ(FabricText::ToBytes("1500", "x"), 1500U);
    EXPECT_EQ(FabricText::ToBytes("64KiB", "x"), 65536U);
    EXPECT_EQ(FabricText::ToBytes("64KB", "x"), 64000U);
    EXPECT_EQ(FabricText::ToBytes("32MiB", "x"), 33554432U);
    EXPECT_EQ(FabricText::ToBytes("1.5M", "x"), 1500000U);
    EXPECT_EQ(FabricText::ToBytes("1TiB", "x"), uint64_t{1} << 40);
    for (const char* bad :
         {"", "KiB", "-1", "1.5", "64 KiB", "64KiBs", "0x10", "inf", "nan", "1e99"})
    {
        EXPECT_FABRIC_ERROR(FabricText::ToBytes(bad, "BufferSize"), "BufferSize is ");
    }
}

TEST(FabricText, Rates)
{
    EXPECT_EQ(FabricText::ToRate("100Gbps", "x").GetBitRate(), 100000000000U);
    EXPECT_EQ(FabricText::ToRate("25Gb/s", "x").GetBitRate(), 25000000000U);
    EXPECT_EQ(FabricText::ToRate("1.6Tbps", "x").GetBitRate(), 1600000000000U);
    EXPECT_EQ(FabricText::ToRate("12.5GB/s", "x").GetBitRate(), 100000000000U);
    EXPECT_EQ(FabricText::ToRate("5Mb/s", "x").GetBitRate(), 5000000U);
    EXPECT_EQ(FabricText::ToRate("1e9", "x").GetBitRate(), 1000000000U);
    EXPECT_EQ(FabricText::ToRate("0.1Gbps", "x").GetBitRate(), 100000000U);
    EXPECT_EQ(FabricText::ToRate("0.30000000000000004Gbps", "x").GetBitRate(), 300000000U);
    EXPECT_EQ(FabricText::ToRate("1.5kbps", "x").GetBitRate(), 1500U);
    EXPECT_EQ(FabricText::ToRate("1000.5", "x").GetBitRate(), 1001U); // a number is rounded
    EXPECT_FABRIC_ERROR(FabricText::ToRate("1000.5bps", "rate"),
                        "rate is \"1000.5bps\"; it must be a whole number of bit/s, such as");
    EXPECT_FABRIC_ERROR(FabricText::ToRate("0.1bps", "rate"), "a whole number of bit/s");
    for (const char* bad : {"0Gbps", "-1Gbps", "fast", "100", "Gbps", "100GGbps"})
    {
        if (std::string(bad) != "100") // a bare number is bit/s
        {
            EXPECT_FABRIC_ERROR(FabricText::ToRate(bad, "rate"), "rate is ");
        }
    }
}

TEST(FabricText, Times)
{
    EXPECT_EQ(FabricText::ToTime("1us", "x"), MicroSeconds(1));
    EXPECT_EQ(FabricText::ToTime("0.001ms", "x"), MicroSeconds(1)); // exact, not 999 ns
    EXPECT_EQ(FabricText::ToTime("0.0054ms", "x"), NanoSeconds(5400));
    EXPECT_EQ(FabricText::ToTime("2.5s", "x"), MilliSeconds(2500));
    EXPECT_EQ(FabricText::ToTime("0", "x"), Time(0));
    EXPECT_EQ(FabricText::ToTime("0.0", "x"), Time(0));
    EXPECT_FABRIC_ERROR(FabricText::ToTime("2.5", "stop"),
                        "stop is \"2.5\", which has no unit; it must be a time such as 1us");
    EXPECT_EQ(FabricText::ToTime("2.5", "stop", "us"), NanoSeconds(2500)); // a format that says so
    EXPECT_EQ(FabricText::ToTime("3ms", "stop", "us"), MilliSeconds(3));
    EXPECT_FABRIC_ERROR(FabricText::ToTime("-1", "stop", "s"),
                        "stop is \"-1\"; it must be a time such as 1us or 0.5ms, and not negative");
    EXPECT_FABRIC_ERROR(FabricText::ToTime("1e12", "stop", "s"), "stop is \"1e12\"; it must be a");
    EXPECT_EQ(FabricText::ToTime("1.5us", "x"), NanoSeconds(1500));
    EXPECT_EQ(FabricText::ToTime("0.001ns", "x"), PicoSeconds(1));
    EXPECT_EQ(FabricText::ToTime("0.30000000000000004us", "x"), NanoSeconds(300)); // 0.1 + 0.2
    EXPECT_EQ(FabricText::ToTime("0.1h", "x"), Seconds(360));
    EXPECT_EQ(FabricText::ToTime("0fs", "x"), Time(0));
    EXPECT_EQ(FabricText::ToTime("2.0000000000004", "x", "s"), Seconds(2)); // of a format
    for (const char* bad : {"1fs", "0.5ps", "1.5ps", "0.0001ns", "1.0000001us"})
    {
        EXPECT_FABRIC_ERROR(FabricText::ToTime(bad, "delay"),
                            "; it must be a whole number of picoseconds, such as 1us or 0.5ms");
    }
    for (const char* bad : {"-1us", "soon", "", "1 us", "1usec", "1e30s"})
    {
        EXPECT_FABRIC_ERROR(FabricText::ToTime(bad, "delay"), "delay is ");
    }
}

TEST(FabricText, WholeAndRealNumbers)
{
    EXPECT_EQ(FabricText::ToUint("18446744073709551615", "x"), ~uint64_t{0});
    EXPECT_FABRIC_ERROR(FabricText::ToUint("18446744073709551616", "x"), "whole number");
    EXPECT_FABRIC_ERROR(FabricText::ToUint("8", "class", 7), "from 0 to 7");
    EXPECT_FABRIC_ERROR(FabricText::ToUint("-1", "class", 7), "class is \"-1\"");
    EXPECT_FABRIC_ERROR(FabricText::ToUint("1.0", "x"), "whole number");
    EXPECT_DOUBLE_EQ(FabricText::ToReal("1e-3", "x"), 1e-3);
    EXPECT_FABRIC_ERROR(FabricText::ToReal("1.1", "error rate", 0, 1), "0 to 1");
    EXPECT_FABRIC_ERROR(FabricText::ToReal("nan", "error rate", 0, 1), "error rate is \"nan\"");
    EXPECT_TRUE(FabricText::ToBool("true", "x"));
    EXPECT_FALSE(FabricText::ToBool("0", "x"));
    EXPECT_FABRIC_ERROR(FabricText::ToBool("maybe", "x"), "1 or 0");
}

TEST(FabricText, NearestName)
{
    EXPECT_EQ(FabricText::DidYouMean("outdir", {"seed", "outDir"}), "did you mean outDir?");
    EXPECT_EQ(FabricText::DidYouMean("Cubic", {"ns3::TcpBic", "ns3::TcpCubic"}),
              "did you mean ns3::TcpCubic?");
    EXPECT_EQ(FabricText::DidYouMean("ns3::cubic", {"ns3::Bic", "ns3::TcpCubic"}),
              "did you mean ns3::TcpCubic?");
    EXPECT_EQ(FabricText::DidYouMean("x", {}), "there are none");
    EXPECT_EQ(FabricText::DidYouMean("xyzzy", {"seed", "outDir"}), "known: seed, outDir");
    // Takes seconds where the whole text is compared with each name.
    const std::vector<std::string> names(200, "outDir");
    EXPECT_EQ(FabricText::DidYouMean(std::string(2000000, 'x'), names), "no known name is near it");
}

TEST(FabricError, ALongTextLosesItsMiddle)
{
    const FabricError error("there is no type " + std::string(2000000, 'x'), "known: a, b");
    const std::string what = error.what();
    EXPECT_EQ(what.find("there is no type xxx"), 0U);
    EXPECT_EQ(what.substr(what.size() - 14), "x; known: a, b");
    EXPECT_NE(what.find(" characters] x"), std::string::npos);
    EXPECT_LT(what.size(), 1300U);
    EXPECT_EQ(std::string(FabricError(std::string(2000, 'x')).what()), std::string(2000, 'x'));
    // Escaped, it is longer.
    EXPECT_LT(std::string(FabricError(std::string(1999, '\0')).what()).size(), 1300U);
}

TEST(TextFile, FieldsCommentsAndLineNumbers)
{
    ScratchFile scratch("# heading\n\n a  b,c\t# rest\n1 2.5 10Gbps 3us\r\n");
    TextFile file(scratch.Path());
    ASSERT_TRUE(file.Next());
    EXPECT_EQ(file.Line(), 3U);
    EXPECT_EQ(file.Fields(), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_FABRIC_ERROR(file.RequireFields(2, "x y"), scratch.Path() + ":3: 3 fields; expected 2");
    ASSERT_TRUE(file.Next());
    EXPECT_EQ(file.Uint(0, "id"), 1U);
    EXPECT_DOUBLE_EQ(file.Real(1, "p", 0, 3), 2.5);
    EXPECT_EQ(file.Rate(2, "rate").GetBitRate(), 10000000000U);
    EXPECT_EQ(file.Duration(3, "delay"), MicroSeconds(3));
    EXPECT_FABRIC_ERROR(file.Uint(1, "id"), ":4: id is \"2.5\"");
    EXPECT_FABRIC_ERROR(file.Uint(4, "id"), "id is missing");
    EXPECT_FABRIC_ERROR(file.Require("more"), "the file ends here; expected more");
}

TEST(TextFile, MissingFileAndFolder)
{
    EXPECT_FABRIC_ERROR(TextFile("no/such/file"), "no/such/file: cannot be read: No such file");
    EXPECT_FABRIC_ERROR(TextFile(std::filesystem::temp_directory_path().string()), "is a folder");
}
