// SPDX-License-Identifier: GPL-2.0-only

// What is set is seen: each attribute of the module is set on an object of a built fabric, and
// changes what the fabric does, or is refused in one line.
//
// test/support/effect-table.cc has a row for each attribute: the scene, the value, and where the
// effect is seen. A row is run without the setting, with it before the run, and with it during the
// run, when attributes that MakeFixed() declares must be refused.

#include "effect-scene.h"
#include "effect-table.h"
#include "fabric-test-case.h"

#include "ns3/attribute.h"
#include "ns3/fixed-accessor.h"

#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::tests;

namespace
{

/// An attribute of the module that can be set.
struct Attribute
{
    std::string name; //!< Type::Attribute
    bool isFixed;     //!< by MakeFixed()
};

/// @return all attributes of the module that can be set
std::vector<Attribute>
GetAttributes()
{
    constexpr std::size_t NAMESPACE = 5; // "ns3::"
    std::vector<Attribute> attributes;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t k = 0; type.GetGroupName() == "Lossless" && k < type.GetAttributeN(); ++k)
        {
            const auto attribute = type.GetAttribute(k);
            if ((attribute.flags & TypeId::ATTR_SET) && attribute.accessor->HasSetter())
            {
                const auto* accessor = PeekPointer(attribute.accessor);
                attributes.push_back({type.GetName().substr(NAMESPACE) + "::" + attribute.name,
                                      FindAccessor<FixedAccessor>(accessor) != nullptr});
            }
        }
    }
    return attributes;
}

/// @param name of a scene @return the scene, or null
const EffectScene*
FindScene(const std::string& name)
{
    for (const EffectScene& scene : GetEffectScenes())
    {
        if (scene.name == name)
        {
            return &scene;
        }
    }
    return nullptr;
}

/// Each attribute has a row, and each row an attribute and a scene.
class TableTest : public FabricTestCase
{
  public:
    TableTest()
        : FabricTestCase("Effects: a row for each attribute, and for nothing else")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string> attributes;
        for (const Attribute& attribute : GetAttributes())
        {
            attributes.insert(attribute.name);
        }
        std::set<std::string> rows;
        for (const EffectRow& row : GetEffectTable())
        {
            NS_TEST_EXPECT_MSG_EQ(rows.insert(row.name).second, true, row.name << " stands twice");
            NS_TEST_EXPECT_MSG_EQ(attributes.count(row.name), 1, row.name << " is no attribute");
            NS_TEST_EXPECT_MSG_EQ((FindScene(row.scene) != nullptr), true, row.scene);
        }
        std::set<std::string> methods;
        for (const EffectMethod& row : GetEffectMethods())
        {
            NS_TEST_EXPECT_MSG_EQ(methods.insert(row.name).second, true, row.name << " twice");
            NS_TEST_EXPECT_MSG_EQ((FindScene(row.scene) != nullptr), true, row.scene);
        }
        for (const std::string& name : attributes)
        {
            NS_TEST_EXPECT_MSG_EQ(rows.count(name), 1, name << " has no row in effect-table.cc");
        }
        std::cout << rows.size() << " attributes and " << methods.size() << " methods in "
                  << GetEffectScenes().size() << " scenes\n";
    }
};

/// The rows of a scene.
class EffectTest : public FabricTestCase
{
  public:
    explicit EffectTest(const EffectScene& scene)
        : FabricTestCase("Effects: " + scene.name),
          m_scene(scene)
    {
    }

  private:
    void DoRun() override
    {
        std::map<std::string, bool> isFixed;
        for (const Attribute& attribute : GetAttributes())
        {
            isFixed[attribute.name] = attribute.isFixed;
        }
        uint32_t rows = 0;
        for (const EffectRow& row : GetEffectTable())
        {
            if (row.scene == m_scene.name)
            {
                CheckAttribute(row, isFixed[row.name]);
                ++rows;
            }
        }
        for (const EffectMethod& row : GetEffectMethods())
        {
            if (row.scene == m_scene.name)
            {
                const EffectResult& without = GetBaseline(row.with);
                Expect(row.seen, Run(row.with, row.call, nullptr), without, row.name + BEFORE);
                Expect(row.during, Run(row.with, nullptr, row.call), without, row.name + DURING);
                ++rows;
            }
        }
        std::cout << GetName() << ": " << rows << '\n';
        NS_TEST_EXPECT_MSG_GT(rows, 0, "rows of " << m_scene.name);
    }

