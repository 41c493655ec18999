# SPDX-License-Identifier: GPL-2.0-only

set(units
    irn-reorder-unit.cc
    irn-unit.cc
    mtt-cache-unit.cc
    qp-scheduler-unit.cc
    rdma-connection-unit.cc
    rdma-entropy-unit.cc
    rdma-irn-unit.cc
    rdma-pacer-unit.cc
    rdma-queue-pair-maker-unit.cc
    rdma-read-flight-unit.cc
    rdma-recovery-random-unit.cc
    rdma-recovery-unit.cc
    rdma-requester-unit.cc
    rdma-responder-unit.cc
    rdma-trim-unit.cc
)

set(suites
    lossless-ack-interval-test-suite.cc
    lossless-entropy-test-suite.cc
    lossless-host-times-test-suite.cc
    lossless-irn-test-suite.cc
    lossless-rdma-nic-test-suite.cc
    lossless-rdma-setup-test-suite.cc
    lossless-rdma-test-suite.cc
    lossless-slow-receiver-test-suite.cc
)
