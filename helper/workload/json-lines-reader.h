// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JSON_LINES_READER_H
#define LOSSLESS_JSON_LINES_READER_H

#include "job-graph.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup lossless
/// How much a file of JSON lines may ask for.
struct JsonLinesOptions
{
    /// Operations of all ranks together; `"rank": "all"` makes many of a line.
    uint64_t mostOperations{uint64_t{1} << 28};
};

/**
 * @ingroup lossless
 *
 * Reads a graph as JSON lines: an object a line, the first one about the job, each other one an
 * operation of a rank, or of all.
 *
 * @code{.json}
 * {"format": "lossless-graph", "version": 1, "ranks": 8, "groups": {"tp0": [0, 1, 2, 3]}}
 * {"rank": 0, "id": 1, "op": "calc", "ns": 100000, "stream": 0}
 * {"rank": 0, "id": 2, "op": "coll", "type": "barrier", "group": "tp0", "after": [1]}
 * {"rank": 0, "id": 3, "op": "send", "to": 4, "bytes": 65536, "tag": 7, "after": [2]}
 * {"rank": 4, "id": 1, "op": "recv", "from": 0, "bytes": 65536, "tag": 7}
 * {"rank": "all", "id": 9, "op": "coll", "type": "barrier"}
 * @endcode
 *
 * `after` and `afterStart` have ids of the same rank, above or below. Unknown keys are refused.
 */
class JsonLinesReader
{
  public:
    /// @param options how much a file may ask for
    explicit JsonLinesReader(JsonLinesOptions options = {});

    /// @param path a file, compressed or not @return what it says; FabricError with file and line
    /// when it makes no sense
    JobGraph Read(const std::string& path) const;

  private:
    JsonLinesOptions m_options;
};

} // namespace ns3

#endif // LOSSLESS_JSON_LINES_READER_H
