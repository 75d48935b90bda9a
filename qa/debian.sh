# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# For package-test, rpm-test, upgrade-test and aarch64-test: a Debian with PCP in $tmp/debian. The script has set
# $prog and $tmp.

# fail MESSAGE: ends with a message, after the last commands of the chroot with their output, and events in PCP's logs
fail()
{
    {
        [ ! -e "$tmp/commands" ] || tail -n 36 "$tmp/commands"
        for log in root pmcd mmv; do
            log=$tmp/debian/var/log/pcp/pmcd/$log.log
            [ ! -e "$log" ] || { echo "--- ${log##*/}:" && grep '^\[\|^Cleanup' "$log" | tail -n 6; }
        done
        echo "$prog: $*"
    } >&2
    exit 1
}

# start_debian: within namespaces of its own, starts the network and an application that writes MMV files
start_debian()
{
    mount -t proc proc "$tmp/debian/proc" && ip link set lo up || exit 1
    PCP_TMP_DIR="$tmp/debian/var/lib/pcp/tmp" "$tmp/application" shop plain <"$tmp/input" >/dev/null &
}

# on_debian COMMAND...: runs a command in the chroot; its output is in $tmp/out
on_debian()
{
    PCPQA_SYSTEMD=no PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$tmp/debian" "$@" >"$tmp/out" 2>&1
    status=$?
    { echo "+ $*" && cat "$tmp/out"; } >>"$tmp/commands"
    [ $status -eq 0 ] || fail "exit status $status of: $*"
}

# expect STEP PATTERN METRIC: the output of pminfo -f METRIC must match
expect()
{
    on_debian pminfo -f "$3"
    grep -q "$2" "$tmp/out" || fail "after $1: $3 does not match $2"
}

# files: lists the files of the chroot, except those that PCP, dpkg and rpm write at run time
files()
{
    (cd "$tmp/debian" && find etc usr var/lib ! -type d ! -path 'var/lib/dpkg/*' ! -path 'var/lib/rpm/*' \
        ! -path 'var/lib/pcp/pmns/root*' -exec ls -ld --time-style=+ {} + | sort)
}

# runs_on HOME: the agent must run on this Java
runs_on()
{
    on_debian pgrep -f "^$1/bin/java .* org.jmmv.cli.Main -d 70"
}

# uses_cache: the installed classes must come from the AOT cache. The JVM ignores it without a word where it does not fit.
uses_cache()
{
    on_debian env JMMV_JAVA_OPTS=-Xlog:class+load:file=/classes /var/lib/pcp/pmdas/jmmv/pmdajmmv --version
    on_debian grep -q ' org\.jmmv\.cli\.Main .*shared objects file' /classes
    on_debian rm /classes
}

# unpack_debian IMAGE: unpacks an image into $tmp/debian, and makes the application
unpack_debian()
{
    mkdir "$tmp/debian" && tar xf "qa/target/images/$1.tar" -C "$tmp/debian" || exit 1
    # dpkg need not wait for the disk
    echo force-unsafe-io >"$tmp/debian/etc/dpkg/dpkg.cfg.d/qa" || exit 1
    gcc -o "$tmp/application" qa/src/test/c/application.c -lpcp_mmv -lpcp || exit 1
    mkfifo "$tmp/input"
    exec 3<>"$tmp/input"
    echo 'state - running' >&3
}

# make_debian IMAGE: as unpack_debian does, with the built packages
make_debian()
{
    unpack_debian "$1"
    cp dist/target/jmmv_*.deb "$tmp/debian/jmmv.deb" && cp dist/target/jmmv-pmda_*.deb "$tmp/debian/jmmv-pmda.deb" || exit 1
}
