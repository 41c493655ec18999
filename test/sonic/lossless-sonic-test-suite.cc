// SPDX-License-Identifier: GPL-2.0-only

// Configurations of SONiC on the switches of a fabric: each table changes what is in force, what
// cannot be is refused, what has no effect is named, and what is written back gives the same
// switch.

#include "fabric-test-case.h"

#include "ns3/boolean.h"
#include "ns3/buffer-check.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/dwrr-scheduler.h"
#include "ns3/headroom-rules.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/shaped-scheduler.h"
#include "ns3/sonic-config.h"
#include "ns3/sonic-file.h"
#include "ns3/sonic-show.h"
#include "ns3/sonic-switch.h"
#include "ns3/wred-ecn-marker.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

const std::string EXAMPLES = std::string(NS_TEST_SOURCEDIR) + "/../examples/sonic/";

/// A switch with two hosts, and configurations of SONiC for it.
class SonicTestCase : public FabricTestCase
{
  public:
    explicit SonicTestCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

  protected:
    /// @return a text with " in place of '
    static std::string Quoted(std::string text)
    {
        for (char& c : text)
        {
            c = c == '\'' ? '"' : c;
        }
        return text;
    }

    /// @param tables besides PORT @return the configuration
    static SonicConfig ConfigOf(const std::string& tables)
    {
        const std::string ports = "'PORT': {'Ethernet0': {'speed': '100000'}, 'Ethernet4': "
                                  "{'speed': '100000'}}";
        return SonicConfig::FromText(
            Quoted("{" + ports + (tables.empty() ? "" : ", ") + tables + "}"),
            "x.json");
    }

    /// @param classes with PFC @return two hosts at a switch, by cables of 5 m
    static Fabric Build(const std::vector<uint32_t>& classes = {3, 4})
    {
        FabricHelper helper;
        helper.SetLosslessClasses(classes);
        helper.SetLink("Delay", StringValue("25ns"));
        return helper.Star(2);
    }

    /// Put tables onto the switch of a new fabric.
    /// @return the findings
    std::vector<std::string> Apply(const std::string& tables, Fabric& fabric)
    {
        fabric = Build();
        SonicSwitch sonic(fabric.GetSwitch(0), "leaf 0");
        sonic.Apply(ConfigOf(tables));
        fabric.GetSwitch(0)->Start();
        std::vector<std::string> lines;
        for (const Finding& finding : sonic.GetFindings())
        {
            lines.push_back(finding.ToLine());
        }
        return lines;
    }

    /// The same, where the fabric need not be the test's.
    std::vector<std::string> Apply(const std::string& tables)
    {
        Fabric fabric = Build();
        return Apply(tables, fabric);
    }

    /// Tables are refused, and the switch stays as it was.
    void ExpectRefused(const std::string& tables, const std::string& text)
    {
        const Fabric fabric = Build();
        const std::string before = SonicConfigOf(fabric.GetSwitch(0)).ToText();
        SonicSwitch sonic(fabric.GetSwitch(0), "leaf 0");
        ExpectError([&] { sonic.Apply(ConfigOf(tables)); }, text);
        const std::string message = ErrorOf([&] { sonic.Apply(ConfigOf(tables)); });
        NS_TEST_EXPECT_MSG_EQ(message.rfind("x.json:", 0), 0, message);
        NS_TEST_EXPECT_MSG_EQ(SonicConfigOf(fabric.GetSwitch(0)).ToText(), before, message);
    }

    /// One of the lines has a text.
    void ExpectLine(const std::vector<std::string>& lines, const std::string& text)
    {
        std::string all;
        bool isThere = false;
        for (const std::string& line : lines)
        {
            all += line + "\n";
            isThere = isThere || line.find(text) != std::string::npos;
        }
        NS_TEST_EXPECT_MSG_EQ(isThere, true, "no \"" << text << "\" in " << all);
    }

    /// @return a whole number that an object has as attribute
    static uint64_t NumberOf(const Ptr<Object>& object, const std::string& attribute)
    {
        UintegerValue value;
        object->GetAttribute(attribute, value);
        return value.Get();
    }

    /// @return a text that an object has as attribute
    static std::string TextOf(const Ptr<Object>& object, const std::string& attribute)
    {
        StringValue value;
        object->GetAttribute(attribute, value);
        return value.Get();
    }

  private:
    void DoRun() override
    {
        Run();
    }

    /// The test.
    virtual void Run() = 0;
};

/// Pools, profiles, priority groups and queues.
class BufferTest : public SonicTestCase
{
  public:
    BufferTest()
        : SonicTestCase("Pools and profiles are the division of the buffer")
    {
    }

