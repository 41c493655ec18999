# SPDX-License-Identifier: GPL-2.0-only

set(sources
    hpcc-config.cc
    hpcc-draws.cc
    hpcc-files.cc
    hpcc-keys.cc
    hpcc-paths.cc
    hpcc-scenario.cc
)
set(headers
    hpcc-config.h
    hpcc-files.h
    hpcc-scenario.h
)
# Not installed.
set(private_headers
    hpcc-draws.h
    hpcc-keys.h
    hpcc-paths.h
)