    /// @param row of the table @param isFixed whether its attribute is refused during the run
    void CheckAttribute(const EffectRow& row, bool isFixed)
    {
        const std::string& by = row.by.empty() ? row.name : row.by;
        const std::string text = by + "=" + row.value;
        const EffectSetting setting = ParseSettings(text)[0];
        const EffectResult& without = GetBaseline(row.with);
        const std::string all = row.with + (row.with.empty() ? "" : "; ") + text;
        Expect(row.seen, Run(all, nullptr, nullptr), without, row.name + BEFORE);

        const auto set = [&](EffectRun& run) { run.Set(setting); };
        const EffectResult during = Run(row.with, nullptr, set);
        NS_TEST_EXPECT_MSG_GT(during.objects, 0, row.name << ": nothing to set it on");
        if (!isFixed)
        {
            // That an object begins anew, with the same value, is no effect.
            const auto touch = [&](EffectRun& run) { run.Touch(setting); };
            Expect(row.during, during, Run(row.with, nullptr, touch), row.name + DURING);
            return;
        }
        Expect(EffectSeen::REFUSAL, during, without, row.name + DURING);
        NS_TEST_EXPECT_MSG_NE(during.refusal.find("fixed since"),
                              std::string::npos,
                              row.name << " says " << during.refusal);
        NS_TEST_EXPECT_MSG_EQ(during.wire, without.wire, row.name << " was refused");
    }

    /// Expect that a run differs from one without a setting.
    void Expect(EffectSeen seen,
                const EffectResult& result,
                const EffectResult& without,
                const std::string& what)
    {
        if (seen == EffectSeen::REFUSAL)
        {
            NS_TEST_EXPECT_MSG_NE(result.refusal, "", what << " is not refused");
            NS_TEST_EXPECT_MSG_EQ(result.refusal.find('\n'), std::string::npos, "one line");
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(result.refusal, "", what);
        const bool differs =
            seen == EffectSeen::WIRE ? result.wire != without.wire : result.log != without.log;
        NS_TEST_EXPECT_MSG_EQ(differs, true, what << " has no effect");
    }

    /// @param with what is set in all runs of a row @return what a run shows with no more than that
    const EffectResult& GetBaseline(const std::string& with)
    {
        const auto found = m_baselines.find(with);
        if (found != m_baselines.end())
        {
            return found->second;
        }
        const EffectResult first = Run(with, nullptr, nullptr);
        const EffectResult again = Run(with, nullptr, nullptr);
        NS_TEST_EXPECT_MSG_EQ(first.refusal, "", with);
        NS_TEST_EXPECT_MSG_EQ(again.wire, first.wire, "the same again: " << with);
        NS_TEST_EXPECT_MSG_EQ(again.log, first.log, "the same again: " << with);
        return m_baselines[with] = first;
    }

    /// @param with settings before the run @param early what is done after them @param late what is
    /// done during the run @return what the run shows
    EffectResult Run(const std::string& with,
                     const EffectRun::Change& early,
                     const EffectRun::Change& late)
    {
        EffectRun run(m_scene, CreateTempDirFilename("effects"));
        return run.Run(ParseSettings(with), early, late);
    }

    static constexpr const char* BEFORE = " before the run";
    static constexpr const char* DURING = " during the run";

    const EffectScene& m_scene;
    std::map<std::string, EffectResult> m_baselines; //!< by EffectRow::with
};

/// The suite.
class EffectsTestSuite : public TestSuite
{
  public:
    EffectsTestSuite()
        : TestSuite("lossless-effects", Type::SYSTEM)
    {
        AddTestCase(new TableTest);
        for (const EffectScene& scene : GetEffectScenes())
        {
            AddTestCase(new EffectTest(scene));
        }
    }
};

EffectsTestSuite g_effectsTestSuite; //!< registers the suite

} // namespace
