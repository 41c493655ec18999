# SPDX-License-Identifier: GPL-2.0-only

set(sources
    class-rates.cc
    dwrr-scheduler.cc
    egress-scheduler.cc
    error-model-loss.cc
    frame-loss.cc
    headroom.cc
    line-clock.cc
    lossless-link.cc
    pfc-issuer.cc
    pfc-obeyer.cc
    port-pfc.cc
    qbb-channel.cc
    qbb-net-device.cc
    qbb-port-settings.cc
    qbb-stack-port.cc
    receive-losses.cc
    shaped-scheduler.cc
    strict-priority-scheduler.cc
    traffic-class-map.cc
)
set(headers
    class-rates.h
    dwrr-scheduler.h
    egress-queues.h
    egress-scheduler.h
    error-model-loss.h
    frame-loss.h
    headroom.h
    line-clock.h
    lossless-link.h
    lossless-mistake.h
    pfc-issuer.h
    pfc-obeyer.h
    port-pfc.h
    qbb-channel.h
    qbb-net-device.h
    qbb-port-owner.h
    qbb-port-settings.h
    qbb-stack-port.h
    receive-losses.h
    shaped-scheduler.h
    simulation-clock.h
    strict-priority-scheduler.h
    token-bucket.h
    traffic-class-map.h
    wake-event.h
)
if(lossless_mpi)
  list(APPEND sources qbb-remote-channel.cc rank-mail.cc)
  list(APPEND headers qbb-remote-channel.h)
endif()
# Not installed.
set(private_headers
    rank-mail.h
)
