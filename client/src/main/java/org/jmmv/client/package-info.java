/**
 * A blocking client that speaks to an agent as pmcd does, on pipes or a socket. It is meant for
 * tools, tests and benchmarks, and depends only on {@link org.jmmv.protocol}.
 */
package org.jmmv.client;
