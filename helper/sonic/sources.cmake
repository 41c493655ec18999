# SPDX-License-Identifier: GPL-2.0-only

set(sources
    sonic-config.cc
    sonic-key.cc
    sonic-reader.cc
    sonic-schema.cc
)
set(headers
    sonic-config.h
)
# Not installed.
set(private_headers
    sonic-key.h
    sonic-reader.h
    sonic-schema.h
)
