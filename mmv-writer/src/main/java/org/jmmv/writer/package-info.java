/**
 * Writes the metrics of an application to a memory-mapped (MMV) file, from which the agents of
 * Performance Co-Pilot (PCP) read them: {@code pmdammv} of PCP, and jmmv.
 *
 * <pre>{@code
 * MmvApplication shop = MmvApplication.named("shop").start();
 * LongCounter orders = shop.metric("orders").help("Orders placed").units(Units.COUNT).counter();
 * ...
 * orders.increment();
 * }</pre>
 *
 * <p>{@code pminfo -f mmv.shop.orders} then shows the value. An update of a number is one store to
 * memory, or one atomic addition: no lock, no allocation and no system call. The values are still
 * there after a crash of the application.
 *
 * <p>Nothing that is wrong outside of the program throws an exception: if there is no directory, or
 * no room in it, then {@link org.jmmv.writer.MmvApplication.Builder#onProblem} is told why nobody
 * can read the metrics, and the application runs on. Wrong arguments throw an {@link
 * java.lang.IllegalArgumentException}.
 *
 * <p>The format is that of mmv(5).
 */
package org.jmmv.writer;
