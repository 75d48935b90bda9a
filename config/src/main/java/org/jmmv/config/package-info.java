/** Where things are and what was asked for: pcp.conf, the environment and the command line. */
package org.jmmv.config;
