/**
 * The agent's configuration: pcp.conf(5), the environment, the settings file, and the options of
 * the command line.
 */
package org.jmmv.config;
