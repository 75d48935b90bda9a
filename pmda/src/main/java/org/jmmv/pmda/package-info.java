/**
 * The agent that pmcd starts (PMDA(3)): replies to pmcd's requests from a {@link
 * org.jmmv.core.Catalog}.
 *
 * <p>One thread owns the catalogue and handles all requests: on a pipe the thread that reads the
 * pipe, on a socket the thread of Netty's event loop. Therefore no locks are needed. On a pipe, a
 * request is answered within the call of {@code channelRead} that delivers it; on a socket, long
 * replies are written in later turns.
 */
package org.jmmv.pmda;
