/**
 * The agent: a catalogue of what the MMV files of a directory offer, and the answers to pmcd's
 * requests.
 *
 * <p>One thread does everything. A request is answered in the same call that read it, so that
 * nothing needs a lock, and views of a request's frame stay valid while it is handled.
 */
package org.jmmv.pmda;
