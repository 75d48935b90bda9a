/**
 * The collector: what pmcd(1) is to the clients of Performance Co-Pilot, for the metrics of one
 * catalogue, without a pmcd.
 */
package org.jmmv.collector;
