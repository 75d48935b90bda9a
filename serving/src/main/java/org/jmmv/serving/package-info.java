/**
 * What every face that serves a catalogue over the network needs, whatever its protocol: the event
 * loop that owns the catalogue, maintenance of the catalogue between requests, sockets to listen
 * on, quotas of connections, flow control, and TLS.
 */
package org.jmmv.serving;
