#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Lets tshark, which knows nothing of this module, read captures, and fails on a malformed packet, a
# bad checksum or ICRC, and on any field that is not what the writer says it wrote.
#
#   check-capture.sh WRITER FOLDER
#     WRITER   program that writes NAME.pcap, and NAME.expected or nothing, into the folder it is
#              given: write-captures, capture-run
#     FOLDER   made anew
set -euo pipefail

writer=$1
folder=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
names_cnp=$here/../../utils/wireshark/roce-cnp.lua
failures=0

command -v tshark >/dev/null || {
    echo "check-capture: tshark is missing (apt install tshark)" >&2
    exit 1
}
rm -rf "$folder"
mkdir -p "$folder"
"$writer" "$folder"

# As a user would run it, but that the checks which tshark leaves off by default are on.
read_capture() {
    tshark -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE -o udp.check_checksum:TRUE \
        "$@" 2>"$folder/tshark.err" || { cat "$folder/tshark.err" >&2; exit 1; }
}

# none WHAT FILTER OPTION...: fails when a packet passes the filter.
none() {
    local what=$1 filter=$2 found
    shift 2
    found=$(read_capture -r "$capture" "$@" -Y "$filter")
    if [ -n "$found" ]; then
        echo "FAILED: $capture: $what:" >&2
        head -n 10 <<<"$found" >&2
        failures=$((failures + 1))
    fi
}

# The columns of .expected. Quoted names stand for what is read of the summary line.
fields=(_ws.col.Protocol _ws.col.Info frame.len vlan.priority vlan.id
    ip.ttl ip.dsfield.dscp ip.dsfield.ecn ip.checksum.status
    ipv6.hlim ipv6.tclass.dscp ipv6.tclass.ecn
    udp.srcport infiniband.bth.opcode infiniband.bth.padcnt infiniband.bth.destqp infiniband.bth.a
    infiniband.bth.psn infiniband.reth.va infiniband.reth.r_key infiniband.reth.dmalen
    infiniband.aeth.syndrome infiniband.aeth.msn
    macc.cbfc.enbv macc.cbfc.pause_time.c{0..7})

for capture in "$folder"/*.pcap; do
    # Where tshark's guesses about the payload go wrong, see write-captures.cc.
    options=()
    [[ $capture == */short-sends.pcap ]] &&
        options=(--disable-heuristic rpcrdma_infiniband --disable-heuristic smb_direct_infiniband)

    none "malformed" '_ws.malformed || _ws.short' "${options[@]}"
    none "warned of" '_ws.expert.group == "Checksum" || _ws.expert.group == "Malformed"' "${options[@]}"
    none "IPv4 checksum not good" 'ip && !icmp && ip.checksum.status != 1' "${options[@]}"
    none "UDP checksum not good" 'udp && ipv6 && udp.checksum.status != 1' "${options[@]}"
    none "UDP checksum bad" 'udp.checksum.status == 0' "${options[@]}"
    none "TCP checksum not good" 'tcp && tcp.checksum.status != 1' "${options[@]}"
    none "ICMP checksum not good" 'icmp && icmp.checksum.status != 1' "${options[@]}"
    none "ICMPv6 checksum not good" 'icmpv6 && icmpv6.checksum.status != 1' "${options[@]}"
    none "unknown opcode" 'infiniband.bth.opcode > 17 && infiniband.bth.opcode != 129' "${options[@]}"
    none "neither RoCEv2, PFC nor IP" '!infiniband && !macc && !ip && !ipv6' "${options[@]}"
    python3 "$here/check_icrc.py" "$capture" || failures=$((failures + 1))

    expected=${capture%.pcap}.expected
    [ -e "$expected" ] || continue
    read_capture -r "$capture" "${options[@]}" -X "lua_script:$names_cnp" -T fields -E separator='|' \
        -E occurrence=f "${fields[@]/#/-e}" |
        awk -F'|' -v OFS='|' '
            # The names of RoCEv2 and PFC packets are compared, the summaries of others are not.
            $1 == "RRoCE" { sub(/ QP=0x[0-9a-f]*/, "", $2); sub(/ +$/, "", $2) }
            $1 != "RRoCE" { $13 = "" }
            $1 != "RRoCE" && $1 != "MAC CTRL" { $2 = "" }
            { print }' >"${capture%.pcap}.found"
    if ! diff "$expected" "${capture%.pcap}.found" >"${capture%.pcap}.diff"; then
        echo "FAILED: $capture: tshark finds (>) not what was written (<):" >&2
        head -n 20 "${capture%.pcap}.diff" >&2
        failures=$((failures + 1))
    fi
done

echo "check-capture: $(cat "$folder"/*.expected 2>/dev/null | wc -l) frames compared, $failures failures"
[ "$failures" = 0 ]
