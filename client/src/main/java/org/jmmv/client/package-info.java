/**
 * Speaks to an agent as pmcd does: starts it on a pipe or connects to its socket, and asks. For
 * tools, tests and benchmarks; everything blocks, and there is no dependency but the protocol.
 */
package org.jmmv.client;
