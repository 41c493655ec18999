#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The driver of the fuzzers finds planted defects, and leaves inputs that bring them back.
#
#   check-driver.sh PLANTED-DEFECTS
set -euo pipefail

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset LOSSLESS_BUDGET

fail() {
    echo "$*" >&2
    exit 1
}

# found COMMAND...: the command fails; prints the file that has the input.
found() {
    local said status=0
    said=$("$@" 2>&1) || status=$?
    [ $status != 0 ] || fail "$*: no defect, says: $said"
    [[ $said =~ (crash-planted-defects-[0-9a-f]{16})$ ]] || fail "$*: names no file, says: $said"
    [ -f "${BASH_REMATCH[1]}" ] || fail "$*: there is no ${BASH_REMATCH[1]}"
    echo "${BASH_REMATCH[1]}"
}

# Inputs that are given.
for defect in throw exit hang memory recursion; do
    echo "some $defect here" >input
    kept=$(found "$program" --input=input --patience=1s)
    cmp input "$kept"
    rm "$kept"
done
echo "nothing" >input
"$program" --input=input | grep -q "no defect"

# Inputs that are changed seeds: the same seed finds the same, and the input alone brings it back.
kept=$(found "$program" --seed=3 --runs=100000)
grep -q Q "$kept"
[ "$(found "$program" --seed=3 --runs=100000)" = "$kept" ]
mv "$kept" again
[ "$(found "$program" --input=again)" = "$kept" ]
cmp again "$kept"

# The budget, and seeds for libFuzzer.
LOSSLESS_BUDGET=0.5 "$program" --runs=4 | grep -q "^2 inputs"
"$program" --corpus=seeds | grep -q "^2 seeds"
[ "$(cat seeds/seed-1)" = "nothing wrong 2" ]