  private:
    void Run() override
    {
        const std::string tables =
            "'BUFFER_POOL': {'in': {'size': '8000000', 'type': 'ingress', 'mode': 'dynamic', "
            "'xoff': '1000000'}, 'out': {'size': '4000000', 'type': 'egress', 'mode': 'dynamic'}}, "
            "'BUFFER_PROFILE': {'lossy': {'pool': 'in', 'size': '500', 'dynamic_th': '-2'}, "
            "'lossless': {'pool': 'in', 'size': '1000', 'dynamic_th': '-3', 'xoff': '60000', "
            "'xon': "
            "'18432', 'xon_offset': '2288'}, 'q': {'pool': 'out', 'size': '700', 'dynamic_th': "
            "'1'}, 'qs': {'pool': 'out', 'size': '0', 'static_th': '90000'}}, "
            "'BUFFER_PG': {'Ethernet0,Ethernet4|0': {'profile': 'lossy'}, "
            "'Ethernet0,Ethernet4|3-4': "
            "{'profile': 'lossless'}}, 'BUFFER_QUEUE': {'Ethernet0|0-1': {'profile': 'q'}, "
            "'Ethernet0|2': {'profile': 'qs'}, 'Ethernet0|3-4': {'profile': 'q'}}";
        Fabric fabric = Build();
        const auto warnings = Apply(tables, fabric);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        const uint64_t cell = mmu->GetCellSize().Bytes();
        NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(), 9000000, "pool and shared headroom");
        NS_TEST_EXPECT_MSG_EQ(NumberOf(mmu, "SharedHeadroomPool"), 1000000, "xoff of the pool");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetHeadroomPool(), (1000000 + cell - 1) / cell, "in force");
        for (uint32_t port = 0; port < 2; ++port)
        {
            const auto& lossless = mmu->GetConfig(port, 3);
            NS_TEST_EXPECT_MSG_EQ(mmu->IsLossless(port, 3), true, "a profile with xoff");
            NS_TEST_EXPECT_MSG_EQ(lossless.headroomBytes, 60000, "xoff");
            NS_TEST_EXPECT_MSG_EQ(*lossless.guaranteedBytes, 1000, "size beside shared headroom");
            NS_TEST_EXPECT_MSG_EQ(*lossless.alpha, 0.125, "2^-3");
            NS_TEST_EXPECT_MSG_EQ(*lossless.xonOffsetBytes, 2288, "xon_offset");
            NS_TEST_EXPECT_MSG_EQ(mmu->IsLossless(port, 0), false, "a profile without xoff");
            NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(port, 0).alpha, 0.25, "2^-2");
            NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(port, 0).guaranteedBytes, 500, "size");
            NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(port, 1).guaranteedBytes, 0, "without an entry");
        }
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 1).egressAlpha, 2, "2^1");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 1).egressGuaranteedBytes, 700, "size");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 2).egressStaticBytes, 90000, "static_th");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(1, 1).egressGuaranteedBytes, 0, "without an entry");
        NS_TEST_EXPECT_MSG_EQ(NumberOf(mmu, "BufferSize"), 9000000, "reads back");
        NS_TEST_EXPECT_MSG_EQ(warnings.size(), 0, "none");
        TestSilent();
        TestSeparateHeadroom();
        TestStatic();
        TestServicePools();
        TestSizesWithoutReserved();
        TestEmptyPools();
        TestPoolBesideReserved();
        TestPoolsWithoutSize();
        TestThresholdsOfProfiles();
    }

    /// A pool of size 0, to which profiles of unused ports refer, has no space.
    void TestEmptyPools()
    {
        Fabric fabric = Build();
        Apply("'BUFFER_POOL': {'in': {'type': 'ingress', 'size': '6000000'}, 'in_zero': {'type': "
              "'ingress', 'mode': 'static', 'size': '0'}, 'out_zero': {'type': 'egress', 'size': "
              "'0'}}, 'BUFFER_PROFILE': {'p': {'pool': 'in', 'size': '49152', 'xoff': '29696', "
              "'dynamic_th': '0'}, 'z': {'pool': 'in_zero', 'size': '0', 'dynamic_th': '-8'}, "
              "'o': {'pool': 'out_zero', 'size': '0', 'dynamic_th': '1'}}, 'BUFFER_PG': "
              "{'Ethernet0,Ethernet4|3-4': {'profile': 'p'}, 'Ethernet4|0': {'profile': 'z'}}, "
              "'BUFFER_QUEUE': {'Ethernet4|0': {'profile': 'o'}}",
              fabric);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(TextOf(mmu, "ServicePools"), "", "one pool that has space");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(), 6000000, "its size");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(1, 0).staticBytes, 0, "no space at ingress");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(1, 0).guaranteedBytes, 0, "no space at ingress");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(1, 0).egressStaticBytes, 0, "no space at egress");
    }

    /// A pool that is smaller than what is reserved of it is besides: 4 groups of 300 cells.
    void TestPoolBesideReserved()
    {
        Fabric fabric = Build();
        const auto warnings = Apply(
            "'BUFFER_POOL': {'in': {'type': 'ingress', 'size': '104000'}}, 'BUFFER_PROFILE': {'p': "
            "{'pool': 'in', 'size': '62400', 'xoff': '41600', 'dynamic_th': '0'}}, 'BUFFER_PG': "
            "{'Ethernet0,Ethernet4|3-4': {'profile': 'p'}}",
            fabric);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(mmu->GetSharedPool(), 500, "104000 B");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(), 104000 + 4 * 62400, "and what is reserved");
        ExpectLine(warnings, "\"in\": the size is less than what groups reserve of it");
    }

    /// Pools without size divide what is left of the buffer, 2,080,000 B: each the same, or its
    /// percentage. 4 groups reserve 300 cells of 208 B each.
    void TestPoolsWithoutSize()
    {
        const std::string rest =
            ", 'BUFFER_PROFILE': {'p': {'pool': 'a', 'size': '62400', 'xoff': '41600', "
            "'dynamic_th': '0'}, 'l': {'pool': 'b', 'size': '0', 'dynamic_th': '1'}}, 'BUFFER_PG': "
            "{'Ethernet0,Ethernet4|3-4': {'profile': 'p'}, 'Ethernet0,Ethernet4|0': {'profile': "
            "'l'}}";
        // 10000 cells less 1200 are 8800; with 2080 in pool b 6720 are left for a.
        for (const auto& [a, b, cells] :
             std::vector<std::tuple<std::string, std::string, uint64_t>>{
                 {"", "", 4400},
                 {", 'percentage': '75'", ", 'percentage': '25'", 6600},
                 {"", ", 'size': '432640'", 6720}})
        {
            Fabric fabric = Build();
            const auto mmu = fabric.GetSwitch(0)->GetMmu();
            mmu->SetAttribute("BufferSize", UintegerValue(10000 * 208));
            SonicSwitch(fabric.GetSwitch(0), "leaf 0")
                .Apply(ConfigOf("'BUFFER_POOL': {'a': {'type': 'ingress'" + a +
                                "}, 'b': {'type': 'ingress'" + b + "}}" + rest));
            fabric.GetSwitch(0)->Start();
            NS_TEST_EXPECT_MSG_EQ(mmu->GetPool(0).size, cells, a << b);
            NS_TEST_EXPECT_MSG_EQ(mmu->GetPool(0).size + mmu->GetPool(1).size, 8800, a << b);
        }
    }

    /// The threshold is of the kind that the profile names, whatever the mode of its pool is; a
    /// group whose pool is of egress has the first pool of ingress.
    void TestThresholdsOfProfiles()
    {
        Fabric fabric = Build();
        const auto warnings = Apply(
            "'BUFFER_POOL': {'in': {'type': 'ingress', 'mode': 'static', 'size': '8000000'}, "
            "'out': {'type': 'egress', 'mode': 'static', 'size': '8000000'}}, 'BUFFER_PROFILE': "
            "{'p': {'pool': 'in', 'size': '0', 'dynamic_th': '1'}, 'q': {'pool': 'out', 'size': "
            "'1792', 'dynamic_th': '3'}}, 'BUFFER_PG': {'Ethernet0|0': {'profile': 'p'}, "
            "'Ethernet4|0': {'profile': 'q'}}, 'BUFFER_QUEUE': {'Ethernet0|0': {'profile': 'q'}}",
            fabric);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 0).alpha, 2, "2^1");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 0).egressAlpha, 8, "2^3");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(1, 0).guaranteedBytes, 1792, "size");
        ExpectLine(warnings, "\"q\": the pool out of egress for a priority group");
    }

    /// An egress profile without a limit is silently right.
    void TestSilent()
    {
        const auto warnings = Apply(
            "'BUFFER_POOL': {'in': {'size': '8000000', 'type': 'ingress'}, 'out': {'size': "
            "'8000000', 'type': 'egress', 'mode': 'static'}}, 'BUFFER_PROFILE': {'q': {'pool': "
            "'out', 'size': '0', 'static_th': '8000000'}}, 'BUFFER_QUEUE': {'Ethernet0|3': "
            "{'profile': 'q'}}");
        NS_TEST_EXPECT_MSG_EQ(warnings.size(), 0, (warnings.empty() ? "" : warnings.front()));
    }

    /// Without a pool for headroom the size of a profile has it.
    void TestSeparateHeadroom()
    {
        Fabric fabric = Build();
        Apply("'BUFFER_POOL': {'in': {'size': '8000000', 'type': 'ingress'}}, 'BUFFER_PROFILE': "
              "{'p': {'pool': 'in', 'size': '70000', 'xoff': '60000', 'dynamic_th': '7'}}, "
              "'BUFFER_PG': {'Ethernet0,Ethernet4|3-4': {'profile': 'p'}}",
              fabric);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 3).guaranteedBytes, 10000, "size without xoff");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetHeadroomPool(), 0, "each its own");
        NS_TEST_EXPECT_MSG_GT(*mmu->GetConfig(0, 3).alpha, 127.9, "2^7, just below");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(), 8000000, "the pool");
    }

    /// Static thresholds, where xon says when a class resumes.
    void TestStatic()
    {
        Fabric fabric = Build();
        const auto warnings = Apply(
            "'BUFFER_POOL': {'in': {'size': '8000000', 'type': 'ingress', 'mode': 'static'}}, "
            "'BUFFER_PROFILE': {'p': {'pool': 'in', 'size': '61000', 'xoff': '60000', "
            "'static_th': '50000', 'xon': '20000'}}, 'BUFFER_PG': {'Ethernet0,Ethernet4|3-4': "
            "{'profile': 'p'}}",
            fabric);
        const auto& config = fabric.GetSwitch(0)->GetMmu()->GetConfig(1, 4);
        NS_TEST_EXPECT_MSG_EQ(*config.staticBytes, 50000, "static_th");
        NS_TEST_EXPECT_MSG_EQ(*config.xonOffsetBytes, 31000, "50000 and 1000 reserved, to 20000");
        NS_TEST_EXPECT_MSG_EQ(warnings.size(), 0, "xon has an effect");
    }

    /// Two pools of ingress are service pools.
    void TestServicePools()
    {
        Fabric fabric = Build();
        Apply(
            "'BUFFER_POOL': {'a': {'size': '2080000', 'type': 'ingress'}, 'b': {'size': '1040000', "
            "'type': 'ingress'}}, 'BUFFER_PROFILE': {'p': {'pool': 'a', 'size': '60320', 'xoff': "
            "'58240', 'dynamic_th': '0'}, 'l': {'pool': 'b', 'size': '208', 'dynamic_th': '1'}}, "
            "'BUFFER_PG': {'Ethernet0,Ethernet4|3-4': {'profile': 'p'}, 'Ethernet0,Ethernet4|0': "
            "{'profile': 'l'}}",
            fabric);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(TextOf(mmu, "ServicePools"),
                              "a lossless " + std::to_string(2080000 - 4 * 60320) + "; b lossy " +
                                  std::to_string(1040000 - 2 * 208),
                              "what is not reserved");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(), 3120000, "both");
        NS_TEST_EXPECT_MSG_EQ(+mmu->GetIngress(0, 3).pool, 0, "lossless");
        NS_TEST_EXPECT_MSG_EQ(+mmu->GetIngress(0, 0).pool, 1, "lossy");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetSharedPool() * 208,
                              3120000 - 4 * 60320 - 2 * 208,
                              "in force");
    }

    /// The pools of NVIDIA are what is left of the memory, which egress_lossless_pool has, when all
    /// that is reserved is taken. With other switches all of the memory is in the pools.
    void TestSizesWithoutReserved()
    {
        const std::string profiles =
            ", 'BUFFER_PROFILE': {'p': {'pool': 'ingress_lossless_pool', 'size': '49920', 'xon': "
            "'19968', 'xoff': '29952', 'dynamic_th': '0'}, 'l': {'pool': 'ingress_lossy_pool', "
            "'size': '208', 'dynamic_th': '3'}}, 'BUFFER_PG': {'Ethernet0,Ethernet4|3-4': "
            "{'profile': 'p'}, 'Ethernet0,Ethernet4|0': {'profile': 'l'}}";
        const uint64_t shared = 22023 * 208; // 4,580,784 B, about that of a Spectrum
        const uint64_t reserved = 4 * 49920 + 2 * 208;
        const std::string lossy = ", 'ingress_lossy_pool': {'type': 'ingress', 'mode': 'dynamic', "
                                  "'size': '208000'}";
        const std::string nvidia = "'DEVICE_METADATA': {'localhost': {'platform': "
                                   "'x86_64-mlnx_msn2700-r0'}}, ";
        const std::string other = "'DEVICE_METADATA': {'localhost': {'platform': "
                                  "'x86_64-dell_z9100_c2538-r0'}}, ";

        struct Case
        {
            std::string metadata;
            std::string lossyPool;
            uint64_t memory;
            std::string mode;
            bool isWithout;
        };

        const uint64_t two = shared + 208000;
        for (const Case& each : std::vector<Case>{
                 {"", "", shared + reserved, "dynamic", true},
                 {"", lossy, two + reserved, "dynamic", true},
                 {nvidia, lossy, two, "static", true},
                 {other, lossy, two + reserved, "dynamic", false},
                 {"", lossy, two + reserved, "static", false},
                 {"", lossy, two + reserved - 1, "dynamic", false},
             })
        {
            Fabric fabric = Build();
            const bool isOne = each.lossyPool.empty();
            std::string rest = profiles;
            if (isOne)
            {
                rest.replace(rest.find("ingress_lossy_pool"), 18, "ingress_lossless_pool");
            }
            Apply(each.metadata +
                      "'BUFFER_POOL': {'ingress_lossless_pool': {'type': 'ingress', 'mode': "
                      "'dynamic', 'size': '" +
                      std::to_string(shared) + "'}" + each.lossyPool +
                      ", 'egress_lossless_pool': {'type': 'egress', 'mode': '" + each.mode +
                      "', 'size': '" + std::to_string(each.memory) + "'}}" + rest,
                  fabric);
            NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetMmu()->GetSharedPool() * 208,
                                  (isOne ? shared : two) - (each.isWithout ? 0 : reserved),
                                  each.metadata << each.mode << " " << each.memory);
        }
    }
};

