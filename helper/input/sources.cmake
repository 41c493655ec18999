# SPDX-License-Identifier: GPL-2.0-only

set(sources
    attribute-words.cc
    byte-file.cc
    environment-values.cc
    fabric-attributes.cc
    fabric-options.cc
    fabric-program.cc
    fabric-text.cc
    fabric-warning.cc
    finding.cc
    input-files.cc
    process-memory.cc
    text-file.cc
    value-text.cc
)
set(headers
    attribute-words.h
    environment-values.h
    fabric-attributes.h
    fabric-error.h
    fabric-options.h
    fabric-program.h
    fabric-text.h
    fabric-warning.h
    finding.h
    input-files.h
    process-memory.h
)
# Not installed.
set(private_headers
    byte-file.h
    class-list.h
    start-hint.h
    text-file.h
    value-text.h
)
