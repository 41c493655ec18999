# SPDX-License-Identifier: GPL-2.0-only

set(sources
    inof-directory.cc
    inof-host-agent.cc
    inof-host.cc
    inof-message.cc
    inof-packet.cc
    inof-session.cc
    inof-stream.cc
    inof-switch-agent.cc
    inof-switch.cc
    inof-zone.cc
)
set(headers
    inof-directory.h
    inof-host-agent.h
    inof-host.h
    inof-message.h
    inof-session.h
    inof-stream.h
    inof-switch-agent.h
    inof-switch.h
    inof-zone.h
)
# Not installed.
set(private_headers
    inof-packet.h
)
