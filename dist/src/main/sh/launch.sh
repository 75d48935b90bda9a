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
[ -r "$here/java.path" ] && read -r recorded <"$here/java.path"
if ! jmmv_find_java java "$recorded" "$runtime"; then
    echo "${self##*/}: no Java $JAVA_NEEDED or newer ($JMMV_JAVA_SEEN):" \
        "install one, or set JMMV_JAVA to its bin/java" >&2
    exit 1
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

classpath=
for jar in "$here"/lib/*.jar ${tools:+"$tools"/*.jar}; do
    classpath=$classpath${classpath:+:}$jar
done

# What only shortens the start, with the figures of a start of 120 ms. The cache holds the classes
# parsed and linked (290 ms); it is made by the build for this very runtime, and the JVM goes without
# it where it does not fit. Relocated, all its pages would have to be written to. SLF4J and Netty are
# told what they would search the jars and the system for (12 ms). With sun.misc.Unsafe Netty does not
# link malloc and free as foreign functions (18 ms); only the version of Java that is bundled is known
# to have it.
cache=$here/lib/jmmv.aot
[ -r "$cache" ] || cache=
case ${JMMV_JAVA_OPTS:-} in
*-XX:AOT* | *-XX:Shared* | *-Xshare*) cache= ;; # the JVM takes only one of them
esac
quick="-XX:ArchiveRelocationMode=0 -Dslf4j.provider=org.jmmv.cli.LogProvider -Dslf4j.internal.verbosity=WARN
    -Dio.netty.osClassifiers="
[ "$JMMV_JAVA_HOME" != "$runtime" ] ||
    quick="$quick --sun-misc-unsafe-memory-access=allow -Dio.netty.noUnsafe=false"

# from this the JVM takes the character set of file names
export LC_ALL=C.UTF-8

# The heap may take half of the memory that the control group allows, if that is less than 512 MiB.
# The first two paths are those of control groups version 2, the others those of version 1; a container
# sees its own group at the root.
heap=536870912
group=
while IFS=: read -r id controllers path; do
    case $id:$controllers in
    *:memory) group=$path ;;
    0:) group=${group:-$path} ;; # the last line
    esac
done 2>/dev/null </proc/self/cgroup
for file in "/sys/fs/cgroup$group/memory.max" /sys/fs/cgroup/memory.max \
    "/sys/fs/cgroup/memory$group/memory.limit_in_bytes" /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    limit=
    [ -r "$file" ] && read -r limit <"$file"
    case $limit in
    '' | *[!0-9]*) ;; # "max"
    *) [ $((limit / 2)) -ge "$heap" ] || heap=$((limit / 2)) ;;
    esac
done

# Memory that the JVM frees goes back to the system: no arena for each thread, and large blocks are
# always unmapped; by default malloc raises the threshold to the size of blocks that have been freed.
# Large are the blocks of nearly 32 KiB in which the compiler takes its memory (6 MB).
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=30000 MALLOC_TRIM_THRESHOLD_=131072

# The first compiler alone, and early: pmcd asks a few times a second, so that most code would be
# interpreted for hours. The second compiler would make the replies to a hundred thousand requests a
# second faster, but it takes more time and memory than it saves at a few requests a second. Then most
# of a request is spent waiting for memory that is in no cache; huge pages for the heap and the compiled
# code make it 10 % shorter.
#
# One method of the JVM's own, huge and used at the start only, is not compiled: to do so takes 6 MB, and
# 4 % of the start. Without "quiet" the JVM tells of it on stdout.
#
# The JVM's threads that look for locks and table entries out of use wake up once a minute or less,
# not several times a second. A newer Java goes without options that it does not know.
#
# A collector without threads of its own; a heap that begins small, has room for what the limits
# allow, and after a full collection (see HeapTrim) shrinks at once to little more than what is in use;
# the end of the process when the heap is not enough; a small code cache; Netty's buffers without pools,
# because there are few; IDs of Netty's channels that do not begin with the hardware address of a network
# interface, because Netty would log a warning in a container that has none; no file in /tmp, and no
# messages about the cache. Properties.store writes a heading to jmmv.clusters instead of the date: for a
# date Java loads the time zones (12 ms) from a file, and the agent ended if no descriptor was free for
# that.
#
# New objects have at most 8 MiB of the heap, which would else be a third of it. Half of that is for
# those that outlive a collection: with less, what a large request makes fills the heap much faster.
#
# With the sample files the agent warms up after its start.
#
# $quick and JMMV_JAVA_OPTS hold words, not patterns
set -f
# shellcheck disable=SC2086
exec "$JMMV_JAVA_HOME/bin/java" \
    -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=0.05 -XX:CompileCommand=quiet \
    -XX:CompileCommand=exclude,jdk.internal.classfile.impl.StackMapGenerator::processBlock \
    -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions \
    -XX:AsyncDeflationInterval=0 -XX:ServiceThreadCleanupInterval=600000 \
    -XX:+UseTransparentHugePages -XX:+UseSerialGC -Xms6m -Xmx$heap -XX:+ExitOnOutOfMemoryError \
    -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 -XX:-ShrinkHeapInSteps -XX:MaxNewSize=8m \
    -XX:SurvivorRatio=2 -XX:+UseCompactObjectHeaders -XX:ReservedCodeCacheSize=32m -XX:-UsePerfData \
    -Dio.netty.allocator.type=unpooled -Dio.netty.machineId=00:00:00:00:00:00 -Xlog:disable ${cache:+"-XX:AOTCache=$cache"} $quick \
    --enable-native-access=ALL-UNNAMED "-Djava.properties.date=written by pmdajmmv" \
    "-Djmmv.sample=$here/lib/sample" ${greet:+-Djmmv.greeted=true} ${JMMV_JAVA_OPTS:-} \
    -cp "$classpath" "$main" "$@"
