# SPDX-License-Identifier: GPL-2.0-only

set(sources
    dwrr-scheduler.cc
    egress-scheduler.cc
    error-model-loss.cc
    frame-loss.cc
    line-clock.cc
    pfc-issuer.cc
    pfc-obeyer.cc
    qbb-channel.cc
    qbb-net-device.cc
    qbb-stack-port.cc
    receive-losses.cc
    strict-priority-scheduler.cc
    traffic-class-map.cc
)
set(headers
    dwrr-scheduler.h
    egress-queues.h
    egress-scheduler.h
    error-model-loss.h
    frame-loss.h
    line-clock.h
    pfc-issuer.h
    pfc-obeyer.h
    qbb-channel.h
    qbb-net-device.h
    qbb-port-owner.h
    qbb-stack-port.h
    receive-losses.h
    simulation-clock.h
    strict-priority-scheduler.h
    traffic-class-map.h
    wake-event.h
)
# Not installed.
set(private_headers)
