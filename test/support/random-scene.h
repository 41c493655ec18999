// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANDOM_SCENE_H
#define LOSSLESS_RANDOM_SCENE_H

#include "random-fabric.h"
#include "worst-case.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace tests
{

/// A scene of the worst traffic whose switch, links and buffers are drawn: in half of the cases
/// something is wrong on purpose.
class RandomScene
{
  public:
    /// @param dice decide
    explicit RandomScene(Dice dice);

    std::unique_ptr<WorstCase> scene; //!< the scene
    std::string text;                 //!< what was drawn

  private:
    static constexpr uint32_t NOBODY = ~0U;

    /// @param low @param high factors in percent @return a factor
    double Factor(uint32_t low, uint32_t high);
    void DrawMmu();
    LinkEnd DrawEnd();
    /// Draw a link. @param host sender's end @param port end that pauses @return its delay
    Time DrawLink(LinkEnd& host, LinkEnd& port);
    /// A mistake about pauses. @param host sender's end @param port end that pauses
    void SpoilPauses(LinkEnd& host, LinkEnd& port);
    void DrawSender(bool flawed);
    void DrawBuffer();
    /// Service pools, and limits of ports.
    void DrawParts();
    void DrawNic(bool flawed);

    Dice m_dice;
    std::vector<uint32_t> m_classes;
    uint32_t m_flawed{NOBODY};
};

} // namespace tests
} // namespace ns3

#endif // LOSSLESS_RANDOM_SCENE_H
