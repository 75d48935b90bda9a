/**
 * {@code /metrics}: the values of a catalogue in the formats of OpenMetrics and Prometheus.
 *
 * <p>A {@code Plan} says which metrics are on the page, under which names, until the catalogue
 * changes. A {@code Scrape} makes a {@code Family} of each, has it encoded, and writes its values.
 */
package org.jmmv.web.metrics;
