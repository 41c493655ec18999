#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Lets tshark, which knows nothing of this module, read captures, and fails on a malformed packet, a
# bad checksum or ICRC, and on whatever is not what the writer says it wrote.
#
#   check-capture.sh WRITER FOLDER
#     WRITER   program that writes NAME.pcap into the folder that it is given (write-captures,
#              capture-run), and beside it what must be found there:
#              NAME.expected   a line a packet, fields as tshark prints them
#              NAME.filters    a line each: how many packets pass, or + for some, and which filter
#     FOLDER   made anew
set -euo pipefail

writer=$1
folder=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
names_cnp=$here/../../utils/wireshark/roce-cnp.lua
failures=0
compared=0

# Packets that no capture may hold.
never='0 _ws.malformed || _ws.short
0 _ws.expert.group == "Checksum" || _ws.expert.group == "Malformed"
0 ip && !icmp && ip.checksum.status != 1
0 tcp && tcp.checksum.status != 1
0 udp.checksum.status == 0
0 udp && ipv6 && !icmpv6 && udp.checksum.status != 1
0 icmp && icmp.checksum.status != 1
0 icmpv6 && icmpv6.checksum.status != 1
0 infiniband.bth.opcode > 17 && infiniband.bth.opcode < 129
0 infiniband.bth.opcode > 129 && infiniband.bth.opcode < 198
0 infiniband.bth.opcode > 203 && infiniband.bth.opcode < 209
0 infiniband.bth.opcode > 209 && infiniband.bth.opcode < 216
0 infiniband.bth.opcode > 217 && infiniband.bth.opcode < 220
0 infiniband.bth.opcode > 222 && infiniband.bth.opcode != 225
0 !infiniband && !macc && !ip && !ipv6'

# The columns of NAME.expected.
fields=(_ws.col.Protocol _ws.col.Info frame.len vlan.priority vlan.id
    ip.ttl ip.dsfield.dscp ip.dsfield.ecn ip.checksum.status
    ipv6.hlim ipv6.tclass.dscp ipv6.tclass.ecn
    udp.srcport infiniband.bth.opcode infiniband.bth.padcnt infiniband.bth.destqp infiniband.bth.a
    infiniband.bth.psn infiniband.reth.va infiniband.reth.r_key infiniband.reth.dmalen
    infiniband.aeth.syndrome infiniband.aeth.msn
    macc.cbfc.enbv macc.cbfc.pause_time.c{0..7})

# read_capture OPTION...: as a user would, but that checks which tshark leaves off are on.
read_capture() {
    tshark -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE -o udp.check_checksum:TRUE \
        -r "$capture" "${options[@]}" "$@" 2>"$folder/tshark.err" ||
        { cat "$folder/tshark.err" >&2; exit 1; }
}

# failed WHAT: counts a failure; what it was follows from standard input.
failed() {
    echo "FAILED: $capture: $1" >&2
    head -n 10 >&2
    failures=$((failures + 1))
}

# check_counts < LINES: as in NAME.filters, all counted in one run of tshark.
check_counts() {
    local wanted=() filters=() found count filter i
    while read -r count filter; do
        wanted+=("$count")
        filters+=("$filter")
    done
    # One row: interval, then frames and bytes of each filter.
    mapfile -t found < <(read_capture -q -z "io,stat,0$(printf ',%s' "${filters[@]}")" |
        awk -F'|' '/<>/ { for (i = 3; i < NF; i += 2) print $i + 0 }')
    if [ ${#found[@]} != ${#wanted[@]} ]; then
        failed "tshark counted ${#found[@]} of ${#wanted[@]} filters" <"$folder/tshark.err"
        return
    fi
    for i in "${!wanted[@]}"; do
        compared=$((compared + found[i]))
        [ "${wanted[i]}" = "${found[i]}" ] && continue
        [ "${wanted[i]}" = + ] && [ "${found[i]}" -gt 0 ] && continue
        failed "${found[i]} packets, expected ${wanted[i]}: ${filters[i]}" \
            < <(read_capture -Y "${filters[i]}")
    done
}

# check_fields FILE: what tshark finds in each packet, line by line.
check_fields() {
    local found=${capture%.pcap}.found
    compared=$((compared + $(wc -l <"$1")))
    read_capture -X "lua_script:$names_cnp" -T fields -E separator='|' -E occurrence=f \
        "${fields[@]/#/-e}" |
        awk -F'|' -v OFS='|' '
            # The names of RoCEv2 and PFC packets are compared, the summaries of others are not.
            $1 == "RRoCE" { sub(/ ?QP=0x[0-9a-f]*/, "", $2); sub(/ +$/, "", $2) }
            $1 != "RRoCE" { $13 = "" }
            $1 != "RRoCE" && $1 != "MAC CTRL" { $2 = "" }
            { print }' >"$found"
    diff "$1" "$found" >"$found.diff" ||
        failed "tshark finds (>) not what was written (<)" <"$found.diff"
}

command -v tshark >/dev/null || {
    echo "check-capture: tshark is missing (apt install tshark)" >&2
    exit 1
}
rm -rf "$folder"
mkdir -p "$folder"
"$writer" "$folder"

for capture in "$folder"/*.pcap; do
    # Where tshark's guesses about the payload go wrong, see write-captures.cc.
    options=()
    [[ $capture == */short-sends.pcap ]] &&
        options=(--disable-heuristic rpcrdma_infiniband --disable-heuristic smb_direct_infiniband)

    check_counts <<<"$never"
    [ ! -e "${capture%.pcap}.filters" ] || check_counts <"${capture%.pcap}.filters"
    [ ! -e "${capture%.pcap}.expected" ] || check_fields "${capture%.pcap}.expected"
    icrc=$(python3 "$here/check_icrc.py" "$capture") || failed "ICRC" <<<"$icrc"
done

[ "$compared" != 0 ] || failed "nothing was compared" </dev/null
echo "check-capture: $compared packets compared, $failures failures"
[ "$failures" = 0 ]
