# SPDX-License-Identifier: GPL-2.0-only

set(sources
    attribute-words.cc
    fabric-attributes.cc
    fabric-options.cc
    fabric-program.cc
    fabric-text.cc
    fabric-warning.cc
    global-values.cc
    text-file.cc
    value-text.cc
    watched-default.cc
)
set(headers
    attribute-words.h
    fabric-attributes.h
    fabric-error.h
    fabric-options.h
    fabric-program.h
    fabric-text.h
    fabric-warning.h
    global-values.h
)
# Not installed.
set(private_headers
    text-file.h
    value-text.h
    watched-default.h
)
