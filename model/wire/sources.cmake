# SPDX-License-Identifier: GPL-2.0-only

set(sources
    drop-reason.cc
    fabric-frame.cc
    frame-codec.cc
    frame-parser.cc
    frame-printer.cc
    icrc.cc
    int-record.cc
    ip-checksum.cc
    ip-frame.cc
    pint-code.cc
    telemetry-layout.cc
)
set(headers
    drop-reason.h
    fabric-frame.h
    frame-codec.h
    frame-format.h
    frame-printer.h
    frame-telemetry.h
    icc-feedback.h
    int-record.h
    ip-frame.h
    pint-code.h
    roce-opcode.h
)
# Not installed.
set(private_headers
    frame-parser.h
    icrc.h
    ip-checksum.h
    ip-layout.h
    psn.h
    telemetry-layout.h
)
