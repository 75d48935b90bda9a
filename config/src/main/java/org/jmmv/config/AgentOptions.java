package org.jmmv.config;

import java.nio.file.Path;
import java.util.Optional;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.reader.Limits;

/**
 * The options that the agent was started with, see {@link AgentCommand}.
 *
 * @param debug the debug options that are on at the start
 * @param domain 1 to {@link org.jmmv.pcp.Pmid#MAX_DOMAIN}
 * @param log the log file, {@code -} for standard error; empty: {@code $PCP_LOG_DIR/pmcd/mmv.log}
 * @param username the user to become; empty: {@code $PCP_USER}
 * @param transport how pmcd is connected
 * @param limits how much is served at most
 */
public record AgentOptions(
    DebugOptions debug,
    int domain,
    Optional<Path> log,
    Optional<String> username,
    Transport transport,
    Limits limits) {}