/// Shared space and PFC threshold of a file of the kind that each vendor has, by hand. Cells have
/// 208 B; the two ports have the lossless groups 3 and 4, and group 0.
class VendorTest : public SonicTestCase
{
  public:
    VendorTest()
        : SonicTestCase("Shared space and PFC threshold are those of each vendor's switch")
    {
    }

  private:
    void Run() override
    {
        // The pool is the shared space: 4,160,000 B are 20,000 cells. The memory has what groups
        // reserve besides: 4 of 49,920 B, 240 cells each. At alpha 2^0 an empty switch pauses a
        // group when it has 20,000 cells beyond its reserve.
        Expect("'DEVICE_METADATA': {'localhost': {'platform': 'x86_64-mlnx_msn2700-r0'}}, "
               "'BUFFER_POOL': {'ingress_lossless_pool': {'type': 'ingress', 'mode': 'dynamic', "
               "'size': '4160000'}, 'egress_lossless_pool': {'type': 'egress', 'mode': 'dynamic', "
               "'size': '4359680'}}, 'BUFFER_PROFILE': {'l': {'pool': 'ingress_lossless_pool', "
               "'size': '49920', 'xon': '19968', 'xoff': '29952', 'dynamic_th': '0'}, 'z': "
               "{'pool': 'ingress_lossless_pool', 'size': '0', 'dynamic_th': '3'}}, ",
               {20960, 20000, 20000, 160000, 0});
        // Size and xoff are the memory: 20,000 cells, and 1,000 cells of headroom that all groups
        // share. 4 groups reserve 1,248 B, 6 cells; 19,976 are shared. At alpha 2^-3 the threshold
        // is 2,497 cells, and a group resumes 2,496 B, 12 cells, below it.
        Expect("'DEVICE_METADATA': {'localhost': {'platform': 'x86_64-dell_z9100_c2538-r0'}}, "
               "'BUFFER_POOL': {'ingress_lossless_pool': {'type': 'ingress', 'mode': 'dynamic', "
               "'size': '4160000', 'xoff': '208000'}, 'egress_lossless_pool': {'type': 'egress', "
               "'mode': 'static', 'size': '4368000'}}, 'BUFFER_PROFILE': {'l': {'pool': "
               "'ingress_lossless_pool', 'size': '1248', 'xon': '1248', 'xoff': '47840', "
               "'xon_offset': '2496', 'dynamic_th': '-3'}, 'z': {'pool': 'ingress_lossless_pool', "
               "'size': '0', 'static_th': '2080000'}}, ",
               {21000, 19976, 2497, 10000, 12});
        // Two pools, of 20,000 and 5,000 cells, and no shared headroom: the size of a profile has
        // its xoff, and the pool has it. 4 groups reserve 40,560 B, 195 cells, of the first pool;
        // 19,220 cells of it are shared, a quarter at alpha 2^-2. Group 0 has an eighth of the
        // second.
        Expect("'DEVICE_METADATA': {'localhost': {'platform': 'arm64-marvell_db98cx8580-r0'}}, "
               "'BUFFER_POOL': {'ingress_pool1': {'type': 'ingress', 'mode': 'dynamic', 'size': "
               "'4160000'}, 'ingress_pool2': {'type': 'ingress', 'mode': 'dynamic', 'size': "
               "'1040000'}, 'egress_pool1': {'type': 'egress', 'mode': 'dynamic', 'size': "
               "'4160000'}}, 'BUFFER_PROFILE': {'l': {'pool': 'ingress_pool1', 'size': '40560', "
               "'xoff': '24960', 'dynamic_th': '-2'}, 'z': {'pool': 'ingress_pool2', 'size': '0', "
               "'dynamic_th': '-3'}}, ",
               {25000, 24220, 4805, 625, 0});
    }

