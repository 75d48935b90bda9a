/**
 * {@code jmmv top}: the metrics that the agent would serve, as a live table on a terminal, and as
 * text, CSV or JSON for scripts. It reads the files with the agent's {@link org.jmmv.core.Catalog},
 * of which {@link org.jmmv.cli.top.LiveMetrics} is the only user here; one thread does everything
 * but {@link org.jmmv.cli.top.Screen#close}.
 */
package org.jmmv.cli.top;
