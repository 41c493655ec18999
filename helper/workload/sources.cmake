# SPDX-License-Identifier: GPL-2.0-only

set(sources
    chakra-node.cc
    chakra-reader.cc
    chakra-writer.cc
    goal-reader.cc
    goal-scanner.cc
    goal-writer.cc
    job-graph.cc
    json-lines-reader.cc
    json-lines-writer.cc
    proto-wire.cc
    simai-reader.cc
    workload-json.cc
)
set(headers
    chakra-reader.h
    chakra-writer.h
    goal-reader.h
    goal-writer.h
    job-graph.h
    json-lines-reader.h
    json-lines-writer.h
    simai-reader.h
)
# Not installed.
set(private_headers
    chakra-node.h
    goal-scanner.h
    proto-wire.h
    workload-json.h
)