    /// In cells: memory, shared space, thresholds of groups 3 and 0, and XON of 3 below it.
    void Expect(const std::string& tables, const std::vector<uint64_t>& cells)
    {
        Fabric fabric = Build();
        const auto lines =
            Apply(tables + "'BUFFER_PG': {'Ethernet0,Ethernet4|3-4': {'profile': 'l'}, "
                           "'Ethernet0,Ethernet4|0': {'profile': 'z'}}",
                  fabric);
        NS_TEST_EXPECT_MSG_EQ(lines.size(), 0, (lines.empty() ? "" : lines.front()));
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(), 208 * cells[0], tables);
        NS_TEST_EXPECT_MSG_EQ(mmu->GetSharedPool(), cells[1], tables);
        NS_TEST_EXPECT_MSG_EQ(mmu->GetThreshold(1, 3), cells[2], tables);
        NS_TEST_EXPECT_MSG_EQ(mmu->GetThreshold(1, 0), cells[3], tables);
        if (cells[4] > 0)
        {
            NS_TEST_EXPECT_MSG_EQ(mmu->GetIngress(1, 3).xonOffset, cells[4], tables);
        }
    }
};

/// The dynamic buffer model.
class DynamicModelTest : public SonicTestCase
{
  public:
    DynamicModelTest()
        : SonicTestCase("Headroom is computed from speed and length where there is no profile")
    {
    }

  private:
    void Run() override
    {
        const std::string rest =
            "'CABLE_LENGTH': {'AZURE': {'Ethernet0': '5m', 'Ethernet4': '5m'}}, "
            "'PORT_QOS_MAP': {'Ethernet0,Ethernet4': {'pfc_enable': '3,4'}}, "
            "'LOSSLESS_TRAFFIC_PATTERN': {'AZURE': {'mtu': '2048', 'small_packet_percentage': "
            "'50'}}, 'DEFAULT_LOSSLESS_BUFFER_PARAMETER': {'AZURE': {'default_dynamic_th': '-1', "
            "'over_subscribe_ratio': '2'}}";
        SonicPort input;
        input.losslessMtuBytes = 2048;
        input.smallShare = 0.5;
        input.cellBytes = 208;
        const SonicHeadroom expected = SonicHeadroomBytes(input);
        for (const std::string groups :
             {"'BUFFER_PG': {'Ethernet0,Ethernet4|3-4': {'profile': 'NULL'}}, ",
              "'BUFFER_PG': {}, "})
        {
            Fabric fabric = Build();
            Apply(groups + rest, fabric);
            const auto mmu = fabric.GetSwitch(0)->GetMmu();
            const auto& config = mmu->GetConfig(1, 4);
            NS_TEST_EXPECT_MSG_EQ(config.headroomBytes, expected.xoff, groups);
            NS_TEST_EXPECT_MSG_EQ(*config.guaranteedBytes, expected.xon, groups);
            NS_TEST_EXPECT_MSG_EQ(*config.alpha, 0.5, groups);
            DoubleValue ratio;
            mmu->GetAttribute("HeadroomOversubscription", ratio);
            NS_TEST_EXPECT_MSG_EQ(ratio.Get(), 2, "over_subscribe_ratio");
        }
        Fabric fabric = Build();
        Apply("'BUFFER_POOL': {'in': {'type': 'ingress'}}, 'BUFFER_PROFILE': {'d': {'pool': 'in', "
              "'headroom_type': 'dynamic', 'dynamic_th': '2'}}, 'BUFFER_PG': "
              "{'Ethernet0,Ethernet4|3': {'profile': 'd'}}, " +
                  rest,
              fabric);
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 3).alpha, 4, "its own dynamic_th");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetConfig(0, 3).headroomBytes, expected.xoff, "computed");
        NS_TEST_EXPECT_MSG_EQ(mmu->GetBufferSize(), 32 * 1024 * 1024, "all that is there");
        DoubleValue ratio;
        mmu->GetAttribute("HeadroomOversubscription", ratio);
        NS_TEST_EXPECT_MSG_EQ(ratio.Get(), 2, "over_subscribe_ratio");
        const auto warnings = Apply("'BUFFER_PG': {'Ethernet0|3': {'profile': 'NULL'}}");
        ExpectLine(warnings, "there is no length in CABLE_LENGTH to compute the headroom from");
        ExpectLine(Apply("'BUFFER_PG': {'Ethernet0|3': {'profile': 'NULL'}}, 'CABLE_LENGTH': {'A': "
                         "{'Ethernet0': '0m'}}",
                         fabric),
                   "leaf 0 port 0: a cable of 0m, with PFC of group 3");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetMmu()->IsLossless(0, 3), false, "as SONiC");
    }
};

/// Maps, PFC and MTU of ports.
class PortTest : public SonicTestCase
{
  public:
    PortTest()
        : SonicTestCase("Maps, PFC and MTU are those of the ports")
    {
    }

