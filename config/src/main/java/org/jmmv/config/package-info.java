/** The configuration: pcp.conf, the environment, and the options of the command line. */
package org.jmmv.config;
