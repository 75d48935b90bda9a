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

# quote FILE: prints the last lines of a file, indented
quote()
{
    tail -n 20 "$1" 2>/dev/null | sed 's/^/    /'
}

# at_exit FUNCTION: makes the script end with FUNCTION: at its exit, when it gets a signal, and when nobody reads its
# output any more. After a signal, FUNCTION is given the exit status; it must call exit.
at_exit()
{
    # shellcheck disable=SC2064
    {
        trap "$1" 0
        trap "$1 129" HUP
        trap "$1 130" INT
        trap "$1 131" QUIT
        trap "$1 141" PIPE
        trap "$1 143" TERM
    }
}

# ignore_signals: nothing interrupts the rest of this shell, nor the programs that it starts
ignore_signals()
{
    trap '' HUP INT QUIT PIPE TERM
}

# has_line NAME: does pmcd.conf have an agent of this name?
has_line()
{
    $PCP_AWK_PROG -v name="$1" '
        /^[ \t]*\[/ { exit }
        $1 == name  { found = 1; exit }
        END         { exit !found }' "$conf"
}

# agent_lines FILE [rest|joined]: prints the lines for agents named mmv or jmmv or with domain 70, including
# continuation lines; with "rest", prints all other lines; with "joined", each agent's lines as one
agent_lines()
{
    $PCP_AWK_PROG -v form="${2:-}" '
        /^[ \t]*\[/ { access = 1 }
        { ours = !access && (more || $1 == "mmv" || $1 == "jmmv" || ($2 == 70 && $1 !~ /^#/)) }
        { more = ours && /\\$/ }
        ours == (form == "rest") { next }
        more && form == "joined" { printf "%s ", substr($0, 1, length($0) - 1); next }
        { print }' "$1"
}

# with_agent_lines FILE LINES: prints a pmcd.conf with its lines for these agents replaced by those of LINES
with_agent_lines()
{
    agent_lines "$1" rest | $PCP_AWK_PROG -v lines="$2" '
        function put(  line) { while ((getline line <lines) > 0) print line }
        /^[ \t]*\[/ || $1 !~ /^#/ && $2 + 0 > 70 { put() }
                                                 { print }
        END                                      { put() }'
}

# replace_conf FILE: gives pmcd.conf the content of a file. If that fails, for example because the disk is full, it stays. One
# that is mounted by itself, as in a container, can't be replaced, and is written to.
replace_conf()
{
    (
        ignore_signals
        cmp -s "$1" "$conf" && exit
        cp -p "$conf" "$conf.jmmv" && cat "$1" >"$conf.jmmv" &&
            { mv "$conf.jmmv" "$conf" 2>/dev/null || cat "$1" >"$conf"; }
        status=$?
        rm -f "$conf.jmmv"
        exit $status
    )
}

# has_names FILE: does the name space have the names below "mmv"?
has_names()
{
    grep -q '^[[:space:]]*mmv[[:space:]]' "$1"
}

add_names()
{
    cp "$target/pmns" mmv && "$PCP_BINADM_DIR/pmnsadd" -n root mmv
}

delete_names()
{
    rm -f mmv
    "$PCP_BINADM_DIR/pmnsdel" -n root mmv
}

# edit_names COMMAND...: runs a command in the directory of the name space while that is locked. No signal interrupts it,
# because the next one to lock the name space would wait two minutes for a lock that is left.
edit_names()
{
    (
        ignore_signals
        cd "$names" || exit 1
        "$PCP_SHARE_DIR/lib/lockpmns" "$names/root"
        "$@"
        status=$?
        "$PCP_SHARE_DIR/lib/unlockpmns" "$names/root"
        exit $status
    )
}

# tell_of_others NOTE: for each other agent in pmcd.conf that runs pmdajmmv, prints its name and a note. Install
# and Remove leave the lines and the processes of such agents alone.
tell_of_others()
{
    agent_lines "$conf" rest | $PCP_AWK_PROG -v agent="$target/pmdajmmv" -v note="$1" '
        /^[ \t]*\[/                         { exit }
        $1 !~ /^#/ && index($0, agent " ") { print "The agent " $1 " in pmcd.conf also runs pmdajmmv; " note }'
}

pmcd_runs()
{
    pminfo -v pmcd.agent.status >/dev/null 2>&1 # which "jmmv serve" does not have
}

# pmcd_service start|stop
pmcd_service()
{
    if [ -z "${PCPQA_SYSTEMD:-}" ] && [ -f "$PCP_SYSTEMDUNIT_DIR/pmcd.service" ]; then
        systemctl "$1" pmcd.service
    else
        "$PCP_RC_DIR/pmcd" "$1"
    fi
}

pmcd_pid()
{
    pmprobe -v pmcd.pid 2>/dev/null | $PCP_AWK_PROG '$2 == 1 { print $3 }'
}

# notify_pmcd: makes pmcd read pmcd.conf and the name space, which ends and starts agents in one step. pmcd must run.
notify_pmcd()
{
    kill -HUP "$(pmcd_pid)"
}

# Prints the process ids of the agents that pmcd has started, itself or through pmdaroot. Agents that were
# started by other programs and those with another --name are left alone.
pmcds_agents()
{
    _pmcd=$(pmcd_pid)
    [ -n "$_pmcd" ] || return 0
    # shellcheck disable=SC2086
    $PCP_PS_PROG $PCP_PS_ALL_FLAGS | $PCP_AWK_PROG -v pmcd="$_pmcd" '
        { parent[$2] = $3; line[$2] = $0 }
        END {
            for (pid in line)
                if (line[pid] ~ / org\.jmmv\.cli\.Main / && line[pid] !~ / --na/ &&
                    (parent[pid] == pmcd || parent[parent[pid]] == pmcd))
                    print pid
        }'
}

agents_have_ended()
{
    [ -z "$(pmcds_agents)" ]
}

# await_agents: waits until these agents have ended, and ends those that do not
await_agents()
{
    # shellcheck disable=SC2046
    wait_until 5 agents_have_ended || kill -KILL $(pmcds_agents)
}

# agent_is_well NAME: does pmcd report status 0 for this agent?
agent_is_well()
{
    pminfo -f pmcd.agent.status 2>/dev/null | grep -q "or \"$1\"\] value 0\$"
}

# agent_answers: does pmcd get answers from this agent?
agent_answers()
{
    pmprobe mmv.control.reload 2>/dev/null | grep -q ' 1$' && agent_is_well jmmv
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

# describe_metrics FILE: writes the PMIDs and descriptors that pmcd gives for all metrics below "mmv"
describe_metrics()
{
    pminfo -md mmv >"$1" 2>/dev/null
}

unused_domain=510

# rewrite_rules BEFORE AFTER: compares two files of describe_metrics. For each metric in both whose PMID or
# descriptor differs, prints a comment that names both and a rule of pmlogrewrite(1).
#
# A metric is deleted if no rule converts it: if the new type is not a number, if it gained or lost instances
# or changed units, or if its PMID or InDom does not become one other (pmlogrewrite would then refuse all rules).
# InDoms get rules of their own. pmlogrewrite loses one of two InDoms that swap their numbers, so that these
# rules first move them to an unused domain; the rules of compare_metrics move them back.
rewrite_rules()
{
    $PCP_AWK_PROG -v unused="$unused_domain" '
        BEGIN {
            number["32-bit int"] = "32"; number["32-bit unsigned int"] = "U32"
            number["64-bit int"] = "64"; number["64-bit unsigned int"] = "U64"
            number["float"] = "FLOAT"; number["double"] = "DOUBLE"
        }
        # pairs(FROM, TO, OLD, NEW): records that OLD becomes NEW, and returns whether the mapping is one to one
        function pairs(from, to, old, new) {
            if (!(old in to)) to[old] = new
            if (!(new in from)) from[new] = old
            return to[old] == new && from[new] == old
        }
        FNR == 1 { before = NR == 1 }
        $2 == "PMID:" {
            name = $1
            if (before) { old_pmid[name] = $3; order[++count] = name } else pmid[name] = $3
        }
        /^ *Data Type: .* InDom: / {
            type = $0; sub(/^ *Data Type: */, "", type); sub(/ *InDom: .*/, "", type)
            indom = $0; sub(/.* InDom: */, "", indom); sub(/ .*/, "", indom)
            if (before) { old_type[name] = type; old_indom[name] = indom }
            else { new_type[name] = type; new_indom[name] = indom }
        }
        /^ *Semantics: .* Units: / {
            semantics = $2
            units = $0; sub(/.* Units: */, "", units)
            if (before) { old_semantics[name] = semantics; old_units[name] = units }
            else { new_semantics[name] = semantics; new_units[name] = units }
        }
        END {
            none = "PM_INDOM_NULL"
            for (i = 1; i <= count; i++) {
                n = order[i]
                if (!(n in old_type && n in new_type)) continue
                rule = was = is = ""; lost = 0
                if (!pairs(pmids_from, pmids_to, old_pmid[n], pmid[n])) lost = 1
                if (old_pmid[n] != pmid[n]) {
                    was = was " PMID " old_pmid[n]; is = is " PMID " pmid[n]
                    rule = rule " pmid -> " pmid[n]
                }
                if (old_indom[n] != new_indom[n]) {
                    was = was " InDom " old_indom[n]; is = is " InDom " new_indom[n]
                }
                if (old_indom[n] != none || new_indom[n] != none) {
                    if (old_indom[n] == none || new_indom[n] == none) lost = 1
                    else if (!pairs(indoms_from, indoms_to, old_indom[n], new_indom[n])) lost = 1
                }
                if (old_type[n] != new_type[n]) {
                    was = was " type " old_type[n]; is = is " type " new_type[n]
                    if (old_type[n] in number && new_type[n] in number) rule = rule " type -> " number[new_type[n]]
                    else lost = 1
                }
                if (old_semantics[n] != new_semantics[n]) {
                    was = was " semantics " old_semantics[n]; is = is " semantics " new_semantics[n]
                    rule = rule " sem -> " new_semantics[n]
                }
                if (old_units[n] != new_units[n]) {
                    was = was " units " old_units[n]; is = is " units " new_units[n]
                    lost = 1
                }
                if (was == "") continue
                print "#" was " ->" is ": " n
                if (lost) rule = " delete"
                if (rule != "") print "metric " n " {" rule " }"
            }
            for (old in indoms_to) {
                moved = indoms_to[old]
                sub(/^70\./, unused ".", moved)
                if (indoms_to[old] != old) print "indom " old " { indom -> " moved " }"
            }
        }' "$1" "$2"
}

# names_in FILE: prints the names of the metrics in a file of describe_metrics
names_in()
{
    sed -n 's/ PMID: .*//p' "$1" | sort
}

# show FILE: prints the first lines of a file
show()
{
    sed 's/^/    /' "$1" | head -n 10
    [ "$(grep -c . "$1")" -le 10 ] || echo "    ..."
}

# compare_metrics BEFORE: compares what describe_metrics wrote earlier with what pmcd answers now, and tells what has
# changed. Writes rules that convert archives recorded before.
compare_metrics()
{
    describe_metrics "$tmp/metrics.now"
    [ -s "$tmp/metrics.now" ] || return 0
    names_in "$1" >"$tmp/names"
    names_in "$tmp/metrics.now" | comm -23 "$tmp/names" - >"$tmp/gone"
    if [ -s "$tmp/gone" ]; then
        echo "Metrics that pmcd no longer has: $(grep -c . "$tmp/gone")"
        show "$tmp/gone"
        echo "A pmlogger(1) that logs any of them exits, and must be started again."
    fi
    rewrite_rules "$1" "$tmp/metrics.now" >"$tmp/rules"
    [ -s "$tmp/rules" ] || return 0
    _rules=$PCP_VAR_DIR/config/jmmv-$(date +%Y%m%d-%H%M%S)
    {
        echo "# Rules of pmlogrewrite(1) for archives recorded before $prog at $(date)"
        cat "$tmp/rules"
    } >"$_rules.pmlogrewrite"
    sed -n "s/^indom .* \($unused_domain\(.*\)\) }/indom \1 { indom -> 70\2 }/p" "$tmp/rules" >"$tmp/rules-2"
    sed -n 's/^# \(.*\): \(.*\)/\2: \1/p' "$tmp/rules" >"$tmp/changes"
    echo "Metrics that have other numbers, types or units than before $prog: $(grep -c . "$tmp/changes")"
    show "$tmp/changes"
    echo "pmlogextract(1) does not merge archives recorded before with later ones. To convert such an archive:"
    if [ -s "$tmp/rules-2" ]; then
        cp "$tmp/rules-2" "$_rules-2.pmlogrewrite"
        echo "    $PCP_BINADM_DIR/pmlogrewrite -c $_rules.pmlogrewrite ARCHIVE HALF"
        echo "    $PCP_BINADM_DIR/pmlogrewrite -c $_rules-2.pmlogrewrite HALF CONVERTED"
    else
        echo "    $PCP_BINADM_DIR/pmlogrewrite -c $_rules.pmlogrewrite ARCHIVE CONVERTED"
    fi
}

# add_configuration: makes the files for pmlogconf(1), pmieconf(1) and pmrep(1) known to these programs
add_configuration()
{
    mkdir -p "$PCP_VAR_DIR/config/pmlogconf" "$PCP_VAR_DIR/config/pmieconf" "$PCP_SYSCONF_DIR/pmrep" || return 1
    remove_configuration
    cp -R "$home/config/pmlogconf" "$PCP_VAR_DIR/config/pmlogconf/jmmv" &&
        cp -R "$home/config/pmieconf" "$PCP_VAR_DIR/config/pmieconf/jmmv" &&
        cp "$home/config/pmrep/jmmv.conf" "$PCP_SYSCONF_DIR/pmrep/jmmv.conf"
}

# remove_configuration: undoes add_configuration
remove_configuration()
{
    rm -rf "$PCP_VAR_DIR/config/pmlogconf/jmmv" "$PCP_VAR_DIR/config/pmieconf/jmmv"
    rm -f "$PCP_SYSCONF_DIR/pmrep/jmmv.conf"
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
# Remove also restores a pmcd.conf that is left of a PCP that has been removed.
collector=true
[ -r "$PCP_SHARE_DIR/lib/pmdaproc.sh" ] || collector=false
if [ "$prog" = Remove ] && [ ! -f "$PCP_PMCDCONF_PATH" ]; then
    echo "$PCP_PMCDCONF_PATH is missing; there is nothing to remove."
    exit 0
fi
if [ ! -f "$PCP_PMCDCONF_PATH" ] || { ! $collector && [ "$prog" != Remove ]; }; then
    say_and_exit "PCP's collector (package pcp) is not installed:" \
        "$PCP_SHARE_DIR/lib/pmdaproc.sh or $PCP_PMCDCONF_PATH is missing"
fi

# PCP's scripts call systemctl if systemd's unit files are installed, and then hang if systemd is not
# running. PCPQA_SYSTEMD=no makes them use PCP's own start scripts.
if [ ! -d /run/systemd/system ]; then
    export PCPQA_SYSTEMD=no
fi

umask 022
unset COLUMNS # ps would cut its lines
conf=$(readlink -f "$PCP_PMCDCONF_PATH")
names=$PCP_VAR_DIR/pmns
home=/usr/lib/jmmv         # all files of the agent
target=$PCP_PMDAS_DIR/jmmv # links to those that pmcd and administrators use, and the choice of a Java

# The state before Install, kept while the agent is installed: copies of pmcd.conf and root, and
# the file "complete" once Install has succeeded.
state=$PCP_VAR_DIR/config/jmmv

# The agent's line in pmcd.conf as the last Install has written it, also one that has failed.
line=$PCP_VAR_DIR/config/jmmv.line