  private:
    void Run() override
    {
        Fabric fabric = Build();
        const auto warnings =
            Apply("'DSCP_TO_TC_MAP': {'A': {'26': '3', '8': '1'}, 'B': {'26': '4'}}, "
                  "'DOT1P_TO_TC_MAP': {'D': {'5': '3'}}, "
                  "'PORT_QOS_MAP': {'Ethernet0': {'dscp_to_tc_map': 'A', 'dot1p_to_tc_map': 'D', "
                  "'pfc_enable': '3'}, 'Ethernet4': {'dscp_to_tc_map': 'B', 'pfc_enable': ''}}, "
                  "'CABLE_LENGTH': {'A': {'Ethernet0': '5m', 'Ethernet4': '40m'}}",
                  fabric);
        const auto fabricSwitch = fabric.GetSwitch(0);
        const auto one = fabricSwitch->GetPort(0)->GetTrafficClassMap();
        NS_TEST_EXPECT_MSG_EQ(+one->ClassOfDscp(26), 3, "of the map");
        NS_TEST_EXPECT_MSG_EQ(+one->ClassOfDscp(27), 0, "not in the map");
        NS_TEST_EXPECT_MSG_EQ(+one->ClassOfPcp(5), 3, "of the other map");
        NS_TEST_EXPECT_MSG_EQ(one->GetTrust(), TrafficClassMap::DSCP, "DSCP decides");
        NS_TEST_EXPECT_MSG_EQ(+fabricSwitch->GetPort(1)->GetTrafficClassMap()->ClassOfDscp(26),
                              4,
                              "of the other port");
        NS_TEST_EXPECT_MSG_EQ(+fabricSwitch->GetPort(0)->GetPfcClasses(), 8, "pfc_enable");
        NS_TEST_EXPECT_MSG_EQ(+fabricSwitch->GetPort(1)->GetPfcClasses(), 0, "no PFC");
        ExpectLine(
            warnings,
            "leaf 0 port 1: CABLE_LENGTH of Ethernet4 has 40 m, and the link a delay of 25 ns; "
            "at 5 ns a metre its Delay is 200ns");
        Apply("'DOT1P_TO_TC_MAP': {'D': {'5': '3'}}, 'PORT_QOS_MAP': {'Ethernet0': "
              "{'dot1p_to_tc_map': 'D'}}",
              fabric);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetPort(0)->GetTrafficClassMap()->GetTrust(),
                              TrafficClassMap::DOT1P,
                              "PCP decides");
        Fabric other = Build();
        SonicSwitch sonic(other.GetSwitch(0), "leaf 0");
        sonic.Apply(SonicConfig::FromText(
            Quoted("{'PORT': {'Ethernet4': {'index': '1', 'mtu': '9000'}, 'Ethernet0': {'index': "
                   "'2', 'mtu': '4000'}, 'Ethernet8': {'index': '3', 'admin_status': 'down'}}}"),
            "y"));
        NS_TEST_EXPECT_MSG_EQ(other.GetSwitch(0)->GetPort(0)->GetMtu(), 9000, "by index");
        NS_TEST_EXPECT_MSG_EQ(other.GetSwitch(0)->GetPort(1)->GetMtu(), 4000, "by index");
        sonic.Undo();
        NS_TEST_EXPECT_MSG_NE(other.GetSwitch(0)->GetPort(0)->GetMtu(), 9000, "taken back");
        TestNumbers();
    }

    /// Classes, queues, priority groups and PFC priorities apart.
    void TestNumbers()
    {
        Fabric fabric = Build();
        Apply("'TC_TO_QUEUE_MAP': {'A': {'3': '5', '4': '4'}}, 'TC_TO_PRIORITY_GROUP_MAP': {'A': "
              "{'3': '2', '4': '4'}}, 'MAP_PFC_PRIORITY_TO_QUEUE': {'A': {'3': '5'}}, "
              "'PFC_PRIORITY_TO_PRIORITY_GROUP_MAP': {'A': {'3': '2', '4': '4'}}, 'PORT_QOS_MAP': "
              "{'Ethernet0,Ethernet4': {'tc_to_queue_map': 'A', 'tc_to_pg_map': 'A', "
              "'pfc_to_queue_map': 'A', 'pfc_to_pg_map': 'A', 'pfc_enable': '3'}}, "
              "'BUFFER_PROFILE': {'p': {'xoff': '60000', 'dynamic_th': '-5'}, 'q': {'size': '9', "
              "'dynamic_th': '0'}}, 'BUFFER_PG': {'Ethernet0,Ethernet4|2': {'profile': 'p'}}, "
              "'BUFFER_QUEUE': {'Ethernet0|3': {'profile': 'q'}}",
              fabric);
        const auto map = fabric.GetSwitch(0)->GetPort(0)->GetTrafficClassMap();
        NS_TEST_EXPECT_MSG_EQ(+map->QueueOf(3), 5, "TC_TO_QUEUE_MAP");
        NS_TEST_EXPECT_MSG_EQ(+map->QueueOf(2), 0, "not in the map");
        NS_TEST_EXPECT_MSG_EQ(+map->GroupOf(3), 2, "TC_TO_PRIORITY_GROUP_MAP");
        NS_TEST_EXPECT_MSG_EQ(+map->PfcPriorityOf(2), 3, "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP");
        NS_TEST_EXPECT_MSG_EQ(+map->GetTable()->pfcQueues[3], 1U << 5, "MAP_PFC_PRIORITY_TO_QUEUE");
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(mmu->IsLossless(0, 2), true, "the group");
        NS_TEST_EXPECT_MSG_EQ(mmu->IsLossless(0, 3), true, "it keeps its number");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 3).egressGuaranteedBytes, 9, "a lossy queue");
        const SonicConfig written = SonicConfigOf(fabric.GetSwitch(0));
        NS_TEST_EXPECT_MSG_EQ(written.Get("TC_TO_QUEUE_MAP", "AZURE", "3"), "5", "written");
        NS_TEST_EXPECT_MSG_EQ(written.Get("TC_TO_PRIORITY_GROUP_MAP", "AZURE", "3"),
                              "2",
                              "written");
        NS_TEST_EXPECT_MSG_EQ(written.Get("MAP_PFC_PRIORITY_TO_QUEUE", "AZURE", "3"),
                              "5",
                              "written");
    }
};

/// Schedulers of queues and ports.
class SchedulerTest : public SonicTestCase
{
  public:
    SchedulerTest()
        : SonicTestCase("Schedulers of queues are the scheduler of the port")
    {
    }

  private:
    void Run() override
    {
        const std::string schedulers =
            "'SCHEDULER': {'d': {'type': 'DWRR', 'weight': '14'}, 'w': {'type': 'WRR', 'weight': "
            "'3'}, 's': {'type': 'STRICT'}, 'r': {'type': 'STRICT', 'pir': '125000000', 'pbs': "
            "'8192'}, 'c': {'type': 'DWRR', 'cir': '250000000', 'cbs': '4096'}, 'k': "
            "{'meter_type': "
            "'packets', 'pir': '5'}, 'p': {'pir': '1250000000', 'cir': '5'}, 'e': {'type': "
            "'DWRR', 'weight': '2', 'pir': '1250000000'}}, ";
        Fabric fabric = Build();
        Apply(schedulers + "'QUEUE': {'Ethernet0|0-2': {'scheduler': 'd'}, 'Ethernet0|6': "
                           "{'scheduler': 's'}, 'Ethernet4|0': {'scheduler': 'w'}}",
              fabric);
        const auto plain = fabric.GetSwitch(0)->GetPort(0)->GetScheduler();
        NS_TEST_EXPECT_MSG_EQ(plain->GetInstanceTypeId().GetName(),
                              "ns3::DwrrScheduler",
                              "no rates");
        NS_TEST_EXPECT_MSG_EQ(TextOf(plain, "Weights"), "14 14 14 1 1 1 1 1", "weights");
        NS_TEST_EXPECT_MSG_EQ(NumberOf(plain, "StrictClasses"), 0x40, "strict");
        NS_TEST_EXPECT_MSG_EQ(TextOf(plain, "RoundUnit"), "Bytes", "DWRR");
        const auto frames = fabric.GetSwitch(0)->GetPort(1)->GetScheduler();
        NS_TEST_EXPECT_MSG_EQ(TextOf(frames, "RoundUnit"), "Frames", "WRR");
        NS_TEST_EXPECT_MSG_EQ(TextOf(frames, "Weights"), "3 1 1 1 1 1 1 1", "weights");
        const auto warnings =
            Apply(schedulers + "'QUEUE': {'Ethernet0|6': {'scheduler': 'r'}, 'Ethernet0|1': "
                               "{'scheduler': 'c'}, 'CPU|0': {'scheduler': 's'}}, 'PORT_QOS_MAP': "
                               "{'Ethernet4': {'scheduler': 'p'}}",
                  fabric);
        const auto shaped = fabric.GetSwitch(0)->GetPort(0)->GetScheduler();
        NS_TEST_EXPECT_MSG_EQ(shaped->GetInstanceTypeId().GetName(),
                              "ns3::ShapedScheduler",
                              "rates");
        NS_TEST_EXPECT_MSG_EQ(TextOf(shaped, "MaxRates"), "6:1000000000bps", "bytes a second");
        NS_TEST_EXPECT_MSG_EQ(TextOf(shaped, "MinRates"), "1:2000000000bps", "bytes a second");
        NS_TEST_EXPECT_MSG_EQ(TextOf(shaped, "StrictRate"), "", "SONiC has no such limit");
        NS_TEST_EXPECT_MSG_EQ(NumberOf(shaped, "Burst"), 8192, "the largest");
        const auto port = fabric.GetSwitch(0)->GetPort(1)->GetScheduler();
        NS_TEST_EXPECT_MSG_EQ(TextOf(port, "PortRate"), "10000000000bps", "of the port");
        ExpectLine(warnings, "cbs and pbs of queues of a port differ");
        ExpectRefused(schedulers + "'QUEUE': {'Ethernet0|0': {'scheduler': 'd'}, 'Ethernet0|1': "
                                   "{'scheduler': 'w'}}",
                      "the schedulers d and w of the port are DWRR and WRR");
        ExpectRefused(schedulers + "'QUEUE': {'Ethernet0|0': {'scheduler': 'k'}}",
                      "SCHEDULER \"k\": meter_type is packets, with rates");
    }
};

