// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JOB_PICTURE_H
#define LOSSLESS_JOB_PICTURE_H

#include "critical-path.h"
#include "job-trace.h"

#include "ns3/job-graph.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * Draws an iteration as SVG: a row for each rank, time from left to right, and the critical path.
 */
class JobPicture
{
  public:
    /// What a rank does.
    enum State : uint8_t
    {
        IDLE,    //!< neither
        CALC,    //!< it computes
        EXPOSED, //!< it communicates
        BOTH,    //!< it does both
        STATES   //!< how many there are
    };

    /// For how long it does so.
    struct Span
    {
        int64_t begin{0};  //!< tick
        int64_t end{0};    //!< tick
        State state{IDLE}; //!< what it does
    };

    /// An iteration.
    struct Iteration
    {
        std::string title;                                    //!< above the picture
        int64_t start{0};                                     //!< tick
        int64_t end{0};                                       //!< tick
        std::vector<std::shared_ptr<const RankTrace>> traces; //!< by rank
        std::vector<CriticalPath::Segment> path;              //!< from begin to end
    };

    /// Most ranks that are drawn: of more, every so-many-th.
    static constexpr uint32_t MOST_ROWS = 64;

    /// @param operations of a rank @param trace what it did @param start of the iteration
    /// @param end of the iteration @return what it did from start to end, without gaps
    static std::vector<Span> FindSpans(const std::vector<JobOperation>& operations,
                                       const RankTrace& trace,
                                       int64_t start,
                                       int64_t end);

    /// @param os gets the picture @param graph what ranks do @param iteration that is drawn
    static void Draw(std::ostream& os, const JobGraph& graph, const Iteration& iteration);
};

} // namespace ns3

#endif // LOSSLESS_JOB_PICTURE_H
