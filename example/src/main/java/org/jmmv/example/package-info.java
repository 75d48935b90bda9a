/**
 * The demo: {@link org.jmmv.example.WebShop}, an application that keeps metrics in an MMV file, and
 * {@link org.jmmv.example.LiveTable}, which shows what an agent makes of them.
 *
 * <p>Who wants to know how to instrument an application reads {@code ShopMetrics}.
 */
package org.jmmv.example;