/// Marks of queues.
class WredTest : public SonicTestCase
{
  public:
    WredTest()
        : SonicTestCase("Profiles of WRED are the marks of queues")
    {
    }

  private:
    void Run() override
    {
        const std::string profiles =
            "'WRED_PROFILE': {'g': {'ecn': 'ecn_all', 'wred_green_enable': 'true', "
            "'green_min_threshold': '1000', 'green_max_threshold': '2000', "
            "'green_drop_probability': '5'}, 'n': {'ecn': 'ecn_none', 'wred_green_enable': 'true', "
            "'green_min_threshold': '1000', 'green_max_threshold': '2000'}, 'o': {'ecn': "
            "'ecn_green', 'green_min_threshold': '3', 'green_max_threshold': '4'}}, ";
        Fabric fabric = Build();
        Apply(profiles + "'QUEUE': {'Ethernet0|3': {'wred_profile': 'g'}}", fabric);
        const auto marker = DynamicCast<WredEcnMarker>(fabric.GetSwitch(0)->GetEcnMarker());
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(0, 3).kmin, 1000, "green_min_threshold");
        NS_TEST_EXPECT_MSG_EQ(marker->GetCurve(0, 3).kmax, 2000, "green_max_threshold");
        NS_TEST_EXPECT_MSG_EQ_TOL(marker->GetCurve(0, 3).pmax, 0.05, 1e-12, "in percent");
        NS_TEST_EXPECT_MSG_EQ(marker->IsMarked(0, 3), true, "marks");
        NS_TEST_EXPECT_MSG_EQ(marker->IsMarked(0, 4), false, "a queue without a profile");
        NS_TEST_EXPECT_MSG_EQ(marker->IsMarked(1, 3), false, "a port without a profile");
        NS_TEST_EXPECT_MSG_EQ(TextOf(fabric.GetSwitch(0), "DropNonEct"), "true", "WRED");
        Apply(profiles + "'QUEUE': {'Ethernet0|3': {'wred_profile': 'n'}}", fabric);
        NS_TEST_EXPECT_MSG_EQ(
            DynamicCast<WredEcnMarker>(fabric.GetSwitch(0)->GetEcnMarker())->IsMarked(0, 3),
            false,
            "ecn_none");
        Apply(profiles + "'QUEUE': {'Ethernet0|3': {'wred_profile': 'o'}}", fabric);
        NS_TEST_EXPECT_MSG_EQ(TextOf(fabric.GetSwitch(0), "DropNonEct"), "false", "no WRED");
        NS_TEST_EXPECT_MSG_EQ(
            DynamicCast<WredEcnMarker>(fabric.GetSwitch(0)->GetEcnMarker())->IsMarked(0, 3),
            false,
            "no WRED of green frames");
        ExpectLine(Apply(profiles +
                         "'QUEUE': {'Ethernet0|3': {'wred_profile': 'o'}, 'Ethernet0|4': "
                         "{'wred_profile': 'g'}}"),
                   "\"o\": ecn marks no frame without wred_green_enable");
        ExpectRefused("'WRED_PROFILE': {'x': {'ecn': 'ecn_green', 'wred_green_enable': 'true'}}, "
                      "'QUEUE': {'Ethernet0|3': {'wred_profile': 'x'}}",
                      "WRED_PROFILE \"x\": ecn is ecn_green without thresholds");
        const Fabric without = Build();
        without.GetSwitch(0)->SetEcnMarker(nullptr);
        ExpectError(
            [&] {
                SonicSwitch(without.GetSwitch(0), "leaf 0")
                    .Apply(ConfigOf(profiles + "'QUEUE': {'Ethernet0|3': {'wred_profile': 'g'}}"));
            },
            "the ECN marker of leaf 0 is no WredEcnMarker");
    }
};

/// Watchdogs of ports.
class WatchdogTest : public SonicTestCase
{
  public:
    WatchdogTest()
        : SonicTestCase("PFC_WD is the watchdogs of the switch")
    {
    }

  private:
    /// A watchdog of the script for ports to hosts leaves those to switches to the file.
    void TestBesideServerPorts()
    {
        FabricHelper helper;
        helper.SetLosslessClasses({3, 4});
        helper.SetLink("Delay", StringValue("25ns"));
        const Fabric fabric = helper.LeafSpine(2, 1, 1);
        const auto leaf = fabric.GetSwitch(0);
        leaf->AddExtension(
            CreateObjectWithAttributes<PfcWatchdog>("ServerPortsOnly", BooleanValue(true)));
        for (uint32_t port = 0; port < leaf->GetNPorts(); ++port)
        {
            const std::string name = "Ethernet" + std::to_string(4 * port);
            const auto apply = [&] {
                SonicSwitch(leaf, "leaf 0")
                    .Apply(ConfigOf("'PORT_QOS_MAP': {'Ethernet0,Ethernet4': {'pfc_enable': "
                                    "'3,4'}}, 'PFC_WD': {'" +
                                    name + "': {'detection_time': '500'}}"));
            };
            const bool isUplink =
                bool(leaf->GetPort(port)->GetPeer()->GetNode()->GetObject<FabricSwitch>());
            const std::string error = ErrorOf(apply);
            NS_TEST_EXPECT_MSG_EQ(error.empty(), isUplink, name << ": " << error);
        }
        NS_TEST_EXPECT_MSG_EQ(leaf->GetNExtensions(), 2, "the file's is that of the uplink");
    }

