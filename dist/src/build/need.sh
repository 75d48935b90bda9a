# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# shellcheck source=dist/src/main/sh/find-java.sh
#
# Functions that find or install what a build needs, sourced by ./demo and ./check, which set $home to
# the directory of the checkout and define fail MESSAGE...

. "$home/dist/src/main/sh/find-java.sh"

# install_packages PACKAGE...: installs Debian packages, or returns 1 if that is impossible: without
# root or apt, or if the packages do not exist in this release of Debian
install_packages()
{
    [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 1
    # SYSTEMD_OFFLINE: otherwise packages with services fail to install if systemd is not running.
    export SYSTEMD_OFFLINE=1 DEBIAN_FRONTEND=noninteractive
    apt-get -qq update </dev/null || return 1
    apt-cache show "$@" >/dev/null 2>&1 || return 1
    echo "Installing $* ..."
    apt-get -qq -y install --no-install-recommends "$@" </dev/null >/dev/null || return 1
}

# need_jdk: sets JAVA_HOME to the home of a JDK of a sufficient version
need_jdk()
{
    if ! jmmv_find_java javac; then
        _seen=$JMMV_JAVA_SEEN
        { [ -z "${JMMV_JAVA:-}" ] && install_packages "openjdk-$JAVA_NEEDED-jdk-headless" &&
            jmmv_find_java javac; } ||
            fail "no JDK $JAVA_NEEDED or newer was found ($_seen). Install one, for example Temurin" \
                "from https://adoptium.net or the package openjdk-$JAVA_NEEDED-jdk, or set JAVA_HOME"
    fi
    export JAVA_HOME="$JMMV_JAVA_HOME"
}

# need_maven: makes sure that there is a command mvn, and sets MAVEN_OPTS for it; call need_jdk first
need_maven()
{
    command -v mvn >/dev/null || install_packages maven ||
        fail "mvn was not found. Install Maven 3.8 or newer (Debian: sudo apt-get install maven)"
    # Maven's own libraries call methods that newer JDKs warn about.
    export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
}
