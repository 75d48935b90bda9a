/**
 * The processes: what their command lines start, and how they log and end.
 *
 * <p>The log is that of SLF4J with Logback behind it, which {@link org.jmmv.cli.LogConfigurator}
 * configures; Netty finds SLF4J by itself and logs there too.
 */
package org.jmmv.cli;
