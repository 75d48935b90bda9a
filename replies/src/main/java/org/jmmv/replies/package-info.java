/** Replies to requests from the catalogue, as the agent and the collector both send them. */
package org.jmmv.replies;
