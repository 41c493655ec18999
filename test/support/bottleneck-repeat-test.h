// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BOTTLENECK_REPEAT_TEST_H
#define LOSSLESS_BOTTLENECK_REPEAT_TEST_H

#include "bottleneck-run.h"
#include "fabric-test-case.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// The same run twice, of five flows at a bottleneck, gives the same samples.
class BottleneckRepeatTest : public FabricTestCase
{
  public:
    /// @param name of the test @param makeHelper gives what the fabric is like
    BottleneckRepeatTest(const std::string& name, FabricHelper (*makeHelper)())
        : FabricTestCase(name),
          m_makeHelper(makeHelper)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<uint64_t> traces[2];
        for (auto& trace : traces)
        {
            Simulator::Destroy();
            BottleneckRun run(m_makeHelper(), 5);
            for (uint32_t i = 1; i <= 5; ++i)
            {
                run.Add(i);
            }
            run.Run(MilliSeconds(0), MilliSeconds(2), MicroSeconds(1));
            trace = run.trace;
        }
        NS_TEST_EXPECT_MSG_GT(traces[0].size(), 10000, "samples");
        NS_TEST_EXPECT_MSG_EQ((traces[0] == traces[1]), true, "samples");
    }

    FabricHelper (*m_makeHelper)();
};

} // namespace ns3

#endif // LOSSLESS_BOTTLENECK_REPEAT_TEST_H
