/**
 * The demo: {@link org.jmmv.example.WebShop}, an application that keeps metrics in an MMV file, and
 * {@link org.jmmv.example.LiveTable}, which shows the metrics that an agent serves.
 *
 * <p>{@code ShopMetrics} shows how to instrument an application.
 */
package org.jmmv.example;
