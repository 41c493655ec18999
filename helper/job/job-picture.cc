// SPDX-License-Identifier: GPL-2.0-only
#include "job-picture.h"

#include "format-text.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace ns3
{
namespace
{

constexpr int LEFT = 80;    //!< of the rows, pixels
constexpr int WIDTH = 1100; //!< of the rows
constexpr int RIGHT = 30;   //!< beside them
constexpr int TOP = 64;     //!< above them
constexpr int BOTTOM = 44;  //!< below them
constexpr int TICKS = 8;    //!< of the axis, about

/// By State. Blue and orange of Okabe and Ito, which people with any colour vision tell apart;
/// what overlaps is known by its place, too.
constexpr const char* COLOURS[] = {"#eeeeee", "#0072B2", "#E69F00", "#56B4E9"};
constexpr const char* WORDS[] = {"idle", "calc", "exposed communication", "calc and communication"};

/// @param text any text @return it as text of XML
std::string
Escape(const std::string& text)
{
    std::string escaped;
    for (const char character : text)
    {
        escaped += character == '&'   ? "&amp;"
                   : character == '<' ? "&lt;"
                   : character == '>' ? "&gt;"
                                      : std::string(1, character);
    }
    return escaped;
}

/// Rows of the picture.
struct Layout
{
    int64_t start;               //!< tick at the left
    int64_t ticks;               //!< from left to right
    int height;                  //!< of a row, pixels
    std::vector<uint32_t> ranks; //!< by row

    double X(int64_t tick) const
    {
        return LEFT + WIDTH * static_cast<double>(tick - start) / static_cast<double>(ticks);
    }

    int Bottom() const
    {
        return TOP + height * static_cast<int>(ranks.size());
    }

    /// @return middle of the row of a rank, or of the one above it that is drawn
    double Y(uint32_t rank) const
    {
        const auto row = std::upper_bound(ranks.begin(), ranks.end(), rank) - ranks.begin() - 1;
        return TOP + height * (static_cast<double>(row) + 0.5);
    }
};

/// @param ranks how many @return those that are drawn
std::vector<uint32_t>
Choose(uint32_t ranks)
{
    const uint32_t step = (ranks + JobPicture::MOST_ROWS - 1) / JobPicture::MOST_ROWS;
    std::vector<uint32_t> chosen;
    for (uint32_t rank = 0; rank < ranks; rank += std::max(step, 1U))
    {
        chosen.push_back(rank);
    }
    return chosen;
}

/// @param spans of a rank @param layout of the picture @return by pixel: what it did most of the
/// time
std::vector<JobPicture::State>
ToPixels(const std::vector<JobPicture::Span>& spans, const Layout& layout)
{
    std::vector<std::array<double, JobPicture::STATES>> shares(WIDTH);
    for (const JobPicture::Span& span : spans)
    {
        const double begin = layout.X(span.begin) - LEFT;
        const double end = layout.X(span.end) - LEFT;
        for (int pixel = static_cast<int>(begin); pixel < WIDTH && pixel < end; ++pixel)
        {
            shares[pixel][span.state] += std::min(end, pixel + 1.0) - std::max(begin, pixel + 0.0);
        }
    }
    std::vector<JobPicture::State> pixels(WIDTH);
    for (int pixel = 0; pixel < WIDTH; ++pixel)
    {
        const auto most = std::max_element(shares[pixel].begin(), shares[pixel].end());
        pixels[pixel] = static_cast<JobPicture::State>(most - shares[pixel].begin());
    }
    return pixels;
}

void
DrawRow(std::ostream& os, const std::vector<JobPicture::State>& pixels, double top, double height)
{
    std::array<std::string, JobPicture::STATES> paths;
    for (int begin = 0; begin < WIDTH;)
    {
        int end = begin + 1;
        while (end < WIDTH && pixels[end] == pixels[begin])
        {
            ++end;
        }
        const auto add = [&](JobPicture::State state, double from, double size) {
            paths[state] += FormatText("M%d %.1fh%dv%.1fh-%dz",
                                       LEFT + begin,
                                       from,
                                       end - begin,
                                       size,
                                       end - begin);
        };
        const JobPicture::State state = pixels[begin];
        if (state == JobPicture::BOTH)
        {
            add(JobPicture::CALC, top, height / 2);
            add(JobPicture::BOTH, top + height / 2, height / 2);
        }
        else if (state != JobPicture::IDLE)
        {
            add(state, top, height);
        }
        begin = end;
    }
    os << FormatText("<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"/>\n",
                     LEFT,
                     top,
                     WIDTH,
                     height,
                     COLOURS[JobPicture::IDLE]);
    for (const auto state : {JobPicture::CALC, JobPicture::EXPOSED, JobPicture::BOTH})
    {
        if (!paths[state].empty())
        {
            os << "<path fill=\"" << COLOURS[state] << "\" d=\"" << paths[state] << "\"/>\n";
        }
    }
}

void
DrawLegend(std::ostream& os)
{
    double x = LEFT;
    for (const auto state :
         {JobPicture::CALC, JobPicture::BOTH, JobPicture::EXPOSED, JobPicture::IDLE})
    {
        const double top = state == JobPicture::BOTH ? 41 : 36;
        if (state == JobPicture::BOTH)
        {
            os << FormatText("<rect x=\"%.0f\" y=\"36\" width=\"16\" height=\"5\" fill=\"%s\"/>\n",
                             x,
                             COLOURS[JobPicture::CALC]);
        }
        os << FormatText("<rect x=\"%.0f\" y=\"%.0f\" width=\"16\" height=\"%.0f\" fill=\"%s\"/>"
                         "<text x=\"%.0f\" y=\"46\">%s</text>\n",
                         x,
                         top,
                         46 - top,
                         COLOURS[state],
                         x + 21,
                         WORDS[state]);
        x += 50 + 7.2 * static_cast<double>(std::char_traits<char>::length(WORDS[state]));
    }
    os << FormatText("<path d=\"M%.0f 41h16\" stroke=\"black\" stroke-width=\"1.5\"/>"
                     "<text x=\"%.0f\" y=\"46\">critical path</text>\n",
                     x,
                     x + 21);
}

void
DrawAxis(std::ostream& os, const Layout& layout)
{
    const double us =
        static_cast<double>(layout.ticks) / static_cast<double>(MicroSeconds(1).GetTimeStep());
    const double power = std::pow(10, std::floor(std::log10(us / TICKS)));
    double step = power;
    for (const double factor : {2, 5, 10})
    {
        step = us / step > TICKS ? power * factor : step;
    }
    const bool isMs = us >= 10000;
    for (double at = 0; at <= us * 1.000001; at += step)
    {
        const double x = LEFT + WIDTH * at / us;
        os << FormatText("<path d=\"M%.1f %dv5\" stroke=\"#555555\"/><text x=\"%.1f\" y=\"%d\" "
                         "text-anchor=\"middle\">%.6g</text>\n",
                         x,
                         layout.Bottom() + 2,
                         x,
                         layout.Bottom() + 20,
                         isMs ? at / 1000 : at);
    }
    os << FormatText("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s from the begin</text>\n",
                     LEFT + WIDTH,
                     layout.Bottom() + 37,
                     isMs ? "ms" : "us");
}

void
DrawPath(std::ostream& os, const Layout& layout, const std::vector<CriticalPath::Segment>& segments)
{
    std::string path;
    double lastX = -1;
    double lastY = -1;
    const auto lineTo = [&](double x, double y) {
        if (path.empty() || std::abs(x - lastX) >= 0.5 || y != lastY)
        {
            path += FormatText(path.empty() ? "M%.1f %.1f" : "L%.1f %.1f", x, y);
            lastX = x;
            lastY = y;
        }
    };
    for (const CriticalPath::Segment& segment : segments)
    {
        lineTo(layout.X(segment.begin), layout.Y(segment.source));
        lineTo(layout.X(segment.end), layout.Y(segment.rank));
    }
    if (!path.empty())
    {
        os << "<path fill=\"none\" stroke=\"black\" stroke-width=\"1.5\" d=\"" << path << "\"/>\n";
    }
}

} // namespace

std::vector<JobPicture::Span>
JobPicture::FindSpans(const std::vector<JobOperation>& operations,
                      const RankTrace& trace,
                      int64_t start,
                      int64_t end)
{
    std::map<int64_t, std::pair<int, int>> changes; // by tick: of calculations, and of the others
    for (std::size_t index = 0; index < operations.size(); ++index)
    {
        const RankTrace::Operation& times = trace.operations[index];
        if (times.start < 0 || times.end <= times.start)
        {
            continue;
        }
        const bool isCalc = operations[index].kind == JobOperation::CALC;
        auto& starts = changes[times.start];
        ++(isCalc ? starts.first : starts.second);
        auto& ends = changes[times.end];
        --(isCalc ? ends.first : ends.second);
    }
    std::vector<Span> spans;
    int calc = 0;
    int communication = 0;
    int64_t since = start;
    const auto add = [&](int64_t until) {
        const State state = calc ? (communication ? BOTH : CALC) : communication ? EXPOSED : IDLE;
        if (until > since && !spans.empty() && spans.back().state == state)
        {
            spans.back().end = until;
        }
        else if (until > since)
        {
            spans.push_back({since, until, state});
        }
        since = std::max(since, until);
    };
    for (const auto& [tick, change] : changes)
    {
        add(std::min(tick, end));
        calc += change.first;
        communication += change.second;
    }
    add(end);
    return spans;
}

void
JobPicture::Draw(std::ostream& os, const JobGraph& graph, const Iteration& iteration)
{
    Layout layout;
    layout.start = iteration.start;
    layout.ticks = std::max<int64_t>(1, iteration.end - iteration.start);
    layout.ranks = Choose(graph.GetNRanks());
    layout.height = std::clamp(640 / static_cast<int>(layout.ranks.size()), 11, 28);
    const int height = layout.Bottom() + BOTTOM;
    os << FormatText("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                     "height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n"
                     "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                     LEFT + WIDTH + RIGHT,
                     height,
                     LEFT + WIDTH + RIGHT,
                     height)
       << "<text x=\"" << LEFT << "\" y=\"22\" font-size=\"15\">" << Escape(iteration.title)
       << "</text>\n";
    DrawLegend(os);
    const int font = std::min(13, layout.height - 1);
    for (std::size_t row = 0; row < layout.ranks.size(); ++row)
    {
        const uint32_t rank = layout.ranks[row];
        const double top = TOP + layout.height * static_cast<double>(row);
        os << FormatText("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" font-size=\"%d\">rank %u"
                         "</text>\n",
                         LEFT - 6,
                         top + layout.height / 2.0 + font * 0.36,
                         font,
                         rank);
        const auto spans = FindSpans(graph.GetRank(rank).operations,
                                     *iteration.traces[rank],
                                     iteration.start,
                                     iteration.end);
        DrawRow(os, ToPixels(spans, layout), top, layout.height - 2);
    }
    DrawAxis(os, layout);
    DrawPath(os, layout, iteration.path);
    os << "</svg>\n";
}

} // namespace ns3
