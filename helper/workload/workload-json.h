// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WORKLOAD_JSON_H
#define LOSSLESS_WORKLOAD_JSON_H

#include <boost/property_tree/ptree.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// JSON of files of jobs. Each function throws FabricError without a place: who knows it adds it.
namespace WorkloadJson
{

/// A value: an object, a list, text or a number. Data of text begins with a quotation mark, which
/// tells "5" from 5: IsText(), ToText().
using Tree = boost::property_tree::ptree;

/// @param text in JSON @param what it is in messages, such as "line" @return what it says
Tree Parse(const std::string& text, const std::string& what = "JSON");

/// @param tree a value @return whether it is text: no number, such as 5
bool IsText(const Tree& tree);

/// @param tree text, a number, or another value that is no list @return it without quotation mark
std::string ToText(const Tree& tree);

/// @param tree a value @return whether it is an object: not a list, text or number
bool IsObject(const Tree& tree);

/// @param text any @return it in JSON, in quotes; bytes that are no UTF-8 become U+FFFD
std::string Quote(const std::string& text);

/// @param list a list of whole numbers @param what its name @param max the largest allowed
/// @return the numbers
std::vector<uint64_t> ToUints(const Tree& list,
                              const std::string& what,
                              uint64_t max = std::numeric_limits<uint64_t>::max());

/// @param object one @param known names that it may have; others, and a name twice, are a
/// FabricError
void RequireKnown(const Tree& object, const std::vector<std::string>& known);

/// @param object one @param name of a value @return it; none: it is not there
const Tree* Find(const Tree& object, const std::string& name);

/// @param object one @param name of text, or of a number or such that is taken as text @return it;
/// none: it is not there
std::optional<std::string> FindText(const Tree& object, const std::string& name);

/// @param value a number @param what its name @param max the largest allowed @param min the least
/// @return it; text is a FabricError, also if it is of digits
uint64_t ToUint(const Tree& value, const std::string& what, uint64_t max, uint64_t min = 0);

/// @param object one @param name of a whole number @param max the largest allowed @param min the
/// least @return it; none: it is not there
std::optional<uint64_t> FindUint(const Tree& object,
                                 const std::string& name,
                                 uint64_t max = std::numeric_limits<uint64_t>::max(),
                                 uint64_t min = 0);

/// FindUint() of what must be there. @param object one @param name of a whole number @param max the
/// largest allowed @param min the least @return it
uint64_t RequireUint(const Tree& object,
                     const std::string& name,
                     uint64_t max = std::numeric_limits<uint64_t>::max(),
                     uint64_t min = 0);

} // namespace WorkloadJson
} // namespace ns3

#endif // LOSSLESS_WORKLOAD_JSON_H
