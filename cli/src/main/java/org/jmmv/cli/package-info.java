/**
 * The agent's process: it starts the agent according to the command line, logs, and ends with an
 * exit status.
 *
 * <p>All code logs through SLF4J to Logback, which {@link org.jmmv.cli.LogConfigurator} configures.
 * Netty uses SLF4J, too.
 */
package org.jmmv.cli;
