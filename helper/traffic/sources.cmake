# SPDX-License-Identifier: GPL-2.0-only

set(sources
    flow-diagnosis.cc
    flow-size-distribution.cc
    inof-helper.cc
    rdma-flow-helper.cc
    rdma-flow-workloads.cc
    rdma-ping-mesh.cc
    socket-application.cc
    socket-flow-helper.cc
    socket-flow.cc
    storage-initiator.cc
    tcp-flow-source.cc
)
set(headers
    flow-diagnosis.h
    flow-size-distribution.h
    inof-helper.h
    other-traffic.h
    rdma-flow-helper.h
    rdma-ping-mesh.h
    socket-flow-helper.h
    socket-flow.h
    storage-initiator.h
    tcp-flow-source.h
)
# Not installed.
set(private_headers)
