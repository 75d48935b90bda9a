# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034
#
# Functions that find a Java of a sufficient version, sourced by the launcher and other scripts. In the
# usual case they start no process, because the launcher runs at each start of the agent.

JAVA_NEEDED=25

# jmmv_try_java TOOL PLACE
#
# PLACE is the home of a Java or the path of its "java". If its version is sufficient and it has TOOL
# (java or javac), sets JMMV_JAVA_HOME to its home and returns 0. Otherwise appends the reason to
# JMMV_JAVA_SEEN and returns 1.
jmmv_try_java()
{
    _home=${2%/bin/java}
    if [ ! -x "$_home/bin/java" ]; then
        JMMV_JAVA_SEEN="${JMMV_JAVA_SEEN:+$JMMV_JAVA_SEEN, }$2 is not a Java"
        return 1
    fi
    if [ ! -r "$_home/release" ]; then
        # /usr/bin/java, for example, is a symbolic link into the home of a Java.
        _home=$(readlink -f "$_home/bin/java")
        _home=${_home%/bin/java}
    fi
    _version=
    if [ -r "$_home/release" ]; then
        while IFS='=' read -r _key _value; do
            if [ "$_key" = JAVA_VERSION ]; then
                _version=${_value#\"}
                break
            fi
        done <"$_home/release"
    else
        _version=$("$_home/bin/java" -version 2>&1)
        _version=${_version#*\"}
    fi
    _version=${_version%%[!0-9]*}
    if [ "${_version:-0}" -lt "$JAVA_NEEDED" ]; then
        JMMV_JAVA_SEEN="${JMMV_JAVA_SEEN:+$JMMV_JAVA_SEEN, }$2 is Java ${_version:-?}"
    elif [ ! -x "$_home/bin/$1" ]; then
        JMMV_JAVA_SEEN="${JMMV_JAVA_SEEN:+$JMMV_JAVA_SEEN, }$2 has no $1"
    else
        JMMV_JAVA_HOME=$_home
        return 0
    fi
    return 1
}

# jmmv_find_java TOOL PLACE...
#
# Tries only JMMV_JAVA if that is set: a Java that was chosen is never replaced by another one. Otherwise
# tries each PLACE that is not empty, then JAVA_HOME, PATH and the usual directories. Sets JMMV_JAVA_HOME
# and returns 0, or returns 1. JMMV_JAVA_SEEN is what was rejected and why; empty if the first Java was
# sufficient.
jmmv_find_java()
{
    JMMV_JAVA_HOME='' JMMV_JAVA_SEEN=''
    _tool=$1
    shift
    if [ -n "${JMMV_JAVA:-}" ]; then
        jmmv_try_java "$_tool" "$JMMV_JAVA" && return 0
        JMMV_JAVA_SEEN="JMMV_JAVA is set, but $JMMV_JAVA_SEEN"
        return 1
    fi
    for _place in "$@" "${JAVA_HOME:-}"; do
        [ -n "$_place" ] && jmmv_try_java "$_tool" "$_place" && return 0
    done
    _place=$(command -v java) && jmmv_try_java "$_tool" "$_place" && return 0
    for _place in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/local/lib/jvm/* /usr/java/* /opt/java/* \
        /opt/*jdk* /opt/*jre* /usr/local/*jdk* /usr/local/*jre*; do
        [ -x "$_place/bin/java" ] && jmmv_try_java "$_tool" "$_place" && return 0
    done
    : "${JMMV_JAVA_SEEN:=there is no Java at all}"
    return 1
}
