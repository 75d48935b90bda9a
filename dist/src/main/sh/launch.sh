# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# shellcheck source=dist/src/main/sh/find-java.sh
#
# Runs the main class $main with the Java and the options of the agent, and with the arguments of the
# launcher, which sources this file. $here is the directory of the installation, $self the launcher,
# $tools a directory of further jars, or empty. If $greet is not empty, sends CREDS to descriptor 3.
#
# The tools share the options with the agent: only so do they share its AOT cache, and "jmmv check" has
# the limits that depend on the size of the heap. The JVM uses the cache because the class path begins
# with the agent's.

. "$here/find-java.sh"

runtime=$here/runtime
[ -d "$runtime" ] || runtime=
recorded=
chosen=${PCP_PMDAS_DIR:-/var/lib/pcp/pmdas}/jmmv/java.path # by Install
# shellcheck disable=SC3013 # all shells have -ef
[ "$here" -ef /usr/lib/jmmv ] && [ -r "$chosen" ] && read -r recorded <"$chosen"
if ! jmmv_find_java java "$recorded" "$runtime"; then
    echo "${self##*/}: no Java $JAVA_NEEDED or newer ($JMMV_JAVA_SEEN):" \
        "install one, or set JMMV_JAVA to its bin/java" >&2
    exit 2
fi
# Metrics served on another Java are better than none, for example after an upgrade of the system.
if [ -n "$recorded" ] && [ -n "$JMMV_JAVA_SEEN" ]; then
    echo "${self##*/}: the Java given to Install can't be used ($JMMV_JAVA_SEEN);" \
        "running on $JMMV_JAVA_HOME instead. To choose another one, run $here/Install again" >&2
fi

# An agent from which pmcd gets no PDU within three seconds is never started again; one that does not
# answer a request within five seconds is, soon after. Java itself may take longer than three seconds if
# nothing of it is in memory, on a slow disk or while the machine boots. These are the words of a CREDS PDU
# for version 2 of the protocol; pmcd does not use the sender's number.
if [ -n "$greet" ]; then
    printf '\0\0\0\024\0\0\160\014\0\0\0\0\0\0\0\001\001\002\0\0' >&3
fi

# from this the JVM takes the character set of file names, and the shell the order of the jars
export LC_ALL=C.UTF-8

classpath=
for jar in "$here"/lib/*.jar ${tools:+"$tools"/*.jar}; do
    classpath=$classpath${classpath:+:}$jar
done

# The build makes the AOT cache for this very runtime; the JVM goes without it where it does not fit. Only
# the version of Java that is bundled is known to have what Netty uses of sun.misc.Unsafe.
cache=$here/lib/jmmv.aot
[ -r "$cache" ] || cache=
case ${JMMV_JAVA_OPTS:-} in
*-XX:AOT* | *-XX:Shared* | *-Xshare*) cache= ;; # the JVM takes only one of them
esac
unsafe=
[ "$JMMV_JAVA_HOME" != "$runtime" ] || unsafe='--sun-misc-unsafe-memory-access=allow -Dio.netty.noUnsafe=false'

# Blocks of nearly 32 KiB, in which the compiler takes its memory, go back to the system when they are free.
export MALLOC_MMAP_THRESHOLD_=30000

# $unsafe and JMMV_JAVA_OPTS hold words, not patterns
set -f
# shellcheck disable=SC2086
exec "$JMMV_JAVA_HOME/bin/java" "@$here/java.options" \
    ${cache:+"-XX:AOTCache=$cache"} $unsafe \
    "-Djmmv.sample=$here/lib/sample" ${greet:+-Djmmv.greeted=true} ${JMMV_JAVA_OPTS:-} \
    -cp "$classpath" "$main" "$@"
