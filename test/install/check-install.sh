#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs the module, moves the installation, and lets small projects outside of the tree find,
# link and run it.
#
#   check-install.sh prefix BUILD WORK               installs to WORK/moved
#   check-install.sh cmake|pkg-config WORK           the C++ project
#   check-install.sh python WORK PYTHON FOLDER       the Python script; FOLDER below the prefix has
#                                                    the package
#
# The workload "outside" is only in the moved installation, so nothing of the source tree is used.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
unset PYTHONPATH LOSSLESS_DATA_DIR LD_LIBRARY_PATH

# expect OUTPUT: all flows of a run have completed.
expect() {
    echo "$1"
    [[ $1 =~ ([0-9]+)\ of\ ([0-9]+)\ flows\ completed,\ 0\ failed ]]
    [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ] && [ "${BASH_REMATCH[1]}" -gt 0 ]
}

case $1 in
prefix)
    build=$2 work=$3
    rm -rf "$work"
    # Of a build that lacks a part nothing is installed.
    mkdir -p "$work/empty"
    cmake -S "$here/../.." -B "$work/empty" -G Ninja -DLOSSLESS_UNIT_TESTS=OFF >/dev/null
    ! said=$(cmake --install "$work/empty" --prefix "$work/half" 2>&1)
    tr -s '[:space:]' ' ' <<<"$said" | grep "is not built; first run cmake --build $work/empty"
    [ ! -e "$work/half" ]
    cmake --install "$build" --prefix "$work/first"
    mv "$work/first" "$work/moved"
    cp "$work/moved/share/ns3-lossless/flow-sizes/"{fb-hadoop,outside}.csv
    [ -x "$work/moved/bin/lossless-view" ]
    ! said=$("$work/moved/bin/lossless-view" "$work/moved" 2>&1)
    grep "lossless-view: .*topology.json: No such file" <<<"$said"
    ;;
cmake)
    prefix=$2/moved build=$2/cmake
    cmake -S "$here/cpp" -B "$build" -DCMAKE_PREFIX_PATH="$prefix"
    cmake --build "$build"
    ldd "$build/outside" | grep "$prefix/"
    expect "$("$build/outside" outside)"
    [ ! -e "$build/outside-job" ] || "$build/outside-job" | grep "the job is done"
    ;;
pkg-config)
    prefix=$2/moved
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ns3-lossless.pc)")
    read -ra flags <<<"$(pkg-config --cflags --libs ns3-lossless)"
    g++ "$here/cpp/main.cc" -o "$2/by-pkg-config" "${flags[@]}"
    expect "$("$2/by-pkg-config" outside)"
    if [ -e "$PKG_CONFIG_PATH/ns3-lossless-jobs.pc" ]; then
        read -ra flags <<<"$(pkg-config --cflags --libs ns3-lossless-jobs)"
        g++ "$here/cpp/job.cc" -o "$2/job-by-pkg-config" "${flags[@]}"
        "$2/job-by-pkg-config" | grep "the job is done"
    fi
    ;;
python)
    cd "$2"
    output=$(PYTHONPATH=$2/moved/$4 "$3" "$here/python/scenario.py" outside)
    [[ $output == *"$2/moved/$4/lossless/__init__.py"* ]]
    expect "$output"
    ;;
*)
    echo "check-install.sh: unknown step $1" >&2
    exit 2
    ;;
esac
