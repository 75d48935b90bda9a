package org.jmmv.config;

import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limits;

/**
 * The options of the agent: those of its command line, see {@link AgentCommand}, and otherwise its
 * {@link Settings}.
 *
 * @param debug the debug options that are on at start
 * @param name the root of all names, and the name of the directory of the MMV files
 * @param domain the domain of all PMIDs, 1 to {@link org.jmmv.pcp.Pmid#MAX_DOMAIN}
 * @param log the log file, {@code -} for standard error; empty: {@code $PCP_LOG_DIR/pmcd/NAME.log}
 * @param username the user to run as; empty: {@code $PCP_USER} if started as root, otherwise the
 *     current user
 * @param socket the address at which pmcd connects; empty: pmcd has started the agent on a pipe
 * @param limits the limits of what is served
 * @param hasStatus whether {@code mmv.control.file} and {@code mmv.control.agent} are served
 * @param directories the directories of the MMV files, at least one and at most 100
 * @param adopt the output of {@code pminfo -m NAME}, from which clusters are taken over instead of
 *     serving
 */
public record AgentOptions(
    DebugOptions debug,
    String name,
    int domain,
    Optional<Path> log,
    Optional<String> username,
    Optional<SocketAddress> socket,
    Limits limits,
    boolean hasStatus,
    List<DirectorySettings> directories,
    Optional<Path> adopt) {}
