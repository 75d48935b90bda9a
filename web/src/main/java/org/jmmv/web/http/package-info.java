/**
 * HTTP/1.1 for any number of resources: requests are answered one at a time in the turns of their
 * connection, and bodies are written in pieces. It knows no metrics.
 */
package org.jmmv.web.http;
