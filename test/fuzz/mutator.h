// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FUZZ_MUTATOR_H
#define LOSSLESS_FUZZ_MUTATOR_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ns3
{
namespace fuzz
{

/**
 * Changes inputs of a fuzzer at random: bytes, numbers, words, lines, and parts of other inputs.
 * The seed alone decides. The random numbers are the standard's, not those of a simulation.
 */
class Mutator
{
  public:
    static constexpr std::size_t LONGEST = 16384; //!< bytes of an input

    /// @param seed another one gives other inputs @param inputs to begin with, at least one
    /// @param words that a change may put in
    Mutator(uint64_t seed, std::vector<std::string> inputs, std::vector<std::string> words);

    /// @return the next input
    std::string Next();

  private:
    /// @param n more than 0 @return 0..n-1
    std::size_t Below(std::size_t n);
    /// @param text an input that gets one change
    void Change(std::string& text);
    /// @param text not empty: a byte of it changes
    void ChangeByte(std::string& text);
    /// @param text a number in it, if it has one, becomes another
    void ChangeNumber(std::string& text);
    /// @param text not empty: a line of it goes, comes twice, or moves
    void ChangeLine(std::string& text);
    /// @param text not empty: a part of it goes or comes twice
    void ChangePart(std::string& text);
    /// @param text gets a part of another input
    void Splice(std::string& text);

    std::mt19937_64 m_random;
    std::vector<std::string> m_inputs;
    std::vector<std::string> m_words;
};

} // namespace fuzz
} // namespace ns3

#endif // LOSSLESS_FUZZ_MUTATOR_H
