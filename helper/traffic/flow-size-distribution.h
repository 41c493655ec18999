// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_SIZE_DISTRIBUTION_H
#define LOSSLESS_FLOW_SIZE_DISTRIBUTION_H

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup lossless
 *
 * How long flows are: a cumulative distribution of bytes, linear between its points, as the
 * published workloads are given (doc/helpers.rst). Sizes drawn are rounded down, 1 byte at
 * least.
 *
 * A file has one point a line, `bytes percent` or `bytes,percent`, from 0 percent to 100 percent,
 * neither ever falling; a first line of names is skipped.
 */
class FlowSizeDistribution
{
  public:
    /// A point of the distribution.
    struct Point
    {
        double bytes;   //!< flow size
        double percent; //!< flows not longer than that, 0..100
    };

    /**
     * @param nameOrPath name of a distribution shipped with the module, such as "fb-hadoop", or
     * path of a file. FabricError when there is neither, or the file is malformed.
     * @return the distribution
     */
    static FlowSizeDistribution Load(const std::string& nameOrPath);

    /// @return names of the distributions that are shipped with the module
    static std::vector<std::string> Names();

    /// @param bytes the one size that all flows have @return the distribution
    static FlowSizeDistribution Constant(uint64_t bytes);

    /// @param points the points; FabricError unless they rise from 0 to 100 percent
    explicit FlowSizeDistribution(std::vector<Point> points);

    /// @return mean size, bytes
    double GetMean() const
    {
        return m_mean;
    }

    /// @param fraction 0..1 @return the size, bytes, that this fraction of flows does not exceed
    double GetQuantile(double fraction) const;

    /// @param uniform stream of numbers in [0, 1) @return a size, bytes
    uint64_t Draw(const Ptr<RandomVariableStream>& uniform) const;

    /// @return the points
    const std::vector<Point>& GetPoints() const
    {
        return m_points;
    }

  private:
    std::vector<Point> m_points;
    double m_mean;
};

} // namespace ns3

#endif // LOSSLESS_FLOW_SIZE_DISTRIBUTION_H
