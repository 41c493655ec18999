# SPDX-License-Identifier: GPL-2.0-only

set(sources
    mrc-endpoint.cc
    mrc-ev-fields.cc
    mrc-ev-source.cc
    mrc-evs.cc
    mrc-paths.cc
    mrc-plane-evs.cc
    mrc-planes.cc
    mrc-probes.cc
    mrc-requester.cc
    mrc-responder.cc
    mrc-settings.cc
    rdma-mrc.cc
)
set(headers
    mrc-endpoint.h
    mrc-ev-fields.h
    mrc-ev-source.h
    mrc-evs.h
    mrc-paths.h
    mrc-plane-evs.h
    mrc-plane-turns.h
    mrc-probes.h
    mrc-requester.h
    mrc-responder.h
    mrc-settings.h
    mrc-terms.h
    rdma-mrc.h
)
# Not installed.
set(private_headers
    mrc-planes.h
)
