# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091
#
# What the scripts of the Debian packages and of the RPMs have in common. The build puts it into them: of an installation,
# an archive of another version may have replaced the files.

home=/usr/lib/jmmv
agent=/var/lib/pcp/pmdas/jmmv
conf=/etc/pcp/pmcd/pmcd.conf

# delete_others: deletes the files of an installation from the archive, except the choice of a Java. The launcher adds all
# jars in lib to the class path.
delete_others()
{
    (cd $home && find . -mindepth 1 | grep -vxFf files | while IFS= read -r file; do
        rm -rf "$file"
    done)
    [ ! -d $agent ] || (cd $agent && for file in *; do
        [ "$file" = java.path ] || grep -qx "\(bin/\)*$file" $home/links || rm -rf "$file"
    done)
}

# add_links: makes the links, which no package has brought, to what pmcd.conf names. Before 0.3, the files were in their place.
add_links()
{
    if grep -qs "^[^#].*$agent/pmdajmmv " $conf && [ ! -e $agent/pmdajmmv ]; then
        mkdir -p $agent
        while read -r file; do
            ln -sf "$home/$file" $agent
        done <$home/links
    fi
}

# update_agent [REPORT]: if pmcd runs the agent, restarts it: its files have just been replaced. If pmcd is stopped, its next
# start uses the new files. If Install has not been run, the administrator decides when to run it. With REPORT,
# restarts nothing, and only reports that pmcd.conf has been replaced.
update_agent()
{
    [ $# -gt 0 ] || add_links
    if grep -qs '^jmmv[[:space:]]' $conf; then
        if [ $# -gt 0 ]; then
            : # PCP has been upgraded, and its pmcd.conf still has jmmv
        elif pminfo -v pmcd.agent.status >/dev/null 2>&1; then
            $home/Install || echo "jmmv: Install failed; see what it says above, then run $agent/Install" >&2
        elif [ -r /usr/share/pcp/lib/pmdaproc.sh ]; then
            (
                set --
                # shellcheck disable=SC2034
                prog=jmmv
                . $home/pcp.sh
                add_configuration
            ) || echo "jmmv: the files in $home/config are not installed for pmlogconf, pmieconf and pmrep" >&2
        fi
    elif [ -e /var/lib/pcp/config/jmmv/complete ]; then
        echo "jmmv: pmcd does not use jmmv any more, because $conf has been replaced, for example by" \
            "an upgrade of PCP. To use jmmv again, with the options it had: $agent/Install" >&2
    fi
}

# remove_agent: removes the agent from pmcd, before its files are deleted
remove_agent()
{
    # pmproxy's line as docs/pmproxy.md restores it, because pmcd can't start this agent any more
    if grep -qs '^pmproxy[[:space:]].*/pmdas/jmmv/pmdajmmv ' $conf; then
        sed -i 's|^pmproxy[[:space:]].*/pmdas/jmmv/pmdajmmv .*|pmproxy\t4\tdso\tpmproxy_init\t/var/lib/pcp/pmdas/mmv/pmda_mmv.so|' \
            $conf
        # shellcheck disable=SC2154
        (. /etc/pcp.env && "$PCP_BINADM_DIR/pmsignal" -a -s HUP pmcd) || true
        echo "jmmv: the stock agent serves pmproxy's metrics again"
    fi
    # If PCP has been removed already, but not purged, Remove restores pmcd.conf for a later installation of
    # PCP. If it can't, or if pmcd gets no answers from the stock agent (status 2), the package is removed nevertheless.
    if [ -r /etc/pcp.env ]; then
        $home/Remove || [ $? -eq 2 ] || [ ! -r /usr/share/pcp/lib/pmdaproc.sh ]
    fi
}
