/**
 * The catalogue of all served metrics: names, metrics, instance domains, labels and values of all
 * MMV files, and the agent's own metrics. Every way of serving metrics uses this package, which is
 * independent of network protocols.
 *
 * <p>A request passes a {@link org.jmmv.core.Scope} to {@link org.jmmv.core.Catalog}, which
 * refreshes the objects in that scope and returns a {@link org.jmmv.core.View} of them. Values are
 * interpreted here (sentinels, running timers, missing values); a {@link org.jmmv.pcp.ValueSink}
 * only encodes or displays them.
 *
 * <p>One thread owns a catalogue and everything that it returns. Returned objects are valid until
 * the next request. The state of clients (profiles, reported changes) is kept elsewhere.
 */
package org.jmmv.core;
