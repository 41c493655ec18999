# SPDX-License-Identifier: GPL-2.0-only

set(sources
    buffer-values.cc
    fabric-claims.cc
    fabric-differences.cc
    fabric-settings.cc
    gathered-settings.cc
    object-batch.cc
    setting-text.cc
    settings-file.cc
    sonic-places.cc
    switch-presets.cc
)
set(headers
    fabric-differences.h
    fabric-settings.h
    switch-presets.h
)
# Not installed.
set(private_headers
    buffer-values.h
    fabric-claims.h
    gathered-settings.h
    object-batch.h
    setting-objects.h
    settings-file.h
    sonic-places.h
)
