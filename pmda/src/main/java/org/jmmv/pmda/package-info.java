/**
 * The agent that pmcd starts (PMDA(3)): answers pmcd's requests from a {@link
 * org.jmmv.core.Catalog}.
 *
 * <p>One thread owns the catalogue and does everything: on a pipe it is the thread that reads the
 * pipe, on a socket Netty's event loop. A request is answered in the call that delivers it, so that
 * nothing needs a lock and views of a request's frame stay valid while it is handled.
 */
package org.jmmv.pmda;
