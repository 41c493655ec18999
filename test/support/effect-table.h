// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EFFECT_TABLE_H
#define LOSSLESS_EFFECT_TABLE_H

#include "effect-scene.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace tests
{

/// Where an effect is observed.
enum class EffectSeen
{
    WIRE,   //!< what the ports send: when, where and what
    LOG,    //!< what the scene notes
    REFUSAL //!< one line that says why not
};

/// How the effect of an attribute is observed.
struct EffectRow
{
    std::string name;                  //!< Type::Attribute
    std::string scene;                 //!< EffectScene::name
    std::string value;                 //!< what it is set to
    std::string with{};                //!< what is set in all runs of this row, see ParseSettings()
    EffectSeen seen{EffectSeen::WIRE}; //!< when set before the run
    /// When set during the run. Attributes that MakeFixed() declares are refused then.
    EffectSeen during{EffectSeen::WIRE};
    std::string by{}; //!< the attribute by which a user reaches it, if it is not set directly
};

/// @return a row for each attribute of the module
const std::vector<EffectRow>& GetEffectTable();

/// How the effect of a method is observed.
struct EffectMethod
{
    std::string name;                     //!< Class::Method
    std::string scene;                    //!< EffectScene::name
    std::function<void(EffectRun&)> call; //!< calls it
    EffectSeen seen{EffectSeen::WIRE};    //!< when called before the run
    EffectSeen during{EffectSeen::WIRE};  //!< when called during the run
    std::string with{};                   //!< as in EffectRow
};

/// @return methods that set something on objects of a built fabric. Other methods have tests of
/// their own: test/setters.txt
const std::vector<EffectMethod>& GetEffectMethods();

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_EFFECT_TABLE_H
