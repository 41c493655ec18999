#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What utils/test refuses, in one line and before it builds; and that the folder of --ns3 is only read.
#
#   refusals.sh UTILS-TEST
set -euo pipefail

test=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LOSSLESS_CACHE=$work/cache
unset LOSSLESS_BUDGET

# refused TEXT ARGUMENT...: ends with 2 and one line that has the text.
refused() {
    local text=$1 said status=0
    shift
    said=$("$test" "$@" 2>&1) || status=$?
    if [ $status != 2 ] || [ "$(wc -l <<<"$said")" != 1 ] || [[ $said != *"$text"* ]]; then
        echo "utils/test $*: status $status, says: $said"
        exit 1
    fi
    echo "$said"
}

refused "unknown option --al" --al
refused "exclude each other" --quick --all
refused "goes with no other option" --ns3=/usr --quick
for other in --quick --all --no-tree --ns3=/usr --sanitize; do
    refused "--sanitize goes with no other option" --sanitize $other
    refused "--sanitize goes with no other option" $other --sanitize
done
refused "is no source tree of ns-3: it has no test.py" --ns3=
refused "is no source tree of ns-3: it has no test.py" --ns3="$work"
for budget in 0 0.0 -1 1.5 nan many ""; do
    LOSSLESS_BUDGET=$budget refused "above 0 and at most 1; \"$budget\" is not" --quick
done

# A tree that is too old, and one that cannot be configured.
tree=$work/tree
mkdir -p "$tree/src/core/model" "$tree/contrib/other" "$tree/build" "$tree/cmake-cache"
touch "$tree/test.py" "$tree/src/core/model/simulator.h" "$tree/contrib/other/CMakeLists.txt"
echo 'message(FATAL_ERROR "this tree is not to be built")' >"$tree/CMakeLists.txt"
echo 3.36.1 >"$tree/VERSION"
refused "is ns-3.36.1; needed is 3.37 or later" --ns3="$tree"
echo 3.40 >"$tree/VERSION"
before=$(find "$tree" -printf '%p %T@ %l\n' | sort)
said=$("$test" --ns3="$tree" 2>&1) && exit 1
[[ $said == *"this tree is not to be built"* ]]
[ "$(tail -n 1 <<<"$said")" = "0 passed, 1 failed" ]
[ "$(find "$tree" -printf '%p %T@ %l\n' | sort)" = "$before" ]
