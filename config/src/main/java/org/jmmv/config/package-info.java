/** The agent's configuration: pcp.conf(5), the environment, and the options of the command line. */
package org.jmmv.config;
