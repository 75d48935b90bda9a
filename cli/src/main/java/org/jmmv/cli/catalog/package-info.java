/** The agent's {@link org.jmmv.core.Catalog}, for commands that read files themselves. */
package org.jmmv.cli.catalog;
