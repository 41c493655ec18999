# SPDX-License-Identifier: GPL-2.0-only

set(sources
    sonic-buffers.cc
    sonic-classes.cc
    sonic-config.cc
    sonic-key.cc
    sonic-reader.cc
    sonic-schema.cc
    sonic-show.cc
    sonic-switch.cc
    sonic-writer.cc
)
set(headers
    sonic-config.h
    sonic-show.h
    sonic-switch.h
)
# Not installed.
set(private_headers
    sonic-buffers.h
    sonic-classes.h
    sonic-key.h
    sonic-place.h
    sonic-reader.h
    sonic-schema.h
    sonic-writer.h
)
