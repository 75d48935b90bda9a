/**
 * A registry for Micrometer that writes the meters of an application to a memory-mapped (MMV) file,
 * from which the agents of Performance Co-Pilot (PCP) read them. The application needs no HTTP
 * endpoint and no network for it.
 *
 * <pre>{@code
 * MeterRegistry registry = new MmvMeterRegistry(MmvApplication.named("shop"));
 * registry.counter("orders", "kind", "gift").increment();
 * }</pre>
 *
 * <p>{@code pminfo -f mmv.shop.orders} then shows the counter, with the instance {@code kind=gift}.
 */
package org.jmmv.micrometer;
