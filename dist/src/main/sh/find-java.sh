# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034
#
# Finds a Java that is new enough. The launcher, Install, check and demo source this file. When the
# launcher finds the bundled runtime, no other process is started.

JAVA_NEEDED=25

# jmmv_try_java TOOL PLACE
#
# PLACE is the home of a Java, or the path of its "java". If it is new enough and has TOOL (java,
# javac), sets JMMV_JAVA_HOME to its home and returns 0; otherwise adds the reason to JMMV_JAVA_SEEN.
jmmv_try_java()
{
    _home=${2%/bin/java}
    if [ ! -x "$_home/bin/java" ]; then
        JMMV_JAVA_SEEN="${JMMV_JAVA_SEEN:+$JMMV_JAVA_SEEN, }$2 is no Java"
        return 1
    fi
    if [ ! -r "$_home/release" ]; then
        # /usr/bin/java and the like are links into a home
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
# Tries each PLACE that is not empty, then JAVA_HOME, PATH and the usual folders. Sets
# JMMV_JAVA_HOME, or returns 1 with the rejected places and the reasons in JMMV_JAVA_SEEN.
jmmv_find_java()
{
    JMMV_JAVA_HOME='' JMMV_JAVA_SEEN=''
    _tool=$1
    shift
    for _place in "$@" "${JAVA_HOME:-}"; do
        [ -n "$_place" ] && jmmv_try_java "$_tool" "$_place" && return 0
    done
    _place=$(command -v java) && jmmv_try_java "$_tool" "$_place" && return 0
    for _place in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/local/lib/jvm/* /usr/java/* /opt/java/* \
        /opt/*jdk* /opt/*jre* /usr/local/*jdk* /usr/local/*jre*; do
        [ -x "$_place/bin/java" ] && jmmv_try_java "$_tool" "$_place" && return 0
    done
    : "${JMMV_JAVA_SEEN:=no Java at all}"
    return 1
}
