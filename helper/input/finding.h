// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FINDING_H
#define LOSSLESS_FINDING_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// How much a finding matters.
enum class Level : uint8_t
{
    REFUSED, //!< it cannot be
    LOSS,    //!< frames that should not be lost are lost, or may be
    UNUSED,  //!< something that was asked for has no effect
    INFO     //!< for information
};

/// @param level a level @return it in lower case, such as "loss"
const char* ToString(Level level);

/// @ingroup lossless
/// Something that was found out about a fabric or a run of it, as data.
struct Finding
{
    Level level{Level::INFO};    //!< how much it matters
    std::string rule;            //!< what has found it, in a word: "headroom", "map", "lost"
    std::string place;           //!< as FabricPlaces reads it: "leaf 2 port 3"; empty: nowhere
    std::optional<uint32_t> cls; //!< the class; none: all of the place
    std::string what;            //!< what is wrong
    std::string right;           //!< what would be right, with the value; may be empty

    /// @return "leaf 2 port 3 class 3: what is wrong"
    std::string ToText() const;

    /// @return "leaf 2 port 3 class 3: what is wrong; what would be right"
    std::string ToLine() const;
};

/**
 * @ingroup lossless
 *
 * What was found out about a fabric: before its runs, and in a run.
 */
class Findings
{
  public:
    /// Keep a finding, unless one of its rule says the same of its place. @param finding it
    void Add(Finding finding);

    /// Print what has come since the last call: one line for each rule, by rank 0 alone.
    /// @param os where
    void Print(std::ostream& os);

    /// @return all, in the order in which they came
    const std::vector<Finding>& Get() const
    {
        return m_findings;
    }

    /// @param rule a rule @return how many there are of it
    std::size_t Count(const std::string& rule) const;

    /// @return whether something is lost or has no effect
    bool IsStrictlyWrong() const;

    /// Forget what came last: what a run has found is not of the next one.
    /// @param count how many stay, the first ones
    void Shrink(std::size_t count);

  private:
    std::vector<Finding> m_findings;
    std::set<std::string> m_known; //!< by what makes them equal
    std::size_t m_printed{0};      //!< how many of them, the first ones
};

} // namespace ns3

#endif // LOSSLESS_FINDING_H
