/**
 * What all MMV files offer together: names, metrics, instance domains, labels and values, and the
 * agent's own metrics beside them. Every way of serving metrics stands on this package; it knows no
 * network protocol.
 *
 * <p>A request states once what it concerns, a {@link org.jmmv.core.Scope}, and {@link
 * org.jmmv.core.Catalog} brings that up to date and returns it. What a value means (sentinel,
 * running timer, no value now) is decided here; a {@link org.jmmv.pcp.ValueSink} only shows values.
 *
 * <p>One thread owns a catalogue and all that it returns. What is returned is valid until the next
 * request. Nothing about a client is kept here.
 */
package org.jmmv.core;
