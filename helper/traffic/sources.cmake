# SPDX-License-Identifier: GPL-2.0-only

set(sources
    flow-diagnosis.cc
    flow-size-distribution.cc
    inof-helper.cc
    poisson-arrivals.cc
    rdma-flow-helper.cc
    rdma-flow-settings.cc
    rdma-ping-mesh.cc
    run-traffic.cc
    socket-application.cc
    socket-flow-helper.cc
    socket-flow.cc
    storage-initiator.cc
    tcp-flow-source.cc
    traffic-source.cc
)
set(headers
    flow-diagnosis.h
    flow-size-distribution.h
    inof-helper.h
    poisson-arrivals.h
    rdma-flow-helper.h
    rdma-flow-settings.h
    rdma-flow.h
    rdma-ping-mesh.h
    run-traffic.h
    socket-flow-helper.h
    socket-flow.h
    storage-initiator.h
    tcp-flow-source.h
    traffic-source.h
)
# Not installed.
set(private_headers
    has-way.h
)
