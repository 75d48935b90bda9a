/** Serves a catalogue over HTTP, to those who have Prometheus, Grafana or a browser. */
package org.jmmv.web;
