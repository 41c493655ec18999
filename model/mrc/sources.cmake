# SPDX-License-Identifier: GPL-2.0-only

set(sources
)
set(headers
    mrc-plane-evs.h
    mrc-plane-turns.h
    mrc-responder.h
    mrc-terms.h
)
# Not installed.
set(private_headers
)
