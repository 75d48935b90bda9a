/**
 * The demo's application: {@link org.jmmv.example.WebShop} keeps metrics in an MMV file. {@code
 * ShopMetrics} shows how to instrument an application.
 */
package org.jmmv.example;