    void Run() override
    {
        const std::string ports = "'PORT_QOS_MAP': {'Ethernet0,Ethernet4': {'pfc_enable': '3,4', "
                                  "'pfcwd_sw_enable': '3'}}, ";
        Fabric fabric = Build();
        Apply(ports +
                  "'PFC_WD': {'GLOBAL': {'POLL_INTERVAL': '100'}, 'Ethernet0': {'action': "
                  "'forward', 'detection_time': '300', 'restoration_time': '400'}, 'Ethernet4': "
                  "{'action': 'alert', 'detection_time': '500'}}",
              fabric);
        const auto fabricSwitch = fabric.GetSwitch(0);
        std::vector<Ptr<PfcWatchdog>> watchdogs;
        for (uint32_t i = 0; i < fabricSwitch->GetNExtensions(); ++i)
        {
            if (const auto one = DynamicCast<PfcWatchdog>(fabricSwitch->GetExtension(i)))
            {
                watchdogs.push_back(one);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(watchdogs.size(), 2, "one for each kind");
        NS_TEST_EXPECT_MSG_EQ(TextOf(watchdogs[0], "Action"), "Alert", "action");
        NS_TEST_EXPECT_MSG_EQ(TextOf(watchdogs[1], "Action"), "Forward", "action");
        NS_TEST_EXPECT_MSG_EQ(+watchdogs[0]->GetWatchedClasses(1), 8, "pfcwd_sw_enable");
        NS_TEST_EXPECT_MSG_EQ(+watchdogs[0]->GetWatchedClasses(0), 0, "the other port");
        TimeValue time;
        watchdogs[1]->GetAttribute("DetectionTime", time);
        NS_TEST_EXPECT_MSG_EQ(time.Get(), MilliSeconds(300), "detection_time");
        watchdogs[1]->GetAttribute("RestorationTime", time);
        NS_TEST_EXPECT_MSG_EQ(time.Get(), MilliSeconds(400), "restoration_time");
        watchdogs[1]->GetAttribute("PollInterval", time);
        NS_TEST_EXPECT_MSG_EQ(time.Get(), MilliSeconds(100), "POLL_INTERVAL");
        ExpectRefused(ports + "'PFC_WD': {'Ethernet0': {'action': 'drop'}}",
                      "PFC_WD \"Ethernet0\": there is no detection_time");
        Fabric twice = Build();
        const std::string one = ports + "'PFC_WD': {'Ethernet4': {'detection_time': '500'}}";
        Apply(one, twice);
        ExpectError([&] { SonicSwitch(twice.GetSwitch(0), "leaf 0").Apply(ConfigOf(one)); },
                    "PFC_WD \"Ethernet4\": leaf 0 has a watchdog of that port already; of another "
                    "file or of the script; leave one of the two out");
        NS_TEST_EXPECT_MSG_EQ(twice.GetSwitch(0)->GetNExtensions(), 1, "nothing was added");
        TestBesideServerPorts();
        Apply(ports + "'PFC_WD': {'GLOBAL': {'BIG_RED_SWITCH': 'enable'}, 'Ethernet0': "
                      "{'detection_time': '200'}}",
              fabric);
        NS_TEST_EXPECT_MSG_EQ(
            DynamicCast<PfcWatchdog>(fabric.GetSwitch(0)->GetExtension(0))->GetBigRedSwitch(),
            true,
            "BIG_RED_SWITCH");
    }
};

/// What cannot be.
class RefusalTest : public SonicTestCase
{
  public:
    RefusalTest()
        : SonicTestCase("What cannot be is refused in one line, and nothing is set")
    {
    }

  private:
    void Run() override
    {
        const Fabric fabric = Build();
        const auto of = [](const std::string& text) {
            return SonicConfig::FromText(Quoted(text), "x.json");
        };
        SonicSwitch sonic(fabric.GetSwitch(0), "leaf 0");
        ExpectError([&] { sonic.Apply(of("{'PORT': {'a': {}}}")); },
                    "x.json: PORT has 1 ports that are not down, and leaf 0 has 2; give as many");
        ExpectError([&] { sonic.Apply(of("{}")); }, "PORT has 0 ports");
        ExpectError([&] { sonic.Apply(of("{'PORT': {'a': {'speed': '25000'}, 'b': {}}}")); },
                    "x.json:1: PORT \"a\": speed is 25000, and port 0 of leaf 0 has 100000000000 "
                    "bit/s; set");
        ExpectRefused("'PORT_QOS_MAP': {'Ethernet0': {'pfc_to_pg_map': 'M'}}, "
                      "'PFC_PRIORITY_TO_PRIORITY_GROUP_MAP': {'M': {'3': '4', '4': '4'}}",
                      "the priorities 3 and 4 become group 4; the pause of a group names one");
        Simulator::Schedule(MicroSeconds(1), [&] {
            ExpectError([&] { sonic.Apply(ConfigOf("")); },
                        "leaf 0 is running; a configuration of SONiC is set before the run");
        });
        RunUntil(MicroSeconds(2));
    }
};

/// The shipped files, through the helper, and back.
class ExampleTest : public SonicTestCase
{
  public:
    ExampleTest()
        : SonicTestCase("The shipped files build a fabric without findings, and go round")
    {
    }

  private:
    /// @return the fabric of the shipped files
    Fabric BuildExample(const FabricOptions& options = FabricOptions())
    {
        FabricHelper helper(options);
        helper.SetLink("Delay", StringValue("25ns"));
        helper.SetLosslessClasses({3, 4});
        helper.At("leaf to spine").Set("ns3::QbbChannel::Delay", StringValue("200ns"));
        helper.At("spine").SetSonicConfig(EXAMPLES + "spine.json");
        helper.At("leaf").SetSonicConfig(EXAMPLES + "leaf.json");
        const SonicConfig leaf = SonicConfig::Read(EXAMPLES + "leaf.json");
        std::string dscp;
        for (const auto& [from, to] : leaf.GetMap("DSCP_TO_TC_MAP", "AZURE"))
        {
            dscp += (dscp.empty() ? "" : ",") + std::to_string(from) + ":" + std::to_string(to);
        }
        helper.At("hosts").Set("ns3::QbbNetDevice::TrafficClassMap",
                               StringValue("ns3::TrafficClassMap[Dscp=" + dscp + "]"));
        helper.At("leaf 0 port 1 class 3").Set("ns3::SwitchMmu::Alpha", DoubleValue(0.25));
        return helper.LeafSpine(2, 2, 4, 2);
    }

    void Run() override
    {
        const Fabric fabric = BuildExample();
        for (const Finding& finding : fabric.GetFindings().Get())
        {
            const bool isOfMemory = finding.rule == "sonic-memory"; // of the spine
            NS_TEST_EXPECT_MSG_EQ((isOfMemory || finding.rule == "sonic-unused"),
                                  true,
                                  finding.ToLine());
        }
        NS_TEST_EXPECT_MSG_GT(fabric.GetFindings().Count("sonic-unused"), 0, "red frames");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetFindings().Count("sonic-memory"), 1, "of all spines once");
        for (const Finding& finding : CheckBuffers(fabric))
        {
            NS_TEST_EXPECT_MSG_EQ(finding.rule, "kmin", finding.ToLine());
        }
        const auto mmu = fabric.GetSwitch(0)->GetMmu();
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(0, 3).alpha, 0.0625, "dynamic_th of the file");
        NS_TEST_EXPECT_MSG_EQ(*mmu->GetConfig(1, 3).alpha, 0.25, "a narrower place wins");
        TestRoundTrip(fabric);
        TestOptions();
        TestRun(fabric);
    }

