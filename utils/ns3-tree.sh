# SPDX-License-Identifier: GPL-2.0-only
#
# ns-3's source tree, for utils/test and utils/mpi-run, which read this file. They have set "cache",
# the folder for what is slow to make, and "root", the checkout, and have "run LOG COMMAND...", which
# ends the script where the command fails.
# shellcheck shell=bash disable=SC2154

# Prints the folder of ns-3's source, wherever the source package has it.
ns3_source() {
    [ ! -d "$cache/ns3" ] || find "$cache/ns3" -maxdepth 3 -name test.py -printf '%h\n' -quit
}

# Gets ns-3's source package. Sources are enabled in a file of our own, in the cache: nothing of the
# system's configuration changes, and no root is needed.
get_ns3() {
    local parts=$cache/apt/parts lists=$cache/apt/lists file
    local options=(-q)
    [ "$(id -u)" != 0 ] || options+=(-o APT::Sandbox::User=root)
    if ! apt-cache showsrc ns3 2>/dev/null | grep -q '^Package: ns3$'; then
        rm -rf "$parts"
        mkdir -p "$parts" "$lists/partial" "$cache/apt/archives/partial"
        for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
            [ ! -f "$file" ] || sed -n 's/^deb[[:space:]]/deb-src /p' "$file" >"$parts/${file##*/}.list"
        done
        for file in /etc/apt/sources.list.d/*.sources; do
            [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$parts/${file##*/}"
        done
        options+=(-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$parts"
            -o Dir::State::Lists="$lists" -o Dir::Cache="$cache/apt")
        run "$cache/apt.log" apt-get "${options[@]}" update
    fi
    rm -rf "$cache/ns3" "$cache/ns3.new"
    mkdir "$cache/ns3.new"
    cd "$cache/ns3.new"
    run "$cache/apt.log" apt-get "${options[@]}" source ns3
    cd "$root"
    mv "$cache/ns3.new" "$cache/ns3"
}

# mirror_ns3 FOLDER [PREFIX]: prints a folder in the cache, named with the prefix, that has links to the folders of FOLDER and copies
# of its files, but builds and contributed modules of its own. So nothing in FOLDER changes, whatever
# is configured there.
mirror_ns3() {
    local from=$1 to entry name
    to=$cache/trees/${2:-}$(basename "$from")-$(cksum <<<"$from" | cut -d ' ' -f 1)
    mkdir -p "$to/contrib"
    find "$to" -maxdepth 1 -type l -delete
    for entry in "$from"/*; do
        name=${entry##*/}
        case $name in
        build | cmake-cache* | cmake-build* | contrib | testpy-output | __pycache__) ;;
        *)
            # A script of ns-3 looks for its tree beside itself, and where a link points to.
            if [ -d "$entry" ]; then
                ln -s "$entry" "$to/$name"
            else
                cp -p "$entry" "$to/$name"
            fi
            ;;
        esac
    done
    echo "$to"
}

# lock_trees NAME: one run at a time; trees are shared by all checkouts that use this cache.
lock_trees() {
    exec 9>"$cache/$1"
    flock 9
}

# put_module TREE: the tree has this checkout as its contributed module.
put_module() {
    local tree=$1 stub where
    # Objects of another checkout may be newer than the files of this one: forget them. ccache
    # has what did not change.
    if [ "$(readlink "$tree/contrib/lossless" || true)" != "$root" ]; then
        rm -rf "$tree/cmake-cache/contrib/lossless"
        ln -sfn "$root" "$tree/contrib/lossless"
    fi
    # ns-3.37 writes once where a header is: forget headers of the module that have moved.
    for stub in "$tree"/build/include/ns3/*.h; do
        if [ -f "$stub" ] && read -r where <"$stub" && [[ $where == '#include "'*/contrib/lossless/* ]]; then
            where=${where#*\"}
            [ -e "${where%\"*}" ] || rm "$stub"
        fi
    done
}

# tree_options [MODULE]: options of CMake that all builds in a tree share, one a line; with one more
# module of ns-3. csma: ns-3's own tests link to it. No precompiled headers: with them ccache keeps
# nothing.
tree_options() {
    local option
    for option in EMU TAP SQLITE GTK3 GSL VISUALIZER WARNINGS_AS_ERRORS PRECOMPILE_HEADERS; do
        echo "-DNS3_$option=OFF"
    done
    echo -DNS3_FILTER_MODULE_EXAMPLES_AND_TESTS=lossless
    echo "-DNS3_ENABLED_MODULES=lossless;core;network;internet;stats;csma;point-to-point;applications;internet-apps;traffic-control${1:+;$1}"
    echo -DLOSSLESS_WERROR=ON
}
