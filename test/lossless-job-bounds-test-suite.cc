// SPDX-License-Identifier: GPL-2.0-only
//
// What bounds the times of jobs.
#include "fabric-test-case.h"
#include "job-on-star.h"

#include "ns3/collective.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-run.h"
#include "ns3/job-graph.h"
#include "ns3/job.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <vector>

using namespace ns3;

namespace
{

/// A rank that reduces is not idle, though nobody else of the job does anything.
class SlowReductions : public FabricTestCase
{
  public:
    SlowReductions()
        : FabricTestCase("A job is not stuck while one rank reduces")
    {
    }

  private:
    void DoRun() override
    {
        const Fabric fabric = MakeStar(2);
        {
            FabricRun run(fabric);
            JobOptions options = OneAck();
            options.reduceRate = DataRate("1Mb/s");
            Job& job = run.Add<Job>(OneCollective(4, CollectiveType::REDUCE, 1000, "binomial"),
                                    std::vector<RankPlace>{{HostId(0), 0},
                                                           {HostId(0), 1},
                                                           {HostId(1), 0},
                                                           {HostId(1), 1}},
                                    options);
            run.Execute();
            NS_TEST_EXPECT_MSG_EQ(job.GetError(), "", "reductions of 8 ms");
            NS_TEST_EXPECT_MSG_GT(Simulator::Now(), MilliSeconds(16), "two, one after another");
        }
        Simulator::Destroy();
    }
};

/// The suite of bounds of jobs.
class JobBoundsTestSuite : public TestSuite
{
  public:
    JobBoundsTestSuite()
        : TestSuite("lossless-job-bounds", Type::UNIT)
    {
        AddTestCase(new SlowReductions);
    }
};

JobBoundsTestSuite g_jobBoundsTestSuite; //!< the suite

} // namespace
