#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the ICRC of every RoCEv2 packet of a capture, by zlib's CRC-32: tshark shows it unchecked.

    check_icrc.py CAPTURE

An ICRC that the writer left out, four zeros, is an error.
"""

import struct
import sys
import zlib

ROCE_PORT = 4791
VXLAN_PORT = 4789


def packets(path):
    """Yield the packets of a pcap file of either time resolution, as this machine writes it."""
    with open(path, "rb") as file:
        magic, link = struct.unpack("=I16xI", file.read(24))
        if magic not in (0xA1B2C3D4, 0xA1B23C4D) or link != 1:
            sys.exit(f"{path}: not an Ethernet capture")
        while header := file.read(16):
            yield file.read(struct.unpack("=8xI4x", header)[0])


def ip_packet(frame):
    """Return IP version, header length and the bytes of the IP packet, of the one in it if it is a VXLAN
    tunnel or IPv6 in IPv6; version 0 for others."""
    version, header, packet = outer_packet(frame)
    if version == 6 and packet[6] == 41:
        return version, header, packet[header:]
    udp = version and packet[9 if version == 4 else 6] == 17
    if udp and struct.unpack_from("!H", packet, header + 2)[0] == VXLAN_PORT:
        return outer_packet(packet[header + 16 :])
    return version, header, packet


def outer_packet(frame):
    """Return IP version, header length and the bytes of the IP packet; version 0 for others."""
    kind, start = struct.unpack_from("!H", frame, 12)[0], 14
    if kind == 0x8100:
        kind, start = struct.unpack_from("!H", frame, 16)[0], 18
    if kind == 0x0800:
        total = struct.unpack_from("!H", frame, start + 2)[0]
        return 4, (frame[start] & 15) * 4, bytearray(frame[start : start + total])
    if kind == 0x86DD:
        total = 40 + struct.unpack_from("!H", frame, start + 4)[0]
        return 6, 40, bytearray(frame[start : start + total])
    return 0, 0, b""


def main(path):
    checked = bad = 0
    for number, frame in enumerate(packets(path), 1):
        version, udp, packet = ip_packet(frame)
        if version == 0 or packet[9 if version == 4 else 6] != 17:
            continue
        if struct.unpack_from("!H", packet, udp + 2)[0] != ROCE_PORT:
            continue
        if 0xC6 <= packet[udp + 8] <= 0xCB and packet[udp + 12] & 3:
            continue  # data of MRC that a switch has cut: nothing follows the headers
        changing = [1, 8, 10, 11] if version == 4 else [1, 2, 3, 7]
        for offset in changing + [udp + 6, udp + 7, udp + 12]:
            packet[offset] = 0xFF
        if version == 6:
            packet[0] |= 0x0F
        right = struct.pack("<I", zlib.crc32(b"\xff" * 8 + packet[:-4]))
        checked += 1
        if packet[-4:] != right:
            bad += 1
            print(f"FAILED: {path}: packet {number}: ICRC {packet[-4:].hex()}, right is {right.hex()}")
    print(f"{path}: {checked} ICRCs, {bad} wrong")
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1]) else 0)