    /// What is written of a switch gives a switch of which the same is written.
    void TestRoundTrip(const Fabric& fabric)
    {
        const Fabric other = BuildPlain();
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const SonicConfig written = SonicConfigOf(fabric.GetSwitch(i));
            const SonicConfig read = SonicConfig::FromText(written.ToText(), "written.json");
            NS_TEST_EXPECT_MSG_EQ((read == written), true, "switch " << i);
            SonicSwitch(other.GetSwitch(i), "switch").Apply(read);
            NS_TEST_EXPECT_MSG_EQ(SonicConfigOf(other.GetSwitch(i)).ToText(),
                                  written.ToText(),
                                  "switch " << i);
            const auto before = fabric.GetSwitch(i)->GetMmu();
            const auto after = other.GetSwitch(i)->GetMmu();
            for (uint32_t index = 0; index < 8 * fabric.GetSwitch(i)->GetNPorts(); ++index)
            {
                const MmuIngress& one = before->GetIngress(index / 8, index % 8);
                const MmuIngress& two = after->GetIngress(index / 8, index % 8);
                NS_TEST_EXPECT_MSG_EQ(one.headroom, two.headroom, index);
                NS_TEST_EXPECT_MSG_EQ(one.guaranteed, two.guaranteed, index);
                NS_TEST_EXPECT_MSG_EQ(one.xonOffset, two.xonOffset, index);
                NS_TEST_EXPECT_MSG_EQ(one.threshold.alphaFixed, two.threshold.alphaFixed, index);
            }
            NS_TEST_EXPECT_MSG_EQ(before->GetSharedPool(), after->GetSharedPool(), "shared");
        }
        const std::string path = CreateTempDirFilename("written.json");
        WriteSonicConfig(path, SonicConfigOf(fabric.GetSwitch(0)));
        NS_TEST_EXPECT_MSG_EQ((SonicConfig::Read(path) == SonicConfigOf(fabric.GetSwitch(0))),
                              true,
                              "the file");
    }

    /// @return the same fabric without configurations of SONiC
    static Fabric BuildPlain()
    {
        FabricHelper helper;
        helper.SetLink("Delay", StringValue("25ns"));
        helper.SetLosslessClasses({3, 4});
        helper.At("leaf to spine").Set("ns3::QbbChannel::Delay", StringValue("200ns"));
        return helper.LeafSpine(2, 2, 4, 2);
    }

    /// An option of the program wins.
    void TestOptions()
    {
        FabricOptions options;
        options.Add("ns3::SwitchMmu::BufferSize", "20000000");
        options.Add("ns3::PfcWatchdog::Action", "Alert");
        const Fabric fabric = BuildExample(options);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetMmu()->GetBufferSize(),
                              20000000,
                              "the option");
        NS_TEST_EXPECT_MSG_EQ(TextOf(fabric.GetSwitch(0)->GetExtension(0), "Action"),
                              "Alert",
                              "the option");
        Config::Reset();
    }

    /// A run, and its tables.
    void TestRun(const Fabric& fabric)
    {
        RdmaFlowHelper flows(fabric);
        flows.Incast(7, HostId(0), 200000, Seconds(0));
        Simulator::Run();
        const SonicShow show(fabric.GetSwitch(0));
        const std::string queues = show.QueueWatermark();
        NS_TEST_EXPECT_MSG_EQ(queues.rfind("      Port  ", 0), 0, queues);
        NS_TEST_EXPECT_MSG_NE(show.PriorityGroupShared().find("Ethernet20"), std::string::npos, "");
        NS_TEST_EXPECT_MSG_NE(show.PfcWatchdogStats().find("Ethernet0:3  operational"),
                              std::string::npos,
                              show.PfcWatchdogStats());
        const uint64_t most =
            fabric.GetSwitch(0)->GetMmu()->GetMarks(WatermarkView::USER, 0, 3).queue;
        NS_TEST_EXPECT_MSG_NE(queues.find(std::to_string(most)), std::string::npos, queues);
        NS_TEST_EXPECT_MSG_GT(most, 0, "of the victim");
        const std::string all = show.All();
        for (const std::string command : {"show priority-group watermark shared",
                                          "show priority-group watermark headroom",
                                          "show queue watermark unicast",
                                          "show pfc counters",
                                          "show pfcwd stats"})
        {
            NS_TEST_EXPECT_MSG_NE(all.find(command), std::string::npos, command);
        }
    }
};

/// Where users name a file.
class PlaceTest : public SonicTestCase
{
  public:
    PlaceTest()
        : SonicTestCase("Files are named at whole switches, in scripts and settings files")
    {
    }

  private:
    void Run() override
    {
        FabricHelper helper;
        ExpectError([&] { helper.At("leaf 0 port 1").SetSonicConfig(EXAMPLES + "leaf.json"); },
                    "a configuration of SONiC at \"leaf 0 port 1\"; such configurations are of "
                    "whole switches: leave out port and class");
        ExpectError([&] { helper.At("hosts").SetSonicConfig(EXAMPLES + "leaf.json"); },
                    "\"hosts\" has no switch; a configuration of SONiC is of switches");
        ExpectError([&] { helper.At("leaf 0").SetSonicConfig("/nonexistent.json"); },
                    "/nonexistent.json: cannot be read");
        const std::string path = CreateTempDirFilename("settings.toml");
        const std::string json = CreateTempDirFilename("x.json");
        WriteSonicConfig(json,
                         ConfigOf("'BUFFER_POOL': {'in': {'size': '8000000', 'type': "
                                  "'ingress'}}"));
        std::ofstream(path) << "[leaf]\nSonicConfig = \"" << json << "\"\n";
        helper.ReadSettings(path);
        const Fabric fabric = helper.Star(2);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitch(0)->GetMmu()->GetBufferSize(), 8000000, "the file");
        std::ofstream(path) << "[leaf]\nSonicConfig = 5\n";
        ExpectError([&] { helper.ReadSettings(path); }, "settings.toml:2: SonicConfig is no text");
        // A fabric that is built: all of it or nothing.
        const Fabric built = Build();
        const uint64_t before = built.GetSwitch(0)->GetMmu()->GetBufferSize();
        ExpectError(
            [&] {
                WriteSonicConfig(json,
                                 ConfigOf("'BUFFER_POOL': {'in': {'size': '8000', 'type': "
                                          "'ingress'}}"));
                built.At("leaf 0").SetSonicConfig(json);
            },
            "short of the guaranteed space and headroom");
        NS_TEST_EXPECT_MSG_EQ(built.GetSwitch(0)->GetMmu()->GetBufferSize(), before, "as it was");
    }
};

/// Configurations of SONiC.
class SonicTestSuite : public TestSuite
{
  public:
    SonicTestSuite()
        : TestSuite("lossless-sonic", Type::UNIT)
    {
        AddTestCase(new BufferTest);
        AddTestCase(new VendorTest);
        AddTestCase(new DynamicModelTest);
        AddTestCase(new PortTest);
        AddTestCase(new SchedulerTest);
        AddTestCase(new WredTest);
        AddTestCase(new WatchdogTest);
        AddTestCase(new RefusalTest);
        AddTestCase(new ExampleTest);
        AddTestCase(new PlaceTest);
    }
};

SonicTestSuite g_sonicTestSuite; //!< the suite

} // namespace
