// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EFFECT_SCENE_H
#define LOSSLESS_EFFECT_SCENE_H

// What the suite lossless-effects runs: scenes, each a fabric with traffic, in which an attribute
// is set on an object of the built fabric, before the run or during the run.

#include "wire-digest.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rdma-verbs.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace tests
{

/// An attribute of a type of the module, and its value.
struct EffectSetting
{
    std::string type;      //!< without ns3::
    std::string attribute; //!< empty: the type alone, of a congestion control or a loss recovery
    std::string value;     //!< as text
};

/// What a run of a scene shows.
struct EffectResult
{
    uint64_t wire{0};    //!< WireDigest
    std::string log;     //!< what the scene notes: completions, events, reports, files
    std::string refusal; //!< message of the exception that a setting met; empty: none
    uint32_t objects{0}; //!< on which the setting of the run was made
};

class EffectRun;

/// A fabric with traffic.
struct EffectScene
{
    std::string name;
    int64_t changeAt;                           //!< when settings are made during the run, us
    int64_t end;                                //!< of the run, us
    std::string with;                           //!< settings of all runs, see ParseSettings()
    std::function<Fabric(FabricHelper&)> build; //!< the fabric
    std::function<void(EffectRun&)> furnish;    //!< adds parts, and plans faults; may be null
    std::function<void(EffectRun&)> load;       //!< connects and sends
    std::function<void(EffectRun&)> finish{};   //!< notes what is left to note; may be null
};

/// @return all scenes
const std::vector<EffectScene>& GetEffectScenes();

/// @param text "Type::Attribute=value; Type::Attribute=value; Type" @return the settings
std::vector<EffectSetting> ParseSettings(const std::string& text);

/// One run of a scene.
class EffectRun
{
  public:
    /// @param scene what runs
    /// @param folder where the run may write files
    EffectRun(const EffectScene& scene, const std::string& folder);

    /// Something that a user does to a fabric.
    using Change = std::function<void(EffectRun&)>;

    /**
     * @param before settings that are made after the build and before the run, in their order
     * @param early what is done then, after them; null: nothing
     * @param late what is done at EffectScene::changeAt; null: nothing
     * @return what it shows
     */
    EffectResult Run(const std::vector<EffectSetting>& before,
                     const Change& early,
                     const Change& late);

    /// Make a setting on all objects of its type. @param setting it
    void Set(const EffectSetting& setting);

    /// Set the attribute of a setting to the value that it has, on all objects of its type.
    /// @param setting it
    void Touch(const EffectSetting& setting) const;

    // ---- for scenes

    /// @return the fabric
    const Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /// @return where the scene notes what the wire does not show
    std::ostream& Log()
    {
        return m_log;
    }

    /// @return where the run may write files
    const std::string& GetFolder() const
    {
        return m_folder;
    }

    /// Take the settings of a type whose attributes are fixed once an object is in use: the scene
    /// makes it with them. @param type without ns3:: @return names and values
    std::vector<std::pair<std::string, std::string>> Take(const std::string& type);

    /// Let settings reach an object that is no part of the fabric. @param object it
    void Add(const Ptr<Object>& object)
    {
        m_objects.push_back(object);
    }

    /// @param type without ns3:: @return the objects of a type: of the fabric, and of Add()
    std::vector<Ptr<Object>> Find(const std::string& type) const;

    /// @return the first object of a type
    template <typename T>
    Ptr<T> First() const
    {
        return DynamicCast<T>(Find(T::GetTypeId().GetName().substr(NAMESPACE)).at(0));
    }

    /// Keep something alive until the end of the run. @param thing it
    void Keep(const std::shared_ptr<void>& thing)
    {
        m_kept.push_back(thing);
    }

    /// Connect two hosts, with the settings of queue pairs, and note completions.
    /// @param source host @param destination host @param trafficClass of the data
    /// @return both ends
    Fabric::Connection Connect(uint32_t source, uint32_t destination, uint32_t trafficClass = 3);

    /// Connect(), and post a message. @param source host @param destination host
    /// @param bytes its length @param trafficClass of the data
    void Send(uint32_t source, uint32_t destination, uint64_t bytes, uint32_t trafficClass = 3);

    /// @param when from the start @param what is done then
    static void At(Time when, const std::function<void()>& what)
    {
        Simulator::Schedule(when, what);
    }

  private:
    static constexpr std::size_t NAMESPACE = 5; //!< length of "ns3::"

    /// @return whether a type is made anew for each queue pair
    static bool IsOfQueuePairs(const std::string& type);
    /// @return parts of all switches, hosts and links
    std::vector<Ptr<Object>> GetParts() const;
    /// Call, and keep the message of what is thrown as the refusal.
    void Try(const std::function<void()>& call);

    const EffectScene& m_scene;
    std::string m_folder;
    std::vector<EffectSetting> m_before;
    std::set<std::string> m_taken; //!< types of Take()
    FabricHelper m_helper;
    std::unique_ptr<Fabric> m_fabric;
    std::vector<Ptr<Object>> m_objects; //!< of Add(), and queue pairs with their policies
    std::vector<Ptr<RdmaQueuePair>> m_queuePairs;
    std::vector<std::shared_ptr<void>> m_kept;
    std::ostringstream m_log;
    EffectResult m_result;
};

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_EFFECT_SCENE_H
