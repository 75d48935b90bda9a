# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091,SC2016,SC2034,SC2154
#
# The common part of Install and Remove: checks of the arguments and the user, PCP's environment, paths
# and functions. The sourcing script has set $prog.

say_and_exit()
{
    echo "$prog: $*" >&2
    exit 1
}

# has_line NAME: does pmcd.conf have an agent of this name?
has_line()
{
    $PCP_AWK_PROG -v name="$1" '
        /^[ \t]*\[/ { exit }
        $1 == name  { found = 1; exit }
        END         { exit !found }' "$conf"
}

pmcd_runs()
{
    pminfo -v pmcd.version >/dev/null 2>&1
}

# agent_is_well NAME: does pmcd report status 0 for this agent?
agent_is_well()
{
    pminfo -f pmcd.agent.status 2>/dev/null | grep -q "or \"$1\"\] value 0\$"
}

# wait_until SECONDS COMMAND...: repeats COMMAND until it succeeds; fails after SECONDS
wait_until()
{
    _tenths=${1}0
    shift
    until "$@"; do
        [ "$_tenths" -gt 0 ] || return 1
        _tenths=$((_tenths - 1))
        "$PCP_BINADM_DIR/pmsleep" 0.1
    done
}

for _arg in "$@"; do
    case $_arg in
    -e | -Q | -V) ;;
    *)
        echo "Usage: $prog [-eQV] (see $prog --help)" >&2
        exit 1
        ;;
    esac
done

[ "$(id -u)" -eq 0 ] || say_and_exit "only root may change what pmcd runs: sudo $0"
[ -r "${PCP_DIR:-}/etc/pcp.env" ] ||
    say_and_exit "PCP is not installed: ${PCP_DIR:-}/etc/pcp.env is missing"
. "${PCP_DIR:-}/etc/pcp.env"
if [ ! -r "$PCP_SHARE_DIR/lib/pmdaproc.sh" ] || [ ! -f "$PCP_PMCDCONF_PATH" ]; then
    say_and_exit "PCP's collector (package pcp) is not installed:" \
        "$PCP_SHARE_DIR/lib/pmdaproc.sh or $PCP_PMCDCONF_PATH is missing"
fi

# PCP's scripts call systemctl if systemd's unit files are installed, and then hang if systemd is not
# running. PCPQA_SYSTEMD=no makes them use PCP's own start scripts.
if [ ! -d /run/systemd/system ]; then
    export PCPQA_SYSTEMD=no
fi

umask 022
conf=$PCP_PMCDCONF_PATH
names=$PCP_VAR_DIR/pmns
target=$PCP_PMDAS_DIR/jmmv

# The state before Install, kept while the agent is installed: copies of pmcd.conf, root and mmv, and
# the file "complete" once Install has succeeded.
state=$PCP_VAR_DIR/config/jmmv
