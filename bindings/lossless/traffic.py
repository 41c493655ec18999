# SPDX-License-Identifier: GPL-2.0-only
"""What of a Fabric is about TCP, UDP and stock applications."""

from typing import Any, List, Optional, Tuple

from ._lossless import Application, BuiltFabric, DataRate, Flows, SocketFlow, Sockets, Time
from .types import DataRateLike, Size, TimeLike, as_time


# Attributes of applications that send until they have reached a number; 0: for ever.
_LIMITS = {"ns3::OnOffApplication": "max_bytes", "ns3::BulkSendApplication": "max_bytes",
           "ns3::UdpClient": "max_packets", "ns3::UdpEchoClient": "max_packets",
           "ns3::Ping": "count"}


def _is_endless(application: Application) -> bool:
    """Whether an application without a stop sends for ever."""
    limit = _LIMITS.get(application.type_name)
    if limit is None:
        return application.type_name == "ns3::V4Ping"
    return bool(getattr(application, limit) == 0)


class TrafficMixin:
    """Methods of Fabric. The stock IP stack is installed at first use."""

    # Fabric has these.
    _built: BuiltFabric
    _flows: Flows
    _kept: List[Any]
    _sockets: Optional[Sockets] = None
    _without_stop: Tuple[Application, ...] = ()

    @property
    def sockets(self) -> Sockets:
        """What keeps the TCP and UDP flows: `sockets.flows` lists them."""
        if self._sockets is None:
            self._sockets = Sockets(self._built, self._flows)
        return self._sockets

    def tcp(self, source: int, destination: int, size: Optional[Size] = None,
            start: TimeLike = "0s", stop: Optional[TimeLike] = None, *, traffic_class: int = 0,
            congestion_control: Optional[str] = None, **attributes: Any) -> SocketFlow:
        """A TCP flow between two hosts, as fast as it may. Returns a SocketFlow.

        size: bytes, or None: no end; start, stop: times of the simulation; traffic_class: of its
        packets and their acknowledgements; congestion_control: "TcpCubic", "TcpDctcp", ...,
        default: ns-3's; further keywords: attributes of TcpSocketBase. Segments fill the MTU and
        buffers have 4 MiB unless something else is said. run() waits for flows with a size.
        """
        return self.sockets.tcp(source, destination, size, as_time(start),
                                as_time(stop), traffic_class, congestion_control, **attributes)

    def udp(self, source: int, destination: int, rate: DataRateLike, start: TimeLike = "0s",
            stop: Optional[TimeLike] = None, *, size: Optional[Size] = None,
            packet_size: int = 1000, traffic_class: int = 0, **attributes: Any) -> SocketFlow:
        """Datagrams between two hosts at a constant rate of payload. Returns a SocketFlow.

        rate: "10Gbps"; start, stop: times of the simulation; size: bytes in all, None: until the
        stop; packet_size: payload bytes of each; further keywords: attributes of OnOffApplication,
        such as on_time="ns3::ExponentialRandomVariable[Mean=0.001]". run() does not wait for it.
        """
        rate = rate if isinstance(rate, DataRate) else DataRate(rate)
        return self.sockets.udp(source, destination, size, as_time(start),
                                as_time(stop), traffic_class, rate, packet_size, **attributes)

    def application(self, host: int, type: str, start: TimeLike = "0s",
                    stop: Optional[TimeLike] = None, **attributes: Any) -> Application:
        """Any stock application of ns-3 on a host, such as "PacketSink". Returns it.

        start, stop: times of the simulation. Attributes that are addresses, such as remote and
        local, take (host, port), the host by its number or its IPv4 address ("0.0.0.0": any);
        those that are types, such as protocol, the name of the type: "TcpSocketFactory".
        """
        application = self.sockets.application(host, type, as_time(start), as_time(stop),
                                               **attributes)
        if stop is None:
            self._without_stop += (application,)
        return application

    def install_internet(self) -> None:
        """The stock IP stack on all hosts; tcp(), udp() and application() do this by themselves."""
        self._built.install_internet()

    def _refuse_endless(self, stop: Optional[Time]) -> None:
        """ValueError if nothing would end the run."""
        if stop is not None or self._sockets is None or self._flows.n_flows:
            return
        flows = self._sockets.flows
        if any(flow.protocol == "tcp" and flow.size for flow in flows):
            return
        for flow in flows:
            if flow.is_endless:
                raise ValueError(f"{flow!r} has no end; give it a size or a stop, or run(stop=...)")
        for application in self._without_stop:
            if _is_endless(application):
                limit = _LIMITS.get(application.type_name)
                raise ValueError(f"{application.type_name} has no end; give it a stop, "
                                 f"{f'{limit} above 0, ' if limit else ''}or run(stop=...)")
