/**
 * {@code /metrics}: the values of a catalogue in the formats of OpenMetrics and Prometheus.
 *
 * <p>A {@code Plan} has a {@code Family} for each metric that can be shown: its name, labels and
 * help, encoded once and kept until the catalogue changes. A {@code Scrape} goes through a plan and
 * writes the values.
 */
package org.jmmv.web.metrics;
