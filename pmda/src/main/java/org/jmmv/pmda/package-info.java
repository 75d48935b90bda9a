/**
 * The agent that pmcd starts (PMDA(3)): replies to pmcd's requests from a {@link
 * org.jmmv.core.Catalog}.
 *
 * <p>One thread owns the catalogue and handles all requests: on a pipe the thread that reads the
 * pipe, on a socket the thread of Netty's event loop. A request is answered within the call of
 * {@code channelRead} that delivers it. Therefore no locks are needed, and a request may be a view
 * of its frame in the receive buffer.
 */
package org.jmmv.pmda;
