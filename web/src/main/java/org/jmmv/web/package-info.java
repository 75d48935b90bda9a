/** Serves a catalogue over HTTP, to Prometheus, Grafana and browsers. */
package org.jmmv.web;
