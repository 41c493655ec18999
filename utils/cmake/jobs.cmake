# SPDX-License-Identifier: GPL-2.0-only
#
# All that is of jobs, from the root: a library of its own on top of the fabric. utils/check-arrows
# looks that no other file includes a header of it.

set(lossless_jobs_folders
    helper/workload
    helper/job
)
set(lossless_jobs_bindings
    bindings/bind-job-files.cc
    bindings/bind-job-options.cc
    bindings/bind-job-results.cc
    bindings/bind-jobs.cc
    bindings/lossless-jobs-python.cc
)
set(lossless_jobs_test_suites
    test/lossless-collective-times-test-suite.cc
    test/lossless-job-bounds-test-suite.cc
    test/lossless-job-results-test-suite.cc
    test/lossless-job-test-suite.cc
    test/lossless-message-times-test-suite.cc
    test/lossless-transport-test-suite.cc
)
set(lossless_jobs_units
    test/unit/chakra-unit.cc
    test/unit/collective-unit.cc
    test/unit/goal-unit.cc
    test/unit/job-cost-unit.cc
    test/unit/job-random-unit.cc
    test/unit/job-results-unit.cc
    test/unit/json-lines-unit.cc
    test/unit/rank-placement-unit.cc
    test/unit/simai-topology-unit.cc
    test/unit/simai-unit.cc
    test/unit/training-job-unit.cc
)
# Their headers, and programs.
set(lossless_jobs_others
    bindings/python-job.h
    examples/astra-network.cc
    examples/job-choice.cc
    examples/job-choice.h
    examples/lossless-job.cc
    examples/own-collective.cc
    test/fuzz/fuzz-jobs.cc
    test/install/cpp/job.cc
    test/support/job-on-star.h
    test/unit/job-graph-test-util.h
)
