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
# Headers and programs; tests stand in test/workload and test/job.
set(lossless_jobs_others
    bindings/python-job.h
    examples/astra-network.cc
    examples/job-choice.cc
    examples/job-choice.h
    examples/lossless-job.cc
    examples/own-collective.cc
    examples/pfc-or-not.cc
    examples/reproduce/machines.cc
    test/fuzz/fuzz-jobs.cc
    test/install/cpp/job.cc
    test/support/job-on-star.h
)
